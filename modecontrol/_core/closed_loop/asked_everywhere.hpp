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

// On several threads; false when a state has no decision (`Decided` in `how`, its place in `where`) or the caller stopped.
bool ask_everywhere(const ThrustPlan& plan, ConstMat q, ConstMat v, Int threads, Patience patience, const DecisionTable& out,
                    Decided& how, Int& where);

}  // namespace mc
