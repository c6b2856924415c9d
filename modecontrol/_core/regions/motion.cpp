#include "regions/motion.hpp"

#include <utility>

namespace mc {

namespace {

// A sum of products whose terms cancel down to rounding is zero.
double product(ConstVec row, const double* column, Int stride) {
    double total = 0.0, size = 0.0;
    for (Int i = 0; i < row.size; ++i) {
        const double share = row[i] * column[i * stride];
        total += share;
        size += std::abs(share);
    }
    return std::abs(total) > tolerances::CANCELLED * size ? total : 0.0;
}

Grid<double> product(ConstMat A, ConstMat B) {
    const Grid<double> made(A.rows, B.cols);
    for (Int i = 0; i < A.rows; ++i)
        for (Int j = 0; j < B.cols; ++j) made(i, j) = product(A.row(i), B.data + j, B.cols);
    return made;
}

// `w = B z + N v`: `z` coordinates of the motion `Y w` along the orthonormal `Q`, `v` the rest, which does not move anything.
struct Coordinates {
    Grid<double> Q, B, N;
};

// Gram-Schmidt, largest column first and twice: `Y P = Q [R1 R2]`; then `B = P [R1^-1; 0]`, `N = P [-R1^-1 R2; 1]`.
Coordinates coordinates(ConstMat Y, double smallest) {
    const Int rows = Y.rows, w = Y.cols;
    Grid<double> left = clone(Y);
    const Grid<double> Q(rows, w), R(w, w);
    Array<Int> order(w);
    for (Int j = 0; j < w; ++j) order[j] = j;
    Int rank = 0;
    for (; rank < w; ++rank) {
        Int best = -1;
        double norm = smallest;
        for (Int at = rank; at < w; ++at) {
            double square = 0.0;
            for (Int i = 0; i < rows; ++i) square += left(i, order[at]) * left(i, order[at]);
            if (std::sqrt(square) > norm) best = at, norm = std::sqrt(square);
        }
        if (best < 0) break;
        std::swap(order[rank], order[best]);
        for (Int i = 0; i < rows; ++i) Q(i, rank) = left(i, order[rank]) / norm;
        for (Int at = rank; at < w; ++at) {
            for (int turn = 0; turn < 2; ++turn) {
                double along = 0.0;
                for (Int i = 0; i < rows; ++i) along += Q(i, rank) * left(i, order[at]);
                for (Int i = 0; i < rows; ++i) left(i, order[at]) -= along * Q(i, rank);
                R(rank, order[at]) += along;
            }
        }
    }
    Coordinates made{Grid<double>(rows, rank), Grid<double>(w, rank), Grid<double>(w, w - rank)};
    for (Int i = 0; i < rows; ++i)
        for (Int j = 0; j < rank; ++j) made.Q(i, j) = Q(i, j);
    const auto back = [&](Mat into, Int column) {  // solve R1 x = right, right in the places of the pivots
        for (Int s = rank - 1; s >= 0; --s) {
            for (Int later = s + 1; later < rank; ++later) into(order[s], column) -= R(s, order[later]) * into(order[later], column);
            into(order[s], column) /= R(s, order[s]);
        }
    };
    for (Int j = 0; j < rank; ++j) {
        made.B(order[j], j) = 1.0;
        back(made.B, j);
    }
    for (Int v = 0; v < w - rank; ++v) {
        for (Int s = 0; s < rank; ++s) made.N(order[s], v) = -R(s, order[rank + v]);
        back(made.N, v);
        made.N(order[rank + v], v) = 1.0;
    }
    return made;
}

// Rows on `(tau, w)` as rows on `(tau, z, v)`.
Grid<double> changed(ConstMat rows, Int inputs, const Coordinates& to) {
    const Int z = to.B.cols, v = to.N.cols;
    const Grid<double> made(rows.rows, inputs + z + v);
    for (Int i = 0; i < rows.rows; ++i) {
        const ConstVec on_w = rows.row(i).part(inputs, rows.cols);
        for (Int j = 0; j < inputs; ++j) made(i, j) = rows(i, j);
        for (Int j = 0; j < z; ++j) made(i, inputs + j) = product(on_w, to.B.data + j, z);
        for (Int j = 0; j < v; ++j) made(i, inputs + z + j) = product(on_w, to.N.data + j, v);
    }
    return made;
}

bool any_from(ConstMat rows, Int column) {
    for (Int i = 0; i < rows.rows; ++i)
        for (Int j = column; j < rows.cols; ++j)
            if (rows(i, j) != 0.0) return true;
    return false;
}

Grid<double> first_columns(ConstMat rows, Int columns) {
    const Grid<double> made(rows.rows, columns);
    for (Int i = 0; i < rows.rows; ++i)
        for (Int j = 0; j < columns; ++j) made(i, j) = rows(i, j);
    return made;
}

}  // namespace

Grid<double> beside_mass(ConstMat M, ConstVec units, ConstMat asked) {
    const Int n = M.rows;
    const Grid<double> weighed(n, n);
    for (Int i = 0; i < n; ++i)
        for (Int j = 0; j < n; ++j) weighed(i, j) = units[i] * M(i, j) * units[j];
    const Grid<double> Q = coordinates(weighed, tolerances::MOMENTUM).Q;
    const Grid<double> kept(asked.rows, n);
    const Array<double> left(n);
    Int count = 0;
    for (Int r = 0; r < asked.rows; ++r) {
        double whole = 0.0, rest = 0.0;
        for (Int j = 0; j < n; ++j) {
            left[j] = asked(r, j) * units[j];
            whole = larger(whole, std::abs(left[j]));
        }
        for (Int k = 0; k < Q.cols; ++k) {
            double along = 0.0;
            for (Int j = 0; j < n; ++j) along += Q(j, k) * left[j];
            for (Int j = 0; j < n; ++j) left[j] -= along * Q(j, k);
        }
        for (Int j = 0; j < n; ++j) rest = larger(rest, std::abs(left[j]));
        if (rest <= tolerances::CANCELLED * whole) continue;
        for (Int j = 0; j < n; ++j) kept(count, j) = asked(r, j);
        ++count;
    }
    return clone(ConstMat(kept).part(0, count));
}

MotionFrame::MotionFrame(ConstMat M, ConstVec units, double size, Int forces, Int inputs, ConstMat asked)
    : tau_units(inputs), size(size) {
    const Int n = M.rows, unknowns = units.size - inputs;
    Int massive = 0;
    const Flags heavy(n);
    for (Int i = 0; i < n; ++i) {
        for (Int j = 0; j < n; ++j) heavy[i] = heavy[i] || M(i, j) != 0.0;
        massive += heavy[i];
    }
    rows = Grid<double>(massive + forces + asked.rows, unknowns);
    Int at = 0;
    for (Int i = 0; i < n; ++i) {
        if (!heavy[i]) continue;
        for (Int j = 0; j < n; ++j) rows(at, j) = M(i, j) * units[i] / size;
        ++at;
    }
    for (Int i = 0; i < forces; ++i, ++at) rows(at, n + i) = 1.0 / (units[n + i] * size);
    for (Int i = 0; i < asked.rows; ++i, ++at) {
        double largest = 0.0;
        for (Int j = 0; j < n; ++j) largest = larger(largest, std::abs(asked(i, j)) * units[j]);
        for (Int j = 0; j < n && largest > 0.0; ++j) rows(at, j) = asked(i, j) / (largest * size);
    }
    for (Int j = 0; j < inputs; ++j) tau_units[j] = units[unknowns + j] * size;
}

Grid<double> natural(const MotionFrame& frame, ConstMat rows) {
    const Grid<double> made(rows.rows, rows.cols);
    for (Int i = 0; i < rows.rows; ++i)
        for (Int j = 0; j < rows.cols; ++j)
            made(i, j) = rows(i, j) * (j < frame.tau_units.size ? frame.tau_units[j] : frame.size);
    return made;
}

MotionMap motion_map(const MotionFrame& frame, const PackedMode& mode) {
    const ConstMat rows = frame.rows;
    MotionMap map{Array<double>(rows.rows), product(rows, mode.U), product(rows, mode.W)};
    for (Int i = 0; i < rows.rows; ++i) {
        map.constant[i] = product(rows.row(i), mode.constant.data, 1);
        for (Int j = 0; j < mode.U.cols; ++j) map.U(i, j) *= frame.tau_units[j];
        for (Int j = 0; j < mode.W.cols; ++j) map.W(i, j) *= frame.size;
    }
    return map;
}

// Whether a row holds inputs and, so weakly that rounding of them decides, `w`.
static bool holds_weakly(const MotionFrame& frame, ConstMat rows, Int inputs) {
    for (Int i = 0; i < rows.rows; ++i) {
        double felt = 0.0, on_w = 0.0;      // any basis of `w` says much the same
        for (Int j = 0; j < rows.cols; ++j) {
            double& most = j < inputs ? felt : on_w;
            most = larger(most, std::abs(rows(i, j)) * (j < inputs ? frame.tau_units[j] : frame.size));
        }
        if (on_w > 0.0 && on_w * tolerances::STEEP < felt) return true;
    }
    return false;
}

bool is_steep(const MotionFrame& frame, const PackedMode& mode) {
    const Int inputs = mode.U.cols;
    if (mode.thin || holds_weakly(frame, mode.A, inputs) || holds_weakly(frame, mode.C, inputs)) return true;
    const Grid<double> slope = product(frame.rows, mode.U);
    for (Int i = 0; i < slope.rows; ++i)
        for (Int j = 0; j < slope.cols; ++j)
            if (std::abs(slope(i, j)) * frame.tau_units[j] > tolerances::STEEP) return true;
    return false;
}

MotionSet::MotionSet(const MotionFrame& frame, const PackedMode& mode, Patience* patience) : map(motion_map(frame, mode)) {
    const Int inputs = mode.U.cols;
    const Coordinates to = coordinates(map.W, tolerances::RANK);
    const Int z = to.B.cols;
    Q = to.Q;
    const Grid<double> rows = changed(natural(frame, mode.A), inputs, to), tied = changed(natural(frame, mode.C), inputs, to);
    if (!any_from(rows, inputs + z) && !any_from(tied, inputs + z)) {
        A = first_columns(rows, inputs + z), C = first_columns(tied, inputs + z);
        b = clone(mode.b), e = clone(mode.e);
        return;
    }
    const Flags keep(rows.cols);
    for (Int j = 0; j < inputs + z; ++j) keep[j] = true;
    const Projection seen = project({rows, mode.b, tied, mode.e}, keep, patience);
    status = seen.status;
    A = seen.A, b = seen.b, C = seen.C, e = seen.e;
}

}  // namespace mc
