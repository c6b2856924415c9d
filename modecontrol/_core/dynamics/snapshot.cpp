#include "dynamics/snapshot.hpp"

#include "dynamics/closures.hpp"

namespace mc {

void snapshot(const Mechanism& mechanism, const StateView& at, InstantWorkspace& work, const InstantArrays& out) {
    place(mechanism, at.q, work.pose);
    move(mechanism, work.pose, at.v, work.motion);
    out.M.fill(0.0);
    mass_matrix(mechanism, work.pose, work.composite, out.M);
    bias_force(mechanism, at, work.pose, work.motion, work.force, out.b);
    for (Int c = 0; c < out.gap.size; ++c) out.gap[c] = contact_rows(mechanism, c, work.pose, work.motion, {out.J, out.d, out.xd});
    all_closure_rows(mechanism, work.pose, work.motion, {out.G, out.e, out.opening});
    torque_box(mechanism, at.v, out.limits);
}

}  // namespace mc
