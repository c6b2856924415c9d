// The rows that a search for inputs adds to an instant: the task, whose equalities are tied, and the goal, which is the last row.
#pragma once

#include "modes/affine_set.hpp"

namespace mc {

// Which rows after the physical ones are equalities.
inline void read_ties(const Instant& at, const Layout& layout, Array<bool>& tied) {
    fit(tied, layout.rows - layout.task);
    for (Int i = 0; i < tied.size; ++i) tied[i] = at.extra.equality[at.extra.physical + i];
}

// The goal in the user's units over the goal of the table.
inline double goal_scale(const Instant& at, const Root& root) {
    const double biggest = largest_coefficient(at.extra, at.extra.P.rows - 1, root);
    return root.size * (biggest > 0.0 ? biggest : 1.0);
}

}  // namespace mc
