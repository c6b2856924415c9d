#include "timestepping/detection.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

using tolerances::TOUCH;

const double GOLDEN = 0.5 * (std::sqrt(5.0) - 1.0);

double magnitude(double x, double y) { return std::sqrt(x * x + y * y); }

double gap_of(const Mechanism& mechanism, Int c, const Trial& trial) {
    return contact_frame(mechanism, mechanism.contacts[c], trial.pose).gap;
}

bool rigid(const Contact& contact) { return !(contact.stiffness < INF); }

// Whether a body carries the half-plane of a contact: as it turns, no bound of how far points have moved holds for its gap.
bool carried(const Contact& contact) { return contact.kind == ContactKind::PLANE && contact.other >= 0; }

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

// One contact followed along a path; `trial` is where it was last looked at.
struct Follower {
    const Mechanism& mechanism;
    const Path& path;
    Int c;
    Trial& trial;

    double gap_at(double s) const {
        trial.go(mechanism, path, s);
        return gap_of(mechanism, c, trial);
    }
};

// First time in (0, end] at which a contact that is open at 0 and closed at the end has a gap within TOUCH.
//
// Regula falsi with the Illinois rule. Leaves the trial at that time.
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

// Where two discs that are apart at 0 and at the end overlap, or about the time they are nearest.
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
        double left = state.budget[c] - (contact.kind == ContactKind::DISCS ? 2.0 * distance : distance);
        if (left <= within || carried(contact)) left = contact_frame(mechanism, contact, pose).gap;
        state.gap[c] = left;
        state.budget[c] = left;
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
        const Contact& contact = scene.mechanism.contacts[c];
        const bool soft = !rigid(contact), loaded = state.loaded[c];
        if (state.gap[c] > (soft || loaded ? larger(ahead, within) : within)) continue;
        const ContactFrame frame = contact_frame(scene.mechanism, contact, pose);
        const Motion u = relative_motion(contact, frame, pose, motion);
        const double speed = frame.tx * u.vy - frame.ty * u.vx, gap = frame.gap;
        state.gap[c] = state.budget[c] = gap;
        if (soft) {
            if (gap > TOUCH && gap + h * speed > 0.0) continue;
        } else if (everywhere) {
            if (gap > within) continue;
        } else if (gap <= TOUCH) {
            impact = impact || (speed < -options.impact_speed && !loaded);
        } else if (!loaded && (gap > options.slack || std::fabs(speed) > options.impact_speed)) {
            continue;
        }
        if (near.count == near.room()) return Listing::NO_ROOM;
        const Int i = near.count;
        near.contact[i] = c;
        if (normal_terms(contact, gap, h, options, near.offset[i], near.softness[i])) ++near.count;
    }
    return impact ? Listing::IMPACT : Listing::QUIET;
}

void keep_rigid(const Mechanism& mechanism, ConstVec gap, NearContacts& near) {
    Int kept = 0;
    for (Int i = 0; i < near.count; ++i) {
        const Int c = near.contact[i];
        if (!rigid(mechanism.contacts[c]) || !(gap[c] <= TOUCH)) continue;
        near.contact[kept] = c;
        near.offset[kept] = near.softness[kept] = 0.0;
        ++kept;
    }
    near.count = kept;
}

double first_impact(const Mechanism& mechanism, const Path& path, ConstVec gap, const NearContacts& near, double distance,
                    Trial& trial) {
    double end = path.h;
    for (Int c = 0; c < gap.size; ++c) {
        const Contact& contact = mechanism.contacts[c];
        const bool discs = contact.kind == ContactKind::DISCS;
        const double way = discs ? 2.0 * distance : distance;
        if ((gap[c] - way >= -TOUCH && !carried(contact)) || !rigid(contact) || near.holds(c)) continue;
        const Follower moving{mechanism, path, c, trial};
        const double g = gap_of(mechanism, c, trial);
        if (g < -TOUCH) {
            end = closing_time(moving, gap[c], {end, g});
        } else if (discs && gap[c] > TOUCH && gap[c] + g < way) {
            const Passing inside = passing_time(moving, gap[c], {end, g}, way);
            if (inside.gap < -TOUCH) end = closing_time(moving, gap[c], inside);
            else trial.go(mechanism, path, end);
        }
    }
    return end;
}

}  // namespace mc
