#include "modes/search.hpp"

namespace mc {

namespace {

// Rows `R (y, t) <= bound` of the program at a node, in the making; the column of `t` is there only when `strict`.
struct Making {
    Mat R;
    Vec bound;
    Int freedom;
    bool strict;
    double least;   // what strict rows have to exceed
    Int m = 0;

    // Append `quantity >= t` (strict) or `>= 0`. A row that always holds is skipped; false for one that can never hold.
    bool append(ConstMat T, const Quantity& q, bool positive) {
        const double* const first = T.row(q.first).data;
        const double* const second = T.row(q.second).data;
        double* const out = R.row(m).data;
        double largest = 0.0;
        for (Int i = 0; i < freedom; ++i) {
            const double value = -(q.a * first[i] + q.b * second[i]), size = std::abs(value);
            out[i] = size > tolerances::PIVOT ? value : 0.0;
            largest = larger(largest, size);
        }
        const bool felt = largest > tolerances::PIVOT;
        const double level = clean(q.level(T));
        if (!felt) {
            if (level < -tolerances::FEASIBLE || (positive && level <= least)) return false;
            if (!positive) return true;
        }
        if (strict) R(m, freedom) = positive ? 1.0 : 0.0;
        bound[m] = level;
        ++m;
        return true;
    }
};

// Whether a strict row and a row that is its opposite leave no room between them: the commonest end of a prefix.
bool pinched(const Making& rows) {
    const auto& [R, bound, freedom, strict, least, m] = rows;
    for (Int i = 0; i < m; ++i) {
        if (R(i, freedom) == 0.0) continue;
        Int column = 0;
        for (Int c = 1; c < freedom; ++c)
            if (std::abs(R(i, c)) > std::abs(R(i, column))) column = c;
        for (Int j = 0; j < m; ++j) {
            if (R(i, column) * R(j, column) >= 0.0) continue;
            const double factor = -R(i, column) / R(j, column);
            bool opposite = true;
            for (Int c = 0; opposite && c < freedom; ++c)
                opposite = !(std::abs(R(i, c) + factor * R(j, c)) > tolerances::OPPOSITE * std::abs(R(i, column)));
            if (opposite && bound[i] + factor * bound[j] <= least) return true;
        }
    }
    return false;
}

// The question of `possible` with one unknown or none: an intersection of intervals.
bool on_a_line(const Making& rows) {
    double lower = -INF, upper = INF;
    for (Int r = 0; r < rows.m; ++r) {
        const double slope = rows.freedom == 1 ? rows.R(r, 0) : 0.0;
        const double level = rows.strict ? rows.bound[r] - rows.least * rows.R(r, rows.freedom) : rows.bound[r];
        if (slope > 0.0)
            upper = smaller(upper, level / slope);
        else if (slope < 0.0)
            lower = larger(lower, level / slope);
        else if (level < 0.0)
            return false;
    }
    return lower <= upper + tolerances::FEASIBLE * larger(1.0, smaller(std::abs(lower), std::abs(upper)));
}

// All inequalities of a prefix, those on far inputs only on request; false when one can never hold.
bool gather(const Root& root, ConstMat T, View<const Int> path, Int assigned, bool far, Making& rows) {
    rows.m = 0;
    return each_inequality(root, path, assigned, [&](const Quantity& q, bool positive, Int cause) {
        return (!far && is_far(root, cause)) || rows.append(T, q, positive);
    });
}

// Whether a point satisfies the inequalities on far inputs.
bool within_far(const Root& root, ConstMat T, ConstVec y) {
    for (Int i = 0; i < root.physical.size; ++i) {
        if (!root.physical[i].far || root.physical[i].idle) continue;
        const ConstVec row = T.row(root.layout.physical + i);
        double value = row[row.size - 1];
        for (Int j = 0; j < y.size; ++j) value += row[j] * y[j];
        if (value < 0.0) return false;
    }
    return true;
}

bool has_far(const Root& root) {
    for (Int i = 0; i < root.physical.size; ++i)
        if (root.physical[i].far && !root.physical[i].idle) return true;
    return false;
}

// The program is `max t <= 1` over `(y, t)` with `t` in the strict rows, or a search for a point when there is none; the point is
// left in the workspace.
Verdict solve(Making& rows, Workspace& ws) {
    if (rows.freedom <= 1) return on_a_line(rows) ? Verdict::PLAIN : Verdict::NO;
    if (rows.strict && pinched(rows)) return Verdict::NO;
    const Vec objective = ws.ray.part(0, rows.R.cols);
    objective.fill(0.0);
    if (rows.strict) {
        for (Int i = 0; i < rows.freedom; ++i) rows.R(rows.m, i) = 0.0;
        rows.R(rows.m, rows.freedom) = 1.0;
        rows.bound[rows.m] = 1.0;
        ++rows.m;
        objective[rows.freedom] = 1.0;
    }
    const Rows set{rows.R.part(0, rows.m), rows.bound.part(0, rows.m), rows.R.part(0, 0), rows.bound.part(0, 0)};
    const auto [status, value] = solve_into(ws, objective, set);
    if (status == UNDECIDED) return Verdict::DOUBTFUL;
    return status == OPTIMAL && (!rows.strict || value > rows.least) ? Verdict::YES : Verdict::NO;
}

}  // namespace

NodeProgram::NodeProgram(const Root& root)
    : A(most_inequalities(root) + 1, root.layout.columns + 1), bound(A.rows), workspace(A.rows, 0, A.cols) {}

// Bounds on far inputs are asked of the point that the other rows give; only where it misses them do they join the program.
Verdict possible(const Root& root, ConstMat T, Int freedom, View<const Int> path, Int assigned, NodeProgram& program) {
    const bool strict = has_strict(root, path, assigned), far = has_far(root);
    Making rows{{program.A.data, program.A.rows, strict ? freedom + 1 : freedom}, program.bound, freedom, strict, root.strict};
    if (!gather(root, T, path, assigned, far && freedom <= 1, rows)) return Verdict::NO;
    if (rows.m == 0 && !far) return Verdict::PLAIN;
    Workspace& ws = program.workspace;
    if (rows.m == 0) ws.x.part(0, freedom).fill(0.0);
    const Verdict verdict = rows.m == 0 ? Verdict::PLAIN : solve(rows, ws);
    const bool found = verdict == Verdict::YES || verdict == Verdict::PLAIN;
    if (!far || freedom <= 1 || !found || within_far(root, T, ws.x.part(0, freedom))) return verdict;
    return gather(root, T, path, assigned, true, rows) ? solve(rows, ws) : Verdict::NO;
}

Search::Search(const Root& root)
    : root_(root), tables_((root.laws.size + 1) * root.layout.rows, root.layout.columns + 1), own_(root.laws.size + 1), freedom_(root.laws.size + 1),
      tried_(root.laws.size + 1), path_(root.laws.size), least_(root.laws.size + 1), scratch_(root.layout.columns + 1), program_(root) {
    restart();
}

void Search::restart() {
    for (Int i = 0; i < root_.table.rows * root_.table.cols; ++i) tables_.data[i] = root_.table.data[i];
    freedom_[0] = root_.freedom, least_[0] = INF;
    tried_.fill(0), path_.fill(0), own_.fill(0);
    programs_ = undecided_ = 0;
    steep_ = critical_ = false;
    verdict_ = Verdict::PLAIN;
    depth_ = root_.freedom >= 0 ? 0 : -1;
    if (root_.laws.size == 0 && depth_ == 0) {
        // no letter to assign: the one empty mode exists when the physical rows have a common point
        programs_ = 1;
        verdict_ = possible(root_, table(0), root_.freedom, path_, 0, program_);
        if (verdict_ == Verdict::NO) depth_ = -1;
    }
}

bool Search::next() {
    const Int k = root_.laws.size;
    if (k == 0) return depth_-- == 0;
    if (depth_ == k) --depth_;
    while (depth_ >= 0 && !is_cut_short()) {
        const Int cell = tried_[depth_]++;
        if (cell == root_.laws[depth_].count) {
            --depth_;
        } else if (descend(cell)) {
            ++depth_;
            if (depth_ == k) return true;
            tried_[depth_] = 0;
        }
    }
    return false;
}

// Give the contact at this depth a cell; false when no mode begins like that.
bool Search::descend(Int cell) {
    path_[depth_] = cell;
    if (depth_ > 0 && adds_nothing(root_.laws[depth_])) {
        // the program would be the one that has just been solved
        own_[depth_ + 1] = own_[depth_], freedom_[depth_ + 1] = freedom_[depth_], least_[depth_ + 1] = least_[depth_];
        return true;
    }
    own_[depth_ + 1] = own_[depth_] + 1;
    const Mat parent = table(depth_), child = table(depth_ + 1);
    const Int active = freedom_[depth_], N = parent.cols - 1;
    for (Int r = 0; r < parent.rows; ++r) {
        const double* const from = parent.row(r).data;
        double* const to = child.row(r).data;
        for (Int i = 0; i < active; ++i) to[i] = from[i];
        to[N] = from[N];
    }
    // to copy the table, to impose the cell and to set up the program
    if (Patience* work = program_.workspace.patience) work->spend(3 * parent.rows * active + Int(tolerances::PROGRAM_SET_UP));
    const Int left = impose_cell(root_, child, active, depth_, cell, scratch_);
    least_[depth_ + 1] = smaller(least_[depth_], scratch_[N]);
    steep_ = steep_ || scratch_[N] * tolerances::STEEP < 1.0;
    critical_ = critical_ || scratch_[N - 1] * tolerances::STEEP < 1.0 || (left < 0 && scratch_[N] <= tolerances::RANK);
    if (left < 0) return false;
    verdict_ = possible(root_, child, left, path_, depth_ + 1, program_);
    programs_ += verdict_ != Verdict::PLAIN;
    undecided_ += verdict_ == Verdict::DOUBTFUL;
    freedom_[depth_ + 1] = left;
    return verdict_ != Verdict::NO;
}

}  // namespace mc
