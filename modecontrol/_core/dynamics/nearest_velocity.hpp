// The nearest velocity that fits: `argmin (v' - v)^T W (v' - v)` subject to `A v' = a`.
//
// `W = M + LIGHT diag(m r_i^2 + M_ii)` is kinetic energy, with a little weight for what has no mass: `r_i` is the greatest entry of
// column i in `J` and `A`, and the total mass `m` brings the second term to the units of the first. With `W = R^T R` and
// `x = R (v' - v)` it is the least-norm solution of `A R^-1 x = a - A v`, rows scaled, redundant rows allowed.
#pragma once

#include "owned.hpp"

namespace mc {

struct NearestProblem {
    ConstMat M, J, A;
    ConstVec v, a;      // `a` may be empty: zeros
    double mass;
};

// Work space for `n` unknowns and up to `m` rows.
struct NearestWorkspace {
    NearestWorkspace(Int n, Int m) : W(n, n), rows(m, n), root(n), right(m), x(n), diagonal(m) {}

    Grid<double> W, rows;
    Array<double> root, right, x, diagonal;
};

// Fill `settled`; false if `W` is not positive definite (an indefinite mass matrix).
bool nearest_velocity(const NearestProblem& problem, NearestWorkspace& work, Vec settled);

}  // namespace mc
