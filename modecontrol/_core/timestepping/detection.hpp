// Contact detection: which contacts are near, and when the first of the open ones closes.
//
// Broad phase by *budgets*: `budget[c]` is a lower bound of the gap of contact `c`. Each motion lowers it by how far any contact
// point can have travelled; a gap is computed only when its budget is used up, and then becomes the new budget. Pairs that
// are far apart cost one subtraction per step.
#pragma once

#include "dynamics/contacts.hpp"
#include "timestepping/scene.hpp"

namespace mc {

// The contacts that take part in a contact problem, with the terms `u_n + softness pn + offset` of their normal rows.
struct NearContacts {
    explicit NearContacts(Int room) : contact(room), offset(room), softness(room) {}

    Array<Int> contact;
    Array<double> offset, softness;
    Int count = 0;

    Int room() const { return contact.size; }
    bool holds(Int c) const {
        for (Int i = 0; i < count; ++i)
            if (contact[i] == c) return true;
        return false;
    }
};

// The way within a step from `q` at velocity `v`, forces held: `v(s) = v + (s / h)(v_plus - v)`, `q(s) = q + s (v + weight (v(s) -
// v))`; where `q_plus` is given, the cubic between both states.
struct Path {
    ConstVec q, v, v_plus;
    double h;
    double weight = 1.0;            // 1 semi-implicit, 1/2 the trapezoidal rule
    ConstVec q_plus{};

    void at(double s, Vec trial) const {
        const double part = s / h;
        if (q_plus.size > 0) return cubic(part, trial);
        for (Int i = 0; i < q.size; ++i) trial[i] = q[i] + s * (v[i] + weight * part * (v_plus[i] - v[i]));
    }
    void cubic(double x, Vec trial) const {
        const double late = x * x * (3.0 - 2.0 * x), in = x * (1.0 - x) * (1.0 - x), out = -x * x * (1.0 - x);
        for (Int i = 0; i < q.size; ++i)
            trial[i] = q[i] + late * (q_plus[i] - q[i]) + h * (in * v[i] + out * v_plus[i]);
    }
};

// Where a path is looked at: a configuration and its poses.
struct Trial {
    explicit Trial(Int n) : q(n), pose(n) {}
    void go(const Mechanism& mechanism, const Path& path, double s) {
        path.at(s, q);
        place(mechanism, q, pose);
    }

    Array<double> q;
    Array<Pose> pose;
};

// Most that a point within `reach` of the origin of any node has moved between two poses.
double travelled(View<const Pose> before, View<const Pose> after, double reach);

// Lower the budgets by `distance`; recompute gaps whose budget is at most `within`.
void refresh(const Mechanism& mechanism, View<const Pose> pose, double distance, double within, StepState& state);

// How a listing of the near contacts came out.
enum class Listing { QUIET, IMPACT, NO_ROOM };

// Fill `near` for a step of `h`:
//
// | contact   | is near when                                              | offset                        |
// |-----------|-----------------------------------------------------------|-------------------------------|
// | compliant | `gap <= 0` or it closes within the step                   | `K gap / (h K + D)`           |
// | rigid     | closed, at rest within `slack`, or loaded before          | `max(gap, g_eps) / h`         |
// | rigid, position level | it can be reached within the step             | `max(gap, g_eps) / h`         |
//
// An impact is a closed contact that approaches and did not carry load before; one that did has only the velocity error of
// the last step.
Listing list_near(const Scene& scene, View<const Pose> pose, View<const Motion> motion, double h, StepState& state,
                  NearContacts& near);

// Leave in `near` the closed rigid contacts, with no offsets: those that take part in a collision.
void keep_rigid(const Mechanism& mechanism, ConstVec gap, NearContacts& near);

// End of the motion along the path: `h`, or the time at which the first open rigid contact closes.
//
// Discs that are apart at both ends of the way may have met on it: quick ones are followed. `trial` is at `h` on entry and at the
// answer on exit; no point moves further than `distance` on the way. Contacts that take part in the step's contact problem
// (`near`) have been dealt with there.
double first_impact(const Mechanism& mechanism, const Path& path, ConstVec gap, const NearContacts& near, double distance,
                    Trial& trial);

}  // namespace mc
