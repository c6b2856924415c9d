// What surely happens at given inputs when the coefficients of friction lie in a cell: an interval for each contact.
//
// A search with the inputs held finds every mode that some friction of the cell, and some disturbance, allows; the least goal and the
// least row of the task over the friction, the disturbances and the `w` of a mode are linear programs. Their multipliers bound goal and
// task from below for all inputs, not only for these: a `Cut`. That some answer exists is shown by `Existence`.
#pragma once

#include <memory>
#include <vector>

#include "modes/search.hpp"
#include "thrust/existence.hpp"

namespace mc {

// What is promised in a cell.
struct Outcome {
    double value = -INF;   // least goal (natural units); -INF when it has no end, or a row of the task may be missed
    double missed = 0.0;   // by how much a row of the task may be missed
    bool exists = false;   // an answer exists for every friction of the cell
    bool open = false;     // a question stayed open
    double promise() const { return exists && !open ? value : -INF; }
};

class FrictionCell {
public:
    FrictionCell() = default;
    FrictionCell(const FrictionCell&) = delete;
    FrictionCell& operator=(const FrictionCell&) = delete;

    // Begin with an instant, its laws over all friction that is looked at: the last row of `at.extra` is the goal, those between the
    // physical ones and it are the task. `spread`, which is kept, says which coordinates are disturbances (null: none). Work is
    // counted in `work` and ends at `until`.
    void begin(const Instant& at, const Spread* spread, Patience* work, Int until);

    // Fix the inputs (natural units); false when no unknowns go with them.
    bool hold(ConstVec tau);

    // The cell with coefficients `lo .. hi` and contacts in these states (none of unknown sign), at the inputs held. What bounds the
    // promise joins `cuts`.
    Outcome look(View<const ContactState> states, ConstVec lo, ConstVec hi, std::vector<Cut>& cuts);

    // Rows on `(tau, w)` of one mode (letters) at exact friction with contacts in these states: `A (tau, w) <= limit`; the length of `w`,
    // -1 when there is none.
    Int membership(View<const ContactState> states, ConstVec mu, View<const Letter> letters, std::vector<double>& A,
                   std::vector<double>& limit);

    // Whether the last look met equations that are all but singular.
    bool met_steep() const { return search_ && search_->met_steep(); }
    const Root& root() const { return base_; }
    double goal_scale() const { return goal_scale_; }

private:
    void resize(const Instant& at);
    void turn_signs(ConstVec tau);
    bool least_rows(View<const Int> path, Outcome& out, std::vector<Cut>& cuts);
    bool least(View<const Int> path, Int r, double sign, double& value, Cut& cut);
    void gather(View<const Int> path);
    bool is_steep() const;
    bool is_decided(double most, ConstVec against, const Rows& set);
    Int goal() const { return base_.layout.rows - 1; }

    Root base_, held_;                           // no friction cell yet; inputs fixed
    const Spread* spread_ = nullptr;
    Existence existence_;
    std::unique_ptr<Search> search_;
    std::unique_ptr<Workspace> ws_;
    Patience* work_ = nullptr;
    Int until_ = 0, capacity_ = -1, freedom_ = -1;
    double goal_scale_ = 1.0;

    Grid<double> fixed_, A_;                     // base with inputs fixed; rows of a program
    Array<double> limit_, open_, objective_, scratch_, tau_, sign_;
    Array<bool> tied_;
    Array<Int> path_;
    ModeTable mode_;
    Int rows_ = 0;                               // in use of A_
    std::vector<std::vector<Int>> paths_;        // modes of the cell
};

}  // namespace mc
