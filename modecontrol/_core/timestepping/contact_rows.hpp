// Rows of pins and near contacts: pins first (x, y each), then each near contact (normal, tangential).
#pragma once

#include "dynamics/compliance.hpp"
#include "timestepping/detection.hpp"

namespace mc {

// The rows of one contact problem with their impulses.
struct ContactRows {
    ContactRows(Int pin_rows, Int room)
        : near(room), row(pin_rows + 2 * room), target(pin_rows), p(pin_rows + 2 * room), push(pin_rows + 2 * room),
          turning(pin_rows + 2 * room), pins(pin_rows) {}

    NearContacts near;
    Array<ForceRow> row;        // unit forces, as wrenches about the origins of their nodes
    Array<double> target;       // velocities that the pins shall have after the step
    Array<double> p;            // impulses: the answer
    Array<double> push;         // impulses that act beforehand: what a collision gives back
    Array<double> turning;      // velocity that each row has beside `row v+`: what it turns until the end of the step
    Int pins;                   // number of rows of all closures
    Int driven = 0;             // of which so many, the last, make coordinates move as they are told to

    Int size() const { return pins + 2 * near.count; }
    View<ForceRow> all() const { return row.part(0, size()); }
    Int normal(Int i) const { return pins + 2 * i; }
    Int tangential(Int i) const { return pins + 2 * i + 1; }
    // Whether a contact carries load (a dry joint always does; resistance to rolling where its host does) and is no claw.
    bool loaded(Int i) const {
        const Int host = near.host[i] < 0 ? i : near.host[i];
        return near.claw[i] == 0 && (near.limit[i] >= 0.0 || p[normal(host)] + near.pull[host] > 0.0);
    }
};

// Rows of all pins and of the near contacts at a pose.
void write_rows(const Mechanism& mechanism, View<const Pose> pose, ContactRows& rows);

// Whether some near contact may hold more than it brakes.
bool may_hold(const Mechanism& mechanism, const NearContacts& near);

// Which contacts that may hold more than they brake stick at the motions of the present state, whose rows are written: `near.held`.
void hold_resting(const Mechanism& mechanism, View<const Motion> motion, ContactRows& rows);

// Impulses of adhesion, which act beforehand, into `push`; true if there are any.
bool write_pulls(ContactRows& rows);

// Work that moving surfaces do by the impulses `p`.
double surface_work(const ContactRows& rows);

// Velocity `-rate opening` at which each pin shall close; openings within TOUCH are left alone.
void pin_targets(const Mechanism& mechanism, View<const Pose> pose, double rate, Vec target);

// Give up the recovery of penetration and of open pins for this step; true if there was any.
//
// A wedged mechanism (contact forces that can grow without moving it) has no solution that also recovers; without recovery
// one always exists (Anitescu and Potra).
bool relax(ContactRows& rows);

// `x = (M + added)^-1 (r + rows^T p)` with the factors in `bodies`, whose `accel` is then `x` node by node.
void solve_impulse(const Mechanism& mechanism, ConstVec r, View<const ForceRow> rows, ConstVec p, ArticulatedBodies& bodies,
                   Vec x);

// Velocity of a row with the node velocities `motion`, and `change` added to them if it is not empty.
double row_velocity(const ForceRow& row, View<const Motion> motion, View<const Twist> change = {});

}  // namespace mc
