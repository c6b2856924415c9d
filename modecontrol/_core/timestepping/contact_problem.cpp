#include "timestepping/contact_problem.hpp"

#include "lcp/lemke.hpp"
#include "timestepping/contact_lcp.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int FREE = 0;

}  // namespace

StepProblem::StepProblem(Int bilateral, Int room, bool whole)
    : L_(bilateral + 2 * room, bilateral + 2 * room), u_(bilateral + 2 * room), p_(bilateral + 2 * room), target_(bilateral),
      rounding_(bilateral), pins_(bilateral, 2 * room), A_(4 * room, 4 * room), a_(4 * room), lcp_(4 * room) {
    if (!whole) return;
    const Int rows = bilateral + 4 * room;
    whole_ = std::make_unique<MixedWorkspace>(rows);
    mixed_ = Grid<double>(rows, rows);
    mixed_side_ = Array<double>(rows);
}

// Solve for the impulses of the contacts, the bilateral rows having been eliminated.
ContactMethod StepProblem::contacts(const StepMoment& at, double eps, Table<bool> memory) {
    const CondensedRows rows{at.scene.mechanism, at.rows.near, L_, u_, target_.size};
    const bool warm = at.h > 0.0;
    bool apart = true;
    for (Int i = 0; i < rows.near.count; ++i) {
        const Int normal = rows.first + 2 * i;
        p_[normal] = p_[normal + 1] = 0.0;
        apart = apart && u_[normal] + rows.near.offset[i] >= 0.0;
    }
    answer.residual = 0.0;
    if (apart) return ContactMethod::UNLOADED;
    const Int n = lcp_rows(rows.mechanism, rows.near);
    write_lcp(rows, eps, at.scene.options.scaling, A_, a_);
    if (warm) recall_basis(rows, memory, lcp_.active);
    for (Int turn = 0; turn < Int(tolerances::COVERS); ++turn) {
        const LcpOutcome found = lemke_core({A_, a_, n}, lcp_, {warm && turn == 0, -1, turn});
        if (found.status != LcpStatus::SOLVED) continue;
        read_impulses(rows, lcp_.z, p_);
        if (warm) remember_basis(rows, lcp_.active, memory);
        answer.residual = found.residual;
        return found.pivots == 0 ? ContactMethod::WARM : ContactMethod::LEMKE;
    }
    return ContactMethod::FAILED;
}

// The same with the bilateral rows in the problem, all of it handed to a pivoting solver.
ContactMethod StepProblem::with_bilateral(const StepMoment& at, double eps, Table<bool> memory) {
    const CondensedRows rows{at.scene.mechanism, at.rows.near, L_, u_, target_.size};
    const Int nb = target_.size, m = rows.near.count, size = lcp_rows(rows.mechanism, rows.near);
    const bool warm = at.h > 0.0;
    write_lcp(rows, eps, at.scene.options.scaling, A_, a_);
    const auto couple = [&](Int column, Int source, double sign) {
        for (Int i = 0; i < nb; ++i) mixed_(i, nb + column) = mixed_(nb + column, i) = sign * L_(i, source);
    };
    for (Int i = 0; i < nb; ++i) {
        mixed_side_[i] = u_[i] - target_[i];
        for (Int j = 0; j < nb; ++j) mixed_(i, j) = L_(i, j);
    }
    Int fi = m;
    for (Int c = 0; c < m; ++c) {
        couple(c, nb + 2 * c, 1.0);
        if (!(rows.mechanism.contacts[rows.near.contact[c]].friction > 0.0)) continue;
        couple(fi, nb + 2 * c + 1, 1.0);
        couple(fi + 1, nb + 2 * c + 1, -1.0);
        couple(fi + 2, nb, 0.0);
        fi += 3;
    }
    for (Int i = 0; i < size; ++i) {
        mixed_side_[nb + i] = a_[i];
        for (Int j = 0; j < size; ++j) mixed_(nb + i, nb + j) = A_(i, j);
    }
    if (warm) recall_basis(rows, memory, whole_->lcp.active);
    const LcpOutcome found = mixed_lemke({mixed_, mixed_side_, nb + size}, nb, warm, *whole_);
    answer.residual = found.residual;
    if (found.status != LcpStatus::SOLVED) return ContactMethod::FAILED;
    for (Int i = 0; i < nb; ++i) p_[i] = whole_->free[i];
    read_impulses(rows, whole_->lcp.z, p_);
    if (warm) remember_basis(rows, whole_->lcp.active, memory);
    return ContactMethod::LEMKE;
}

// Whether the impulses do no more work than recovery may, and are known well enough.
bool StepProblem::believed(const StepMoment& at, Int rows, double at_hand) const {
    const Int nb = target_.size;
    double work = 0.0, speed = 0.0, moving = at.scene.options.impact_speed, rounding = 0.0;
    for (Int i = 0; i < nb; ++i) {
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
    if (work > tolerances::RECOVERY * at_hand + least) return false;
    double lost = 0.0;      // work that rounding may do
    for (Int i = nb; i < rows; ++i) {
        double terms = 0.0;
        for (Int j = nb; j < rows; ++j) terms += std::fabs(L_(i, j) * p_[j]);
        terms *= std::numeric_limits<double>::epsilon();
        rounding = larger(rounding, terms);
        lost += std::fabs(p_[i]) * terms;
        moving = larger(moving, std::fabs(u_[i]));
    }
    return !(rounding > tolerances::SELF_STRESS * larger(moving, speed)) && !(lost > tolerances::SELF_STRESS * (at_hand + least));
}

bool StepProblem::solve(const StepMoment& at, Response& response, ContactRows& rows, Grid<bool>& basis, double at_hand,
                        Vec v_plus) {
    const Int hinges = response.hinges(), nb = target_.size, R = hinges + rows.size();
    constexpr double SOFTNESS[] = {0.0, 0.0, tolerances::SOFTER, tolerances::SOFTEST};
    answer = {FREE, 0.0, nb + lcp_rows(at.scene.mechanism, rows.near)};
    ContactMethod how = ContactMethod::UNLOADED;
    for (Int attempt = 0; attempt < 4 && R > 0; ++attempt) {
        if (attempt == 1 && !relax(rows)) continue;
        response.condense(at, u_, L_);
        for (Int i = 0; i < rows.size(); ++i) u_[hinges + i] += rows.turning[i];
        for (Int i = 0; i < rows.pins; ++i) target_[hinges + i] = rows.target[i];
        const double eps = at.scene.options.eps + SOFTNESS[attempt];
        if (whole_) {
            how = with_bilateral(at, eps, basis);
        } else {
            response.rounding(at, rounding_);
            if (nb > 0) pins_.eliminate(L_, u_, target_, R, rounding_);
            if (rows.near.count > 0) how = contacts(at, eps, basis);
            if (nb > 0 && how != ContactMethod::FAILED) pins_.impulses(p_, R);
        }
        if (how != ContactMethod::FAILED && (at.h == 0.0 || believed(at, R, at_hand))) break;
        how = ContactMethod::FAILED;
    }
    if (how == ContactMethod::FAILED) return false;
    if (rows.near.count > 0) answer.method = Int(how);
    for (Int i = 0; i < rows.size(); ++i) rows.p[i] = p_[hinges + i];
    response.apply(at, p_, v_plus);
    return true;
}

}  // namespace mc
