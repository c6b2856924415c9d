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
    start_.resize(n + 1);
    start_[0] = 0;
    for (Int i = 0; i < n; ++i) start_[i + 1] = start_[i] + i - first_[i];
    lower_.assign(start_[n], 0.0);
    upper_.assign(start_[n], 0.0);
    diagonal_.assign(n, 0.0);
}

double Envelope::work() const {
    double total = 0.0;
    for (Int i = 0; i < size(); ++i) {
        const double width = double(i - first_[i]);
        total += width * width;
    }
    return total;
}

MC_WIDE bool Envelope::factor(double least) {
    const Int n = size();
    for (Int i = 0; i < n; ++i) {
        const Int from = first_[i];
        double* row = lower_.data() + start_[i];
        double* column = upper_.data() + start_[i];
        for (Int j = from; j < i; ++j) {
            const Int low = from > first_[j] ? from : first_[j], length = j - low;
            const double* other_column = upper_.data() + start_[j] + (low - first_[j]);
            const double* other_row = lower_.data() + start_[j] + (low - first_[j]);
            row[j - from] = (row[j - from] - dot(row + (low - from), other_column, length)) / diagonal_[j];
            column[j - from] -= dot(other_row, column + (low - from), length);
        }
        const double before = std::fabs(diagonal_[i]);
        diagonal_[i] -= dot(row, column, i - from);
        if (!(std::fabs(diagonal_[i]) > least * before)) return false;
    }
    return true;
}

void Envelope::solve(View<double> x) const {
    const Int n = size();
    for (Int i = 0; i < n; ++i) x[i] -= dot(lower_.data() + start_[i], x.data + first_[i], i - first_[i]);
    for (Int i = n - 1; i >= 0; --i) {
        x[i] /= diagonal_[i];
        const double* column = upper_.data() + start_[i];
        for (Int j = first_[i]; j < i; ++j) x[j] -= column[j - first_[i]] * x[i];
    }
}

}  // namespace mc
