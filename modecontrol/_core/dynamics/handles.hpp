// Handle equations `a = Phi f + b` of bodies and of assemblies of bodies: the parts of divide and conquer.
//
// Every subassembly (a body, or bodies joined) knows how its handles answer forces on them, the handle equations `a = Phi f + b`
// (Eq. (16) of Bhalerao). Handles are the joints by which it hangs on the rest. Joining the parent's side A and the child's
// side B at a joint with free directions `H` and locked directions `T` (`T^T H = 0`):
//
//     f_B = T lam + f_r,  f_A = -f_B,  H^T f_r = r,     T^T (a_B - a_A) = 0
//     Y = Phi_A,jj + Phi_B,jj    P = T (T^T Y T)^-1 T^T    E = [-Phi_A,.j; Phi_B,.j]    beta = b_B,j - b_A,j
//     Phi_C = diag(Phi_A, Phi_B) - E P E^T        b_C = (b_A, b_B) + E g,    g = f_r - P (Y f_r + beta)
//
// and on the way down `f_j = g - P E^T f_C`, `x = H^+ (Y f_j + E^T f_C + beta)`. Terms `D` on the diagonal of the mass matrix
// (implicit springs and dampers, `H^T f_r = r - D x`) are held directions that give way a little: `P = Q (Q^T Y Q + C)^-1 Q^T` with
// the columns `T` (`C` = 0) and those of `H^+T` (`C = 1/D`) in `Q`, the rest unchanged. Depth is the logarithm of the number of
// bodies for a chain.
#pragma once

#include <vector>

#include "dynamics/drag.hpp"

namespace mc {

// The joint that carries a body: its nodes are `members[first .. first + count)`, the last of them the body's.
struct BodyJoint {
    Int node, first, count;
};

// A body, a ground below a root joint, or the result of a join: its handles, and where its `Phi` starts.
struct Subassembly {
    Int first_handle, handles, first_entry;
};

// Side A (towards the root), side B, their joint, its place among the handles of each, and the result.
struct Join {
    Int a, b, joint, place_a, place_b, result;
};

// Which bodies are joined with which, made once per tree by `modecontrol.dynamics`. Bodies come first among the subassemblies,
// then grounds, then results; joins are ordered by level.
struct JoiningPlan {
    std::vector<BodyJoint> joints;
    std::vector<Int> members;
    std::vector<Subassembly> parts;
    std::vector<Int> handles;           // joints, by the numbers of the bodies they carry
    std::vector<Join> joins;
    std::vector<Int> levels;            // first join of each level, and the end
    Int entries = 0;                    // of all `Phi` together

    Int bodies() const { return Int(joints.size()); }
    Int grounds() const { return Int(parts.size()) - Int(joins.size()) - bodies(); }
};

struct Vector3 {
    double v[3];
    double& operator[](Int i) { return v[i]; }
    double operator[](Int i) const { return v[i]; }
};
struct Matrix3 {
    double v[3][3];
    double& operator()(Int i, Int j) { return v[i][j]; }
    double operator()(Int i, Int j) const { return v[i][j]; }
};

// Work space for a plan, which must outlive it.
struct HandleEquations {
    explicit HandleEquations(const JoiningPlan& p)
        : plan(p), phi(p.entries), inverse(p.bodies()), locked(p.bodies()), Y(Int(p.joins.size())), P(Int(p.joins.size())),
          E(Int(p.handles.size())), g(Int(p.joins.size())), beta(Int(p.joins.size())), b(Int(p.handles.size())),
          f(Int(p.handles.size())) {}
    HandleEquations(const HandleEquations&) = delete;
    HandleEquations& operator=(const HandleEquations&) = delete;

    const JoiningPlan& plan;
    Array<double> phi;
    Array<Matrix3> inverse;             // of [H T], per body
    Array<Matrix3> locked;              // rows T, per body
    Array<Matrix3> Y, P;                // per join
    Array<Matrix3> E;                   // per handle
    Array<Vector3> g, beta;             // per join
    Array<Vector3> b, f;                // per handle
    Array<double> diagonal;             // what is added to the diagonal of the mass matrix, per coordinate
};

// Free directions of the joint of a body at its origin, completed by locked ones; false if they depend on each other.
bool free_directions(const Mechanism& mechanism, View<const Pose> pose, Int body, HandleEquations& work);

// Handle equations of one body: `Phi_ab = S_a diag(1/I, 1/m, 1/m) S_b^T`, `S` from its centre of mass. `braking` of the nodes, if any,
// counts as inertia.
void body_handles(const Mechanism& mechanism, View<const Pose> pose, Int body, View<const Braking> braking, HandleEquations& work);

// Handle equations of the result of a join from those of its two sides.
void join(Int o, HandleEquations& work);

// Bias of the result of a join, and what of the joint's force is known without the handles' forces.
void bias_up(Int o, ConstVec r, HandleEquations& work);

// Force in the joint of a join and its acceleration, from the forces on the handles of the result.
void force_down(Int o, HandleEquations& work, Vec x);

}  // namespace mc
