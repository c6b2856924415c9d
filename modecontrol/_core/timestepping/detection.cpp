#include "timestepping/detection.hpp"

#include "dynamics/features.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

using tolerances::TOUCH;

double magnitude(double x, double y) { return std::sqrt(x * x + y * y); }

// Upper bound of the speed of every contact point.
double fastest(View<const Motion> motion, double reach) {
    double most = 0.0;
    for (Int i = 0; i < motion.size; ++i)
        most = larger(most, magnitude(motion[i].vx, motion[i].vy) + std::fabs(motion[i].omega) * reach);
    return most;
}

// What the law of a contact is over `h`: a claw comes after it.
void write_law(const Contact& contact, Int c, Int claw, double h, bool closed, NearContacts& near, Int i) {
    const bool own = claw == 0;
    near.contact[i] = c;
    near.claw[i] = claw;
    near.held[i] = false;
    near.mu[i] = own ? contact.friction : 0.0;
    near.speed[i] = own ? contact.law.speed : 0.0;
    near.pull[i] = own && closed ? h * contact.law.pull : 0.0;
    near.limit[i] = -1.0;
    near.host[i] = -1;
    if (contact.kind != ContactKind::DRY) return;
    near.mu[i] = 1.0;
    near.limit[i] = h * contact.law.most;
}

// Whether a contact has Coulomb's law alone.
bool plain(const Contact& contact) {
    const ContactLaw& law = contact.law;
    return contact.kind <= ContactKind::DISCS && contact.roller < 0 && law.way == 0 && law.pull == 0.0 && law.speed == 0.0 && !(law.hold > contact.friction);
}

// Append the resistances to rolling of the near contacts; false when there is no room for them.
bool follow_hosts(const Mechanism& mechanism, NearContacts& near) {
    if (near.plain) return true;
    for (Int host = 0, hosts = near.count; host < hosts; ++host) {
        const Int c = mechanism.contacts[near.contact[host]].roller;
        if (c < 0 || near.claw[host] != 0) continue;
        if (near.count >= near.room()) return false;
        const Int i = near.count++;
        write_law(mechanism.contacts[c], c, 0, 0.0, true, near, i);
        near.mu[i] = mechanism.contacts[c].law.most;
        near.host[i] = host;
        near.feature[i] = near.feature[host];
        near.offset[i] = near.softness[i] = 0.0;
    }
    return true;
}

// Offset and softness of one near contact; false when it has no force at all.
bool normal_terms(const Contact& contact, double gap, double h, const StepOptions& options, double& offset, double& softness) {
    if (!rigid(contact)) {
        // a contact that closes within the step gets its damper from the next step on
        const double K = contact.stiffness, D = gap <= TOUCH ? contact.damping : 0.0;
        if (K == 0.0 && D == 0.0) return false;
        offset = K * gap / (h * K + D);
        softness = 1.0 / (h * (h * K + D));
        return true;
    }
    // Gaps within TOUCH are closed: rounding must not ask for velocities. Penetration is recovered at the pace of a whole
    // step even when little of the step is left.
    if (std::fabs(gap) <= TOUCH) offset = 0.0;
    else offset = gap > 0.0 ? gap / h : larger(gap, options.g_eps) / options.h;
    softness = 0.0;
    return true;
}

// Gap of a contact and its rate.
struct Approach {
    double gap, speed;
};

Approach approach(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<const Motion> motion) {
    const ContactFrame frame = contact_frame(mechanism, contact, pose);
    return {frame.gap, normal_speed(mechanism, contact, frame, pose, motion)};
}

// Whether a touch of a pair carried load when last solved for, whichever number it had then.
bool was_loaded(const StepState& state, Int first, Int many, const Feature& feature) {
    for (Int c = first; c < first + many; ++c)
        if (state.loaded[c] && state.feature[c].same(feature)) return true;
    return false;
}

}  // namespace

std::vector<Watch> watches(const Mechanism& mechanism) {
    std::vector<Watch> found;
    for (const Contact& contact : mechanism.contacts) {
        const bool mutual = contact.kind == ContactKind::DISCS || contact.kind == ContactKind::CABLE || contact.shaped();
        const bool carried = contact.kind == ContactKind::PLANE && contact.other >= 0 && contact.other_shape < 0;
        found.push_back({mutual ? 2.0 : 1.0, !carried && !contact.at_joint(), rigid(contact), !contact.rolls(), contact.kind == ContactKind::DRIVE,
                         contact.shaped(), plain(contact)});
    }
    return found;
}

double travelled(View<const Pose> before, View<const Pose> after, double reach) {
    double most = 0.0;
    for (Int i = 0; i < before.size; ++i) {
        const double way = magnitude(after[i].x - before[i].x, after[i].y - before[i].y);
        most = larger(most, way + std::fabs(after[i].theta - before[i].theta) * reach);
    }
    return most;
}

void refresh(const Scene& scene, View<const Pose> pose, double distance, double within, StepState& state) {
    const Mechanism& mechanism = scene.mechanism;
    for (Int c = 0; c < state.gap.size; ++c) {
        const Watch& watch = scene.watch[c];
        if (!watch.asked) continue;
        double left = state.budget[c] - watch.ways * distance;
        state.gap[c] = state.budget[c] = left;
        if (left > within && watch.bounded) continue;
        const Contact& contact = mechanism.contacts[c];
        if (!watch.shaped) {
            state.gap[c] = state.budget[c] = contact_frame(mechanism, contact, pose).gap;
            continue;
        }
        left = rough_gap(mechanism, contact, pose);
        const PairGap found = left > within ? PairGap{left, left} : pair_gap(mechanism, contact, pose);
        state.gap[c] = found.own;
        state.budget[c] = found.least;
    }
}

Listing list_near(const Scene& scene, View<const Pose> pose, View<const Motion> motion, double h, StepState& state,
                  NearContacts& near) {
    const StepOptions& options = scene.options;
    const bool everywhere = options.level == Level::POSITION;
    const double ahead = 2.0 * h * fastest(motion, scene.reach) + TOUCH;
    const double within = everywhere ? larger(ahead, 4.0 * options.slack) : options.slack + TOUCH;
    bool impact = false;
    near.count = 0;
    near.plain = true;
    for (Int c = 0; c < state.gap.size; ++c) {
        if (state.gap[c] > larger(ahead, within)) continue;
        const Contact& declared = scene.mechanism.contacts[c];
        if (declared.kind == ContactKind::DRIVE || declared.rolls()) continue;
        const bool soft = !rigid(declared), shaped = declared.shaped();
        bool loaded = state.loaded[c];
        if (state.gap[c] > (soft || loaded || shaped ? larger(ahead, within) : within)) continue;
        Approach found;
        Feature& feature = near.feature[near.count];
        if (shaped) {
            feature = find_feature(scene.mechanism, declared, pose).feature;
            loaded = was_loaded(state, c - declared.slot, declared.touches, feature);
            found = approach(scene.mechanism, as_contact(scene.mechanism, declared, feature), pose, motion);
        } else {
            found = approach(scene.mechanism, declared, pose, motion);
            state.budget[c] = found.gap;
        }
        const double gap = found.gap, speed = found.speed;
        state.gap[c] = gap;
        if (soft) {
            if (gap > TOUCH && gap + h * speed > 0.0) continue;
        } else if (everywhere) {
            if (gap > within) continue;
        } else if (gap <= TOUCH) {
            impact = impact || (speed < -options.impact_speed && !loaded);
        } else if (!loaded && (gap > options.slack || std::fabs(speed) > options.impact_speed)) {
            continue;
        }
        const bool claw = declared.law.way != 0 && (gap <= TOUCH || loaded);
        if (near.count + Int(claw) >= near.room()) return Listing::NO_ROOM;
        const Int i = near.count;
        write_law(declared, c, 0, h, gap <= TOUCH || loaded, near, i);
        if (!normal_terms(declared, gap, h, options, near.offset[i], near.softness[i])) continue;
        ++near.count;
        near.plain = near.plain && scene.watch[c].plain;
        if (!claw) continue;
        near.offset[i + 1] = near.softness[i + 1] = 0.0;
        near.feature[i + 1] = near.feature[i];
        write_law(declared, c, declared.law.way, h, true, near, i + 1);
        ++near.count;
    }
    if (!follow_hosts(scene.mechanism, near)) return Listing::NO_ROOM;
    return impact ? Listing::IMPACT : Listing::QUIET;
}

void keep_rigid(const Scene& scene, const StepState& state, NearContacts& near) {
    Int kept = 0;
    for (Int i = 0; i < near.count; ++i) {
        const Int c = near.contact[i];
        const Contact& contact = scene.mechanism.contacts[c];
        const bool closed = state.gap[c] <= (state.loaded[c] ? larger(TOUCH, scene.options.slack) : TOUCH);
        if (!rigid(contact) || !closed || !contact.has_normal()) continue;
        write_law(contact, c, near.claw[i], 0.0, true, near, kept);     // forces do nothing in no time
        near.feature[kept] = near.feature[i];
        near.offset[kept] = near.softness[kept] = 0.0;
        ++kept;
    }
    near.count = kept;
    follow_hosts(scene.mechanism, near);
}

}  // namespace mc
