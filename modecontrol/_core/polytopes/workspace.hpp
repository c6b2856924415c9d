// One polyhedron `{x : A x <= b, C x = e}`, scaled, and the memory in which it is worked on.
//
// Rows and columns are multiplied by powers of two (nothing is rounded) until the largest coefficient of each lies in
// [1/2, 1); a set whose right-hand sides are all small is blown up, by 2^20 at most. With row sizes `r`, column sizes `k`,
// blow-up `1/h` the solver sees `r A k u <= r b / h` and `u = x / (h k)`.
#pragma once

#include <vector>

#include "patience.hpp"
#include "polytopes/dictionary.hpp"
#include "view.hpp"

namespace mc {

enum Task { FIND, MAXIMIZE, WARM };  // find a point, maximise the objective, maximise it from the present `T`
enum State : Int { UNKNOWN = 0, FACET = 1, OUT = 2, EQUAL = 3 };  // of a row: not decided, facet, redundant, hidden equality

// Everything one polyhedron needs, allocated once and used again and again; answers in the first entries of x, ray, y, z.
struct Workspace {
    Workspace(Int m, Int p, Int d);  // for up to `m` inequalities and `p` equalities in up to `d` variables
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    Int m = 0, p = 0, d = 0;        // inequalities, equalities, variables of the set
    Int columns = 0, rows = 0;      // of T
    Int clash = -1;                 // row of S that contradicts itself
    bool again = false;             // the second attempt
    Task task = FIND;
    int phase = 1;
    double blowup = 1.0, cost_size = 1.0;
    double tiny = 0.0;              // entries of T up to this limit no step
    Patience* patience = nullptr;   // whoever may stop long work; none as a rule

    Mat G;                          // (1 + d, m + p) scaled data by columns, right-hand sides in G[0]
    Mat S;                          // (1 + d, m + p + 1) dictionary after elimination, objective in its last row
    Mat T;                          // (2 + d, m + 1) dictionary in slacks alone, the objective after its rows
    Mat polar;                      // (1 + d, m rounded up to whole lanes) rows as seen from an inner point
    Ints base_row, base_col;        // labels of the rows and (from 1) columns of S
    Ints row, col;                  // of T
    Ints state;                     // what is known of each row
    Vec row_scale, col_scale;
    Vec weight;                     // the unit max(1, |b|) of a violation
    Vec cost;                       // scaled objective
    Vec slack;                      // slacks or multipliers by label
    Vec point, way;                 // scaled point and ray
    Vec x, ray, y, z;               // the answer

    Dictionary dictionary() const { return {T, row, col, columns, rows, tiny, patience}; }

private:
    std::vector<double> reals_;
    std::vector<Int> integers_;
};

// The power of two `h` with `1/2 <= h a < 1`; 1 for zero.
double power_below(double a);

// Scale the set into `ws.G`.
void load(Workspace& ws, const Rows& set);

// Scale the objective into `ws.cost`.
void set_cost(Workspace& ws, ConstVec c);

}  // namespace mc
