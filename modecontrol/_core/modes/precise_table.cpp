#include "modes/precise_table.hpp"

namespace mc {

bool is_nearly_singular(ConstMat T, const Layout& layout, const Split& split, double least) {
    if (least < tolerances::WELL_POSED || split.left > tolerances::NOISE) return true;
    const double large = 1.0 / tolerances::WELL_POSED;
    const Int N = T.cols - 1;
    for (Int r = 0; r < layout.tau; ++r) {
        if (std::abs(T(r, N)) > large) return true;
        for (Int s = 0; s < split.admissible(); ++s)
            if (std::abs(T(r, split.column(s))) > large) return true;
    }
    return false;
}

DoubleDouble PreciseTable::norm(Int active) const {
    DoubleDouble square;
    for (Int i = 0; i < active; ++i) square = square + row_[size_t(i)] * row_[size_t(i)];
    return root(square);
}

// The quantity as a row of the table.
void PreciseTable::read(const Quantity& q, Int freedom) {
    for (Int i = 0; i < cols_; ++i)
        row_[size_t(i)] = i < freedom || i == cols_ - 1 ? DoubleDouble(q.a) * at(q.first, i) + DoubleDouble(q.b) * at(q.second, i) : 0.0;
    row_[size_t(cols_ - 1)] = row_[size_t(cols_ - 1)] + DoubleDouble(q.constant);
}

// See `reflect` and `impose` of `affine_set.hpp`.
void PreciseTable::reflect(Int active, DoubleDouble size) {
    const size_t last = size_t(active - 1);
    const bool negative = row_[last].hi < 0.0;
    row_[last] = negative ? row_[last] - size : row_[last] + size;
    const DoubleDouble largest = negative ? -row_[last] : row_[last], scale = DoubleDouble(1.0) / (size * largest);
    for (Int r = 0; r < rows_; ++r) {
        DoubleDouble dot;
        for (Int i = 0; i < active; ++i) dot = dot + row_[size_t(i)] * at(r, i);
        if (dot.hi == 0.0) continue;
        dot = dot * scale;
        for (Int i = 0; i < active; ++i) at(r, i) = at(r, i) - dot * row_[size_t(i)];
    }
}

Int PreciseTable::impose(Int freedom) {
    if (freedom < 0) return -1;
    const DoubleDouble size = norm(freedom), level = row_[size_t(cols_ - 1)];
    if (size.hi <= tolerances::RANK) return std::abs(level.hi) <= tolerances::CONSISTENT ? freedom : -1;
    const Int last = freedom - 1;
    const bool negative = row_[size_t(last)].hi < 0.0;
    reflect(freedom, size);
    const DoubleDouble value = negative ? -(level / size) : level / size;
    for (Int r = 0; r < rows_; ++r) at(r, cols_ - 1) = at(r, cols_ - 1) + at(r, last) * value;
    return last;
}

// Equations of motion, loops and hosts; then what `dynamic_root` imposes besides.
Int PreciseTable::impose_equations(const Root& root) {
    Int freedom = cols_ - 1;
    const Int unknowns = cols_ - 1;
    for (Int e = 0; e < root.written && freedom >= 0; ++e) {
        for (Int i = 0; i < cols_; ++i) {
            DoubleDouble total = i == unknowns ? root.equations(e, unknowns) : 0.0;
            for (Int j = 0; j < unknowns && (i < freedom || i == unknowns); ++j)
                if (root.equations(e, j) != 0.0) total = total + DoubleDouble(root.equations(e, j)) * at(j, i);
            row_[size_t(i)] = total;
        }
        freedom = impose(freedom);
    }
    return freedom;
}

Int PreciseTable::impose_letters(const Root& root, View<const Int> path, Int freedom) {
    const Layout& layout = root.layout;
    for (Int i = 0; i < root.physical.size && freedom >= 0; ++i) {
        if (!root.physical[i].equality) continue;
        read(plain(layout.physical + i), freedom);
        freedom = impose(freedom);
    }
    each_equality(root, path, [&](const Quantity& q) {
        if (freedom < 0) return;
        read(q, freedom);
        freedom = impose(freedom);
    });
    return freedom;
}

// See `split_inputs`; returns the length of w. Inputs that are restricted but for a part of RANK are free here, if that part is more
// than rounding of the data: the mode then answers them with huge motions, which is for others to judge.
Int PreciseTable::split_off(const Layout& layout, Int freedom, Split& split) {
    split.pivots.fill(-1), split.taken.fill(false);
    Int active = freedom;
    for (Int s = 0; s < layout.inputs(); ++s) {
        Int best = -1;
        DoubleDouble largest = tolerances::NOISE;
        for (Int j = 0; j < layout.inputs(); ++j) {
            if (split.taken[j]) continue;
            read(plain(layout.tau + j), active);
            const DoubleDouble size = norm(active);
            if (size > largest) best = j, largest = size;
        }
        if (best < 0) break;
        split.taken[best] = true, split.pivots[s] = best;
        read(plain(layout.tau + best), active);
        reflect(active, largest);
        --active;
    }
    for (Int j = 0; j < layout.inputs(); ++j)
        for (Int i = 0; i < active; ++i) at(layout.tau + j, i) = 0.0;
    split.freedom = freedom, split.w = active;
    return active;
}

// Columns of torque directions become coefficients on the pivot torques.
void PreciseTable::invert(const Layout& layout, const Split& split) {
    const Int rank = split.admissible(), N = cols_ - 1;
    for (Int s = 0; s < rank; ++s) {
        const Int column = split.column(s);
        const DoubleDouble pivot = at(layout.tau + split.pivots[s], column);
        for (Int r = 0; r < rows_; ++r) at(r, column) = at(r, column) / pivot;
        for (Int later = s + 1; later < rank; ++later) {
            const Int other = split.column(later), row = layout.tau + split.pivots[later];
            if (at(row, column).hi == 0.0) continue;
            const DoubleDouble factor = at(row, column) / at(row, other);
            for (Int r = 0; r < rows_; ++r) at(r, column) = at(r, column) - factor * at(r, other);
        }
    }
    for (Int s = 0; s < rank; ++s) {
        const Int column = split.column(s);
        const DoubleDouble level = at(layout.tau + split.pivots[s], N);
        for (Int r = 0; r < rows_; ++r) at(r, N) = at(r, N) - at(r, column) * level;
    }
}

void PreciseTable::write(const Root& root, View<const Int> path, Mat T, Split& split) {
    rows_ = root.start.rows, cols_ = root.start.cols;
    table_.assign(root.start.data, root.start.data + rows_ * cols_), row_.resize(size_t(cols_));
    const Int freedom = impose_letters(root, path, impose_equations(root));
    if (freedom < 0) return;
    split_off(root.layout, freedom, split);
    invert(root.layout, split);
    for (Int r = 0; r < rows_; ++r)
        for (Int i = 0; i < cols_; ++i) T(r, i) = at(r, i).hi;
}

}  // namespace mc
