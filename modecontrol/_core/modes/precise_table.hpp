// The table of a mode that is nearly singular, in twice the precision.
//
// Imposing an equality of the size s beside those before mixes rounding of `1e-16 / s` into all others: a coefficient that is zero
// becomes one that is not, and a set without an end comes of it. Where s, or the gain of the inputs, is far from one, the table is
// made again from the equations themselves, by the same reflections in twice the precision, and rounded at the end.
#pragma once

#include <vector>

#include "double_double.hpp"
#include "modes/affine_response.hpp"
#include "modes/mode_rows.hpp"

namespace mc {

// Whether a split table may have lost digits: an equality of which little is left beside the others, or large numbers.
bool is_nearly_singular(ConstMat T, const Layout& layout, const Split& split, double least);

class PreciseTable {
public:
    // Write the table of the mode `path` into `T`, its inputs split off as `split_inputs` does; both stay as they are where the
    // equations contradict each other.
    void write(const Root& root, View<const Int> path, Mat T, Split& split);

private:
    DoubleDouble& at(Int r, Int c) { return table_[size_t(r * cols_ + c)]; }
    DoubleDouble norm(Int active) const;
    void read(const Quantity& q, Int freedom);
    Int impose(Int freedom);
    void reflect(Int active, DoubleDouble norm);
    Int impose_equations(const Root& root);
    Int impose_letters(const Root& root, View<const Int> path, Int freedom);
    Int split_off(const Layout& layout, Int freedom, Split& split);
    void invert(const Layout& layout, const Split& split);

    std::vector<DoubleDouble> table_, row_;
    Int rows_ = 0, cols_ = 0;
};

}  // namespace mc
