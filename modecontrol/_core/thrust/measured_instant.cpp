#include "thrust/measured_instant.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr double FAR = 1.0;  // gap given to a contact that counts as open (m)

// Rows that shall vanish, and whether any of them does not yet, beyond rounding.
struct Demands {
    Int rows = 0;
    bool missed = false, moving = false;    // whether some surface moves
};

// Judge the contacts of the measured instant and collect in `A` the rows that shall vanish.
Demands judge(const Mechanism& mechanism, const ContactThresholds& thresholds, const InstantArrays& at, const JudgedContacts& judged,
              MeasuredWorkspace& work) {
    Demands found;
    const Mat A = work.A;
    const auto demand = [&](Int row, double speed) {
        for (Int j = 0; j < A.cols; ++j) A(found.rows, j) = at.J(row, j);
        work.a[found.rows] = speed;
        found.moving = found.moving || speed != 0.0;
        ++found.rows;
        found.missed = found.missed || std::abs(at.xd[row]) > tolerances::VELOCITY;
    };
    for (Int c = 0; c < at.gap.size; ++c) {
        const Contact& contact = mechanism.contacts[size_t(c)];
        const double normal = at.xd[2 * c], tangent = at.xd[2 * c + 1];
        const bool near = at.gap[c] <= thresholds.gap && normal <= thresholds.leaving;
        judged.closed[c] = thresholds.told[c] == 1 || (thresholds.told[c] < 0 && near);
        if (contact.rolls()) judged.closed[c] = judged.closed[contact.host];
        judged.slip[c] = 0;
        if (!judged.closed[c]) continue;
        if (contact.kind == ContactKind::DRIVE) continue;
        demand(2 * c, 0.0);
        if (std::abs(tangent) <= thresholds.rest[c]) demand(2 * c + 1, contact.law.speed);
        else judged.slip[c] = tangent > 0.0 ? 1 : -1;
    }
    return found;
}

}  // namespace

bool measured_instant(const Mechanism& mechanism, const StateView& at, const ContactThresholds& thresholds,
                      MeasuredWorkspace& work, const InstantArrays& out, const JudgedContacts& judged) {
    snapshot(mechanism, at, work.instant, out);
    for (Int i = 0; i < at.v.size; ++i) judged.v[i] = at.v[i];
    const Demands found = judge(mechanism, thresholds, out, judged, work);
    if (found.missed) {
        const Int rows = found.rows + out.G.rows;
        for (Int r = found.rows; r < rows; ++r)
            for (Int j = 0; j < work.A.cols; ++j) work.A(r, j) = out.G(r - found.rows, j);
        for (Int r = found.rows; r < rows; ++r) work.a[r] = 0.0;
        const ConstVec speeds = found.moving ? ConstVec(work.a.part(0, rows)) : ConstVec{};
        const NearestProblem problem{out.M, out.J, work.A.part(0, rows), at.v, speeds, mechanism.mass()};
        if (!nearest_velocity(problem, work.nearest, judged.v)) return false;
        snapshot(mechanism, {at.q, judged.v}, work.instant, out);
        torque_box(mechanism, at.v, out.limits);
    }
    for (Int c = 0; c < out.gap.size; ++c) out.gap[c] = judged.closed[c] ? 0.0 : larger(out.gap[c], FAR);
    return true;
}

}  // namespace mc
