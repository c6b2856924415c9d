#include "timestepping/part_solver.hpp"

#include <algorithm>

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int ROOM = 12;            // near contacts that the work space has room for at first; it grows when there are more
constexpr Int MOST_PASSES = 6;      // attempts at a part whose forces are taken in its middle

}  // namespace

PartSolver::PartSolver(const Scene& scene, StepState& state, StepperParts parts)
    : bodies(scene.size()), v_plus(scene.size()), drives(scene.mechanism), scene_(scene), state_(state),
      response_(std::move(parts.response)), whole_(parts.whole), pin_sum_(scene.pins()) {
    const Integrator how = scene.options.integrator;
    if (how == Integrator::RUNGE_KUTTA || how == Integrator::FREE_RUNGE_KUTTA)
        runge_kutta = std::make_unique<RungeKutta>(scene.size(), scene.pins());
    if (how == Integrator::THETA || how == Integrator::FREE_RUNGE_KUTTA)
        midpoint = std::make_unique<Midpoint>(scene.size(), scene.contacts());
    if (how == Integrator::FREE_RUNGE_KUTTA) q_plus = Array<double>(scene.size());
    make_room(scene.most_near() < ROOM ? scene.most_near() : ROOM);
}

void PartSolver::make_room(Int room) {
    const Int hinges = response_ ? response_->hinges() : 0;
    rows = std::make_unique<ContactRows>(scene_.pins(), room);
    rows->driven = drives.count();
    problem_ = std::make_unique<StepProblem>(hinges + scene_.pins(), room, whole_);
    if (response_) response_->make_room(scene_.pins() + 2 * room);
}

void PartSolver::place() {
    mc::place(scene_.mechanism, state_.q, bodies.pose);
    moved = false;
    if (midpoint) midpoint->forget();
}

Listing PartSolver::list() {
    if (!moved) {
        move(scene_.mechanism, bodies.pose, state_.v, bodies.motion);
        level = energy_levels(scene_.mechanism, {state_.q, state_.v}, bodies.pose, bodies.motion);
        moved = true;
    }
    for (;;) {
        const Listing found = list_near(scene_, bodies.pose, bodies.motion, state_.length, state_, rows->near);
        if (found != Listing::NO_ROOM) return found;
        const Int twice = 2 * rows->near.room();
        make_room(twice < scene_.most_near() ? twice : scene_.most_near());
    }
}

PartStatus PartSolver::solve(double h, bool decompression) {
    if (h > 0.0 && midpoint && response_ && !plainly) {
        if (runge_kutta && rows->near.count == 0 && scene_.mechanism.drags.empty()) scheme = fly(h) ? Scheme::FLYING : Scheme::PLAIN;
        else scheme = solve_in_the_middle(h) ? Scheme::MIDDLE : Scheme::PLAIN;
        if (scheme != Scheme::PLAIN) return PartStatus::SOLVED;
        list();     // its terms as they are for a plain step
    }
    scheme = Scheme::PLAIN;
    rows->turning.fill(0.0);
    return solve_plainly(h, decompression);
}

// With forces in the middle of the part; false when some attempt has no answer, or when attempts lead to and fro.
bool PartSolver::solve_in_the_middle(double h) {
    pin_targets(scene_.mechanism, bodies.pose, scene_.options.correction / scene_.options.h, rows->target);
    drives.write_targets(scene_, state_.q, part(h), false, *rows);
    midpoint->guess(state_, h, *rows);
    if (may_hold(scene_.mechanism, rows->near)) {
        write_rows(scene_.mechanism, bodies.pose, *rows);
        hold_resting(scene_.mechanism, bodies.motion, *rows);
    }
    const bool pulled = write_pulls(*rows);
    double change = INF;
    for (Int pass = 0; pass < MOST_PASSES && !(change <= tolerances::MIDPOINT); ++pass) {
        midpoint->prepare(scene_.mechanism, state_, h, *rows);
        if (!state_.recovery) relax(*rows);
        const StepMoment at{scene_, state_, midpoint->bodies, *rows, h, pulled, {midpoint->q, midpoint->v}};
        if (response_->free_motion(at) >= 0) return false;
        if (!problem_->solve(at, *response_, *rows, memory(), level.kinetic, v_plus)) return false;
        answer = problem_->answer;
        change = midpoint->change(state_, v_plus, h);
    }
    return change <= tolerances::NO_MIDPOINT;
}

bool PartSolver::fly(double h) {
    std::copy_n(state_.q.data, state_.q.size, q_plus.data);
    std::copy_n(state_.v.data, state_.v.size, v_plus.data);
    pin_sum_.fill(0.0);
    answer = {};
    const bool flown = runge_kutta->step(scene_, {q_plus, v_plus, state_.tau, h, pin_sum_}, *rows, midpoint->bodies) < 0;
    std::copy_n(pin_sum_.data, rows->pins, rows->p.data);
    return flown;
}

PartStatus PartSolver::solve_plainly(double h, bool decompression) {
    if (rows->size() > 0) {
        const double rate = h > 0.0 ? scene_.options.correction / scene_.options.h : 0.0;
        pin_targets(scene_.mechanism, bodies.pose, rate, rows->target);
        drives.write_targets(scene_, state_.q, part(h), !midpoint, *rows);
        write_rows(scene_.mechanism, bodies.pose, *rows);
        if (h > 0.0) hold_resting(scene_.mechanism, bodies.motion, *rows);
        if (!state_.recovery) relax(*rows);
    }
    if (!response_) return PartStatus::ASK;
    const bool pulled = h > 0.0 && write_pulls(*rows);
    const StepMoment at{scene_, state_, bodies, *rows, h, decompression || pulled};
    singular = response_->free_motion(at);
    if (singular >= 0) return PartStatus::SINGULAR;
    if (!problem_->solve(at, *response_, *rows, memory(), level.kinetic, v_plus)) return PartStatus::ASK;
    answer = problem_->answer;
    return PartStatus::SOLVED;
}

}  // namespace mc
