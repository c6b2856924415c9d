// Every complementary basis of a small LCP `w = M z + q`, one after the other.
//
//     for each set a of indices:   z_a >= 0,  M_aa z_a + q_a = 0,   w_b = M_ba z_a + q_b >= 0
//
// A regular basis holds at most one answer. A singular one holds a polytope of them: it is asked for a point by the first
// phase of the simplex method, and asked once more whether that point can be left. The two questions settle, up to
// rounding, every basis; those too close to call are counted and never passed over in silence.
#pragma once

#include <vector>

#include "lcp/workspace.hpp"

namespace mc {

// What a basis holds.
enum class BasisKind : Int { NOTHING = 0, POINT = 1, CONTINUUM = 2, UNDECIDED = 3 };

// The answers in order of their bases, `n` entries of `z` and `bases` for each.
struct AllBases {
    std::vector<double> z;
    std::vector<char> bases;
    std::vector<Int> kinds;
    std::vector<double> residuals;
    Int tried = 0, undecided = 0;
};

// Look at all 2^n bases, or up to the first answer; more than `most` answers are counted in `undecided` instead of kept.
AllBases all_bases(const Lcp& problem, bool first, Int most);

}  // namespace mc
