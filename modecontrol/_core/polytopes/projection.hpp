// Projections: `{x_K : exists x_L, A x <= b, C x = e}`, minimal.
//
// The variables that go get a basis in which the rows have many zeros (`sparse_basis`). Equalities (the hidden ones too) are
// substituted first, largest pivot first; the others go by Fourier-Motzkin elimination (`elimination`), and when that is too
// much work or gives no answer, the projection is found by cuts (`projection_by_cuts`). Everything happens in the scaled data
// of `load`; at the end every row must be valid on the set that it came from and touch it. Which rows of the caller went into
// a row, its ancestors, is recorded.
#pragma once

#include <vector>

#include "layout.hpp"
#include "owned.hpp"
#include "patience.hpp"
#include "polytopes/stack.hpp"

namespace mc {

// The set `{x : A x <= b, C x = e}` in the kept variables; rows have largest coefficient one.
//
// OPTIMAL: the minimal representation. `ancestors` (rows of `A`, then of `C`; columns: the caller's inequalities, then
// equalities) says which rows were added up. INFEASIBLE: the set is empty. UNDECIDED: an answer failed its check.
// WORK_LIMIT: too much work. Without an answer there are no rows.
struct Projection {
    Status status = UNDECIDED;
    Grid<double> A;
    Array<double> b;
    Grid<double> C;
    Array<double> e;
    Grid<bool> ancestors;
};

// The projection of a set on some of its variables, which stay in order.
Projection project(const Rows& set, View<const bool> keep, Patience* patience = nullptr);

// The same for a set without redundant rows and hidden equalities.
Projection project_minimal(const Rows& set, View<const bool> keep, Patience* patience = nullptr);

// The same by cuts alone, without elimination.
Projection project_without_elimination(const Rows& set, View<const bool> keep, Patience* patience = nullptr);

// The projections of many sets; `out` has a place for each.
void project_batch(const Stack& stack, View<const bool> keep, std::vector<Projection>& out, Int threads, const Patience& patience);

}  // namespace mc
