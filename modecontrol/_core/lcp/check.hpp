// The check that stands between a problem and its answers, apart from every solver: plain sums over whole rows.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

// Whether every entry of M and q is a finite number.
bool finite(const Lcp& problem);

// Whether the sizes of answers, `C_i max_j R_j |q_j|` by the scales in `ws`, stay within double precision.
bool within_reach(const Lcp& problem, const LcpWorkspace& ws);

// How far `w = M z + q, z >= 0, w >= 0, z . w = 0` is from holding, where `w_i = 0` and `z_i` is free on `bilateral` rows.
//
// Negative entries of `z` are raised to zero first; `w` is `M z + q` without its negative entries, and zero where `z > 0`. Bounds
// and products hold exactly after that, and what is returned is the largest row error, divided by the size of the terms of
// that row, at least `ROW_FLOOR` times the largest row in the scale `row`. Infinite for what is no number.
double check(const Lcp& problem, View<const bool> bilateral, ConstVec row, Vec z, Vec w);

}  // namespace mc
