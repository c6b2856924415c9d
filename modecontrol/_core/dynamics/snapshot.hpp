// Everything that a model knows at one instant: `M qdd + b = S tau + J^T f + G^T lam`, `J qdd + d`, `G qdd + e = 0`.
#pragma once

#include "dynamics/contacts.hpp"

namespace mc {

// Where the numbers of an instant go: `M` (n, n), `b` (n,), `J` (2k, n), `d`, `xd` (2k,), `gap` (k,), `G` (l, n), `e`,
// `opening` (l,), torque limits (t, 2).
struct InstantArrays {
    Mat M;
    Vec b;
    Mat J;
    Vec d, xd, gap;
    Mat G;
    Vec e, opening;
    Mat limits;
};

// Work space for a tree of `n` nodes.
struct InstantWorkspace {
    explicit InstantWorkspace(Int n) : pose(n), motion(n), composite(n), force(n) {}
    InstantWorkspace(const InstantWorkspace&) = delete;
    InstantWorkspace& operator=(const InstantWorkspace&) = delete;

    Array<Pose> pose;
    Array<Motion> motion;
    Array<RigidInertia> composite;
    Array<Wrench> force;
};

// Nothing is allocated.
void snapshot(const Mechanism& mechanism, const StateView& at, InstantWorkspace& work, const InstantArrays& out);

}  // namespace mc
