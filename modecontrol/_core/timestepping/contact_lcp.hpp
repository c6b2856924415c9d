// The contact problem of one step as a complementarity problem (theory's Eq. (5), the DART note's Eq. (14)).
//
//     u = u_free + L p            rows: (normal, tangential) of each near contact
//     0 <= pn  perp  u_n + softness pn + offset          >= 0
//     0 <= p1  perp   u_t + s >= 0      0 <= p2  perp  -u_t + s >= 0        p_t = p1 - p2
//     0 <= s   perp  mu pn - p1 - p2                     >= 0
//
// Unknowns are ordered `pn` of all contacts, then `p1, p2, s` of each contact that has friction.
#pragma once

#include "lcp/workspace.hpp"
#include "timestepping/detection.hpp"

namespace mc {

// What the complementarity problem is written from: `L` and `u` of all rows, of which `first` are bilateral, and the contacts.
struct CondensedRows {
    const Mechanism& mechanism;
    const NearContacts& near;
    ConstMat L;
    ConstVec u;
    Int first;
};

// Number of rows of the complementarity problem.
Int lcp_rows(const Mechanism& mechanism, const NearContacts& near);

// Fill the first rows of `A`, `a`. The diagonal of `L` is multiplied by `1 + eps`, friction rows and columns by `scaling`.
void write_lcp(const CondensedRows& rows, double eps, double scaling, Mat A, Vec a);

// Impulses (normal, tangential) of each contact from the unknowns `z`.
void read_impulses(const CondensedRows& rows, ConstVec z, Vec p);

// The basis of the near contacts from the table that outlives the step (contacts x 4), and into it.
void recall_basis(const CondensedRows& rows, Table<const bool> memory, View<bool> active);
void remember_basis(const CondensedRows& rows, View<const bool> active, Table<bool> memory);

}  // namespace mc
