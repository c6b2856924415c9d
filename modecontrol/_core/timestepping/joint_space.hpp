// Formulations `os` and `rmc` in joint coordinates with any solver for the mass matrix: `dense` and `dca`.
//
//     X = (r; J) W^-1         v_free = v + X_0         u = J v_free         L = J X_J^T         v+ = v_free + p X_J
//
// `dense` factors the composite-rigid-body mass matrix (O(n^3)), `dca` assembles handle equations over a balanced tree
// (O(n)); the articulated bodies of `articulated_response.hpp` need neither `J` nor `X`. All three give the same numbers, so
// these two are for comparison.
#pragma once

#include "dynamics/divide_conquer.hpp"
#include "timestepping/response.hpp"

namespace mc {

// Rows of unit forces as generalised forces, by walking to the root: the first `rows.size` rows of `J`.
void expand(const Mechanism& mechanism, View<const Pose> pose, View<const ForceRow> rows, Mat J);

// `M + diag(added) = U^T U`, `U` in the upper triangle of `M`; -1, or the row where it breaks down.
Int cholesky(Mat M, ConstVec added);

// `x <- (U^T U)^-1 x`.
void cholesky_solve(ConstMat U, Vec x);

class JointSpaceResponse : public Response {
public:
    explicit JointSpaceResponse(Int n) : implicit_(n), v_free_(n) {}

    void make_room(Int rows) override;
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

protected:
    // Fill rows `1 + r` of `X` from those of `J`, and solve in row 0; -1 or a coordinate that cannot be divided by.
    virtual Int solve(const StepMoment& at) = 0;

    ImplicitTerms implicit_;
    Array<double> v_free_;
    Grid<double> J_, X_;
};

class DenseResponse final : public JointSpaceResponse {
public:
    // `inside`: bilateral rows that count as part of the inverse, not of the problem (`rmc`, Eq. (41) of Jain 2014).
    explicit DenseResponse(Int n, Int inside = 0) : JointSpaceResponse(n), M_(n, n), composite_(n), carried_(0), inside_(inside) {}

    Int more_rows() const override { return -inside_; }

protected:
    Int solve(const StepMoment& at) override;

private:
    Grid<double> M_;
    Array<RigidInertia> composite_;
    Array<Braking> carried_;
    Int inside_;
};

class DivideConquerResponse final : public JointSpaceResponse {
public:
    DivideConquerResponse(Int n, const JoiningPlan& plan) : JointSpaceResponse(n), plan_(plan), work_(plan_), r_(n) {}

protected:
    Int solve(const StepMoment& at) override;

private:
    JoiningPlan plan_;
    HandleEquations work_;
    Array<double> r_;
};

}  // namespace mc
