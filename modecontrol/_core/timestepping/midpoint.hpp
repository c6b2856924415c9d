// The theta scheme with theta = 1/2: forces in the middle of a step, laws of contact at its end. Second order.
//
//     M(qm) (v+ - v) = h (tau - b(qm, vm)) + J(qm)^T p + G(qm)^T lam        vm = (v + v+) / 2,   qm = q + h vm / 2
//     q+ = q + h vm            laws of contact, pins:  J(q+) v+,  G(q+) v+
//
// The middle is not known before the step is made, so a step is made a few times, each time with the middle of the time before.
// Rows of forces are those of the middle, so that the problem stays symmetric; what the rows turn until the end of the step is
// added to their velocities, `J(q+) v+ - J(qm) v+` of the time before. A mechanism at rest stays at rest exactly.
//
// Friction jumps when a sliding contact turns round. A smooth part of a step therefore ends where the first of them will stop,
// as foreseen by how the speeds of sliding changed in the part before.
#pragma once

#include "timestepping/contact_rows.hpp"

namespace mc {

class Midpoint {
public:
    Midpoint(Int n, Int contacts);

    // Forget how the mechanism accelerated and slid.
    void forget();
    void forget_slip() { slip_rate_.fill(0.0); }

    // Before the first attempt at a step of `h`: guess where it leads, note the offsets of the near contacts.
    void guess(const StepState& state, double h, const ContactRows& rows);

    // Poses, motions, rows, their turning and the terms of their laws for one attempt.
    void prepare(const Mechanism& mechanism, const StepState& state, double h, ContactRows& rows);

    // After an attempt: by which part of the velocities it led elsewhere than was expected; the next one expects what it led to.
    double change(const StepState& state, ConstVec v_plus, double h);

    // After a step of `h` that was made: how fast each loaded contact slides, and how that changes.
    void note_slip(const StepState& state, ConstVec v_plus, double h, const ContactRows& rows, const Mechanism& mechanism);

    // Time until the first sliding contact stops, if it goes on as before; `INF` for none.
    double first_stop(double shortest) const;

    ArticulatedBodies bodies;       // in the middle of the step
    Array<double> q, v;             // the middle

private:
    Array<double> v_end_, q_end_, accel_;
    Array<Pose> end_pose_;
    Array<Motion> end_motion_;
    Array<double> offset_;          // of the near contacts, as they were listed
    Array<double> slip_, slip_rate_;
};

}  // namespace mc
