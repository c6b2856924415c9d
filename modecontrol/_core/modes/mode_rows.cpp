#include "modes/mode_rows.hpp"

#include <cmath>
#include <initializer_list>

namespace mc {

Int vanish(Mat T, Int freedom, const Quantity& q, Vec scratch) {
    if (freedom < 0) return -1;
    double square = 0.0;
    for (Int j = 0; j < freedom; ++j) {
        scratch[j] = q.at(T, j);
        square += scratch[j] * scratch[j];
    }
    scratch[T.cols - 1] = q.level(T);
    const Int left = impose(T, freedom, scratch);
    scratch[T.cols - 1] = std::sqrt(square);
    return left;
}

Int fix_inputs(const Root& root, ConstVec tau, Mat T, Vec scratch) {
    for (Int i = 0; i < T.rows * T.cols; ++i) T.data[i] = root.table.data[i];
    Int freedom = root.freedom;
    for (Int j = 0; j < tau.size; ++j) {
        const Int r = root.layout.tau + j;
        freedom = vanish(T, freedom, {r, r, 1.0, 0.0, -tau[j]}, scratch);
    }
    return freedom;
}

Int impose_common(const Root& root, Mat T, Int freedom, Vec scratch) {
    for (Int i = 0; i < root.laws.size; ++i) {
        const View<const LawRow> rows = root.laws[i].relaxation();
        for (Int r = 0; r < rows.size; ++r)
            if (wanted(rows[r], true, root.layout)) freedom = vanish(T, freedom, quantity(root.layout, i, rows[r]), scratch);
    }
    return freedom;
}

Int impose_cell(const Root& root, Mat T, Int freedom, Int contact, Int cell, Vec scratch) {
    const View<const LawRow> rows = root.laws[contact].of(cell);
    double least = INF, friction = INF;
    for (Int r = 0; r < rows.size && freedom >= 0; ++r) {
        if (!wanted(rows[r], false, root.layout)) continue;
        freedom = vanish(T, freedom, quantity(root.layout, contact, rows[r]), scratch);
        const double size = scratch[T.cols - 1];
        if (size <= tolerances::NOISE) continue;
        least = smaller(least, size);
        if (rows[r].f_n != 0.0 && rows[r].f_t != 0.0) friction = smaller(friction, size);
    }
    scratch[T.cols - 1] = least, scratch[T.cols - 2] = friction;
    return freedom;
}

bool adds_nothing(const Law& law) {
    bool nothing = law.count == 1;
    for (const View<const LawRow>& rows : {law.relaxation(), nothing ? law.of(0) : law.relaxation()})
        for (Int r = 0; r < rows.size; ++r) nothing = nothing && (rows[r].implied || (rows[r].equality && rows[r].shared));
    return nothing;
}

bool has_strict(const Root& root, View<const Int> path, Int assigned) {
    for (Int i = 0; i < assigned; ++i) {
        const View<const LawRow> rows = root.laws[i].of(path[i]);
        for (Int r = 0; r < rows.size; ++r)
            if (rows[r].strict) return true;
    }
    return false;
}

Int most_inequalities(const Root& root) {
    Int total = root.physical.size;
    for (Int i = 0; i < root.laws.size; ++i) {
        const Law& law = root.laws[i];
        Int most = law.relaxed;
        for (Int c = 0; c < law.count; ++c)
            if (law.of(c).size > most) most = law.of(c).size;
        total += most;
    }
    return total;
}

}  // namespace mc
