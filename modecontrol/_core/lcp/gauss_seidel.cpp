#include "lcp/gauss_seidel.hpp"

#include "lcp/bases.hpp"
#include "tolerances.hpp"

namespace mc {

// Scaled diagonals lie in (1/4, 1]; anything less is a row without one.
constexpr double NO_DIAGONAL = 0.25;

// One sweep over the scaled unknowns `y`; returns how far the largest step went, and the largest unknown.
static double sweep(const Lcp& problem, const LcpWorkspace& ws, double size, Vec y, double& largest) {
    double moved = 0.0;
    largest = 0.0;
    for (Int i = 0; i < problem.n; ++i) {
        double value = ws.row[i] * problem.q[i] / size;
        double step = ws.row[i] * problem.M(i, i) * ws.column[i];
        for (Int j = 0; j < problem.n; ++j) value += ws.row[i] * problem.M(i, j) * ws.column[j] * y[j];
        if (step <= NO_DIAGONAL) step = 1.0;
        const double next = larger(0.0, y[i] - value / step);
        moved = larger(moved, std::fabs(next - y[i]));
        largest = larger(largest, next);
        y[i] = next;
    }
    return moved;
}

LcpOutcome gauss_seidel(const Lcp& problem, LcpWorkspace& ws, Int sweeps) {
    const Int n = problem.n;
    const Vec y = ws.y;
    for (Int i = 0; i < n; ++i) ws.z[i] = ws.w[i] = y[i] = 0.0, ws.active[i] = false;
    equilibrate(problem, ws);
    const double size = scaled_size(problem, ws);
    Int turns = 0;
    bool settled = false;
    while (turns < sweeps && !settled && size > 0.0) {
        ++turns;
        double largest;
        const double moved = sweep(problem, ws, size, y, largest);
        if (!std::isfinite(largest)) return {LcpStatus::LIMIT, turns, INF};
        settled = moved <= tolerances::SWEEP * larger(1.0, largest);
    }
    for (Int i = 0; i < n; ++i) ws.active[i] = y[i] > 0.0;
    if (solve_basis(problem, ws)) {
        const double residual = measure(problem, ws);
        if (residual <= tolerances::COMPLEMENTARY) return {LcpStatus::SOLVED, turns, residual};
    }
    for (Int i = 0; i < n; ++i) ws.z[i] = y[i] * ws.column[i] * size;
    const double residual = measure(problem, ws);
    if (residual <= tolerances::COMPLEMENTARY) return {LcpStatus::SOLVED, turns, residual};
    return {settled ? LcpStatus::INACCURATE : LcpStatus::LIMIT, turns, residual};
}

}  // namespace mc
