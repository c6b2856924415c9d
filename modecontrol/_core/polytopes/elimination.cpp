#include "polytopes/elimination.hpp"

#include "polytopes/minimal.hpp"
#include "polytopes/tight_rows.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int PAIRS = 2000;  // more pairs than this are worth linear programs that remove rows first
constexpr Int BITS = 62;     // parents that fit into one number

// Ancestors of the marked rows as equalities: their own, and those of the rows that hold them from the other side.
//
// `a x >= b` on the set is a sum of other rows; the multipliers of `max -a x` say which.
Grid<bool> causes_of(const System& system, View<const bool> found, Patience* patience) {
    const Int m = system.A.rows, p = system.C.rows;
    Grid<bool> causes = clone<bool>(Table<bool>(system.ancestors));
    Workspace ws(m, p, system.A.cols);
    ws.patience = patience;
    const bool ready = prepare(ws, system.rows()) == OPTIMAL;
    const Array<double> c(system.A.cols);
    for (Int i = 0; i < m; ++i) {
        if (!found[i]) continue;
        for (Int j = 0; j < c.size; ++j) c[j] = -system.A(i, j);
        const bool proved = ready && solve_again(ws, c).status == OPTIMAL;
        for (Int k = 0; k < m + p; ++k) {
            bool used = k < m ? found[k] : true;
            if (proved) used = k < m ? ws.y[k] > tolerances::PIVOT : std::abs(ws.z[k - m]) > tolerances::PIVOT;
            for (Int j = 0; used && j < causes.cols; ++j)
                causes(i, j) = causes(i, j) || (k < m ? system.ancestors(k, j) : system.equality_ancestors(k - m, j));
        }
    }
    return causes;
}

// Rows that no elimination has changed since they were facets or were found tight: those with one parent.
Flags unchanged(const System& system) {
    Flags alone(system.parents.size);
    for (Int i = 0; i < alone.size; ++i) {
        const Int parents = system.parents[i];
        alone[i] = parents != 0 && (parents & (parents - 1)) == 0;
    }
    return alone;
}

}  // namespace

void start_parents(System& system) {
    const Int m = system.A.rows;
    system.parents = Array<Int>(m);
    for (Int i = 0; i < m && m <= BITS; ++i) system.parents[i] = Int(1) << i;
}

Status clean(System& system, Patience* patience) {
    const Int m = system.A.rows, p = system.C.rows, d = system.A.cols;
    Workspace ws(m, p, d);
    ws.patience = patience;
    load(ws, system.rows());
    const Status status = minimal_loaded(ws);
    if (status != OPTIMAL) return status;
    const Flags rows(m), found(m), all(d, true);
    for (Int i = 0; i < m; ++i) {
        rows[i] = ws.state[i] == FACET;
        found[i] = ws.state[i] == EQUAL;
    }
    System fresh = system;
    if (count(found) > 0) {
        const Grid<bool> causes = causes_of(system, found, patience);
        const Flags every(causes.cols, true);
        fresh.C = joined<double>(system.C, pick<double>(system.A, found, all));
        fresh.e = joined<double>(system.e, pick<double>(system.b, found));
        fresh.equality_ancestors = joined<bool>(system.equality_ancestors, pick<bool>(causes, found, every));
    }
    system = without(fresh, rows, Flags(fresh.C.rows, true), all);
    start_parents(system);
    return status;
}

Eliminated eliminate_variables(const Rows& set, System system, View<const bool> gone, const Units& units, Patience* patience) {
    Eliminated found{OPTIMAL, {}, false};
    bool is_clean = true;
    Int steps = 1;
    while (found.status == OPTIMAL) {
        const auto [v, growth, pairs] = cheapest(system, gone);
        if (v < 0 && is_clean) break;
        const bool known = system.parents.size > 0 && system.parents[0] != 0;
        if (!is_clean && (v < 0 || pairs > PAIRS || (growth > 0 && !known))) {
            const Side side = to_caller(system.A, system.b, system.names, units);
            const Touching touching = tight_rows(set, {side.rows, side.right, system.names, unchanged(system)}, patience);
            found.checked = touching.proven;
            system = without(system, touching.tight, Flags(system.C.rows, true), Flags(system.names.size, true));
            if (clean(system, patience) == OPTIMAL) {
                system = substitute(system, gone);
                is_clean = true;
                steps = 1;
                continue;
            }
            if (v < 0) {
                found.status = UNDECIDED;
                break;
            }
        }
        if (patience && !patience->spend(pairs * (system.A.rows + system.A.cols))) {
            found.status = WORK_LIMIT;
            break;
        }
        system = eliminate_variable(system, v, steps, pairs);
        ++steps;
        is_clean = found.checked = false;
    }
    found.system = system;
    return found;
}

}  // namespace mc
