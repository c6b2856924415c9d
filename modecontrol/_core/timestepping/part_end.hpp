// How a smooth part of a step ends: at its full length or at the first impact, and what the way there does to the energies.
#pragma once

#include "timestepping/first_impact.hpp"
#include "timestepping/part_solver.hpp"

namespace mc {

class PartEnd {
public:
    explicit PartEnd(Int n) : trial(n), v(n), motion(n) {}

    // Go to the end of the part that was solved, or to the first impact if impacts are located: the fraction of its length that
    // has gone by. Only `trial` and `v` move.
    double find(const Scene& scene, const StepState& state, PartSolver& solved, bool locate);

    // What the way there does to the energies; fills `motion` and `level`.
    EnergyEntry entry(const Scene& scene, const StepState& state, const PartSolver& solved, double part);

    // Rounding of an entry: of its energies, and of what its impulses over a time `h` cancel (a body that is pressed and rests).
    static double rounding(const Scene& scene, const EnergyEntry& made, const ContactRows& rows, View<const Pose> pose, double h);

    Trial trial;
    Array<double> v;
    Array<Motion> motion;
    double way = 0.0;               // most that a point has moved on the way there
    EnergyLevels level;             // at the end, without compliant contacts
};

}  // namespace mc
