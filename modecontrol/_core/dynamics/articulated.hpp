// Articulated-body recursion: factor `M + diag(added)` in O(n), then solve with it in O(n).
//
// `M = [1 + H phi K] D [1 + H phi K]^T` (Eq. (59) of Jain 2014): tips to base, the inertia `A_i` that a node shows to its parent's
// motion when its own joint is free,
//
//     U_i = A_i s_i        D_i = s_i . U_i        A_parent += shift(A_i - U_i U_i^T / D_i)
//
// Forward dynamics is `solve` with `r = S tau - b` (`bias_force` of `tree.hpp` gives `b`). `added` puts terms on the diagonal:
// zeros for plain dynamics, `h D + h^2 K` for a step implicit in joint dampers and springs.
#pragma once

#include "dynamics/drag.hpp"

namespace mc {

// Articulated inertia (symmetric 3 x 3) beside the rigid composite one, which says what is small.
struct ArticulatedInertia {
    double a00, a01, a02, a11, a12, a22;
    RigidInertia rigid;
};

struct JointFactor {
    Wrench U;
    double D;
};

// The factors of one configuration with all work space; `pose`, `factors` and `motion` are read by other recursions.
struct ArticulatedBodies {
    explicit ArticulatedBodies(Int n)
        : pose(n), motion(n), factors(n), force(n), accel(n), bias(n), inertia(n) {}
    ArticulatedBodies(const ArticulatedBodies&) = delete;
    ArticulatedBodies& operator=(const ArticulatedBodies&) = delete;

    Array<Pose> pose;
    Array<Motion> motion;
    Array<JointFactor> factors;
    Array<Wrench> force;                // on each node about its own origin
    Array<Twist> accel;                 // that the last solution gives each node
    Array<double> bias;
    Array<ArticulatedInertia> inertia;

    // Fill `factors` at `pose`; -1, or the node whose joint moves nothing that has mass. A joint counts as that when
    // `D_i <= SINGULAR M_ii`: then `M` is singular, as with massless end links, and forward dynamics has no answer. `braking` of the
    // nodes, if any, counts as inertia.
    Int factor(const Mechanism& mechanism, ConstVec added, View<const Braking> braking = {});

    // `x = (M + diag(added))^-1 (r + J^T f)` with `f` the wrenches in `force`, which is used up; fills `accel`.
    void solve(const Mechanism& mechanism, ConstVec r, Vec x);

    // The same with no wrenches.
    void solve_alone(const Mechanism& mechanism, ConstVec r, Vec x);

    // `qdd = (M + diag(added))^-1 (tau - b)` with generalised forces `tau`; -1, or the node where `factor` failed.
    Int accelerations(const Mechanism& mechanism, const StateView& at, ConstVec tau, ConstVec added, Vec qdd);
};

// `X = (M + diag(added))^-1 R` for right-hand sides in the rows of `R` (m, n); -1, or the node where `factor` failed.
Int solve_many(const Mechanism& mechanism, ConstVec q, ConstVec added, ConstMat R, Mat X);

}  // namespace mc
