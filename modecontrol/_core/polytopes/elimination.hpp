// Fourier-Motzkin elimination of all variables that are to go, with the system made minimal whenever it grows too much.
#pragma once

#include "layout.hpp"
#include "patience.hpp"
#include "polytopes/fourier_motzkin.hpp"

namespace mc {

// Reduce the system to its facets, hidden equalities among the equalities, parents started anew.
//
// OPTIMAL; otherwise the system is unchanged: INFEASIBLE, UNDECIDED.
Status clean(System& system, Patience* patience);

// Let each row be its own parent, if there are few enough of them.
void start_parents(System& system);

// A system without the variables that had to go. `checked`: its inequalities are known to touch the set.
struct Eliminated {
    Status status = UNDECIDED;
    System system;
    bool checked = false;
};

// Eliminate from `system`, which is clean, the variables `gone`; `set` is what it came from, in the caller's `units`.
//
// The variable with the fewest products goes first. When there would be too many pairs, rows that do not touch the set are
// left out, the system is made minimal, and its rows are the new parents.
Eliminated eliminate_variables(const Rows& set, System system, View<const bool> gone, const Units& units, Patience* patience);

}  // namespace mc
