// Energies of a mechanism, at one state or along a trajectory.
#pragma once

#include "dynamics/tree.hpp"

namespace mc {

// Kinetic energy, potential energy of gravity (zero at the world's origin) and of the joint springs.
struct Energies {
    double kinetic, weight, spring;
};

// Kinetic energy at velocity `v`; fills `motion`.
double kinetic_energy(const Mechanism& mechanism, View<const Pose> pose, ConstVec v, View<Motion> motion);

// Fills `pose` and `motion`.
Energies energies(const Mechanism& mechanism, const StateView& at, View<Pose> pose, View<Motion> motion);

// Gap of every contact (T, k) at the configurations `q` (T, n), on several threads.
void gaps_along(const Mechanism& mechanism, ConstMat q, Mat found, Int threads);

// Kinetic, weight, spring (T, 3) at the states `q`, `v` (T, n), on several threads.
void energies_along(const Mechanism& mechanism, ConstMat q, ConstMat v, Mat found, Int threads);

}  // namespace mc
