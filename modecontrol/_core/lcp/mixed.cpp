#include "lcp/mixed.hpp"

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

MixedWorkspace::MixedWorkspace(Int rows)
    : tableau(rows * (rows + 1)), pivot_row(rows + 1), pivot_column(rows + 1), M(rows * rows), q(rows), lcp(rows), free(rows) {}

// `exchange` at the diagonal entry `k`, every entry of the tableau worked on, zero or not.
static void sweep(Mat T, Int k, Vec pivot_row, Vec pivot_column) {
    const Int n = T.rows, width = T.cols;
    const double inverse = 1.0 / T(k, k);
    for (Int i = 0; i < n; ++i) {
        pivot_column[i] = T(i, k);
        T(i, k) = 0.0;
    }
    pivot_column[k] = 0.0;
    T(k, k) = 1.0;
    for (Int j = 0; j < width; ++j) pivot_row[j] = T(k, j) *= inverse;
    const double* __restrict source = pivot_row.data;
    for (Int i = 0; i < n; ++i) {
        const double f = pivot_column[i];
        double* __restrict target = T.data + i * width;
        for (Int j = 0; j < width; ++j) target[j] -= f * source[j];
    }
}

// Pivot the free unknowns in: `T` becomes the tableau `basic = T_rhs - T nonbasic`.
static void free_first(const Lcp& problem, Int bilateral, Mat T, MixedWorkspace& ws) {
    const Int N = problem.n;
    for (Int i = 0; i < N; ++i) {
        for (Int j = 0; j < N; ++j) T(i, j) = -problem.M(i, j);
        T(i, N) = problem.q[i];
    }
    for (Int i = 0; i < bilateral; ++i) {
        if (std::fabs(T(i, i)) > tolerances::RANK * std::fabs(problem.M(i, i))) sweep(T, i, ws.pivot_row, ws.pivot_column);
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
