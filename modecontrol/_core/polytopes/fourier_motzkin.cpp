#include "polytopes/fourier_motzkin.hpp"

#include "polytopes/workspace.hpp"
#include "tolerances.hpp"

namespace mc {

// `factor` times row `row` of `A x <= b` or `A x = b`.
struct Term {
    ConstMat A;
    ConstVec b;
    Int row;
    double factor;
};

// Row i of `A x <= b` becomes `factor` times itself plus another, without noise, scaled by a power of two.
static void add(Mat A, Vec b, Int i, double factor, const Term& other) {
    double largest = 0.0;
    for (Int j = 0; j < A.cols; ++j) {
        const double first = factor * A(i, j), second = other.factor * other.A(other.row, j);
        double total = first + second;
        if (std::abs(total) <= tolerances::NOISE * (std::abs(first) + std::abs(second))) total = 0.0;
        A(i, j) = total;
        largest = larger(largest, std::abs(total));
    }
    const double first = factor * b[i], second = other.factor * other.b[other.row];
    b[i] = first + second;
    if (std::abs(b[i]) <= tolerances::NOISE * (std::abs(first) + std::abs(second))) b[i] = 0.0;
    const double h = power_below(largest);
    for (Int j = 0; j < A.cols; ++j) A(i, j) *= h;
    b[i] *= h;
}

Side to_caller(const Grid<double>& A, const Array<double>& b, ConstInts names, const Units& units) {
    Side side{clone<double>(Table<double>(A)), clone<double>(View<double>(b))};
    for (Int i = 0; i < A.rows; ++i) {
        double largest = 0.0;
        for (Int j = 0; j < names.size; ++j) {
            side.rows(i, j) /= units.sizes[names[j]];
            largest = larger(largest, std::abs(side.rows(i, j)));
        }
        side.right[i] *= units.blowup / largest;
        for (Int j = 0; j < names.size; ++j) side.rows(i, j) /= largest;
    }
    return side;
}

System without(const System& system, View<const bool> rows, View<const bool> equalities, View<const bool> variables) {
    const Flags every(system.ancestors.cols, true);
    return {pick<double>(system.A, rows, variables), pick<double>(system.b, rows),
            pick<double>(system.C, equalities, variables), pick<double>(system.e, equalities),
            pick<Int>(system.names, variables), pick<bool>(system.ancestors, rows, every),
            pick<bool>(system.equality_ancestors, equalities, every), pick<Int>(system.parents, rows)};
}

System substitute(const System& system, View<const bool> gone) {
    const Mat A = system.A, C = system.C;
    const Vec b = system.b, e = system.e;
    const Ints names = system.names;
    const Table<bool> up = system.ancestors, across = system.equality_ancestors;
    if (C.rows == 0) return system;
    const Flags equalities(C.rows, true), variables(names.size, true);
    for (Int turn = 0; turn < C.rows; ++turn) {
        double best = tolerances::EQUALITY_PIVOT;
        Int k = -1, v = -1;
        for (Int i = 0; i < C.rows; ++i)
            for (Int j = 0; equalities[i] && j < names.size; ++j)
                if (variables[j] && gone[names[j]] && std::abs(C(i, j)) > best) best = std::abs(C(i, j)), k = i, v = j;
        if (k < 0) break;
        const double pivot = C(k, v), sign = pivot > 0.0 ? 1.0 : -1.0;
        for (Int i = 0; i < A.rows; ++i) {
            if (A(i, v) == 0.0) continue;
            add(A, b, i, std::abs(pivot), {C, e, k, -sign * A(i, v)});
            A(i, v) = 0.0;
            for (Int j = 0; j < up.cols; ++j) up(i, j) = up(i, j) || across(k, j);
        }
        for (Int i = 0; i < C.rows; ++i) {
            if (!equalities[i] || i == k || C(i, v) == 0.0) continue;
            add(C, e, i, std::abs(pivot), {C, e, k, -sign * C(i, v)});
            C(i, v) = 0.0;
            for (Int j = 0; j < up.cols; ++j) across(i, j) = across(i, j) || across(k, j);
        }
        equalities[k] = false;
        variables[v] = false;
    }
    for (Int i = 0; i < C.rows; ++i)  // what is left of a dependent equality
        for (Int j = 0; equalities[i] && j < names.size; ++j)
            if (gone[names[j]]) C(i, j) = 0.0;
    return without(system, Flags(A.rows, true), equalities, variables);
}

Cheapest cheapest(const System& system, View<const bool> gone) {
    Cheapest found{-1, 0, 0};
    for (Int j = 0; j < system.names.size; ++j) {
        if (!gone[system.names[j]]) continue;
        Int above = 0, below = 0;
        for (Int i = 0; i < system.A.rows; ++i) {
            above += system.A(i, j) > 0.0;
            below += system.A(i, j) < 0.0;
        }
        const Int more = above * below - above - below;
        if (found.variable < 0 || more < found.growth) found = {j, more, above * below};
    }
    return found;
}

// Whether rows `i` and `k` make a row that neither Kohler's nor Chernikov's rule finds redundant.
static bool wanted(ConstInts parents, Int i, Int k, Int steps) {
    const Int both = parents[i] | parents[k];
    if (both == 0) return true;
    Int count = 0;
    for (Int rest = both; rest && count <= steps + 1; rest &= rest - 1) ++count;
    if (count > steps + 1) return false;
    Int inside = 0;
    for (Int j = 0; j < parents.size; ++j)  // the two rows themselves, and any other whose parents are among theirs
        inside += (parents[j] & ~both) == 0;
    return inside == 2;
}

System eliminate_variable(const System& system, Int v, Int steps, Int pairs) {
    const Mat A = system.A;
    const Ints parents = system.parents;
    const Table<bool> ancestors = system.ancestors;
    const Int n = A.rows, d = A.cols;
    const Array<Int> first(n + pairs), second(n + pairs);
    Int count = 0;
    for (Int i = 0; i < n; ++i) {
        if (A(i, v) == 0.0) {
            first[count] = second[count] = i;
            ++count;
        } else if (A(i, v) > 0.0) {
            for (Int k = 0; k < n; ++k) {
                if (!(A(k, v) < 0.0 && wanted(parents, i, k, steps))) continue;
                first[count] = i;
                second[count] = k;
                ++count;
            }
        }
    }
    System wide = system;
    wide.A = Grid<double>(count, d);
    wide.b = Array<double>(count);
    wide.parents = Array<Int>(count);
    wide.ancestors = Grid<bool>(count, ancestors.cols);
    const Flags rows(count, true), variables(d, true);
    for (Int r = 0; r < count; ++r) {
        const Int i = first[r], k = second[r];
        for (Int j = 0; j < d; ++j) wide.A(r, j) = A(i, j);
        wide.b[r] = system.b[i];
        if (i != k) {
            add(wide.A, wide.b, r, -A(k, v), {A, system.b, k, A(i, v)});
            wide.A(r, v) = 0.0;
        }
        bool zero = true;
        for (Int j = 0; j < d; ++j) zero = zero && wide.A(r, j) == 0.0;
        rows[r] = !zero;  // the set is not empty, so that 0 <= b holds
        for (Int j = 0; j < ancestors.cols; ++j) wide.ancestors(r, j) = ancestors(i, j) || ancestors(k, j);
        wide.parents[r] = parents[i] | parents[k];
    }
    variables[v] = false;
    return without(wide, rows, Flags(system.C.rows, true), variables);
}

Flags independent(ConstMat C) {
    const Grid<double> W(C.rows, C.cols);
    for (Int i = 0; i < C.rows; ++i)
        for (Int j = 0; j < C.cols; ++j) W(i, j) = C(i, j);
    const Flags chosen(C.rows);
    for (Int turn = 0; turn < C.rows && turn < C.cols; ++turn) {
        double best = tolerances::EQUALITY_PIVOT;
        Int k = -1, v = -1;
        for (Int i = 0; i < C.rows; ++i)
            for (Int j = 0; !chosen[i] && j < C.cols; ++j)
                if (std::abs(W(i, j)) > best) best = std::abs(W(i, j)), k = i, v = j;
        if (k < 0) break;
        chosen[k] = true;
        for (Int i = 0; i < C.rows; ++i) {
            if (chosen[i]) continue;
            const double f = W(i, v) / W(k, v);
            for (Int j = 0; j < C.cols; ++j) W(i, j) -= f * W(k, j);
            W(i, v) = 0.0;
        }
    }
    return chosen;
}

}  // namespace mc
