#include "lcp/friction_interior.hpp"

#include <cmath>

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int MOST_TURNS = 40;
constexpr double WAY = 0.9;         // part of the way to the nearest wall that is gone at least
constexpr double SHORT = 0.3;       // part of a turn: where less can be gone, turns more towards the middle are tried
constexpr double STUCK = 0.02;      // part of a turn: two in a row that are shorter end at a wall
constexpr double PRODUCTS_OF_A_PAIR = 24.0;     // of a turn beside the factors

}  // namespace

// Rows of the contacts and their matrix.
void InteriorPoint::make_rows(const Task& task) {
    const FrictionProblem& problem = task.problem;
    if (Int(cells_.size()) < problem.size()) cells_.resize(size_t(problem.size()));
    Int rows = 0;
    for (const Int i : task.order) {
        Cell& cell = cells_[i];
        const bool follows = problem.follows(i), rough = problem.mu[i] > 0.0;
        cell.normal = follows ? -1 : rows++;
        cell.tangential = rough ? rows++ : -1;
        cell.host = follows ? problem.host[i] : i;
        cell.first = follows ? 1 : 0;
        cell.end = rough ? 3 : 1;
    }
    const auto first_row = [&](Int i) { return cells_[i].normal >= 0 ? cells_[i].normal : cells_[i].tangential; };
    rows_.resize(size_t(rows));
    for (const Int i : task.order) {
        Int first = rows;
        const auto reach = [&](Int j) {
            const Int r = first_row(j);
            if (r >= 0 && r < first) first = r;
        };
        reach(i);
        for (const FrictionProblem::Neighbour& other : problem.neighbours(i)) reach(other.contact);
        if (cells_[i].normal >= 0) rows_[cells_[i].normal] = first;
        if (cells_[i].tangential >= 0) rows_[cells_[i].tangential] = first;
    }
    plain_.shape({rows_.data(), rows});
    const auto write = [&](const Cell& c, const Cell& d, const FrictionBlock& b) {
        if (c.normal >= 0 && d.normal >= 0) plain_.set(c.normal, d.normal, b.nn);
        if (c.normal >= 0 && d.tangential >= 0) plain_.set(c.normal, d.tangential, b.nt);
        if (c.tangential >= 0 && d.normal >= 0) plain_.set(c.tangential, d.normal, b.tn);
        if (c.tangential >= 0 && d.tangential >= 0) plain_.set(c.tangential, d.tangential, b.tt);
    };
    for (const Int i : task.order) {
        write(cells_[i], cells_[i], problem.own[i]);
        for (const FrictionProblem::Neighbour& other : problem.neighbours(i)) write(cells_[i], cells_[other.contact], other.block);
    }
}

// The first point: the present impulses, moved away from the walls.
void InteriorPoint::enter(const Task& task, double inside) {
    const double speed = task.problem.speed(task.order);
    double largest = 0.0;
    const auto mobility = [&](Int i) {
        const double most = larger(task.problem.own[i].nn, task.problem.own[i].tt);
        return most > 0.0 ? std::sqrt(most) : 1.0;
    };
    for (const Int i : task.order) largest = larger(largest, 1.0 / mobility(i));
    energy_ = speed * largest * speed * largest;
    const double unit = inside * speed * largest;       // root of an energy
    for (const Int i : task.order)
        if (!task.problem.follows(i)) task.p[i].n = larger(task.p[i].n, unit / mobility(i));
    for (const Int i : task.order) {
        const double mu = task.problem.mu[i], n = task.p[cells_[i].host].n, most = WAY * mu * n;
        task.p[i] = {n, larger(-most, smaller(most, task.p[i].t))};
    }
    u_.resize(size_t(task.problem.size()));
    task.problem.velocities(task.order, task.p, {u_.data(), Int(u_.size())});
    for (const Int i : task.order) {
        Cell& cell = cells_[i];
        const FrictionPair& p = task.p[i];
        const double mu = task.problem.mu[i], least = unit * mobility(i);
        cell.x[0] = p.n;
        cell.x[1] = mu * p.n - p.t;
        cell.x[2] = mu * p.n + p.t;
        cell.y[0] = larger(u_[i].n, least);
        cell.y[1] = larger(-u_[i].t, 0.0) + least;
        cell.y[2] = larger(u_[i].t, 0.0) + least;
    }
}

bool InteriorPoint::factor(const Task& task) {
    matrix_ = plain_;
    for (const Int i : task.order) {
        const Cell& c = cells_[i];
        if (c.normal >= 0) matrix_.add(c.normal, c.normal, c.y[0] / c.x[0]);
        if (c.tangential < 0) continue;
        const double one = c.y[1] / c.x[1], two = c.y[2] / c.x[2];
        matrix_.add(c.tangential, cells_[c.host].normal, task.problem.mu[i] * (two - one));
        matrix_.add(c.tangential, c.tangential, one + two);
    }
    products += matrix_.work() + PRODUCTS_OF_A_PAIR * double(matrix_.size());
    return matrix_.factor(tolerances::ROUNDING);
}

// The direction to where every product, terms of second order included, is `tau`; the part of it that stays inside.
double InteriorPoint::towards(const Task& task, double tau) {
    const auto pull = [tau](const Cell& c, Int k) { return (tau - c.second[k]) / c.x[k]; };
    step_.resize(size_t(matrix_.size()));
    for (const Int i : task.order) {
        const Cell& c = cells_[i];
        if (c.normal >= 0) step_[c.normal] = pull(c, 0) - u_[i].n;
        if (c.tangential >= 0) step_[c.tangential] = pull(c, 2) - pull(c, 1) - u_[i].t;
    }
    matrix_.solve({step_.data(), Int(step_.size())});
    double part = 1.0;
    for (const Int i : task.order) {
        Cell& c = cells_[i];
        const double n = step_[cells_[c.host].normal], t = c.tangential < 0 ? 0.0 : step_[c.tangential];
        c.dx[0] = n;
        c.dx[1] = task.problem.mu[i] * n - t;
        c.dx[2] = task.problem.mu[i] * n + t;
        for (Int k = c.first; k < c.end; ++k) {
            c.dy[k] = pull(c, k) - c.y[k] - c.y[k] / c.x[k] * c.dx[k];
            if (c.dx[k] < 0.0) part = smaller(part, -c.x[k] / c.dx[k]);
            if (c.dy[k] < 0.0) part = smaller(part, -c.y[k] / c.dy[k]);
        }
    }
    return part;
}

// The mean product, so far along the direction.
double InteriorPoint::gap(const Task& task, double part) const {
    double total = 0.0;
    Int pairs = 0;
    for (const Int i : task.order) {
        const Cell& c = cells_[i];
        for (Int k = c.first; k < c.end; ++k, ++pairs) total += (c.x[k] + part * c.dx[k]) * (c.y[k] + part * c.dy[k]);
    }
    return total / double(pairs);
}

// One turn; the part of it that was gone.
double InteriorPoint::turn(const Task& task) {
    const auto second_order = [&](double factor) {
        for (const Int i : task.order) {
            Cell& c = cells_[i];
            for (Int k = c.first; k < c.end; ++k) c.second[k] = factor == 0.0 ? 0.0 : factor * c.dx[k] * c.dy[k];
        }
    };
    second_order(0.0);
    const double now = gap(task, 0.0), ahead = gap(task, towards(task, 0.0)) / now;
    second_order(1.0);
    double part = towards(task, now * larger(tolerances::AIM, smaller(1.0, ahead * ahead * ahead)));
    if (part < SHORT) {
        second_order(0.0);
        const double half = towards(task, 0.5 * now), none = half < SHORT ? towards(task, now) : 0.0;
        part = none > half ? none : half < SHORT ? towards(task, 0.5 * now) : half;
    }
    part = smaller(1.0, larger(WAY, 1.0 - now / energy_) * part);
    for (const Int i : task.order) {
        Cell& c = cells_[i];
        for (Int k = c.first; k < c.end; ++k) {
            c.x[k] += part * c.dx[k];
            c.y[k] += part * c.dy[k];
        }
    }
    for (const Int i : task.order) {
        const Cell &c = cells_[i], &host = cells_[c.host];
        task.p[i] = {host.x[0], c.tangential < 0 ? 0.0 : 0.5 * (c.x[2] - c.x[1])};
    }
    return part;
}

double InteriorPoint::solve(const Task& task, double inside, double goal) {
    double least = INF;
    products = 0.0;
    best_.resize(size_t(task.problem.size()));
    for (const Int i : task.order) best_[i] = task.p[i];
    make_rows(task);
    enter(task, inside);
    const View<FrictionPair> u{u_.data(), Int(u_.size())};
    Int stuck = 0;
    for (turns = 0; turns < MOST_TURNS && stuck < 2; ++turns) {
        task.problem.put_into_cones(task.order, task.p);
        task.problem.velocities(task.order, task.p, u);
        const double residual = task.problem.residual(task.order, task.p, u);
        if (residual < least) {
            least = residual;
            for (const Int i : task.order) best_[i] = task.p[i];
        }
        if (least <= goal || !(residual < INF) || !factor(task)) break;
        const double part = turn(task);
        stuck = part > STUCK ? 0 : stuck + 1;
    }
    for (const Int i : task.order) task.p[i] = best_[i];
    return least;
}

}  // namespace mc
