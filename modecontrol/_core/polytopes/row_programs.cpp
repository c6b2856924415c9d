#include "polytopes/row_programs.hpp"

#include "polytopes/simplex.hpp"

namespace mc {

// Whether row `g` can be passed once it gives way by one unit of violation. Of equal rows the first has to stay, so the last is asked
// first and then keeps out of the way.
static Status ask(Workspace& ws, Int g, double bound) {
    ws.G(0, g) = bound + ws.weight[g];
    for (Int j = 0; j < ws.d; ++j) ws.cost[j] = ws.G(j + 1, g);
    ws.cost_size = 1.0;
    ws.task = MAXIMIZE;
    const Status status = solve_loaded(ws).status;
    if (status != OPTIMAL) return status;
    double value = 0.0;
    for (Int j = 0; j < ws.d; ++j) value += ws.cost[j] * ws.point[j];
    const bool facet = value > bound + tolerances::REDUNDANT * ws.weight[g];
    ws.state[g] = facet ? FACET : OUT;
    if (facet) ws.G(0, g) = bound;
    return OPTIMAL;
}

bool decide_by_programs(Workspace& ws) {
    const Vec bound = ws.polar.row(0);
    for (Int i = 0; i < ws.m; ++i) {
        if (ws.state[i] == EQUAL) return false;
        bound[i] = ws.G(0, i);
    }
    Status status = OPTIMAL;
    for (Int g = ws.m - 1; g >= 0 && status == OPTIMAL; --g) {
        bool zero = true;
        for (Int j = 1; j <= ws.d; ++j) zero = zero && ws.G(j, g) == 0.0;
        if (zero)
            ws.state[g] = OUT;
        else
            status = ask(ws, g, bound[g]);
    }
    for (Int i = 0; i < ws.m; ++i) ws.G(0, i) = bound[i];
    return status == OPTIMAL;
}

}  // namespace mc
