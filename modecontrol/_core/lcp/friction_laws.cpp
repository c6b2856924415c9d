// Contacts that are said to separate, slide or stick: the velocities that must then vanish, solved for all of them at once.
#include <algorithm>
#include <cmath>

#include "lcp/friction_solver.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr double PRODUCTS_OF_A_TURN = 40.0;     // of a turn beside the factors, for each pair of contacts
constexpr Int REFINEMENTS = 2;      // solutions with one matrix
constexpr Int PATIENCE = 3;         // turns of Newton's method in which not fewer contacts change their laws
constexpr Int DILATIONS = 20;       // convex problems in a row
constexpr Int DILATED_TURNS = 60;   // changes of laws in one of them

}  // namespace

// Breadth first from a contact far out (Cuthill and McKee): neighbours come close together.
void FrictionSolver::order(const Task& task) {
    const FrictionProblem& problem = task.problem;
    const auto flood = [&](Int from) {
        for (Int i : task.members) place_[i] = -1;
        order_.assign(1, from);
        place_[from] = 0;
        for (Int k = 0; k < Int(order_.size()); ++k) {
            const Int begin = Int(order_.size());
            for (const FrictionProblem::Neighbour& other : problem.neighbours(order_[k]))
                if (place_[other.contact] < 0) {
                    place_[other.contact] = 0;
                    order_.push_back(other.contact);
                }
            std::sort(order_.begin() + begin, order_.end(), [&](Int a, Int b) {
                const Int da = problem.neighbours(a).size, db = problem.neighbours(b).size;
                return da != db ? da < db : a < b;
            });
        }
    };
    flood(task.members[0]);
    flood(order_.back());
    for (Int k = 0; k < Int(order_.size()); ++k) place_[order_[k]] = k;
}

// The velocity of contact `i` with the softness about `centre_`, and with its dilation.
FrictionPair FrictionSolver::softened(const Task& task, Int i) const {
    const FrictionBlock& a = task.problem.own[i];
    const FrictionPair &p = task.p[i], &c = centre_[i];
    const double lift = dilated_ ? task.problem.mu[i] * slip_[i] : 0.0;
    return {u_[i].n + lift + soft_ * a.nn * (p.n - c.n), u_[i].t + soft_ * a.tt * (p.t - c.t)};
}

// What contact `i` does by its impulse and velocity, with the softness about `centre_`.
FrictionSolver::Law FrictionSolver::law_of(const Task& task, Int i) const {
    const FrictionBlock& a = task.problem.own[i];
    const FrictionPair& p = task.p[i];
    const FrictionPair u = softened(task, i);
    const double mu = task.problem.mu[i];
    if (!(mu > 0.0)) return p.n * a.nn - u.n > 0.0 ? Law::UP : Law::OPEN;        // the normal row alone
    if (dilated_) {
        const Law law = law_[i];
        const bool up = law == Law::UP || law == Law::STICK ? mu * p.n + p.t >= 0.0 : u.n + mu * u.t < 0.0;
        const bool down = law == Law::DOWN || law == Law::STICK ? mu * p.n - p.t >= 0.0 : u.n - mu * u.t < 0.0;
        return up && down ? Law::STICK : up ? Law::UP : down ? Law::DOWN : Law::OPEN;
    }
    if (!(p.n * a.nn - u.n > 0.0)) return Law::OPEN;
    const double t = p.t * a.tt - u.t, most = mu * p.n * a.tt;
    return t > most ? Law::UP : t < -most ? Law::DOWN : Law::STICK;
}

// Let contacts change their laws, all of them or the last that wants to; how many wanted to.
Int FrictionSolver::choose_laws(const Task& task, bool all) {
    Int changes = 0, last = -1;
    for (Int i : order_) {
        const Law law = law_of(task, i);
        if (law == law_[i]) continue;
        ++changes;
        last = i;
        if (all) law_[i] = law;
    }
    if (!all && last >= 0) law_[last] = law_of(task, last);
    return changes;
}

// The matrix of the velocities that vanish, in the order found, and its factors.
bool FrictionSolver::make_matrix(const Task& task) {
    Int rows = 0;
    for (Int i : order_) {
        row_[i] = rows;
        rows += law_[i] == Law::STICK ? 2 : law_[i] == Law::OPEN ? 0 : 1;
    }
    first_.resize(rows);
    for (Int i : order_) {
        if (law_[i] == Law::OPEN) continue;
        Int first = row_[i];
        for (const FrictionProblem::Neighbour& other : task.problem.neighbours(i))
            if (law_[other.contact] != Law::OPEN) first = std::min(first, row_[other.contact]);
        first_[row_[i]] = first;
        if (law_[i] == Law::STICK) first_[row_[i] + 1] = first;
    }
    matrix_.shape({first_.data(), rows});
    const auto slope = [&](Int j) { return law_[j] == Law::UP ? task.problem.mu[j] : -task.problem.mu[j]; };
    const auto write = [&](Int i, Int j, FrictionBlock b, double softer) {
        if (dilated_ && law_[i] != Law::STICK && task.problem.mu[i] > 0.0) {
            b.tt *= softer;
            b.nn = b.nn * softer + slope(i) * b.tn;
            b.nt += slope(i) * b.tt;
            softer = 1.0;
        }
        const Int r = row_[i], c = row_[j];
        const bool rough = law_[i] == Law::STICK;
        if (law_[j] == Law::STICK) {
            matrix_.set(r, c, b.nn * softer);
            matrix_.set(r, c + 1, b.nt);
            if (rough) matrix_.set(r + 1, c, b.tn), matrix_.set(r + 1, c + 1, b.tt * softer);
        } else {
            matrix_.set(r, c, b.nn * softer + slope(j) * b.nt);
            if (rough) matrix_.set(r + 1, c, b.tn + slope(j) * b.tt * softer);
        }
    };
    for (Int i : order_) {
        if (law_[i] == Law::OPEN) continue;
        const Int host = task.problem.host[i];
        write(i, i, task.problem.own[i], 1.0 + soft_);
        for (const FrictionProblem::Neighbour& other : task.problem.neighbours(i)) {
            if (law_[other.contact] == Law::OPEN) continue;
            if (other.contact != host) write(i, other.contact, other.block, 1.0);
            else write(i, host, {-task.problem.own[i].nn, other.block.nt, other.block.tn, other.block.tt}, 1.0);
        }
    }
    spent_ += matrix_.work() + PRODUCTS_OF_A_TURN * links_;
    return matrix_.factor(tolerances::ROUNDING);
}

// One step to the impulses that make the chosen velocities vanish, softness about `centre_` included.
bool FrictionSolver::solve_laws(const Task& task) {
    const auto slope = [&](Int i) { return law_[i] == Law::UP ? task.problem.mu[i] : -task.problem.mu[i]; };
    for (Int i : order_) {
        if (law_[i] == Law::OPEN) task.p[i] = {};
        else if (law_[i] != Law::STICK) task.p[i].t = slope(i) * task.p[i].n;
    }
    task.problem.velocities(task.members, task.p, {u_.data(), Int(u_.size())});
    x_.assign(matrix_.size(), 0.0);
    for (Int i : order_) {
        if (law_[i] == Law::OPEN) continue;
        const FrictionPair u = softened(task, i);
        x_[row_[i]] = dilated_ && law_[i] != Law::STICK ? -u.n - slope(i) * u.t : -u.n;
        if (law_[i] == Law::STICK) x_[row_[i] + 1] = -u.t;
    }
    matrix_.solve({x_.data(), Int(x_.size())});
    double total = 0.0;
    for (const double x : x_) total += std::fabs(x);
    if (!std::isfinite(total)) return false;
    for (Int i : order_) {
        if (law_[i] == Law::OPEN) continue;
        task.p[i].n += x_[row_[i]];
        if (law_[i] == Law::STICK) task.p[i].t += x_[row_[i] + 1];
        else task.p[i].t = slope(i) * task.p[i].n;
    }
    task.problem.velocities(task.members, task.p, {u_.data(), Int(u_.size())});
    return true;
}

// Laws from problems that are convex: sliding contacts dilate by what they slid in the problem before.
void FrictionSolver::dilate(const Task& task) {
    dilated_ = true;
    soft_ = tolerances::PROXIMAL;
    for (Int i : task.members) law_[i] = law_of(task, i);
    for (Int turn = 0; turn < DILATIONS; ++turn) {
        double change = 0.0;
        for (Int i : task.members) {
            const double slip = std::fabs(u_[i].t);
            change = larger(change, std::fabs(slip - slip_[i]));
            slip_[i] = slip;
        }
        if (turn > 0 && change <= tolerances::SWEPT * task.problem.speed(task.members)) break;
        for (Int i : task.members) centre_[i] = task.p[i];
        if (!settle_laws(task, DILATED_TURNS) || enough()) break;
    }
    dilated_ = false;
    task.problem.put_into_cones(task.members, task.p);
    judge(task);
}

// Change laws and solve until no contact wants another; false when that takes too long.
bool FrictionSolver::settle_laws(const Task& task, Int turns) {
    Int fewest = task.members.size + 1, patience = PATIENCE;
    for (Int turn = 0; turn < turns; ++turn) {
        const Int changes = choose_laws(task, patience > 0);
        if (changes == 0 && turn > 0) return true;
        if (changes < fewest) fewest = changes, patience = PATIENCE;
        else --patience;
        ++found_.turns;
        if (enough()) return false;
        if (!make_matrix(task)) return false;
        for (Int k = 0; k < REFINEMENTS; ++k)
            if (!solve_laws(task)) return false;
    }
    return false;
}

}  // namespace mc
