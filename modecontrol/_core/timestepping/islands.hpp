// The contacts of a step, island by island, and the ladder of attempts to solve each.
//
// Contacts that feel nothing of each other are problems of their own. An island whose contacts all separate by themselves needs
// nothing. A small one is tried with the basis of the last step, then with Lemke's method, then with wide ties, contacts in
// another order and other covering vectors, then by sweeps and Newton's method, last with Lemke's in twice the precision. A
// large one is given to a few sweeps and Newton's method first, which begin with the impulses of the last step. Each attempt is
// limited in work, and so is the ladder.
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

class Islands {
public:
    // Room for so many contacts at first.
    explicit Islands(Int room);

    // The last resort that an island needed.
    ContactMethod solve(const FrictionProblem& problem, const NearContacts& near, bool balanced, const ContactMemory* memory);

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
    };

    ContactMethod solve_island(const Island& island);
    bool pivot(const Island& island, Int path);
    bool precise(const Island& island);
    void begin(const Island& island);
    ContactMethod iterate(const Island& island, FrictionSolver::Effort effort);

    ContactLcp lcp_;
    std::unique_ptr<LcpWorkspace> workspace_;
    FrictionSolver solver_;
    std::vector<FrictionPair> p_, kept_;
    std::vector<Int> shuffled_;
    Int pivots_ = 0;
    double found_ = 0.0, residual_ = 0.0;
};

}  // namespace mc
