// What the ambiguity variables `w` of a mode do to goal and task at chosen inputs.
//
// The task has to hold for every `w`: inputs at which some `w` misses a row are the projection of the part of `D_c` that misses it.
// Of a goal that depends on `w` the least value counts. As a function of the inputs it is the greatest of finitely many affine
// functions, one for each vertex of the dual program; the inputs at which one of them is the least value are again a projection:
// of the face of `D_c` on which the rows with positive multipliers hold with equality.
#pragma once

#include "polytopes/projection.hpp"
#include "regions/motion.hpp"
#include "thrust/pieces.hpp"

namespace mc {

// Natural size of a function of `(tau, w)`: its largest term when inputs and `w` are one natural unit each.
double natural_size(const MotionFrame& frame, const Linear& value);

// Inputs at which `wish >= 0` is missed for some `w`, border included, or with `beyond` missed by at least that much.
Projection missing_inputs(const MotionFrame& frame, const PackedMode& mode, const Linear& wish, double beyond, Patience* patience);

// One affine piece of the least value over `w`, and the inputs for which it is that.
struct LeastValue {
    Linear value;             // of the inputs alone
    std::vector<bool> held;   // rows of the mode with positive multipliers
    Projection inputs;

    void find_inputs(const MotionFrame& frame, const PackedMode& mode, Patience* patience);
};

// The piece, without its inputs, where `programs` has just found the least `value` over `w`.
LeastValue least_value(const MotionFrame& frame, const PackedMode& mode, const Linear& value, const PiecePrograms& programs);

}  // namespace mc
