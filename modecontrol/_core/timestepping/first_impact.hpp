// When the first of the open contacts closes on the way to the end of a step.
#pragma once

#include "timestepping/detection.hpp"

namespace mc {

// The way within a step from `q` at velocity `v`, forces held: `v(s) = v + (s / h)(v_plus - v)`, `q(s) = q + s (v + weight (v(s) -
// v))`; where `q_plus` is given, the cubic between both states.
struct Path {
    ConstVec q, v, v_plus;
    double h;
    double weight = 1.0;            // 1 semi-implicit, 1/2 the trapezoidal rule
    ConstVec q_plus{};

    // Coordinate `i` at the time `s`.
    double at(double s, Int i) const {
        const double x = s / h;
        if (q_plus.size == 0) return q[i] + s * (v[i] + weight * x * (v_plus[i] - v[i]));
        const double late = x * x * (3.0 - 2.0 * x), in = x * (1.0 - x) * (1.0 - x), out = -x * x * (1.0 - x);
        return q[i] + late * (q_plus[i] - q[i]) + h * (in * v[i] + out * v_plus[i]);
    }
};

// Where a path is looked at: a configuration and its poses.
struct Trial {
    explicit Trial(Int n) : q(n), pose(n), way(n) {}
    void go(const Mechanism& mechanism, const Path& path, double s) {
        for (Int i = 0; i < q.size; ++i) q[i] = path.at(s, i);
        place(mechanism, q, pose);
    }

    // The nodes that carry either side of a contact, tips first, into `way`; how many they are.
    Int carriers(const Mechanism& mechanism, const Contact& contact) {
        Int count = 0;
        for (Int a = contact.node, b = contact.other; a >= 0 || b >= 0;) {
            const Int i = a > b ? a : b, up = mechanism.nodes[i].parent;
            way[count++] = i;
            if (a == i) a = up;
            if (b == i) b = up;
        }
        return count;
    }

    Array<double> q;
    Array<Pose> pose;
    Array<Int> way;
};

// End of the motion along the path: `h`, or the time at which the first open rigid contact closes.
//
// Discs and shapes that are apart at both ends of the way may have met on it: quick ones are followed. `before` are the poses at its
// beginning. `trial` is at `h` on entry and at the
// answer on exit; no point moves further than `distance` on the way. Contacts that take part in the step's contact problem
// (`near`) have been dealt with there.
double first_impact(const Scene& scene, const Path& path, const StepState& state, const NearContacts& near,
                    View<const Pose> before, Trial& trial, double distance);

}  // namespace mc
