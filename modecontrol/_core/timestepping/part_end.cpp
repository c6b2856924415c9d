#include "timestepping/part_end.hpp"

#include <algorithm>

#include "dynamics/applied_forces.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

// Energy that impulses handle: what each of them would give the bodies that it acts on, were they alone, and what its force over a
// time `h` would do on the way from the origin to where they are, as a weight does: where they are is rounded, too.
double handled(const Scene& scene, const ContactRows& rows, View<const Pose> pose, double h) {
    const double per_second = 1.0 / h;
    double total = 0.0;
    for (Int r = 0; r < rows.size(); ++r) {
        const double p = std::fabs(rows.p[r]);
        if (p == 0.0) continue;
        const ForceRow& row = rows.row[r];
        double given = 0.0, carried = 0.0;
        for (Int end = 0; end < row.ends; ++end) {
            const Int k = row.node[end];
            if (k < 0 || scene.lightness[size_t(k)].mass == 0.0) continue;
            const Lightness& light = scene.lightness[size_t(k)];
            const Wrench& f = row.force[end];
            const Pose& at = pose[k];
            const Point c = turned(at, light.com);
            const double moment = f.moment - (c.x * f.fy - c.y * f.fx);
            given += (f.fx * f.fx + f.fy * f.fy) * light.mass + moment * moment * light.inertia;
            carried += std::fabs(f.fx * at.x) + std::fabs(f.fy * at.y);
        }
        total += p * (p * given + per_second * carried);
    }
    return total;
}

}  // namespace

double PartEnd::find(const Scene& scene, const StepState& state, PartSolver& solved, bool locate) {
    using Scheme = PartSolver::Scheme;
    const double h = state.length;
    const bool flying = solved.scheme == Scheme::FLYING;
    ContactRows& rows = *solved.rows;
    const Path path{state.q, state.v, solved.v_plus, h, solved.scheme == Scheme::MIDDLE ? 0.5 : 1.0, flying ? ConstVec(solved.q_plus) : ConstVec{}};
    trial.go(scene.mechanism, path, h);
    double end = h;
    way = travelled(solved.bodies.pose, trial.pose, scene.reach);
    if (locate) end = first_impact(scene, path, state, rows.near, solved.bodies.pose, trial, way);
    const double part = end / h;
    if (flying && part < 1.0 && solved.fly(end)) {
        std::copy_n(solved.v_plus.data, v.size, v.data);
        std::copy_n(solved.q_plus.data, v.size, trial.q.data);
        place(scene.mechanism, trial.q, trial.pose);
        for (Int i = 0; i < rows.pins; ++i) rows.p[i] /= part;      // of which the record takes that part
        way = travelled(solved.bodies.pose, trial.pose, scene.reach);
        return part;
    }
    if (part < 1.0) way = travelled(solved.bodies.pose, trial.pose, scene.reach);
    for (Int i = 0; i < scene.size(); ++i)
        v[i] = part == 1.0 ? solved.v_plus[i] : state.v[i] + part * (solved.v_plus[i] - state.v[i]);
    return part;
}

double PartEnd::rounding(const Scene& scene, const EnergyEntry& made, const ContactRows& rows, View<const Pose> pose, double h) {
    const double sizes = made.before.kinetic + std::fabs(made.before.potential) + std::fabs(made.after.potential) + std::fabs(made.work);
    const double least = tolerances::WORK_ROUNDING * sizes;
    if (std::fabs(made.found()) <= least) return least;      // what impulses handle is not asked
    return tolerances::WORK_ROUNDING * (sizes + handled(scene, rows, pose, h));
}

EnergyEntry PartEnd::entry(const Scene& scene, const StepState& state, const PartSolver& solved, double part) {
    const Mechanism& mechanism = scene.mechanism;
    const ContactRows& rows = *solved.rows;
    move(mechanism, trial.pose, v, motion);
    level = energy_levels(mechanism, {trial.q, v}, trial.pose, motion);
    EnergyEntry made{solved.level, level, 0.0};
    made.before.potential += energy_of_soft_contacts(mechanism, rows.near, solved.bodies.pose);
    made.after.potential += energy_of_soft_contacts(mechanism, rows.near, trial.pose);
    for (Int i = 0; i < scene.size(); ++i) made.work += part * state.length * state.tau[i] * 0.5 * (state.v[i] + v[i]);
    made.work += solved.drives.work(solved.part(state.length), part, rows) + part * surface_work(rows);
    if (has_power_from_outside(mechanism))
        made.work += part * state.length * 0.5 * (power_from_outside(mechanism, solved.bodies.pose, solved.bodies.motion) +
                                                  power_from_outside(mechanism, trial.pose, motion));
    made.rounding = rounding(scene, made, rows, trial.pose, state.length);
    return made;
}

}  // namespace mc
