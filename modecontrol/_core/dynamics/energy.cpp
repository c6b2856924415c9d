#include "dynamics/energy.hpp"

#include "dynamics/applied_forces.hpp"
#include "dynamics/contacts.hpp"
#include "parallel.hpp"

namespace mc {

namespace {

double kinetic(const TreeNode& node, const Motion& motion, const Point& c) {
    const double w = motion.omega, vx = motion.vx - w * c.y, vy = motion.vy + w * c.x;
    return 0.5 * (node.mass * (vx * vx + vy * vy) + node.inertia * w * w);
}

}  // namespace

double kinetic_energy(const Mechanism& mechanism, View<const Pose> pose, ConstVec v, View<Motion> motion) {
    move(mechanism, pose, v, motion);
    double total = 0.0;
    for (Int i = 0; i < v.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        total += kinetic(node, motion[i], turned(pose[i], node.com)) + 0.5 * node.armature * v[i] * v[i];
    }
    return total;
}

Energies energies(const Mechanism& mechanism, const StateView& at, View<Pose> pose, View<Motion> motion) {
    place(mechanism, at.q, pose);
    move(mechanism, pose, at.v, motion);
    Energies sum{0.0, 0.0, spring_energy(mechanism, pose)};
    for (Int i = 0; i < at.q.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        const Point c = turned(pose[i], node.com);
        sum.kinetic += kinetic(node, motion[i], c) + 0.5 * node.armature * at.v[i] * at.v[i];
        sum.weight -= node.mass * (mechanism.gravity.x * (pose[i].x + c.x) + mechanism.gravity.y * (pose[i].y + c.y));
        const double stretch = at.q[i] - node.rest;
        sum.spring += 0.5 * node.stiffness * stretch * stretch;
    }
    return sum;
}

void gaps_along(const Mechanism& mechanism, ConstMat q, Mat found, Int threads) {
    in_parallel(q.rows, threads, [&] {
        return [&, pose = Array<Pose>(mechanism.size())](Int i) {
            place(mechanism, q.row(i), pose);
            gaps(mechanism, pose, found.row(i));
            return true;
        };
    });
}

void energies_along(const Mechanism& mechanism, ConstMat q, ConstMat v, Mat found, Int threads) {
    in_parallel(q.rows, threads, [&] {
        return [&, pose = Array<Pose>(mechanism.size()), motion = Array<Motion>(mechanism.size())](Int i) {
            const Energies sum = energies(mechanism, {q.row(i), v.row(i)}, pose, motion);
            found(i, 0) = sum.kinetic;
            found(i, 1) = sum.weight;
            found(i, 2) = sum.spring;
            return true;
        };
    });
}

}  // namespace mc
