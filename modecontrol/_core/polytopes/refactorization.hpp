// Keeping a dictionary true: it is compared with the scaled data that it came from, and made anew from them.
//
// Rounding gathers over pivots. What a dictionary claims is trusted only as long as it agrees with the data.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Whether the `live` rows of `D` agree with the scaled data after all pivots, tried at a point where no slack is zero.
bool still_true(Workspace& ws, const Dictionary& D, Int live);

// Whether the scaled data, too, have a point on the edge of column `q` that violates row `g` and no other.
//
// A slope of rounding size followed far enough crosses anything; along it other rows are violated just as much.
bool is_crossing(Workspace& ws, Int live, Int g, Int q);

// Whether the scaled data, too, make row `g` a sum of the rows in the columns: for sets without equalities.
bool is_sum(const Workspace& ws, const Dictionary& D, Int g);

// Make `ws.T` anew at the same vertex, without the rows that are OUT; its rows, or -1 if it is no vertex.
Int refresh(Workspace& ws);

}  // namespace mc
