#include "polytopes/minimal.hpp"

#include "polytopes/each_set.hpp"
#include "polytopes/equalities.hpp"
#include "polytopes/facets.hpp"
#include "polytopes/ray_shooting.hpp"
#include "polytopes/row_programs.hpp"

namespace mc {

Status minimal_loaded(Workspace& ws) {
    const Ints state = ws.state;
    const Int m = ws.m;
    for (Int i = 0; i < m; ++i) state[i] = OUT;
    for (Int j = 1; j <= ws.d; ++j)
        for (Int i = 0; i < m; ++i) state[i] = ws.G(j, i) != 0.0 ? Int(UNKNOWN) : state[i];
    const bool inside = shoot_from_origin(ws);
    bool unknown = !inside;
    for (Int i = 0; i < m; ++i) unknown = unknown | (state[i] == UNKNOWN);
    if (!unknown) return OPTIMAL;
    for (Int j = 0; j < ws.d; ++j) ws.cost[j] = 0.0;
    ws.task = FIND;
    const Status status = solve_loaded(ws).status;
    if (status != OPTIMAL) return status;
    Dictionary D = ws.dictionary();
    D.tiny = tolerances::SAFE_PIVOT;
    for (Int i = D.rows - 1; i >= 0; --i)
        if (state[D.row[i]] == OUT) swap_rows(D, i, --D.rows);
    bool clear = true;
    if (!inside) {
        if (is_thick(ws, D)) {
            clear = mark_facets(ws, D, true);
            if (ws.p == 0 && D.columns > 0) shoot_from_vertex(ws, D);
        } else if (find_equalities(ws, D)) {
            take_out_equalities(ws, D);
        } else {
            return UNDECIDED;
        }
    }
    return (clear && decide_facets(ws, D)) || decide_by_programs(ws) ? OPTIMAL : UNDECIDED;
}

void minimal_batch(const Stack& stack, const Minimal& out, Int threads, const Patience& patience) {
    each_set(stack, threads, patience, [&](Workspace& ws, Int k) {
        const Rows set = stack.set(k);
        const Int lo = stack.row_start[k], low = stack.equality_start[k];
        load(ws, set);
        const Status status = minimal_loaded(ws);
        out.status[k] = status;
        for (Int i = 0; i < set.b.size; ++i) {
            out.keep[lo + i] = status == OPTIMAL && ws.state[i] == FACET;
            out.implicit[lo + i] = status == OPTIMAL && ws.state[i] == EQUAL;
            out.y[lo + i] = status == INFEASIBLE ? ws.y[i] : NaN;
        }
        for (Int i = 0; i < set.e.size; ++i) out.z[low + i] = status == INFEASIBLE ? ws.z[i] : NaN;
    });
}

}  // namespace mc
