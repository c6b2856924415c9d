// Responses of many modes laid end to end in flat arrays: the one writer and the one reader.
//
// Each mode has a line of sizes, `ModeShape`, and a run of `numbers`:
//
//     constant, U, W | domain A, b, C, e | torques A, b, C, e
//
// in true units, rows of sets with largest coefficient one. `causes` says why each domain row is there (inequalities, then the
// inequalities that are hidden equalities); `ancestry` is a boolean matrix, rows of the torque set by rows of the domain.
#pragma once

#include <vector>

#include "layout.hpp"
#include "owned.hpp"

namespace mc {

struct ModeShape {
    Int w, rows, equalities, torque_rows, torque_equalities, status, admissible, thin;  // thin: see `Domain`
};
constexpr Int SHAPE = 8;
static_assert(sizeof(ModeShape) == SHAPE * sizeof(Int), "a line of sizes is a row of integers");

struct Packed {
    Int unknowns = 0, inputs = 0;
    std::vector<Int> shape;  // SHAPE integers for each mode
    std::vector<double> numbers;
    std::vector<Int> number_start{0};
    std::vector<Int> causes, cause_start{0};
    std::vector<unsigned char> ancestry;
    std::vector<Int> ancestry_start{0};
};

// What a reader needs of it.
struct PackedView {
    Table<const Int> shape;
    ConstVec numbers;
    ConstInts number_start;
    Int unknowns = 0, inputs = 0;

    const ModeShape& of(Int index) const { return *reinterpret_cast<const ModeShape*>(shape.row(index).data); }
};
PackedView view_of(const Packed& packed);

// One mode: `u = constant + U tau + W w` on `A (tau, w) <= b`, `C (tau, w) = e`; its inputs `T tau <= t`, `H tau = h`.
struct PackedMode {
    ConstVec constant;
    ConstMat U, W, A;
    ConstVec b;
    ConstMat C;
    ConstVec e;
    ConstMat T;
    ConstVec t;
    ConstMat H;
    ConstVec h;
    bool thin = false;
};
PackedMode mode_of(const PackedView& packed, Int index);

// Whether there is such a mode and its sizes fit its numbers: asked of arrays that come from outside.
bool is_sound(const PackedView& packed, Int index);

// Some rows (`pick`, or all when it is null) of `A x <= b` or `A x = b`.
struct SomeRows {
    ConstMat A;
    ConstVec b;
    const std::vector<Int>* pick = nullptr;

    Int size() const { return pick ? Int(pick->size()) : b.size; }
    Int row(Int i) const { return pick ? (*pick)[i] : i; }
};

// Appends rows in natural units as rows in true units: first coefficients of all rows, then their right-hand sides.
struct RowWriter {
    ConstVec tau_units;  // true torque of one scaled one
    double size;         // true w of one scaled one
    std::vector<double>& numbers;

    // The rows of `first`, then those of `second`, in their first `columns` columns. The largest coefficient of a torque (or
    // else of w) becomes one.
    void write(const SomeRows& first, const SomeRows& second, Int columns) const;
};

}  // namespace mc
