// Contact detection: which contacts are near.
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
// towards that way: it only pushes there. Resistances to rolling come last, each with the place of its host.
struct NearContacts {
    explicit NearContacts(Int room)
        : contact(room), feature(room + 1), offset(room), softness(room), mu(room), speed(room), pull(room), limit(room), claw(room), host(room), held(room) {}

    Array<Int> contact;
    Array<Feature> feature;         // with which a contact of a shape touches; one more than there is room for, which is looked at
    Array<double> offset, softness;
    Array<double> mu;           // coefficient of friction
    Array<double> speed;        // of the touched surface
    Array<double> pull;         // impulse of adhesion: the normal impulse may fall to minus this
    Array<double> limit;        // greatest impulse of dry friction; negative where there is a normal row
    Array<Int> claw;            // way to which a claw pushes; 0 for a contact itself
    Array<Int> host;            // place of the contact whose normal impulse bounds the moment of a resistance to rolling; -1 for others
    Flags held;                 // whether `mu` is that of a contact that sticks
    Int count = 0;
    bool plain = true;          // all of them have Coulomb's law alone: no loop over them finds another

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

// Whether a contact is not compliant.
inline bool rigid(const Contact& contact) { return !(contact.stiffness < INF); }

// What the loops over all contacts ask of each.
//
// Where a body carries the half-plane of a contact, no bound of how far points have moved holds for its gap as the body turns; nor is
// there one for the gap of a stop. Where both sides may approach each other, a gap changes by up to twice the way of any point.
std::vector<Watch> watches(const Mechanism& mechanism);

// Most that a point within `reach` of the origin of any node has moved between two poses.
double travelled(View<const Pose> before, View<const Pose> after, double reach);

// Lower the budgets by `distance`; recompute gaps whose budget is at most `within`.
void refresh(const Scene& scene, View<const Pose> pose, double distance, double within, StepState& state);

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

}  // namespace mc
