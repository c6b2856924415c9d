// Pieces of modes, the best first: made, cut and taken.
#pragma once

#include "thrust/known_modes.hpp"
#include "thrust/pieces.hpp"

namespace mc {

// What became of a question about a piece: it passed, it went back in parts or left nothing, nobody knows, or its goal has no end.
enum class Ruling { PASSED, CUT, OPEN, ENDLESS };

class PieceQueue {
public:
    PieceQueue(KnownModes& modes, const Wishes& task, PiecePrograms& programs) : modes_(modes), task_(task), programs_(programs) {}

    bool empty() const { return heap_.empty(); }
    const Piece& top() const { return heap_[0]; }
    Piece take();

    // Put a piece into the queue unless it is empty. What stays undecided is left out and its bound remembered, which is that of the
    // piece it was cut from: an answer as good as that is still the best.
    Ruling push(Piece part);

    // Push the parts of a piece beyond each row of `Q tau <= q`, within the rows before.
    Ruling cut(const Piece& from, ConstMat Q, ConstVec q);

    // Cut out a set whose border may stay; `id` names the set. A part that comes back with its optimum on the border, where nothing but
    // rounding or a border of the mode itself can be, is cut again with some clearance.
    Ruling cut_closed(const Piece& from, Int id, const Projection& inputs);

    bool left_some() const { return left_out_ > -INF; }
    bool left_better_than(double bound) const { return bound < left_out_ - 2.0 * step_; }

private:
    Answer bound_of(Piece& part);

    KnownModes& modes_;
    const Wishes& task_;
    PiecePrograms& programs_;
    std::vector<Piece> heap_;
    Int made_ = 0;
    double step_ = 0.0;        // of the bounds: rounding of the largest goal so far
    double left_out_ = -INF;   // greatest bound of pieces whose programs stayed undecided
};

}  // namespace mc
