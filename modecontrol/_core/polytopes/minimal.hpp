// Minimal representations: which rows of `{x : A x <= b, C x = e}` are facets, hidden equalities, or nothing.
//
// Row i is kept iff the other rows let `a_i x` exceed `b_i`. Hidden equalities come first; they leave the dictionary
// together with as many columns, and what remains is judged on the affine hull (`facets`). A row of zeros (one that
// always or never holds) is neither facet nor equality. The dictionary is compared with the data when all is decided.
#pragma once

#include "polytopes/simplex.hpp"

namespace mc {

// Sort the rows of the set that `load` left in `ws` into FACET, OUT and EQUAL, in `ws.state`.
//
// Returns OPTIMAL, INFEASIBLE (multipliers in `ws.y`, `ws.z`) or UNDECIDED.
Status minimal_loaded(Workspace& ws);

// Facets (`keep`) and hidden equalities (`implicit`) of many sets; multipliers of the empty ones, else NaN.
struct Minimal {
    Ints status;
    View<bool> keep, implicit;
    Vec y, z;
};
void minimal_batch(const Stack& stack, const Minimal& out, Int threads, const Patience& patience);

}  // namespace mc
