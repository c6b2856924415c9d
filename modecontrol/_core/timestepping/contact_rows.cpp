#include "timestepping/contact_rows.hpp"

#include "dynamics/closures.hpp"

#include "tolerances.hpp"

namespace mc {

void write_rows(const Mechanism& mechanism, View<const Pose> pose, ContactRows& rows) {
    all_closure_forces(mechanism, pose, rows.row.part(0, rows.pins));
    for (Int i = 0; i < rows.near.count; ++i) {
        const Contact& contact = mechanism.contacts[rows.near.contact[i]];
        contact_forces(mechanism, contact, pose, rows.row.part(rows.normal(i), rows.normal(i) + 2));
    }
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
