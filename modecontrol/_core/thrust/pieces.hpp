// Pieces of modes: a mode with the task and with cuts `a tau <= c` on the inputs, as a set of `(tau, w)`.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "layout.hpp"
#include "modes/packing.hpp"
#include "owned.hpp"
#include "polytopes/simplex.hpp"
#include "regions/motion.hpp"
#include "tolerances.hpp"

namespace mc {

// Rows `P (qdd, f, tau) >= p` of a task, equalities where `tied`.
struct Wishes {
    ConstMat P;
    ConstVec p;
    View<const bool> tied;
};

// A linear function `g (tau, w) + constant` of a mode.
struct Linear {
    std::vector<double> g;
    double constant = 0.0;

    ConstVec row() const { return {g.data(), Int(g.size())}; }
    bool depends_on_w(Int inputs) const {
        for (Int j = inputs; j < Int(g.size()); ++j)
            if (g[j] != 0.0) return true;
        return false;
    }
    double at(ConstVec x) const {
        double value = constant;
        for (Int j = 0; j < Int(g.size()); ++j) value += g[j] * x[j];
        return value;
    }
};

// How far inputs stay beyond a row `a tau <= t` so that they can be told from its border: CLEAR of its natural size.
double clearance(const MotionFrame& frame, ConstVec a, double t);

// `row (qdd, f, tau) + constant` within a mode; what cancels down to rounding is zero.
Linear within(const PackedMode& mode, ConstVec row, double constant);

// Cuts on the inputs, a row `(a, c)` for each: `a tau <= c`.
struct Cuts {
    Int inputs = 0;
    std::vector<double> rows;

    Int count() const { return Int(rows.size()) / (inputs + 1); }
    ConstMat table() const { return {rows.data(), count(), inputs + 1}; }
    void add(ConstVec a, double c, double sign) {
        for (Int j = 0; j < inputs; ++j) rows.push_back(sign * a[j]);
        rows.push_back(sign * c);
    }
    void tighten(const MotionFrame& frame);   // every cut by a part of its clearance
    void drop_last() { rows.resize(rows.size() - size_t(inputs + 1)); }
};

// A mode with cuts, and the best of it.
struct Piece {
    Int mode;
    double bound;
    Int order;                 // of making
    bool settled;              // the goal does not depend on `w`, or is its least value on this piece
    Linear goal;
    Cuts cuts;
    std::vector<Int> done;     // closed sets that were cut out of it
    std::vector<double> x;     // its optimum, or any point of it when the bound is infinite

    const double* step = nullptr;  // bounds within the same step of this height, one for all pieces, are equal

    double level() const { return *step > 0.0 && std::isfinite(bound) ? std::floor(bound / *step) : bound; }
    // Among equal bounds the piece with most cuts comes first, so that a plateau is searched in depth, then the older one.
    bool operator<(const Piece& other) const {
        if (level() != other.level()) return level() < other.level();
        return cuts.count() != other.cuts.count() ? cuts.count() < other.cuts.count() : order > other.order;
    }
    ConstVec at() const { return {x.data(), Int(x.size())}; }
};

// Linear programs about pieces; memory grows when a larger piece comes and stays.
class PiecePrograms {
public:
    // Programs are posed in the natural units of `frame`; their work is counted by `patience`.
    PiecePrograms(const MotionFrame& frame, Patience* patience)
        : tau_units_(frame.tau_units), w_unit_(frame.size), patience_(patience) {}

    // Greatest `goal` over a piece with the task for some `w`; the point in `point()`.
    Answer greatest(const PackedMode& mode, const Wishes& task, const Cuts& cuts, const Linear& goal);

    // Least `value` over the `w` that the mode allows at the inputs of `x`; multipliers as in `y()`. Rows are loosened by FEASIBLE, so
    // that inputs on the border of the mode have a `w`, and the value is corrected for it.
    Answer least_over_w(const PackedMode& mode, ConstVec x, const Linear& value);

    ConstVec point() const { return ws_->x; }
    ConstVec y() const { return ws_->y; }   // of the inequalities of the mode
    ConstVec z() const { return ws_->z; }   // of those of its equalities that depend on `w`, in order

private:
    void reserve(Int rows, Int equalities, Int width);
    double unit(Int j) const { return power_of_two(j < tau_units_.size ? tau_units_[j] : w_unit_); }
    static double power_of_two(double size) { return std::exp2(std::round(std::log2(size))); }  // keeps all digits
    Answer solve(ConstVec cost, const Mat& A, ConstVec b, const Mat& C, ConstVec e, Int from);

    const ConstVec tau_units_;
    const double w_unit_;
    Patience* const patience_;
    Int rows_ = 0, equalities_ = 0, width_ = 0;
    std::unique_ptr<Workspace> ws_;
    std::vector<double> A_, b_, C_, e_, cost_;
};

}  // namespace mc
