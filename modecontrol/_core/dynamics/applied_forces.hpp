// Springs, dampers and pushes between points of bodies, and the drag of a medium: forces that depend on the state alone.
#pragma once

#include "dynamics/contacts.hpp"
#include "dynamics/tree.hpp"

namespace mc {

// The two points of a spring, their distance and the direction from the other one to this one: none where they meet.
struct SpringLine {
    PlacedPoint here, there;
    double length, x, y;
};
SpringLine spring_line(const Mechanism& mechanism, const Spring& spring, View<const Pose> pose);

// Take the wrenches of springs, pushes and drag off what keeps each node on its path (`force`, about its origin).
void take_applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force);

// Generalised forces of springs, pushes and drag; `force` is work space.
void applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force, Vec Q);

// Energy that the springs hold.
double spring_energy(const Mechanism& mechanism, View<const Pose> pose);

// Whether anything acts whose power `power_from_outside` counts.
inline bool has_power_from_outside(const Mechanism& mechanism) {
    return !mechanism.pushes.empty() || (!mechanism.drags.empty() && (mechanism.wind.x != 0.0 || mechanism.wind.y != 0.0));
}

// Power of the pushes, and of a medium that moves.
double power_from_outside(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion);

}  // namespace mc
