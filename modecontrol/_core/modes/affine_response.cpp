#include "modes/affine_response.hpp"

namespace mc {

namespace {

// The input whose row is largest in the first `active` columns, and its size; -1 when there is none.
struct Largest {
    Int input;
    double norm;
};
Largest largest_row(ConstMat T, const Layout& layout, Int active, View<const bool> taken) {
    Largest best{-1, 0.0};
    for (Int j = 0; j < layout.inputs(); ++j) {
        if (taken[j]) continue;
        double square = 0.0;
        for (Int i = 0; i < active; ++i) square += T(layout.tau + j, i) * T(layout.tau + j, i);
        if (std::sqrt(square) > best.norm) best = {j, std::sqrt(square)};
    }
    return best;
}

// Columns of torque directions become coefficients on the pivot torques: eta = L^-1 (tau - T0).
void invert_torques(Mat T, const Layout& layout, const Split& split) {
    const Int rank = split.admissible(), N = T.cols - 1;
    for (Int s = 0; s < rank; ++s) {
        const Int column = split.column(s);
        const double pivot = T(layout.tau + split.pivots[s], column);
        for (Int r = 0; r < T.rows; ++r) T(r, column) /= pivot;
        for (Int later = s + 1; later < rank; ++later) {
            // the row of a later pivot still mixes eta_s: remove it, its own column is normalised afterwards
            const Int other = split.column(later), row = layout.tau + split.pivots[later];
            const double factor = T(row, column);
            if (factor == 0.0) continue;
            const double own = T(row, other);
            for (Int r = 0; r < T.rows; ++r) T(r, column) -= factor / own * T(r, other);
        }
    }
    for (Int s = 0; s < rank; ++s) {
        const Int column = split.column(s);
        const double at = T(layout.tau + split.pivots[s], N);
        for (Int r = 0; r < T.rows; ++r) T(r, N) -= T(r, column) * at;
    }
}

}  // namespace

void split_inputs(Mat T, const Layout& layout, Int freedom, Split& split) {
    const Int inputs = layout.inputs();
    fit(split.pivots, inputs), fit(split.taken, inputs), fit(split.scratch, layout.columns + 1);
    split.pivots.fill(-1), split.taken.fill(false);
    split.left = 0.0;
    Int active = freedom;
    for (Int s = 0; s < inputs; ++s) {
        const auto [best, norm] = largest_row(T, layout, active, split.taken);
        if (best < 0 || norm <= tolerances::RANK) {
            split.left = norm;
            break;
        }
        split.taken[best] = true;
        split.pivots[s] = best;
        for (Int i = 0; i < active; ++i) split.scratch[i] = T(layout.tau + best, i);
        reflect(T, active, split.scratch, norm);
        --active;
    }
    for (Int j = 0; j < inputs; ++j)
        for (Int i = 0; i < active; ++i) T(layout.tau + j, i) = 0.0;
    split.freedom = freedom, split.w = active;
    invert_torques(T, layout, split);
}

void affine_response(ConstMat T, const Root& root, const Split& split, AffineResponse& out) {
    const Layout& layout = root.layout;
    const Int unknowns = layout.tau, inputs = layout.inputs(), w = split.w, rank = split.admissible(), N = T.cols - 1;
    const Int rest = inputs - rank, need = unknowns * (1 + inputs + layout.columns) + inputs * (inputs + 1);
    fit(out.memory, need);
    double* next = out.memory.data;
    const auto vector = [&next](Int size) { Vec made{next, size}; next += size; return made; };
    const auto matrix = [&next](Int rows, Int cols) { Mat made{next, rows, cols}; next += rows * cols; return made; };
    out.constant = vector(unknowns), out.U = matrix(unknowns, inputs), out.W = matrix(unknowns, w);
    out.C = matrix(rest, inputs), out.e = vector(rest);
    out.U.fill(0.0), out.C.fill(0.0);

    const ConstVec units = root.units;
    for (Int r = 0; r < unknowns; ++r) {
        out.constant[r] = units[r] * root.size * clean(T(r, N));
        for (Int i = 0; i < w; ++i) out.W(r, i) = units[r] * clean(T(r, i));
        for (Int s = 0; s < rank; ++s) {
            const Int pivot = split.pivots[s];
            out.U(r, pivot) = units[r] * clean(T(r, split.column(s))) / units[layout.tau + pivot];
        }
    }
    Int row = 0;
    for (Int j = 0; j < inputs; ++j) {
        if (split.taken[j]) continue;
        out.C(row, j) = 1.0;
        for (Int s = 0; s < rank; ++s) {
            const Int pivot = split.pivots[s];
            const double slope = clean(T(layout.tau + j, split.column(s)));
            out.C(row, pivot) = -slope * units[layout.tau + j] / units[layout.tau + pivot];
        }
        out.e[row] = clean(T(layout.tau + j, N)) * units[layout.tau + j] * root.size;
        ++row;
    }
}

}  // namespace mc
