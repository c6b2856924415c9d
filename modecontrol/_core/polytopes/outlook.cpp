#include "polytopes/outlook.hpp"

#include "polytopes/simplex.hpp"

namespace mc {

namespace {

// A point of `{x : A x <= b}` as far inside as can be, up to one unit of each row; false when there is none.
bool inner_point(ConstMat A, ConstVec b, Vec point, Patience* patience) {
    const Int m = A.rows, n = A.cols;
    const Grid<double> wide(m + 1, n + 1);
    const Array<double> level(m + 1), goal(n + 1);
    for (Int i = 0; i < m; ++i) {
        double size = 0.0;
        for (Int j = 0; j < n; ++j) {
            wide(i, j) = A(i, j);
            size = larger(size, std::abs(A(i, j)));
        }
        wide(i, n) = size;
        level[i] = b[i];
    }
    wide(m, n) = goal[n] = level[m] = 1.0;
    Workspace ws(m + 1, 0, n + 1);
    ws.patience = patience;
    const Answer answer = solve_into(ws, goal, {wide, level, {nullptr, 0, n + 1}, {}});
    for (Int j = 0; j < n; ++j) point[j] = ws.x[j];
    return answer.status == OPTIMAL && ws.x[n] > 0.0;
}

}  // namespace

Outlook look_around(const Rows& set, View<const bool> keep, Patience* patience) {
    const Int m = set.A.rows, n = set.A.cols;
    Outlook out{false, Array<double>(n), Array<double>(m), Array<double>(count(keep), 1.0), {}};
    if (!inner_point(set.A, set.b, out.point, patience)) return out;
    Workspace ws(m, 0, n);
    ws.patience = patience;
    if (prepare(ws, set) != OPTIMAL) return out;
    const Array<double> goal(n);
    double total = 1.0;
    Int q = 0;
    for (Int j = 0; j < n; ++j) {
        if (!keep[j]) continue;
        double extent = 0.0;
        Int ends = 0;
        for (double sign : {1.0, -1.0}) {
            goal[j] = sign;
            const Answer answer = solve_again(ws, goal);
            goal[j] = 0.0;
            if (answer.status == UNDECIDED && prepare(ws, set) != OPTIMAL) return out;
            if (answer.status != OPTIMAL) continue;
            extent += answer.value;
            ++ends;
            const double weight = 0.5 + std::fmod(0.618 * double(out.proofs.size()), 1.0);  // uneven, against ties by symmetry
            total += weight;
            for (Int i = 0; i < n; ++i) out.point[i] += weight * ws.x[i];
            out.proofs.emplace_back(ws.y.data, ws.y.data + m);
        }
        if (ends == 2 && extent > 0.0) out.size[q] = 1.0 / power_below(extent);
        ++q;
    }
    out.found = true;
    for (Int j = 0; j < n; ++j) out.point[j] /= total;
    for (Int i = 0; i < m; ++i) {
        double slack = set.b[i];
        for (Int j = 0; j < n; ++j) slack -= set.A(i, j) * out.point[j];
        out.slack[i] = slack;
        out.found = out.found && slack > 0.0;
    }
    return out;
}

}  // namespace mc
