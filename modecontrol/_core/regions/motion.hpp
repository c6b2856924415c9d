// The motions of a mode: what an answer of the rigid model looks like to somebody who watches and feels the mechanism.
//
//     y = (M qdd, f, P qdd)    in natural units
//
// Accelerations count as far as they carry mass (a massless leg in the air may turn as it likes), forces all. Where a value is promised,
// the accelerations that its objective and its task weigh count too, whatever they carry: `P`. At the inputs `tau` a mode c can show
// the motions
//
//     Y_c(tau) = {y0 + Y tau + Q z : (tau, z) in E_c}
//
// where `Q` is an orthonormal basis of the motions that `w` opens, `z` are its coordinates, and `E_c` is the projection of the domain
// `D_c` that leaves out what `w` changes without changing the motion.
#pragma once

#include "modes/affine_set.hpp"
#include "modes/packing.hpp"
#include "polytopes/projection.hpp"

namespace mc {

// What turns answers in true units into motions, and inputs into natural units.
struct MotionFrame {
    // `units` of (qdd, f, lam, tau) and `size` as in `Root`; contacts have two of the `forces` each; `asked` are the rows `P`.
    MotionFrame(ConstMat M, ConstVec units, double size, Int forces, Int inputs, ConstMat asked);

    Grid<double> rows;          // y = rows (qdd, f, lam): one for each coordinate with mass, two for each contact, then those of `asked`
    Array<double> tau_units;    // true inputs of one natural one
    double size;                // true w of one natural one
};

// Of rows that weigh accelerations (more columns are not looked at) those that momenta do not determine: the accelerations that `P` adds
// to a motion. What momenta hardly determine is among them.
Grid<double> beside_mass(ConstMat M, ConstVec units, ConstMat asked);

// Rows on `(tau, w)` in natural units; a row on true `tau` alone, or on more, has as many columns.
Grid<double> natural(const MotionFrame& frame, ConstMat rows);

// `y = constant + U tau + W w` of a mode, `tau` and `w` in natural units; what cancels down to rounding is zero.
struct MotionMap {
    Array<double> constant;
    Grid<double> U, W;
};
MotionMap motion_map(const MotionFrame& frame, const PackedMode& mode);

// Whether inputs that differ by rounding alone make a mode move otherwise, or open another range of `w`: a mode that is all but
// singular.
bool is_steep(const MotionFrame& frame, const PackedMode& mode);

// `Y_c` of one mode.
struct MotionSet {
    MotionSet(const MotionFrame& frame, const PackedMode& mode, Patience* patience = nullptr);

    Status status = OPTIMAL;   // otherwise the projection could not be vouched for, or was too much work
    MotionMap map;
    Grid<double> Q;            // (rows of y, length of z), orthonormal columns
    Grid<double> A, C;         // E_c: A (tau, z) <= b, C (tau, z) = e, tau in natural units
    Array<double> b, e;
};

}  // namespace mc
