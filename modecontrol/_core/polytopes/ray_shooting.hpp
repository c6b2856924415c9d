// Facets by ray shooting: a ray from inside the set leaves it through a facet, and through which one costs one product.
//
// Seen from an inner point, row k is its polar point: coefficients over the slack there. A ray in direction `v` meets
// first the row whose polar point lies farthest along `v`; if no other row is met within a margin, that row is a facet.
// To find out about row i the ray starts towards its own polar point; when another row comes first, the direction is
// corrected so that this row would come after i, and so on for a few shots (the relaxation method of Agmon 1954 and
// Motzkin and Schoenberg 1954, in the plane of row i). What is not found out here is left to the simplex method: shots
// prove facets and nothing else.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Mark facets in `ws.state` as seen from the origin of the scaled data that `load` left; uses `ws.polar`.
//
// Returns whether the origin is an inner point. Otherwise nothing is marked.
bool shoot_from_origin(Workspace& ws);

// Mark facets in `ws.state` as seen from a point inside the simplex of the vertex of `D` and its edges.
//
// For sets without equalities; the constants of `D` are nonnegative. The point is moved twice to the middle of the set
// along the push of all rows (the gradient of the logarithmic barrier).
void shoot_from_vertex(Workspace& ws, const Dictionary& D);

}  // namespace mc
