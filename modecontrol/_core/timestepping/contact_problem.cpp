#include "timestepping/contact_problem.hpp"

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int FREE = 0;

}  // namespace

StepProblem::StepProblem(Int bilateral, Int room, bool whole)
    : L_(bilateral + 2 * room, bilateral + 2 * room), u_(bilateral + 2 * room), p_(bilateral + 2 * room), target_(bilateral),
      rounding_(bilateral), mu_(room), pins_(bilateral, 2 * room), islands_(room), impulse_(room) {
    for (Int i = 0; i < room; ++i) all_.push_back(i);
    if (!whole) return;
    const Int rows = bilateral + 4 * room;
    whole_ = std::make_unique<MixedWorkspace>(rows);
    mixed_ = Grid<double>(rows, rows);
    mixed_side_ = Array<double>(rows);
}

// The contacts' part of the condensed problem; the diagonal is multiplied by `1 + eps`.
void StepProblem::write_contacts(const StepMoment& at, double eps) {
    const NearContacts& near = at.rows.near;
    for (Int i = 0; i < near.count; ++i) mu_[i] = near.mu[i];
    write_friction({L_, u_, mu_.part(0, near.count), target_.size, near.host.part(0, near.count)}, friction_);
    for (Int i = 0; i < near.count; ++i) {
        friction_.free[i].n += near.offset[i];
        friction_.own[i].nn = friction_.own[i].nn * (1.0 + eps) + near.softness[i];
        friction_.own[i].tt *= 1.0 + eps;
        if (near.speed[i] != 0.0) friction_.free[i].t -= near.speed[i];
        if (near.limit[i] < 0.0) continue;
        // dry friction as that of a contact without a normal row: one of its own, whose impulse is the limit
        const double unit = friction_.own[i].tt > 0.0 ? friction_.own[i].tt : 1.0;
        friction_.own[i].nn = unit;
        friction_.free[i].n = -unit * near.limit[i];
    }
    friction_.weigh_followers();
}

// Solve for the impulses of the contacts, the bilateral rows having been eliminated.
ContactMethod StepProblem::contacts(const StepMoment& at, const ContactMemory& memory, const Attempt& attempt) {
    const ContactMethod how =
        islands_.solve(friction_, at.rows.near, at.scene.options.balanced, at.h > 0.0 ? &memory : nullptr, attempt);
    answer.residual = islands_.residual();
    if (how == ContactMethod::FAILED) return how;
    for (Int i = 0; i < friction_.size(); ++i) {
        p_[target_.size + 2 * i] = islands_.p()[i].n;
        p_[target_.size + 2 * i + 1] = islands_.p()[i].t;
    }
    return how;
}

// The same where massless motions ask for balance.
ContactMethod StepProblem::balanced(const StepMoment& at, Balances& balances) {
    const ContactMethod how = balanced_.solve(friction_, balances, at.scene.options.balanced, {impulse_.data(), friction_.size()});
    answer.residual = balanced_.residual();
    for (Int i = 0; how != ContactMethod::FAILED && i < friction_.size(); ++i) {
        p_[target_.size + 2 * i] = impulse_[size_t(i)].n;
        p_[target_.size + 2 * i + 1] = impulse_[size_t(i)].t;
    }
    return how;
}

// The same with the bilateral rows in the problem, all of it handed to a pivoting solver.
ContactMethod StepProblem::with_bilateral(const StepMoment& at, const ContactMemory& memory) {
    const Int nb = target_.size, m = friction_.size();
    const bool warm = at.h > 0.0;
    lcp_.write(friction_, {all_.data(), m}, at.scene.options.balanced);
    const Lcp contact = lcp_.lcp();
    const auto couple = [&](Int column, Int source, double sign) {
        for (Int i = 0; i < nb; ++i) mixed_(i, nb + column) = mixed_(nb + column, i) = sign * L_(i, source);
    };
    for (Int i = 0; i < nb; ++i) {
        mixed_side_[i] = u_[i] - target_[i];
        for (Int j = 0; j < nb; ++j) mixed_(i, j) = L_(i, j);
    }
    for (Int c = 0; c < m; ++c) {
        const Int fi = lcp_.friction(c);
        if (lcp_.normal(c) >= 0) couple(lcp_.normal(c), nb + 2 * c, 1.0);
        if (fi < 0) continue;
        couple(fi, nb + 2 * c + 1, 1.0);
        couple(fi + 1, nb + 2 * c + 1, -1.0);
        couple(fi + 2, nb, 0.0);
    }
    for (Int i = 0; i < contact.n; ++i) {
        mixed_side_[nb + i] = contact.q[i];
        for (Int j = 0; j < contact.n; ++j) mixed_(nb + i, nb + j) = contact.M(i, j);
    }
    if (warm) lcp_.recall(at.rows.near, memory.basis, whole_->lcp.active);
    const LcpOutcome found = mixed_lemke({mixed_, mixed_side_, nb + contact.n}, nb, warm, *whole_);
    answer.residual = found.residual;
    if (found.status != LcpStatus::SOLVED) return ContactMethod::FAILED;
    for (Int i = 0; i < nb; ++i) p_[i] = whole_->free[i];
    lcp_.read(whole_->lcp.z, {impulse_.data(), m});
    for (Int i = 0; i < m; ++i) {
        p_[nb + 2 * i] = impulse_[i].n;
        p_[nb + 2 * i + 1] = impulse_[i].t;
    }
    if (warm) lcp_.remember(at.rows.near, whole_->lcp.active, memory.basis);
    return ContactMethod::LEMKE;
}

// Most that one row of a contact alone would take from the free motion: no more than its energy, inputs included.
double StepProblem::taken() const {
    double most = 0.0;
    for (Int r = target_.size; r < target_.size + 2 * friction_.size(); ++r)
        if (L_(r, r) > 0.0) most = larger(most, 0.5 * u_[r] * u_[r] / L_(r, r));
    return most;
}

// Whether the impulses do no more work than recovery may, and are known well enough: what rounding of them does is less than this part
// of the energies.
bool StepProblem::believed(const StepMoment& at, double at_hand, double known) {
    const Int nb = target_.size;
    double work = 0.0, speed = 0.0, moving = at.scene.options.impact_speed, rounding = 0.0;
    for (Int i = 0; i < nb - at.rows.driven; ++i) {     // a drive may do any work
        work += p_[i] * target_[i];
        speed = larger(speed, std::fabs(target_[i]));
    }
    for (Int i = 0; i < at.rows.near.count; ++i) {
        const double offset = at.rows.near.offset[i];
        if (at.rows.near.softness[i] != 0.0 || !(offset < 0.0)) continue;
        work -= p_[nb + 2 * i] * offset;
        speed = larger(speed, -offset);
    }
    const double fast = speed + at.scene.options.impact_speed;
    const double least = at.scene.mass * fast * fast;
    work_ = work;
    enough_ = least;
    if (work > tolerances::RECOVERY * at_hand + least) return false;
    double lost = 0.0;      // work that rounding may do
    for (Int i = 0; i < friction_.size(); ++i) {
        const Int row = nb + 2 * i;
        if (at.rows.near.limit[i] >= 0.0) continue;     // it is bounded, whatever others do
        const FrictionPair terms = friction_.terms(i, p_.part(nb, p_.size));
        const double n = terms.n * std::numeric_limits<double>::epsilon(), t = terms.t * std::numeric_limits<double>::epsilon();
        rounding = larger(rounding, larger(n, t));
        lost += std::fabs(p_[row]) * n + std::fabs(p_[row + 1]) * t;
        moving = larger(moving, larger(std::fabs(u_[row]), std::fabs(u_[row + 1])));
    }
    if (rounding > tolerances::SELF_STRESS * larger(moving, speed)) return false;
    return !(lost > known * (at_hand + least)) || !(lost > known * (at_hand + least + taken()));
}

void StepProblem::take(double part) {
    recovered_ += part * recovery();
    gave_up_ = gave_up_ || recovered_ > enough_;
}

// Contacts that stuck with a larger coefficient and slide now brake with the smaller one; a claw whose contact leaves holds nothing.
// True if the problem has to be solved once more.
bool StepProblem::let_go(const StepMoment& at, NearContacts& near) const {
    const Int nb = target_.size;
    bool again = false;
    for (Int i = 0; !near.plain && i < near.count; ++i) {
        const bool clawed = near.claw[i] != 0 && near.offset[i] == 0.0 && p_[nb + 2 * i] > 0.0;
        if (!near.held[i] && !clawed) continue;
        const Int j = clawed ? i - 1 : i;       // the contact itself
        const auto velocity = [&](Int side) {
            const auto part = [&](const FrictionBlock& b, Int k) {
                const double n = p_[nb + 2 * k], t = p_[nb + 2 * k + 1];
                return side == 0 ? b.nn * n + b.nt * t : b.tn * n + b.tt * t;
            };
            double total = (side == 0 ? friction_.free[j].n : friction_.free[j].t) + part(friction_.own[j], j);
            for (const FrictionProblem::Neighbour& other : friction_.neighbours(j)) total += part(other.block, other.contact);
            return total;
        };
        if (clawed && velocity(0) > tolerances::SLIP) {
            near.offset[i] = INF;       // it is far away from holding
            again = true;
        } else if (near.held[i] && std::fabs(velocity(1)) > tolerances::SLIP) {
            near.held[i] = false;
            near.mu[i] = at.scene.mechanism.contacts[near.contact[i]].friction;
            again = true;
        }
    }
    return again;
}

// Solve the condensed problem; later attempts have softer contacts.
ContactMethod StepProblem::attempt(const StepMoment& at, Response& response, ContactRows& rows, const ContactMemory& memory, Int number) {
    static constexpr double SOFTNESS[] = {0.0, 0.0, tolerances::SOFTER, tolerances::SOFTEST, 0.0};
    const double eps = at.scene.options.eps + SOFTNESS[number];
    const Int hinges = response.hinges(), nb = target_.size, R = hinges + rows.size();
    Balances* const balances = response.balances();
    ContactMethod how = ContactMethod::UNLOADED;
    response.condense(at, u_, L_);
    for (Int i = 0; i < rows.size(); ++i) u_[hinges + i] += rows.turning[i];
    for (Int i = 0; i < rows.pins; ++i) target_[hinges + i] = rows.target[i];
    for (Int i = 0; !rows.near.plain && i < rows.near.count; ++i) {
        if (rows.near.offset[i] < INF) continue;
        const Int r = nb + 2 * i;       // a claw that holds nothing
        for (Int j = 0; j < R; ++j) L_(r, j) = L_(j, r) = 0.0;
        u_[r] = 1.0;
    }
    if (whole_) {
        write_contacts(at, eps);
        return with_bilateral(at, memory);
    }
    response.rounding(at, rounding_);
    if (nb > 0) pins_.eliminate(L_, u_, target_, R, rounding_);
    if (rows.near.count > 0) write_contacts(at, eps);
    else if (friction_.size() > 0) friction_.clear(0);
    if (balances && (balances->count > 0 || balances->contradiction)) how = this->balanced(at, *balances);
    else if (rows.near.count > 0) how = contacts(at, memory, {number > 0, number >= 2, bounced_});
    if (nb > 0 && how != ContactMethod::FAILED) pins_.impulses(p_, R);
    if (how != ContactMethod::FAILED) response.complete(at, p_);
    return how;
}

bool StepProblem::solve(const StepMoment& at, Response& response, ContactRows& rows, const ContactMemory& memory,
                        double at_hand, Vec v_plus) {
    const Int hinges = response.hinges(), nb = target_.size, R = hinges + rows.size();
    answer = {FREE, 0.0, nb + response.more_rows() + lcp_rows(rows.near)};
    ContactMethod how = ContactMethod::UNLOADED;
    if (at.h > 0.0 && gave_up_) relax(rows);
    const bool bouncing = at.h == 0.0 && at.decompression;
    bounced_ = bounced_ && bouncing;
    work_ = 0.0;
    bool stressed = false;      // whether an answer was refused that is good if no other is
    for (Int attempt = 0; attempt < (stressed ? 5 : 4) && (R > 0 || response.balances()); ++attempt) {
        if (attempt == 1) {
            if (!relax(rows)) continue;
            gave_up_ = gave_up_ || at.h > 0.0;
        }
        do how = this->attempt(at, response, rows, memory, attempt);
        while (how != ContactMethod::FAILED && let_go(at, rows.near));
        if (how == ContactMethod::FAILED) continue;
        const bool choosy = attempt < 2 && rows.near.count <= Islands::SMALL;     // what pivots find is one corner of many answers
        if (at.h == 0.0 || believed(at, at_hand, choosy ? tolerances::STRESSED : tolerances::SELF_STRESS)) break;
        how = ContactMethod::FAILED;
        stressed = stressed || choosy;
    }
    bounced_ = bouncing && how != ContactMethod::FAILED;
    if (how == ContactMethod::FAILED) return false;
    if (rows.near.count > 0) answer.method = Int(how);
    for (Int i = 0; i < rows.size(); ++i) rows.p[i] = p_[hinges + i];
    response.apply(at, p_, v_plus);
    for (Int i = 0; !rows.near.plain && i < rows.near.count; ++i) {
        double& normal = rows.p[rows.normal(i)];
        normal = rows.near.limit[i] < 0.0 && rows.near.host[i] < 0 ? normal - rows.near.pull[i] : 0.0;
    }
    return true;
}

}  // namespace mc
