// Contacts of a mechanism with massless links: forces along motions without mass must balance.
//
//     u = free + A p + H c        -H^T p = load        0 <= contacts' law of `p`, `u`        c free
//
// `c` are the velocities of those motions and `H` what they do to the rows of the contacts. The equations enter the
// complementarity problem exactly, as `g >= 0` and `-sum(g) >= 0` with `g = -load - H^T p` and multipliers `c = y - t 1`,
// `y, t >= 0`; the matrix is then as semidefinite or copositive as that of the contacts.
#pragma once

#include <memory>

#include "lcp/workspace.hpp"
#include "timestepping/contact_lcp.hpp"

namespace mc {

struct Balances {
    Int count = 0;
    Grid<double> felt;              // `H^T`: a row for each motion, columns (normal, tangential) of each contact
    Array<double> load;             // `x0 . known`
    bool contradiction = false;     // loads that no contact can balance, or closures that contradict each other
    Array<double> velocity;         // `c`: the answer
};

class BalancedContacts {
public:
    // Solve for the impulses of the contacts of `problem` and for `balances.velocity`; FAILED when no method succeeds.
    ContactMethod solve(const FrictionProblem& problem, Balances& balances, bool scaled, View<FrictionPair> p);

    double residual() const { return residual_; }

private:
    bool attempt(const Lcp& problem);

    ContactLcp lcp_;
    std::unique_ptr<LcpWorkspace> workspace_;
    std::vector<Int> all_;
    Grid<double> M_;
    Array<double> q_;
    ContactMethod how_ = ContactMethod::FAILED;
    double residual_ = 0.0;
};

}  // namespace mc
