// Mixed complementarity problems, whole: the free unknowns are pivoted into the basis, then Lemke's method goes on.
//
//     0 = A u + B z + a,  u free        w = C u + D z + c,  0 <= z  perp  w >= 0
//
// Every pivot works on the whole tableau but for its zeros, as in a solver that is handed the mixed problem and knows nothing of
// its structure: up to `nb N^2` operations for `nb` bilateral rows of `N`, against `nb^3 / 6` of Cholesky's method.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

// Memory for mixed problems of up to `rows` rows altogether.
struct MixedWorkspace {
    explicit MixedWorkspace(Int rows);

    Array<double> tableau;              // N x (N + 1)
    Array<double> pivot_row, pivot_column;
    Array<double> M, q;                 // what is left for Lemke's method
    LcpWorkspace lcp;                   // z, w, active of the unilateral rows
    Array<double> free;                 // u
};

// Solve the mixed problem whose first `bilateral` rows are equations; `u` in `ws.free`, `z` in `ws.lcp.z`.
//
// `warm` tries the basis in `ws.lcp.active` first. A bilateral row that depends on those before it is left out.
LcpOutcome mixed_lemke(const Lcp& problem, Int bilateral, bool warm, MixedWorkspace& ws);

}  // namespace mc
