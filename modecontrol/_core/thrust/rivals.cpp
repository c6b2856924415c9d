#include "thrust/rivals.hpp"

namespace mc {

void Rivals::begin(const Root& root, bool anew) {
    held_.laws = root.laws, held_.physical = root.physical, held_.layout = root.layout, held_.units = root.units;
    held_.size = root.size;
    fit(scratch_, root.layout.columns + 1);
    if (!anew) return;
    held_.table = Grid<double>(root.layout.rows, root.layout.columns + 1);
    held_.freedom = -1;
    search_ = std::make_unique<Search>(held_);
}

bool Rivals::hold(const Root& root, ConstVec tau, bool closed) {
    held_.strict = closed ? -tolerances::FEASIBLE : tolerances::STRICT_AT_INPUTS;
    held_.freedom = fix_inputs(root, tau, held_.table, scratch_);
    if (held_.freedom < 0) return false;
    search_->restart();
    return true;
}

}  // namespace mc
