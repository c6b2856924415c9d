#include "polytopes/equalities.hpp"

namespace mc {

namespace {

// The sum of all slacks that are EQUAL so far, negative, as the row after the last of `D`; how many there are.
Int write_goal(const Workspace& ws, const Dictionary& D) {
    const Int goal = D.rows;
    Int count = 0;
    D(0, goal) = 0.0;
    for (Int j = 1; j <= D.columns; ++j) {
        count += ws.state[D.col[j]] == EQUAL;
        D(j, goal) = ws.state[D.col[j]] == EQUAL ? 1.0 : 0.0;
    }
    for (Int i = 0; i < D.rows; ++i) {
        if (ws.state[D.row[i]] != EQUAL) continue;
        ++count;
        for (Int j = 0; j <= D.columns; ++j) D(j, goal) -= D(j, i);
    }
    return count;
}

// The slacks that grow for ever along column `q` are no equalities; how many.
Int strike_along(const Workspace& ws, const Dictionary& D, Int q) {
    Int struck = 0;
    for (Int i = 0; i < D.rows; ++i) {
        if (ws.state[D.row[i]] != EQUAL || !(D(q, i) < -D.tiny)) continue;
        ws.state[D.row[i]] = UNKNOWN;
        ++struck;
    }
    if (ws.state[D.col[q]] != EQUAL) return struck;
    ws.state[D.col[q]] = UNKNOWN;
    return struck + 1;
}

// The slacks that are positive at this vertex are no equalities; how many.
Int strike_positive(const Workspace& ws, const Dictionary& D) {
    Int struck = 0;
    for (Int i = 0; i < D.rows; ++i) {
        if (ws.state[D.row[i]] != EQUAL || !(D(0, i) > tolerances::FLAT * ws.weight[D.row[i]])) continue;
        ws.state[D.row[i]] = UNKNOWN;
        ++struck;
    }
    return struck;
}

// Column `q` stays at zero for good: the last column takes its place.
void fix(Dictionary& D, Int q) {
    for (Int i = 0; i < D.rows; ++i) D(q, i) = D(D.columns, i);
    D.col[q] = D.col[D.columns];
    --D.columns;
}

}  // namespace

bool is_thick(const Workspace& ws, const Dictionary& D) {
    bool thick = true;
    for (Int i = 0; i < D.rows; ++i) thick = thick && D(0, i) > tolerances::FLAT * ws.weight[D.row[i]];
    for (Int j = 1; j <= D.columns && thick; ++j)
        thick = least_ratio({&D(0, 0), &D(j, 0), 1.0, D.tiny}, D.rows) > tolerances::FLAT * ws.weight[D.col[j]];
    return thick;
}

bool find_equalities(const Workspace& ws, const Dictionary& D) {
    const Int rows = D.rows;
    double heaviest = 1.0;
    for (Int i = 0; i < rows; ++i) {
        heaviest = larger(heaviest, ws.weight[D.row[i]]);
        if (D(0, i) <= tolerances::FLAT * ws.weight[D.row[i]]) ws.state[D.row[i]] = EQUAL;
    }
    for (Int j = 1; j <= D.columns; ++j) {
        heaviest = larger(heaviest, ws.weight[D.col[j]]);
        ws.state[D.col[j]] = EQUAL;
    }
    for (Int turn = 0; turn <= rows + D.columns; ++turn) {  // every turn but the last strikes a row off
        if (write_goal(ws, D) == 0) return true;
        const auto [code, q] = lower(D, rows + 1, rows, D(0, rows) - heaviest);
        if (code == Descent::LIMIT) return false;
        Int struck = 0;
        if (code == Descent::CROSSED) {
            const Int r = blocking(D, rows, q, false);
            if (r >= 0)
                exchange(D, rows + 1, r, q);
            else
                struck += strike_along(ws, D, q);
        }
        struck += strike_positive(ws, D);
        if (struck == 0) return true;
    }
    return false;
}

void take_out_equalities(const Workspace& ws, Dictionary& D) {
    for (Int q = D.columns; q > 0; --q)
        if (ws.state[D.col[q]] == EQUAL) fix(D, q);
    while (D.columns > 0) {
        double best = tolerances::FLAT_PIVOT;
        Int r = -1, s = 0;
        for (Int i = 0; i < D.rows; ++i) {
            if (ws.state[D.row[i]] != EQUAL) continue;
            for (Int j = 1; j <= D.columns; ++j) {
                if (std::abs(D(j, i)) > best) {
                    best = std::abs(D(j, i));
                    r = i;
                    s = j;
                }
            }
        }
        if (r < 0) break;
        D(0, r) = 0.0;
        exchange(D, D.rows, r, s);
        fix(D, s);
    }
    for (Int i = D.rows - 1; i >= 0; --i)
        if (ws.state[D.row[i]] == EQUAL) swap_rows(D, i, --D.rows);
}

}  // namespace mc
