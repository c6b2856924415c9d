#include "timestepping/islands.hpp"

#include <algorithm>

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int CHEAP = 24;           // contacts of an island for which pivoting is cheaper than Newton's method led from softness
constexpr Int MOST_PIVOTED = 160;   // contacts of an island that is pivoted at all
constexpr Int PATHS = 6;            // of Lemke's method: as given, with wide ties, then shuffled with other covering vectors
constexpr Int MOST_DRAWN = 2;       // islands drawn near in one step; after that what is COARSE is accepted
constexpr Int LARGE_PATHS = 2;      // as PATHS, for an island that is not small

bool separates(const FrictionProblem& problem, View<const Int> members) {
    for (const Int i : members)
        if (!(problem.free[i].n >= 0.0)) return false;
    return true;
}

}  // namespace

Islands::Islands(Int room) : workspace_(std::make_unique<LcpWorkspace>(4 * std::min(room, MOST_PIVOTED))) {}

// Whether the impulses, put into their cones where rounding left them outside, pass the certificate, which is kept.
bool Islands::certified(const Island& island) {
    u_.resize(p_.size());
    const View<FrictionPair> p{p_.data(), Int(p_.size())}, u{u_.data(), Int(u_.size())};
    island.problem.put_into_cones(island.members, p);
    island.problem.velocities(island.members, p, u);
    found_ = island.problem.residual(island.members, p, u);
    return found_ <= tolerances::COMPLEMENTARY;
}

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
    if (!certified(island)) return false;
    if (island.memory) lcp_.remember(island.near, ws.active, island.memory->basis);
    pivots_ = found.pivots;
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
    return certified(island);
}

// The impulses of the last step, or of the last attempt.
void Islands::begin(const Island& island) {
    if (island.attempt.again || island.attempt.alike) return;
    const ContactMemory* memory = island.memory;
    for (const Int i : island.members) {
        const Int c = island.near.contact[i];
        p_[i] = memory && memory->loaded[c] && island.near.claw[i] == 0 ? FrictionPair{memory->impulse(c, 0), memory->impulse(c, 1)} : FrictionPair{};
    }
}

ContactMethod Islands::iterate(const Island& island, FrictionSolver::Effort effort) {
    const FrictionOutcome found = solver_.solve(island.problem, island.members, {p_.data(), Int(p_.size())}, effort);
    found_ = found.residual;
    const double most = island.attempt.last || solver_.spent() ? tolerances::COARSE : tolerances::SWEPT;
    if (!(found.residual <= most)) return ContactMethod::FAILED;
    return found.warm ? ContactMethod::WARM : found.residual <= tolerances::NEWTON ? ContactMethod::NEWTON : ContactMethod::GAUSS_SEIDEL;
}

namespace {

bool good(ContactMethod how) { return how == ContactMethod::WARM || how == ContactMethod::NEWTON; }

}  // namespace

ContactMethod Islands::solve_island(const Island& island) {
    found_ = 0.0;
    if (separates(island.problem, island.members)) {
        for (const Int i : island.members) p_[i] = {};
        return ContactMethod::UNLOADED;
    }
    return island.members.size <= SMALL ? solve_small(island) : solve_large(island);
}

ContactMethod Islands::solve_small(const Island& island) {
    for (Int path = 0; path < PATHS; ++path)
        if (pivot(island, path)) return pivots_ == 0 ? ContactMethod::WARM : ContactMethod::LEMKE;
    begin(island);
    const ContactMethod how = iterate(island, FrictionSolver::Effort::THOROUGH);
    if (good(how)) return how;
    const double swept = found_;
    kept_.assign(p_.begin(), p_.end());
    if (precise(island)) return ContactMethod::PRECISE;
    p_.swap(kept_);
    found_ = swept;
    return how;
}

ContactMethod Islands::solve_large(const Island& island) {
    using Effort = FrictionSolver::Effort;
    const Int size = island.members.size;
    const bool spent = drawn_ >= MOST_DRAWN || solver_.spent();
    Attempt attempt = island.attempt;
    attempt.last = attempt.last || spent;
    if (attempt.again && attempt.last && (certified(island) || found_ <= tolerances::COARSE)) return ContactMethod::GAUSS_SEIDEL;
    const Island task{island.problem, island.near, island.members, island.balanced, island.memory, attempt};
    begin(task);
    ContactMethod how = ContactMethod::FAILED;
    for (const Effort effort : {Effort::QUICK, Effort::INSIDE}) {
        how = iterate(task, effort);
        if (good(how) || (solver_.spent() && how != ContactMethod::FAILED)) return how;
    }
    const auto pivoted = [&] {
        const double before = found_;
        kept_.assign(p_.begin(), p_.end());
        for (Int path = 0; path < LARGE_PATHS; ++path)
            if (pivot(task, path)) return true;
        p_.swap(kept_);
        found_ = before;
        return false;
    };
    const auto by_pivots = [&] { return pivots_ == 0 ? ContactMethod::WARM : ContactMethod::LEMKE; };
    if (size <= CHEAP && pivoted()) return by_pivots();
    for (const Effort effort : {Effort::LED, Effort::DRAWN}) {
        if ((solver_.spent() || (effort == Effort::DRAWN && spent)) && how != ContactMethod::FAILED) break;
        how = iterate(task, effort);
        drawn_ += effort == Effort::DRAWN;
        if (good(how)) return how;
    }
    if (size <= CHEAP && !spent) return iterate(task, Effort::THOROUGH);
    const bool left = island.attempt.last && how == ContactMethod::FAILED && size > CHEAP && size <= MOST_PIVOTED;
    return left && pivoted() ? by_pivots() : how;
}

ContactMethod Islands::solve(const FrictionProblem& problem, const NearContacts& near, bool balanced,
                             const ContactMemory* memory, const Attempt& attempt) {
    ContactMethod worst = ContactMethod::UNLOADED;
    Attempt allowed = attempt;
    allowed.again = attempt.again && Int(p_.size()) == problem.size();
    allowed.alike = attempt.alike && Int(p_.size()) == problem.size();
    p_.resize(problem.size());
    residual_ = 0.0;
    order_.resize(size_t(problem.islands()));
    for (Int k = 0; k < problem.islands(); ++k) order_[size_t(k)] = k;
    std::sort(order_.begin(), order_.end(), [&](Int a, Int b) {     // a stable sort would allocate
        const Int first = problem.island(a).size, second = problem.island(b).size;
        return first < second || (first == second && a < b);
    });
    for (const Int k : order_) {
        const ContactMethod how = solve_island({problem, near, problem.island(k), balanced, memory, allowed});
        if (how == ContactMethod::FAILED) return how;
        worst = std::max(worst, how);
        residual_ = larger(residual_, found_);
    }
    for (Int i = 0; memory && i < problem.size(); ++i) {
        if (near.claw[i] != 0) continue;
        memory->impulse(near.contact[i], 0) = p_[i].n;
        memory->impulse(near.contact[i], 1) = p_[i].t;
    }
    return worst;
}

}  // namespace mc
