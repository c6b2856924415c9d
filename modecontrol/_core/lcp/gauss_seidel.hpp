// Projected Gauss-Seidel for the LCP `w = M z + q`, with the basis it points at solved exactly.
//
//     z_i <- max(0, z_i - w_i / m_ii)        for i = 1..n, again and again
//
// Converges for symmetric positive definite matrices and for those with a dominant diagonal; a row without a diagonal is
// divided by its largest entry instead, for which nothing is promised. The iteration stops when no scaled `z_i` moves by
// more than `SWEEP` times the largest, or after the sweeps allowed. The support of the iterate is then taken as a basis and
// solved by LU: a right answer has the accuracy of a direct method.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

LcpOutcome gauss_seidel(const Lcp& problem, LcpWorkspace& ws, Int sweeps);

}  // namespace mc
