#include "thrust/piece_queue.hpp"

#include <algorithm>
#include <cmath>

#include "thrust/over_w.hpp"

namespace mc {

constexpr Int MOST_PIECES = 20000;

Piece PieceQueue::take() {
    std::pop_heap(heap_.begin(), heap_.end());
    Piece best = std::move(heap_.back());
    heap_.pop_back();
    return best;
}

// Many cuts through one corner can leave a program undecided: then it is asked of a piece that is smaller by parts of the clearance, a
// different one for each cut.
Answer PieceQueue::bound_of(Piece& part) {
    const PackedMode& mine = modes_[part.mode];
    Answer found = programs_.greatest(mine, task_, part.cuts, part.goal);
    for (int attempt = 0; attempt < 2 && found.status == UNDECIDED && part.cuts.count() > 0 && !modes_.patience.is_over(); ++attempt) {
        part.cuts.tighten(modes_.frame());
        found = programs_.greatest(mine, task_, part.cuts, part.goal);
    }
    return found;
}

Ruling PieceQueue::push(Piece part) {
    const auto [status, value] = bound_of(part);
    if (status == INFEASIBLE) return Ruling::CUT;
    if (++made_ > MOST_PIECES) return Ruling::OPEN;
    if (status == UNDECIDED || std::isnan(value)) {
        if (part.bound == INF || modes_.patience.is_over()) return Ruling::OPEN;
        left_out_ = larger(left_out_, part.bound);
        return Ruling::CUT;
    }
    part.bound = status == UNBOUNDED ? INF : value;
    part.order = made_;
    part.step = &step_;
    const double size = tolerances::FEASIBLE * natural_size(modes_.frame(), part.goal);
    if (size > 2.0 * step_) {
        step_ = size;
        std::make_heap(heap_.begin(), heap_.end());
    }
    part.x.assign(programs_.point().data, programs_.point().data + modes_[part.mode].A.cols);
    heap_.push_back(std::move(part));
    std::push_heap(heap_.begin(), heap_.end());
    return Ruling::CUT;
}

Ruling PieceQueue::cut(const Piece& from, ConstMat Q, ConstVec q) {
    Cuts fence = from.cuts;
    for (Int r = 0; r < q.size; ++r) {
        fence.add(Q.row(r), q[r], -1.0);
        if (push({from.mode, from.bound, 0, from.settled, from.goal, fence, from.done, {}}) == Ruling::OPEN) return Ruling::OPEN;
        fence.drop_last();
        fence.add(Q.row(r), q[r], 1.0);
    }
    return Ruling::CUT;
}

Ruling PieceQueue::cut_closed(const Piece& from, Int id, const Projection& inputs) {
    if (inputs.status != OPTIMAL || inputs.e.size > modes_[from.mode].h.size) return Ruling::OPEN;
    const auto times = std::count(from.done.begin(), from.done.end(), id);
    if (times > 1) return Ruling::OPEN;
    Piece again = from;
    again.done.push_back(id);
    if (times == 0) return cut(again, inputs.A, inputs.b);
    const Array<double> moved = clone(ConstVec(inputs.b));
    for (Int i = 0; i < moved.size; ++i) moved[i] += clearance(modes_.frame(), inputs.A.row(i), inputs.b[i]);
    return cut(again, inputs.A, moved);
}

}  // namespace mc
