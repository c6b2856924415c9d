#include "lcp/bases.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "tolerances.hpp"
#include "wide.hpp"

namespace mc {

// The power of two nearest below `1 / x` (1 when `x` is zero or not finite): for `x = m 2^e` with `m` in [1/2, 1) that is `2^-e`, whose
// exponent is written as it is read off `x`, where both are normal numbers.
static double inverse_power(double x) {
    constexpr std::uint64_t BIAS = 1023, PLACES = 52, MOST = 2 * BIAS - 1;
    if (x <= 0.0 || !std::isfinite(x)) return 1.0;
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const std::uint64_t exponent = bits >> PLACES;
    if (exponent == 0 || exponent >= MOST) {
        int far;
        std::frexp(x, &far);
        return std::ldexp(1.0, -far);
    }
    bits = (MOST - exponent) << PLACES;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

// One pass of `_geometric_means`: `mine_i = -mean_j (size_ij + other_j)` over the entries that are not zero.
static void balance(ConstMat size, bool transposed, ConstVec other, Vec mine) {
    const Int n = size.rows;
    for (Int i = 0; i < n; ++i) {
        double total = 0.0;
        Int terms = 0;
        for (Int j = 0; j < n; ++j) {
            const double s = transposed ? size(j, i) : size(i, j);
            if (!std::isnan(s)) total += s + other[j], ++terms;
        }
        mine[i] = terms ? -total / double(terms) : 0.0;
    }
}

// Diagonals for which the entries of each row and column of `R M C` have geometric mean one.
static void geometric_means(const Lcp& problem, LcpWorkspace& ws) {
    const Int n = problem.n;
    const Mat size = ws.tableau(n, n);
    for (Int i = 0; i < n; ++i) {
        ws.row[i] = ws.column[i] = 0.0;
        for (Int j = 0; j < n; ++j)
            size(i, j) = problem.M(i, j) != 0.0 ? std::log2(std::fabs(problem.M(i, j))) : NaN;
    }
    for (int turn = 0; turn < 3; ++turn) {
        balance(size, false, ws.column, ws.row);
        balance(size, true, ws.row, ws.column);
    }
    for (Int i = 0; i < n; ++i) {
        ws.row[i] = std::ldexp(1.0, int(std::nearbyint(ws.row[i])));
        ws.column[i] = std::ldexp(1.0, int(std::nearbyint(ws.column[i])));
    }
}

// The scale of a column without diagonal, by the rows that have one.
static double column_scale(const Lcp& problem, const LcpWorkspace& ws, Int j) {
    double biggest = 0.0, largest = 0.0;
    for (Int i = 0; i < problem.n; ++i) biggest = larger(biggest, std::fabs(problem.M(i, j)));
    for (Int i = 0; i < problem.n; ++i)
        // an entry that is rounding beside its column must not set the scale
        if (std::fabs(problem.M(i, j)) > tolerances::ROUNDING * biggest)
            largest = larger(largest, ws.row[i] * std::fabs(problem.M(i, j)));
    return inverse_power(largest > 0.0 ? largest : biggest);
}

// The largest of `entry(0) .. entry(n - 1)`, none of them negative. Two at a time: neither waits for the other, and order does not matter.
template <class F> static double largest_of(Int n, const F& entry) {
    double even = 0.0, odd = 0.0;
    Int j = 0;
    for (; j + 1 < n; j += 2) {
        even = larger(even, entry(j));
        odd = larger(odd, entry(j + 1));
    }
    if (j < n) even = larger(even, entry(j));
    return larger(even, odd);
}

void equilibrate(const Lcp& problem, LcpWorkspace& ws) {
    const Int n = problem.n;
    for (Int i = 0; i < n; ++i) {
        const double* const entries = problem.M.row(i).data;
        const double diagonal = std::fabs(entries[i]);
        const double largest = diagonal > 0.0 ? largest_of(n, [&](Int j) { return std::fabs(entries[j]); }) : 0.0;
        ws.row[i] = diagonal > tolerances::RANK * largest ? inverse_power(std::sqrt(diagonal)) : 0.0;
        ws.column[i] = ws.row[i];
    }
    for (Int j = 0; j < n; ++j)
        if (ws.row[j] == 0.0) ws.column[j] = column_scale(problem, ws, j);
    double worst = 0.0;
    for (Int i = 0; i < n; ++i) {
        const double *const entries = problem.M.row(i).data, *const column = ws.column.data;
        const double largest = largest_of(n, [&](Int j) { return column[j] * std::fabs(entries[j]); });
        if (ws.row[i] == 0.0) ws.row[i] = inverse_power(largest);
        worst = larger(worst, ws.row[i] * largest);
    }
    if (worst > tolerances::UNEVEN) geometric_means(problem, ws);
}

double scaled_size(const Lcp& problem, const LcpWorkspace& ws) {
    double size = 0.0;
    for (Int i = 0; i < problem.n; ++i) size = larger(size, ws.row[i] * std::fabs(problem.q[i]));
    return size;
}

double measure(const Lcp& problem, LcpWorkspace& ws) {
    const Int n = problem.n;
    Int m = 0;
    for (Int j = 0; j < n; ++j) {
        if (ws.active[j] && ws.z[j] > 0.0) {
            ws.index[m++] = j;
        } else {
            if (ws.z[j] != ws.z[j]) return INF;
            ws.z[j] = 0.0;
        }
    }
    double largest = 0.0;
    for (Int i = 0; i < n; ++i) {
        double size = std::fabs(problem.q[i]), value = problem.q[i];
        for (Int k = 0; k < m; ++k) {
            const double term = problem.M(i, ws.index[k]) * ws.z[ws.index[k]];
            value += term;
            size += std::fabs(term);
        }
        largest = larger(largest, ws.row[i] * size);
        ws.w[i] = value;
    }
    if (largest == 0.0) return 0.0;
    if (!std::isfinite(largest)) return INF;
    double worst = 0.0;
    for (Int i = 0; i < n; ++i) {
        const double error = ws.active[i] ? std::fabs(ws.w[i]) : larger(-ws.w[i], 0.0);
        if (ws.active[i] || ws.w[i] < 0.0) ws.w[i] = 0.0;
        if (error > 0.0) {
            double size = std::fabs(problem.q[i]);
            for (Int k = 0; k < m; ++k) size += std::fabs(problem.M(i, ws.index[k]) * ws.z[ws.index[k]]);
            worst = larger(worst, error / (size + tolerances::ROW_FLOOR * largest / ws.row[i]));
        }
    }
    return worst;
}

MC_WIDE bool factor(Mat a, Ints order) {
    const Int m = a.rows;
    for (Int k = 0; k < m; ++k) {
        Int best = k;
        for (Int i = k + 1; i < m; ++i)
            if (std::fabs(a(i, k)) > std::fabs(a(best, k))) best = i;
        order[k] = best;
        const double pivot = a(best, k);
        if (!(std::fabs(pivot) > tolerances::PIVOT)) return false;
        if (best != k)
            for (Int j = 0; j < m; ++j) std::swap(a(k, j), a(best, j));
        const double* __restrict source = a.data + k * a.cols;
        for (Int i = k + 1; i < m; ++i) {
            double* __restrict target = a.data + i * a.cols;
            if (target[k] == 0.0) continue;
            const double f = target[k] / pivot;
            target[k] = f;
            for (Int j = k + 1; j < m; ++j) target[j] -= f * source[j];
        }
    }
    return true;
}

void back_substitute(ConstMat a, ConstInts order, Vec x) {
    const Int m = a.rows;
    for (Int k = 0; k < m; ++k) std::swap(x[k], x[order[k]]);  // whole rows were exchanged: L is already in its final order
    for (Int k = 0; k < m; ++k) {
        double value = x[k];
        for (Int j = 0; j < k; ++j) value -= a(k, j) * x[j];
        x[k] = value;
    }
    for (Int k = m - 1; k >= 0; --k) {
        double value = x[k];
        for (Int j = k + 1; j < m; ++j) value -= a(k, j) * x[j];
        x[k] = value / a(k, k);
    }
}

bool solve_basis(const Lcp& problem, LcpWorkspace& ws) {
    Int m = 0;
    for (Int j = 0; j < problem.n; ++j) {
        ws.z[j] = 0.0;
        if (ws.active[j]) ws.index[m++] = j;
    }
    if (m == 0) return true;
    const Mat lu = ws.tableau(m, m);
    for (Int a = 0; a < m; ++a) {
        const Int i = ws.index[a];
        for (Int b = 0; b < m; ++b) lu(a, b) = ws.row[i] * problem.M(i, ws.index[b]) * ws.column[ws.index[b]];
        ws.x[a] = -ws.row[i] * problem.q[i];
    }
    if (!factor(lu, ws.order)) return false;
    for (int turn = 0; turn < 2; ++turn) {
        for (Int a = 0; turn == 1 && a < m; ++a) {
            const Int i = ws.index[a];
            double value = -problem.q[i];
            for (Int b = 0; b < m; ++b) value -= problem.M(i, ws.index[b]) * ws.z[ws.index[b]];
            ws.x[a] = ws.row[i] * value;
        }
        back_substitute(lu, ws.order, ws.x);
        for (Int a = 0; a < m; ++a) ws.z[ws.index[a]] += ws.column[ws.index[a]] * ws.x[a];
    }
    double largest = 0.0;
    for (Int a = 0; a < m; ++a) largest += std::fabs(ws.z[ws.index[a]]);
    return std::isfinite(largest);
}

double refine(const Lcp& problem, LcpWorkspace& ws, double residual) {
    if (residual <= tolerances::REFINED) return residual;
    const Vec kept = ws.y;
    for (Int i = 0; i < problem.n; ++i) kept[i] = ws.z[i];
    if (solve_basis(problem, ws)) {
        const double refined = measure(problem, ws);
        if (refined <= residual) return refined;
    }
    for (Int i = 0; i < problem.n; ++i) ws.z[i] = kept[i];
    return measure(problem, ws);
}

}  // namespace mc
