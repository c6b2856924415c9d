#include "thrust/prefix_tree.hpp"

#include <algorithm>
#include <cmath>

namespace mc {

namespace {

void copy(ConstMat from, Mat to) { std::copy(from.data, from.data + from.rows * from.cols, to.data); }

}  // namespace

// Make room for an instant; allocates when its sizes are new.
void PrefixTree::resize() {
    const Layout& layout = root_.layout;
    const Int k = root_.laws.size, N = layout.columns, rows = most_inequalities(root_);
    const bool fits = leaf_.rows == layout.rows && leaf_.cols == N + 1 && path_.size == k, anew = rows > capacity_ || !fits;
    if (anew) {
        capacity_ = rows;
        node_ = std::make_unique<NodeProgram>(root_);
    }
    rivals_.begin(root_, anew);
    fit(leaf_, layout.rows, N + 1), fit(flat_, layout.rows, N + 1), fit(spare_, layout.rows, N + 1);
    fit(path_, k), fit(scratch_, N + 1), fit(point_, N);
}

void PrefixTree::begin(const Instant& at, Int patience) {
    dynamic_root(at, root_);
    resize();
    programs_.begin(root_, at, &work_);
    heap_.begin(root_.layout.rows, root_.layout.columns + 1, root_.laws.size);
    known_.clear(), paths_known_.clear();
    responder_.reset();
    work_ = Patience();
    patience_ = patience;
    node_->workspace.patience = &work_;
    stands_ = open_ = stopped_ = met_steep_ = false;
    value_ = -INF;
    if (root_.freedom < 0) return;
    const Int slot = heap_.new_slot();
    copy(root_.table, heap_.table(slot));
    heap_.path(slot).fill(0);
    heap_.push({INF, 0, 0, root_.freedom, slot, true, INF});
}

double PrefixTree::promise() const {
    if (stands_) return leaf_status_ == UNBOUNDED ? INF : value_ * programs_.goal_scale();
    return heap_.empty() ? -INF : heap_.promise() * programs_.goal_scale();
}

// Give a prefix its next letter in all ways.
void PrefixTree::expand(const Prefix& from) {
    const Int N = root_.layout.columns, k = root_.laws.size;
    for (Int c = 0; c < root_.laws[from.depth].count; ++c) {
        const Int slot = heap_.new_slot();
        const Mat here = heap_.table(from.slot), child = heap_.table(slot);
        for (Int r = 0; r < here.rows; ++r) {
            for (Int i = 0; i < from.freedom; ++i) child(r, i) = here(r, i);
            child(r, N) = here(r, N);
        }
        const View<Int> path = heap_.path(slot);
        for (Int i = 0; i < k; ++i) path[i] = heap_.path(from.slot)[i];
        path[from.depth] = c;
        work_.spend(3 * here.rows * from.freedom);   // to copy the table and to impose the cell
        const Int freedom = impose_cell(root_, child, from.freedom, from.depth, c, scratch_);
        if (freedom < 0)
            heap_.release(slot);
        else
            heap_.push({from.bound, from.depth + 1, 0, freedom, slot, false, smaller(from.least, scratch_[N])});
    }
}

// Ask a prefix for its own bound; false when it is empty, or when it promises less than thought and has to wait again.
bool PrefixTree::keeps_promise(Prefix& top) {
    const Answer answer = programs_.greatest(heap_.table(top.slot), top.freedom, heap_.path(top.slot), top.depth);
    if (answer.status == INFEASIBLE) {
        heap_.release(top.slot);
        return false;
    }
    const double before = top.bound;
    const bool bounded = answer.status == OPTIMAL && !std::isnan(answer.value);
    top.bound = bounded ? smaller(promised(answer.value), before) : before;
    top.asked = true;
    if (top.bound < before) heap_.push_again(top);
    return top.bound == before;
}

// Look at the prefix that promises most: ask for its bound, give it its next letter, or stand at it when it is a full mode.
void PrefixTree::step() {
    Prefix top = heap_.pop();
    if (!top.asked && !keeps_promise(top)) return;
    if (top.depth == root_.laws.size)
        stands_ = stand_at(heap_.table(top.slot), top.freedom, heap_.path(top.slot), top.least);
    else if (top.depth == 0 || is_possible(top))
        expand(top);
    heap_.release(top.slot);
}

// Whether a prefix has a point at which its strict rows are positive: closed letters at zero acceleration repeat others.
bool PrefixTree::is_possible(const Prefix& prefix) {
    const Verdict verdict = possible(root_, heap_.table(prefix.slot), prefix.freedom, heap_.path(prefix.slot), prefix.depth, *node_);
    if (verdict != Verdict::PLAIN) count_program();
    return verdict != Verdict::NO;
}

bool PrefixTree::descend() {
    stands_ = stopped_ = false;
    const Int eighth = patience_ / 8;
    while (!stands_ && !open_ && !heap_.empty() && programs() < patience_ - eighth) {
        if (programs() > patience_ - 2 * eighth) heap_.dive();
        step();
    }
    if (!stands_ && !open_ && !heap_.empty()) stand_at_rest();
    return stands_;
}

// Take the mode that happens without inputs.
void PrefixTree::stand_at_rest() {
    stopped_ = true;
    point_.fill(0.0);
    if (!hold_inputs(false, patience_)) return;
    while (!stands_ && !open_ && rivals_.next()) {
        const Int freedom = impose(rivals_.path());
        if (freedom >= 0) stands_ = stand_at(spare_, freedom, rivals_.path(), least_);
    }
}

// Write the table of a full mode into `spare_`; its freedom.
Int PrefixTree::impose(View<const Int> path) {
    copy(root_.table, spare_);
    Int freedom = root_.freedom;
    least_ = INF;
    for (Int i = 0; i < path.size && freedom >= 0; ++i) {
        freedom = impose_cell(root_, spare_, freedom, i, path[i], scratch_);
        least_ = smaller(least_, scratch_[scratch_.size - 1]);
    }
    return freedom;
}

// Take a full mode: false when its strict domain is empty.
bool PrefixTree::stand_at(ConstMat T, Int freedom, View<const Int> path, double least) {
    count_program();
    const Verdict verdict = possible(root_, T, freedom, path, path.size, *node_);
    if (verdict == Verdict::NO) return false;
    for (Int i = 0; i < path.size; ++i) path_[i] = path[i];
    copy(T, leaf_);
    freedom_ = freedom;
    leaf_least_ = INF;
    for (Int i = 0; i < path.size; ++i)
        if (slides(letter(i))) leaf_least_ = least;
    const auto [status, value] = programs_.greatest(leaf_, freedom_, path_, path.size);
    leaf_status_ = status;
    if (verdict == Verdict::DOUBTFUL || status == UNDECIDED) open_ = true;
    if (open_ || status == INFEASIBLE) return false;
    value_ = value;
    const Int N = root_.layout.columns;
    const ConstVec y = programs_.point();
    for (Int r = 0; r < N; ++r) {
        point_[r] = leaf_(r, N);
        for (Int i = 0; i < freedom_; ++i) point_[r] += leaf_(r, i) * y[i];
    }
    return true;
}

void PrefixTree::unknowns(Vec out) const {
    for (Int i = 0; i < out.size; ++i) out[i] = point_[i] * root_.units[i] * root_.size;
}

bool PrefixTree::is_answer() {
    const Int w = leaf_status_ == OPTIMAL ? fold_inputs() : 0;
    if (leaf_status_ != OPTIMAL || is_nearly_singular() || !programs_.hold_for_every_w(flat_, w, path_, value_)) return false;
    if (!hold_inputs(w == 0, patience_)) return false;
    bool alone = true;
    while (alone && rivals_.next()) {
        const View<const Int> other = rivals_.path();
        alone = std::equal(other.data, other.data + other.size, path_.data) || !is_mode(other);
    }
    met_steep_ = met_steep_ || rivals_.met_steep();
    return alone && !rivals_.is_cut_short() && !met_steep_;
}

// Whether a mode that was met at held inputs is one in its own right: strict rows are positive by STRICT at some inputs.
bool PrefixTree::is_mode(View<const Int> path) {
    const Int freedom = impose(path);
    count_program();
    return freedom >= 0 && possible(root_, spare_, freedom, path, path.size, *node_) != Verdict::NO;
}

// Fix the inputs (natural units) for the rivals, who may work as long as `programs` are not spent; false when no unknowns go with them.
bool PrefixTree::hold_inputs(bool closed, Int programs) {
    rivals_.count_work(&work_, work_of(programs));
    return rivals_.hold(root_, ConstVec(point_).part(root_.layout.tau, root_.layout.columns), closed);
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

// Whether the mode whose inputs were folded in answers some of them with motions so large that nothing is to be promised of it, or is
// one of sliding so near to a singular one that its table has to be made more precisely.
bool PrefixTree::is_nearly_singular() const {
    if (leaf_least_ < tolerances::WELL_POSED) return true;
    for (Int r = 0; r < root_.layout.tau; ++r)
        for (Int s = 0; s < split_.admissible(); ++s)
            if (std::abs(flat_(r, split_.column(s))) > tolerances::STEEP) return true;
    return false;
}

// Make a mode, given by its cells, known: its place.
Int PrefixTree::know(View<const Int> path, KnownModes& modes) {
    std::vector<Int> cells(path.data, path.data + path.size);
    const auto known = known_.find(cells);
    if (known != known_.end()) return known->second;
    const Int freedom = impose(path);
    Packed one;
    one.unknowns = root_.layout.tau;
    one.inputs = root_.layout.inputs();
    if (!responder_) responder_ = std::make_unique<Responder>(root_);
    responder_->add(spare_, freedom, path, least_, one, &modes.patience);
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

bool PrefixTree::meet(ConstVec tau, bool closed, KnownModes& modes) {
    const Int first = root_.layout.tau;
    for (Int j = 0; j < tau.size; ++j) point_[first + j] = tau[j] / (root_.units[first + j] * root_.size);
    if (!hold_inputs(closed, patience_ - modes.spent())) return true;
    bool all = true;
    while (all && rivals_.next()) {
        if (is_mode(rivals_.path())) know(rivals_.path(), modes);
        all = programs() + modes.spent() < patience_;
    }
    met_steep_ = met_steep_ || rivals_.met_steep();
    return all && !rivals_.is_cut_short();
}

}  // namespace mc
