#include "lcp/check.hpp"

#include <cmath>

#include "lcp/bases.hpp"
#include "tolerances.hpp"

namespace mc {

bool finite(const Lcp& problem) {
    double total = 0.0;
    for (Int i = 0; i < problem.n; ++i) {
        total += 0.0 * problem.q[i];
        for (Int j = 0; j < problem.n; ++j) total += 0.0 * problem.M(i, j);  // not a number as soon as one entry is not finite
    }
    return total == 0.0;
}

bool within_reach(const Lcp& problem, const LcpWorkspace& ws) {
    double column = 0.0;
    for (Int i = 0; i < problem.n; ++i) column = larger(column, ws.column[i]);
    return std::isfinite(column * scaled_size(problem, ws));
}

double check(const Lcp& problem, View<const bool> bilateral, ConstVec row, Vec z, Vec w) {
    const Int n = problem.n;
    w.fill(0.0);
    for (Int j = 0; j < n; ++j)
        if (!std::isfinite(z[j])) return INF;
    for (Int j = 0; j < n; ++j)
        if (!bilateral[j]) z[j] = larger(z[j], 0.0);
    const Array<double> size(n), error(n);
    double largest = 0.0;
    for (Int i = 0; i < n; ++i) {
        double value = 0.0, terms = 0.0;
        for (Int j = 0; j < n; ++j) {
            const double term = problem.M(i, j) * z[j];
            value += term, terms += std::fabs(term);
        }
        value += problem.q[i];
        if (!bilateral[i] && !(z[i] > 0.0)) w[i] = larger(value, 0.0);
        size[i] = terms + std::fabs(problem.q[i]);
        error[i] = std::fabs(value - w[i]);
        largest = larger(largest, row[i] * size[i]);
        if (std::isnan(error[i])) return INF;
    }
    if (largest == 0.0) return 0.0;
    double worst = 0.0;
    for (Int i = 0; i < n; ++i) {
        const double part = error[i] / (size[i] + tolerances::ROW_FLOOR * largest / row[i]);
        if (!std::isfinite(part)) return INF;
        worst = larger(worst, part);
    }
    return worst;
}

}  // namespace mc
