#include "thrust/friction_cell.hpp"

#include "thrust/asked_rows.hpp"

#include <algorithm>

#include "polytopes/simplex.hpp"

namespace mc {

namespace {

void copy(ConstMat from, Mat to) { std::copy(from.data, from.data + from.rows * from.cols, to.data); }

}  // namespace

void FrictionCell::resize(const Instant& at) {
    const Layout& layout = base_.layout;
    const Int k = base_.laws.size, N = layout.columns, rows = most_inequalities(base_) + 2;
    const bool fits = held_.table.rows == layout.rows && held_.table.cols == N + 1 && path_.size == k;
    held_.layout = layout, held_.physical = base_.physical, held_.units = base_.units, held_.size = base_.size;
    fit(held_.laws, k);
    for (Int i = 0; i < k; ++i) held_.laws[i] = base_.laws[i];
    if (rows > capacity_ || !fits) {
        capacity_ = rows;
        held_.table = Grid<double>(layout.rows, N + 1);
        held_.freedom = -1;
        A_ = Grid<double>(rows, N + 1);
        limit_ = Array<double>(rows);
        open_ = Array<double>(rows);
        ws_ = std::make_unique<Workspace>(rows, 0, N);
        search_ = std::make_unique<Search>(held_);
    }
    fit(fixed_, layout.rows, N + 1);
    fit(objective_, N), fit(scratch_, N + 1), fit(tau_, layout.inputs()), fit(sign_, layout.inputs());
    fit(path_, k);
    read_ties(at, layout, tied_);
    goal_scale_ = mc::goal_scale(at, base_);
}

void FrictionCell::begin(const Instant& at, const Spread* spread, Patience* work, Int until) {
    dynamic_root(at, base_);
    spread_ = spread, work_ = work, until_ = until;
    resize(at);
    ws_->patience = work;
    sign_.fill(1.0);
    existence_.begin(base_, spread_, work, until);
}

// Rows of relative errors change their sign with that of their input.
void FrictionCell::turn_signs(ConstVec tau) {
    if (!spread_) return;
    Int pair = base_.layout.physical + spread_->pairs;
    for (Int j = 0; j < spread_->count(); ++j) {
        const Int i = spread_->input[j];
        if (i < 0) continue;
        const double sign = tau[i] < 0.0 ? -1.0 : 1.0;
        for (Int r = pair; sign != sign_[i] && r < pair + 2; ++r)
            for (Int c = 0; c < base_.table.cols; ++c) base_.table(r, c) = -base_.table(r, c);
        sign_[i] = sign;
        pair += 2;
    }
}

bool FrictionCell::hold(ConstVec tau) {
    turn_signs(tau);
    for (Int j = 0; j < tau.size; ++j) tau_[j] = tau[j];
    freedom_ = fix_inputs(base_, tau, fixed_, scratch_);
    existence_.hold(fixed_, freedom_, sign_);
    return freedom_ >= 0;
}

Outcome FrictionCell::look(View<const ContactState> states, ConstVec lo, ConstVec hi, std::vector<Cut>& cuts) {
    Outcome out;
    out.value = INF;
    for (Int i = 0; i < lo.size; ++i) held_.laws[i] = with_friction(base_.laws[i], lo[i], hi[i], states[i]);
    copy(fixed_, held_.table);
    held_.freedom = impose_common(held_, held_.table, freedom_, scratch_);
    search_->count_work(work_, until_);
    search_->restart();
    paths_.clear();
    while (search_->next()) {
        const View<const Int> path = search_->path();
        out.open = out.open || search_->doubtful();
        paths_.emplace_back(path.data, path.data + path.size);
    }
    out.open = out.open || search_->is_cut_short() || search_->met_steep();
    for (const std::vector<Int>& path : paths_)
        if (!out.open && !least_rows({path.data(), Int(path.size())}, out, cuts)) out.open = true;
    if (out.open || paths_.empty()) {
        out.value = -INF;
        return out;
    }
    out.exists = existence_.shown(held_, states, lo, hi, paths_);
    if (!out.exists) existence_.cut(tau_, cuts);
    return out;
}

// Whether a mode answers some inputs with motions so large that rounding of them decides.
bool FrictionCell::is_steep() const {
    for (Int r = 0; r < base_.layout.tau; ++r)
        for (Int s = 0; s < mode_.split.admissible(); ++s)
            if (std::abs(mode_.rows(r, mode_.split.column(s))) > tolerances::STEEP) return true;
    return false;
}

// Inequalities of a mode on `w` at the inputs held, and by how much rounding of the inputs may move each.
void FrictionCell::gather(View<const Int> path) {
    const Int w = mode_.split.w;
    const Mat A{A_.data, A_.rows, w};
    rows_ = 0;
    each_inequality(held_, path, path.size, [&](const Quantity& q, bool, Int) {
        double level = mode_.constant(q), natural = std::abs(level);
        mode_.each_input(q, [&](Int input, double slope) {
            level += slope * tau_[input];
            natural = larger(natural, std::abs(slope));
        });
        for (Int i = 0; i < w; ++i) {
            A(rows_, i) = clean(-q.at(mode_.rows, i));
            natural = larger(natural, std::abs(A(rows_, i)));
        }
        limit_[rows_] = clean(level);
        open_[rows_] = tolerances::PRESENT * larger(1.0, natural);
        ++rows_;
        return true;
    });
}

// Least goal and task of one mode; false when a program stayed undecided.
bool FrictionCell::least_rows(View<const Int> path, Outcome& out, std::vector<Cut>& cuts) {
    if (mode_.fill(base_, held_, path, *work_) < 0 || is_steep()) return false;
    gather(path);
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

// Least `sign` times row `r` of the mode over a set of `w`, and the affine function of the inputs that its multipliers give.
//
// A set that rounding made empty is made wider: the mode was found, so it has a point.
bool FrictionCell::least(View<const Int> path, Int r, double sign, double& value, Cut& cut) {
    const Int w = mode_.split.w;
    const Rows set{{A_.data, rows_, w}, limit_.part(0, rows_), {A_.data, 0, w}, limit_.part(0, 0)};
    const Quantity row{r, r, sign, 0.0, 0.0};
    double level = cut.constant = mode_.constant(row);
    mode_.each_input(row, [&](Int input, double slope) {
        cut.slope[input] = slope;
        level += slope * tau_[input];
    });
    bool depends = false;
    const Vec against = objective_.part(0, w);
    for (Int i = 0; i < w; ++i) {
        against[i] = clean(-row.at(mode_.rows, i));
        depends = depends || against[i] != 0.0;
    }
    value = level;
    if (!depends) return true;
    work_->spend(Int(tolerances::PROGRAM_SET_UP));
    Answer answer = solve_into(*ws_, against, set);
    if (answer.status == INFEASIBLE) {
        for (Int i = 0; i < set.b.size; ++i) limit_[i] += tolerances::STRICT;
        answer = solve_into(*ws_, against, set);
    }
    value = answer.status == UNBOUNDED ? -INF : level - answer.value;
    if (answer.status != OPTIMAL) return answer.status == UNBOUNDED;
    const double most = answer.value;
    // level - sum_j y_j limit_j(tau), with limit_j affine in the inputs: the same multipliers are good for all inputs
    cut.constant += value - level;
    Int j = 0;
    each_inequality(held_, path, path.size, [&](const Quantity& q, bool, Int) {
        const double y = ws_->y[j++];
        if (y == 0.0) return true;
        mode_.each_input(q, [&](Int input, double slope) {
            cut.slope[input] -= y * slope;
            cut.constant += y * slope * tau_[input];
        });
        return true;
    });
    return is_decided(most, against, set);
}

// Whether rounding of the inputs cannot lower a least value: what the multipliers allow at most, or the program with its rows moved out.
bool FrictionCell::is_decided(double most, ConstVec against, const Rows& set) {
    double size = std::abs(most), moved = 0.0;
    for (Int i = 0; i < against.size; ++i) size = larger(size, std::abs(against[i]));
    for (Int j = 0; j < set.b.size; ++j) moved += ws_->y[j] * open_[j];
    if (moved <= tolerances::OPEN_VALUE * size) return true;
    for (Int j = 0; j < set.b.size; ++j) limit_[j] += open_[j];
    work_->spend(Int(tolerances::PROGRAM_SET_UP));
    const Answer wider = solve_into(*ws_, against, set);
    for (Int j = 0; j < set.b.size; ++j) limit_[j] -= open_[j];
    return wider.status == OPTIMAL && wider.value - most <= tolerances::OPEN_VALUE * size;
}

Int FrictionCell::membership(View<const ContactState> states, ConstVec mu, View<const Letter> letters, std::vector<double>& A,
                             std::vector<double>& limit) {
    A.clear(), limit.clear();
    for (Int i = 0; i < mu.size; ++i) {
        held_.laws[i] = with_friction(base_.laws[i], mu[i], mu[i], states[i]);
        path_[i] = held_.laws[i].find(letters[i]);
        if (path_[i] < 0) return -1;
    }
    const Int w = mode_.fill(base_, held_, path_, *work_), inputs = base_.layout.inputs();
    if (w < 0) return -1;
    each_inequality(held_, path_, path_.size, [&](const Quantity& q, bool, Int) {
        const size_t from = A.size();
        A.resize(from + inputs + w, 0.0);
        mode_.each_input(q, [&](Int input, double slope) { A[from + input] = clean(-slope); });
        for (Int i = 0; i < w; ++i) A[from + inputs + i] = clean(-q.at(mode_.rows, i));
        limit.push_back(clean(mode_.constant(q)));
        return true;
    });
    return w;
}

}  // namespace mc
