// A linear complementarity problem and the memory in which it is solved.
//
//     w = M z + q,   z >= 0,   w >= 0,   z . w = 0
//
// A complementary basis is a set `active` of indices with `w_i = 0` there and `z_i = 0` elsewhere.
#pragma once

#include "layout.hpp"
#include "owned.hpp"

namespace mc {

// The first `n` rows and columns of `M` and entries of `q`; never written to.
struct Lcp {
    ConstMat M;
    ConstVec q;
    Int n = 0;
};

// What a method came back with. SOLVED is said only of an answer whose residual is at most tolerances::COMPLEMENTARY.
struct LcpOutcome {
    LcpStatus status = LcpStatus::LIMIT;
    Int pivots = 0;                     // pivots, sweeps or bases, whatever the method counts
    double residual = INF;
};

// Everything that problems of up to `capacity` rows need, allocated once. The answer is in the first entries of z, w, active.
struct LcpWorkspace {
    explicit LcpWorkspace(Int capacity);
    LcpWorkspace(const LcpWorkspace&) = delete;
    LcpWorkspace& operator=(const LcpWorkspace&) = delete;

    Int capacity;
    Array<double> z, w;                 // the answer; at a ray `z` is its direction
    Flags active;                       // in: a guessed basis; out: the final one
    Array<double> row, column;          // scales: R M C has entries of about one
    Array<double> x, y, pivot_row;      // scratch of up to capacity + 2 entries
    Array<Int> order, index;            // row exchanges of an LU, members of a basis
    Array<Int> basis, nonbasic, place;  // of a tableau: variables of its rows and columns, and where each variable is

    // Scratch for a tableau of so many rows and columns, as many as capacity x (capacity + 2) have room for.
    Mat tableau(Int rows, Int columns) { return {tableau_.data, rows, columns}; }

private:
    Array<double> tableau_;
};

}  // namespace mc
