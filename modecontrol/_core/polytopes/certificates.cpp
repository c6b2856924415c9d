#include "polytopes/certificates.hpp"

#include "lanes.hpp"
#include "polytopes/free_variables.hpp"

namespace mc {

namespace {

struct Proof {
    bool holds;
    double value, terms;
};

// Whether `G'y = cost` for `y = ws.slack`; `b y + e z`; size of its terms.
//
// They are written to `ws.y` and `ws.z` in the caller's units; in phase 1, where the cost is zero, with largest
// entry one.
Proof multipliers_hold(Workspace& ws) {
    const Mat G = ws.G;
    const Vec y = ws.slack;
    const Int m = ws.m, p = ws.p;
    const bool cost = ws.phase == 2;
    double value = 0.0, terms = 0.0, spread = 0.0, largest = 0.0;
    for (Int i = 0; i < m + p; ++i) {
        if (y[i] == 0.0) continue;
        const double term = G(0, i) * y[i];
        value += term;
        terms += std::abs(term);
        spread += std::abs(y[i]);
        largest = larger(largest, std::abs(y[i]) * ws.row_scale[i]);
    }
    const Vec gap = ws.way;
    for (Int j = 0; j < ws.d; ++j) gap[j] = cost ? -ws.cost[j] : 0.0;
    for (Int i = 0; i < m + p; ++i) {
        if (y[i] == 0.0) continue;
        for (Int j = 0; j < ws.d; ++j) gap[j] += G(j + 1, i) * y[i];
    }
    const double reach = ws.again ? tolerances::REACH_AGAIN : tolerances::FEASIBLE;
    const double tolerance = cost ? tolerances::FEASIBLE : larger(reach * std::abs(value), tolerances::FEW * spread);
    bool holds = true;
    for (Int j = 0; j < ws.d; ++j) holds = holds & (std::abs(gap[j]) <= tolerance);
    const double factor = cost ? ws.cost_size : 1.0 / largest;
    for (Int i = 0; i < m; ++i) ws.y[i] = y[i] * ws.row_scale[i] * factor;
    for (Int i = m; i < m + p; ++i) ws.z[i - m] = y[i] * ws.row_scale[i] * factor;
    return {holds, value, terms};
}

// Multipliers `y = ws.slack` of a contradiction once more from the data: conjugate gradients bring `G'y`, in `ws.way`, down from the
// rounding of many pivots to that of a product.
void sharpen(Workspace& ws) {
    const Mat G = ws.G;
    const Vec y = ws.slack, off = ws.way, way = ws.point, moved = ws.x;
    const Int total = ws.m + ws.p;
    const auto slope = [&](Int i) {
        double sum = 0.0;
        for (Int j = 0; j < ws.d; ++j) sum -= G(j + 1, i) * off[j];
        return sum;
    };
    double before = 0.0, largest = 0.0;
    for (Int i = 0; i < total; ++i) largest = larger(largest, std::abs(y[i]));
    for (Int i = 0; i < total; ++i) {
        const bool rounding = std::abs(y[i]) <= tolerances::PIVOT * largest;
        for (Int j = 0; rounding && j < ws.d; ++j) off[j] -= G(j + 1, i) * y[i];
        y[i] = rounding ? 0.0 : y[i];
        way[i] = 0.0;
    }
    for (Int turn = 0; turn <= ws.d; ++turn) {
        double steep = 0.0, square = 0.0;
        for (Int i = 0; i < total; ++i)
            if (y[i] != 0.0) steep += slope(i) * slope(i);
        for (Int j = 0; j < ws.d; ++j) moved[j] = 0.0;
        for (Int i = 0; i < total; ++i) {
            if (y[i] == 0.0) continue;
            way[i] = slope(i) + (turn > 0 ? steep / before : 0.0) * way[i];
            for (Int j = 0; j < ws.d; ++j) moved[j] += G(j + 1, i) * way[i];
        }
        for (Int j = 0; j < ws.d; ++j) square += moved[j] * moved[j];
        if (!(square > 0.0)) break;
        for (Int j = 0; j < ws.d; ++j) off[j] += steep / square * moved[j];
        for (Int i = 0; i < total; ++i) y[i] += steep / square * way[i];
        before = steep;
    }
    for (Int i = 0; i < ws.m; ++i) y[i] = larger(y[i], 0.0);
}

// `sum + x column`, and the sizes of the products added to `size`.
template <class L> MC_INLINE void add_products_with(const double* __restrict column, double x, double* __restrict sum, double* __restrict size,
                                                    Int count) {
    Int i = 0;
    for (; i + lanes_in<L> <= count; i += lanes_in<L>) {
        const L term = load_lanes<L>(column + i) * every<L>(x);
        store_lanes<L>(sum + i, load_lanes<L>(sum + i) + term);
        store_lanes<L>(size + i, load_lanes<L>(size + i) + larger_lanes<L>(term, every<L>(0.0) - term));
    }
    for (; i < count; ++i) {
        const double term = column[i] * x;
        sum[i] += term;
        size[i] += std::abs(term);
    }
}
MC_ON_EVERY_MACHINE(void, add_products, (const double* column, double x, double* sum, double* size, Int count),
                    (column, x, sum, size, count))

}  // namespace

void excess(const Workspace& ws, ConstVec u, Int count, Vec gap, Vec terms) {
    double* const sum = gap.data;
    double* const size = terms.data;
    for (Int i = 0; i < count; ++i) {
        sum[i] = -ws.G(0, i);
        size[i] = 0.0;
    }
    for (Int j = 0; j < ws.d; ++j) add_products(ws.G.data + (j + 1) * ws.G.cols, u[j], sum, size, count);
}

bool current_point(Workspace& ws) {
    const Vec u = ws.point;
    const Int m = ws.m, p = ws.p, d = ws.d;
    for (Int i = 0; i < m; ++i) ws.slack[i] = 0.0;
    for (Int i = 0; i < ws.rows; ++i) ws.slack[ws.row[i]] = ws.T(0, i);
    from_slacks(ws, u, 1.0);
    for (Int j = 0; j < d; ++j) ws.x[j] = u[j] * ws.col_scale[j] * ws.blowup;
    const Vec gap = ws.slack, terms = ws.way;
    excess(ws, u, m + p, gap, terms);
    for (Int i = m; i < m + p; ++i) gap[i] = std::abs(gap[i]);
    bool inside = true;
    for (Int i = 0; i < m + p; ++i) inside = inside & (gap[i] <= tolerances::FEASIBLE * ws.weight[i] + tolerances::FEW * terms[i]);
    return inside;
}

Answer optimum(Workspace& ws) {
    const bool inside = current_point(ws);
    double scaled = 0.0;
    for (Int j = 0; j < ws.d; ++j) scaled += ws.cost[j] * ws.point[j];
    for (Int i = 0; i < ws.m; ++i) ws.slack[i] = 0.0;
    for (Int j = 1; j <= ws.columns; ++j) ws.slack[ws.col[j]] = larger(-ws.T(j, ws.rows), 0.0);
    equality_multipliers(ws);
    const auto [holds, value, terms] = multipliers_hold(ws);
    const bool good = inside && holds && std::abs(value - scaled) <= tolerances::FEASIBLE * larger(1.0, terms);
    return {good ? OPTIMAL : UNDECIDED, scaled * ws.cost_size * ws.blowup};
}

Status contradiction(Workspace& ws, Int r) {
    const Mat S = ws.S;
    const Vec y = ws.slack;
    const Int total = ws.m + ws.p;
    for (Int i = 0; i < total; ++i) y[i] = 0.0;
    if (r >= 0) {
        for (Int j = 1; j <= ws.columns + 1; ++j)
            if (ws.col[j] >= 0) y[ws.col[j]] = larger(-ws.T(j, r), 0.0);
        equality_multipliers(ws);
    } else {
        const Int k = ws.clash;
        const double sign = S(0, k) > 0.0 ? -1.0 : 1.0;
        y[ws.base_row[k]] = sign;
        for (Int j = 1; j <= ws.d; ++j)
            if (ws.base_col[j] < total) y[ws.base_col[j]] = sign * S(j, k);
    }
    Proof proof = multipliers_hold(ws);
    if (!proof.holds && proof.value < 0.0) {
        sharpen(ws);
        proof = multipliers_hold(ws);
    }
    return proof.holds && proof.value < 0.0 ? INFEASIBLE : UNDECIDED;
}

// The direction of column `q` of `T` or of the line in column `-q` of `S`, scaled, into `ws.way`.
static void direction(Workspace& ws, Int q) {
    const Mat S = ws.S;
    const Vec v = ws.way;
    const Int total = ws.m + ws.p;
    for (Int i = 0; i < ws.m; ++i) ws.slack[i] = 0.0;
    if (q > 0) {
        for (Int i = 0; i < ws.rows; ++i) ws.slack[ws.row[i]] = -ws.T(q, i);
        ws.slack[ws.col[q]] = 1.0;
    }
    from_slacks(ws, v, 0.0);
    if (q >= 0) return;
    q = -q;
    const double sign = S(q, total) > 0.0 ? 1.0 : -1.0;
    v[ws.base_col[q] - total] = sign;
    for (Int i = 0; i < total; ++i)
        if (ws.base_row[i] >= total) v[ws.base_row[i] - total] = -sign * S(q, i);
}

Status unbounded(Workspace& ws, Int q) {
    const Mat G = ws.G;
    const Vec v = ws.way;
    const Int m = ws.m, d = ws.d, total = m + ws.p;
    if (!current_point(ws)) return UNDECIDED;
    direction(ws, q);
    double largest = 0.0, shown = 0.0;
    for (Int j = 0; j < d; ++j) {
        largest = larger(largest, std::abs(v[j]));
        shown = larger(shown, std::abs(v[j]) * ws.col_scale[j]);
    }
    if (!(0.0 < largest && largest < INF)) return UNDECIDED;
    for (Int i = 0; i < total; ++i) {
        double slope = 0.0;
        for (Int j = 0; j < d; ++j) slope += G(j + 1, i) * v[j];
        slope = i < m ? slope : std::abs(slope);
        if (!(slope <= tolerances::PIVOT * largest)) return UNDECIDED;
    }
    double gain = 0.0;
    for (Int j = 0; j < d; ++j) {
        gain += ws.cost[j] * v[j];
        ws.ray[j] = v[j] * ws.col_scale[j] / shown;
    }
    return gain > tolerances::PIVOT * largest ? UNBOUNDED : UNDECIDED;
}

}  // namespace mc
