// Formulation `nmc/os` where joint springs, dampers or couplings act: bodies on their own whose mass matrix is not diagonal.
//
//     X = rows W^-1       x_free = W^-1 known       u = rows x_free       L = rows X^T       x+ = x_free + p X
//
// Where nothing of the kind acts, `independent_bodies.hpp` divides by each body's own mass.
#pragma once

#include "timestepping/kept_unknowns.hpp"

namespace mc {

class CondensedBodies final : public Response {
public:
    CondensedBodies(std::vector<JointOwner> owner, std::vector<Int> hinges);

    Int hinges() const override { return unknowns_.hinges(); }
    void make_room(Int rows) override;
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

private:
    BodyUnknowns unknowns_;
    Grid<double> W_, rows_, X_;
    Array<double> free_, x_, nothing_;
};

}  // namespace mc
