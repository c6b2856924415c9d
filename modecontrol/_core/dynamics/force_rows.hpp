// Rows of `J` as forces on nodes: what a contact direction or a closure pushes against, without forming `J`.
#pragma once

#include "dynamics/articulated.hpp"
#include "dynamics/contacts.hpp"

namespace mc {

// One direction of a contact, one equation of a closure: unit forces on nodes, each as a wrench about the origin of its node; node
// -1 for none. Two ends do for all but gears, which hold two joints against each other.
struct ForceRow {
    static constexpr Int MOST_ENDS = 4;
    Int ends = 2;
    Int node[MOST_ENDS] = {WORLD, WORLD, WORLD, WORLD};
    Wrench force[MOST_ENDS] = {};
};

// `size` times the velocity of coordinate `k` as a pair of wrenches, on its node and on its parent: the ends `first`, `first + 1`.
void write_joint(const Mechanism& mechanism, View<const Pose> pose, Int k, double size, ForceRow& row, Int first);

// Rows `out[0]` (normal), `out[1]` (tangential) of a contact; one that it does not have has no ends. Returns the gap.
double contact_forces(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<ForceRow> out);

// A unit wrench on a node, given by its force at a point from the anchor and an extra moment, as the end `end` of a row.
void write_end(ForceRow& row, Int end, Int node, View<const Pose> pose, const PlacedPoint& at, const Wrench& w);

// `rate[r] = J x` by virtual power: unit forces times the twists of their nodes. `Twists` is a view of `Motion` for
// velocities (`J v`) or of `Twist`, the accelerations of `ArticulatedBodies::solve` (`J qdd`).
template <class Twists> double row_rate(const ForceRow& row, const Twists& twist) {
    double total = 0.0;
    for (Int side = 0; side < 2; ++side)
        if (row.node[side] >= 0) {
            const Twist& at = twist[row.node[side]];
            const Wrench& f = row.force[side];
            total += f.moment * at.omega + f.fx * at.vx + f.fy * at.vy;
        }
    return total;
}

// Add `p` times the row to the wrenches of the nodes: a column of `J^T p` for `ArticulatedBodies::solve`.
void add_row_force(const ForceRow& row, double p, View<Wrench> force);

}  // namespace mc
