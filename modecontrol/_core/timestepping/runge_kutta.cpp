#include "timestepping/runge_kutta.hpp"

#include "dynamics/closures.hpp"
#include "dynamics/features.hpp"

#include "tolerances.hpp"

namespace mc {

RungeKutta::RungeKutta(Int n, Int pin_rows)
    : q_(n), v_(n), sum_q_(n), sum_v_(n), qdd_(n), r_(n), x_(n), none_(n), G_(pin_rows, n), L_(pin_rows, pin_rows),
      drift_(pin_rows), opening_(pin_rows), u_(pin_rows), target_(pin_rows), rounding_(pin_rows),
      pins_(pin_rows, 0), compliance_(n, pin_rows) {}

void RungeKutta::add_drift(const Mechanism& mechanism, const ArticulatedBodies& bodies, double h, NearContacts& near) {
    for (Int i = 0; i < near.count; ++i) {
        Contact room;
        if (mechanism.contacts[near.contact[i]].rolls()) continue;
        const Contact& contact = active(mechanism, mechanism.contacts[near.contact[i]], bodies.pose, room);
        if (contact.at_joint()) continue;       // its row does not turn
        const ContactFrame f = contact_frame(mechanism, contact, bodies.pose);
        const Motion u = relative_motion(contact, f, bodies.pose, bodies.motion);
        const double slide = f.tx * u.vx + f.ty * u.vy;
        near.offset[i] += h * (f.tx * u.ay - f.ty * u.ax + slide * slide / f.distance - coriolis(contact, bodies.motion, slide));
    }
}

// `M qdd + b = S tau + J^T f + G^T lam` at a stage; -1, or the coordinate that moves nothing that has mass.
Int RungeKutta::acceleration(const Scene& scene, const Way& way, ContactRows& rows, ArticulatedBodies& bodies) {
    const Mechanism& mechanism = scene.mechanism;
    place(mechanism, q_, bodies.pose);
    move(mechanism, bodies.pose, v_, bodies.motion);
    bias_force(mechanism, {q_, v_}, bodies.pose, bodies.motion, bodies.force, bodies.bias);
    const Int bad = bodies.factor(mechanism, none_);
    if (bad >= 0) return bad;
    write_rows(mechanism, bodies.pose, rows);
    for (Int i = 0; i < r_.size; ++i) r_[i] = way.tau[i] - bodies.bias[i];
    for (Int row = 0; row < rows.size(); ++row) rows.push[row] = row >= rows.pins ? rows.p[row] / way.h : 0.0;
    solve_impulse(mechanism, r_, rows.all(), rows.push, bodies, qdd_);
    if (rows.pins > 0) hold_pins(scene, rows, bodies);
    return -1;
}

// Add to `qdd` what the forces in the pins do, and leave these in `rows.p`.
void RungeKutta::hold_pins(const Scene& scene, ContactRows& rows, ArticulatedBodies& bodies) {
    const Mechanism& mechanism = scene.mechanism;
    const double rate = scene.options.correction / scene.options.h;
    all_closure_rows(mechanism, bodies.pose, bodies.motion, {G_, drift_, opening_});
    for (Int row = 0; row < rows.pins; ++row) {
        double value = 0.0, speed = 0.0;
        for (Int i = 0; i < qdd_.size; ++i) {
            value += G_(row, i) * qdd_[i];
            speed += G_(row, i) * v_[i];
        }
        u_[row] = value;
        target_[row] = -drift_[row] - 2.0 * rate * speed - rate * rate * opening_[row];
    }
    const View<const ForceRow> pins = rows.row.part(0, rows.pins);
    compliance_.fill(mechanism, bodies, pins, L_);
    for (Int i = 0; i < pins.size; ++i) rounding_[i] = tolerances::PINNED * compliance_.ends(pins[i]);
    pins_.eliminate(L_, u_, target_, rows.pins, rounding_);
    pins_.impulses(rows.p, rows.pins);
    r_.fill(0.0);
    solve_impulse(mechanism, r_, pins, rows.p, bodies, x_);
    for (Int i = 0; i < qdd_.size; ++i) qdd_[i] += x_[i];
}

Int RungeKutta::step(const Scene& scene, const Way& way, ContactRows& rows, ArticulatedBodies& bodies) {
    const Int n = q_.size;
    const double h = way.h;
    for (Int i = 0; i < n; ++i) {
        q_[i] = way.q[i];
        v_[i] = way.v[i];
        sum_q_[i] = sum_v_[i] = 0.0;
    }
    for (int stage = 0; stage < 4; ++stage) {
        const Int bad = acceleration(scene, way, rows, bodies);
        if (bad >= 0) return bad;
        const double weight = stage == 0 || stage == 3 ? 1.0 : 2.0, ahead = stage < 2 ? 0.5 * h : h;
        for (Int i = 0; i < rows.pins; ++i) way.loop_impulse[i] += h * weight / 6.0 * rows.p[i];
        for (Int i = 0; i < n; ++i) {
            sum_q_[i] += weight * v_[i];
            sum_v_[i] += weight * qdd_[i];
            q_[i] = way.q[i] + ahead * v_[i];
            v_[i] = way.v[i] + ahead * qdd_[i];
        }
    }
    for (Int i = 0; i < n; ++i) {
        way.q[i] += h / 6.0 * sum_q_[i];
        way.v[i] += h / 6.0 * sum_v_[i];
    }
    return -1;
}

}  // namespace mc
