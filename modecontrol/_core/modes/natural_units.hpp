// Natural units of a snapshot: what makes mass, contacts and inputs comparable, whatever the user's units.
#pragma once

#include "owned.hpp"

namespace mc {

// `M qdd + b = S tau + J'f + G'lam`, contact accelerations `J qdd + d`, loops `G qdd + e = 0`.
struct Dynamics {
    ConstMat M;
    ConstVec b;
    ConstMat S, J;
    ConstVec d;
    ConstMat G;
    ConstVec e;
};

// Sizes of `(qdd, f, lam, tau)`: a scaled unknown of one stands for this much.
struct Units {
    Array<double> coordinate, force, lam, tau;
    double spread = 1.0;    // how many times more easily than another a contact or a loop moves one mass at most (root of the mass ratio)
    Array<double> scratch;
    Array<Int> order;
};

// With `s` the sizes of the coordinates, `s M s` has a unit diagonal; contact rows `J s` (both rows of a contact
// by the same factor, so that friction cones keep their slope) and loop rows have largest entry one. A massless
// coordinate is sized so that the contacts see it as strongly as they see the massive ones; so is one whose mass is so
// small (rounding, say) that it would drown the others. Units that have the right sizes already are filled without an
// allocation.
void natural_units(const Dynamics& at, Units& units);

}  // namespace mc
