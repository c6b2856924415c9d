// The best inputs at one instant, as a control loop asks for them: one object keeps all memory.
//
// Without a margin the modes are never listed: `PrefixTree` goes down to the best one and checks it, and only where somebody speaks
// against it does `best_first` go on. A margin needs the torque sets of all modes, so the complete response is made first.
#pragma once

#include "thrust/prefix_tree.hpp"
#include "thrust/torque_box.hpp"

namespace mc {

class BestInputs {
public:
    // A mode with its inputs, `u = (qdd, f, lam)` and the value of the goal, in true units.
    struct Point {
        bool found = false;
        std::vector<Letter> letters;
        std::vector<double> tau, u;
        double value = -INF;
    };
    struct Effort {
        double margin;
        Int patience;   // linear programs
    };

    // The torque box `limits` joins the rows of the instant, whose last one is the goal.
    Choice solve(Instant at, ConstMat limits, const Effort& effort);

    // The best inputs of one mode although another may explain them, without the box: only `hoped()` is looked for.
    bool hope(const Instant& at, Int patience);
    bool is_endless() const { return tree_.is_endless(); }

    // When SURE; when STOPPED, if found, inputs that surely work but may not be the best.
    const Point& best() const { return best_; }
    const Point& hoped() const { return hoped_; }    // when ambiguity is ignored
    Int programs() const { return programs_; }

private:
    Choice search_on(const Instant& at, const Effort& effort);
    Choice over_all_modes(const Instant& at, const Effort& effort);
    void take(const Instant& at, Point& into) const;
    void take(const PackedMode& mode, const Candidate& from, Point& into) const;

    BoxedRows rows_;
    PrefixTree tree_;
    Point best_, hoped_;
    Int programs_ = 0;
};

}  // namespace mc
