#include "lcp/mixed.hpp"

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

MixedWorkspace::MixedWorkspace(Int rows)
    : tableau(rows * (rows + 1)), pivot_row(rows + 1), pivot_column(rows + 1), M(rows * rows), q(rows), lcp(rows), free(rows) {}

// Pivot the free unknowns in: `T` becomes the tableau `basic = T_rhs - T nonbasic`.
static void free_first(const Lcp& problem, Int bilateral, Mat T, MixedWorkspace& ws) {
    const Int N = problem.n;
    for (Int i = 0; i < N; ++i) {
        for (Int j = 0; j < N; ++j) T(i, j) = -problem.M(i, j);
        T(i, N) = problem.q[i];
    }
    for (Int i = 0; i < bilateral; ++i) {
        if (std::fabs(T(i, i)) > tolerances::RANK * std::fabs(problem.M(i, i))) exchange(T, i, i, ws.pivot_row, ws.pivot_column);
        else T.row(i).fill(0.0);
    }
}

LcpOutcome mixed_lemke(const Lcp& problem, Int bilateral, bool warm, MixedWorkspace& ws) {
    const Int N = problem.n, n = N - bilateral;
    const Mat T{ws.tableau.data, N, N + 1}, M{ws.M.data, n, n};
    free_first(problem, bilateral, T, ws);
    for (Int i = 0; i < n; ++i) {
        ws.q[i] = T(bilateral + i, N);
        for (Int j = 0; j < n; ++j) M(i, j) = -T(bilateral + i, bilateral + j);
    }
    LcpOutcome outcome{LcpStatus::SOLVED, 0, 0.0};
    if (n > 0) outcome = lemke({M, ws.q, n}, ws.lcp, warm, Int(tolerances::COVERS));
    if (outcome.status != LcpStatus::SOLVED) return outcome;
    for (Int i = 0; i < bilateral; ++i) {
        double value = T(i, N);
        for (Int j = 0; j < n; ++j) value -= T(i, bilateral + j) * ws.lcp.z[j];
        ws.free[i] = value;
    }
    return outcome;
}

}  // namespace mc
