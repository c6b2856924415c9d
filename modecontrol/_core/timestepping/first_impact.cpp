#include "timestepping/first_impact.hpp"

#include <cmath>

#include "tolerances.hpp"

namespace mc {

namespace {

using tolerances::TOUCH;

const double GOLDEN = 0.5 * (std::sqrt(5.0) - 1.0);

// Gap of a contact; of a shape, the smallest of the touches of its pair that are not `held`.
double gap_of(const Mechanism& mechanism, Int c, const Trial& trial, View<const Feature> held) {
    const Contact& contact = mechanism.contacts[c];
    return contact.shaped() ? least_new_gap(mechanism, contact, trial.pose, held) : contact_frame(mechanism, contact, trial.pose).gap;
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

}  // namespace

double first_impact(const Scene& scene, const Path& path, const StepState& state, const NearContacts& near,
                    View<const Pose> before, Trial& trial, double distance) {
    const Mechanism& mechanism = scene.mechanism;
    double end = path.h;
    for (Int c = 0; c < state.gap.size; ++c) {
        const Watch& watch = scene.watch[c];
        const double way = watch.ways * distance;
        if ((state.budget[c] - way >= -TOUCH && watch.bounded) || !watch.rigid || !watch.asked) continue;
        const Contact& contact = mechanism.contacts[c];
        const bool both = contact.kind == ContactKind::DISCS || contact.shaped();
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
        const bool may_pass = both && start > TOUCH && start + g < way;
        if (g >= -TOUCH && !may_pass) continue;
        const Follower moving{mechanism, path, c, trial, held};
        if (g < -TOUCH) {
            end = closing_time(moving, start, {end, g});
            trial.go(mechanism, path, end);
        } else {
            const Passing inside = passing_time(moving, start, {end, g}, way);
            if (inside.gap < -TOUCH) end = closing_time(moving, start, inside);
            trial.go(mechanism, path, end);
        }
    }
    return end;
}

}  // namespace mc
