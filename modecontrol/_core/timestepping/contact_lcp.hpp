// The contacts of one island as a complementarity problem (theory's Eq. (5), the DART note's Eq. (14)).
//
//     u = free + A p              blocks (normal, tangential) of each contact, offsets and softness included (`friction.hpp`)
//     0 <= pn  perp  u_n                                 >= 0
//     0 <= p1  perp   u_t + s >= 0      0 <= p2  perp  -u_t + s >= 0        p_t = p1 - p2
//     0 <= s   perp  mu pn - p1 - p2                     >= 0
//
// A follower has `p1, p2, s` alone, with the `pn` of its host.
// Unknowns are ordered `pn` of all contacts, then `p1, p2, s` of each contact that has friction; contacts come in the order
// that is asked for, which decides the path of Lemke's method.
#pragma once

#include "lcp/friction.hpp"
#include "lcp/workspace.hpp"
#include "timestepping/detection.hpp"

namespace mc {

// Number of rows that contacts have in complementarity problems.
Int lcp_rows(const NearContacts& near);
Int lcp_rows(const FrictionProblem& problem, View<const Int> members);

class ContactLcp {
public:
    // Write the problem of these contacts. `balanced`: the rows and columns of `s` have entries as large as the others.
    void write(const FrictionProblem& problem, View<const Int> members, bool balanced);

    Lcp lcp() const { return {A_, a_, rows_}; }

    // Where the unknowns of the contact that was asked for at place `k` begin: its normal one (-1 for a follower, which has that of its
    // host), and its three of friction (-1 for none).
    Int normal(Int k) const { return members_[k].follows ? -1 : members_[k].normal; }
    Int friction(Int k) const { return members_[k].friction; }

    // Impulses of the contacts from the unknowns `z`.
    void read(ConstVec z, View<FrictionPair> p) const;

    // The basis of the contacts from the table that outlives the step (contacts of the model x 4), and into it.
    void recall(const NearContacts& near, Table<const bool> memory, View<bool> active) const;
    void remember(const NearContacts& near, View<const bool> active, Table<bool> memory) const;

private:
    struct Member {
        Int contact, normal, friction;      // where its friction unknowns begin, or -1
        bool follows;
    };

    Int rows_ = 0;
    std::vector<Member> members_;
    std::vector<Int> place_;        // of a contact among the members
    Grid<double> A_;
    Array<double> a_;
};

}  // namespace mc
