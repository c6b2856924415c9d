#include "modes/affine_set.hpp"

#include <algorithm>
#include <initializer_list>

#include "modes/mode_rows.hpp"

namespace mc {

namespace {

// Greatest bias and drift in natural units.
double loads(const Dynamics& at, const Units& u) {
    double size = 0.0;
    for (Int j = 0; j < at.b.size; ++j) size = larger(size, std::abs(at.b[j]) * u.coordinate[j]);
    for (Int i = 0; i < at.d.size; ++i) size = larger(size, std::abs(at.d[i]) * u.force[i]);
    for (Int i = 0; i < at.e.size; ++i) size = larger(size, std::abs(at.e[i]) * u.lam[i]);
    return size;
}

// Greatest force that a law knows by itself (adhesion, dry friction) in natural units.
double law_loads(const Instant& at, const Units& u) {
    double size = 0.0;
    for (Int i = 0; i < at.laws.size; ++i)
        for (const LawRow& row : at.laws[i].rows)
            if (row.constant != 0.0 && row.on_forces()) size = larger(size, std::abs(row.constant) / u.force[2 * i]);
    return size;
}

// Up to this, in natural units, loads come from velocities that count as zero.
double still(const Instant& at, ConstVec force) {
    double least = INF;
    for (Int i = 0; i < force.size; ++i) least = smaller(least, force[i]);
    return least < INF ? at.still * least : 0.0;
}

// The column of the table that column `j` of the extra rows, `(qdd, f, tau)`, belongs to.
Int column_of(const Layout& layout, Int j) { return j < layout.lam ? j : j + layout.tau - layout.lam; }

// The right-hand side of a physical row in natural units; 0 for a row without coefficients.
double bound_size(const Extra& extra, Int i, const Root& root) {
    const double biggest = largest_coefficient(extra, i, root);
    return biggest > 0.0 ? extra.p[i] / biggest : 0.0;
}

// Fix the size of the right-hand sides, and sort the physical rows by theirs.
//
// Bias and drift give the size; physical bounds only when there is neither beyond rounding. An inequality that allows
// UNLIMITED times as much as loads or the tightest bound do is a way to say "none".
void size_up(const Instant& at, Root& root) {
    const Extra& extra = at.extra;
    const double loads_size = larger(loads(at.dynamics, root.natural), law_loads(at, root.natural)), floor = still(at, root.natural.force);
    double least = INF, greatest = 0.0;
    for (Int i = 0; i < extra.physical; ++i) {
        const double bound = std::abs(bound_size(extra, i, root));
        if (bound > 0.0) least = smaller(least, bound);
    }
    const double beyond = tolerances::UNLIMITED * larger(loads_size > floor ? loads_size : 0.0, least < INF ? least : 0.0);
    for (Int i = 0; i < extra.physical; ++i) {
        const double bound = std::abs(bound_size(extra, i, root));
        if (bound < beyond) greatest = larger(greatest, bound);
    }
    root.size = loads_size > floor ? loads_size : greatest > 0.0 ? larger(greatest, floor) : 1.0;
    fit(root.physical, extra.physical);
    for (Int i = 0; i < extra.physical; ++i) {
        bool inputs_alone = true;
        for (Int j = 0; j < root.layout.lam; ++j) inputs_alone = inputs_alone && extra.P(i, j) == 0.0;
        const double room = -bound_size(extra, i, root);
        const bool idle = !extra.equality[i] && beyond > 0.0 && room >= beyond;
        root.physical[i] = {extra.equality[i], idle, inputs_alone && !extra.equality[i] && room >= tolerances::FAR * root.size};
    }
}

// Laws with their constants in natural units.
void take_laws(const Instant& at, Root& root) {
    fit(root.laws, at.laws.size);
    for (Int i = 0; i < at.laws.size; ++i) {
        root.laws[i] = at.laws[i];
        scale_constants(root.laws[i], root.natural.force[2 * i], root.size);
    }
}

bool feels_accelerations(const Law& law) {
    for (const LawRow& row : law.rows)
        if (row.a_n != 0.0 || row.a_t != 0.0) return true;
    return false;
}

// Whether no equality that may ever be imposed feels a coordinate: that of a massless leg in the air, say.
bool is_at_large(const Instant& at, Int j) {
    const Dynamics& dynamics = at.dynamics;
    bool felt = false;
    for (Int i = 0; i < dynamics.M.rows; ++i) felt = felt || dynamics.M(i, j) != 0.0 || dynamics.M(j, i) != 0.0;
    for (Int i = 0; i < dynamics.G.rows; ++i) felt = felt || dynamics.G(i, j) != 0.0;
    for (Int i = 0; i < dynamics.J.rows; ++i)
        felt = felt || (dynamics.J(i, j) != 0.0 && feels_accelerations(at.laws[i / 2]));
    for (Int i = 0; i < at.extra.physical; ++i) felt = felt || (at.extra.equality[i] && at.extra.P(i, j) != 0.0);
    return !felt;
}

// The column in which each unknown begins. What is at large comes first: no reflection reaches it there, so that it stays by itself
// to the last digit. In the midst of the others an equality that is nearly implied, of size s, would mix in rounding of `1e-16 / s`.
void place_columns(const Instant& at, Root& root) {
    const Int n = at.dynamics.M.cols, N = root.layout.columns;
    fit(root.place, N);
    Int next = 0;
    for (const bool first : {true, false})
        for (Int j = 0; j < N; ++j)
            if ((j < n && is_at_large(at, j)) == first) root.place[j] = next++;
}

// The table without any equality: unknowns themselves, contact accelerations, extra rows with largest coefficient one.
void start_table(const Instant& at, Root& root) {
    const Dynamics& dynamics = at.dynamics;
    const Layout& layout = root.layout;
    const Units& u = root.natural;
    const Int n = dynamics.M.rows, N = layout.columns;
    fit(root.table, layout.rows, N + 1), fit(root.row, N + 1), fit(root.scratch, N + 1);
    place_columns(at, root);
    const Mat T = root.table;
    T.fill(0.0);
    for (Int i = 0; i < N; ++i) T(i, root.place[i]) = 1.0;
    for (Int i = 0; i < dynamics.J.rows; ++i) {
        for (Int j = 0; j < n; ++j) T(layout.xdd + i, root.place[j]) = dynamics.J(i, j) * u.coordinate[j] * u.force[i];
        T(layout.xdd + i, N) = dynamics.d[i] * u.force[i] / root.size;
    }
    for (Int i = 0; i < layout.rows - layout.physical; ++i) {
        const Vec line = T.row(layout.physical + i);
        double biggest = 0.0;
        for (Int j = 0; j < at.extra.P.cols; ++j) {
            const Int column = column_of(layout, j), at_place = root.place[column];
            line[at_place] = at.extra.P(i, j) * root.units[column];
            biggest = larger(biggest, std::abs(line[at_place]));
        }
        line[N] = -at.extra.p[i] / root.size;
        for (Int j = 0; biggest > 0.0 && j <= N; ++j) line[j] /= biggest;
    }
    root.freedom = N;
    fit(root.start, T.rows, T.cols), fit(root.equations, dynamics.M.rows + dynamics.G.rows + at.laws.size, N + 1);
    std::copy(T.data, T.data + T.rows * T.cols, root.start.data);
    root.written = 0;
}

// Impose `root.row . (X, 1) = 0`, a row on the unknowns themselves.
void demand(Root& root) {
    const Mat T = root.table;
    const Vec row = root.row, out = root.scratch;
    const Int N = T.cols - 1;
    out.fill(0.0);
    double biggest = 0.0;
    for (Int j = 0; j < N; ++j) biggest = larger(biggest, std::abs(row[j]));
    if (biggest == 0.0) biggest = 1.0;
    for (Int j = 0; j <= N; ++j) row[j] /= biggest;
    for (Int j = 0; j < N; ++j) {
        if (row[j] == 0.0) continue;
        for (Int i = 0; i < root.freedom; ++i) out[i] += row[j] * T(j, i);
        out[N] += row[j] * T(j, N);
    }
    out[N] += row[N];
    for (Int j = 0; j <= N; ++j) root.equations(root.written, j) = row[j];
    ++root.written;
    root.freedom = impose(T, root.freedom, out);
}

void impose_motion(const Dynamics& at, Root& root) {
    const Layout& layout = root.layout;
    const Units& u = root.natural;
    for (Int j = 0; j < at.M.rows; ++j) {
        const double s = u.coordinate[j];
        root.row.fill(0.0);
        for (Int i = 0; i < at.M.rows; ++i) root.row[i] = s * at.M(j, i) * u.coordinate[i];
        for (Int i = 0; i < at.J.rows; ++i) root.row[layout.force + i] = -s * at.J(i, j) * u.force[i];
        for (Int i = 0; i < at.G.rows; ++i) root.row[layout.lam + i] = -s * at.G(i, j) * u.lam[i];
        for (Int i = 0; i < at.S.cols; ++i) root.row[layout.tau + i] = -s * at.S(j, i) * u.tau[i];
        root.row[layout.columns] = s * at.b[j] / root.size;
        demand(root);
    }
}

void impose_loops(const Dynamics& at, Root& root) {
    for (Int i = 0; i < at.G.rows; ++i) {
        root.row.fill(0.0);
        for (Int j = 0; j < at.M.rows; ++j) root.row[j] = at.G(i, j) * root.natural.coordinate[j] * root.natural.lam[i];
        root.row[root.layout.columns] = at.e[i] * root.natural.lam[i] / root.size;
        demand(root);
    }
}

// Resistances to rolling have the normal force of their hosts.
void impose_hosts(const Instant& at, Root& root) {
    const Layout& layout = root.layout;
    for (Int i = 0; i < at.laws.size; ++i) {
        const Int host = at.laws[i].numbers.host;
        if (host < 0) continue;
        root.row.fill(0.0);
        root.row[layout.force + 2 * i] = root.natural.force[2 * i];
        root.row[layout.force + 2 * host] = -root.natural.force[2 * host];
        demand(root);
    }
}

}  // namespace

double largest_coefficient(const Extra& extra, Int i, const Root& root) {
    double biggest = 0.0;
    for (Int j = 0; j < extra.P.cols; ++j)
        biggest = larger(biggest, std::abs(extra.P(i, j)) * root.units[column_of(root.layout, j)]);
    return biggest;
}

// The products of `Rows` lines, one below the other, with `h`: each adds up in its own order, but none waits for another.
template <Int Rows> static void products(const double* lines, Int stride, const double* h, Int active, double* out) {
    double sum[Rows] = {};
    for (Int i = 0; i < active; ++i)
        for (Int r = 0; r < Rows; ++r) sum[r] += h[i] * lines[r * stride + i];
    for (Int r = 0; r < Rows; ++r) out[r] = sum[r];
}

double reflect(Mat T, Int active, Vec row, double norm) {
    const Int last = active - 1;
    // Householder vector h = row + sign * norm * e_last sends row to -sign * norm * e_last
    const double sign = row[last] >= 0.0 ? 1.0 : -1.0;
    row[last] += sign * norm;
    const double scale = 1.0 / (norm * std::abs(row[last]));
    const double* const h = row.data;
    constexpr Int TOGETHER = 4;
    double dots[TOGETHER];
    for (Int r = 0; r < T.rows; r += TOGETHER) {
        const Int rows = T.rows - r < TOGETHER ? T.rows - r : TOGETHER;
        double* const lines = T.row(r).data;
        if (rows == TOGETHER)
            products<TOGETHER>(lines, T.cols, h, active, dots);
        else
            for (Int k = 0; k < rows; ++k) products<1>(lines + k * T.cols, T.cols, h, active, dots + k);
        for (Int k = 0; k < rows; ++k) {
            if (dots[k] == 0.0) continue;
            const double dot = dots[k] * scale;
            double* const line = lines + k * T.cols;
            for (Int i = 0; i < active; ++i) line[i] -= dot * h[i];
        }
    }
    return sign;
}

Int impose(Mat T, Int freedom, Vec row) {
    if (freedom < 0) return -1;
    const Int N = T.cols - 1;
    double square = 0.0;
    for (Int i = 0; i < freedom; ++i) square += row[i] * row[i];
    const double norm = std::sqrt(square);
    if (norm <= tolerances::RANK) return std::abs(row[N]) <= tolerances::CONSISTENT ? freedom : -1;
    const Int last = freedom - 1;
    const double level = row[N], sign = reflect(T, freedom, row, norm), value = sign * level / norm;
    for (Int r = 0; r < T.rows; ++r) T(r, N) += T(r, last) * value;
    return last;
}

void dynamic_root(const Instant& at, Root& root) {
    const Dynamics& dynamics = at.dynamics;
    const Int n = dynamics.S.rows, k2 = dynamics.J.rows, loops = dynamics.G.rows, N = n + k2 + loops + dynamics.S.cols;
    root.layout = {n, n + k2, n + k2 + loops, N, N + k2, N + k2 + at.extra.physical, N + k2 + at.extra.P.rows, N};
    natural_units(dynamics, root.natural);
    fit(root.units, N);
    Int next = 0;
    const Units& u = root.natural;
    for (const Array<double>* part : {&u.coordinate, &u.force, &u.lam, &u.tau})
        for (Int i = 0; i < part->size; ++i) root.units[next++] = (*part)[i];
    size_up(at, root);
    take_laws(at, root);

    start_table(at, root);
    impose_motion(dynamics, root);
    impose_loops(dynamics, root);
    impose_hosts(at, root);
    for (Int i = 0; i < at.extra.physical; ++i)
        if (root.physical[i].equality)
            root.freedom = vanish(root.table, root.freedom, plain(root.layout.physical + i), root.scratch);
    root.freedom = impose_common(root, root.table, root.freedom, root.scratch);
}

void kinematic_root(const Instant& at, Root& root) {
    const Dynamics& dynamics = at.dynamics;
    const Int n = dynamics.J.cols, k2 = dynamics.J.rows;
    root.layout = {-1, n, n, n, n + k2, n + k2, n + k2, n};
    natural_units(dynamics, root.natural);
    root.units = root.natural.coordinate;
    root.size = loads(dynamics, root.natural);
    if (root.size <= still(at, root.natural.force)) root.size = 1.0;
    take_laws(at, root);
    fit(root.physical, 0);
    start_table({dynamics, at.laws, {{nullptr, 0, 0}, {}, {}, 0}, at.still}, root);
    impose_loops(dynamics, root);
}

}  // namespace mc
