#include "dynamics/divide_conquer.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace mc {

namespace {

// `work(i)` for i from `from` to `to - 1`; what they do is independent of each other.
template <class Work> void each(Int from, Int to, Int threads, const Work& work) {
    if (threads > 1) {
        in_parallel(to - from, threads, [&] {
            return [&](Int i) {
                work(from + i);
                return true;
            };
        });
    } else {
        for (Int i = from; i < to; ++i) work(i);
    }
}

}  // namespace

Int assemble(const Mechanism& mechanism, View<const Pose> pose, ConstVec added, HandleEquations& work, Int threads,
             View<const Braking> braking) {
    const JoiningPlan& plan = work.plan;
    fit(work.diagonal, added.size);
    for (Int i = 0; i < added.size; ++i) work.diagonal[i] = mechanism.nodes[size_t(i)].armature + added[i];
    for (Int a = plan.bodies(); a < plan.bodies() + plan.grounds(); ++a)  // the ground does not yield
        for (Int k = 0; k < 9; ++k) work.phi[plan.parts[a].first_entry + k] = 0.0;
    const Flags fine(plan.bodies(), true);
    each(0, plan.bodies(), threads, [&](Int g) {
        fine[g] = free_directions(mechanism, pose, g, work);
        if (fine[g]) body_handles(mechanism, pose, g, braking, work);
    });
    const bool* bad = std::find(fine.data, fine.data + fine.size, false);
    if (bad != fine.data + fine.size) return plan.joints[bad - fine.data].node;
    for (size_t level = 0; level + 1 < plan.levels.size(); ++level)
        each(plan.levels[level], plan.levels[level + 1], threads, [&](Int o) { join(o, work); });
    return -1;
}

void substitute(ConstVec r, HandleEquations& work, Vec x, Int threads) {
    const std::vector<Int>& levels = work.plan.levels;
    work.b.fill({});
    for (size_t level = 0; level + 1 < levels.size(); ++level)
        each(levels[level], levels[level + 1], threads, [&](Int o) { bias_up(o, r, work); });
    for (Int level = Int(levels.size()) - 2; level >= 0; --level)
        each(levels[level], levels[level + 1], threads, [&](Int o) { force_down(o, work, x); });
}

Int solve_many(const Mechanism& mechanism, const JoiningPlan& plan, const ManySides& sides, Int threads) {
    HandleEquations work(plan);
    const Array<Pose> pose(mechanism.size());
    place(mechanism, sides.q, pose);
    const Int bad = assemble(mechanism, pose, sides.added, work, threads);
    for (Int k = 0; bad < 0 && k < sides.R.rows; ++k) substitute(sides.R.row(k), work, sides.X.row(k), threads);
    return bad;
}

}  // namespace mc
