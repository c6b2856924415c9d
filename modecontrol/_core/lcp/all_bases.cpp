#include "lcp/all_bases.hpp"

#include "lcp/bases.hpp"
#include "lcp/phase_one.hpp"
#include "tolerances.hpp"

namespace mc {

// What a singular basis holds; a point of it, if there is one, is left in `ws.z`.
static BasisKind singular_basis(const Lcp& problem, double size, LcpWorkspace& ws) {
    const Int n = problem.n;
    const Grid<double> B(n, n);
    const Array<double> b(n), x(n);
    for (Int i = 0; i < n; ++i) b[i] = size > 0.0 ? ws.row[i] * problem.q[i] / size : 0.0;
    for (Int j = 0; j < n; ++j) {
        if (!ws.active[j]) B(j, j) = 1.0;
        else for (Int i = 0; i < n; ++i) B(i, j) = -ws.row[i] * problem.M(i, j) * ws.column[j];
    }
    const double distance = phase_one(B, b, x);
    for (Int j = 0; j < n; ++j) ws.z[j] = ws.active[j] ? x[j] * ws.column[j] * size : 0.0;
    if (measure(problem, ws) > tolerances::COMPLEMENTARY)
        return distance <= tolerances::FEASIBLE ? BasisKind::UNDECIDED : BasisKind::NOTHING;
    return can_move(B, x) ? BasisKind::CONTINUUM : BasisKind::POINT;
}

AllBases all_bases(const Lcp& problem, bool first, Int most) {
    const Int n = problem.n;
    LcpWorkspace ws(n);
    AllBases found;
    equilibrate(problem, ws);
    const double size = scaled_size(problem, ws);
    for (Int code = 0; code < Int(1) << n; ++code) {
        ++found.tried;
        for (Int i = 0; i < n; ++i) ws.active[i] = (code >> i) & 1;
        double residual;
        BasisKind kind;
        if (solve_basis(problem, ws)) {
            residual = measure(problem, ws);
            kind = residual <= tolerances::COMPLEMENTARY ? BasisKind::POINT : BasisKind::NOTHING;
        } else {
            kind = singular_basis(problem, size, ws);
            if (kind == BasisKind::UNDECIDED) ++found.undecided;
            residual = measure(problem, ws);
        }
        if (kind != BasisKind::POINT && kind != BasisKind::CONTINUUM) continue;
        if (Int(found.kinds.size()) == most) {
            ++found.undecided;
            continue;
        }
        found.kinds.push_back(Int(kind));
        found.residuals.push_back(residual);
        for (Int i = 0; i < n; ++i) found.z.push_back(ws.z[i]), found.bases.push_back(ws.active[i]);
        if (first) break;
    }
    return found;
}

}  // namespace mc
