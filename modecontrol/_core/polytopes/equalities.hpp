// Hidden equalities on a dictionary with nonnegative constants: rows whose slack cannot grow anywhere.
//
// A vertex with positive basic slacks and long edges shows that there are none. Otherwise the slacks that never left zero
// are raised together; what stays leaves the dictionary, with as many columns, and the rest is judged on the affine hull.
#pragma once

#include "polytopes/workspace.hpp"

namespace mc {

// Whether all slacks of a vertex can grow together: its basic ones are positive, its edges long enough.
bool is_thick(const Workspace& ws, const Dictionary& D);

// Find the hidden equalities: rows whose slack stays below FLAT everywhere. False when the iteration limit is reached.
//
// The sum of the slacks that never left zero so far is raised; those that leave are struck off, and so on.
bool find_equalities(const Workspace& ws, const Dictionary& D);

// Pivot the hidden equalities out of the dictionary; the columns that remain span the affine hull.
void take_out_equalities(const Workspace& ws, Dictionary& D);

}  // namespace mc
