#include "polytopes/sparse_basis.hpp"

#include "owned.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr double FAIR = 0.05;       // a row takes over only if its entry is at least this part of the largest in the column
constexpr Int FEW_VARIABLES = 2;    // with so few variables there is nothing to gain from exchanges

// `a - b`, zero when all but rounding cancels.
double difference(double a, double b) {
    const double value = a - b;
    return std::abs(value) > tolerances::CANCELS * larger(std::abs(a), std::abs(b)) ? value : 0.0;
}

// Column operations after which `row` feels the variable `column` alone, with coefficient one.
void swap_basis(Mat X, Int first, Int row, Int column) {
    const double pivot = X(row, column);
    for (Int r = 0; r < X.rows; ++r) X(r, column) /= pivot;
    X(row, column) = 1.0;
    for (Int j = first; j < X.cols; ++j) {
        const double factor = X(row, j);
        if (j == column || factor == 0.0) continue;
        for (Int r = 0; r < X.rows; ++r) X(r, j) = difference(X(r, j), factor * X(r, column));
        X(row, j) = 0.0;
    }
}

// Zeros that an exchange would add.
Int gain(Mat X, Int first, Int row, Int column) {
    Int total = 0;
    for (Int j = first; j < X.cols; ++j) {
        if (j == column || X(row, j) == 0.0) continue;
        const double factor = X(row, j) / X(row, column);
        for (Int r = 0; r < X.rows; ++r) {
            if (X(r, column) == 0.0) continue;
            const bool stays = r != row && difference(X(r, j), factor * X(r, column)) != 0.0;
            total += Int(X(r, j) != 0.0) - Int(stays);
        }
    }
    return total;
}

// The exchange that gains most zeros, done; false when none gains any.
bool improve(Mat X, Int first) {
    Int best = 0, row = -1, column = -1;
    for (Int c = first; c < X.cols; ++c) {
        double largest = 0.0;
        for (Int r = 0; r < X.rows; ++r) largest = larger(largest, std::abs(X(r, c)));
        for (Int r = 0; r < X.rows; ++r) {
            if (!(std::abs(X(r, c)) > larger(FAIR * largest, tolerances::BASIS_PIVOT))) continue;
            const Int gained = gain(X, first, r, c);
            if (gained > best) best = gained, row = r, column = c;
        }
    }
    if (row < 0) return false;
    swap_basis(X, first, row, column);
    return true;
}

}  // namespace

void sparsify(Mat X, Int first) {
    const Flags taken(X.rows), used(X.cols);
    for (Int turn = first; turn < X.cols; ++turn) {
        double best = tolerances::BASIS_PIVOT;
        Int row = -1, column = -1;
        for (Int r = 0; r < X.rows; ++r)
            for (Int j = first; j < X.cols; ++j)
                if (!(taken[r] || used[j]) && std::abs(X(r, j)) > best) best = std::abs(X(r, j)), row = r, column = j;
        if (row < 0) break;
        taken[row] = used[column] = true;
        swap_basis(X, first, row, column);
    }
    if (X.cols - first > FEW_VARIABLES)
        for (Int turn = 0; turn < X.rows * X.cols && improve(X, first); ++turn) {}  // every turn adds a zero
}

}  // namespace mc
