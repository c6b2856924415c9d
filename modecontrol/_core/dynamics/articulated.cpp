#include "dynamics/articulated.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

ArticulatedInertia own_inertia(const TreeNode& node, const Pose& pose) {
    const RigidInertia rigid = inertia_of(node, pose);
    return {rigid.second, -rigid.hy, rigid.hx, rigid.mass, 0.0, rigid.mass, rigid};
}

void add(const Braking& b, ArticulatedInertia& A) {
    A.a00 += b.a00;
    A.a01 += b.a01;
    A.a02 += b.a02;
    A.a11 += b.a11;
    A.a12 += b.a12;
    A.a22 += b.a22;
}

// What a node shows its parent, `d` from the parent's origin: shift(A - U U^T / D).
void add_to_parent(const ArticulatedInertia& own, const JointFactor& f, double dx, double dy, ArticulatedInertia& parent) {
    const double u0 = f.U.moment, u1 = f.U.fx, u2 = f.U.fy;
    const double k0 = u0 / f.D, k1 = u1 / f.D, k2 = u2 / f.D;
    const double a00 = own.a00 - u0 * k0, a01 = own.a01 - u0 * k1, a02 = own.a02 - u0 * k2;
    const double a11 = own.a11 - u1 * k1, a12 = own.a12 - u1 * k2, a22 = own.a22 - u2 * k2;
    const double b01 = a01 - dy * a11 + dx * a12, b02 = a02 - dy * a12 + dx * a22;
    parent.a00 += a00 - dy * a01 + dx * a02 - dy * b01 + dx * b02;
    parent.a01 += b01;
    parent.a02 += b02;
    parent.a11 += a11;
    parent.a12 += a12;
    parent.a22 += a22;
    const RigidInertia& r = own.rigid;
    parent.rigid.mass += r.mass;
    parent.rigid.hx += r.hx + r.mass * dx;
    parent.rigid.hy += r.hy + r.mass * dy;
    parent.rigid.second += r.second + 2.0 * (dx * r.hx + dy * r.hy) + r.mass * (dx * dx + dy * dy);
}

}  // namespace

Int ArticulatedBodies::factor(const Mechanism& mechanism, ConstVec added, View<const Braking> braking) {
    const Int n = mechanism.size();
    for (Int i = 0; i < n; ++i) inertia[i] = own_inertia(mechanism.nodes[i], pose[i]);
    for (Int i = 0; i < braking.size; ++i) add(braking[i], inertia[i]);
    for (Int i = n - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const ArticulatedInertia& A = inertia[i];
        JointFactor& f = factors[i];
        double d, rigid;
        if (node.turns) {
            f.U = {A.a00, A.a01, A.a02};
            d = A.a00;
            rigid = A.rigid.second;
        } else {
            const double ux = pose[i].ux, uy = pose[i].uy;
            f.U = {A.a01 * ux + A.a02 * uy, A.a11 * ux + A.a12 * uy, A.a12 * ux + A.a22 * uy};
            d = ux * f.U.fx + uy * f.U.fy;
            rigid = A.rigid.mass;
        }
        f.D = d + node.armature + added[i];
        if (!(f.D > tolerances::SINGULAR * (rigid + node.armature + added[i]))) return i;
        if (node.parent >= 0)
            add_to_parent(A, f, pose[i].rx - pose[node.parent].rx, pose[i].ry - pose[node.parent].ry, inertia[node.parent]);
    }
    return -1;
}

void ArticulatedBodies::solve(const Mechanism& mechanism, ConstVec r, Vec x) {
    const Int n = r.size;
    for (Int i = n - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const JointFactor& k = factors[i];
        Wrench f = force[i];
        double u = r[i] + along_joint(node, pose[i], f);
        x[i] = u;
        if (node.parent < 0) continue;
        u /= k.D;
        f.moment -= k.U.moment * u;
        f.fx -= k.U.fx * u;
        f.fy -= k.U.fy * u;
        add_shifted(force[node.parent], f, from_parent(pose[node.parent], pose[i]));
    }
    for (Int i = 0; i < n; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        const JointFactor& k = factors[i];
        Twist a{0.0, 0.0, 0.0};
        if (node.parent >= 0) {
            const Twist& p = accel[node.parent];
            const auto [dx, dy] = from_parent(pose[node.parent], pose[i]);
            a = {p.omega, p.vx - p.omega * dy, p.vy + p.omega * dx};
        }
        const double value = (x[i] - k.U.moment * a.omega - k.U.fx * a.vx - k.U.fy * a.vy) / k.D;
        x[i] = value;
        if (node.turns) {
            a.omega += value;
        } else {
            a.vx += pose[i].ux * value;
            a.vy += pose[i].uy * value;
        }
        accel[i] = a;
    }
}

void ArticulatedBodies::solve_alone(const Mechanism& mechanism, ConstVec r, Vec x) {
    force.fill({0.0, 0.0, 0.0});
    solve(mechanism, r, x);
}

Int ArticulatedBodies::accelerations(const Mechanism& mechanism, const StateView& at, ConstVec tau, ConstVec added, Vec qdd) {
    place(mechanism, at.q, pose);
    move(mechanism, pose, at.v, motion);
    bias_force(mechanism, at, pose, motion, force, bias);
    const Int bad = factor(mechanism, added);
    if (bad >= 0) return bad;
    for (Int i = 0; i < at.q.size; ++i) bias[i] = tau[i] - bias[i];
    solve_alone(mechanism, bias, qdd);
    return -1;
}

Int solve_many(const Mechanism& mechanism, ConstVec q, ConstVec added, ConstMat R, Mat X) {
    ArticulatedBodies bodies(mechanism.size());
    place(mechanism, q, bodies.pose);
    const Int bad = bodies.factor(mechanism, added);
    for (Int k = 0; bad < 0 && k < R.rows; ++k) bodies.solve_alone(mechanism, R.row(k), X.row(k));
    return bad;
}

}  // namespace mc
