// The rows of a contact mode, read from the laws of its contacts: the one place that turns letters into equations.
//
// A full mode or a prefix of one is a `path`: for each contact its cell in the law, for the first `assigned` contacts; the others
// are relaxed. The search, the responses and the search for inputs all ask here for equalities and inequalities.
#pragma once

#include "modes/affine_set.hpp"

namespace mc {

// The quantity `a T[first] + b T[second] + constant` of a table.
struct Quantity {
    Int first, second;
    double a, b, constant;

    double at(ConstMat T, Int column) const { return a * T(first, column) + b * T(second, column); }
    double level(ConstMat T) const { return at(T, T.cols - 1) + constant; }
};

// Row `r` of the table itself.
inline Quantity plain(Int r) { return {r, r, 1.0, 0.0, 0.0}; }

// What a row of a contact's law speaks of.
inline Quantity quantity(const Layout& layout, Int contact, const LawRow& row) {
    const bool forces = row.on_forces();
    const Int first = (forces ? layout.force : layout.xdd) + 2 * contact;
    return {first, first + 1, forces ? row.f_n : row.a_n, forces ? row.f_t : row.a_t, row.constant};
}

// Impose that a quantity vanishes; `scratch` has room for a row of the table. See `impose`. The last entry of `scratch` then says what
// part of its natural size the quantity has beside those imposed before.
Int vanish(Mat T, Int freedom, const Quantity& q, Vec scratch);

// Copy the root's table with its inputs fixed (natural units); the freedom that is left, -1 when no unknowns go with them.
Int fix_inputs(const Root& root, ConstVec tau, Mat T, Vec scratch);

// Impose the equalities that all cells of each law share.
Int impose_common(const Root& root, Mat T, Int freedom, Vec scratch);

// Impose the equalities of one cell of one contact (Tables 1 and 2 of Greenfield 2005); -1 when they contradict the prefix.
// The last entry of `scratch` then is the least part of its natural size that an equality has beside those before, rounding left out:
// below one over `STEEP` the equations are all but singular. The entry before it is the same of equalities of sliding friction.
Int impose_cell(const Root& root, Mat T, Int freedom, Int contact, Int cell, Vec scratch);

// Whether an equality is to be imposed: one that all cells share, or one of a cell alone; forces only where there are any.
inline bool wanted(const LawRow& row, bool shared, const Layout& layout) {
    return row.equality && row.shared == shared && (layout.has_forces() || !row.on_forces());
}

// Call `visit(quantity)` for every equality of a full mode that its laws give, in the order in which the search imposes them.
template <class Visit> void each_equality(const Root& root, View<const Int> path, Visit&& visit) {
    for (const bool shared : {true, false}) {
        for (Int i = 0; i < path.size; ++i) {
            const View<const LawRow> rows = shared ? root.laws[i].relaxation() : root.laws[i].of(path[i]);
            for (Int r = 0; r < rows.size; ++r)
                if (wanted(rows[r], shared, root.layout)) visit(quantity(root.layout, i, rows[r]));
        }
    }
}

// Call `visit(quantity, strict, cause)` for every inequality `quantity >= 0` of a prefix: rows of the assigned cells, of the
// relaxation of the other contacts, and physical ones. Stops and returns false as soon as `visit` does.
template <class Visit>
bool each_inequality(const Root& root, View<const Int> path, Int assigned, Visit&& visit) {
    const Layout& layout = root.layout;
    const Int k = root.laws.size;
    for (Int i = 0; i < k; ++i) {
        const Law& law = root.laws[i];
        const View<const LawRow> rows = i < assigned ? law.of(path[i]) : law.relaxation();
        for (Int r = 0; r < rows.size; ++r) {
            const LawRow& row = rows[r];
            if (row.equality || row.implied || (row.on_forces() && !layout.has_forces())) continue;
            if (!visit(quantity(layout, i, row), row.strict, CAUSES * i + Int(row.cause))) return false;
        }
    }
    for (Int i = 0; i < root.physical.size; ++i) {
        if (root.physical[i].equality || root.physical[i].idle) continue;
        if (!visit(plain(layout.physical + i), false, CAUSES * k + i)) return false;
    }
    return true;
}

// Whether the inequality with this cause is a bound on the inputs that is many loads away.
inline bool is_far(const Root& root, Int cause) {
    const Int row = cause - CAUSES * root.laws.size;
    return row >= 0 && root.physical[row].far;
}

// Whether the letter of a contact is decided and says no more than what the search has imposed from the start: an open one.
bool adds_nothing(const Law& law);

// Whether a prefix has a strict row.
bool has_strict(const Root& root, View<const Int> path, Int assigned);

// An upper bound on the inequalities of any prefix.
Int most_inequalities(const Root& root);

}  // namespace mc
