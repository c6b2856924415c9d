#include "timestepping/contact_lcp.hpp"

namespace mc {

Int lcp_rows(const NearContacts& near) {
    Int n = 0;
    for (Int i = 0; i < near.count; ++i) n += (near.mu[i] > 0.0 ? 3 : 0) + (near.host[i] < 0 ? 1 : 0);
    return n;
}

Int lcp_rows(const FrictionProblem& problem, View<const Int> members) {
    Int n = 0;
    for (const Int i : members) n += (problem.mu[i] > 0.0 ? 3 : 0) + (problem.follows(i) ? 0 : 1);
    return n;
}

void ContactLcp::write(const FrictionProblem& problem, View<const Int> members, bool balanced) {
    const Int m = members.size, n = lcp_rows(problem, members);
    rows_ = n;
    if (A_.rows < n) {
        A_ = Grid<double>(n, n);
        a_ = Array<double>(n);
    }
    for (Int i = 0; i < n; ++i) A_.row(i).part(0, n).fill(0.0);
    members_.resize(m);
    if (Int(place_.size()) < problem.size()) place_.resize(problem.size());
    Int next = 0;
    for (Int k = 0; k < m; ++k) {
        const Int i = members[k];
        const bool follows = problem.any_follows() && problem.follows(i);
        place_[i] = k;
        members_[k] = {i, follows ? -1 : next, -1, follows};
        if (!follows) ++next;
    }
    double unit = balanced ? 0.0 : 1.0;
    for (Int k = 0; k < m; ++k) {
        const Int i = members[k];
        const bool rough = problem.mu[i] > 0.0;
        if (members_[k].follows) members_[k].normal = members_[place_[problem.host[i]]].normal;
        members_[k].friction = rough ? next : -1;
        if (rough) next += 3;
        if (balanced) unit = larger(unit, larger(problem.own[i].nn, problem.own[i].tt));
    }
    if (!(unit > 0.0)) unit = 1.0;
    const auto write_block = [&](Int k, Int l, const FrictionBlock& b) {
        const Int fi = members_[k].friction, fj = members_[l].friction, ni = normal(k), nj = normal(l);
        if (ni >= 0 && nj >= 0) A_(ni, nj) = b.nn;
        if (ni >= 0 && fj >= 0) {
            A_(ni, fj) = b.nt;
            A_(ni, fj + 1) = -b.nt;
        }
        if (fi < 0) return;
        if (nj >= 0) {
            A_(fi, nj) = b.tn;
            A_(fi + 1, nj) = -b.tn;
        }
        if (fj < 0) return;
        A_(fi, fj) = A_(fi + 1, fj + 1) = b.tt;
        A_(fi, fj + 1) = A_(fi + 1, fj) = -b.tt;
    };
    for (Int k = 0; k < m; ++k) {
        const Int i = members[k], fi = members_[k].friction;
        write_block(k, k, problem.own[i]);
        for (const FrictionProblem::Neighbour& other : problem.neighbours(i)) write_block(k, place_[other.contact], other.block);
        if (normal(k) >= 0) a_[normal(k)] = problem.free[i].n;
        if (fi < 0) continue;
        a_[fi] = problem.free[i].t;
        a_[fi + 1] = -problem.free[i].t;
        a_[fi + 2] = 0.0;
        A_(fi + 2, members_[k].normal) = unit * problem.mu[i];
        A_(fi + 2, fi) = A_(fi + 2, fi + 1) = -unit;
        A_(fi, fi + 2) = A_(fi + 1, fi + 2) = unit;
    }
}

void ContactLcp::read(ConstVec z, View<FrictionPair> p) const {
    for (Int k = 0; k < Int(members_.size()); ++k) {
        const Int fi = members_[k].friction;
        p[members_[k].contact] = {z[members_[k].normal], fi < 0 ? 0.0 : z[fi] - z[fi + 1]};
    }
}

void ContactLcp::recall(const NearContacts& near, Table<const bool> memory, View<bool> active) const {
    for (Int k = 0; k < Int(members_.size()); ++k) {
        const View<const bool> known = memory.row(near.contact[members_[k].contact]);
        if (normal(k) >= 0) active[normal(k)] = known[0] && near.claw[members_[k].contact] == 0;
        for (Int l = 0; members_[k].friction >= 0 && l < 3; ++l) active[members_[k].friction + l] = known[1 + l];
    }
}

void ContactLcp::remember(const NearContacts& near, View<const bool> active, Table<bool> memory) const {
    for (Int k = 0; k < Int(members_.size()); ++k) {
        if (near.claw[members_[k].contact] != 0) continue;
        const View<bool> known = memory.row(near.contact[members_[k].contact]);
        known[0] = active[members_[k].normal];
        for (Int l = 0; members_[k].friction >= 0 && l < 3; ++l) known[1 + l] = active[members_[k].friction + l];
    }
}

}  // namespace mc
