// Polytopes `{x >= 0 : A x = b}` of the solutions of one singular basis: a point of it, and whether it holds another.
#pragma once

#include "view.hpp"

namespace mc {

// Least sum of infeasibilities of `A x = b, x >= 0` by Bland's rule; `x` is filled.
double phase_one(ConstMat A, ConstVec b, Vec x);

// Whether `{x >= 0 : B x = b}` holds more than `x`: some `y != 0` with `B y = 0`, `y >= 0` where `x = 0`.
bool can_move(ConstMat B, ConstVec x);

// Least and largest singular value of `A` (rows >= columns) by one-sided Jacobi rotations; `A` is overwritten.
struct SingularValues {
    double least, largest;
};
SingularValues extreme_singular_values(Mat A);

}  // namespace mc
