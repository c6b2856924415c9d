// Formulations `mc` and `nmc`: velocities stay in the problem, so that the mass matrix need not have an inverse.
//
//     [ W  -G^T ] [ x+  ]   [ known  ]   [ J^T p ]
//     [ G   E   ] [ lam ] = [ target ] + [   0   ]
//
// The free unknowns are eliminated by Gauss's method with row exchanges; what is left for the contacts is `u = u_free + L p`.
//
// Massless links and closures that repeat each other make the matrix singular. As `W` is semidefinite, its null space falls into
// motions `x0` that move no mass and are free to the closures, and combinations `y` of closures that say nothing. The second get
// an `E = y y^T`, which gives them no impulse. Along the first the forces must balance, `x0 . (known + J^T p) = 0`, and the
// velocity `c x0` is what the contacts make it: unknowns and equations of `balances.hpp`. `W` is enlarged by `d d^T` there, `d`
// the joint velocities of `x0`, which changes nothing where the forces balance, and gives velocities that nothing determines the
// value zero.
#pragma once

#include <memory>

#include "timestepping/balances.hpp"
#include "timestepping/kept_unknowns.hpp"
#include "timestepping/null_space.hpp"

namespace mc {

class KeptVelocities final : public Response {
public:
    explicit KeptVelocities(std::unique_ptr<KeptUnknowns> unknowns);

    Int more_rows() const override { return unknowns_->size() + unknowns_->hinges(); }
    void make_room(Int rows) override;
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    Balances* balances() override { return &balances_; }
    void complete(const StepMoment& at, Vec p) const override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

private:
    Int size() const { return unknowns_->size(); }
    void write_scales(const StepMoment& at);
    void write_matrix();
    void enlarge();
    void write_balances(const StepMoment& at);
    void judge_loads(const StepMoment& at);
    void solve(Vec x) const;

    std::unique_ptr<KeptUnknowns> unknowns_;
    Int bilateral_ = 0;                     // rows of hinges and closures
    Grid<double> W_, rows_;
    Array<double> known_, scale_;           // of unknowns, then of bilateral rows
    Grid<double> A_;                        // the matrix, scaled, then its factors
    Array<Int> order_;
    bool regular_ = true;
    Array<double> free_;                    // x+ and lam without contacts
    Grid<double> answer_;                   // what a unit impulse of each contact row adds to them
    NullSpace null_;                        // scaled: of velocities, of bilateral rows
    Array<double> x_, joints_;
    Balances balances_;
};

}  // namespace mc
