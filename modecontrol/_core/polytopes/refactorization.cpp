#include "polytopes/refactorization.hpp"

#include "polytopes/certificates.hpp"
#include "polytopes/free_variables.hpp"

namespace mc {

bool still_true(Workspace& ws, const Dictionary& D, Int live) {
    const Mat G = ws.G;
    const Vec slack = ws.slack, u = ws.point;
    const Int m = ws.m, d = ws.d;
    double tolerance = tolerances::FEASIBLE;
    for (Int i = 0; i < m; ++i)
        if (ws.state[i] == EQUAL) tolerance = tolerances::FLAT_DRIFT;
    for (Int i = 0; i < m; ++i) slack[i] = 0.0;
    for (Int j = 1; j <= D.columns; ++j) slack[D.col[j]] = 0.5 + std::fmod(0.618 * double(j), 1.0);  // anywhere inside
    for (Int i = 0; i < live; ++i) {
        double value = D(0, i);
        for (Int j = 1; j <= D.columns; ++j) value -= D(j, i) * slack[D.col[j]];
        slack[D.row[i]] = value;
    }
    from_slacks(ws, u, 1.0);
    bool agrees = true;
    for (Int i = 0; i < live; ++i) {
        const Int k = D.row[i];
        double gap = slack[k] - G(0, k), terms = ws.weight[k];
        for (Int j = 0; j < d; ++j) {
            const double term = G(j + 1, k) * u[j];
            gap += term;
            terms += std::abs(term);
        }
        agrees = agrees & (std::abs(gap) <= tolerance * terms);
    }
    return agrees;
}

bool is_crossing(Workspace& ws, Int live, Int g, Int q) {
    const Mat T = ws.T;
    const Vec slack = ws.slack;
    const Int m = ws.m, label = ws.row[g];
    const double over = 2.0 * tolerances::REDUNDANT * ws.weight[label];
    const double step = larger(T(0, g) + over, over) / T(q, g);
    for (Int i = 0; i < m; ++i) slack[i] = 0.0;
    for (Int i = 0; i < live; ++i) slack[ws.row[i]] = T(0, i) - step * T(q, i);
    slack[ws.col[q]] = step;
    from_slacks(ws, ws.point, 1.0);
    const Vec gap = ws.slack, terms = ws.way;
    excess(ws, ws.point, m, gap, terms);
    bool alone = gap[label] > 0.5 * over;
    for (Int k = 0; k < m; ++k) {
        const bool within = gap[k] <= 0.25 * over * ws.weight[k] / ws.weight[label] + tolerances::FEW * terms[k];
        alone = alone & (within | (k == label) | (ws.state[k] == OUT));
    }
    return alone;
}

bool is_sum(const Workspace& ws, const Dictionary& D, Int g) {
    const Mat G = ws.G;
    const Int k = D.row[g];
    double total = 1.0, right = G(0, k);
    for (Int j = 1; j <= D.columns; ++j) {
        const double y = larger(-D(j, g), 0.0);
        total += y;
        right -= y * G(0, D.col[j]);
    }
    bool holds = ws.p == 0 && right >= -tolerances::REDUNDANT * ws.weight[k] * total;
    for (Int i = 1; i <= ws.d; ++i) {
        double gap = G(i, k);
        for (Int j = 1; j <= D.columns; ++j) gap -= larger(-D(j, g), 0.0) * G(i, D.col[j]);
        holds = holds && std::abs(gap) <= tolerances::REDUNDANT * total;
    }
    return holds;
}

Int refresh(Workspace& ws) {
    const Mat T = ws.T;
    const Ints row = ws.row, col = ws.col, state = ws.state;
    constexpr Int IN_COLUMN = 10;  // added to the state of the rows that stand in the columns
    const Int n = ws.columns;
    for (Int j = 1; j <= n; ++j) state[col[j]] += IN_COLUMN;
    ws.again = true;
    eliminate(ws);
    bool same = ws.columns == n;
    for (Int j = 1; j <= ws.columns; ++j) same = same && state[col[j]] >= IN_COLUMN;
    for (Int i = 0; i < ws.m; ++i) state[i] %= IN_COLUMN;
    Int rows = ws.rows;
    const Dictionary D = ws.dictionary();
    for (Int i = rows - 1; i >= 0; --i) {
        same = same && (state[row[i]] == OUT || T(0, i) >= -tolerances::FEASIBLE * ws.weight[row[i]]);
        if (state[row[i]] == OUT) swap_rows(D, i, --rows);
    }
    return same ? rows : -1;
}

}  // namespace mc
