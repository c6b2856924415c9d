// What the flip's controllers know of RHex: the rigid state behind a measured one; see modecontrol/trials/rhex/observer.py.
#pragma once

#include <cstdint>

#include "dynamics/mechanism.hpp"

namespace mc {

struct RHexGeometry {
    static constexpr Int COORDINATES = 6, CONTACTS = 4, LEGS = 3;

    double d = 0.0, h = 0.0, leg = 0.0, reach = 0.0;  // reach: highest hip, in leg lengths
    double hips[LEGS] = {0.0, 0.0, 0.0};
};

// Rear corner on the ground, every leg that can reach it closed; `told` says which contacts are (1) and which are not (0).
void observe_rhex(const RHexGeometry& robot, const StateView& measured, Vec q, Vec v, View<std::int8_t> told);

}  // namespace mc
