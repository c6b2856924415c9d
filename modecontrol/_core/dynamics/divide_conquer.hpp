// Divide and conquer: `x = (M + diag(added))^-1 r` by joining bodies pairwise over a balanced tree (Featherstone 1999).
//
// Assembly, leaves to root, then disassembly, root to leaves, with the handle equations of `handles.hpp`. Subassemblies of one
// level are independent of each other, so each level can be shared between threads; that pays for very many bodies only.
#pragma once

#include "dynamics/handles.hpp"

namespace mc {

// Handle equations of all subassemblies at `pose`; -1, or the node of a joint whose free directions depend on each other.
Int assemble(const Mechanism& mechanism, View<const Pose> pose, ConstVec added, HandleEquations& work, Int threads = 1,
             View<const Braking> braking = {});

// `x = (M + diag(added))^-1 r` after `assemble`.
void substitute(ConstVec r, HandleEquations& work, Vec x, Int threads = 1);

// `X = (M + diag(added))^-1 R` for right-hand sides in the rows of `R` (m, n); -1, or a node as above. Allocates.
struct ManySides {
    ConstVec q, added;
    ConstMat R;
    Mat X;
};
Int solve_many(const Mechanism& mechanism, const JoiningPlan& plan, const ManySides& sides, Int threads);

}  // namespace mc
