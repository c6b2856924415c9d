#include "timestepping/articulated_response.hpp"

#include "tolerances.hpp"

namespace mc {

void ImplicitTerms::brake(const Mechanism& mechanism, const ArticulatedBodies& bodies, double growth, double h) {
    if (mechanism.drags.empty()) return;
    fit(room_, added.size);
    brakings(mechanism, bodies.pose, bodies.motion, growth, h, room_);
    braking = room_;
}

namespace {

// `r += 2 sum_i J_i^T (h B_i / 2) (change of the motion of node i)`: drag in the middle of a step, at the velocity of its start.
void unbrake(const StepMoment& at, View<const Braking> braking, Vec r) {
    const Mechanism& mechanism = at.scene.mechanism;
    const View<Pose> pose = at.bodies.pose;
    const View<Wrench> force = at.bodies.force;
    for (Int i = 0; i < r.size; ++i) at.bodies.bias[i] = at.middle.v[i] - at.state.v[i];
    move(mechanism, pose, at.bodies.bias, at.bodies.motion);
    for (Int i = 0; i < r.size; ++i) force[i] = braked(braking[i], at.bodies.motion[i]);
    for (Int i = r.size - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const Wrench f = force[i];
        r[i] += 2.0 * along_joint(node, pose[i], f);
        if (node.parent >= 0) add_shifted(force[node.parent], f, from_parent(pose[node.parent], pose[i]));
    }
}

}  // namespace

void known_impulse(const StepMoment& at, ImplicitTerms& implicit, Vec r) {
    const Mechanism& mechanism = at.scene.mechanism;
    const View<double> added = implicit.added;
    const double h = at.h;
    implicit.let_go();
    if (h > 0.0 && at.middle.q.size > 0) {
        const StateView& m = at.middle;
        bias_force(mechanism, m, at.bodies.pose, at.bodies.motion, at.bodies.force, at.bodies.bias);
        for (Int i = 0; i < r.size; ++i) {
            const TreeNode& node = mechanism.nodes[i];
            const double q = m.q[i] - at.state.q[i] - 0.5 * h * at.state.v[i], v = m.v[i] - at.state.v[i];
            added[i] = 0.5 * h * (node.damping + 0.5 * h * node.stiffness);
            r[i] = h * (at.state.tau[i] - at.bodies.bias[i] + node.stiffness * q + node.damping * v);
        }
        implicit.brake(mechanism, at.bodies, 2.0, 0.5 * h);
        if (implicit.braking.size > 0) unbrake(at, implicit.braking, r);
        move(mechanism, at.bodies.pose, at.state.v, at.bodies.motion);
        return;
    }
    if (h > 0.0) {
        bias_force(mechanism, {at.state.q, at.state.v}, at.bodies.pose, at.bodies.motion, at.bodies.force, at.bodies.bias);
        implicit.brake(mechanism, at.bodies, 1.0, h);
    }
    for (Int i = 0; i < r.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        added[i] = h * (node.damping + h * node.stiffness);
        r[i] = h > 0.0 ? h * (at.state.tau[i] - at.bodies.bias[i] - h * node.stiffness * at.state.v[i]) : 0.0;
    }
}

Int ArticulatedResponse::free_motion(const StepMoment& at) {
    known_impulse(at, implicit_, r_);
    const Int bad = at.bodies.factor(at.scene.mechanism, implicit_.added, implicit_.braking);
    if (bad >= 0) return bad;
    const Int pushed = at.decompression ? at.rows.size() : 0;
    solve_impulse(at.scene.mechanism, r_, at.rows.row.part(0, pushed), at.rows.push, at.bodies, x_);
    for (Int i = 0; i < x_.size; ++i) v_free_[i] = at.state.v[i] + x_[i];
    return -1;
}

void ArticulatedResponse::condense(const StepMoment& at, Vec u, Mat L) {
    const View<const ForceRow> rows = at.rows.all();
    for (Int i = 0; i < rows.size; ++i) u[i] = row_velocity(rows[i], at.bodies.motion, View<const Twist>(at.bodies.accel));
    compliance_.fill(at.scene.mechanism, at.bodies, rows, L);
}

void ArticulatedResponse::rounding(const StepMoment& at, Vec bilateral) const {
    for (Int i = 0; i < bilateral.size; ++i) bilateral[i] = tolerances::PINNED * compliance_.ends(at.rows.row[i]);
}

void ArticulatedResponse::apply(const StepMoment& at, ConstVec p, Vec v_plus) {
    bool loaded = false;
    for (Int i = 0; i < at.rows.size(); ++i) loaded = loaded || p[i] != 0.0;
    for (Int i = 0; i < v_plus.size; ++i) v_plus[i] = v_free_[i];
    if (!loaded) return;
    r_.fill(0.0);
    solve_impulse(at.scene.mechanism, r_, at.rows.all(), p, at.bodies, x_);
    for (Int i = 0; i < v_plus.size; ++i) v_plus[i] += x_[i];
}

}  // namespace mc
