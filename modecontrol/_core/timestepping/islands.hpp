// The contacts of a step, island by island, and the ladder of attempts to solve each.
//
// Contacts that feel nothing of each other are problems of their own. An island whose contacts all separate by themselves needs
// nothing. A small one is tried with the basis of the last step, then with Lemke's method, then with wide ties, contacts in
// another order and other covering vectors, then by sweeps and Newton's method, last with Lemke's in twice the precision. A
// large one is given to a few sweeps and Newton's method first, which begin with the impulses of the last step, then to interior
// points, then drawn near its answer; pivoting, whose work grows with the third power, is for those up to `CHEAP` contacts, or when nothing else is left.
// Each attempt is limited in work, and so is the ladder. Small islands come first: one that has no answer is found soon.
//
// Every answer, whatever found it, is judged by the certificate of `friction.hpp`: the residual that is kept is that velocity.
#pragma once

#include "lcp/friction_solver.hpp"
#include "timestepping/contact_lcp.hpp"

namespace mc {

// What outlives a step: the basis (contacts x 4) and the impulses (contacts x 2) of each contact when last solved for, and
// which contacts carried load.
struct ContactMemory {
    Table<bool> basis;
    Table<double> impulse;
    View<const bool> loaded;
};

// What an attempt at a step may do: `again` goes on from the impulses of the attempt before, `last` accepts what is `COARSE`, `alike`
// begins with the impulses of the problem before, a decompression that was given less back.
struct Attempt {
    bool again = false, last = false, alike = false;
};

class Islands {
public:
    static constexpr Int SMALL = 12;        // contacts of an island that is pivoted first

    // Room for so many contacts at first.
    explicit Islands(Int room);

    // The last resort that an island needed.
    ContactMethod solve(const FrictionProblem& problem, const NearContacts& near, bool balanced, const ContactMemory* memory,
                        const Attempt& attempt = {});

    // A new step begins: what may be spent on iterations, and on drawing islands near their answers, is there again.
    void begin_step() {
        drawn_ = 0;
        solver_.begin_step();
    }

    View<const FrictionPair> p() const { return {p_.data(), Int(p_.size())}; }
    double residual() const { return residual_; }

private:
    // One island, and what is remembered of it.
    struct Island {
        const FrictionProblem& problem;
        const NearContacts& near;
        View<const Int> members;
        bool balanced;
        const ContactMemory* memory;
        Attempt attempt;
    };

    ContactMethod solve_island(const Island& island);
    ContactMethod solve_small(const Island& island);
    ContactMethod solve_large(const Island& island);
    bool certified(const Island& island);
    bool pivot(const Island& island, Int path);
    bool precise(const Island& island);
    void begin(const Island& island);
    ContactMethod iterate(const Island& island, FrictionSolver::Effort effort);

    ContactLcp lcp_;
    std::unique_ptr<LcpWorkspace> workspace_;
    FrictionSolver solver_;
    std::vector<FrictionPair> p_, kept_, u_;
    std::vector<Int> shuffled_, order_;
    Int pivots_ = 0, drawn_ = 0;    // pivots of the last path; islands drawn near in the present step
    double found_ = 0.0, residual_ = 0.0;
};

}  // namespace mc
