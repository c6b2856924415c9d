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

// A factor and what it multiplies.
struct Product {
    double factor, number;
};

// The sum of two products; rounding that is left of terms which cancel is none.
static double sum_of(const Product& a, const Product& b) {
    const double first = a.factor * a.number, second = b.factor * b.number, total = first + second;
    return std::abs(total) <= tolerances::NOISE * (std::abs(first) + std::abs(second)) ? 0.0 : total;
}

// A row scaled by a power of two, its largest coefficient near one.
static void rescale(Vec row, double& right) {
    double largest = 0.0;
    for (Int j = 0; j < row.size; ++j) largest = larger(largest, std::abs(row[j]));
    const double h = power_below(largest);
    for (Int j = 0; j < row.size; ++j) row[j] *= h;
    right *= h;
}

// Row i of `A x <= b` becomes `factor` times itself plus another, without noise, scaled by a power of two.
static void add(Mat A, Vec b, Int i, double factor, const Term& other) {
    for (Int j = 0; j < A.cols; ++j) A(i, j) = sum_of({factor, A(i, j)}, {other.factor, other.A(other.row, j)});
    b[i] = sum_of({factor, b[i]}, {other.factor, other.b[other.row]});
    rescale(A.row(i), b[i]);
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
    const Flags variables(d, true);
    variables[v] = false;
    const Flags equalities(system.C.rows, true);
    System made{Grid<double>(count, d - 1), Array<double>(count), pick<double>(system.C, equalities, variables), clone<double>(View<double>(system.e)),
                pick<Int>(system.names, variables), Grid<bool>(count, ancestors.cols), clone<bool>(Table<bool>(system.equality_ancestors)),
                Array<Int>(count)};
    Int rows = 0;
    for (Int r = 0; r < count; ++r) {
        const Int i = first[r], k = second[r];
        bool zero = true;
        for (Int j = 0, q = 0; j < d; ++j) {
            if (j == v) continue;
            const double value = i == k ? A(i, j) : sum_of({-A(k, v), A(i, j)}, {A(i, v), A(k, j)});
            made.A(rows, q++) = value;
            zero = zero && value == 0.0;
        }
        if (zero) continue;     // the set is not empty, so that 0 <= b holds
        made.b[rows] = i == k ? system.b[i] : sum_of({-A(k, v), system.b[i]}, {A(i, v), system.b[k]});
        if (i != k) rescale(made.A.row(rows), made.b[rows]);
        for (Int j = 0; j < ancestors.cols; ++j) made.ancestors(rows, j) = ancestors(i, j) || ancestors(k, j);
        made.parents[rows] = parents[i] | parents[k];
        ++rows;
    }
    made.A.rows = made.ancestors.rows = made.b.size = made.parents.size = rows;
    return made;
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
