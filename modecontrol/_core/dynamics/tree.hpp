// Recursions over the tree: placement, velocity, composite-rigid-body mass matrix, bias force, torque limits.
//
// All vectors are in world axes. Spatial vectors are planar, about the origin of the node they belong to: moved to the parent,
// a wrench only gains the moment `d x f`, so composite inertias add after a shift, and no digits are lost at the end of a
// long chain. Positions are kept from the *anchor* of the tree, the origin of its root body, which travels with it, so that
// none are lost either when the mechanism is far from the origin of the world.
//
// In the plane `omega` is a plain sum of joint velocities, so the angular acceleration at zero `qdd` is zero and the bias
// accelerations are linear only.
#pragma once

#include "dynamics/mechanism.hpp"
#include "owned.hpp"

namespace mc {

// Where a node is.
struct Pose {
    double x, y;            // origin, world
    double rx, ry;          // origin from the anchor
    double c, s, theta;     // cosine and sine of its angle
    double ux, uy;          // slide direction, world; zero for a turn
};

// (angular, linear): a velocity, or an acceleration without its part at zero qdd.
struct Twist {
    double omega, vx, vy;
};

// How a node moves: velocity of its origin, and its acceleration at zero `qdd`, without gravity.
struct Motion : Twist {
    double ax, ay;
};

// A force with its moment.
struct Wrench {
    double moment, fx, fy;
};

// Mass, first moments and second moment about the origin.
struct RigidInertia {
    double mass, hx, hy, second;
};

// A vector of the node's frame, in world axes.
inline Point turned(const Pose& pose, const Point& p) { return {pose.c * p.x - pose.s * p.y, pose.s * p.x + pose.c * p.y}; }

// From the origin of the parent to that of a node.
inline Point from_parent(const Pose& parent, const Pose& at) { return {at.rx - parent.rx, at.ry - parent.ry}; }

// Add a wrench about a point that lies `d` away.
inline void add_shifted(Wrench& sum, const Wrench& f, const Point& d) {
    sum.moment += f.moment + d.x * f.fy - d.y * f.fx;
    sum.fx += f.fx;
    sum.fy += f.fy;
}

// Joint direction times a wrench: the generalised force.
inline double along_joint(const TreeNode& node, const Pose& pose, const Wrench& w) {
    return node.turns ? w.moment : pose.ux * w.fx + pose.uy * w.fy;
}

// Pose of one node at its coordinate, once its parent has been placed.
void place_node(const Mechanism& mechanism, Int i, double q, View<Pose> pose);

// Poses at `q`.
void place(const Mechanism& mechanism, ConstVec q, View<Pose> pose);

// Motions at velocity `v`. With `d` from the parent's origin to this one: `v_o = v_p + w_p perp(d) + u qd`,
// `a_o = a_p - w_p^2 d + 2 w_p perp(u) qd` at zero `qdd` (`u` = slide direction, absent for a turn).
void move(const Mechanism& mechanism, View<const Pose> pose, ConstVec v, View<Motion> motion);

// Inertia of a node's own body about its origin.
RigidInertia inertia_of(const TreeNode& node, const Pose& pose);

// `M_ij = s_j . (I_i^c s_i)`, j an ancestor of i (Walker and Orin); `composite` is work space. `M` must hold zeros where nodes
// are on different branches; those entries are not written.
void mass_matrix(const Mechanism& mechanism, View<const Pose> pose, View<RigidInertia> composite, Mat M);

// `b = C v + g + K (q - rest) + D v` less springs, pushes and drag, by Newton and Euler; `force` is work space. The force that keeps each centre
// of mass on its path at zero `qdd` is `m (a_c - gravity)`; wrenches are summed tips to base.
void bias_force(const Mechanism& mechanism, const StateView& at, View<const Pose> pose, View<const Motion> motion,
                View<Wrench> force, Vec b);

// Fill `limits` (t, 2): the box within `|tau| <= stall (1 - |v| / no_load)`, never below zero.
void torque_box(const Mechanism& mechanism, ConstVec v, Mat limits);

}  // namespace mc
