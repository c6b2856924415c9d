// Multipliers that prove rows of a projection: `Y = {y >= 0 : B'y = 0, y r = 1}`, asked for its farthest point in many directions.
//
// `B` are the columns of the variables that go, `r > 0` the slacks of an inner point: see `projection_by_cuts`.
#pragma once

#include <vector>

#include "owned.hpp"
#include "polytopes/simplex.hpp"

namespace mc {

class Multipliers {
public:
    Multipliers(ConstMat A, ConstVec slack, View<const bool> keep, Patience* patience);

    // OPTIMAL; INFEASIBLE when there are none: no row holds on all of the projection.
    Status prepare_set();

    // The greatest `y A v`, `v` in the kept variables.
    Answer farthest(ConstVec v);

    // The `y` of the last answer: those in the columns of the dictionary are zero, whatever rounding has made of them.
    std::vector<double> present() const;

private:
    ConstMat A_;
    View<const bool> keep_;
    Int m_, gone_;
    Workspace ws_;
    Array<double> goal_;
    Grid<double> lower_;
    Array<double> zero_;
    Grid<double> balance_;
    Array<double> level_;
};

}  // namespace mc
