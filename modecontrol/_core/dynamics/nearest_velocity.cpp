#include "dynamics/nearest_velocity.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

// `W = diag(root) L L^T diag(root)`, `L` into the lower triangle; false if `W` is not positive definite.
bool factor_metric(const NearestProblem& problem, NearestWorkspace& work) {
    const Int n = problem.v.size;
    const Mat W = work.W;
    for (Int i = 0; i < n; ++i) {
        double reach = 0.0;
        for (Int r = 0; r < problem.J.rows; ++r) reach = larger(reach, std::abs(problem.J(r, i)));
        for (Int r = 0; r < problem.A.rows; ++r) reach = larger(reach, std::abs(problem.A(r, i)));
        const double mass = problem.mass > 0.0 ? problem.mass : 1.0;
        const double extra = tolerances::LIGHT * (mass * reach * reach + problem.M(i, i));
        for (Int j = 0; j < n; ++j) W(i, j) = problem.M(i, j);
        W(i, i) += extra != 0.0 ? extra : 1.0;
        work.root[i] = std::sqrt(W(i, i));
    }
    for (Int i = 0; i < n; ++i)
        for (Int j = 0; j <= i; ++j) {
            double value = W(i, j) / (work.root[i] * work.root[j]);
            for (Int k = 0; k < j; ++k) value -= W(i, k) * W(j, k);
            if (i > j) W(i, j) = value / W(j, j);
            else if (value > 0.0) W(i, i) = std::sqrt(value);
            else return false;
        }
    return true;
}

// `x` becomes `x (L^T diag(root))^-1`, a row of `A R^-1`; returns its norm.
double scaled_row(ConstVec row, const NearestWorkspace& work, Vec x) {
    double size = 0.0;
    for (Int i = 0; i < x.size; ++i) {
        double value = row[i] / work.root[i];
        for (Int j = 0; j < i; ++j) value -= work.W(i, j) * x[j];
        x[i] = value / work.W(i, i);
        size += x[i] * x[i];
    }
    return std::sqrt(size);
}

// Reflect the rows so that row k has nothing beyond place k: `rows Q = [L 0]`, the largest row first. Row k keeps the vector of
// its reflection from place k on, `diagonal` the entry of `L`; returns the rank.
Int reflect(Mat rows, Vec right, Vec diagonal) {
    const Int n = rows.cols;
    for (Int k = 0; k < rows.rows; ++k) {
        Int pivot = k;
        double largest = 0.0;
        for (Int r = k; r < rows.rows; ++r) {
            double square = 0.0;
            for (Int i = k; i < n; ++i) square += rows(r, i) * rows(r, i);
            if (square > largest) {
                largest = square;
                pivot = r;
            }
        }
        const double norm = std::sqrt(largest);
        if (k == n || norm == 0.0 || (k > 0 && norm <= tolerances::RANK * std::abs(diagonal[0]))) return k;
        for (Int i = 0; pivot != k && i < n; ++i) std::swap(rows(k, i), rows(pivot, i));
        std::swap(right[k], right[pivot]);
        const Vec h = rows.row(k);
        diagonal[k] = h[k] > 0.0 ? -norm : norm;
        h[k] -= diagonal[k];
        const double scale = -1.0 / (diagonal[k] * h[k]);
        for (Int r = k + 1; r < rows.rows; ++r) {
            double dot = 0.0;
            for (Int i = k; i < n; ++i) dot += h[i] * rows(r, i);
            for (Int i = k; i < n; ++i) rows(r, i) -= dot * scale * h[i];
        }
    }
    return rows.rows;
}

// Least-norm `x` with `rows x = right`, rows that depend on others left out; `rows` and `right` are used up.
void least_norm(Mat rows, Vec right, Vec diagonal, Vec x) {
    const Int rank = reflect(rows, right, diagonal);
    x.fill(0.0);
    for (Int k = 0; k < rank; ++k) {
        double value = right[k];
        for (Int i = 0; i < k; ++i) value -= rows(k, i) * x[i];
        x[k] = value / diagonal[k];
    }
    for (Int k = rank - 1; k >= 0; --k) {
        const Vec h = rows.row(k);
        double dot = 0.0;
        for (Int i = k; i < x.size; ++i) dot += h[i] * x[i];
        dot *= -1.0 / (diagonal[k] * h[k]);
        for (Int i = k; i < x.size; ++i) x[i] -= dot * h[i];
    }
}

}  // namespace

bool nearest_velocity(const NearestProblem& problem, NearestWorkspace& work, Vec settled) {
    const Int n = problem.v.size;
    if (!factor_metric(problem, work)) return false;
    Int count = 0;
    for (Int r = 0; r < problem.A.rows; ++r) {
        const ConstVec row = problem.A.row(r);
        const double size = scaled_row(row, work, work.rows.row(count));
        if (!(size > 0.0)) continue;
        double speed = problem.a.size > 0 ? -problem.a[r] : 0.0;
        for (Int i = 0; i < n; ++i) speed += row[i] * problem.v[i];
        for (Int i = 0; i < n; ++i) work.rows(count, i) /= size;
        work.right[count++] = -speed / size;
    }
    const Vec x = work.x;
    least_norm(work.rows.part(0, count), work.right.part(0, count), work.diagonal, x);
    for (Int i = n - 1; i >= 0; --i) {
        for (Int j = i + 1; j < n; ++j) x[i] -= work.W(j, i) * x[j];
        x[i] /= work.W(i, i);
    }
    for (Int i = 0; i < n; ++i) settled[i] = problem.v[i] + x[i] / work.root[i];
    return true;
}

}  // namespace mc
