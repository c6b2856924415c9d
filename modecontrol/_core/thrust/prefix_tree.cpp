#include "thrust/prefix_tree.hpp"

#include <algorithm>
#include <cmath>

namespace mc {

namespace {

// Rows `A y <= limit` of a prefix, nothing strict.
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
    Rows set() const { return {A.part(0, m), limit.part(0, m), A.part(0, 0), limit.part(0, 0)}; }
};

void copy(ConstMat from, Mat to) { std::copy(from.data, from.data + from.rows * from.cols, to.data); }

}  // namespace

bool PrefixTree::worse(const Prefix& a, const Prefix& b) {
    if (a.bound != b.bound) return a.bound < b.bound;
    return a.depth != b.depth ? a.depth < b.depth : a.order > b.order;
}

// The order of a dive: the deepest prefix first.
bool PrefixTree::shallower(const Prefix& a, const Prefix& b) { return a.depth != b.depth ? a.depth < b.depth : worse(a, b); }

// Make room for an instant; allocates when its sizes are new.
void PrefixTree::resize(const Instant& at) {
    const Layout& layout = root_.layout;
    const Int k = root_.laws.size, N = layout.columns, rows = most_inequalities(root_) + 2 * (layout.rows - layout.task);
    const bool fits = held_.table.rows == layout.rows && held_.table.cols == N + 1 && path_.size == k;
    held_.laws = root_.laws, held_.physical = root_.physical, held_.layout = layout, held_.units = root_.units;
    held_.size = root_.size;
    if (rows > capacity_ || !fits) {
        capacity_ = rows;
        held_.table = Grid<double>(layout.rows, N + 1);
        held_.freedom = -1;
        A_ = Grid<double>(rows, N);
        limit_ = Array<double>(rows);
        ws_ = std::make_unique<Workspace>(rows, 0, N);
        node_ = std::make_unique<NodeProgram>(root_);
        rivals_ = std::make_unique<Search>(held_);
    }
    if (layout.rows * (N + 1) > slot_size_ || path_.size != k) {
        slot_size_ = layout.rows * (N + 1);
        slots_.clear(), paths_.clear();
    }
    fit(leaf_, layout.rows, N + 1), fit(flat_, layout.rows, N + 1), fit(spare_, layout.rows, N + 1);
    fit(path_, k), fit(y_, N), fit(objective_, N), fit(scratch_, N + 1), fit(point_, N);
    fit(tied_, layout.rows - layout.task);
    for (Int i = 0; i < tied_.size; ++i) tied_[i] = at.extra.equality[at.extra.physical + i];
    double biggest = 0.0;
    const Int last = at.extra.P.rows - 1, lead = at.extra.P.cols - layout.inputs();
    for (Int j = 0; j < at.extra.P.cols; ++j)
        biggest = larger(biggest, std::abs(at.extra.P(last, j)) * root_.units[j < lead ? j : layout.tau + j - lead]);
    goal_scale_ = root_.size * (biggest > 0.0 ? biggest : 1.0);
}

void PrefixTree::begin(const Instant& at, Int patience) {
    dynamic_root(at, root_);
    resize(at);
    heap_.clear(), known_.clear(), paths_known_.clear(), unused_.clear();
    for (Int i = Int(slots_.size()) - 1; i >= 0; --i) unused_.push_back(i);
    responder_.reset();
    made_ = 0;
    work_ = Patience();
    patience_ = patience;
    ws_->patience = node_->workspace.patience = &work_;
    stands_ = open_ = dives_ = false;
    value_ = -INF;
    if (root_.freedom < 0) return;
    const Int slot = new_slot();
    copy(root_.table, table(slot));
    path_of(slot).fill(0);
    push({INF, 0, made_++, root_.freedom, slot, UNDECIDED});
}

Int PrefixTree::new_slot() {
    if (unused_.empty()) {
        slots_.push_back(std::make_unique<double[]>(slot_size_));
        paths_.push_back(std::make_unique<Int[]>(root_.laws.size + 1));
        return Int(slots_.size()) - 1;
    }
    const Int slot = unused_.back();
    unused_.pop_back();
    return slot;
}

void PrefixTree::push(const Prefix& made) {
    heap_.push_back(made);
    std::push_heap(heap_.begin(), heap_.end(), dives_ ? shallower : worse);
}

double PrefixTree::promise() const {
    if (stands_) return leaf_status_ == UNBOUNDED ? INF : value_ * goal_scale_;
    return heap_.empty() ? -INF : heap_[0].bound * goal_scale_;
}

// Give a prefix its next letter in all ways.
void PrefixTree::expand(const Prefix& from) {
    const Int N = root_.layout.columns, k = root_.laws.size;
    for (Int c = 0; c < root_.laws[from.depth].count; ++c) {
        const Int slot = new_slot();
        const Mat here = table(from.slot), child = table(slot);
        for (Int r = 0; r < here.rows; ++r) {
            for (Int i = 0; i < from.freedom; ++i) child(r, i) = here(r, i);
            child(r, N) = here(r, N);
        }
        const View<Int> path = path_of(slot);
        for (Int i = 0; i < k; ++i) path[i] = path_of(from.slot)[i];
        path[from.depth] = c;
        work_.spend(3 * here.rows * from.freedom);   // to copy the table and to impose the cell
        const Int freedom = impose_cell(root_, child, from.freedom, from.depth, c, scratch_);
        Answer answer{INFEASIBLE, -INF};
        if (freedom >= 0) answer = bound(child, freedom, path, from.depth + 1);
        if (answer.status == INFEASIBLE)
            unused_.push_back(slot);
        else {
            const bool bounded = answer.status == OPTIMAL && !std::isnan(answer.value);
            push({bounded ? answer.value : INF, from.depth + 1, made_++, freedom, slot, answer.status});
        }
    }
}

// Greatest goal over the relaxed prefix with the task; the point in `ws_->x`.
Answer PrefixTree::bound(ConstMat T, Int freedom, View<const Int> path, Int assigned) {
    ClosedRows rows{{A_.data, A_.rows, freedom}, limit_, freedom};
    each_inequality(root_, path, assigned, [&](const Quantity& q, bool, Int) {
        rows.append(T, q);
        return true;
    });
    for (Int r = root_.layout.task; r < goal(); ++r) {
        rows.append(T, plain(r));
        if (tied_[r - root_.layout.task]) rows.append(T, {r, r, -1.0, 0.0, 0.0});
    }
    const Vec objective = objective_.part(0, freedom);
    for (Int i = 0; i < freedom; ++i) objective[i] = clean(T(goal(), i));
    count_program();
    const auto [status, value] = solve_into(*ws_, objective, rows.set());
    return {status, value + T(goal(), T.cols - 1)};
}

// Look at the prefix that promises most: give it its next letter, or stand at it when it is a full mode.
void PrefixTree::step() {
    std::pop_heap(heap_.begin(), heap_.end(), dives_ ? shallower : worse);
    const Prefix top = heap_.back();
    heap_.pop_back();
    if (top.depth == root_.laws.size)
        stands_ = stand_at(top);
    else if (top.depth == 0 || is_possible(top))
        expand(top);
    unused_.push_back(top.slot);
}

// Whether a prefix has a point at which its strict rows are positive: closed letters at zero acceleration repeat others.
bool PrefixTree::is_possible(const Prefix& prefix) {
    const Verdict verdict = possible(root_, table(prefix.slot), prefix.freedom, path_of(prefix.slot), prefix.depth, *node_);
    if (verdict != Verdict::PLAIN) count_program();
    return verdict != Verdict::NO;
}

bool PrefixTree::descend() {
    stands_ = dives_ = false;
    while (!stands_ && !open_ && !heap_.empty() && programs() < patience_) {
        if (!dives_ && programs() > patience_ - patience_ / 4) {
            dives_ = true;
            std::make_heap(heap_.begin(), heap_.end(), shallower);
        }
        step();
    }
    return stands_;
}

// Take a full mode: false when its strict domain is empty.
bool PrefixTree::stand_at(const Prefix& leaf) {
    const View<Int> path = path_of(leaf.slot);
    count_program();
    const Verdict verdict = possible(root_, table(leaf.slot), leaf.freedom, path, path.size, *node_);
    if (verdict == Verdict::NO) return false;
    for (Int i = 0; i < path.size; ++i) path_[i] = path[i];
    copy(table(leaf.slot), leaf_);
    freedom_ = leaf.freedom;
    const auto [status, value] = bound(leaf_, freedom_, path_, path.size);
    leaf_status_ = status;
    if (verdict == Verdict::DOUBTFUL || status == UNDECIDED) open_ = true;
    if (open_ || status == INFEASIBLE) return false;
    value_ = value;
    const Int N = root_.layout.columns;
    for (Int i = 0; i < freedom_; ++i) y_[i] = ws_->x[i];
    for (Int r = 0; r < N; ++r) {
        point_[r] = leaf_(r, N);
        for (Int i = 0; i < freedom_; ++i) point_[r] += leaf_(r, i) * y_[i];
    }
    return true;
}

void PrefixTree::unknowns(Vec out) const {
    for (Int i = 0; i < out.size; ++i) out[i] = point_[i] * root_.units[i] * root_.size;
}

bool PrefixTree::is_answer() {
    if (leaf_status_ != OPTIMAL || !whatever_w()) return false;
    if (!hold_inputs(ConstVec(point_).part(root_.layout.tau, root_.layout.columns))) return false;
    bool alone = true;
    while (alone && rivals_->next()) {
        const View<const Int> other = rivals_->path();
        alone = std::equal(other.data, other.data + other.size, path_.data);
    }
    return alone && !rivals_->is_cut_short();
}

// Fix the inputs (natural units) in the table of the rivals' search; false when no unknowns go with them.
bool PrefixTree::hold_inputs(ConstVec tau) {
    copy(root_.table, held_.table);
    Int freedom = root_.freedom;
    for (Int j = 0; j < tau.size; ++j) {
        const Int r = root_.layout.tau + j;
        freedom = vanish(held_.table, freedom, {r, r, 1.0, 0.0, -tau[j]}, scratch_);
    }
    held_.freedom = freedom;
    if (freedom < 0) return false;
    rivals_->count_work(&work_, work_of(patience_));
    rivals_->restart();
    return true;
}

// Write the mode's table with its inputs folded in into `flat_`, a function of `w` alone; returns the length of `w`.
Int PrefixTree::fold_inputs() {
    const Layout& layout = root_.layout;
    copy(leaf_, flat_);
    split_inputs(flat_, layout, freedom_, split_);
    for (Int s = 0; s < split_.admissible(); ++s) {
        const double value = point_[layout.tau + split_.pivots[s]];
        for (Int r = 0; r < layout.rows; ++r) flat_(r, layout.columns) += flat_(r, split_.column(s)) * value;
    }
    return split_.w;
}

// Do goal and task hold at these inputs for every `w`? Asked by a program per row that depends on `w`, two for an equality.
bool PrefixTree::whatever_w() {
    const Layout& layout = root_.layout;
    const Int w = fold_inputs();
    ClosedRows rows{{A_.data, A_.rows, w}, limit_, w};
    for (Int r = layout.task; r < layout.rows; ++r) {
        bool depends = false;
        for (Int i = 0; i < w; ++i) depends = depends || clean(flat_(r, i)) != 0.0;
        if (!depends) continue;
        if (rows.m == 0) {
            each_inequality(root_, path_, path_.size, [&](const Quantity& q, bool, Int) {
                rows.append(flat_, q);
                return true;
            });
        }
        const double needed = r == goal() ? value_ - tolerances::STRICT * larger(1.0, std::abs(value_)) : -tolerances::FEASIBLE;
        if (!stays_above(rows.set(), r, 1.0, needed)) return false;
        if (tied_[r - layout.task] && !stays_above(rows.set(), r, -1.0, needed)) return false;
    }
    return true;
}

// Whether `sign` times row `r` of `flat_` is at least `needed` for every `w` in a set.
bool PrefixTree::stays_above(const Rows& set, Int r, double sign, double needed) {
    const Vec against = objective_.part(0, set.A.cols);
    for (Int i = 0; i < against.size; ++i) against[i] = -sign * clean(flat_(r, i));
    count_program();
    const auto [status, value] = solve_into(*ws_, against, set);
    return status == OPTIMAL && sign * flat_(r, flat_.cols - 1) - value >= needed;
}

// Make a mode, given by its cells, known: its place.
Int PrefixTree::know(View<const Int> path, KnownModes& modes) {
    std::vector<Int> cells(path.data, path.data + path.size);
    const auto known = known_.find(cells);
    if (known != known_.end()) return known->second;
    copy(root_.table, spare_);
    Int freedom = root_.freedom;
    for (Int i = 0; i < path.size; ++i) freedom = impose_cell(root_, spare_, freedom, i, path[i], scratch_);
    Packed one;
    one.unknowns = root_.layout.tau;
    one.inputs = root_.layout.inputs();
    if (!responder_) responder_ = std::make_unique<Responder>(root_);
    responder_->add(spare_, freedom, path, one, &modes.patience);
    const Int place = modes.add(std::move(one));
    known_[cells] = place;
    paths_known_.push_back(std::move(cells));
    return place;
}

View<const Int> PrefixTree::path(Int known) const {
    return {paths_known_[known].data(), Int(paths_known_[known].size())};
}

Int PrefixTree::look(KnownModes& modes) {
    if (!stands_) step();
    if (open_) return -2;
    if (!stands_) return -1;
    stands_ = false;
    return know(path_, modes);
}

bool PrefixTree::meet(ConstVec tau, KnownModes& modes) {
    const Int first = root_.layout.tau;
    for (Int j = 0; j < tau.size; ++j) point_[first + j] = tau[j] / (root_.units[first + j] * root_.size);
    if (!hold_inputs(ConstVec(point_).part(first, root_.layout.columns))) return true;
    bool all = true;
    while (all && rivals_->next()) {
        know(rivals_->path(), modes);
        all = programs() + modes.spent() < patience_;
    }
    return all && !rivals_->is_cut_short();
}

}  // namespace mc
