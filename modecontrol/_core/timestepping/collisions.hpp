// What a collision gives back (Jain 2014, section 7), and never more than it took.
//
// Decompression returns the part `restitution` of each normal impulse of compression (Poisson's law). Together with friction, or
// with unlike coefficients, that law can add energy. Then the returned impulses are cut, all by the same factor `s`, until the
// collision just keeps its energy: `T(0)`, after compression, is never more than the kinetic energy before the collision, `T(1)`
// is more, and regula falsi, every third turn a bisection, finds where `T(s)` meets it.
#pragma once

#include "timestepping/contact_rows.hpp"

namespace mc {

class Collision {
public:
    // After compression from `v` to `v_plus`: note the energies, and the work of the drives. Leaves motions of `v` in `bodies`.
    void compressed(const Mechanism& mechanism, ConstVec v, ConstVec v_plus, ArticulatedBodies& bodies, const ContactRows& rows);

    // After decompression from `v` to `v_plus`: true if it has to be solved again with less (or more) in `rows.push`, because
    // energy was added. Leaves motions of `v` in `bodies`.
    bool cut_back(const Mechanism& mechanism, ConstVec v, ConstVec v_plus, ArticulatedBodies& bodies, ContactRows& rows);

private:
    double before_ = 0.0, part_ = 1.0, low_ = 0.0, high_ = 1.0, loss_ = 0.0, gain_ = 0.0;
    Int cuts_ = 0;
};

// Impulses that decompression gives back, `restitution pn` and, within the cone of friction, `tangential_restitution pt`, into
// `rows.push`; true if there are any.
bool give_back(const Mechanism& mechanism, ContactRows& rows);

}  // namespace mc
