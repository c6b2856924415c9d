// What surely happens at given inputs when the coefficients of friction lie in a cell: an interval for each contact.
//
// A search with the inputs held finds every mode that some friction of the cell allows; the least goal and the least row of the task
// over the friction and the `w` of a mode are linear programs. Their multipliers bound goal and task from below for all inputs, not
// only for these: a `Cut`.
//
// That some answer exists for every friction of the cell is shown by one mode that is possible at all corners (T2 of
// docs/uncertainty.md), or by one with a contact `i` that slides where it could also stick: the mode is possible at all corners with
// the least friction at `i`, and also when `i` is held by as much friction as it takes. Between the two the contact slides, beyond
// them it sticks.
#pragma once

#include <memory>
#include <vector>

#include "modes/affine_response.hpp"
#include "modes/search.hpp"

namespace mc {

// `slope tau + constant`, in natural units: at most the goal, or not negative.
struct Cut {
    bool on_goal;
    std::vector<double> slope;
    double constant;
};

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
    // physical ones and it are the task. Work is counted in `work` and ends at `until`.
    void begin(const Instant& at, Patience* work, Int until);

    // Fix the inputs (natural units); false when no unknowns go with them.
    bool hold(ConstVec tau);

    // The cell with coefficients `lo .. hi` and contacts in these states (none of unknown sign), at the inputs held. What bounds the
    // promise joins `cuts`.
    Outcome look(View<const ContactState> states, ConstVec lo, ConstVec hi, std::vector<Cut>& cuts);

    // Rows on `(tau, w)` of one mode (letters) at exact friction, contacts in the states last looked at or given to `judge`: `A (tau, w) <= limit`; the length of `w`, -1 when there is none.
    Int membership(ConstVec mu, View<const Letter> letters, std::vector<double>& A, std::vector<double>& limit);

    void judge(View<const ContactState> states) { states_ = states; }

    const Root& root() const { return base_; }
    double goal_scale() const { return goal_scale_; }

private:
    struct Choice {          // the law and the cell of a contact that a corner takes
        Law law;
        Int cell;
    };

    void resize(const Instant& at);
    Int leaf(const Root& laws, View<const Int> path);
    bool least_rows(View<const Int> path, Outcome& out, std::vector<Cut>& cuts);
    bool least(View<const Int> path, Int r, double sign, double& value, Cut& cut);
    void gather(const Root& root, View<const Int> path);
    bool is_sure(ConstVec lo, ConstVec hi, View<const Int> path, Int held, double way);
    bool at_corners(Int contact);
    bool has_point();
    bool shows_existence(ConstVec lo, ConstVec hi);
    void cut_failed_corner(std::vector<Cut>& cuts);
    Mat corner_table(Int depth) { return Mat(corners_).part(depth * base_.layout.rows, (depth + 1) * base_.layout.rows); }
    Int goal() const { return base_.layout.rows - 1; }
    void count_program() { work_->spend(Int(tolerances::PROGRAM_SET_UP)); }

    Root base_, held_, corner_;                  // no friction cell yet; inputs fixed; laws of a corner
    View<const ContactState> states_;
    std::unique_ptr<Search> search_;
    std::unique_ptr<Workspace> ws_;
    Patience* work_ = nullptr;
    Int until_ = 0, capacity_ = -1;
    double goal_scale_ = 1.0;

    Grid<double> fixed_, leaf_, corners_, A_;    // base with inputs fixed; table of a mode; tables of a corner; rows of a program
    Array<double> limit_, objective_, scratch_, tau_;
    Array<Int> freedom_, corner_path_;
    Array<bool> tied_;
    Split split_;
    Int rows_ = 0;                               // in use of A_
    std::vector<std::vector<Int>> paths_;        // modes of the cell
    std::vector<std::vector<Choice>> choices_;   // by contact, for corners
    std::vector<Choice> failed_;                 // the first corner at which a mode failed
};

}  // namespace mc
