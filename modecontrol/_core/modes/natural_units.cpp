#include "modes/natural_units.hpp"

#include <algorithm>
#include <cmath>

#include "tolerances.hpp"

namespace mc {

namespace {

double inverse(double size) { return size > 0.0 ? 1.0 / size : 1.0; }

// Where the row groups (contacts, then loops) see coordinate `j`.
double entry_of(const Dynamics& at, Int group, Int j) {
    const Int contacts = at.J.rows / 2;
    if (group >= contacts) return std::abs(at.G(group - contacts, j));
    return larger(std::abs(at.J(2 * group, j)), std::abs(at.J(2 * group + 1, j)));
}

// Set `s` to zero where a mass is negligible: wherever it is seen, it outweighs all heavier ones by `LIGHT_GAP`.
void drop_light(const Dynamics& at, Units& units) {
    const Vec s = units.coordinate, seen = units.scratch.part(0, s.size);
    const Vec light = units.scratch.part(s.size, 2 * s.size), heavy = units.scratch.part(2 * s.size, 3 * s.size);
    const Int n = s.size, groups = at.J.rows / 2 + at.G.rows;
    light.fill(0.0), heavy.fill(0.0);
    units.spread = 1.0;
    if (n == 0) return;
    for (Int g = 0; g < groups; ++g) {
        double widest = 0.0;
        Int strong = 0;
        for (Int j = 0; j < n; ++j) {
            const double entry = entry_of(at, g, j);
            seen[j] = s[j] * entry;
            if (std::isnan(seen[j])) seen[j] = INF;    // sorting needs an order
            widest = larger(widest, entry);
            if (seen[j] > seen[strong]) strong = j;
        }
        const double strongest = seen[strong], entry = entry_of(at, g, strong);
        for (Int j = 0; j < n; ++j) {
            // neither a zero that rounding filled, in the user's units and in natural ones, nor a lever arm that is all but
            // zero says anything of masses
            const double lever = entry_of(at, g, j);
            const bool rounding = lever <= tolerances::ROUNDING * widest && seen[j] <= tolerances::ROUNDING * strongest;
            const bool short_lever = seen[j] * tolerances::LIGHT_GAP < strongest && lever * s[strong] <= entry * s[j];
            if (rounding || short_lever) seen[j] = 0.0;
            units.order[j] = j;
        }
        std::sort(units.order.data, units.order.data + n, [&seen](Int i, Int j) { return seen[i] < seen[j]; });
        Int start = 0;
        for (Int i = 0; i < n; ++i) {
            if (!(seen[units.order[i]] > 0.0)) continue;
            units.spread = larger(units.spread, strongest / seen[units.order[i]]);
            break;
        }
        for (Int i = 1; i < n; ++i) {
            const double gap = seen[units.order[i - 1]] * tolerances::LIGHT_GAP;
            if (0.0 < gap && gap < seen[units.order[i]]) start = i;
        }
        for (Int i = 0; i < n; ++i) {
            const Int j = units.order[i];
            if (seen[j] > 0.0) (start > 0 && i >= start ? light : heavy)[j] = 1.0;
        }
    }
    for (Int j = 0; j < n; ++j)
        if (light[j] > 0.0 && heavy[j] == 0.0) s[j] = 0.0;
}

// Largest scaled entry of each group of rows, written for every row of the group.
void row_sizes(ConstMat J, ConstVec s, Int group, Vec out) {
    for (Int i = 0; i < J.rows; i += group) {
        double size = 0.0;
        for (Int r = i; r < i + group; ++r)
            for (Int j = 0; j < J.cols; ++j) size = larger(size, std::abs(J(r, j)) * s[j]);
        for (Int r = i; r < i + group; ++r) out[r] = size;
    }
}

// Sizes of the coordinates that have none yet; `scratch` marks those that neither mass nor contacts nor loops give a size.
void size_massless(const Dynamics& at, Units& units) {
    units.scratch.fill(0.0);
    for (Int j = 0; j < at.S.rows; ++j) {
        if (units.coordinate[j] > 0.0) continue;
        double seen = 0.0;
        for (Int i = 0; i < at.J.rows; ++i)
            if (units.force[i] > 0.0) seen = larger(seen, std::abs(at.J(i, j)) / units.force[i]);
        for (Int i = 0; i < at.G.rows; ++i)
            if (units.lam[i] > 0.0) seen = larger(seen, std::abs(at.G(i, j)) / units.lam[i]);
        const bool unseen = seen == 0.0;
        for (Int i = 0; unseen && i < at.J.rows; ++i) seen = larger(seen, std::abs(at.J(i, j)));
        units.scratch[j] = seen == 0.0;
        units.coordinate[j] = inverse(seen);
    }
}

// Sizes of the inputs, and of the coordinates that only inputs see. An input that acts on such coordinates alone is balanced by
// their bias and moves nothing; it is measured like the largest other.
void size_inputs(const Dynamics& at, Units& units) {
    double largest = 0.0;
    for (Int i = 0; i < at.S.cols; ++i) {
        double size = 0.0;
        for (Int j = 0; j < at.S.rows; ++j)
            if (units.scratch[j] == 0.0) size = larger(size, std::abs(units.coordinate[j] * at.S(j, i)));
        units.tau[i] = size > 0.0 ? 1.0 / size : 0.0;
        largest = larger(largest, units.tau[i]);
    }
    for (Int i = 0; i < at.S.cols; ++i)
        if (units.tau[i] == 0.0) units.tau[i] = largest > 0.0 ? largest : 1.0;
    for (Int j = 0; j < at.S.rows; ++j) {
        double seen = 0.0;
        for (Int i = 0; units.scratch[j] > 0.0 && i < at.S.cols; ++i) seen = larger(seen, std::abs(at.S(j, i)) * units.tau[i]);
        if (seen > 0.0) units.coordinate[j] = 1.0 / seen;
    }
}

}  // namespace

void natural_units(const Dynamics& at, Units& units) {
    const Int n = at.S.rows;
    fit(units.coordinate, n), fit(units.force, at.J.rows), fit(units.lam, at.G.rows), fit(units.tau, at.S.cols);
    fit(units.scratch, 3 * n), fit(units.order, n);
    for (Int j = 0; j < n; ++j) units.coordinate[j] = at.M(j, j) > 0.0 ? 1.0 / std::sqrt(at.M(j, j)) : 0.0;
    drop_light(at, units);
    row_sizes(at.J, units.coordinate, 2, units.force);
    row_sizes(at.G, units.coordinate, 1, units.lam);
    size_massless(at, units);
    row_sizes(at.J, units.coordinate, 2, units.force);
    row_sizes(at.G, units.coordinate, 1, units.lam);
    for (Int i = 0; i < at.J.rows; ++i) units.force[i] = inverse(units.force[i]);
    for (Int i = 0; i < at.G.rows; ++i) units.lam[i] = inverse(units.lam[i]);
    size_inputs(at, units);
}

}  // namespace mc
