#include "polytopes/dictionary.hpp"

#include "lanes.hpp"

namespace mc {

namespace {

constexpr Int STEPS = 100, STEPS_PER_LABEL = 20;  // iteration limit of one descent; Bland's rule needs far fewer in practice
constexpr Int PATIENT = 6;              // steps without progress, beyond one per column, before Bland's rule

// The column that lowers the goal fastest; 0 when none does.
Int steepest(const Dictionary& D, Int goal) {
    Int q = 0;
    double best = D.level;
    for (Int j = 1; j <= D.columns; ++j) {
        q = D(j, goal) > best ? j : q;
        best = D(j, goal) > best ? D(j, goal) : best;
    }
    return q;
}

// The column of lowest label that lowers the goal (Bland); 0 when none does.
Int first(const Dictionary& D, Int goal) {
    Int q = 0;
    for (Int j = 1; j <= D.columns; ++j)
        if (D(j, goal) > D.level && (q == 0 || D.col[j] < D.col[q])) q = j;
    return q;
}

}  // namespace

namespace {

// `column - f entering`
template <class L> MC_INLINE void subtract_with(double* __restrict column, const double* __restrict entering, double f, Int rows) {
    Int i = 0;
    for (; i + lanes_in<L> <= rows; i += lanes_in<L>)
        store_lanes<L>(column + i, load_lanes<L>(column + i) - every<L>(f) * load_lanes<L>(entering + i));
    for (; i < rows; ++i) column[i] -= f * entering[i];
}

template <class L> MC_INLINE void do_pivot_with(Mat M, Int n, Int rows, Int r, Int q) {
    const double factor = 1.0 / M(q, r);
    double* const __restrict entering = &M(q, 0);
    for (Int j = 0; j <= n; ++j) {
        if (j == q) continue;
        const double f = M(j, r) * factor;
        if (f != 0.0) subtract_with<L>(&M(j, 0), entering, f, rows);
        M(j, r) = f;
    }
    for (Int i = 0; i < rows; ++i) entering[i] *= -factor;
    M(q, r) = factor;
}
MC_ON_EVERY_MACHINE(void, do_pivot, (Mat M, Int n, Int rows, Int r, Int q), (M, n, rows, r, q))

template <class L> MC_INLINE Shortest find_shortest_with(const Ratios& ratios, Int from, Int to) {
    const double* const constant = ratios.constant;
    const double* const slope = ratios.slope;
    constexpr Int W = lanes_in<L>;
    double best = UNBLOCKED;
    Int row = -1;
    Int i = from;
    if (to - from >= W) {
        const L sign = every<L>(ratios.sign), tiny = every<L>(ratios.tiny), none = every<L>(tolerances::NO_SLOPE);
        L bound = every<L>(UNBLOCKED), place = every<L>(-1.0), index = counting<L>(double(from));
        for (; i + W <= to; i += W) {
            const L a = sign * load_lanes<L>(slope + i);
            const L value = larger_lanes<L>(every<L>(0.0), load_lanes<L>(constant + i)) + every<L>(tolerances::STEP_TIE);
            const L step = value / where_less<L>(tiny, a, a, none);
            place = where_less<L>(step, bound, index, place);
            bound = smaller_lanes<L>(bound, step);
            index = index + every<L>(double(W));
        }
        for (Int l = 0; l < W; ++l) {
            if (!(bound[l] < best || (bound[l] == best && place[l] < double(row)))) continue;
            best = bound[l];
            row = Int(place[l]);
        }
    }
    for (; i < to; ++i) {
        const double a = ratios.sign * slope[i];
        const double step = (larger(0.0, constant[i]) + tolerances::STEP_TIE) / (a > ratios.tiny ? a : tolerances::NO_SLOPE);
        row = step < best ? i : row;
        best = step < best ? step : best;
    }
    return {row, best};
}
MC_ON_EVERY_MACHINE(Shortest, find_shortest, (const Ratios& ratios, Int from, Int to), (ratios, from, to))

template <class L> MC_INLINE double find_least_with(const Ratios& ratios, Int count) {
    double best = UNBLOCKED;
    Int i = 0;
    L bound = every<L>(UNBLOCKED);
    for (; i + lanes_in<L> <= count; i += lanes_in<L>) {
        const L a = every<L>(ratios.sign) * load_lanes<L>(ratios.slope + i);
        const L slope = where_less<L>(every<L>(ratios.tiny), a, a, every<L>(tolerances::NO_SLOPE));
        bound = smaller_lanes<L>(bound, load_lanes<L>(ratios.constant + i) / slope);
    }
    for (Int l = 0; l < lanes_in<L>; ++l) best = smaller(best, bound[l]);
    for (; i < count; ++i) {
        const double a = ratios.sign * ratios.slope[i];
        best = smaller(best, ratios.constant[i] / (a > ratios.tiny ? a : tolerances::NO_SLOPE));
    }
    return best;
}
MC_ON_EVERY_MACHINE(double, find_least, (const Ratios& ratios, Int count), (ratios, count))

}  // namespace

void pivot(Mat M, Int n, Int rows, Int r, Int q) { do_pivot(M, n, rows, r, q); }

Shortest shortest(const Ratios& ratios, Int from, Int to) { return find_shortest(ratios, from, to); }

double least_ratio(const Ratios& ratios, Int count) { return find_least(ratios, count); }

Int blocking(const Dictionary& D, Int goal, Int q, bool bland) {
    const Ratios ratios{&D(0, 0), &D(q, 0), 1.0, D.tiny};
    Shortest found = shortest(ratios, 0, goal < D.rows ? goal : D.rows);
    if (goal + 1 < D.rows) {
        const Shortest later = shortest(ratios, goal + 1, D.rows);
        if (later.step < found.step) found = later;
    }
    Int r = found.row;
    if (r >= 0 && D(0, r) <= tolerances::DEGENERATE) {
        double best = D.tiny;
        for (Int i = 0; i < D.rows; ++i) {
            const double a = D(q, i);
            bool ties = (a > best) & (D(0, i) <= found.step * a) & (i != goal);
            ties = bland ? ties & (D.row[i] < D.row[r]) : ties;
            r = ties ? i : r;
            best = ties & !bland ? a : best;
        }
    }
    return r;
}

Step lower(const Dictionary& D, Int live, Int goal, double target) {
    Int stalled = 0;
    Int q = 0;
    const Int limit = STEPS + STEPS_PER_LABEL * (D.columns + D.rows);
    for (Int step = 0; step < limit; ++step) {
        if (D.patience && !D.patience->spend((D.columns + 2) * live)) break;
        const bool bland = stalled > PATIENT + D.columns;
        q = bland ? first(D, goal) : steepest(D, goal);
        if (q == 0) return {Descent::LOWEST, q};
        const Int r = blocking(D, goal, q, bland);
        const double gain = r >= 0 ? larger(D(0, r), 0.0) / D(q, r) * D(q, goal) : INF;
        if (D(0, goal) - gain <= target) return {Descent::CROSSED, q};
        stalled = gain <= tolerances::STEP_TIE ? stalled + 1 : 0;
        exchange(D, live, r, q);
    }
    return {Descent::LIMIT, q};
}

Step make_feasible(const Dictionary& D, Vec weight) {
    const Int rows = D.rows;
    double worst = -tolerances::PIVOT;
    Int r = -1;
    for (Int i = 0; i < rows; ++i) {
        if (D(0, i) < worst * weight[D.row[i]]) {
            worst = D(0, i) / weight[D.row[i]];
            r = i;
        }
    }
    if (r < 0) return {Descent::CROSSED, r};
    Dictionary wide = D;  // with the column of the artificial variable
    const Int a = ++wide.columns;
    for (Int i = 0; i < rows; ++i) wide(a, i) = D(0, i) < 0.0 ? -weight[D.row[i]] : 0.0;
    wide(a, rows) = 0.0;
    wide.col[a] = ARTIFICIAL;
    exchange(wide, rows + 1, r, a);
    auto [code, q] = lower(wide, rows + 1, r, tolerances::STEP_TIE);
    if (code == Descent::LIMIT) return {code, r};
    if (code == Descent::LOWEST) {
        if (!(D(0, r) <= tolerances::FEASIBLE)) return {Descent::LOWEST, r};
        q = 1;  // the violation is rounding: let the artificial variable go by the safest pivot
        for (Int j = 2; j <= a; ++j)
            if (std::abs(wide(j, r)) > std::abs(wide(q, r))) q = j;
    }
    exchange(wide, rows + 1, r, q);
    if (q != a) {
        for (Int i = 0; i <= rows; ++i) wide(q, i) = wide(a, i);
        wide.col[q] = wide.col[a];
    }
    return {Descent::CROSSED, r};
}

}  // namespace mc
