#include "lcp/envelope.hpp"

#include <cmath>

#include "wide.hpp"

namespace mc {

namespace {

// Four sums at once: their order is the same on every machine.
inline double dot(const double* __restrict a, const double* __restrict b, Int n) {
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    Int k = 0;
    for (; k + 4 <= n; k += 4)
        for (Int l = 0; l < 4; ++l) s[l] += a[k + l] * b[k + l];
    double rest = 0.0;
    for (; k < n; ++k) rest += a[k] * b[k];
    return (s[0] + s[1]) + (s[2] + s[3]) + rest;
}

}  // namespace

void Envelope::shape(View<const Int> first) {
    const Int n = first.size;
    first_.assign(first.data, first.data + n);
    last_.resize(n);
    start_.resize(n + 1);
    inverse_.resize(n);
    start_[0] = 0;
    // row `j` reaches as far as the last row that begins at `j` or before
    for (Int i = n - 1, from = n; i >= 0; --i)
        while (from > first_[i]) last_[--from] = i;
    work_ = 0.0;
    for (Int i = 0; i < n; ++i) {
        start_[i + 1] = start_[i] + last_[i] - first_[i] + 1;
        work_ += double(last_[i] - i) * double(last_[i] - i);
    }
    values_.assign(size_t(start_[n]), 0.0);
}

MC_WIDE bool Envelope::factor(double least) {
    const Int n = size();
    for (Int i = 0; i < n; ++i) {
        double* const __restrict row = values_.data() + start_[i] - first_[i];
        const double before = std::fabs(row[i]);
        Int k = first_[i];
        const auto above = [this](Int r) { return values_.data() + start_[r] - first_[r]; };
        for (; k + 4 <= i; k += 4) {
            const double *a = above(k), *b = above(k + 1), *c = above(k + 2), *d = above(k + 3);
            const double p = row[k] *= inverse_[k];
            const double q = row[k + 1] = (row[k + 1] - p * a[k + 1]) * inverse_[k + 1];
            const double r = row[k + 2] = (row[k + 2] - p * a[k + 2] - q * b[k + 2]) * inverse_[k + 2];
            const double s = row[k + 3] = (row[k + 3] - p * a[k + 3] - q * b[k + 3] - r * c[k + 3]) * inverse_[k + 3];
            Int j = k + 4;
            for (const Int end = last_[k]; j <= end; ++j) row[j] = row[j] - p * a[j] - q * b[j] - r * c[j] - s * d[j];
            for (const Int end = last_[k + 1]; j <= end; ++j) row[j] = row[j] - q * b[j] - r * c[j] - s * d[j];
            for (const Int end = last_[k + 2]; j <= end; ++j) row[j] = row[j] - r * c[j] - s * d[j];
            for (const Int end = last_[k + 3]; j <= end; ++j) row[j] -= s * d[j];
        }
        for (; k < i; ++k) {
            const double* const a = above(k);
            const double p = row[k] *= inverse_[k];
            for (Int j = k + 1; j <= last_[k]; ++j) row[j] -= p * a[j];
        }
        if (!(std::fabs(row[i]) > least * before)) return false;
        inverse_[i] = 1.0 / row[i];
    }
    return true;
}

void Envelope::solve(View<double> x) const {
    const Int n = size();
    for (Int i = 0; i < n; ++i) x[i] -= dot(values_.data() + start_[i], x.data + first_[i], i - first_[i]);
    for (Int i = n - 1; i >= 0; --i) {
        const double* const diagonal = values_.data() + start_[i] + (i - first_[i]);
        x[i] = (x[i] - dot(diagonal + 1, x.data + i + 1, last_[i] - i)) * inverse_[i];
    }
}

}  // namespace mc
