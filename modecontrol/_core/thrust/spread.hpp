// Disturbances among the unknowns: coordinates behind the accelerations that no equation of their own holds, bounded by physical rows.
//
//     e_j = level_vj + slope_vj abs(tau_i),     i = input_j,     at vertex v of their set
//
// A relative error `e_j` of input `i` has two physical rows, `tau_i + e_j >= 0` and `tau_i - e_j >= 0`, as given for a positive input;
// with a negative one both change their sign.
#pragma once

#include "modes/mode_rows.hpp"

namespace mc {

struct Spread {
    Int first = 0;                // coordinate of the first disturbance
    ConstMat level, slope;        // (vertices, disturbances), in the user's units
    View<const Int> input;        // of a relative error; -1: none
    Int pairs = 0;                // physical row of the first pair

    Int count() const { return input.size; }
    Int vertices() const { return level.rows; }

    // Disturbance `j` less its value at a vertex, for inputs of these signs: it vanishes there.
    Quantity off(const Root& root, Int v, Int j, View<const double> sign) const {
        const double unit = root.units[first + j];
        const Int row = first + j, i = input[j];
        const double constant = -level(v, j) / (unit * root.size);
        if (i < 0) return {row, row, 1.0, 0.0, constant};
        return {row, root.layout.tau + i, 1.0, -slope(v, j) * sign[i] * root.units[root.layout.tau + i] / unit, constant};
    }
};

}  // namespace mc
