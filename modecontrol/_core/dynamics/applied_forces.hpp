// Springs, dampers and pushes between points of bodies: forces that depend on the state alone.
#pragma once

#include "dynamics/tree.hpp"

namespace mc {

// Take the wrenches of springs and pushes off what keeps each node on its path (`force`, about its origin).
void take_applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force);

// Generalised forces of springs and pushes; `force` is work space.
void applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force, Vec Q);

// Energy that the springs hold.
double spring_energy(const Mechanism& mechanism, View<const Pose> pose);

// Power of the pushes.
double push_power(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion);

}  // namespace mc
