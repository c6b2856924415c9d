// The contact problem of a step or of one half of a collision, condensed, and the ladder of attempts to solve it.
//
//     u = u_free + L p,   u_b = target,   Coulomb's law for the contacts
//
// When every contact separates by itself nothing needs to be solved. Otherwise the basis of the last step is tried, then
// Lemke's method along a few paths. Without an answer, or with one that cannot be believed, the recovery of penetration is
// given up (`relax`), then the contacts are made softer by `SOFTER`, then by `SOFTEST`.
//
// An answer of a jammed mechanism can fulfil every row and still be absurd. It is refused when recovery puts in more work,
// `-sum pn offset`, than `RECOVERY` allows, and when the rounding of `L p` is not small beside the velocities or its work,
// `eps |p| |L| |p|`, beside the energies.
#pragma once

#include <memory>

#include "lcp/mixed.hpp"
#include "timestepping/pin_elimination.hpp"
#include "timestepping/response.hpp"

namespace mc {

// How a contact problem came out: a method (`free` when no contact took part), its residual, rows of its problem.
struct StepAnswer {
    Int method = 0;
    double residual = 0.0;
    Int rows = 0;
};

class StepProblem {
public:
    // `bilateral` rows come before those of up to `room` contacts; `whole`: they are pivoted, not eliminated.
    StepProblem(Int bilateral, Int room, bool whole);

    // Solve for `rows.p` and `v_plus`; false when no attempt succeeded. `basis` (contacts x 4) is what each contact had when
    // last solved for, used and kept where forces act over a time; `at_hand` is the kinetic energy.
    bool solve(const StepMoment& at, Response& response, ContactRows& rows, Grid<bool>& basis, double at_hand, Vec v_plus);

    StepAnswer answer;

private:
    bool believed(const StepMoment& at, Int rows, double at_hand) const;
    ContactMethod contacts(const StepMoment& at, double eps, Table<bool> memory);
    ContactMethod with_bilateral(const StepMoment& at, double eps, Table<bool> memory);

    Grid<double> L_;
    Array<double> u_, p_, target_, rounding_;
    PinElimination pins_;
    Grid<double> A_;
    Array<double> a_;
    LcpWorkspace lcp_;
    std::unique_ptr<MixedWorkspace> whole_;
    Grid<double> mixed_;
    Array<double> mixed_side_;
};

}  // namespace mc
