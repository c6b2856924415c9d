// Which rows of a projection touch the set that they came from.
//
// A row that Fourier-Motzkin elimination combines is valid on the set by its making. If it is tight nowhere it is
// redundant, and all such rows can go at once: a segment that leaves the projection leaves it through a row that is tight
// there. One linear program over the original set, which is smaller than the combined system, settles it. It is also the
// check of the rows that remain: each is valid and tight.
#pragma once

#include "owned.hpp"
#include "patience.hpp"

namespace mc {

// Rows `rows[k] x_names <= right[k]` (largest coefficient one) in the variables `names` of a set; those that are `known` to be valid
// and tight, if any, are not asked again.
struct Lines {
    ConstMat rows;
    ConstVec right;
    ConstInts names;
    View<const bool> known{};
};

// `tight` is false where a row stays away from the set by more than FLAT. `proven`: all rows were found valid and every
// linear program was solved; where one was not, `tight` is true.
struct Touching {
    Flags tight;
    bool proven;
};

// Find the rows that are tight somewhere on the set, which is not empty.
Touching tight_rows(const Rows& set, const Lines& lines, Patience* patience);

}  // namespace mc
