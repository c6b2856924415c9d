#include "thrust/prefix_programs.hpp"

#include "thrust/asked_rows.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

// Rows `A y <= limit` in the making.
struct ClosedRows {
    Mat A;
    Vec limit;
    Int freedom;
    Int m = 0;

    void append(ConstMat T, const Quantity& q) {
        for (Int i = 0; i < freedom; ++i) A(m, i) = clean(-q.at(T, i));
        limit[m] = clean(q.level(T));
        ++m;
    }
    void append_all(const Root& root, ConstMat T, View<const Int> path, Int assigned) {
        each_inequality(root, path, assigned, [&](const Quantity& q, bool, Int) {
            append(T, q);
            return true;
        });
    }
    Rows set() const { return {A.part(0, m), limit.part(0, m), A.part(0, 0), limit.part(0, 0)}; }
};

}  // namespace

void PrefixPrograms::begin(const Root& root, const Instant& at, Patience* work) {
    root_ = &root, work_ = work;
    const Layout& layout = root.layout;
    const Int N = layout.columns, rows = most_inequalities(root) + 2 * (layout.rows - layout.task);
    if (rows > A_.rows || N != A_.cols) {
        A_ = Grid<double>(rows, N);
        limit_ = Array<double>(rows);
        ws_ = std::make_unique<Workspace>(rows, 0, N);
    }
    ws_->patience = work;
    fit(objective_, N);
    read_ties(at, layout, tied_);
    goal_scale_ = mc::goal_scale(at, root);
}

Answer PrefixPrograms::greatest(ConstMat T, Int freedom, View<const Int> path, Int assigned) {
    ClosedRows rows{{A_.data, A_.rows, freedom}, limit_, freedom};
    rows.append_all(*root_, T, path, assigned);
    for (Int r = root_->layout.task; r < goal(); ++r) {
        rows.append(T, plain(r));
        if (tied_[r - root_->layout.task]) rows.append(T, {r, r, -1.0, 0.0, 0.0});
    }
    const Vec objective = objective_.part(0, freedom);
    for (Int i = 0; i < freedom; ++i) objective[i] = clean(T(goal(), i));
    work_->spend(Int(tolerances::PROGRAM_SET_UP));
    const auto [status, value] = solve_into(*ws_, objective, rows.set());
    return {status, value + T(goal(), T.cols - 1)};
}

bool PrefixPrograms::hold_for_every_w(ConstMat T, Int w, View<const Int> path, double value) {
    const Layout& layout = root_->layout;
    ClosedRows rows{{A_.data, A_.rows, w}, limit_, w};
    for (Int r = layout.task; r < layout.rows; ++r) {
        bool depends = false;
        for (Int i = 0; i < w; ++i) depends = depends || clean(T(r, i)) != 0.0;
        if (!depends) continue;
        if (rows.m == 0) rows.append_all(*root_, T, path, path.size);
        const double needed = r == goal() ? value - tolerances::STRICT * larger(1.0, std::abs(value)) : -tolerances::FEASIBLE;
        if (!stays_above(rows.set(), T.row(r), 1.0, needed)) return false;
        if (tied_[r - layout.task] && !stays_above(rows.set(), T.row(r), -1.0, needed)) return false;
    }
    return true;
}

// Whether `sign` times a row of the table is at least `needed` for every `w` in a set.
bool PrefixPrograms::stays_above(const Rows& set, ConstVec row, double sign, double needed) {
    const Vec against = objective_.part(0, set.A.cols);
    for (Int i = 0; i < against.size; ++i) against[i] = -sign * clean(row[i]);
    work_->spend(Int(tolerances::PROGRAM_SET_UP));
    const auto [status, value] = solve_into(*ws_, against, set);
    return status == OPTIMAL && sign * row[row.size - 1] - value >= needed;
}

}  // namespace mc
