// The energy book of a run: contacts, pins and joints may take energy, never give it.
//
//     T+ + V+ - T - V  <=  work of the inputs + drift            V: gravity, joint springs, compliant contacts
//
// A semi-implicit step has an error of its own, the drift, which is small beside the energies that change hands. A step
// that gains more, or by the work of recovery a small part of what changes hands, is repeated without recovery of penetration,
// then in smaller ones. Small gains of many steps add up: once
// they have made a part of what the start and the inputs explain, the run goes on in parts of steps as small as it takes to
// gain little. What was gained over the whole run, less what was lost, may not outgrow that energy: then the run has
// exploded, however slowly. Where springs may be too fast for a step, less of it ends the run.
#pragma once

#include "timestepping/detection.hpp"

namespace mc {

// Kinetic and potential energy (gravity, joint springs) with poses and motions that are known.
struct EnergyLevels {
    double kinetic = 0.0, potential = 0.0;
    double elastic = 0.0;           // what springs hold of the potential energy
};
EnergyLevels energy_levels(const Mechanism& mechanism, const StateView& at, View<const Pose> pose, View<const Motion> motion);

// Energy of the compliant contacts among the near ones.
double energy_of_soft_contacts(const Mechanism& mechanism, const NearContacts& near, View<const Pose> pose);

// What a part of a step did: energies at both ends, the work of the inputs.
struct EnergyEntry {
    EnergyLevels before, after;
    double work = 0.0;
    double rounding = 0.0;          // of the energies and works whose difference the gain is

    // What the energies at both ends and the work leave unexplained, rounding included.
    double found() const { return after.kinetic - before.kinetic + (after.potential - before.potential) - work; }
    // What came from nothing: none where it is no more than rounding.
    double gain() const { return std::fabs(found()) <= rounding ? 0.0 : found(); }
    // What changed hands: beside it the drift is measured.
    double turnover() const { return before.kinetic + std::fabs(after.potential - before.potential) + std::fabs(work); }
};

class EnergyBook {
public:
    void clear() { *this = EnergyBook(); }

    // Whether an entry gains more than the drift of a step; `least` is an energy too small to matter.
    static bool gains(const EnergyEntry& entry, double least);

    // Whether recovery, which has done so much work, has given more than what is too small to matter and a small part of what changes
    // hands, or more than that in a run that has gained a part of its energy already.
    bool lifts(const EnergyEntry& entry, double recovery, double least) const;

    // Whether a part of `length` of a step of `h` adds to a drift that has used up what it is allowed.
    bool drifts(const EnergyEntry& entry, double length, double h, double least) const;

    // Enter it.
    void add(const EnergyEntry& entry);

    // Whether the run has gained more than the start and the inputs explain.
    bool exploded(double least) const;

    // Whether it has gained, since any earlier time, too much of the energy that was at hand, springs included.
    bool strained(double least) const;

    double risen() const { return risen_; }
    double most_risen() const { return most_risen_; }
    double at_hand() const { return at_hand_; }
    double unexplained() const { return unexplained_; }
    double explained() const { return explained_; }

private:
    double scale(const EnergyEntry& entry, double least) const { return larger(explained_, entry.before.kinetic - unexplained_) + least; }

    double unexplained_ = 0.0, explained_ = 0.0;
    double risen_ = 0.0;            // gained since any earlier time, at most
    double most_risen_ = 0.0;       // that ever was
    double at_hand_ = 0.0;          // most that moved or was held by springs, less what was gained
};

}  // namespace mc
