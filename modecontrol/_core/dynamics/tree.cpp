#include "dynamics/tree.hpp"

#include "dynamics/applied_forces.hpp"

namespace mc {

void place_node(const Mechanism& mechanism, Int i, double q, View<Pose> pose) {
    const TreeNode& node = mechanism.nodes[i];
    Pose at{0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
    if (node.parent >= 0) at = pose[node.parent];
    Point d = turned(at, node.at);
    double turn = node.angle;
    if (node.turns) turn += q;
    if (turn != 0.0) {
        at.theta += turn;
        at.c = std::cos(at.theta);
        at.s = std::sin(at.theta);
    }
    at.ux = at.uy = 0.0;
    if (!node.turns) {
        const Point u = turned(at, node.direction);
        at.ux = u.x;
        at.uy = u.y;
        d.x += u.x * q;
        d.y += u.y * q;
    }
    at.x += d.x;
    at.y += d.y;
    at.rx += d.x;
    at.ry += d.y;
    if (node.anchor >= i) at.rx = at.ry = 0.0;  // the anchor itself, and the slides of a planar root before it
    pose[i] = at;
}

void place(const Mechanism& mechanism, ConstVec q, View<Pose> pose) {
    for (Int i = 0; i < q.size; ++i) place_node(mechanism, i, q[i], pose);
}

void move(const Mechanism& mechanism, View<const Pose> pose, ConstVec v, View<Motion> motion) {
    for (Int i = 0; i < v.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        double w = 0.0, vx = 0.0, vy = 0.0, ax = 0.0, ay = 0.0;
        if (node.parent >= 0) {
            const Motion& p = motion[node.parent];
            const auto [dx, dy] = from_parent(pose[node.parent], pose[i]);
            w = p.omega;
            vx = p.vx - w * dy;
            vy = p.vy + w * dx;
            ax = p.ax - w * w * dx;
            ay = p.ay - w * w * dy;
        }
        if (node.turns) {
            w += v[i];
        } else {
            const double ux = pose[i].ux * v[i], uy = pose[i].uy * v[i];
            vx += ux;
            vy += uy;
            ax -= 2.0 * w * uy;
            ay += 2.0 * w * ux;
        }
        Motion& here = motion[i];
        here.omega = w;
        here.vx = vx;
        here.vy = vy;
        here.ax = ax;
        here.ay = ay;
    }
}

RigidInertia inertia_of(const TreeNode& node, const Pose& pose) {
    const double m = node.mass;
    const Point c = turned(pose, node.com);
    return {m, m * c.x, m * c.y, node.inertia + m * (c.x * c.x + c.y * c.y)};
}

void mass_matrix(const Mechanism& mechanism, View<const Pose> pose, View<RigidInertia> composite, Mat M) {
    const Int n = pose.size;
    for (Int i = 0; i < n; ++i) composite[i] = inertia_of(mechanism.nodes[i], pose[i]);
    for (Int i = n - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const RigidInertia own = composite[i];
        if (node.parent >= 0) {
            const auto [dx, dy] = from_parent(pose[node.parent], pose[i]);
            RigidInertia& below = composite[node.parent];
            below.mass += own.mass;
            below.hx += own.hx + own.mass * dx;
            below.hy += own.hy + own.mass * dy;
            below.second += own.second + 2.0 * (dx * own.hx + dy * own.hy) + own.mass * (dx * dx + dy * dy);
        }
        Wrench w;  // I_i^c s_i
        if (node.turns) {
            w = {own.second, -own.hy, own.hx};
        } else {
            const double ux = pose[i].ux, uy = pose[i].uy;
            w = {own.hx * uy - own.hy * ux, own.mass * ux, own.mass * uy};
        }
        double x = pose[i].rx, y = pose[i].ry;
        for (Int j = i; j >= 0; j = mechanism.nodes[j].parent) {
            w.moment += (x - pose[j].rx) * w.fy - (y - pose[j].ry) * w.fx;
            x = pose[j].rx;
            y = pose[j].ry;
            M(i, j) = M(j, i) = along_joint(mechanism.nodes[j], pose[j], w);
        }
        M(i, i) += node.armature;
    }
}

void bias_force(const Mechanism& mechanism, const StateView& at, View<const Pose> pose, View<const Motion> motion,
                View<Wrench> force, Vec b) {
    const Int n = at.q.size;
    for (Int i = 0; i < n; ++i) {
        const double m = mechanism.nodes[i].mass, w2 = motion[i].omega * motion[i].omega;
        const Point c = turned(pose[i], mechanism.nodes[i].com);
        const double fx = m * (motion[i].ax - w2 * c.x - mechanism.gravity.x);
        const double fy = m * (motion[i].ay - w2 * c.y - mechanism.gravity.y);
        force[i] = {c.x * fy - c.y * fx, fx, fy};
    }
    if (mechanism.has_applied_forces()) take_applied_forces(mechanism, pose, motion, force);
    for (Int i = n - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const Wrench f = force[i];
        if (node.parent >= 0) {
            add_shifted(force[node.parent], f, from_parent(pose[node.parent], pose[i]));
        }
        b[i] = along_joint(node, pose[i], f) + node.stiffness * (at.q[i] - node.rest) + node.damping * at.v[i];
    }
}

void torque_box(const Mechanism& mechanism, ConstVec v, Mat limits) {
    for (Int i = 0; i < limits.rows; ++i) {
        const InputLimits& input = mechanism.inputs[i];
        limits(i, 0) = input.lower;
        limits(i, 1) = input.upper;
        if (input.stall < INF) {
            const double line = larger(0.0, input.stall * (1.0 - std::abs(v[input.coordinate]) / input.no_load));
            for (Int side = 0; side < 2; ++side) limits(i, side) = smaller(larger(limits(i, side), -line), line);
        }
    }
}

}  // namespace mc
