// Bilateral rows taken out of a condensed problem by Cholesky's method: `u_b = target` holds whatever the contacts do.
//
//     L_bb = C C^T        T = C^-1 (L_bu, target - u_b)        L_uu -= T_u^T T_u        lam = C^-T (t - T_u p)
//
// A row that depends on earlier ones, or that its own ends keep anyway, is left out (its multiplier is zero): redundant pins
// are welcome.
#pragma once

#include "owned.hpp"

namespace mc {

class PinElimination {
public:
    PinElimination(Int bilateral, Int contact_rows) : C_(bilateral, bilateral), T_(bilateral, contact_rows + 1) {}

    Int bilateral() const { return C_.rows; }
    bool fits(Int bilateral, Int rows) const { return bilateral == C_.rows && rows >= bilateral && rows - bilateral < T_.cols; }

    // Subtract from the contact block of `L` and from `u` what the first `target.size` rows take; `rows` rows altogether. A
    // diagonal entry of `L` that is no more than `rounding` is zero.
    void eliminate(Mat L, Vec u, ConstVec target, Int rows, ConstVec rounding);

    // What the bilateral rows take once the impulses of the contacts, behind them in `p`, are known.
    void impulses(Vec p, Int rows) const;

private:
    Grid<double> C_, T_;
};

}  // namespace mc
