// Principal pivoting for the LCP `w = M z + q`: repair one negative `w_r` after the other.
//
//     choose r with w_r < 0;  drive z_r up from zero;  whatever reaches zero leaves and its complement is driven next,
//     until w_r itself reaches zero
//
// Dantzig and Cottle's method in its single-exchange form (Keller's for matrices with zeros on the diagonal): the pair
// (w_r, z_r) may be basic together meanwhile, every other pair keeps to one. For P matrices each cycle ends with one
// negative variable less. For semidefinite ones a drive may find nothing that blocks it because the other negative
// variables do not; it is then taken back and another `r` chosen, and only when none is left the method gives up. Ties go
// to the least index, which can still cycle on highly degenerate semidefinite problems: pivots are limited.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

// Most pivots that a problem of `n` rows may take.
inline Int principal_limit(Int n) { return 50 * n + 100; }

// The answer in `ws.z`, `ws.active`; allocates what it keeps of the tableau between two drives.
LcpOutcome principal_pivoting(const Lcp& problem, LcpWorkspace& ws, Int limit);

}  // namespace mc
