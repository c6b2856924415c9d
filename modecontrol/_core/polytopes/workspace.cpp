#include "polytopes/workspace.hpp"

#include <cstring>

#include "lanes.hpp"

namespace mc {

Workspace::Workspace(Int m, Int p, Int d) {
    const Int width = m + p + d + 3;
    reals_.resize((d + 1) * (m + p) + (d + 1) * (m + p + 1) + (d + 2) * (m + 1) + (d + 1) * whole_lanes(m) + 7 * width + 2 * d + m + p);
    integers_.resize(5 * width);
    double* next = reals_.data();
    const auto table = [&next](Int rows, Int cols) { Mat made{next, rows, cols}; next += rows * cols; return made; };
    const auto vector = [&next](Int size) { Vec made{next, size}; next += size; return made; };
    G = table(d + 1, m + p);
    S = table(d + 1, m + p + 1);
    T = table(d + 2, m + 1);
    polar = table(d + 1, whole_lanes(m));
    for (Vec* v : {&row_scale, &col_scale, &weight, &cost, &slack, &point, &way}) *v = vector(width);
    x = vector(d);
    ray = vector(d);
    y = vector(m);
    z = vector(p);
    Int* label = integers_.data();
    for (Ints* v : {&base_row, &base_col, &row, &col, &state}) {
        *v = {label, width};
        label += width;
    }
}

double power_below(double a) {
    if (!(tolerances::LEAST_SCALE < a && a < 1.0 / tolerances::LEAST_SCALE)) return 1.0;  // no power of two brings these near one
    std::int64_t bits;
    std::memcpy(&bits, &a, sizeof bits);
    bits = INT64_C(0x7FE0000000000000) - (bits & INT64_C(0x7FF0000000000000));
    double h;
    std::memcpy(&h, &bits, sizeof h);
    return 0.5 * h;
}

// Copy the coefficients by columns; the largest of each row into `largest`.
static void copy_columns(Mat G, const Rows& set, Vec largest) {
    const Int m = set.A.rows, d = set.A.cols, p = set.C.rows;
    for (Int i = 0; i < m + p; ++i) {
        const double* const from = d == 0 ? nullptr : i < m ? &set.A(i, 0) : &set.C(i - m, 0);
        double top = 0.0;
        for (Int j = 0; j < d; ++j) {
            G(j + 1, i) = from[j];
            top = larger(top, std::abs(from[j]));
        }
        largest[i] = top;
    }
}

void load(Workspace& ws, const Rows& set) {
    const Mat G = ws.G;
    const Int m = set.A.rows, d = set.A.cols, p = set.C.rows;
    ws.m = m, ws.p = p, ws.d = d;
    const Vec row_scale = ws.row_scale, col_scale = ws.col_scale;
    copy_columns(G, set, row_scale);
    for (Int i = 0; i < m + p; ++i) row_scale[i] = power_below(row_scale[i]);
    bool plain = true;
    for (Int j = 0; j < d; ++j) {
        double largest = 0.0;
        for (Int i = 0; i < m + p; ++i) largest = larger(largest, std::abs(G(j + 1, i)) * row_scale[i]);
        col_scale[j] = power_below(largest);
        plain = plain && col_scale[j] == 1.0;
    }
    if (!plain) {
        for (Int i = 0; i < m + p; ++i) {
            double largest = 0.0;
            for (Int j = 0; j < d; ++j) largest = larger(largest, std::abs(G(j + 1, i)) * col_scale[j]);
            row_scale[i] = power_below(largest);
        }
    }
    for (Int j = 0; j < d; ++j) {
        const double h = col_scale[j];
        for (Int i = 0; i < m + p; ++i) G(j + 1, i) *= h * row_scale[i];
    }
    double blowup = 0.0;
    for (Int i = 0; i < m + p; ++i) {
        G(0, i) = row_scale[i] * (i < m ? set.b[i] : set.e[i - m]);
        blowup = larger(blowup, std::abs(G(0, i)));
    }
    const double h = 0.0 < blowup && blowup < 1.0 ? power_below(larger(blowup, tolerances::BLOW_UP)) : 1.0;
    ws.blowup = 1.0 / h;
    for (Int i = 0; i < m + p; ++i) {
        G(0, i) *= h;
        ws.weight[i] = larger(1.0, std::abs(G(0, i)));
    }
}

void set_cost(Workspace& ws, ConstVec c) {
    double largest = 0.0;
    for (Int j = 0; j < c.size; ++j) {
        ws.cost[j] = c[j] * ws.col_scale[j];
        largest = larger(largest, std::abs(ws.cost[j]));
    }
    const double h = power_below(largest);
    ws.cost_size = 1.0 / h;
    for (Int j = 0; j < c.size; ++j) ws.cost[j] *= h;
}

}  // namespace mc
