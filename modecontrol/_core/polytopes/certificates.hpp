// Answers of the simplex method, read off the dictionaries and checked in the scaled data.
//
// A vertex with its multipliers is an optimum, a vertex with a ray shows an unbounded problem, multipliers alone
// show an empty set. Nothing leaves here unchecked: what fails is UNDECIDED.
#pragma once

#include "layout.hpp"
#include "polytopes/workspace.hpp"

namespace mc {

struct Answer {
    Status status;
    double value;
};

// `G u - g` for the first `count` rows, `g` the right-hand sides, and the size of the terms of `G u`.
//
// Column by column, which adds up each row in the order of its variables.
void excess(const Workspace& ws, ConstVec u, Int count, Vec gap, Vec terms);

// The vertex that `T` stands at, scaled and in `ws.x`; true when it satisfies all rows to FEASIBLE.
bool current_point(Workspace& ws);

// OPTIMAL and the value when the vertex of `T` and its objective row pass the checks; else UNDECIDED.
Answer optimum(Workspace& ws);

// INFEASIBLE by the multipliers of row `r` of `T`, or of the clash in `S` when r < 0; else UNDECIDED.
Status contradiction(Workspace& ws, Int r);

// UNBOUNDED along column `q` of `T`, or the line in column `-q` of `S`; UNDECIDED when the check fails.
//
// The ray, largest entry one, must stay in the set for ever and improve the objective.
Status unbounded(Workspace& ws, Int q);

}  // namespace mc
