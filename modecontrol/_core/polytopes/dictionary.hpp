// Dictionaries, `basic_i = M[0, i] - sum_j M[j, i] nonbasic_j`, stored column by column, and their pivots.
//
// A linear program over `{x : A x <= b, C x = e}` is a dictionary with the slacks `s = b - A x >= 0` and
// `t = e - C x = 0` as basic and the free `x` as nonbasic variables. Variables carry labels: `0 .. m-1` are the
// slacks of the inequalities, `m .. m+p-1` those of the equalities, `m+p .. m+p+d-1` the coordinates of `x`.
// `M[0]` holds the constants; a column lies contiguous in memory, so that one pivot is a few short vector sums.
//
// `lower` makes all iterations of the simplex method. The row of the dictionary that it lowers has three uses: the
// objective of a linear program, the artificial variable of phase 1, and the slack whose row may be redundant.
#pragma once

#include <utility>

#include "patience.hpp"
#include "tolerances.hpp"
#include "view.hpp"

namespace mc {

constexpr Int ARTIFICIAL = -1;   // label of the artificial variable of phase 1
using tolerances::UNBLOCKED;

struct Dictionary {
    Mat M;
    Ints row, col;                  // labels of rows 0 .. rows - 1 and of columns 1 .. columns
    Int columns, rows;              // those that count; rows beyond may be kept up to date as well
    double tiny;                    // entries up to this limit no step
    Patience* patience = nullptr;   // whoever may stop long work
    double level = tolerances::DUAL;  // a column that lowers the goal by less than this per unit is level

    double& operator()(Int j, Int i) const { return M(j, i); }
};

enum class Descent { LOWEST, CROSSED, LIMIT, DOUBTED };
struct Step {
    Descent code;
    Int at;
};

// Exchange the basic variable of row `r` with the nonbasic one of column `q`; columns 0 to n.
void pivot(Mat M, Int n, Int rows, Int r, Int q);

// `pivot` together with the labels; `live` rows are kept up to date.
inline void exchange(const Dictionary& D, Int live, Int r, Int q) {
    pivot(D.M, D.columns, live, r, q);
    std::swap(D.row[r], D.col[q]);
}

// Rows `r` and `k` change places.
inline void swap_rows(const Dictionary& D, Int r, Int k) {
    for (Int j = 0; j <= D.columns; ++j) std::swap(D.M(j, r), D.M(j, k));
    std::swap(D.row[r], D.row[k]);
}

// The row among `from .. to - 1` with the shortest step `(max(0, constant) + STEP_TIE) / slope`, slope > tiny.
//
// `slope` is a column of the dictionary, or its negative (`sign` -1). Of equal steps the first; row -1 when there is none.
struct Shortest {
    Int row;
    double step;
};
struct Ratios {
    const double* constant;
    const double* slope;
    double sign, tiny;
};
Shortest shortest(const Ratios& ratios, Int from, Int to);

// The smallest `constant / slope` with slope > tiny, at most UNBLOCKED.
double least_ratio(const Ratios& ratios, Int count);

// The row that stops column `q` from growing; -1 when none does. Row `goal` has no say.
//
// Among the rows that tie in a degenerate step (within the slack that rounding leaves) the largest pivot wins,
// or with `bland` the lowest label.
Int blocking(const Dictionary& D, Int goal, Int q, bool bland);

// Lower the variable of row `goal` by simplex steps that keep all other rows nonnegative.
//
// Columns may grow; rows (without `goal`) must stay nonnegative; pivots keep `live` rows up to date: at least those that
// count, and beyond `goal`. Stops as soon as one step would bring the goal down to `target`.
//
// LOWEST: no column lowers the goal any more. CROSSED: letting column `at` grow takes the goal down to `target` or for
// ever; that last step is not taken. LIMIT: too many steps.
Step lower(const Dictionary& D, Int live, Int goal, double target);

// Phase 1: reach a dictionary with nonnegative constants, through one artificial variable.
//
// The artificial variable is the largest violation, measured in units of `weight[label]`; it is lowered to zero or as
// far as it goes. CROSSED: feasible (to FEASIBLE). LOWEST: infeasible; the artificial variable stands in row `at`, and
// `-M[1:n+2, at] >= 0` are the multipliers of the rows `col[1:n+2]` that contradict each other. LIMIT.
Step make_feasible(const Dictionary& D, Vec weight);

}  // namespace mc
