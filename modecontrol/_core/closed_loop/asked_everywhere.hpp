// A controller asked at many states, each time as if for the first time: what off-line maps are made of.
#pragma once

#include "closed_loop/thrust_controller.hpp"
#include "patience.hpp"

namespace mc {

// One decision for each row of `q` and `v`, into columns that have a row for each state already.
struct DecisionTable {
    Mat torque;
    Vec value;
    Table<Letter> letters;              // zeros where nothing was predicted
    View<std::uint8_t> fallback;
};

// How it ended: SETTLED, or why the state `where` has no decision; or the caller stopped.
struct Asked {
    Decided how = Decided::SETTLED;
    Int where = -1;
    bool all = true;   // every state was asked
};

// On several threads.
Asked ask_everywhere(const ThrustPlan& plan, ConstMat q, ConstMat v, Int threads, const Patience& patience, const DecisionTable& out);

}  // namespace mc
