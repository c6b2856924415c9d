#include "timestepping/detection.hpp"

#include "dynamics/features.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

using tolerances::TOUCH;

const double GOLDEN = 0.5 * (std::sqrt(5.0) - 1.0);

double magnitude(double x, double y) { return std::sqrt(x * x + y * y); }

// Gap of a contact; of a shape, the smallest of the touches of its pair that are not `held`.
double gap_of(const Mechanism& mechanism, Int c, const Trial& trial, View<const Feature> held) {
    const Contact& contact = mechanism.contacts[c];
    return contact.shaped() ? least_new_gap(mechanism, contact, trial.pose, held) : contact_frame(mechanism, contact, trial.pose).gap;
}

bool rigid(const Contact& contact) { return !(contact.stiffness < INF); }

// Whether a body carries the half-plane of a contact: as it turns, no bound of how far points have moved holds for its gap. Nor is
// there one for the gap of a stop.
bool carried(const Contact& contact) {
    return (contact.kind == ContactKind::PLANE && contact.other >= 0 && contact.other_shape < 0) || contact.at_joint();
}

// Whether both sides of a contact may approach each other, so that its gap changes by up to twice the way of any point.
bool mutual(const Contact& contact) {
    return contact.kind == ContactKind::DISCS || contact.kind == ContactKind::CABLE || contact.shaped();
}

// Upper bound of the speed of every contact point.
double fastest(View<const Motion> motion, double reach) {
    double most = 0.0;
    for (Int i = 0; i < motion.size; ++i)
        most = larger(most, magnitude(motion[i].vx, motion[i].vy) + std::fabs(motion[i].omega) * reach);
    return most;
}

// A time on a path and the gap there.
struct Passing {
    double time, gap;
};

// One contact followed along a path: in `trial` the nodes that carry it, and no others, are where it was last looked at.
struct Follower {
    const Mechanism& mechanism;
    const Path& path;
    Int c;
    Trial& trial;
    View<const Feature> held;       // what takes part in the step's contact problem
    Int count = trial.carriers(mechanism, mechanism.contacts[c]);

    double gap_at(double s) const {
        for (Int k = count - 1; k >= 0; --k) {
            const Int i = trial.way[k];
            trial.q[i] = path.at(s, i);
            place_node(mechanism, i, trial.q[i], trial.pose);
        }
        return gap_of(mechanism, c, trial, held);
    }
};

// First time in (0, end] at which a contact that is open at 0 and closed at the end has a gap within TOUCH.
//
// Regula falsi with the Illinois rule. Leaves the trial anywhere.
double closing_time(const Follower& contact, double start, const Passing& end) {
    double low = 0.0, high = end.time, g_low = start, g_high = end.gap, found = end.time;
    int side = 0;
    for (int turn = 0; turn < 100; ++turn) {
        double s = (low * g_high - high * g_low) / (g_high - g_low);
        if (turn > 30 || !(low < s && s < high)) s = 0.5 * (low + high);
        found = s;
        const double g = contact.gap_at(s);
        if (std::fabs(g) <= 0.5 * TOUCH || !(low < s && s < high)) break;
        if (g > 0.0) {
            low = s;
            g_low = g;
            if (side == 1) g_high *= 0.5;
            side = 1;
        } else {
            high = s;
            g_high = g;
            if (side == -1) g_low *= 0.5;
            side = -1;
        }
    }
    return found;
}

// Where two discs or shapes that are apart at 0 and at the end overlap, or about the time they are nearest.
//
// On a straight way the distance of two centres is a convex function of time, so golden section finds its minimum; no gap
// changes by more than `way` from 0 to the end. Leaves the trial anywhere.
Passing passing_time(const Follower& contact, double start, const Passing& end, double way) {
    const double whole = end.time;
    double low = 0.0, high = whole, g_low = start, g_high = end.gap;
    Passing left{whole - GOLDEN * whole, INF}, right{GOLDEN * whole, INF}, found = end;
    while ((high - low) / whole > tolerances::SHALLOW && 0.5 * (g_low + g_high - way * (high - low) / whole) < -TOUCH) {
        for (Passing* at : {&left, &right})
            if (at->gap == INF) at->gap = contact.gap_at(at->time);
        if (left.gap <= right.gap) {
            found = left;
            high = right.time;
            g_high = right.gap;
            right = left;
            left = {high - GOLDEN * (high - low), INF};
        } else {
            found = right;
            low = left.time;
            g_low = left.gap;
            left = right;
            right = {low + GOLDEN * (high - low), INF};
        }
        if (found.gap < -TOUCH) break;
    }
    return found;
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
    if (contact.kind != ContactKind::DRY) return;
    near.mu[i] = 1.0;
    near.limit[i] = h * contact.law.most;
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

double travelled(View<const Pose> before, View<const Pose> after, double reach) {
    double most = 0.0;
    for (Int i = 0; i < before.size; ++i) {
        const double way = magnitude(after[i].x - before[i].x, after[i].y - before[i].y);
        most = larger(most, way + std::fabs(after[i].theta - before[i].theta) * reach);
    }
    return most;
}

void refresh(const Mechanism& mechanism, View<const Pose> pose, double distance, double within, StepState& state) {
    for (Int c = 0; c < state.gap.size; ++c) {
        const Contact& contact = mechanism.contacts[c];
        double left = state.budget[c] - (mutual(contact) ? 2.0 * distance : distance);
        state.gap[c] = state.budget[c] = left;
        if (!(left <= within || carried(contact))) continue;
        if (contact.shaped()) left = rough_gap(mechanism, contact, pose);
        PairGap found{left, left};
        if (!(left > within && contact.shaped())) found = pair_gap(mechanism, contact, pose);
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
    for (Int c = 0; c < state.gap.size; ++c) {
        const Contact& declared = scene.mechanism.contacts[c];
        if (declared.kind == ContactKind::DRIVE) continue;
        const bool soft = !rigid(declared), shaped = declared.shaped();
        bool loaded = state.loaded[c];
        if (state.gap[c] > (soft || loaded || shaped ? larger(ahead, within) : within)) continue;
        Approach found;
        Feature feature;
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
        if (shaped) near.feature[i] = feature;
        ++near.count;
        if (!claw) continue;
        near.offset[i + 1] = near.softness[i + 1] = 0.0;
        near.feature[i + 1] = near.feature[i];
        write_law(declared, c, declared.law.way, h, true, near, i + 1);
        ++near.count;
    }
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
}

double first_impact(const Mechanism& mechanism, const Path& path, const StepState& state, const NearContacts& near,
                    View<const Pose> before, Trial& trial, double distance) {
    double end = path.h;
    for (Int c = 0; c < state.gap.size; ++c) {
        const Contact& contact = mechanism.contacts[c];
        const bool both = mutual(contact) && contact.kind != ContactKind::CABLE;
        const double way = mutual(contact) ? 2.0 * distance : distance;
        if ((state.budget[c] - way >= -TOUCH && !carried(contact)) || !rigid(contact)) continue;
        // the touches of a pair may change places: it is followed as a whole, without those that are dealt with
        if (contact.shaped() ? contact.slot > 0 : near.holds(c)) continue;
        View<const Feature> held{};
        double start = state.gap[c];
        if (contact.shaped()) {
            held = near.features(c, contact.touches);
            start = state.budget[c];
            if (held.size > 0) start = least_new_gap(mechanism, contact, before, held);
        }
        const double g = gap_of(mechanism, c, trial, held);
        const Follower moving{mechanism, path, c, trial, held};
        if (g < -TOUCH) {
            end = closing_time(moving, start, {end, g});
            trial.go(mechanism, path, end);
        } else if (both && start > TOUCH && start + g < way) {
            const Passing inside = passing_time(moving, start, {end, g}, way);
            if (inside.gap < -TOUCH) end = closing_time(moving, start, inside);
            trial.go(mechanism, path, end);
        }
    }
    return end;
}

}  // namespace mc
