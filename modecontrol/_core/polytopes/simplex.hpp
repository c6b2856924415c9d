// Small dense linear programs: maximise `c x` over `{x : A x <= b, C x = e}`, `x` free.
//
// Primal simplex method on dictionaries (Chvatal, Linear Programming, 1983, chapters 2, 3 and 8), largest
// coefficient first and Bland's rule when steps stall, so that it cannot cycle. Every answer is checked in the
// scaled data (powers of two, so no rounding lies between them and the caller's): the point and the multipliers
// of an optimum, the point and the ray of an unbounded problem, the Farkas multipliers of an infeasible one. An
// answer that fails is computed once more from a fresh dictionary; if it fails again the status is UNDECIDED.
//
// OPTIMAL: `x`, and `y >= 0`, `z` with `A'y + C'z = c` and `value = c x = b y + e z`.
// INFEASIBLE: `y >= 0`, `z` with `A'y + C'z = 0`, `b y + e z < 0`, largest entry one; `value` is -inf.
// UNBOUNDED: `x` in the set and `ray` with `A ray <= 0`, `C ray = 0`, `c ray > 0`; `value` is inf.
#pragma once

#include "polytopes/certificates.hpp"
#include "polytopes/stack.hpp"

namespace mc {

// Do `ws.task` on what `load` and `set_cost` left; at most two attempts.
Answer solve_loaded(Workspace& ws);

// Load the set into `ws` and find a vertex of its pointed part: OPTIMAL (a point in `ws.x`), INFEASIBLE, UNDECIDED.
Status prepare(Workspace& ws, const Rows& set);

// Maximise `c x`; the answer in `ws.x`, `ws.ray`, `ws.y`, `ws.z`. Allocates nothing.
Answer solve_into(Workspace& ws, ConstVec c, const Rows& set);

// Maximise another `c x` over the set in `ws`, from the vertex that the last call left.
//
// `ws` comes from a `prepare` that said OPTIMAL, or a `solve_into` or `solve_again` that said OPTIMAL or UNBOUNDED.
Answer solve_again(Workspace& ws, ConstVec c);

// NaN wherever the status gives no meaning.
void blank(Workspace& ws, Status status);

// Many problems in one call; `y`, `z` in the order of all rows. Fields without meaning are NaN.
struct Programs {
    Ints status;
    Vec value;
    Mat x, ray;
    Vec y, z;
};
void maximize_batch(ConstMat c, const Stack& stack, const Programs& out, Int threads, const Patience& patience);

}  // namespace mc
