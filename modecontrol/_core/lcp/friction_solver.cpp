#include "lcp/friction_solver.hpp"

#include <algorithm>
#include <cmath>

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr FrictionSolver::Go QUICK[] = {{4, 10, tolerances::PROXIMAL, false}};
constexpr FrictionSolver::Go TELL_LAWS = {0, 10, tolerances::PROXIMAL, false};
constexpr FrictionSolver::Go LED[] = {{4, 20, tolerances::PROXIMAL, true}, {20, 20, 1e-2, false}};
constexpr FrictionSolver::Go SETTLE = {500, 10, tolerances::PROXIMAL, false};
constexpr double INSIDE[] = {0.1, 1.0};     // how far inside the cones ways begin, in units of the speeds at hand
constexpr FrictionSolver::Go THOROUGH[] = {{20, 20, 1e-2, false}, {100, 50, 0.1, true}, {500, 50, 0.1, false}};
constexpr double MOST_PRODUCTS = 4e7;       // within one step, before what is COARSE is accepted: some hundredths of a second
constexpr double PRODUCTS_OF_A_PAIR = 8.0;  // in a sweep
constexpr double STIFFER = 0.1;     // from one softness to the next
constexpr Int POLISHING = 2;        // turns of Newton's method for what sweeps have solved
constexpr Int MOST_CENTRES = 8;     // centres of the softness

// The impulse with which contact `i` obeys its own law when its velocity is `q + A_ii p`.
FrictionPair own_answer(const FrictionBlock& a, double mu, const FrictionPair& q, const FrictionPair& before) {
    if (q.n >= 0.0 && !(mu > 0.0)) return {};
    if (!(mu > 0.0)) return {-q.n / a.nn, 0.0};
    if (q.n >= 0.0) return {};
    const double det = a.nn * a.tt - a.nt * a.tn;
    const FrictionPair stuck{(-q.n * a.tt + q.t * a.nt) / det, (-q.t * a.nn + q.n * a.tn) / det};
    if (stuck.n >= 0.0 && std::fabs(stuck.t) <= mu * stuck.n) return stuck;
    for (const double sign : {stuck.t > 0.0 ? 1.0 : -1.0, stuck.t > 0.0 ? -1.0 : 1.0}) {
        const double divisor = a.nn + sign * mu * a.nt;
        if (!(divisor > 0.0)) continue;
        const double n = -q.n / divisor;
        if (sign * (q.t + (a.tn + sign * mu * a.tt) * n) <= 0.0) return {n, sign * mu * n};
    }
    const FrictionPair u{q.n + a.nn * before.n + a.nt * before.t, q.t + a.tn * before.n + a.tt * before.t};
    return in_cone({before.n - u.n / a.nn, before.t - u.t / a.tt}, mu);
}

}  // namespace

bool FrictionSolver::spent() const { return spent_ > MOST_PRODUCTS; }

// Whether the work of the step is spent and what was found will do.
bool FrictionSolver::enough() const { return spent() && found_.residual <= tolerances::COARSE; }

// Velocities and certificate of the present impulses; the best are kept.
double FrictionSolver::judge(const Task& task) {
    const View<FrictionPair> u{u_.data(), Int(u_.size())};
    if (task.problem.any_follows()) task.problem.put_into_cones(task.members, task.p);
    task.problem.velocities(task.members, task.p, u);
    last_ = task.problem.residual(task.members, task.p, u);
    if (last_ < found_.residual) {
        found_.residual = last_;
        for (Int i : task.members) best_[i] = task.p[i];
    }
    return last_;
}

// One sweep over the contacts; `u_` is kept up to date.
void FrictionSolver::sweep(const Task& task, bool backwards) {
    const Int m = task.members.size;
    spent_ += PRODUCTS_OF_A_PAIR * links_;
    for (Int k = 0; k < m; ++k) {
        const Int i = order_[backwards ? m - 1 - k : k];
        const FrictionBlock& a = task.problem.own[i];
        if (!(a.nn > 0.0)) continue;
        FrictionPair& p = task.p[i];
        FrictionPair q{u_[i].n - a.nn * p.n - a.nt * p.t, u_[i].t - a.tn * p.n - a.tt * p.t};
        if (task.problem.follows(i)) q.n = -a.nn * task.p[task.problem.host[i]].n;
        const FrictionPair next = own_answer(a, task.problem.mu[i], q, p), d{next.n - p.n, next.t - p.t};
        if (d.n == 0.0 && d.t == 0.0) continue;
        p = next;
        u_[i] = {q.n + a.nn * p.n + a.nt * p.t, q.t + a.tn * p.n + a.tt * p.t};
        for (const FrictionProblem::Neighbour& other : task.problem.neighbours(i)) {
            const FrictionBlock& b = other.block;       // its transpose is what `i` does to the other
            u_[other.contact].n += b.nn * d.n + b.tn * d.t;
            u_[other.contact].t += b.nt * d.n + b.tt * d.t;
        }
    }
}

// Newton's method with less and less softness; whether it found an answer.
bool FrictionSolver::newton(const Task& task, const Go& go) {
    for (soft_ = go.softness; soft_ > 0.5 * tolerances::PROXIMAL; soft_ *= STIFFER)
        if (newton_turns(task, go.turns) || enough()) return found_.residual <= tolerances::NEWTON;
    return false;
}

// Newton's method with one softness for so many turns.
//
// While fewer and fewer contacts want another law all of them get it; otherwise one at a time (Murty 1974).
bool FrictionSolver::newton_turns(const Task& task, Int turns) {
    for (Int i : task.members) law_[i] = Law::OPEN;
    for (Int k = 0; k < MOST_CENTRES; ++k) {
        for (Int i : task.members) centre_[i] = task.p[i];
        const double before = found_.residual;
        const bool settled = settle_laws(task, turns);
        // the answer with softness: judge it without, then move the centre there
        for (Int i : task.members) kept_[i] = task.p[i];
        task.problem.put_into_cones(task.members, task.p);
        if (judge(task) <= tolerances::REFINED) return true;
        if (!settled || last_ > 0.5 * before) break;
        for (Int i : task.members) task.p[i] = kept_[i];
        task.problem.velocities(task.members, task.p, {u_.data(), Int(u_.size())});
    }
    return found_.residual <= tolerances::NEWTON;
}

// Whether it found an answer; if not, the impulses are the best seen.
bool FrictionSolver::make(const Task& task, const Go& go) {
    for (Int k = 0; k < go.sweeps; ++k) sweep(task, k % 2 == 1);
    found_.sweeps += go.sweeps;
    if (judge(task) <= tolerances::NEWTON) {
        soft_ = tolerances::PROXIMAL;
        if (last_ > tolerances::REFINED) newton_turns(task, POLISHING);
        return true;
    }
    if (go.dilate) dilate(task);
    if (newton(task, go)) return true;
    for (Int i : task.members) task.p[i] = best_[i];
    judge(task);
    return false;
}

// From inside the cones to where the law of each contact can be told, then Newton's method.
bool FrictionSolver::from_inside(const Task& task, double inside) {
    interior_.solve({task.problem, {order_.data(), task.members.size}, task.p}, inside, tolerances::SWEPT);
    spent_ += interior_.products;
    found_.turns += interior_.turns;
    return make(task, TELL_LAWS);
}

// The same from near the present impulses and from further inside, then once more after many sweeps.
bool FrictionSolver::from_inside(const Task& task) {
    for (const double inside : INSIDE)
        if (enough() || from_inside(task, inside)) return found_.residual <= tolerances::NEWTON;
    return enough() || make(task, SETTLE) || enough() || from_inside(task, INSIDE[0]);
}

FrictionOutcome FrictionSolver::solve(const FrictionProblem& problem, View<const Int> members, View<FrictionPair> p,
                                      Effort effort) {
    const Task task{problem, members, p};
    const size_t m = size_t(problem.size());
    if (u_.size() < m) {
        u_.resize(m);
        best_.resize(m);
        kept_.resize(m);
        centre_.resize(m);
        slip_.resize(m);
        law_.resize(m);
        place_.resize(m);
        row_.resize(m);
    }
    found_ = {};
    problem.put_into_cones(members, p);
    if (judge(task) <= tolerances::NEWTON) {
        found_.solved = found_.warm = true;
        return found_;
    }
    order(task);
    links_ = double(members.size);
    for (Int i : members) links_ += double(problem.neighbours(i).size);
    bool done = false;
    const auto all = [&](const auto& goes) {
        for (const Go& go : goes) done = done || enough() || make(task, go);
    };
    switch (effort) {
        case Effort::QUICK: all(QUICK); break;
        case Effort::INSIDE: done = from_inside(task); break;
        case Effort::LED: all(LED); break;
        case Effort::DRAWN: done = draw_near(task); break;
        case Effort::THOROUGH:
            all(QUICK);
            done = done || from_inside(task);
            all(THOROUGH);
            break;
    }
    for (Int i : members) p[i] = best_[i];
    found_.solved = found_.residual <= tolerances::SWEPT;
    return found_;
}

}  // namespace mc
