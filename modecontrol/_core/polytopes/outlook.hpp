// Where projection by cuts starts: a look around the set from inside.
#pragma once

#include <vector>

#include "owned.hpp"
#include "polytopes/workspace.hpp"

namespace mc {

// An inner point with its slacks, sizes of the kept variables, and the box around the projection.
struct Outlook {
    bool found = false;
    Array<double> point, slack, size;
    std::vector<std::vector<double>> proofs;  // multipliers of the rows of the box
};

// The set, which has an inner point and no equalities, is asked for its extent along each kept variable; the mean of the points
// where it ends is well inside.
Outlook look_around(const Rows& set, View<const bool> keep, Patience* patience);

}  // namespace mc
