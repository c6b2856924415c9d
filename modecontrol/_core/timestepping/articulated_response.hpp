// Formulation `os` with articulated bodies: neither the mass matrix nor the rows' Jacobian is formed, O(n) + O(rows^2).
#pragma once

#include "timestepping/response.hpp"

namespace mc {

class ArticulatedResponse final : public Response {
public:
    ArticulatedResponse(Int n, Int rows) : implicit_(n), r_(n), x_(n), v_free_(n), compliance_(n, rows) {}

    void make_room(Int) override {}
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    void rounding(const StepMoment& at, Vec bilateral) const override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

private:
    ImplicitTerms implicit_;
    Array<double> r_, x_, v_free_;
    Compliance compliance_;
};

}  // namespace mc
