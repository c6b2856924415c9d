#include "timestepping/contact_rows.hpp"

#include "dynamics/closures.hpp"

#include "tolerances.hpp"

namespace mc {

// The rows of a contact as those of its claw: the tangential one, towards `way`, as its normal row, and no other.
static void turn_into_claw(double way, ForceRow& normal, ForceRow& tangential) {
    normal = tangential;
    for (Int end = 0; end < normal.ends; ++end) {
        Wrench& w = normal.force[end];
        w = {way * w.moment, way * w.fx, way * w.fy};
    }
    tangential.ends = 0;
    tangential.node[0] = tangential.node[1] = WORLD;
}

void write_rows(const Mechanism& mechanism, View<const Pose> pose, ContactRows& rows) {
    all_closure_forces(mechanism, pose, rows.row.part(0, rows.pins));
    for (Int i = 0; i < rows.near.count; ++i) {
        const Contact& contact = mechanism.contacts[rows.near.contact[i]];
        contact_forces(mechanism, contact, pose, rows.row.part(rows.normal(i), rows.normal(i) + 2));
        if (rows.near.claw[i] != 0) turn_into_claw(double(rows.near.claw[i]), rows.row[rows.normal(i)], rows.row[rows.tangential(i)]);
    }
}

bool may_hold(const Mechanism& mechanism, const NearContacts& near) {
    for (Int i = 0; !near.plain && i < near.count; ++i) {
        const Contact& contact = mechanism.contacts[near.contact[i]];
        if (contact.law.hold > contact.friction) return true;
    }
    return false;
}

void hold_resting(const Mechanism& mechanism, View<const Motion> motion, ContactRows& rows) {
    for (Int i = 0; !rows.near.plain && i < rows.near.count; ++i) {
        const Contact& contact = mechanism.contacts[rows.near.contact[i]];
        if (rows.near.claw[i] != 0 || !(contact.law.hold > contact.friction)) continue;
        const double slip = row_velocity(rows.row[rows.tangential(i)], motion) - contact.law.speed;
        rows.near.held[i] = std::fabs(slip) <= tolerances::SLIP;
        rows.near.mu[i] = rows.near.held[i] ? contact.law.hold : contact.friction;
    }
}

bool write_pulls(ContactRows& rows) {
    bool any = false;
    for (Int i = 0; !rows.near.plain && i < rows.near.count; ++i) any = any || rows.near.pull[i] > 0.0;
    if (!any) return false;
    rows.push.part(0, rows.size()).fill(0.0);
    for (Int i = 0; i < rows.near.count; ++i) rows.push[rows.normal(i)] = -rows.near.pull[i];
    return true;
}

double surface_work(const ContactRows& rows) {
    double work = 0.0;
    for (Int i = 0; !rows.near.plain && i < rows.near.count; ++i)
        if (rows.near.speed[i] != 0.0) work += rows.p[rows.tangential(i)] * rows.near.speed[i];
    return work;
}

void pin_targets(const Mechanism& mechanism, View<const Pose> pose, double rate, Vec target) {
    const auto closing = [rate](double opening) { return std::fabs(opening) > tolerances::TOUCH ? -rate * opening : 0.0; };
    all_openings(mechanism, pose, target);
    for (Int i = 0; i < target.size; ++i) target[i] = closing(target[i]);
}

bool relax(ContactRows& rows) {
    bool relaxed = false;
    for (Int i = 0; i < rows.pins - rows.driven; ++i) {
        relaxed = relaxed || rows.target[i] != 0.0;
        rows.target[i] = 0.0;
    }
    for (Int i = 0; i < rows.near.count; ++i)
        if (rows.near.softness[i] == 0.0 && rows.near.offset[i] < 0.0) {
            rows.near.offset[i] = 0.0;
            relaxed = true;
        }
    return relaxed;
}

void solve_impulse(const Mechanism& mechanism, ConstVec r, View<const ForceRow> rows, ConstVec p, ArticulatedBodies& bodies,
                   Vec x) {
    bodies.force.fill({});
    for (Int i = 0; i < rows.size; ++i)
        if (p[i] != 0.0) add_row_force(rows[i], p[i], bodies.force);
    bodies.solve(mechanism, r, x);
}

double row_velocity(const ForceRow& row, View<const Motion> motion, View<const Twist> change) {
    double value = 0.0;
    for (Int side = 0; side < row.ends; ++side) {
        const Int node = row.node[side];
        if (node < 0) continue;
        Twist at = motion[node];
        if (change.size > 0) {
            at.omega += change[node].omega;
            at.vx += change[node].vx;
            at.vy += change[node].vy;
        }
        const Wrench& f = row.force[side];
        value += f.moment * at.omega;
        value += f.fx * at.vx;
        value += f.fy * at.vy;
    }
    return value;
}

}  // namespace mc
