#include "thrust/friction_cell.hpp"

#include <algorithm>

namespace mc {

namespace {

constexpr Int MOST_CORNERS = 256;

void copy(ConstMat from, Mat to) { std::copy(from.data, from.data + from.rows * from.cols, to.data); }

}  // namespace

void FrictionCell::resize(const Instant& at) {
    const Layout& layout = base_.layout;
    const Int k = base_.laws.size, N = layout.columns, rows = most_inequalities(base_) + 2;
    const bool fits = held_.table.rows == layout.rows && held_.table.cols == N + 1 && freedom_.size == k + 1;
    for (Root* root : {&held_, &corner_}) {
        root->layout = layout, root->physical = base_.physical, root->units = base_.units, root->size = base_.size;
        fit(root->laws, k);
    }
    for (Int i = 0; i < k; ++i) held_.laws[i] = base_.laws[i];
    if (rows > capacity_ || !fits) {
        capacity_ = rows;
        held_.table = Grid<double>(layout.rows, N + 1);
        held_.freedom = -1;
        A_ = Grid<double>(rows, N + 1);
        limit_ = Array<double>(rows);
        ws_ = std::make_unique<Workspace>(rows, 0, N);
        search_ = std::make_unique<Search>(held_);
    }
    fit(fixed_, layout.rows, N + 1), fit(leaf_, layout.rows, N + 1), fit(corners_, (k + 1) * layout.rows, N + 1);
    fit(objective_, N), fit(scratch_, N + 1), fit(tau_, layout.inputs());
    fit(freedom_, k + 1), fit(corner_path_, k), fit(tied_, layout.rows - layout.task);
    for (Int i = 0; i < tied_.size; ++i) tied_[i] = at.extra.equality[at.extra.physical + i];
    choices_.resize(k);
    double biggest = 0.0;
    const Int last = at.extra.P.rows - 1, lead = at.extra.P.cols - layout.inputs();
    for (Int j = 0; j < at.extra.P.cols; ++j)
        biggest = larger(biggest, std::abs(at.extra.P(last, j)) * base_.units[j < lead ? j : layout.tau + j - lead]);
    goal_scale_ = base_.size * (biggest > 0.0 ? biggest : 1.0);
}

void FrictionCell::begin(const Instant& at, Patience* work, Int until) {
    dynamic_root(at, base_);
    work_ = work, until_ = until;
    resize(at);
    ws_->patience = work;
}

bool FrictionCell::hold(ConstVec tau) {
    copy(base_.table, fixed_);
    Int freedom = base_.freedom;
    for (Int j = 0; j < tau.size; ++j) {
        tau_[j] = tau[j];
        const Int r = base_.layout.tau + j;
        freedom = vanish(fixed_, freedom, {r, r, 1.0, 0.0, -tau[j]}, scratch_);
    }
    freedom_[0] = freedom;
    return freedom >= 0;
}

Outcome FrictionCell::look(View<const ContactState> states, ConstVec lo, ConstVec hi, std::vector<Cut>& cuts) {
    states_ = states;
    Outcome out;
    out.value = INF;
    for (Int i = 0; i < lo.size; ++i) held_.laws[i] = coulomb(lo[i], hi[i], states_[i]);
    copy(fixed_, held_.table);
    held_.freedom = impose_common(held_, held_.table, freedom_[0], scratch_);
    search_->count_work(work_, until_);
    search_->restart();
    paths_.clear();
    while (search_->next()) {
        const View<const Int> path = search_->path();
        out.open = out.open || search_->doubtful();
        paths_.emplace_back(path.data, path.data + path.size);
    }
    out.open = out.open || search_->is_cut_short();
    for (const std::vector<Int>& path : paths_)
        if (!out.open && !least_rows({path.data(), Int(path.size())}, out, cuts)) out.open = true;
    if (out.open || paths_.empty()) {
        out.value = -INF;
        return out;
    }
    out.exists = shows_existence(lo, hi);
    if (!out.exists) cut_failed_corner(cuts);
    return out;
}

// The table of a mode as a function of `(w, tau)`, in `leaf_`; the length of `w`, -1 when its equalities contradict each other.
Int FrictionCell::leaf(const Root& laws, View<const Int> path) {
    copy(base_.table, leaf_);
    Int freedom = impose_common(laws, leaf_, base_.freedom, scratch_);
    for (Int i = 0; i < path.size && freedom >= 0; ++i) freedom = impose_cell(laws, leaf_, freedom, i, path[i], scratch_);
    if (freedom < 0) return -1;
    work_->spend(3 * leaf_.rows * base_.freedom * (path.size + 1));
    split_inputs(leaf_, base_.layout, freedom, split_);
    return split_.w;
}

// Inequalities of a mode on `w` at the inputs held, from `leaf_`.
void FrictionCell::gather(const Root& root, View<const Int> path) {
    const Int w = split_.w, N = base_.layout.columns;
    const Mat A{A_.data, A_.rows, w};
    rows_ = 0;
    each_inequality(root, path, path.size, [&](const Quantity& q, bool, Int) {
        double level = q.at(leaf_, N) + q.constant;
        for (Int s = 0; s < split_.admissible(); ++s) level += q.at(leaf_, split_.column(s)) * tau_[split_.pivots[s]];
        for (Int i = 0; i < w; ++i) A(rows_, i) = clean(-q.at(leaf_, i));
        limit_[rows_] = clean(level);
        ++rows_;
        return true;
    });
}

// Least goal and task of one mode; false when a program stayed undecided.
bool FrictionCell::least_rows(View<const Int> path, Outcome& out, std::vector<Cut>& cuts) {
    const Int w = leaf(held_, path);
    if (w < 0) return false;
    gather(held_, path);
    for (Int r = base_.layout.task; r <= goal(); ++r) {
        for (const double sign : {1.0, -1.0}) {
            if (sign < 0.0 && !tied_[r - base_.layout.task]) continue;
            double value = -INF;
            Cut cut{r == goal(), std::vector<double>(base_.layout.inputs(), 0.0), 0.0};
            if (!least(path, r, sign, value, cut)) return false;
            if (r == goal()) {
                out.value = smaller(out.value, value);
                if (value > -INF) cuts.push_back(cut);
            } else if (value < -tolerances::STRICT) {
                out.value = -INF;
                out.missed = larger(out.missed, -value);
                if (value > -INF) cuts.push_back(cut);
            }
        }
    }
    return true;
}

// Least `sign` times row `r` of `leaf_` over a set of `w`, and the affine function of the inputs that its multipliers give.
//
// A set that rounding made empty is made wider: the mode was found, so it has a point.
bool FrictionCell::least(View<const Int> path, Int r, double sign, double& value, Cut& cut) {
    const Int w = split_.w, N = base_.layout.columns;
    const Rows set{{A_.data, rows_, w}, limit_.part(0, rows_), {A_.data, 0, w}, limit_.part(0, 0)};
    double level = sign * leaf_(r, N);
    for (Int s = 0; s < split_.admissible(); ++s) {
        const double slope = sign * leaf_(r, split_.column(s));
        cut.slope[split_.pivots[s]] = slope;
        level += slope * tau_[split_.pivots[s]];
    }
    cut.constant = sign * leaf_(r, N);
    bool depends = false;
    const Vec against = objective_.part(0, w);
    for (Int i = 0; i < w; ++i) {
        against[i] = clean(-sign * leaf_(r, i));
        depends = depends || against[i] != 0.0;
    }
    value = level;
    if (!depends) return true;
    count_program();
    Answer answer = solve_into(*ws_, against, set);
    if (answer.status == INFEASIBLE) {
        for (Int i = 0; i < set.b.size; ++i) limit_[i] += tolerances::STRICT;
        answer = solve_into(*ws_, against, set);
    }
    value = answer.status == UNBOUNDED ? -INF : level - answer.value;
    if (answer.status != OPTIMAL) return answer.status == UNBOUNDED;
    // level - sum_j y_j limit_j(tau), with limit_j affine in the inputs: the same multipliers are good for all inputs
    cut.constant += value - level;
    Int j = 0;
    each_inequality(held_, path, path.size, [&](const Quantity& q, bool, Int) {
        const double y = ws_->y[j++];
        for (Int s = 0; y != 0.0 && s < split_.admissible(); ++s) {
            const Int pivot = split_.pivots[s];
            const double slope = q.at(leaf_, split_.column(s));
            cut.slope[pivot] -= y * slope;
            cut.constant += y * slope * tau_[pivot];
        }
        return true;
    });
    return true;
}

// Whether a mode is possible at all corners of the cell (T2); with `held` >= 0 that contact is held by as much friction as it takes
// against sliding `way`, or, with `way` 0, has its least coefficient alone.
bool FrictionCell::is_sure(ConstVec lo, ConstVec hi, View<const Int> path, Int held, double way) {
    Int corners = 1;
    for (Int i = 0; i < path.size; ++i) {
        std::vector<Choice>& few = choices_[i];
        few.clear();
        const Letter letter = held_.laws[i].cells[path[i]].letter;
        if (i == held && way != 0.0) {
            few.push_back({held_against(way), 0});
            continue;
        }
        const bool both = (letter == LEFT || letter == RIGHT) && lo[i] < hi[i] && i != held;
        for (Int end = 0; end < (both ? 2 : 1); ++end) {
            const double mu = end == 0 ? lo[i] : hi[i];
            Choice one{coulomb(mu, mu, states_[i]), 0};
            one.cell = one.law.find(letter);
            few.push_back(one);
        }
        corners *= Int(few.size());
    }
    if (corners > MOST_CORNERS) return false;
    copy(fixed_, corner_table(0));
    return at_corners(0);
}

// Go through the corners, contact by contact.
bool FrictionCell::at_corners(Int contact) {
    const Int k = base_.laws.size;
    if (contact == k) return has_point();
    const Mat parent = corner_table(contact), child = corner_table(contact + 1);
    for (const Choice& one : choices_[contact]) {
        corner_.laws[contact] = one.law;
        corner_path_[contact] = one.cell;
        copy(parent, child);
        Int freedom = freedom_[contact];
        work_->spend(3 * parent.rows * freedom);
        const View<const LawRow> rows = one.law.of(one.cell);
        for (Int r = 0; r < rows.size && freedom >= 0; ++r)
            if (rows[r].equality) freedom = vanish(child, freedom, quantity(base_.layout, contact, rows[r]), scratch_);
        freedom_[contact + 1] = freedom;
        if (freedom < 0) return false;
        if (!at_corners(contact + 1)) return false;
    }
    return true;
}

// Whether the closed mode of a corner has a point.
bool FrictionCell::has_point() {
    const Int k = base_.laws.size, freedom = freedom_[k];
    const Mat T = corner_table(k), A{A_.data, A_.rows, freedom};
    rows_ = 0;
    const bool plain = each_inequality(corner_, corner_path_, k, [&](const Quantity& q, bool, Int) {
        double largest = 0.0;
        for (Int i = 0; i < freedom; ++i) {
            A(rows_, i) = clean(-q.at(T, i));
            largest = larger(largest, std::abs(A(rows_, i)));
        }
        limit_[rows_] = clean(q.level(T));
        if (largest == 0.0) return limit_[rows_] >= -tolerances::FEASIBLE;
        ++rows_;
        return true;
    });
    bool good = plain;
    if (plain && rows_ > 0) {
        const Vec nothing = objective_.part(0, freedom);
        nothing.fill(0.0);
        count_program();
        good = solve_into(*ws_, nothing, {A.part(0, rows_), limit_.part(0, rows_), A.part(0, 0), limit_.part(0, 0)}).status == OPTIMAL;
    }
    if (!good && failed_.empty())
        for (Int i = 0; i < k; ++i) failed_.push_back({corner_.laws[i], corner_path_[i]});
    return good;
}

bool FrictionCell::shows_existence(ConstVec lo, ConstVec hi) {
    failed_.clear();
    for (const std::vector<Int>& path : paths_)
        if (is_sure(lo, hi, {path.data(), Int(path.size())}, -1, 0.0)) return true;
    for (const std::vector<Int>& path : paths_) {
        for (Int i = 0; i < lo.size; ++i) {
            const Letter letter = held_.laws[i].cells[path[i]].letter;
            if ((letter != LEFT && letter != RIGHT) || states_[i] != ContactState::AT_REST) continue;
            const View<const Int> mode{path.data(), Int(path.size())};
            if (is_sure(lo, hi, mode, i, letter == RIGHT ? 1.0 : -1.0) && is_sure(lo, hi, mode, i, 0.0)) return true;
        }
    }
    return false;
}

// What the inputs have to obey for the first mode to be possible at the corner where it failed.
void FrictionCell::cut_failed_corner(std::vector<Cut>& cuts) {
    if (failed_.empty()) return;
    for (Int i = 0; i < Int(failed_.size()); ++i) {
        corner_.laws[i] = failed_[i].law;
        corner_path_[i] = failed_[i].cell;
    }
    if (leaf(corner_, corner_path_) != 0) return;
    each_inequality(corner_, corner_path_, corner_path_.size, [&](const Quantity& q, bool, Int) {
        Cut cut{false, std::vector<double>(base_.layout.inputs(), 0.0), q.level(leaf_)};
        double level = cut.constant;
        for (Int s = 0; s < split_.admissible(); ++s) {
            cut.slope[split_.pivots[s]] = q.at(leaf_, split_.column(s));
            level += cut.slope[split_.pivots[s]] * tau_[split_.pivots[s]];
        }
        if (level < -tolerances::FEASIBLE) cuts.push_back(cut);
        return true;
    });
}

Int FrictionCell::membership(ConstVec mu, View<const Letter> letters, std::vector<double>& A, std::vector<double>& limit) {
    A.clear(), limit.clear();
    for (Int i = 0; i < mu.size; ++i) {
        corner_.laws[i] = coulomb(mu[i], mu[i], states_[i]);
        corner_path_[i] = corner_.laws[i].find(letters[i]);
        if (corner_path_[i] < 0) return -1;
    }
    const Int w = leaf(corner_, corner_path_), inputs = base_.layout.inputs();
    if (w < 0) return -1;
    each_inequality(corner_, corner_path_, corner_path_.size, [&](const Quantity& q, bool, Int) {
        const size_t from = A.size();
        A.resize(from + inputs + w, 0.0);
        for (Int s = 0; s < split_.admissible(); ++s) A[from + split_.pivots[s]] = clean(-q.at(leaf_, split_.column(s)));
        for (Int i = 0; i < w; ++i) A[from + inputs + i] = clean(-q.at(leaf_, i));
        limit.push_back(clean(q.level(leaf_)));
        return true;
    });
    return w;
}

}  // namespace mc
