#include "lcp/friction.hpp"

#include <cmath>

namespace mc {

void FrictionProblem::clear(Int contacts) {
    free.clear();
    mu.clear();
    own.clear();
    host.clear();
    any_follows_ = false;
    links_.clear();
    free.reserve(contacts);
    mu.reserve(contacts);
    own.reserve(contacts);
    host.reserve(contacts);
}

void FrictionProblem::add(const FrictionPair& velocity, double friction, const FrictionBlock& block) {
    free.push_back(velocity);
    mu.push_back(friction);
    own.push_back(block);
    host.push_back(-1);
}

void FrictionProblem::feel(Int earlier, const FrictionBlock& block) { links_.push_back({size() - 1, earlier, block}); }

void FrictionProblem::weigh_followers() {
    if (!any_follows_) return;
    for (Int i = 0; i < size(); ++i)
        if (follows(i)) own[i].nn = own[host[i]].nn > 0.0 ? own[host[i]].nn : 1.0;
}

Int FrictionProblem::root(Int i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
}

void FrictionProblem::close() {
    const Int m = size();
    start_.assign(m + 1, 0);
    above_.resize(m);
    for (Int i = 0; i < m; ++i) above_[i] = i;
    for (const Link& link : links_) {
        ++start_[link.later + 1];
        ++start_[link.earlier + 1];
        const Int a = root(link.later), b = root(link.earlier);
        if (a != b) above_[a > b ? a : b] = a > b ? b : a;
    }
    for (Int i = 0; i < m; ++i) start_[i + 1] += start_[i];
    list_.resize(start_[m]);
    members_ = start_;          // where the next neighbour of each goes
    for (const Link& link : links_) {
        const FrictionBlock& b = link.block;
        list_[members_[link.later]++] = {link.earlier, b};
        list_[members_[link.earlier]++] = {link.later, {b.nn, b.tn, b.nt, b.tt}};
    }
    members_.clear();
    island_start_.assign(1, 0);
    for (Int i = 0; i < m; ++i) {
        if (root(i) != i) continue;
        for (Int j = i; j < m; ++j)
            if (root(j) == i) members_.push_back(j);
        island_start_.push_back(Int(members_.size()));
    }
}

void FrictionProblem::velocities(View<const Int> members, View<const FrictionPair> p, View<FrictionPair> u) const {
    for (Int k = 0; k < members.size; ++k) {
        const Int i = members[k];
        const FrictionBlock& a = own[i];
        double n = free[i].n + a.nn * p[i].n + a.nt * p[i].t, t = free[i].t + a.tn * p[i].n + a.tt * p[i].t;
        for (const Neighbour& other : neighbours(i)) {
            const FrictionPair& q = p[other.contact];
            n += other.block.nn * q.n + other.block.nt * q.t;
            t += other.block.tn * q.n + other.block.tt * q.t;
        }
        u[i] = {n, t};
    }
    if (!any_follows_) return;
    for (Int k = 0; k < members.size; ++k) {
        const Int i = members[k];
        if (follows(i)) u[i].n = own[i].nn * (p[i].n - p[host[i]].n);
    }
}

void FrictionProblem::put_into_cones(View<const Int> members, View<FrictionPair> p) const {
    for (const Int i : members)
        if (!follows(i)) p[i] = in_cone(p[i], mu[i]);
    if (!any_follows_) return;
    for (const Int i : members)
        if (follows(i)) p[i] = in_cone({p[host[i]].n, p[i].t}, mu[i]);
}

double FrictionProblem::residual(View<const Int> members, View<const FrictionPair> p, View<const FrictionPair> u) const {
    double worst = 0.0;
    for (Int k = 0; k < members.size; ++k) {
        const Int i = members[k];
        if (!(p[i].n >= 0.0) || !(std::fabs(p[i].t) <= mu[i] * p[i].n)) return INF;
        const FrictionBlock& a = own[i];
        const double n = p[i].n * a.nn - u[i].n, error = std::fabs(p[i].n * a.nn - larger(n, 0.0));
        const double most = mu[i] * p[i].n * a.tt, t = p[i].t * a.tt - u[i].t;
        const double slip = std::fabs(p[i].t * a.tt - (t > most ? most : t < -most ? -most : t));
        worst = larger(worst, larger(error, slip));
        if (!(worst < INF) || error != error || slip != slip) return INF;
    }
    const double scale = speed(members);
    return worst == 0.0 ? 0.0 : worst / scale;
}

FrictionPair FrictionProblem::terms(Int i, ConstVec p) const {
    FrictionPair total;
    const auto add = [&](const FrictionBlock& b, Int j) {
        const double n = std::fabs(p[2 * j]), t = std::fabs(p[2 * j + 1]);
        total.n += std::fabs(b.nn) * n + std::fabs(b.nt) * t;
        total.t += std::fabs(b.tn) * n + std::fabs(b.tt) * t;
    };
    add(own[i], i);
    for (const Neighbour& other : neighbours(i)) add(other.block, other.contact);
    return total;
}

double FrictionProblem::speed(View<const Int> members) const {
    double most = 0.0;
    for (Int k = 0; k < members.size; ++k)
        most = larger(most, larger(std::fabs(free[members[k]].n), std::fabs(free[members[k]].t)));
    return most;
}

void write_friction(const DenseFriction& dense, FrictionProblem& problem) {
    const Int first = dense.first;
    const auto block = [&](Int i, Int j) {
        const double *n = &dense.A(first + 2 * i, first + 2 * j), *t = &dense.A(first + 2 * i + 1, first + 2 * j);
        return FrictionBlock{n[0], n[1], t[0], t[1]};
    };
    problem.clear(dense.mu.size);
    for (Int i = 0; i < dense.mu.size; ++i) {
        problem.add({dense.free[first + 2 * i], dense.free[first + 2 * i + 1]}, dense.mu[i], block(i, i));
        const Int host = dense.host.size > 0 ? dense.host[i] : -1;
        if (host >= 0) problem.follow(host);
        for (Int j = 0; j < i; ++j) {
            const FrictionBlock b = block(i, j);
            if (b.nn != 0.0 || b.nt != 0.0 || b.tn != 0.0 || b.tt != 0.0 || j == host) problem.feel(j, b);
        }
    }
    problem.weigh_followers();
    problem.close();
}

}  // namespace mc
