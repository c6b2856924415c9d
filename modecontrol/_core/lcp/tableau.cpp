#include "lcp/tableau.hpp"

#include "wide.hpp"

namespace mc {

double cover(Int i, Int turn) {
    if (turn == 0) return 1.0;
    return 1.0 + 3.0 * std::fmod(double(i + 1) * (0.6180339887498949 + 0.1415926535897932 * double(turn)), 1.0);
}

MC_WIDE void exchange(Mat T, Int r, Int c, Vec pivot_row, Vec pivot_column) {
    const Int n = T.rows, width = T.cols;
    const double inverse = 1.0 / T(r, c);
    for (Int i = 0; i < n; ++i) {
        pivot_column[i] = T(i, c);
        T(i, c) = 0.0;
    }
    pivot_column[r] = 0.0;
    T(r, c) = 1.0;
    // copied out, so that the double loop is seen to be free of aliases and is vectorised
    for (Int j = 0; j < width; ++j) pivot_row[j] = T(r, j) *= inverse;
    const double* __restrict source = pivot_row.data;
    for (Int i = 0; i < n; ++i) {
        const double f = pivot_column[i];
        if (f == 0.0) continue;
        double* __restrict target = T.data + i * width;
        for (Int j = 0; j < width; ++j) target[j] -= f * source[j];
    }
}

// `target -= f source`, entry by entry, in twice the precision.
MC_WIDE static void subtract_multiple(DoubleDouble f, ConstVec high, ConstVec low, Vec target_high, Vec target_low) {
    const double* __restrict sh = high.data;
    const double* __restrict sl = low.data;
    double* __restrict th = target_high.data;
    double* __restrict tl = target_low.data;
    for (Int j = 0; j < high.size; ++j) {
        const DoubleDouble value = DoubleDouble(th[j], tl[j]) - f * DoubleDouble(sh[j], sl[j]);
        th[j] = value.hi, tl[j] = value.lo;
    }
}

void PreciseNumbers::exchange(Int r, Int c) const {
    const Int n = high.rows, width = high.cols;
    const DoubleDouble inverse = DoubleDouble(1.0) / (*this)(r, c);
    set(r, c, 1.0);
    for (Int j = 0; j < width; ++j) {
        const DoubleDouble value = (*this)(r, j) * inverse;
        set(r, j, value);
        high_row[j] = value.hi, low_row[j] = value.lo;
    }
    for (Int i = 0; i < n; ++i) {
        const DoubleDouble f = (*this)(i, c);
        if (i == r || (f.hi == 0.0 && f.lo == 0.0)) continue;
        set(i, c, 0.0);
        subtract_multiple(f, high_row.part(0, width), low_row.part(0, width), high.row(i), low.row(i));
    }
}

}  // namespace mc
