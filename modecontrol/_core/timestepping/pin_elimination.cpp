#include "timestepping/pin_elimination.hpp"

#include "tolerances.hpp"

namespace mc {

void PinElimination::eliminate(Mat L, Vec u, ConstVec target, Int rows, ConstVec rounding) {
    const Int nb = target.size, contacts = rows - nb;
    for (Int i = 0; i < nb; ++i) {
        for (Int j = 0; j <= i; ++j) {
            double value = L(i, j);
            for (Int k = 0; k < j; ++k) value -= C_(i, k) * C_(j, k);
            if (i == j) C_(i, i) = value > larger(tolerances::RANK * L(i, i), rounding[i]) ? std::sqrt(value) : 0.0;
            else C_(i, j) = C_(j, j) > 0.0 ? value / C_(j, j) : 0.0;
        }
        for (Int c = 0; c <= contacts; ++c) {
            double value = c < contacts ? L(i, nb + c) : target[i] - u[i];
            for (Int k = 0; k < i; ++k) value -= C_(i, k) * T_(k, c);
            T_(i, c) = C_(i, i) > 0.0 ? value / C_(i, i) : 0.0;
        }
    }
    for (Int r = 0; r < contacts; ++r) {
        for (Int k = 0; k < nb; ++k) u[nb + r] += T_(k, r) * T_(k, contacts);
        for (Int c = 0; c < contacts; ++c)
            for (Int k = 0; k < nb; ++k) L(nb + r, nb + c) -= T_(k, r) * T_(k, c);
    }
}

void PinElimination::impulses(Vec p, Int rows) const {
    const Int nb = C_.rows, contacts = rows - nb;
    for (Int i = 0; i < nb; ++i) {
        double value = T_(i, contacts);
        for (Int c = 0; c < contacts; ++c) value -= T_(i, c) * p[nb + c];
        p[i] = value;
    }
    for (Int i = nb - 1; i >= 0; --i) {
        p[i] = C_(i, i) > 0.0 ? p[i] / C_(i, i) : 0.0;
        for (Int k = 0; k < i; ++k) p[k] -= C_(i, k) * p[i];
    }
}

}  // namespace mc
