#include "polytopes/simplex.hpp"

#include "polytopes/each_set.hpp"
#include "polytopes/free_variables.hpp"

namespace mc {

namespace {

// Reach a feasible vertex. CROSSED when there is one; LOWEST when a contradiction is proved, else LIMIT.
Descent find_vertex(Workspace& ws) {
    Step step{Descent::LOWEST, -1};
    if (ws.patience && !ws.patience->spend((ws.d + 1) * (ws.d + 1) * (ws.m + ws.p + 1))) return Descent::LIMIT;
    if (eliminate(ws)) step = make_feasible(ws.dictionary(), ws.weight);
    if (step.code == Descent::LOWEST && contradiction(ws, step.at) != INFEASIBLE) step.code = Descent::LIMIT;
    return step.code;
}

// Maximise the objective from a feasible vertex; UNDECIDED when the answer fails its check.
//
// Slopes below DUAL are level as a rule. Over a long way they add up (an objective that is a facet's row but for rounding): then the
// check fails, and they are followed to the end.
Answer climb(Workspace& ws) {
    const Int total = ws.m + ws.p;
    Step step{Descent::CROSSED, 0};
    for (Int j = 1; j <= ws.d; ++j)
        if (ws.base_col[j] >= total && std::abs(ws.S(j, total)) > tolerances::DUAL) step.at = -j;  // along a line
    const bool on_a_line = step.at != 0;
    Dictionary D = ws.dictionary();
    for (const double level : {tolerances::DUAL, tolerances::FINE_DUAL}) {
        if (on_a_line) break;
        D.level = level;
        step = lower(D, ws.rows + 1, ws.rows, -INF);
        if (step.code != Descent::LOWEST) break;
        const Answer found = optimum(ws);
        if (found.status != UNDECIDED) return found;
    }
    if (step.code == Descent::CROSSED && unbounded(ws, step.at) == UNBOUNDED) return {UNBOUNDED, INF};
    return {UNDECIDED, NaN};
}

}  // namespace

Answer solve_loaded(Workspace& ws) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        ws.again = attempt > 0;
        ws.phase = 1;
        ws.tiny = attempt == 0 ? tolerances::SAFE_PIVOT : tolerances::PIVOT;
        if (ws.again || ws.task != WARM) {
            const Descent found = find_vertex(ws);
            if (found == Descent::LOWEST) return {INFEASIBLE, -INF};
            if (found != Descent::CROSSED) continue;
        }
        if (ws.task == FIND) {
            if (current_point(ws)) return {OPTIMAL, NaN};
            continue;
        }
        ws.phase = 2;
        const Answer answer = climb(ws);
        if (answer.status != UNDECIDED) return answer;
    }
    return {UNDECIDED, NaN};
}

Status prepare(Workspace& ws, const Rows& set) {
    load(ws, set);
    for (Int j = 0; j < ws.d; ++j) ws.cost[j] = 0.0;
    ws.task = FIND;
    return solve_loaded(ws).status;
}

Answer solve_into(Workspace& ws, ConstVec c, const Rows& set) {
    load(ws, set);
    set_cost(ws, c);
    ws.task = MAXIMIZE;
    return solve_loaded(ws);
}

Answer solve_again(Workspace& ws, ConstVec c) {
    set_cost(ws, c);
    const Mat S = ws.S, T = ws.T;
    const Vec g = ws.slack;
    const Int m = ws.m, total = m + ws.p;
    for (Int i = 0; i < m; ++i) g[i] = 0.0;
    for (Int j = 0; j <= ws.d; ++j) {
        const Int label = ws.base_col[j];
        double value = j > 0 && label >= total ? ws.cost[label - total] : 0.0;
        for (Int i = 0; i < total; ++i)
            if (ws.base_row[i] >= total) value -= ws.cost[ws.base_row[i] - total] * S(j, i);
        S(j, total) = value;
        if (j > 0 && label < m) g[label] = value;
    }
    for (Int j = 0; j <= ws.columns; ++j) T(j, ws.rows) = j > 0 ? g[ws.col[j]] : S(0, total);
    for (Int i = 0; i < ws.rows; ++i) {
        const double weight = g[ws.row[i]];
        if (weight == 0.0) continue;
        for (Int j = 0; j <= ws.columns; ++j) T(j, ws.rows) -= weight * T(j, i);
    }
    ws.task = WARM;
    if (ws.patience && !ws.patience->spend(2 * (ws.d + 1) * (total + 1))) return {UNDECIDED, NaN};
    return solve_loaded(ws);
}

void blank(Workspace& ws, Status status) {
    if (status == INFEASIBLE || status == UNDECIDED) ws.x.fill(NaN);
    if (status != UNBOUNDED) ws.ray.fill(NaN);
    if (status == UNBOUNDED || status == UNDECIDED) {
        ws.y.fill(NaN);
        ws.z.fill(NaN);
    }
}

void maximize_batch(ConstMat c, const Stack& stack, const Programs& out, Int threads, const Patience& patience) {
    each_set(stack, threads, patience, [&](Workspace& ws, Int k) {
        const Rows set = stack.set(k);
        const auto [status, value] = solve_into(ws, c.row(k), set);
        blank(ws, status);
        out.status[k] = status;
        out.value[k] = value;
        for (Int j = 0; j < c.cols; ++j) {
            out.x(k, j) = ws.x[j];
            out.ray(k, j) = ws.ray[j];
        }
        for (Int i = 0; i < set.b.size; ++i) out.y[stack.row_start[k] + i] = ws.y[i];
        for (Int i = 0; i < set.e.size; ++i) out.z[stack.equality_start[k] + i] = ws.z[i];
    });
}

}  // namespace mc
