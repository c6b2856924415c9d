// Facets and redundant rows on a dictionary with nonnegative constants and without hidden equalities.
//
// A facet is a row whose slack can be lowered below zero while the others stay nonnegative; `lower` answers that from
// wherever the last question ended, and stops at the first step that passes zero. At each vertex where it ends the edges
// show more facets. The dictionary is made anew every few questions, and what it claims is compared with the data.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Mark the facets that the edges of this vertex show.
//
// A point that violates one row alone makes that row a facet. Such points lie on the edge of column j: behind the
// vertex, where only slack j is negative, and beyond the first row that the edge meets, when no other is met there.
//
// False when a row stands out by more than nothing and less than clearly, which rounding in a basis of nearly parallel rows does,
// too. With hidden equalities nothing better can be asked: not `exact`, it counts as a facet.
bool mark_facets(Workspace& ws, const Dictionary& D, bool exact);

// Decide FACET or OUT for every row whose state is UNKNOWN. False when the iteration limit is reached or rounding is too
// large. `D` is `ws.dictionary()` without its hidden equalities.
bool decide_facets(Workspace& ws, Dictionary D);

}  // namespace mc
