// Contact detection: which contacts are near, and when the first of the open ones closes.
//
// Broad phase by *budgets*: `budget[c]` is a lower bound of the gap of contact `c`. Each motion lowers it by how far any contact
// point can have travelled; a gap is computed only when its budget is used up, and then becomes the new budget. Pairs that
// are far apart cost one subtraction per step. All touches of a pair of shapes have the budget of the nearest of them, because
// touches may change places; discs around the shapes come first.
#pragma once

#include "dynamics/contacts.hpp"
#include "dynamics/features.hpp"
#include "timestepping/scene.hpp"

namespace mc {

// The contacts that take part in a contact problem, with the terms `u_n + softness pn + offset` of their normal rows and what their laws
// are in it. A contact that slides one way only is followed by its claw, whose normal row is the tangential one of the contact
// towards that way: it only pushes there.
struct NearContacts {
    explicit NearContacts(Int room)
        : contact(room), feature(room), offset(room), softness(room), mu(room), speed(room), pull(room), limit(room), claw(room), held(room) {}

    Array<Int> contact;
    Array<Feature> feature;         // with which a contact of a shape touches
    Array<double> offset, softness;
    Array<double> mu;           // coefficient of friction
    Array<double> speed;        // of the touched surface
    Array<double> pull;         // impulse of adhesion: the normal impulse may fall to minus this
    Array<double> limit;        // greatest impulse of dry friction; negative where there is a normal row
    Array<Int> claw;            // way to which a claw pushes; 0 for a contact itself
    Flags held;                 // whether `mu` is that of a contact that sticks
    Int count = 0;

    Int room() const { return contact.size; }
    bool holds(Int c) const {
        for (Int i = 0; i < count; ++i)
            if (contact[i] == c) return true;
        return false;
    }
    // Features of the contacts `first .. first + many`, which stand side by side.
    View<const Feature> features(Int first, Int many) const {
        Int from = 0;
        while (from < count && contact[from] < first) ++from;
        Int to = from;
        while (to < count && contact[to] < first + many) ++to;
        return feature.part(from, to);
    }
};

// The way within a step from `q` at velocity `v`, forces held: `v(s) = v + (s / h)(v_plus - v)`, `q(s) = q + s (v + weight (v(s) -
// v))`; where `q_plus` is given, the cubic between both states.
struct Path {
    ConstVec q, v, v_plus;
    double h;
    double weight = 1.0;            // 1 semi-implicit, 1/2 the trapezoidal rule
    ConstVec q_plus{};

    // Coordinate `i` at the time `s`.
    double at(double s, Int i) const {
        const double x = s / h;
        if (q_plus.size == 0) return q[i] + s * (v[i] + weight * x * (v_plus[i] - v[i]));
        const double late = x * x * (3.0 - 2.0 * x), in = x * (1.0 - x) * (1.0 - x), out = -x * x * (1.0 - x);
        return q[i] + late * (q_plus[i] - q[i]) + h * (in * v[i] + out * v_plus[i]);
    }
};

// Where a path is looked at: a configuration and its poses.
struct Trial {
    explicit Trial(Int n) : q(n), pose(n), way(n) {}
    void go(const Mechanism& mechanism, const Path& path, double s) {
        for (Int i = 0; i < q.size; ++i) q[i] = path.at(s, i);
        place(mechanism, q, pose);
    }

    // The nodes that carry either side of a contact, tips first, into `way`; how many they are.
    Int carriers(const Mechanism& mechanism, const Contact& contact) {
        Int count = 0;
        for (Int a = contact.node, b = contact.other; a >= 0 || b >= 0;) {
            const Int i = a > b ? a : b, up = mechanism.nodes[i].parent;
            way[count++] = i;
            if (a == i) a = up;
            if (b == i) b = up;
        }
        return count;
    }

    Array<double> q;
    Array<Pose> pose;
    Array<Int> way;
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

// Leave in `near` the closed rigid contacts, with no offsets: those that take part in a collision. One that carries load is closed
// up to the slack: what rests on something hands a blow on, though rounding or rolling left a gap.
void keep_rigid(const Scene& scene, const StepState& state, NearContacts& near);

// End of the motion along the path: `h`, or the time at which the first open rigid contact closes.
//
// Discs and shapes that are apart at both ends of the way may have met on it: quick ones are followed. `before` are the poses at its
// beginning. `trial` is at `h` on entry and at the
// answer on exit; no point moves further than `distance` on the way. Contacts that take part in the step's contact problem
// (`near`) have been dealt with there.
double first_impact(const Mechanism& mechanism, const Path& path, const StepState& state, const NearContacts& near,
                    View<const Pose> before, Trial& trial, double distance);

}  // namespace mc
