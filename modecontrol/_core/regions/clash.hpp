// The one rule of what is ambiguous. Two modes are compared by their motions, never by the dimensions of their torque sets.
//
// Mode c' clashes with mode c when some inputs that both explain let c' move the mechanism as c cannot:
//
//     exists  tau in T_c,  (tau, w') in D_c'  :   y'(tau, w') not in Y_c(tau)
//
// Then every common input is called ambiguous: motions are affine, so that they differ at almost all of them, and next to the rest.
// Neighbours that give the same motion on their common border do not clash, unless c' is all but singular (`is_steep`). What c' shows is compared row by row with `Y_c`: its
// distance from the motions that `w` opens in c, and the rows of `E_c`; each is one linear program over the common inputs and w'.
#pragma once

#include "regions/motion.hpp"

namespace mc {

// Of a mode c' to a mode c: no common inputs; the same motions; other motions; not decided.
enum class Relation : std::int8_t { APART = 0, SAME = 1, CLASH = 2, UNKNOWN = 3 };

// What a torque set is compared with: `T tau <= t`, `H tau = h`.
struct TorqueRows {
    ConstMat T;
    ConstVec t;
    ConstMat H;
    ConstVec h;
};
inline TorqueRows torques(const PackedMode& mode) { return {mode.T, mode.t, mode.H, mode.h}; }

// How c' (`its`) stands to c (`mine`, with the torque set `own`). Work is counted by `patience` (may be null); when it ends the answer is UNKNOWN.
Relation relation(const MotionFrame& frame, const MotionSet& mine, const TorqueRows& own, const PackedMode& its, Patience* patience);

// SAME when `T_c'` lies within `T_c`, so that c' can take over only where c is possible too; else CLASH or UNKNOWN.
Relation within_torques(const MotionFrame& frame, const TorqueRows& own, const TorqueRows& its, Patience* patience);

}  // namespace mc
