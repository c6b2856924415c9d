#include "timestepping/collisions.hpp"

#include "dynamics/energy.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int MOST_CUTS = 30;

// Work of the drives and of moving surfaces, whose speeds a collision does not change.
double drive_work(const ContactRows& rows) {
    double work = 0.0;
    for (Int i = rows.pins - rows.driven; i < rows.pins; ++i) work += rows.p[i] * rows.target[i];
    return work + surface_work(rows);
}

}  // namespace

bool give_back(const Mechanism& mechanism, ContactRows& rows) {
    bool bouncing = false;
    rows.push.part(0, rows.size()).fill(0.0);
    for (Int i = 0; i < rows.near.count; ++i) {
        if (rows.near.claw[i] != 0) continue;
        const Contact& contact = mechanism.contacts[rows.near.contact[i]];
        const double back = contact.restitution * rows.p[rows.normal(i)], most = contact.friction * back;
        const double along = contact.tangential_restitution * rows.p[rows.tangential(i)];
        rows.push[rows.normal(i)] = back;
        rows.push[rows.tangential(i)] = larger(-most, smaller(most, along));
        bouncing = bouncing || back > 0.0;
    }
    return bouncing;
}

void Collision::compressed(const Mechanism& mechanism, ConstVec v, ConstVec v_plus, ArticulatedBodies& bodies,
                           const ContactRows& rows) {
    const double after = kinetic_energy(mechanism, bodies.pose, v_plus, bodies.motion);
    before_ = kinetic_energy(mechanism, bodies.pose, v, bodies.motion) + drive_work(rows);
    loss_ = larger(before_ - after, 0.0);
    part_ = high_ = 1.0;
    low_ = 0.0;
    cuts_ = 0;
}

bool Collision::cut_back(const Mechanism& mechanism, ConstVec v, ConstVec v_plus, ArticulatedBodies& bodies, ContactRows& rows) {
    const double gain = kinetic_energy(mechanism, bodies.pose, v_plus, bodies.motion) - before_ - drive_work(rows);
    move(mechanism, bodies.pose, v, bodies.motion);
    const double scale = std::fabs(before_);
    const bool kept = gain <= tolerances::REFINED * scale && (cuts_ == 0 || gain >= -tolerances::COMPLEMENTARY * scale);
    if (cuts_ > MOST_CUTS || kept) return false;
    if (gain > 0.0) {
        high_ = part_;
        gain_ = gain;
    } else {
        low_ = part_;
        loss_ = -gain;
    }
    double goal = cuts_ % 3 == 2 ? 0.5 * (low_ + high_) : (low_ * gain_ + high_ * loss_) / (gain_ + loss_);
    if (cuts_ >= MOST_CUTS || !(low_ < goal && goal < high_)) {
        goal = low_;
        cuts_ = MOST_CUTS;
    }
    ++cuts_;
    for (Int i = 0; i < rows.size(); ++i) rows.push[i] *= goal / part_;
    part_ = goal;
    return true;
}

}  // namespace mc
