// The condensed tableau of Lemke's method, in doubles or in numbers of twice the precision.
//
// Row `i` holds `basic_i = b_i - sum_j T_ij nonbasic_j`; the last two columns are those of z0 and of `b`. The rules are the
// same for both kinds of numbers, only their tolerances differ.
#pragma once

#include "double_double.hpp"
#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

// A table of doubles; `exchange` swaps the basic variable of row `r` with the nonbasic one of column `c`.
struct PlainNumbers {
    using Number = double;
    static constexpr double PIVOT = tolerances::PIVOT;

    Mat T;
    Vec pivot_row, pivot_column;

    double operator()(Int i, Int j) const { return T(i, j); }
    void set(Int i, Int j, double value) const { T(i, j) = value; }
    void exchange(Int r, Int c) const { mc::exchange(T, r, c, pivot_row, pivot_column); }
};

// The same in twice the precision: high and low parts in tables of their own.
struct PreciseNumbers {
    using Number = DoubleDouble;
    static constexpr double PIVOT = tolerances::PRECISE_PIVOT;

    Mat high, low;
    Vec high_row, low_row;

    DoubleDouble operator()(Int i, Int j) const { return {high(i, j), low(i, j)}; }
    void set(Int i, Int j, DoubleDouble value) const { high(i, j) = value.hi, low(i, j) = value.lo; }
    void exchange(Int r, Int c) const;
};

// Variables: w_i is i, z_i is n + i, z0 is 2n. `place` is the row of a basic variable, -1 - column of another.
template <class Numbers> struct Tableau {
    using Number = typename Numbers::Number;

    Int n;
    Numbers T;
    double tie;       // ratios closer than this are equal
    Ints basis, nonbasic, place;
    Ints tied;        // scratch: rows of equal ratio

    Int rhs() const { return n + 1; }
    Int artificial() const { return 2 * n; }
    Int complement(Int variable) const { return variable < n ? variable + n : variable - n; }

    // Scaled data; returns the row that z0 replaces.
    Int fill(const Lcp& problem, const LcpWorkspace& ws, double size, Int turn) const;
    // The row that blocks column `c`, -1 when none does (a ray); z0 leaves whenever it can.
    Int leaving_row(Int c) const;
    // Exchange, and say which variable left.
    Int pivot(Int r, Int c) const;

private:
    Int lexicographic_row(Int c, Int count) const;
    Number inverse_basis(Int i, Int k) const {
        return place[k] >= 0 ? Number(place[k] == i ? 1.0 : 0.0) : T(i, -1 - place[k]);
    }
};

// Entry `i` of the scaled covering vector: 1 at the first attempt, spread over 1 to 4 at the others.
double cover(Int i, Int turn);

template <class Number> Number greater_of(Number a, Number b) { return b > a ? b : a; }

template <class Numbers> Int Tableau<Numbers>::fill(const Lcp& problem, const LcpWorkspace& ws, double size, Int turn) const {
    Int r = 0;
    for (Int i = 0; i < n; ++i) {
        const double f = -ws.row[i];
        for (Int j = 0; j < n; ++j) T.set(i, j, f * problem.M(i, j) * ws.column[j]);
        T.set(i, n, -cover(i, turn));
        T.set(i, rhs(), Number(ws.row[i] * problem.q[i]) / Number(size));
        basis[i] = i, nonbasic[i] = n + i;
        place[i] = i, place[n + i] = -1 - i;
        // of equals the last: its unit vector is lexicographically least
        if (T(i, rhs()) * Number(cover(r, turn)) <= T(r, rhs()) * Number(cover(i, turn))) r = i;
    }
    nonbasic[n] = artificial(), place[artificial()] = -1 - n;
    return r;
}

template <class Numbers> Int Tableau<Numbers>::pivot(Int r, Int c) const {
    T.exchange(r, c);
    const Int entered = nonbasic[c], left = basis[r];
    basis[r] = entered, nonbasic[c] = left;
    place[entered] = r, place[left] = -1 - c;
    return left;
}

// Among tied rows, the one whose row of (inverse basis) / T_ic is lexicographically least.
template <class Numbers> Int Tableau<Numbers>::lexicographic_row(Int c, Int count) const {
    for (Int k = 0; k < n && count > 1; ++k) {
        Number least = INF;
        for (Int a = 0; a < count; ++a) {
            const Number value = inverse_basis(tied[a], k) / T(tied[a], c);
            if (value < least) least = value;
        }
        const Number slack = Number(tie) * greater_of(Number(1.0), least < Number(0.0) ? -least : least);
        Int kept = 0;
        for (Int a = 0; a < count; ++a) {
            const Int i = tied[a];
            if (!(inverse_basis(i, k) / T(i, c) > least + slack)) tied[kept++] = i;
        }
        count = kept > 1 ? kept : 1;
    }
    return tied[0];
}

template <class Numbers> Int Tableau<Numbers>::leaving_row(Int c) const {
    Number tallest = 1.0;
    for (Int i = 0; i < n; ++i) tallest = greater_of(tallest, T(i, c));
    const Number threshold = Number(Numbers::PIVOT) * tallest;
    Int best = -1;
    Number least = INF;
    for (Int i = 0; i < n; ++i) {
        if (!(T(i, c) > threshold)) continue;
        const Number ratio = greater_of(T(i, rhs()), Number(0.0)) / T(i, c);
        if (ratio < least) best = i, least = ratio;
    }
    if (best < 0) return -1;
    Int count = 0;
    for (Int i = 0; i < n; ++i) {
        // a row is tied when the pivot would leave it at zero
        if (i == best || (T(i, c) > threshold && T(i, rhs()) - least * T(i, c) <=
                                                     Number(tie) * greater_of(Number(1.0), T(i, rhs())))) {
            if (basis[i] == artificial()) return i;
            tied[count++] = i;
        }
    }
    return count == 1 ? tied[0] : lexicographic_row(c, count);
}

}  // namespace mc
