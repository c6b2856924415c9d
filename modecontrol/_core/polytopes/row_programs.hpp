// Facets decided one by one, each by a linear program of its own: the second way, where the first has gathered too much rounding.
//
// Row g of `{x : A x <= b}` is a facet iff `max a_g x > b_g` over all other rows and `a_g x <= b_g + 1`. Every program starts from
// the data and is checked there, so no answer leans on the one before; it costs several times what `decide_facets` does.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Decide FACET or OUT for every row of the set in `ws`, which has an inner point and no equalities among its rows. False when a program
// stayed undecided.
bool decide_by_programs(Workspace& ws);

}  // namespace mc
