#include "thrust/existence.hpp"

#include <algorithm>

#include "polytopes/simplex.hpp"

namespace mc {

namespace {

constexpr Int MOST_CORNERS = 256;

void copy(ConstMat from, Mat to) { std::copy(from.data, from.data + from.rows * from.cols, to.data); }

}  // namespace

void Existence::begin(const Root& base, const Spread* spread, Patience* work, Int until) {
    base_ = &base, spread_ = spread, work_ = work, until_ = until;
    const Layout& layout = base.layout;
    const Int k = base.laws.size, N = layout.columns, rows = most_inequalities(base) + 2;
    corner_.layout = layout, corner_.physical = base.physical, corner_.units = base.units, corner_.size = base.size;
    fit(corner_.laws, k);
    if (rows > capacity_ || A_.cols != N + 1) {
        capacity_ = rows;
        A_ = Grid<double>(rows, N + 1);
        limit_ = Array<double>(rows);
        ws_ = std::make_unique<Workspace>(rows, 0, N);
    }
    ws_->patience = work;
    fit(corners_, (k + 1) * layout.rows, N + 1);
    fit(objective_, N), fit(scratch_, N + 1), fit(freedom_, k + 1), fit(path_, k);
    choices_.resize(k);
}

void Existence::hold(ConstMat fixed, Int freedom, View<const double> sign) {
    fixed_ = fixed, sign_ = sign;
    freedom_[0] = freedom;
}

bool Existence::shown(const Root& held, View<const ContactState> states, ConstVec lo, ConstVec hi,
                      const std::vector<std::vector<Int>>& paths) {
    const Contacts at{held, states, lo, hi};
    failed_.clear();
    for (const std::vector<Int>& path : paths)
        if (is_sure(at, {path.data(), Int(path.size())}, -1, 0.0)) return true;
    for (const std::vector<Int>& path : paths) {
        for (Int i = 0; i < lo.size; ++i) {
            const Letter letter = held.laws[i].cells[path[i]].letter;
            if (base_->laws[i].numbers.kind != LawKind::COULOMB || (letter != LEFT && letter != RIGHT) || states[i] != ContactState::AT_REST) continue;
            const View<const Int> mode{path.data(), Int(path.size())};
            if (is_sure(at, mode, i, letter == RIGHT ? 1.0 : -1.0) && is_sure(at, mode, i, 0.0)) return true;
        }
    }
    return false;
}

// Whether a mode is possible at all corners and vertices; with `stuck` >= 0 that contact is held by as much friction as it takes
// against sliding `way`, or, with `way` 0, has its least coefficient alone.
bool Existence::is_sure(const Contacts& at, View<const Int> path, Int stuck, double way) {
    Int corners = 1;
    for (Int i = 0; i < path.size; ++i) {
        std::vector<Choice>& few = choices_[i];
        few.clear();
        const Letter letter = at.held.laws[i].cells[path[i]].letter;
        if (i == stuck && way != 0.0) {
            few.push_back({held_against(way, base_->laws[i].numbers.pull), 0});
            continue;
        }
        const bool both = (letter == LEFT || letter == RIGHT) && at.lo[i] < at.hi[i] && i != stuck;
        for (Int end = 0; end < (both ? 2 : 1); ++end) {
            const double mu = end == 0 ? at.lo[i] : at.hi[i];
            Choice one{with_friction(base_->laws[i], mu, mu, at.states[i]), 0};
            one.cell = one.law.find(letter);
            few.push_back(one);
        }
        corners *= Int(few.size());
    }
    if (corners > MOST_CORNERS) return false;
    const Int whole = freedom_[0], vertices = spread_ ? spread_->vertices() : 1;
    bool sure = true;
    for (vertex_ = 0; sure && vertex_ < vertices; ++vertex_) {
        copy(fixed_, table(0));
        freedom_[0] = at_vertex(table(0), whole, vertex_);
        sure = freedom_[0] >= 0 && at_corners(0);
    }
    freedom_[0] = whole;
    return sure;
}

// Fix the disturbances at one vertex of their set.
Int Existence::at_vertex(Mat table, Int freedom, Int vertex) {
    for (Int j = 0; spread_ && j < spread_->count() && freedom >= 0; ++j)
        freedom = vanish(table, freedom, spread_->off(*base_, vertex, j, sign_), scratch_);
    return freedom;
}

// Go through the corners, contact by contact.
bool Existence::at_corners(Int contact) {
    const Int k = base_->laws.size;
    if (contact == k) return has_point();
    const Mat parent = table(contact), child = table(contact + 1);
    for (const Choice& one : choices_[contact]) {
        corner_.laws[contact] = one.law;
        path_[contact] = one.cell;
        copy(parent, child);
        Int freedom = freedom_[contact];
        work_->spend(3 * parent.rows * freedom);
        const View<const LawRow> rows = one.law.of(one.cell);
        for (Int r = 0; r < rows.size && freedom >= 0; ++r)
            if (rows[r].equality) freedom = vanish(child, freedom, quantity(base_->layout, contact, rows[r]), scratch_);
        freedom_[contact + 1] = freedom;
        if (freedom < 0) return false;
        if (!at_corners(contact + 1)) return false;
    }
    return true;
}

// Whether the closed mode of a corner has a point.
bool Existence::has_point() {
    if (work_->spent() >= until_) return false;
    const Int k = base_->laws.size, freedom = freedom_[k];
    const Mat T = table(k), A{A_.data, A_.rows, freedom};
    Int count = 0;
    const bool plain = each_inequality(corner_, path_, k, [&](const Quantity& q, bool, Int) {
        double largest = 0.0;
        for (Int i = 0; i < freedom; ++i) {
            A(count, i) = clean(-q.at(T, i));
            largest = larger(largest, std::abs(A(count, i)));
        }
        limit_[count] = clean(q.level(T));
        if (largest == 0.0) return limit_[count] >= -tolerances::FEASIBLE;
        ++count;
        return true;
    });
    bool good = plain;
    if (plain && count > 0) {
        const Vec nothing = objective_.part(0, freedom);
        nothing.fill(0.0);
        work_->spend(Int(tolerances::PROGRAM_SET_UP));
        good = solve_into(*ws_, nothing, {A.part(0, count), limit_.part(0, count), A.part(0, 0), limit_.part(0, 0)}).status == OPTIMAL;
    }
    if (!good && failed_.empty()) {
        for (Int i = 0; i < k; ++i) failed_.push_back({corner_.laws[i], path_[i]});
        failed_vertex_ = vertex_;
    }
    return good;
}

void Existence::cut(View<const double> tau, std::vector<Cut>& cuts) {
    if (failed_.empty()) return;
    for (Int i = 0; i < Int(failed_.size()); ++i) {
        corner_.laws[i] = failed_[i].law;
        path_[i] = failed_[i].cell;
    }
    const auto there = [&](Mat table, Int freedom) { return at_vertex(table, freedom, failed_vertex_); };
    if (mode_.fill(*base_, corner_, path_, *work_, there) != 0) return;
    each_inequality(corner_, path_, path_.size, [&](const Quantity& q, bool, Int) {
        Cut cut{false, std::vector<double>(base_->layout.inputs(), 0.0), mode_.constant(q)};
        double level = cut.constant;
        mode_.each_input(q, [&](Int input, double slope) {
            cut.slope[input] = slope;
            level += slope * tau[input];
        });
        if (level < -tolerances::FEASIBLE) cuts.push_back(cut);
        return true;
    });
}

}  // namespace mc
