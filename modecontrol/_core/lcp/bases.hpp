// Complementary bases: what every method for `w = M z + q, 0 <= z perp w >= 0` shares.
//
// `M_aa z_a = -q_a` gives the whole answer of a basis `a`. The functions below scale a problem, solve one basis and measure
// an answer; they know nothing of how the basis was found.
//
// Both scalings are diagonal and positive, `M -> R M C`, `q -> R q`, `z -> C^-1 z`, `w -> R w`, which keeps the problem the
// same; they are powers of two, which keeps every bit of it.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

// Diagonals `ws.row`, `ws.column` such that `R M C` has a unit diagonal, or unit largest entries where there is none.
//
// The friction rows of a contact problem have no diagonal: they are measured against the rows that have one. Where this
// leaves entries far from one (rows and columns in unrelated units), geometric means decide.
void equilibrate(const Lcp& problem, LcpWorkspace& ws);

// The largest scaled entry of `q`.
double scaled_size(const Lcp& problem, const LcpWorkspace& ws);

// `M_aa z_a = -q_a` by a scaled LU with one step of refinement into `ws.z`; false when the basis is singular.
//
// `z` may come back negative: it is the value of the basis, not yet an answer.
bool solve_basis(const Lcp& problem, LcpWorkspace& ws);

// Clip `ws.z` at zero, fill `ws.w`, and return how far `w = M z + q` is from holding.
//
// On return `z >= 0`, `w >= 0` and `z * w = 0` hold exactly, so the residual is the whole truth about an answer: the
// largest row error, divided by the size of the terms of that row (at least `ROW_FLOOR` times the largest scaled row).
// Not-a-number counts as infinite.
double measure(const Lcp& problem, LcpWorkspace& ws);

// Solve the basis by LU when the residual of `ws.z` is not tiny; the better of the two answers is kept and its residual returned.
double refine(const Lcp& problem, LcpWorkspace& ws, double residual);

// In-place `P A = L U` with row exchanges; false when a pivot is rounding.
bool factor(Mat a, Ints order);

// Solve with the factors of `factor`, in place in `x`.
void back_substitute(ConstMat a, ConstInts order, Vec x);

}  // namespace mc
