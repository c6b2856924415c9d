// The linear programs of branch and bound over one instant: the goal over a prefix with the task, and what holds whatever `w` is.
//
// Rows are those of the prefix, nothing strict, in the columns of its table; the last row of the table is the goal, those between
// the physical rows and it are the task.
#pragma once

#include <memory>

#include "modes/mode_rows.hpp"
#include "polytopes/simplex.hpp"

namespace mc {

class PrefixPrograms {
public:
    // Make room for an instant, whose work is counted; allocates when its sizes are new.
    void begin(const Root& root, const Instant& at, Patience* work);

    // Greatest goal over the relaxed prefix with the task; the point in `point()`.
    Answer greatest(ConstMat T, Int freedom, View<const Int> path, Int assigned);

    // Do goal (at least `value`) and task hold at every `w` of a full mode, whose table `T` is one of `w` alone? Asked by a program
    // per row that depends on `w`, two for an equality.
    bool hold_for_every_w(ConstMat T, Int w, View<const Int> path, double value);

    ConstVec point() const { return ws_->x; }
    double goal_scale() const { return goal_scale_; }   // true goal of one in the table

private:
    bool stays_above(const Rows& set, ConstVec row, double sign, double needed);
    Int goal() const { return root_->layout.rows - 1; }

    const Root* root_ = nullptr;
    Patience* work_ = nullptr;
    std::unique_ptr<Workspace> ws_;
    double goal_scale_ = 1.0;
    Grid<double> A_;
    Array<double> limit_, objective_;
    Array<bool> tied_;    // rows of the task that are equalities
};

}  // namespace mc
