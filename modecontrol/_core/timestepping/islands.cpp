#include "timestepping/islands.hpp"

#include <algorithm>

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int SMALL = 12;           // contacts of an island that is pivoted first
constexpr Int MOST_PIVOTED = 160;   // contacts of an island that is pivoted at all
constexpr Int PATHS = 6;            // of Lemke's method: as given, with wide ties, then shuffled with other covering vectors
constexpr Int LARGE_PATHS = 2;      // as PATHS, for an island that is not small

bool separates(const FrictionProblem& problem, View<const Int> members) {
    for (const Int i : members)
        if (!(problem.free[i].n >= 0.0)) return false;
    return true;
}

}  // namespace

Islands::Islands(Int room) : workspace_(std::make_unique<LcpWorkspace>(4 * std::min(room, MOST_PIVOTED))) {}

// One path of Lemke's method: 0 begins with the basis of the last step, 1 has wide ties, later ones other orders and covers.
bool Islands::pivot(const Island& island, Int path) {
    View<const Int> members = island.members;
    if (path >= 2) {
        shuffled_.assign(members.begin(), members.end());
        for (Int k = members.size - 1; k > 0; --k) std::swap(shuffled_[k], shuffled_[(7 * k + 3 * path * path) % (k + 1)]);
        members = {shuffled_.data(), members.size};
    }
    lcp_.write(island.problem, members, island.balanced);
    const Lcp problem = lcp_.lcp();
    if (workspace_->capacity < problem.n) workspace_ = std::make_unique<LcpWorkspace>(problem.n);
    LcpWorkspace& ws = *workspace_;
    const bool warm = path == 0 && island.memory;
    if (warm) lcp_.recall(island.near, island.memory->basis, ws.active);
    const Int most = std::max(problem.n, Int(tolerances::STEP_WORK / double(problem.n * problem.n + 1)));
    const LcpOutcome found = lemke_core(problem, ws, {warm, std::min(lemke_limit(problem.n), most), path / 2, path % 2 == 1});
    if (found.status != LcpStatus::SOLVED) return false;
    lcp_.read(ws.z, {p_.data(), Int(p_.size())});
    if (island.memory) lcp_.remember(island.near, ws.active, island.memory->basis);
    pivots_ = found.pivots;
    found_ = found.residual;
    return true;
}

bool Islands::precise(const Island& island) {
    lcp_.write(island.problem, island.members, island.balanced);
    const Lcp problem = lcp_.lcp();
    const Int most = Int(tolerances::PRECISE_STEP_WORK / double(problem.n * problem.n + 1));
    if (most < problem.n / 2) return false;
    const LcpOutcome found = precise_lemke(problem, *workspace_, {false, most, 0, false});
    if (found.status != LcpStatus::SOLVED) return false;
    lcp_.read(workspace_->z, {p_.data(), Int(p_.size())});
    found_ = found.residual;
    return true;
}

// The impulses of the last step.
void Islands::begin(const Island& island) {
    const ContactMemory* memory = island.memory;
    for (const Int i : island.members) {
        const Int c = island.near.contact[i];
        p_[i] = memory && memory->loaded[c] ? FrictionPair{memory->impulse(c, 0), memory->impulse(c, 1)} : FrictionPair{};
    }
}

ContactMethod Islands::iterate(const Island& island, FrictionSolver::Effort effort) {
    const FrictionOutcome found = solver_.solve(island.problem, island.members, {p_.data(), Int(p_.size())}, effort);
    found_ = found.residual;
    if (!found.solved) return ContactMethod::FAILED;
    return found.warm ? ContactMethod::WARM : found.residual <= tolerances::NEWTON ? ContactMethod::NEWTON : ContactMethod::GAUSS_SEIDEL;
}

ContactMethod Islands::solve_island(const Island& island) {
    const bool small = island.members.size <= SMALL, pivoted = island.members.size <= MOST_PIVOTED;
    found_ = 0.0;
    if (separates(island.problem, island.members)) {
        for (const Int i : island.members) p_[i] = {};
        return ContactMethod::UNLOADED;
    }
    using Effort = FrictionSolver::Effort;
    const auto good = [](ContactMethod how) { return how == ContactMethod::WARM || how == ContactMethod::NEWTON; };
    const ContactMethod first = small ? ContactMethod::FAILED : (begin(island), iterate(island, Effort::QUICK));
    if (good(first)) return first;
    kept_.assign(p_.begin(), p_.end());     // to go on from
    for (Int path = 0; pivoted && path < (small ? PATHS : LARGE_PATHS); ++path)
        if (pivot(island, path)) return pivots_ == 0 ? ContactMethod::WARM : ContactMethod::LEMKE;
    if (small) begin(island);
    else p_.swap(kept_);
    const ContactMethod how = iterate(island, Effort::THOROUGH);
    if (good(how)) return how;
    const double swept = found_;
    kept_.assign(p_.begin(), p_.end());
    if (pivoted && precise(island)) return ContactMethod::PRECISE;
    p_.swap(kept_);
    found_ = swept;
    return how;
}

ContactMethod Islands::solve(const FrictionProblem& problem, const NearContacts& near, bool balanced,
                             const ContactMemory* memory) {
    ContactMethod worst = ContactMethod::UNLOADED;
    p_.resize(problem.size());
    residual_ = 0.0;
    for (Int k = 0; k < problem.islands(); ++k) {
        const ContactMethod how = solve_island({problem, near, problem.island(k), balanced, memory});
        if (how == ContactMethod::FAILED) return how;
        worst = std::max(worst, how);
        residual_ = larger(residual_, found_);
    }
    for (Int i = 0; memory && i < problem.size(); ++i) {
        memory->impulse(near.contact[i], 0) = p_[i].n;
        memory->impulse(near.contact[i], 1) = p_[i].t;
    }
    return worst;
}

}  // namespace mc
