#include "lcp/principal.hpp"

#include "lcp/bases.hpp"
#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int NONE = -1, ALL_POSTPONED = -2;

// Right-hand side in the last column. Variables: w_i is i, z_i is n + i.
struct Tableau {
    Int n;
    Mat T;
    Ints basis, nonbasic;

    void copy_from(const Tableau& other) const {
        for (Int i = 0; i < n * (n + 1); ++i) T.data[i] = other.T.data[i];
        for (Int i = 0; i < n; ++i) basis[i] = other.basis[i], nonbasic[i] = other.nonbasic[i];
    }
    Int complement(Int variable) const { return variable < n ? variable + n : variable - n; }
};

}  // namespace

// The row to repair next: NONE when none is negative, ALL_POSTPONED when all that are have been postponed.
static Int most_negative(const Tableau& t, View<const bool> postponed) {
    Int r = NONE;
    double least = -tolerances::TIE;
    bool waiting = false;
    for (Int i = 0; i < t.n; ++i) {
        if (t.T(i, t.n) < -tolerances::TIE && postponed[i]) waiting = true;
        else if (t.T(i, t.n) < least) r = i, least = t.T(i, t.n);
    }
    return r < 0 && waiting ? ALL_POSTPONED : r;
}

// The row that stops the drive of column `c`: a good one down at zero, or the bad one up at it.
static Int blocking_row(const Tableau& t, Int c, Int bad) {
    Int r = NONE;
    double least = INF;
    for (Int i = 0; i < t.n; ++i) {
        const double entry = t.T(i, c), b = t.T(i, t.n);
        double ratio = INF;
        if (i == bad) ratio = entry < -tolerances::PIVOT ? b / entry : INF;
        else if (b >= -tolerances::TIE) ratio = entry > tolerances::PIVOT ? larger(b, 0.0) / entry : INF;
        if (ratio == INF) continue;
        const bool tied = std::fabs(ratio - least) <= tolerances::TIE * larger(1.0, std::fabs(ratio));
        if ((tied && (i == bad || (r != bad && t.basis[i] < t.basis[r]))) || (!tied && ratio < least)) r = i, least = ratio;
    }
    return r;
}

// Drive the complement of the negative variable of row `bad` until something blocks for good; false when nothing does.
static bool drive(const Tableau& t, Int bad, Int limit, Int& pivots, LcpWorkspace& ws) {
    Int driven = t.complement(t.basis[bad]);
    while (true) {
        Int c = 0;
        while (c < t.n && t.nonbasic[c] != driven) ++c;
        // z_r itself came back to zero: its complement is basic, and the method has nothing more to say
        const Int r = c < t.n ? blocking_row(t, c, bad) : NONE;
        if (r < 0) return false;
        if (pivots >= limit) return pivots = limit + 1, false;
        exchange(t.T, r, c, ws.pivot_row, ws.y);
        ++pivots;
        std::swap(t.basis[r], t.nonbasic[c]);
        if (r == bad) return true;
        driven = t.complement(t.nonbasic[c]);
    }
}

LcpOutcome principal_pivoting(const Lcp& problem, LcpWorkspace& ws, Int limit) {
    const Int n = problem.n;
    for (Int i = 0; i < n; ++i) ws.z[i] = ws.w[i] = 0.0, ws.active[i] = false;
    equilibrate(problem, ws);
    const double size = scaled_size(problem, ws);
    if (size == 0.0) return {LcpStatus::SOLVED, 0, 0.0};
    const Tableau t{n, ws.tableau(n, n + 1), ws.basis, ws.nonbasic};
    for (Int i = 0; i < n; ++i) {
        for (Int j = 0; j < n; ++j) t.T(i, j) = -ws.row[i] * problem.M(i, j) * ws.column[j];
        t.T(i, n) = ws.row[i] * problem.q[i] / size;
        t.basis[i] = i, t.nonbasic[i] = n + i;
    }
    const Grid<double> kept(n, n + 1);
    const Array<Int> kept_basis(n), kept_nonbasic(n);
    const Tableau before{n, kept, kept_basis, kept_nonbasic};
    const Flags postponed(n);
    before.copy_from(t);
    Int pivots = 0, bad;
    while ((bad = most_negative(t, postponed)) != NONE) {
        if (bad == ALL_POSTPONED) return {LcpStatus::RAY, pivots, INF};
        if (drive(t, bad, limit, pivots, ws)) {
            before.copy_from(t);
            postponed.fill(false);
        } else if (pivots > limit) {
            return {LcpStatus::LIMIT, limit, INF};
        } else {
            t.copy_from(before);
            postponed[bad] = true;
        }
    }
    for (Int i = 0; i < n; ++i) {
        const Int j = t.basis[i] - n;
        if (j < 0) continue;
        ws.active[j] = true;
        ws.z[j] = t.T(i, n) * ws.column[j] * size;
    }
    const double residual = refine(problem, ws, measure(problem, ws));
    return {residual <= tolerances::COMPLEMENTARY ? LcpStatus::SOLVED : LcpStatus::INACCURATE, pivots, residual};
}

}  // namespace mc
