// The contact problem of a step or of one half of a collision, condensed, and the ladder of attempts to solve it.
//
//     u = u_free + L p,   u_b = target,   Coulomb's law for the contacts
//
// Contacts are solved island by island (`islands.hpp`). Without an answer, or with one that cannot be believed, the recovery of
// penetration is given up (`relax`) until the end of the step, then the contacts are made softer by `SOFTER`, then by `SOFTEST`.
//
// Every part of a step may recover penetration, and a collision in between takes the motion away again: recovery ends for the step when it
// has done the work that sets the whole mass moving at its speed.
//
// An answer of a jammed mechanism can fulfil every row and still be absurd. It is refused when recovery puts in more work,
// `-sum pn offset`, than `RECOVERY` allows, and when the rounding of `L p` is not small beside the velocities or its work,
// `eps |p| |L| |p|`, beside the energies: those at hand, and what one row alone, `u^2 / 2 L`, would take from the free motion, which is never
// more than that has. Without gravity and at rest that is all there is of a body that is pressed. A wedge may have several answers, one that
// goes on and one that is locked by forces that nothing asks for: impulses that are large beside the energies are taken only where
// softer contacts have no answer.
#pragma once

#include <memory>

#include "lcp/mixed.hpp"
#include "timestepping/balances.hpp"
#include "timestepping/islands.hpp"
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

    // Solve for `rows.p` and `v_plus`; false when no attempt succeeded. `memory` is used and kept where forces
    // act over a time; `at_hand` is the kinetic energy.
    bool solve(const StepMoment& at, Response& response, ContactRows& rows, const ContactMemory& memory, double at_hand,
               Vec v_plus);

    // A new step begins: the work that one may cost is there again.
    void begin_step() {
        islands_.begin_step();
        gave_up_ = false;
        recovered_ = 0.0;
    }

    // So much of the part of the step that was solved last takes place: once recovery has done its work there is no more in this step.
    void take(double part);

    // Work of recovery in the part that was solved last.
    double recovery() const { return larger(work_, 0.0); }

    StepAnswer answer;

private:
    bool believed(const StepMoment& at, double at_hand, double known);
    double taken() const;
    void write_contacts(const StepMoment& at, double eps);
    ContactMethod attempt(const StepMoment& at, Response& response, ContactRows& rows, const ContactMemory& memory, Int number);
    bool let_go(const StepMoment& at, NearContacts& near) const;
    ContactMethod contacts(const StepMoment& at, const ContactMemory& memory, const Attempt& attempt);
    ContactMethod balanced(const StepMoment& at, Balances& balances);
    ContactMethod with_bilateral(const StepMoment& at, const ContactMemory& memory);

    Grid<double> L_;
    Array<double> u_, p_, target_, rounding_, mu_;
    PinElimination pins_;
    FrictionProblem friction_;
    Islands islands_;
    bool gave_up_ = false;          // recovery, in the present step
    bool bounced_ = false;          // the problem solved last was the decompression of a collision
    double work_ = 0.0, enough_ = 0.0, recovered_ = 0.0;    // of recovery: in the last problem, what sets all moving, in the step
    ContactLcp lcp_;
    BalancedContacts balanced_;
    std::vector<Int> all_;
    std::vector<FrictionPair> impulse_;
    std::unique_ptr<MixedWorkspace> whole_;
    Grid<double> mixed_;
    Array<double> mixed_side_;
};

}  // namespace mc
