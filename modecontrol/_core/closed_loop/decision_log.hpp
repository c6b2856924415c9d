// What a controller decided, call by call; see `Decision` in modecontrol/thrust/controller.py.
#pragma once

#include <vector>

#include "layout.hpp"
#include "view.hpp"

namespace mc {

// What was given up: places in `modecontrol.thrust.compiled.FALLBACKS`.
enum class Fallback : std::uint8_t { NONE = 0, NOT_BEST = 1, AMBIGUOUS = 2, DROPPED = 3, NO_MODE = 4, SPENT = 5 };

struct ThrustDecision {
    double time = 0.0, value = 0.0;
    std::vector<double> torque, acceleration;   // acceleration and letters say nothing unless `predicted`
    std::vector<Letter> letters;
    Fallback fallback = Fallback::NONE;
    bool predicted = false, ambiguous = false;
};

// One entry per call in each column; `n`, `k`, `t` numbers per call in the columns of vectors.
struct DecisionLog {
    std::vector<double> time, value, torque, acceleration;
    std::vector<Letter> letters;
    std::vector<std::uint8_t> fallback, predicted, ambiguous;

    Int size() const { return Int(time.size()); }
    void add(const ThrustDecision& made) {
        time.push_back(made.time), value.push_back(made.value);
        torque.insert(torque.end(), made.torque.begin(), made.torque.end());
        acceleration.insert(acceleration.end(), made.acceleration.begin(), made.acceleration.end());
        letters.insert(letters.end(), made.letters.begin(), made.letters.end());
        fallback.push_back(std::uint8_t(made.fallback));
        predicted.push_back(made.predicted), ambiguous.push_back(made.ambiguous);
    }
};

}  // namespace mc
