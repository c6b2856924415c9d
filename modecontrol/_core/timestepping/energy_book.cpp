#include "timestepping/energy_book.hpp"

#include "dynamics/applied_forces.hpp"

#include "tolerances.hpp"

namespace mc {

EnergyLevels energy_levels(const Mechanism& mechanism, const StateView& at, View<const Pose> pose, View<const Motion> motion) {
    EnergyLevels found;
    found.potential = found.elastic = spring_energy(mechanism, pose);
    for (Int i = 0; i < at.q.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        const Point c = turned(pose[i], node.com);
        const double w = motion[i].omega, vx = motion[i].vx - w * c.y, vy = motion[i].vy + w * c.x;
        const double stretch = at.q[i] - node.rest;
        found.kinetic += 0.5 * (node.mass * (vx * vx + vy * vy) + node.inertia * w * w + node.armature * at.v[i] * at.v[i]);
        found.potential -= node.mass * (mechanism.gravity.x * (pose[i].x + c.x) + mechanism.gravity.y * (pose[i].y + c.y));
        const double held = 0.5 * node.stiffness * stretch * stretch;
        found.potential += held;
        found.elastic += held;
    }
    return found;
}

double energy_of_soft_contacts(const Mechanism& mechanism, const NearContacts& near, View<const Pose> pose) {
    double total = 0.0;
    for (Int i = 0; i < near.count; ++i) {
        const Contact& contact = mechanism.contacts[near.contact[i]];
        if (near.claw[i] != 0 || !(contact.stiffness < INF)) continue;     // a claw is a row of its contact
        const double depth = smaller(contact_frame(mechanism, contact, pose).gap, 0.0);
        total += 0.5 * contact.stiffness * depth * depth;
    }
    return total;
}

bool EnergyBook::gains(const EnergyEntry& entry, double least) {
    const double gain = entry.gain();
    return std::isfinite(gain) && gain > tolerances::ENERGY_GAIN * (entry.turnover() + least);
}

bool EnergyBook::lifts(const EnergyEntry& entry, double recovery, double least) const {
    const double given = smaller(entry.gain(), recovery) - tolerances::ENERGY_GAIN * least;
    if (!(given > 0.0)) return false;
    return given > tolerances::RECOVERY * entry.turnover() || risen_ + given > tolerances::RECOVERED * scale(entry, least);
}

bool EnergyBook::drifts(const EnergyEntry& entry, double length, double h, double least) const {
    const double gain = entry.gain(), most = scale(entry, least);
    if (!std::isfinite(gain) || !(risen_ + gain > tolerances::RISEN * most)) return false;
    return gain > tolerances::CREEP * (length / h) * most;
}

void EnergyBook::add(const EnergyEntry& entry) {
    const double gain = entry.gain();
    if (!std::isfinite(gain)) return;
    at_hand_ = larger(at_hand_, entry.before.kinetic + entry.before.elastic - unexplained_);
    unexplained_ += gain;
    risen_ = larger(risen_ + gain, 0.0);
    most_risen_ = larger(most_risen_, risen_);
    explained_ = larger(explained_, entry.after.kinetic - unexplained_);     // start, inputs and what fell
    at_hand_ = larger(at_hand_, entry.after.kinetic + entry.after.elastic - unexplained_);
}

bool EnergyBook::exploded(double least) const { return unexplained_ > tolerances::EXPLODED * (explained_ + least); }

bool EnergyBook::strained(double least) const { return risen_ > tolerances::STRAINED * (at_hand_ + least); }

}  // namespace mc
