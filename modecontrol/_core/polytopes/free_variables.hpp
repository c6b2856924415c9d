// The free variables of a scaled set leave its dictionary, and come back from the slacks.
//
// They are pivoted out through the equalities first (complete pivoting), then through inequalities, by ratio tests while
// the current point is feasible, by complete pivoting when it is not. What cannot be pivoted is a line of the set. The
// result `S` is kept as it is: it gives `u` and the multipliers back from the slacks. Its part in slacks alone, `T`, is
// what the simplex method works on.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Pivot the free variables out of the scaled data; false when the equalities contradict each other.
//
// In the second attempt the columns of the present `T` are tried first: the same dictionary, less rounding.
bool eliminate(Workspace& ws);

// The scaled point (`constant` 1) or ray (0) that has the slacks in `ws.slack`; lines at zero.
void from_slacks(const Workspace& ws, Vec out, double constant);

// Multipliers of the equalities from those of the inequalities, both scaled and in `ws.slack`.
//
// The coefficients of `t` must agree in `cost u = value - y s - z t`; in phase 1 the left side is zero.
void equality_multipliers(Workspace& ws);

}  // namespace mc
