#include "polytopes/free_variables.hpp"

#include "lanes.hpp"

namespace mc {

namespace {

struct Place {
    Int r, q;
};

// Rows start .. stop - 1 of `S`; with `chosen` only those marked there.
struct Range {
    Int start, stop;
    const double* chosen;
};

struct Largest {
    Int row;
    double size;
};

// The first of the largest entries `open[i] column[i]`, from <= i < to, beyond `least`; row -1 when there is none.
template <class L> MC_INLINE Largest find_largest_with(const double* column, const double* open, Int from, Int to, double least) {
    constexpr Int W = lanes_in<L>;
    Largest found{-1, least};
    L top = every<L>(least), place = every<L>(-1.0), index = counting<L>(double(from));
    Int i = from;
    for (; i + W <= to; i += W) {
        const L value = load_lanes<L>(open + i) * load_lanes<L>(column + i), size = larger_lanes<L>(value, every<L>(0.0) - value);
        place = where_less<L>(top, size, index, place);
        top = larger_lanes<L>(top, size);
        index = index + every<L>(double(W));
    }
    for (Int l = 0; l < W; ++l)
        if (top[l] > found.size || (top[l] == found.size && place[l] < double(found.row))) found = {Int(place[l]), top[l]};
    for (; i < to; ++i)
        if (std::abs(open[i] * column[i]) > found.size) found = {i, std::abs(open[i] * column[i])};
    return found;
}
MC_ON_EVERY_MACHINE(Largest, find_largest, (const double* column, const double* open, Int from, Int to, double least),
                    (column, open, from, to, least))

// A large entry in those of the rows that are `open` and columns of free variables: labels from `free`.
//
// The largest of the first column that has one above 1/4, or else of all.
Place largest_entry(const Dictionary& S, Int free, const Range& range, const double* open) {
    double best = tolerances::PIVOT;
    Place found{-1, 0};
    for (Int j = 1; j <= S.columns && best < 0.25; ++j) {
        if (S.col[j] < free) continue;
        const Largest top = find_largest(&S(j, 0), open, range.start, range.stop, best);
        if (top.row < 0) continue;
        best = top.size;
        found = {top.row, j};
    }
    return found;
}

// The inequality that stops the free variable of column `q` in one direction; -1 when none does.
//
// As in `blocking`, of which this is the twin for both directions. `constant` holds the constants of the rows of slacks.
Int stopping(const Dictionary& S, Int m, Int q, double sign, const double* constant) {
    auto [r, bound] = shortest({constant, &S(q, 0), sign, S.tiny}, 0, m);
    if (r >= 0 && S(0, r) <= tolerances::DEGENERATE) {
        double best = S.tiny;
        for (Int i = 0; i < m; ++i) {
            const double a = sign * S(q, i);
            if ((a > best) & (S(0, i) <= bound * a) & (S.row[i] < m)) {
                best = a;
                r = i;
            }
        }
    }
    return r;
}

// Let the free variables of a feasible dictionary move, each the better way, until a row stops it.
void enter_free(Workspace& ws, const Dictionary& S) {
    const Int m = ws.m, d = ws.d, total = m + ws.p;
    const Vec passed = ws.point, constant = ws.way;
    for (Int j = 0; j <= d; ++j) passed[j] = 0.0;
    for (Int turn = 0; turn < d; ++turn) {
        Int q = 0;
        for (Int j = 1; j <= d; ++j)
            if (S.col[j] >= total && passed[j] == 0.0 && (q == 0 || std::abs(S(j, total)) > std::abs(S(q, total)))) q = j;
        if (q == 0) continue;
        for (Int i = 0; i < m; ++i) constant[i] = S.row[i] < m ? S(0, i) : INF;
        const double sign = S(q, total) >= 0.0 ? 1.0 : -1.0;
        Int r = stopping(S, m, q, sign, constant.data);
        if (r < 0) r = stopping(S, m, q, -sign, constant.data);
        if (r < 0)
            passed[q] = 1.0;  // a line, or next to one
        else
            exchange(S, total + 1, r, q);
    }
}

// Pivot on large entries of those rows in this range that hold slacks until there is none left; `open` marks them.
void enter_largest(const Dictionary& S, Int free, const Range& range, Vec open) {
    bool any = false;
    for (Int j = 1; j <= S.columns; ++j) any = any | (S.col[j] >= free);
    if (!any || range.start >= range.stop) return;
    for (Int i = range.start; i < range.stop; ++i)
        open[i] = S.row[i] < free && (!range.chosen || range.chosen[i] > 0.0) ? 1.0 : 0.0;
    for (Int turn = 0; turn < S.columns; ++turn) {  // every exchange takes one free variable away
        const auto [r, q] = largest_entry(S, free, range, open.data);
        if (r < 0) break;
        exchange(S, free + 1, r, q);
        open[r] = 0.0;
    }
}

// The rows of `S` that hold slacks of inequalities and its columns without those of equalities, as `T`.
void copy_slacks(Workspace& ws) {
    const Mat S = ws.S, T = ws.T;
    const Ints row = ws.base_row, col = ws.base_col;
    const Vec from = ws.slack;
    const Int m = ws.m, total = m + ws.p;
    Int rows = 0;
    for (Int i = 0; i < m; ++i) {
        if (row[i] >= m) continue;
        ws.row[rows] = row[i];
        from[rows++] = double(i);
    }
    Int n = 0;
    for (Int j = 0; j <= ws.d; ++j) {
        if (j > 0 && col[j] >= m) continue;
        for (Int i = 0; i < rows; ++i) T(n, i) = S(j, Int(from[i]));
        T(n, rows) = S(j, total);
        ws.col[n++] = col[j];
    }
    ws.rows = rows;
    ws.columns = n - 1;
}

}  // namespace

bool eliminate(Workspace& ws) {
    const Int m = ws.m, d = ws.d, total = m + ws.p;
    const Dictionary S{ws.S, ws.base_row, ws.base_col, d, total, ws.tiny};
    const Vec chosen = ws.slack;
    if (ws.again) {
        for (Int i = 0; i < m; ++i) chosen[i] = 0.0;
        for (Int j = 1; j <= ws.columns; ++j)
            if (0 <= ws.col[j] && ws.col[j] < m) chosen[ws.col[j]] = 1.0;
    }
    for (Int j = 0; j <= d; ++j) {
        for (Int i = 0; i < total; ++i) S(j, i) = ws.G(j, i);
        S(j, total) = j > 0 ? ws.cost[j - 1] : 0.0;
        S.col[j] = total + j - 1;
    }
    for (Int i = 0; i < total; ++i) S.row[i] = i;
    enter_largest(S, total, {m, total, nullptr}, ws.way);
    ws.clash = -1;
    for (Int i = m; i < total; ++i)
        if (S.row[i] < total && !(std::abs(S(0, i)) <= tolerances::FEASIBLE * ws.weight[S.row[i]])) ws.clash = i;
    if (!ws.again) {
        double lowest = 0.0;
        for (Int i = 0; i < m; ++i) lowest = smaller(lowest, S(0, i));
        if (lowest >= -tolerances::PIVOT) enter_free(ws, S);
    } else if (ws.clash < 0) {
        enter_largest(S, total, {0, m, chosen.data}, ws.way);
    }
    if (ws.clash < 0) enter_largest(S, total, {0, m, nullptr}, ws.way);
    copy_slacks(ws);
    return ws.clash < 0;
}

void from_slacks(const Workspace& ws, Vec out, double constant) {
    const Mat S = ws.S;
    const Ints row = ws.base_row, col = ws.base_col;
    const Int m = ws.m, d = ws.d, total = m + ws.p;
    for (Int j = 0; j < d; ++j) out[j] = 0.0;
    for (Int i = 0; i < total; ++i) {
        if (row[i] < total) continue;
        double value = constant * S(0, i);
        for (Int j = 1; j <= d; ++j)
            if (col[j] < m) value -= S(j, i) * ws.slack[col[j]];
        out[row[i] - total] = value;
    }
}

void equality_multipliers(Workspace& ws) {
    const Mat S = ws.S;
    const Ints row = ws.base_row, col = ws.base_col;
    const Vec y = ws.slack;
    const Int m = ws.m, total = m + ws.p;
    for (Int k = m; k < total; ++k) y[k] = 0.0;
    for (Int j = 1; j <= ws.d; ++j) {
        if (col[j] < m || col[j] >= total) continue;
        double z = ws.phase == 2 ? -S(j, total) : 0.0;
        for (Int i = 0; i < m; ++i)
            if (row[i] < m) z += y[row[i]] * S(j, i);
        y[col[j]] = z;
    }
}

}  // namespace mc
