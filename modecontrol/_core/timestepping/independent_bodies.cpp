#include "timestepping/independent_bodies.hpp"

namespace mc {

// `V_free` of every body before joint forces, and the inverse masses; -1, or a body without mass or inertia.
Int IndependentBodies::free_bodies(const StepMoment& at) {
    const Point gravity = at.scene.mechanism.gravity;
    const double h = at.h;
    for (Int i = 0; i < body_.size; ++i) {
        if (!rows_.is_body(i)) continue;
        const TreeNode& node = at.scene.mechanism.nodes[i];
        if (!(node.mass > 0.0 && node.inertia > 0.0)) return i;
        const Point& c = rows_.com(i);
        const Motion& m = at.bodies.motion[i];
        const double w = m.omega;
        body_[i] = {1.0 / node.inertia, 1.0 / node.mass,
                    {w, m.vx - w * c.y + h * (gravity.x - m.ax + w * w * c.x),
                     m.vy + w * c.x + h * (gravity.y - m.ay + w * w * c.y)}};
    }
    return -1;
}

// Forces of the inputs over `h`, on the bodies at both ends of each joint.
void IndependentBodies::add_joint_forces(const StepMoment& at) {
    for (Int k = 0; k < body_.size; ++k) {
        if (at.state.tau[k] == 0.0) continue;
        for (Int side = 0; side < 2; ++side) {
            const Int i = side == 0 ? rows_.owner(k).body : rows_.owner(k).below;
            if (i < 0) continue;
            const Wrench unit = rows_.joint_force(at, k, i);
            const double f = (1.0 - 2.0 * side) * at.h * at.state.tau[k];
            body_[i].V.omega += f * unit.moment * body_[i].by_inertia;
            body_[i].V.vx += f * unit.fx * body_[i].by_mass;
            body_[i].V.vy += f * unit.fy * body_[i].by_mass;
        }
    }
}

// `V += M^-1 row^T p`.
void IndependentBodies::add_impulse(const ForceRow& row, double p) {
    for (Int side = 0; side < 2; ++side) {
        const Int i = row.node[side];
        if (i < 0) continue;
        Body& body = body_[i];
        body.V.omega += p * body.by_inertia * row.force[side].moment;
        body.V.vx += p * body.by_mass * row.force[side].fx;
        body.V.vy += p * body.by_mass * row.force[side].fy;
    }
}

Int IndependentBodies::free_motion(const StepMoment& at) {
    rows_.place(at);
    const Int bad = free_bodies(at);
    if (bad >= 0) return bad;
    if (at.h > 0.0) add_joint_forces(at);
    rows_.write(at);
    for (Int r = 0; at.decompression && r < at.rows.size(); ++r) add_impulse(rows_.row(hinges() + r), at.rows.push[r]);
    return -1;
}

void IndependentBodies::condense(const StepMoment& at, Vec u, Mat L) {
    const auto product = [this](const ForceRow& r, const ForceRow& s) {
        double value = 0.0;
        for (Int a = 0; a < 2; ++a)
            for (Int b = 0; b < 2; ++b) {
                const Int i = r.node[a];
                if (i < 0 || s.node[b] != i) continue;
                const Wrench &f = r.force[a], &g = s.force[b];
                value += f.moment * body_[i].by_inertia * g.moment;
                value += f.fx * body_[i].by_mass * g.fx;
                value += f.fy * body_[i].by_mass * g.fy;
            }
        return value;
    };
    const Int R = hinges() + at.rows.size();
    for (Int r = 0; r < R; ++r) {
        double value = 0.0;
        for (Int side = 0; side < 2; ++side) {
            const Int i = rows_.row(r).node[side];
            if (i < 0) continue;
            const Wrench& f = rows_.row(r).force[side];
            value += f.moment * body_[i].V.omega;
            value += f.fx * body_[i].V.vx;
            value += f.fy * body_[i].V.vy;
        }
        u[r] = value;
        for (Int s = 0; s <= r; ++s) L(r, s) = L(s, r) = product(rows_.row(r), rows_.row(s));
    }
}

// Joint velocities are read off the bodies' velocities.
void IndependentBodies::apply(const StepMoment& at, ConstVec p, Vec v_plus) {
    for (Int r = 0; r < hinges() + at.rows.size(); ++r)
        if (p[r] != 0.0) add_impulse(rows_.row(r), p[r]);
    for (Int k = 0; k < v_plus.size; ++k) {
        double value = 0.0;
        for (Int side = 0; side < 2; ++side) {
            const Int i = side == 0 ? rows_.owner(k).body : rows_.owner(k).below;
            if (i < 0) continue;
            const Wrench unit = rows_.joint_force(at, k, i);
            const Twist& V = body_[i].V;
            value += (1.0 - 2.0 * side) * (unit.moment * V.omega + unit.fx * V.vx + unit.fy * V.vy);
        }
        v_plus[k] = value;
    }
}

}  // namespace mc
