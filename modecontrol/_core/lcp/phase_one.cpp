#include "lcp/phase_one.hpp"

#include "lcp/lemke.hpp"
#include "owned.hpp"
#include "tolerances.hpp"

namespace mc {

// The column that enters: the least variable whose cost falls. An artificial variable that left never comes back.
static Int entering(ConstMat T, ConstInts nonbasic) {
    const Int m = T.rows - 1, k = T.cols - 1;
    Int c = -1;
    for (Int j = 0; j < k; ++j)
        if (nonbasic[j] < k && T(m, j) < -tolerances::PIVOT * 100.0 && (c < 0 || nonbasic[j] < nonbasic[c])) c = j;
    return c;
}

static Int leaving(ConstMat T, ConstInts basis, Int c) {
    const Int m = T.rows - 1, k = T.cols - 1;
    Int r = -1;
    double least = INF;
    for (Int i = 0; i < m; ++i) {
        if (!(T(i, c) > tolerances::PIVOT)) continue;
        const double ratio = larger(T(i, k), 0.0) / T(i, c);
        if (ratio < least || (ratio == least && basis[i] < basis[r])) r = i, least = ratio;
    }
    return r;
}

double phase_one(ConstMat A, ConstVec b, Vec x) {
    const Int m = A.rows, k = x.size;
    const Grid<double> T(m + 1, k + 1);
    const Array<Int> basis(m), nonbasic(k);
    const Array<double> pivot_row(k + 1), pivot_column(m + 1);
    for (Int j = 0; j < k; ++j) nonbasic[j] = j;
    for (Int i = 0; i < m; ++i) {
        const double sign = b[i] < 0.0 ? -1.0 : 1.0;
        for (Int j = 0; j < k; ++j) {
            T(i, j) = sign * A(i, j);
            T(m, j) -= T(i, j);
        }
        T(i, k) = sign * b[i];
        T(m, k) -= T(i, k);
        basis[i] = k + i;
    }
    for (Int turn = 0; turn < 50 * (m + k) + 200; ++turn) {
        const Int c = entering(T, nonbasic);
        const Int r = c < 0 ? -1 : leaving(T, basis, c);
        if (r < 0) break;
        exchange(T, r, c, pivot_row, pivot_column);
        std::swap(basis[r], nonbasic[c]);
    }
    x.fill(0.0);
    double total = 0.0;
    for (Int i = 0; i < m; ++i) {
        if (basis[i] < k) x[basis[i]] = larger(T(i, k), 0.0);
        else total += std::fabs(T(i, k));
    }
    return total;
}

SingularValues extreme_singular_values(Mat A) {
    constexpr int SWEEPS = 60;
    for (int turn = 0, moved = 1; moved && turn < SWEEPS; ++turn) {
        moved = 0;
        for (Int p = 0; p < A.cols; ++p)
            for (Int q = p + 1; q < A.cols; ++q) {
                double pp = 0.0, qq = 0.0, pq = 0.0;
                for (Int i = 0; i < A.rows; ++i) {
                    pp += A(i, p) * A(i, p), qq += A(i, q) * A(i, q), pq += A(i, p) * A(i, q);
                }
                if (std::fabs(pq) <= tolerances::FEW * std::sqrt(pp) * std::sqrt(qq)) continue;
                moved = 1;
                const double half = (qq - pp) / (2.0 * pq);
                const double t = (half >= 0.0 ? 1.0 : -1.0) / (std::fabs(half) + std::sqrt(1.0 + half * half));
                const double c = 1.0 / std::sqrt(1.0 + t * t), s = c * t;
                for (Int i = 0; i < A.rows; ++i) {
                    const double a = A(i, p), b = A(i, q);
                    A(i, p) = c * a - s * b, A(i, q) = s * a + c * b;
                }
            }
    }
    SingularValues values{INF, 0.0};
    for (Int j = 0; j < A.cols; ++j) {
        double square = 0.0;
        for (Int i = 0; i < A.rows; ++i) square += A(i, j) * A(i, j);
        values.least = smaller(values.least, std::sqrt(square));
        values.largest = larger(values.largest, std::sqrt(square));
    }
    return values;
}

bool can_move(ConstMat B, ConstVec x) {
    const Int n = x.size;
    double largest = 0.0;
    for (Int j = 0; j < n; ++j) largest = larger(largest, x[j]);
    const Flags on(n);
    for (Int j = 0; j < n; ++j) on[j] = x[j] > tolerances::FLAT * largest;
    const Int support = count(on);

    // a `y` that leaves a zero entry of `x`: it sums to one there, and has either sign on the support
    const Grid<double> A(n + 1, n + support);
    const Array<double> b(n + 1), y(n + support);
    b[n] = 1.0;
    for (Int j = 0, k = n; j < n; ++j) {
        for (Int i = 0; i < n; ++i) A(i, j) = B(i, j);
        if (!on[j]) A(n, j) = 1.0;
        else {
            for (Int i = 0; i < n; ++i) A(i, k) = -B(i, j);
            ++k;
        }
    }
    if (support < n && phase_one(A, b, y) <= tolerances::FEASIBLE) return true;
    if (support == 0) return false;

    // a `y` on the support alone
    const Grid<double> S(n, support);
    for (Int j = 0, k = 0; j < n; ++j)
        if (on[j]) {
            for (Int i = 0; i < n; ++i) S(i, k) = B(i, j);
            ++k;
        }
    const SingularValues values = extreme_singular_values(S);
    return values.least <= tolerances::FEASIBLE * values.largest;
}

}  // namespace mc
