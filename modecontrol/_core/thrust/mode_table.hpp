// The table of one mode as a function of its `w` and the inputs, and affine bounds that are read from it.
#pragma once

#include <vector>

#include "modes/affine_response.hpp"
#include "modes/mode_rows.hpp"
#include "patience.hpp"

namespace mc {

// `slope tau + constant`, in natural units: at most the goal, or not negative.
struct Cut {
    bool on_goal;
    std::vector<double> slope;
    double constant;
};

struct ModeTable {
    Grid<double> rows;
    Split split;
    Array<double> scratch;

    // The mode that takes the cells `path` of `laws`, from a table `base` without letters; `also(table, freedom)` imposes what else
    // holds and returns the freedom that is left. The length of `w`, -1 when the equalities contradict each other.
    template <class Also> Int fill(const Root& base, const Root& laws, View<const Int> path, Patience& work, Also&& also) {
        fit(rows, base.layout.rows, base.layout.columns + 1), fit(scratch, base.layout.columns + 1);
        std::copy(base.table.data, base.table.data + rows.rows * rows.cols, rows.data);
        Int freedom = also(rows, impose_common(laws, rows, base.freedom, scratch));
        for (Int i = 0; i < path.size && freedom >= 0; ++i) freedom = impose_cell(laws, rows, freedom, i, path[i], scratch);
        if (freedom < 0) return -1;
        work.spend(3 * rows.rows * base.freedom * (path.size + 1));
        split_inputs(rows, base.layout, freedom, split);
        return split.w;
    }
    Int fill(const Root& base, const Root& laws, View<const Int> path, Patience& work) {
        return fill(base, laws, path, work, [](Mat, Int freedom) { return freedom; });
    }

    double constant(const Quantity& q) const { return q.level(rows); }
    // The coefficient of each input in a quantity, for those that the mode leaves free.
    template <class Visit> void each_input(const Quantity& q, Visit&& visit) const {
        for (Int s = 0; s < split.admissible(); ++s) visit(split.pivots[s], q.at(rows, split.column(s)));
    }
};

}  // namespace mc
