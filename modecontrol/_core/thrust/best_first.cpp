#include "thrust/best_first.hpp"

#include <algorithm>

#include "thrust/over_w.hpp"
#include "thrust/piece_queue.hpp"

namespace mc {

namespace {

class BestFirst {
public:
    BestFirst(KnownModes& modes, const Demand& asked, ModeSource* source)
        : modes_(modes), asked_(asked), source_(source), programs_(modes.frame(), &modes.patience), queue_(modes, asked.task, programs_) {}
    Found run();

private:
    Choice settle();
    bool start(Int mode);
    Ruling look(const Piece& best);
    Ruling task_for_every_w(const Piece& best);
    Ruling wish_for_every_w(const Piece& best, Int row, double sign);
    Ruling goal_for_every_w(const Piece& best);
    Ruling rivals(const Piece& best);
    bool more_modes();
    Candidate answer(const Piece& best);
    Int spent() const { return modes_.spent() + (source_ ? source_->programs() : 0); }
    Choice unsettled() const { return cut_short_ || modes_.patience.is_over() || spent() >= asked_.patience ? STOPPED : UNSETTLED; }
    double promise() const { return source_ ? source_->promise() : -INF; }

    KnownModes& modes_;
    const Demand& asked_;
    ModeSource* const source_;
    PiecePrograms programs_;
    PieceQueue queue_;
    struct Missed {
        Int mode, row;
        double sign;
        Projection inputs;
    };
    std::vector<std::unique_ptr<Missed>> missed_;
    struct Least {
        Int mode;
        LeastValue now;
    };
    std::vector<std::unique_ptr<Least>> least_;
    bool cut_short_ = false;   // patience ended while rivals were looked for
    Found found_;
};

// The whole of a mode as a piece; false when a question stayed open.
bool BestFirst::start(Int mode) {
    if (modes_.status(mode) != OPTIMAL) return false;
    const PackedMode& mine = modes_[mode];
    Linear goal = within(mine, asked_.goal, asked_.constant);
    const bool settled = !goal.depends_on_w(mine.U.cols);
    return queue_.push({mode, INF, 0, settled, std::move(goal), {mine.U.cols, {}}, {}, {}}) != Ruling::OPEN;
}

// The task for every `w`, row by row; an equality is asked both ways.
Ruling BestFirst::task_for_every_w(const Piece& best) {
    for (Int i = 0; i < asked_.task.p.size; ++i) {
        for (double sign : {1.0, -1.0}) {
            if (sign < 0.0 && !asked_.task.tied[i]) break;
            const Ruling made = wish_for_every_w(best, i, sign);
            if (made != Ruling::PASSED) return made;
        }
    }
    return Ruling::PASSED;
}

Ruling BestFirst::wish_for_every_w(const Piece& best, Int row, double sign) {
    const PackedMode& mine = modes_[best.mode];
    Linear wish = within(mine, asked_.task.P.row(row), -asked_.task.p[row]);
    if (!wish.depends_on_w(mine.U.cols)) return Ruling::PASSED;
    for (double& g : wish.g) g *= sign;
    wish.constant *= sign;
    const auto [status, least] = programs_.least_over_w(mine, best.at(), wish);
    const double slack = tolerances::FEASIBLE * natural_size(modes_.frame(), wish);
    if (status == UNDECIDED) return Ruling::OPEN;
    if (status == UNBOUNDED) return Ruling::CUT;    // missed whatever the inputs: nothing of the mode is left
    // twice the slack, so that the border of the cut passes; no `w` at all is rounding at the border of the mode
    if (status == INFEASIBLE || least >= -2.0 * slack) return Ruling::PASSED;
    Int at = 0;
    for (; at < Int(missed_.size()); ++at)
        if (missed_[at]->mode == best.mode && missed_[at]->row == row && missed_[at]->sign == sign) break;
    if (at == Int(missed_.size())) {
        // what is left of an equality is thin: it keeps the slack
        Projection made = missing_inputs(modes_.frame(), mine, wish, asked_.task.tied[row] ? slack : 0.0, &modes_.patience);
        missed_.push_back(std::make_unique<Missed>(Missed{best.mode, row, sign, std::move(made)}));
    }
    return queue_.cut_closed(best, 2 * at, missed_[at]->inputs);
}

// The goal as its least value over `w`: the part of the piece with the present one goes back with it, the rest as it was.
Ruling BestFirst::goal_for_every_w(const Piece& best) {
    if (best.settled) return best.bound == INF ? Ruling::ENDLESS : Ruling::PASSED;
    const PackedMode& mine = modes_[best.mode];
    const auto [status, least] = programs_.least_over_w(mine, best.at(), best.goal);
    if (status == UNBOUNDED) return Ruling::CUT;    // no value can be promised whatever the inputs
    if (status != OPTIMAL) return Ruling::OPEN;
    const double size = natural_size(modes_.frame(), best.goal);
    if (best.bound < INF && least >= best.goal.at(best.at()) - tolerances::STRICT * size) return Ruling::PASSED;
    LeastValue now = least_value(modes_.frame(), mine, best.goal, programs_);
    Int at = 0;
    for (; at < Int(least_.size()); ++at)
        if (least_[at]->mode == best.mode && least_[at]->now.value.g == now.value.g) break;
    if (at == Int(least_.size())) {
        now.find_inputs(modes_.frame(), mine, &modes_.patience);
        least_.push_back(std::make_unique<Least>(Least{best.mode, std::move(now)}));
    }
    const LeastValue& here = least_[at]->now;
    if (std::find(best.done.begin(), best.done.end(), 2 * at + 1) == best.done.end() && here.inputs.status == OPTIMAL) {
        Piece inside{best.mode, best.bound, 0, true, here.value, best.cuts, best.done, {}};
        for (Int r = 0; r < here.inputs.b.size; ++r) inside.cuts.add(here.inputs.A.row(r), here.inputs.b[r], 1.0);
        if (queue_.push(std::move(inside)) == Ruling::OPEN) return Ruling::OPEN;
    }
    return queue_.cut_closed(best, 2 * at + 1, here.inputs);
}

// Another mode that counts against the candidate is cut out of its piece.
Ruling BestFirst::rivals(const Piece& best) {
    const ConstVec x = best.at().part(0, modes_[best.mode].U.cols);
    if (source_ && !source_->meet(x, modes_[best.mode].W.cols == 0, modes_)) {
        cut_short_ = true;
        return Ruling::OPEN;
    }
    for (Int other = 0; other < modes_.size(); ++other) {
        if (other == best.mode) continue;
        if (modes_.status(other) != OPTIMAL) return Ruling::OPEN;
        if (!modes_.too_near(other, asked_.margin, x)) continue;
        const Relation how = modes_.against(best.mode, other, asked_.margin > 0.0);
        if (how == Relation::UNKNOWN) return Ruling::OPEN;
        if (how != Relation::CLASH) continue;
        const InputSet taken = modes_.kept_off(other, asked_.margin);
        return queue_.cut(best, taken.Q, taken.q);
    }
    return Ruling::PASSED;
}

Ruling BestFirst::look(const Piece& best) {
    if (is_steep(modes_.frame(), modes_[best.mode])) return Ruling::CUT;
    if (modes_[best.mode].W.cols > 0) {
        const Ruling task = task_for_every_w(best);
        if (task != Ruling::PASSED) return task;
    }
    const Ruling goal = goal_for_every_w(best);
    return goal != Ruling::PASSED ? goal : rivals(best);
}

// Let the source look as long as it promises more than the best piece; false when a question stayed open.
bool BestFirst::more_modes() {
    while (promise() > -INF && (queue_.empty() || promise() > queue_.top().bound) && spent() < asked_.patience) {
        const Int mode = source_->look(modes_);
        if (mode == -2 || (mode >= 0 && !start(mode))) return false;
    }
    return true;
}

// The optimum of a piece, with a `w` at which the goal has its least value.
Candidate BestFirst::answer(const Piece& best) {
    Candidate made{best.mode, best.x, best.bound};
    const PackedMode& mine = modes_[best.mode];
    const Linear goal = within(mine, asked_.goal, asked_.constant);
    if (!goal.depends_on_w(mine.U.cols) || programs_.least_over_w(mine, best.at(), goal).status != OPTIMAL) return made;
    for (Int j = 0; j < mine.W.cols; ++j) made.x[mine.U.cols + j] = programs_.point()[j];
    return made;
}

// All of the search: how it ended.
Choice BestFirst::settle() {
    for (Int i = 0; i < modes_.size(); ++i)
        if (!start(i)) return unsettled();
    for (;;) {
        if (!more_modes()) return unsettled();
        if (queue_.empty() && promise() == -INF) return queue_.left_some() ? unsettled() : NOTHING;
        if (!queue_.empty() && found_.hoped.mode < 0) found_.hoped = {queue_.top().mode, queue_.top().x, queue_.top().bound};
        if (spent() >= asked_.patience || (!asked_.guaranteed && !queue_.empty())) return STOPPED;
        if (queue_.empty()) return unsettled();    // a source whose promise is no number
        const Piece best = queue_.take();
        ++found_.pieces;
        const Ruling made = look(best);
        if (made == Ruling::OPEN) return unsettled();
        if (made == Ruling::CUT) continue;
        if (made == Ruling::PASSED && queue_.left_better_than(best.bound)) return unsettled();
        found_.best = made == Ruling::PASSED ? answer(best) : Candidate{best.mode, {}, INF};
        return made == Ruling::PASSED ? SURE : UNLIMITED_GOAL;
    }
}

Found BestFirst::run() {
    found_.status = settle();
    found_.programs = spent();
    return found_;
}

}  // namespace

Found best_first(KnownModes& modes, const Demand& asked, ModeSource* source) { return BestFirst(modes, asked, source).run(); }

}  // namespace mc
