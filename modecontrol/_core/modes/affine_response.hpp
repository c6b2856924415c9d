// From the table of a mode to its affine response (Eqs. (26) to (29) of Greenfield 2005).
//
// A mode knows all unknowns as `X = x0 + Z y`, `Z` orthonormal. Reflections (Householder, largest torque row first) split `y`
// into `w`, which the inputs do not determine, and `eta`, which they do:
//
//     tau = T0 + L eta         rank(L) = admissible torque directions; the remaining rows are equalities on tau
//     u   = u0 + U tau + W w   W orthonormal in scaled unknowns, orthogonal to the particular solution
#pragma once

#include "modes/affine_set.hpp"

namespace mc {

// Columns of a split table: `w` of them, then one for each admissible torque direction; `pivots[s]` is the input that column
// `freedom - 1 - s` stands for.
struct Split {
    Int freedom = 0, w = 0;
    Array<Int> pivots;
    Array<bool> taken;  // inputs among the pivots
    Array<double> scratch;
    double left = 0.0;  // size of what was taken for zero: the direction in which the inputs are all but restricted

    Int admissible() const { return freedom - w; }
    Int column(Int s) const { return freedom - 1 - s; }
};

// Turn the columns of a mode's table into `w` and torques: afterwards row r is `T[r, :w] w + T[r, torques] tau + constant`,
// in natural units. Allocates nothing when `split` has served the same layout before.
void split_inputs(Mat T, const Layout& layout, Int freedom, Split& split);

// `u = constant + U tau + W w` in true units (w in units of the load), and `C tau = e`; views on `memory`.
struct AffineResponse {
    Vec constant;
    Mat U, W, C;
    Vec e;
    Array<double> memory;
};

// Read the response of a split table in true units.
void affine_response(ConstMat T, const Root& root, const Split& split, AffineResponse& out);

}  // namespace mc
