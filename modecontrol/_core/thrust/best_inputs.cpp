#include "thrust/best_inputs.hpp"

namespace mc {

namespace {

// The last row of the instant is the goal; those between the physical ones and it are the task.
Demand demand(const Instant& at, const BestInputs::Effort& effort) {
    const Extra& rows = at.extra;
    const Int last = rows.p.size - 1;
    return {rows.P.row(last), -rows.p[last],
            {rows.P.part(rows.physical, last), rows.p.part(rows.physical, last), rows.equality.part(rows.physical, last)},
            effort.margin, effort.patience, true};
}

// Motions as far as goal and task feel them.
MotionFrame frame(const Instant& at, const Root& root) {
    const Grid<double> asked = beside_mass(at.dynamics.M, root.units, at.extra.P.part(at.extra.physical, at.extra.p.size));
    return MotionFrame(at.dynamics.M, root.units, root.size, at.dynamics.J.rows, root.layout.inputs(), asked);
}

double goal_at(const Instant& at, ConstVec u, ConstVec tau) {
    const ConstVec row = at.extra.P.row(at.extra.p.size - 1);
    const Int lead = row.size - tau.size;
    double value = -at.extra.p[at.extra.p.size - 1];
    for (Int j = 0; j < row.size; ++j) value += row[j] * (j < lead ? u[j] : tau[j - lead]);
    return value;
}

}  // namespace

Choice BestInputs::solve(Instant at, ConstMat limits, const Effort& effort) {
    at.extra = rows_.join(at.extra, limits);
    best_.found = hoped_.found = false;
    best_.value = hoped_.value = -INF;
    programs_ = 0;
    tree_.begin(at, effort.patience);
    const bool found = tree_.descend();
    Choice status = tree_.is_open() ? UNSETTLED : found ? SURE : tree_.is_empty() ? NOTHING : STOPPED;
    if (found) {
        take(at, hoped_);
        if (effort.margin > 0.0)
            status = over_all_modes(at, effort);
        else if (tree_.is_answer())
            best_ = hoped_, status = tree_.is_best() ? SURE : STOPPED;
        else
            status = tree_.is_best() ? search_on(at, effort) : STOPPED;
        if (effort.margin == 0.0 && tree_.met_steep() && status != STOPPED) status = over_all_modes(at, effort);
    }
    programs_ += tree_.programs();
    return status;
}

bool BestInputs::hope(const Instant& at, Int patience) {
    best_.found = hoped_.found = false;
    best_.value = hoped_.value = -INF;
    tree_.begin(at, patience);
    const bool found = tree_.descend();
    if (found) take(at, hoped_);
    programs_ = tree_.programs();
    return found && hoped_.found;
}

// The mode that the tree stands at.
void BestInputs::take(const Instant& at, Point& into) const {
    const Layout& layout = tree_.root().layout;
    const Int k = tree_.root().laws.size;
    into.found = !tree_.is_endless();
    into.letters.resize(k), into.u.resize(layout.columns), into.tau.resize(layout.inputs());
    for (Int i = 0; i < k; ++i) into.letters[i] = tree_.letter(i);
    tree_.unknowns({into.u.data(), layout.columns});
    std::copy(into.u.begin() + layout.tau, into.u.end(), into.tau.begin());
    into.u.resize(layout.tau);
    into.value = tree_.is_endless() ? INF : goal_at(at, {into.u.data(), layout.tau}, {into.tau.data(), layout.inputs()});
}

// A candidate of `best_first`, without its letters. The value is the promised one: `w` is that of rows loosened by FEASIBLE.
void BestInputs::take(const PackedMode& mode, const Candidate& from, Point& into) const {
    const Int inputs = mode.U.cols, unknowns = mode.constant.size;
    into.found = from.value < INF;    // there need not be an input for it to be found
    into.value = from.value;
    if (!into.found) return;
    into.tau.assign(from.x.begin(), from.x.begin() + inputs);
    into.u.resize(unknowns);
    for (Int i = 0; i < unknowns; ++i) {
        into.u[i] = mode.constant[i];
        for (Int j = 0; j < inputs; ++j) into.u[i] += mode.U(i, j) * from.x[j];
        for (Int j = 0; j < mode.W.cols; ++j) into.u[i] += mode.W(i, j) * from.x[inputs + j];
    }
}

// The best mode is refused, for another mode or a task: its pieces, and the modes after it.
Choice BestInputs::search_on(const Instant& at, const Effort& effort) {
    const MotionFrame motions = frame(at, tree_.root());
    KnownModes modes(motions, effort.patience - tree_.programs());
    const Found found = best_first(modes, demand(at, effort), &tree_);
    programs_ = found.programs - tree_.programs();
    if (found.best.mode >= 0) {
        const View<const Int> path = tree_.path(found.best.mode);
        best_.letters.resize(path.size);
        for (Int i = 0; i < path.size; ++i) best_.letters[i] = tree_.root().laws[i].cells[path[i]].letter;
        take(modes[found.best.mode], found.best, best_);
    }
    return found.status;
}

Choice BestInputs::over_all_modes(const Instant& at, const Effort& effort) {
    const Root& root = tree_.root();
    const MotionFrame motions = frame(at, root);
    const Int k = root.laws.size, tree = tree_.programs();
    KnownModes modes(motions, effort.patience - tree);
    Search search(root);
    Responder responder(root);
    std::vector<Letter> letters;
    search.count_work(&modes.patience, work_of(effort.patience - tree));
    while (search.next()) {
        programs_ = modes.spent();
        if (search.doubtful()) return search.is_cut_short() ? STOPPED : UNSETTLED;
        for (Int i = 0; i < k; ++i) letters.push_back(search.letter(i));
        Packed one;
        one.unknowns = root.layout.tau, one.inputs = root.layout.inputs();
        responder.add(search.table(), search.freedom(), search.path(), search.least(), one, &modes.patience);
        modes.add(std::move(one));
    }
    programs_ = modes.spent();
    best_.found = false, best_.value = -INF;
    if (search.is_cut_short()) return STOPPED;
    Effort rest = effort;
    rest.patience -= tree;
    const Found found = best_first(modes, demand(at, rest), nullptr);
    programs_ = found.programs;
    if (found.best.mode >= 0) {
        best_.letters.assign(letters.begin() + found.best.mode * k, letters.begin() + (found.best.mode + 1) * k);
        take(modes[found.best.mode], found.best, best_);
    }
    return found.status;
}

}  // namespace mc
