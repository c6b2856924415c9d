// Formulation `nmc/os`: every body on its own, hinges as bilateral rows (Jain 2014, section 8).
//
//     V+ = V_free + M^-1 (T^T lam + G^T lam' + J^T p)         M block diagonal: 1/I, 1/m, 1/m of each body
//     rows of hinges `T`, pins `G`, contacts `J`:   u = rows V+        L = rows M^-1 rows^T
//
// `L` has two rows for each hinge and is mostly zeros, but every solver for it works on the dense matrix. Two are offered by
// `contact_problem.hpp`: Cholesky's method takes the bilateral rows out, knowing that they are symmetric and definite; a
// pivoting solver that does not is handed the whole mixed problem, as the published comparison did. What remains for the
// contacts is the same small problem as in `os`.
#pragma once

#include "timestepping/body_rows.hpp"

namespace mc {

class IndependentBodies final : public Response {
public:
    // `hinges`: nodes whose joint has one freedom and so two locked directions.
    IndependentBodies(std::vector<JointOwner> owner, std::vector<Int> hinges)
        : rows_(std::move(owner), std::move(hinges)), body_(rows_.coordinates()) {}

    Int hinges() const override { return rows_.hinges(); }
    void make_room(Int rows) override { rows_.make_room(rows); }
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

private:
    // 1/I, 1/m of a body, and the velocity of its centre of mass.
    struct Body {
        double by_inertia, by_mass;
        Twist V;
    };

    Int free_bodies(const StepMoment& at);
    void add_joint_forces(const StepMoment& at);
    void add_impulse(const ForceRow& row, double p);

    BodyRows rows_;
    Array<Body> body_;
};

}  // namespace mc
