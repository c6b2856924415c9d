// Whether an answer surely exists at given inputs, for every friction of a cell and every disturbance.
//
// It is shown by one mode that is possible at all corners of the friction (T2 of docs/uncertainty.md) and all vertices of the
// disturbances, or by one with a contact `i` that slides where it could also stick: the mode is possible at all corners with the least
// friction at `i`, and also when `i` is held by as much friction as it takes. Between the two the contact slides, beyond them it sticks.
#pragma once

#include <memory>
#include <vector>

#include "polytopes/workspace.hpp"
#include "thrust/mode_table.hpp"
#include "thrust/spread.hpp"

namespace mc {

class Existence {
public:
    Existence() = default;
    Existence(const Existence&) = delete;
    Existence& operator=(const Existence&) = delete;

    // `base` has no friction cell yet; it is kept, and so is `spread` (may be null). Work is counted in `work` and ends at `until`.
    void begin(const Root& base, const Spread* spread, Patience* work, Int until);

    // The base with its inputs fixed (natural units), the freedom that is left, and the signs of the inputs.
    void hold(ConstMat fixed, Int freedom, View<const double> sign);

    // Contacts have coefficients `lo .. hi` and the laws of `held`, of which `paths` are the modes that may happen.
    bool shown(const Root& held, View<const ContactState> states, ConstVec lo, ConstVec hi, const std::vector<std::vector<Int>>& paths);

    // What the inputs have to obey for the first mode to be possible where it failed, joined to `cuts`; `tau` are the inputs held.
    void cut(View<const double> tau, std::vector<Cut>& cuts);

private:
    struct Choice {          // the law and the cell of a contact that a corner takes
        Law law;
        Int cell;
    };
    struct Contacts {        // what `shown` was asked about
        const Root& held;
        View<const ContactState> states;
        ConstVec lo, hi;
    };

    bool is_sure(const Contacts& at, View<const Int> path, Int stuck, double way);
    bool at_corners(Int contact);
    bool has_point();
    Int at_vertex(Mat table, Int freedom, Int vertex);
    Mat table(Int depth) { return Mat(corners_).part(depth * base_->layout.rows, (depth + 1) * base_->layout.rows); }

    const Root* base_ = nullptr;
    const Spread* spread_ = nullptr;
    Patience* work_ = nullptr;
    Int until_ = 0, capacity_ = -1, vertex_ = 0, failed_vertex_ = 0;
    ConstMat fixed_;
    View<const double> sign_;

    Root corner_;                                // laws of a corner
    Grid<double> corners_, A_;                   // tables of a corner, contact by contact; rows of a program
    Array<double> limit_, objective_, scratch_;
    Array<Int> freedom_, path_;
    std::unique_ptr<Workspace> ws_;
    ModeTable mode_;
    std::vector<std::vector<Choice>> choices_;   // by contact
    std::vector<Choice> failed_;                 // the first corner at which a mode failed
};

}  // namespace mc
