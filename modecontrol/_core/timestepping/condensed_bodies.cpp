#include "timestepping/condensed_bodies.hpp"

#include "timestepping/joint_space.hpp"

namespace mc {

CondensedBodies::CondensedBodies(std::vector<JointOwner> owner, std::vector<Int> hinges)
    : unknowns_(std::move(owner), std::move(hinges)), W_(unknowns_.size(), unknowns_.size()), free_(unknowns_.size()),
      x_(unknowns_.size()), nothing_(unknowns_.size()) {}

void CondensedBodies::make_room(Int rows) {
    unknowns_.make_room(rows);
    rows_ = Grid<double>(hinges() + rows, unknowns_.size());
    X_ = Grid<double>(hinges() + rows, unknowns_.size());
}

Int CondensedBodies::free_motion(const StepMoment& at) {
    unknowns_.write(at, W_, free_, rows_);
    const Int bad = cholesky(W_, nothing_);
    if (bad >= 0) return unknowns_.body_of(bad);
    cholesky_solve(W_, free_);
    return -1;
}

void CondensedBodies::condense(const StepMoment& at, Vec u, Mat L) {
    const auto dot = [](ConstVec a, ConstVec b) {
        double sum = 0.0;
        for (Int i = 0; i < a.size; ++i) sum += a[i] * b[i];
        return sum;
    };
    for (Int r = 0; r < hinges() + at.rows.size(); ++r) {
        for (Int i = 0; i < x_.size; ++i) X_(r, i) = rows_(r, i);
        cholesky_solve(W_, X_.row(r));
        u[r] = dot(rows_.row(r), free_);
        for (Int s = 0; s <= r; ++s) L(r, s) = L(s, r) = dot(rows_.row(s), X_.row(r));
    }
}

void CondensedBodies::apply(const StepMoment& at, ConstVec p, Vec v_plus) {
    for (Int i = 0; i < x_.size; ++i) x_[i] = free_[i];
    for (Int r = 0; r < hinges() + at.rows.size(); ++r)
        for (Int i = 0; p[r] != 0.0 && i < x_.size; ++i) x_[i] += p[r] * X_(r, i);
    unknowns_.read(x_, v_plus);
}

}  // namespace mc
