#include "lcp/lemke.hpp"

#include "lcp/bases.hpp"
#include "lcp/tableau.hpp"
#include "tolerances.hpp"

namespace mc {

// The basis and its values; the artificial variable has left.
template <class Numbers>
static LcpOutcome read_answer(const Lcp& problem, LcpWorkspace& ws, const Tableau<Numbers>& tableau, double size, Int pivots) {
    const Int n = problem.n;
    for (Int i = 0; i < n; ++i) ws.active[i] = false, ws.z[i] = 0.0;
    for (Int i = 0; i < n; ++i) {
        const Int j = tableau.basis[i] - n;
        if (j < 0) continue;
        ws.active[j] = true;
        ws.z[j] = double(tableau.T(i, tableau.rhs())) * ws.column[j] * size;
    }
    const double residual = refine(problem, ws, measure(problem, ws));
    return {residual <= tolerances::COMPLEMENTARY ? LcpStatus::SOLVED : LcpStatus::INACCURATE, pivots, residual};
}

// The direction in which column `c` can go on for ever.
template <class Numbers>
static LcpOutcome read_ray(const Lcp& problem, LcpWorkspace& ws, const Tableau<Numbers>& tableau, Int c, Int pivots) {
    const Int n = problem.n;
    for (Int i = 0; i < n; ++i) ws.z[i] = 0.0;
    for (Int i = 0; i < n; ++i) {
        const Int j = tableau.basis[i] - n;
        if (j >= 0 && j < n) ws.z[j] = larger(-double(tableau.T(i, c)), 0.0) * ws.column[j];
    }
    const Int j = tableau.nonbasic[c] - n;
    if (j >= 0 && j < n) ws.z[j] = ws.column[j];
    return {LcpStatus::RAY, pivots, INF};
}

// Follow the path from the start to an answer or a ray.
template <class Numbers>
static LcpOutcome follow(const Lcp& problem, LcpWorkspace& ws, const Tableau<Numbers>& tableau, Int turn, Int limit) {
    const double size = scaled_size(problem, ws);
    Int r = tableau.fill(problem, ws, size, turn), c = problem.n;
    for (Int pivots = 1; pivots <= limit; ++pivots) {
        const Int left = tableau.pivot(r, c);
        if (left == tableau.artificial()) return read_answer(problem, ws, tableau, size, pivots);
        c = -1 - tableau.place[tableau.complement(left)];
        r = tableau.leaving_row(c);
        if (r < 0) return read_ray(problem, ws, tableau, c, pivots);
    }
    return {LcpStatus::LIMIT, limit, INF};
}

// Whether `z = 0` is the answer; it is then left in `ws`.
static bool zero_solves(const Lcp& problem, LcpWorkspace& ws) {
    for (Int i = 0; i < problem.n; ++i)
        if (problem.q[i] < 0.0) return false;
    for (Int i = 0; i < problem.n; ++i) ws.active[i] = false, ws.z[i] = 0.0;
    return true;
}

LcpOutcome lemke_core(const Lcp& problem, LcpWorkspace& ws, const LemkeOptions& options) {
    const Int n = problem.n;
    equilibrate(problem, ws);
    if (zero_solves(problem, ws)) return {LcpStatus::SOLVED, 0, measure(problem, ws)};
    if (options.guess && solve_basis(problem, ws)) {
        const double residual = measure(problem, ws);
        if (residual <= tolerances::REFINED) return {LcpStatus::SOLVED, 0, residual};
    }
    const double tie = options.wide ? tolerances::WIDE_TIE : tolerances::TIE;
    const Tableau<PlainNumbers> tableau{n, {ws.tableau(n, n + 2), ws.pivot_row, ws.y}, tie,
                                        ws.basis, ws.nonbasic, ws.place, ws.index};
    return follow(problem, ws, tableau, options.turn, options.limit < 0 ? lemke_limit(n) : options.limit);
}

LcpOutcome precise_lemke(const Lcp& problem, LcpWorkspace& ws, const LemkeOptions& options) {
    const Int n = problem.n;
    equilibrate(problem, ws);
    if (zero_solves(problem, ws)) return {LcpStatus::SOLVED, 0, measure(problem, ws)};
    const Grid<double> high(n, n + 2), low(n, n + 2);
    const Tableau<PreciseNumbers> tableau{n, {high, low, ws.pivot_row, ws.y}, tolerances::PRECISE_TIE,
                                        ws.basis, ws.nonbasic, ws.place, ws.index};
    return follow(problem, ws, tableau, options.turn, options.limit < 0 ? lemke_limit(n) : options.limit);
}

LcpOutcome lemke(const Lcp& problem, LcpWorkspace& ws, bool guess, Int covers) {
    LcpOutcome first;
    Int pivots = 0;
    for (Int path = 0; path <= covers; ++path) {
        const LemkeOptions options{guess && path == 0, -1, path < 2 ? 0 : path - 1, path == 1};
        LcpOutcome outcome = lemke_core(problem, ws, options);
        pivots += outcome.pivots;
        if (path == 0) first = outcome;
        if (outcome.status == LcpStatus::SOLVED || (outcome.status == LcpStatus::RAY && ray_proves(problem, ws, ws.z))) {
            outcome.pivots = pivots;
            return outcome;
        }
    }
    first.pivots = pivots;
    return first;
}

bool ray_proves(const Lcp& problem, LcpWorkspace& ws, ConstVec y) {
    const Int n = problem.n;
    const double size = scaled_size(problem, ws);
    double total = 0.0, value = 0.0;
    for (Int i = 0; i < n; ++i) total += ws.x[i] = larger(y[i] / ws.row[i], 0.0);
    if (!std::isfinite(total) || total == 0.0 || size == 0.0) return false;
    for (Int i = 0; i < n; ++i) {
        ws.x[i] /= total;
        value += ws.row[i] * problem.q[i] / size * ws.x[i];
    }
    // a contradiction ten times larger than what an accepted answer may be off by
    if (!(value < -10.0 * tolerances::COMPLEMENTARY)) return false;
    // what is left positive by rounding leaves room only for answers with scaled entries beyond 1 / FEASIBLE
    for (Int j = 0; j < n; ++j) {
        double product = 0.0;
        for (Int i = 0; i < n; ++i) product += ws.row[i] * problem.M(i, j) * ws.column[j] * ws.x[i];
        if (!(product <= -tolerances::FEASIBLE * value)) return false;
    }
    return true;
}

}  // namespace mc
