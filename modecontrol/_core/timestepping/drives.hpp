// Coordinates that move as they are told to: what their rows ask of a part of a step, and the work that this takes.
#pragma once

#include "timestepping/contact_rows.hpp"

namespace mc {

// A part of a step of `whole`: it begins at `from` and lasts `length` (s).
struct PartOfStep {
    double whole, from, length;
};

class Drives {
public:
    explicit Drives(const Mechanism& mechanism);

    Int count() const { return Int(drives_.size()); }
    void set(Int i, const Drive& drive) { drives_[size_t(i)] = drive; }

    // Velocities at the end of a part (at once, if it has no length) into the last of `rows.target`: those of the drives, and the
    // part `correction` of what the coordinates are off. `mean`: the mean velocity of the part instead.
    void write_targets(const Scene& scene, ConstVec q, const PartOfStep& at, bool mean, ContactRows& rows) const;

    // Work of the impulses over the fraction `part` of a part of a step.
    double work(const PartOfStep& at, double part, const ContactRows& rows) const;

private:
    std::vector<Drive> drives_;
};

}  // namespace mc
