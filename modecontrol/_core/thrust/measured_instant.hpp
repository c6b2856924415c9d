// From a measured state to the instant that the mode analysis should see.
//
// snapshot -> contacts judged (closed, resting) -> nearest velocity at which they do what they count as -> snapshot again
#pragma once

#include "dynamics/nearest_velocity.hpp"
#include "dynamics/snapshot.hpp"

namespace mc {

// When a measured contact counts as closed, leaving and at rest.
struct ContactThresholds {
    View<const std::int8_t> told;   // of each contact: 1 closed, 0 open, -1 unknown
    ConstVec rest;                  // tangential speed below which a closed contact rests (m/s)
    double gap;                     // an unknown contact within this distance counts as closed (m) ...
    double leaving;                 // ... unless it rises faster than this (m/s)
};

// What each contact counts as, and the velocity at which it does so.
struct JudgedContacts {
    Vec v;
    View<bool> closed;
    Ints slip;                      // sign of the sliding velocity, 0 at rest or open
};

struct MeasuredWorkspace {
    MeasuredWorkspace(Int n, Int k, Int loops) : instant(n), nearest(n, 2 * k + loops), A(2 * k + loops, n), a(2 * k + loops) {}

    InstantWorkspace instant;
    NearestWorkspace nearest;
    Grid<double> A;
    Array<double> a;                // what the rows of `A` shall be, where a surface moves
};

// The instant at a measured state. The motors turn as measured, so the torque box is that of the measured velocity. Gaps come
// out as zero where closed, else as at least 1 m. False if the velocity could not be settled (an indefinite mass matrix).
bool measured_instant(const Mechanism& mechanism, const StateView& at, const ContactThresholds& thresholds,
                      MeasuredWorkspace& work, const InstantArrays& out, const JudgedContacts& judged);

}  // namespace mc
