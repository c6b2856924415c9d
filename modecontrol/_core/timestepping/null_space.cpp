#include "timestepping/null_space.hpp"

#include <algorithm>
#include <cmath>

#include "tolerances.hpp"

namespace mc {

double dot(ConstVec a, ConstVec b) {
    double sum = 0.0;
    for (Int i = 0; i < a.size; ++i) sum += a[i] * b[i];
    return sum;
}

double largest_of(ConstVec a) {
    double most = 0.0;
    for (Int i = 0; i < a.size; ++i) most = larger(most, std::fabs(a[i]));
    return most;
}

// Gauss's method with exchanges of rows and columns, as far as there are pivots: the rank.
Int NullSpace::eliminate(Table<double> A) {
    const Int F = A.rows;
    columns_.resize(size_t(F));
    for (Int j = 0; j < F; ++j) columns_[size_t(j)] = j;
    for (Int k = 0; k < F; ++k) {
        Int r = k, c = k;
        for (Int i = k; i < F; ++i)
            for (Int j = k; j < F; ++j)
                if (std::fabs(A(i, j)) > std::fabs(A(r, c))) r = i, c = j;
        if (!(std::fabs(A(r, c)) > tolerances::RANK)) return k;
        for (Int j = 0; r != k && j < F; ++j) std::swap(A(r, j), A(k, j));
        for (Int i = 0; c != k && i < F; ++i) std::swap(A(i, c), A(i, k));
        std::swap(columns_[size_t(c)], columns_[size_t(k)]);
        for (Int i = k + 1; i < F; ++i) {
            const double f = A(i, k) / A(k, k);
            for (Int j = k + 1; f != 0.0 && j < F; ++j) A(i, j) -= f * A(k, j);
        }
    }
    return F;
}

// The part of a vector that is across those kept before, if there is any.
void NullSpace::keep(ConstVec vector, Vectors& kept) {
    std::vector<double> x(vector.begin(), vector.end());
    for (Int turn = 0; turn < 2; ++turn)
        for (const std::vector<double>& other : kept) {
            const double along = dot(view(x), view(other));
            for (size_t i = 0; i < x.size(); ++i) x[i] -= along * other[i];
        }
    const double length = std::sqrt(dot(view(x), view(x)));
    if (!(length > tolerances::INDEPENDENT)) return;
    for (double& entry : x) entry = std::fabs(entry) > tolerances::RANK * length ? entry / length : 0.0;
    kept.push_back(x);
}

void NullSpace::find(Table<double> A, Int n) {
    const Int F = A.rows, rank = eliminate(A);
    std::vector<double> x(size_t(F), 0.0), whole(size_t(F), 0.0);
    for (Int j = rank; j < F; ++j) {
        std::fill(x.begin(), x.end(), 0.0);
        x[size_t(j)] = 1.0;
        for (Int i = rank - 1; i >= 0; --i) {
            double value = A(i, j);
            for (Int l = i + 1; l < rank; ++l) value += A(i, l) * x[size_t(l)];
            x[size_t(i)] = -value / A(i, i);
        }
        const double most = largest_of(view(x));
        for (Int i = 0; i < F; ++i) whole[size_t(columns_[size_t(i)])] = x[size_t(i)] / most;
        keep(view(whole).part(0, n), motions);
        keep(view(whole).part(n, F), repetitions);
    }
}

}  // namespace mc
