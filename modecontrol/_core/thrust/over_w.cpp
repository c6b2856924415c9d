#include "thrust/over_w.hpp"

#include <algorithm>

namespace mc {

namespace {

Flags first(Int count, Int all) {
    const Flags marks(all);
    for (Int j = 0; j < count; ++j) marks[j] = true;
    return marks;
}

// The true inputs of a set of `(tau, w)`; it is projected in natural units.
Projection inputs_of(const MotionFrame& frame, const Rows& set, Patience* patience) {
    const Int inputs = frame.tau_units.size;
    const Grid<double> A = natural(frame, set.A), C = natural(frame, set.C);
    Projection made = project({A, set.b, C, set.e}, first(inputs, set.A.cols), patience);
    if (made.status != OPTIMAL) return project(set, first(inputs, set.A.cols), patience);
    for (const Mat rows : {Mat(made.A), Mat(made.C)})
        for (Int i = 0; i < rows.rows; ++i)
            for (Int j = 0; j < inputs; ++j) rows(i, j) /= frame.tau_units[j];
    return made;
}

// The largest coefficient of a row on `w` when that is one natural unit.
double size_on_w(const MotionFrame& frame, ConstVec row) {
    double size = 0.0;
    for (Int j = frame.tau_units.size; j < row.size; ++j) size = larger(size, std::abs(row[j]) * frame.size);
    return size;
}

}  // namespace

double natural_size(const MotionFrame& frame, const Linear& value) {
    const Int inputs = frame.tau_units.size;
    double size = std::abs(value.constant);
    for (Int j = 0; j < Int(value.g.size()); ++j)
        size = larger(size, std::abs(value.g[j]) * (j < inputs ? frame.tau_units[j] : frame.size));
    return size;
}

Projection missing_inputs(const MotionFrame& frame, const PackedMode& mode, const Linear& wish, double beyond, Patience* patience) {
    const Int m = mode.b.size, width = mode.A.cols;
    const Grid<double> A(m + 1, width);
    const Array<double> b(m + 1);
    for (Int i = 0; i <= m; ++i) {
        b[i] = i < m ? mode.b[i] : -wish.constant - beyond;
        for (Int j = 0; j < width; ++j) A(i, j) = i < m ? mode.A(i, j) : wish.g[j];
    }
    return inputs_of(frame, {A, b, mode.C, mode.e}, patience);
}

LeastValue least_value(const MotionFrame& frame, const PackedMode& mode, const Linear& value, const PiecePrograms& programs) {
    const Int m = mode.b.size, width = mode.A.cols, inputs = mode.U.cols;
    const ConstVec y = programs.y(), z = programs.z();
    LeastValue made{{std::vector<double>(width), value.constant}, std::vector<bool>(m), {}};
    for (Int j = 0; j < inputs; ++j) made.value.g[j] = value.g[j];
    double largest = 0.0;
    for (Int i = 0; i < m; ++i) largest = larger(largest, y[i] * size_on_w(frame, mode.A.row(i)));
    // value = g tau - y (b - A tau) - z (e - C tau)
    const auto add = [&](double multiplier, ConstVec row, double level) {
        made.value.constant -= multiplier * level;
        for (Int j = 0; j < inputs; ++j) made.value.g[j] += multiplier * row[j];
    };
    for (Int i = 0; i < m; ++i) {
        made.held[i] = y[i] * size_on_w(frame, mode.A.row(i)) > tolerances::MULTIPLIER * largest;
        if (made.held[i]) add(y[i], mode.A.row(i), mode.b[i]);
    }
    Int p = 0;
    for (Int i = 0; i < mode.e.size; ++i) {
        bool depends = false;
        for (Int j = inputs; j < width; ++j) depends = depends || mode.C(i, j) != 0.0;
        if (depends) add(z[p++], mode.C.row(i), mode.e[i]);
    }
    return made;
}

void LeastValue::find_inputs(const MotionFrame& frame, const PackedMode& mode, Patience* patience) {
    const Int m = mode.b.size, width = mode.A.cols, tight = std::count(held.begin(), held.end(), true);
    const Grid<double> A(m - tight, width), C(tight + mode.e.size, width);
    const Array<double> b(m - tight), e(tight + mode.e.size);
    Int loose_row = 0, tied_row = 0;
    for (Int i = 0; i < m + mode.e.size; ++i) {
        const bool tied = i >= m || held[i];
        const ConstVec row = i < m ? mode.A.row(i) : mode.C.row(i - m);
        const Int at = tied ? tied_row++ : loose_row++;
        (tied ? e : b)[at] = i < m ? mode.b[i] : mode.e[i - m];
        for (Int j = 0; j < width; ++j) (tied ? C : A)(at, j) = row[j];
    }
    inputs = inputs_of(frame, {A, b, C, e}, patience);
}

}  // namespace mc
