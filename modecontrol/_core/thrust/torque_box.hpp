// Constraint rows of one instant together with its torque box: `lower <= tau <= upper` as physical rows, before the task.
#pragma once

#include "modes/affine_set.hpp"

namespace mc {

// Rows in memory of their own, filled again at every instant; allocates when the sizes are new.
class BoxedRows {
public:
    // `limits` has a row (lower, upper) for each input; an infinite one is none.
    Extra join(const Extra& rows, ConstMat limits);

private:
    Grid<double> P_;
    Array<double> p_;
    Array<bool> equality_;
};

}  // namespace mc
