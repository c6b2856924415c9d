#include "timestepping/midpoint.hpp"

#include "tolerances.hpp"

namespace mc {

using tolerances::PACE;

Midpoint::Midpoint(Int n, Int contacts)
    : bodies(n), q(n), v(n), v_end_(n), q_end_(n), accel_(n), end_pose_(n), end_motion_(n), offset_(2 * contacts), slip_(contacts),
      slip_rate_(contacts) {}

void Midpoint::forget() {
    accel_.fill(0.0);
    forget_slip();
}

void Midpoint::guess(const StepState& state, double h, const ContactRows& rows) {
    for (Int i = 0; i < v.size; ++i) {
        v_end_[i] = state.v[i] + h * accel_[i];
        v[i] = 0.5 * (state.v[i] + v_end_[i]);
        q[i] = state.q[i] + 0.5 * h * v[i];
    }
    for (Int i = 0; i < rows.near.count; ++i) offset_[i] = rows.near.offset[i];
}

void Midpoint::prepare(const Mechanism& mechanism, const StepState& state, double h, ContactRows& rows) {
    place(mechanism, q, bodies.pose);
    if (rows.size() > 0) {
        for (Int i = 0; i < q.size; ++i) q_end_[i] = state.q[i] + h * v[i];
        place(mechanism, q_end_, end_pose_);
        move(mechanism, end_pose_, v_end_, end_motion_);
        write_rows(mechanism, end_pose_, rows);
        for (Int r = 0; r < rows.size(); ++r) rows.turning[r] = row_velocity(rows.row[r], end_motion_);
        write_rows(mechanism, bodies.pose, rows);
        move(mechanism, bodies.pose, v_end_, end_motion_);
        for (Int r = 0; r < rows.size(); ++r) rows.turning[r] -= row_velocity(rows.row[r], end_motion_);
        move(mechanism, bodies.pose, state.v, end_motion_);
    }
    for (Int i = 0; i < rows.near.count; ++i) {
        const Contact& contact = mechanism.contacts[rows.near.contact[i]];
        if (rows.near.claw[i] != 0 || !(contact.stiffness < INF)) {
            rows.near.offset[i] = PACE * offset_[i];
            continue;
        }
        // spring and damper of a compliant contact with the mean of the velocities at both ends
        const double gap = state.gap[rows.near.contact[i]], D = gap <= tolerances::TOUCH ? contact.damping : 0.0;
        const double give = h * (0.25 * h * contact.stiffness + 0.5 * D);
        const double before = row_velocity(rows.row[rows.normal(i)], end_motion_) - rows.turning[rows.normal(i)];
        rows.near.softness[i] = 1.0 / give;
        rows.near.offset[i] = h * contact.stiffness * gap / give + before;
    }
    move(mechanism, bodies.pose, v, bodies.motion);
}

double Midpoint::change(const StepState& state, ConstVec v_plus, double h) {
    double change = 0.0, most = 0.0;
    for (Int i = 0; i < v.size; ++i) {
        change = larger(change, std::fabs(v_plus[i] - v_end_[i]));
        most = larger(most, larger(std::fabs(v_plus[i]), std::fabs(state.v[i])));
        accel_[i] = (v_plus[i] - state.v[i]) / h;
        v_end_[i] = v_plus[i];
        v[i] = 0.5 * (state.v[i] + v_plus[i]);
        q[i] = state.q[i] + 0.5 * h * v[i];
    }
    return change == 0.0 ? 0.0 : change / most;
}

void Midpoint::note_slip(const StepState& state, ConstVec v_plus, double h, const ContactRows& rows, const Mechanism& mechanism) {
    slip_rate_.fill(0.0);
    if (rows.near.count == 0) return;
    const auto speeds = [&](ConstVec at, double turning, bool end) {
        move(mechanism, bodies.pose, at, end_motion_);
        for (Int i = 0; i < rows.near.count; ++i) {
            if (rows.near.claw[i] != 0) continue;
            const Int c = rows.near.contact[i], t = rows.tangential(i);
            const double speed = row_velocity(rows.row[t], end_motion_) + turning * rows.turning[t] - rows.near.speed[i];
            if (end && rows.loaded(i)) slip_rate_[c] = (speed - slip_[c]) / h;
            slip_[c] = speed;
        }
    };
    speeds(state.v, -1.0, false);
    speeds(v_plus, 1.0, true);
}

double Midpoint::first_stop(double shortest) const {
    double found = INF;
    for (Int c = 0; c < slip_.size; ++c) {
        if (slip_[c] * slip_rate_[c] >= 0.0) continue;
        const double time = -slip_[c] / slip_rate_[c];
        if (time > shortest) found = smaller(found, time);
    }
    return found;
}

}  // namespace mc
