// A packed response as Python gives it, with the frame in which its motions are compared; for the bindings of this room and of `thrust`.
#pragma once

#include "binding.hpp"
#include "regions/motion.hpp"

namespace mc::py {

struct GivenResponse {
    Given<Int, 2> shape;
    Given<double, 1> numbers;
    Given<Int, 1> start;
    Int unknowns, inputs;
    MotionFrame frame;

    PackedView view() const { return {table(shape), py::view(numbers), py::view(start), unknowns, inputs}; }
};

// `packed` begins with (shape, numbers, number_start); `frame` is (mass, units, size, forces, inputs, asked).
GivenResponse given_response(nb::tuple packed, nb::tuple frame);

}  // namespace mc::py
