// Projection by cuts: rows are added to all of space until every vertex is the image of a point of the set.
//
// The rows that a projection `{x : exists w, A x + B w <= b}` obeys are `y A x <= y b` for the multipliers `y >= 0` with
// `B' y = 0`. Seen from an inner point `(x0, w0)` with slacks `r = b - A x0 - B w0 > 0` they are taken with `y r = 1`, a
// bounded polytope `Y`, and then a direction `v` leaves the projection where
//
//     max { y A v : y in Y }  =  one over the distance.
//
// A vertex `x` of what the rows so far leave belongs to the projection iff this is at most 1 for `v = x - x0`; otherwise
// the optimal `y`, a vertex of `Y`, is a row that cuts it off. Rays and lines are asked about in the same way, with 0 in place
// of 1. The vertices are kept by `double_description`. When all are found inside, the rows are the projection: every row has
// its proof `y`, every vertex has its proof that no row is missing. The work grows with the vertices and facets of the
// answer, not with what elimination would meet on its way (the polar form of the convex hull method of Lassez and Lassez 1992).
#pragma once

#include "owned.hpp"
#include "patience.hpp"
#include "layout.hpp"

namespace mc {

// Rows `A x <= b` in the kept variables; `multipliers(i, k)`: row i is the sum of so many times row k of the set.
struct Cuts {
    Status status = UNDECIDED;
    Grid<double> A;
    Array<double> b;
    Grid<double> multipliers;
};

// The projection of `{x : A x <= b}`, which has an inner point, on the marked variables. All rows are facets.
//
// OPTIMAL, UNDECIDED when rounding stands in the way, WORK_LIMIT.
Cuts project_by_cuts(ConstMat A, ConstVec b, View<const bool> keep, Patience* patience);

}  // namespace mc
