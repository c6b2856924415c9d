#include "regions/clash.hpp"

#include "polytopes/simplex.hpp"

namespace mc {

namespace {

// The largest coefficient of a row in natural units.
double row_size(ConstVec a) {
    double size = 0.0;
    for (Int j = 0; j < a.size; ++j) size = larger(size, std::abs(a[j]));
    return size > 0.0 ? size : 1.0;
}

// Common inputs of two modes with the `w` of the second, in natural units: `{(tau, w') : (tau, w') in D_c', tau in T_c}`.
struct Common {
    Grid<double> A, C;
    Array<double> b, e;
};

// `loose` moves every inequality out by that part of its natural size.
Common common(const MotionFrame& frame, const TorqueRows& own, const PackedMode& its, double loose) {
    const Int width = its.A.cols, inputs = own.T.cols, m = its.b.size, p = its.e.size;
    Common made{Grid<double>(m + own.t.size, width), Grid<double>(p + own.h.size, width), Array<double>(m + own.t.size),
                Array<double>(p + own.h.size)};
    const Grid<double> A = natural(frame, its.A), C = natural(frame, its.C), T = natural(frame, own.T), H = natural(frame, own.H);
    for (Int i = 0; i < made.A.rows; ++i) {
        made.b[i] = i < m ? its.b[i] : own.t[i - m];
        for (Int j = 0; j < width; ++j) made.A(i, j) = i < m ? A(i, j) : j < inputs ? T(i - m, j) : 0.0;
        if (loose > 0.0) made.b[i] += loose * larger(row_size(ConstMat(made.A).row(i)), std::abs(made.b[i]));
    }
    for (Int i = 0; i < made.C.rows; ++i) {
        made.e[i] = i < p ? its.e[i] : own.h[i - p];
        for (Int j = 0; j < width; ++j) made.C(i, j) = i < p ? C(i, j) : j < inputs ? H(i - p, j) : 0.0;
    }
    return made;
}

// `y' - y` along the motions that c has not: rows `(I - Q Q') (y'(tau, w') - y0 - Y tau)`, and the part `Q' (...)`, which is z.
struct Difference {
    Grid<double> rows, z;  // coefficients on (tau, w'), constant last
};

Difference difference(const MotionSet& mine, const MotionMap& shown) {
    const Int r = shown.constant.size, inputs = shown.U.cols, w = shown.W.cols, width = inputs + w, rank = mine.Q.cols;
    Difference made{Grid<double>(r, width + 1), Grid<double>(rank, width + 1)};
    for (Int i = 0; i < r; ++i) {
        for (Int j = 0; j <= width; ++j) {
            const double theirs = j < inputs ? shown.U(i, j) : j < width ? shown.W(i, j - inputs) : shown.constant[i];
            const double ours = j < inputs ? mine.map.U(i, j) : j < width ? 0.0 : mine.map.constant[i];
            const double left = theirs - ours;
            made.rows(i, j) = std::abs(left) > tolerances::CANCELLED * (std::abs(theirs) + std::abs(ours)) ? left : 0.0;
        }
    }
    for (Int j = 0; j <= width; ++j) {
        double whole = 0.0;
        for (Int i = 0; i < r; ++i) whole = larger(whole, std::abs(made.rows(i, j)));
        for (Int k = 0; k < rank; ++k) {
            double along = 0.0;
            for (Int i = 0; i < r; ++i) along += mine.Q(i, k) * made.rows(i, j);
            made.z(k, j) = std::abs(along) > tolerances::CANCELLED * whole ? along : 0.0;
        }
        if (rank == 0) continue;
        for (Int i = 0; i < r; ++i) {
            for (Int k = 0; k < rank; ++k) made.rows(i, j) -= mine.Q(i, k) * made.z(k, j);
            if (std::abs(made.rows(i, j)) <= tolerances::CANCELLED * whole) made.rows(i, j) = 0.0;
        }
    }
    return made;
}

// Asks how far a row `c x + constant` can rise above a level over one set, from wherever the last question ended.
class Asking {
public:
    Asking(const Rows& set, Patience* patience) : ws_(set.b.size, set.e.size, set.A.cols), against_(set.A.cols) {
        ws_.patience = patience;
        if (patience) patience->spend(Int(tolerances::WORKSPACE_SET_UP));
        status_ = prepare(ws_, set);
    }
    Status status() const { return status_; }

    // Whether a row `(c, constant)` stays at or below zero over the set, and above it too (`both_ways`), to SAME_MOTION of its
    // terms: CLASH when it does not, else what was known before, or UNKNOWN.
    Relation stays(ConstVec row, bool both_ways, Relation before) {
        const Relation below = rises(row, 1.0), above = both_ways ? rises(row, -1.0) : Relation::SAME;
        if (below == Relation::CLASH || above == Relation::CLASH) return Relation::CLASH;
        return below == Relation::SAME && above == Relation::SAME ? before : Relation::UNKNOWN;
    }

private:
    Relation rises(ConstVec row, double sign) {
        const Int width = against_.size;
        const double constant = sign * row[width];
        bool depends = false;
        for (Int j = 0; j < width; ++j) {
            against_[j] = sign * row[j];
            depends = depends || row[j] != 0.0;
        }
        double value = 0.0, size = larger(1.0, std::abs(constant));
        if (depends) {
            const Answer answer = solve_again(ws_, against_);
            if (answer.status == UNBOUNDED) return Relation::CLASH;
            if (answer.status != OPTIMAL) return Relation::UNKNOWN;
            value = answer.value;
            for (Int j = 0; j < width; ++j) size = larger(size, std::abs(row[j] * ws_.x[j]));
        }
        return value + constant > tolerances::SAME_MOTION * size ? Relation::CLASH : Relation::SAME;
    }

    Workspace ws_;
    Array<double> against_;
    Status status_;
};

// A row `a (tau, z) - level` of `E_c` as a row on `(tau, w')`, constant last.
void substitute(ConstVec a, double level, Int inputs, ConstMat z, Vec row) {
    const Int width = z.cols - 1;
    for (Int j = 0; j <= width; ++j) {
        double total = j < inputs ? a[j] : j == width ? -level : 0.0, size = std::abs(total);
        for (Int k = 0; k < z.rows; ++k) {
            const double share = a[inputs + k] * z(k, j);
            total += share;
            size += std::abs(share);
        }
        row[j] = std::abs(total) > tolerances::CANCELLED * size ? total : 0.0;
    }
}

bool depends_on_motion(ConstVec a, Int inputs) {
    for (Int k = inputs; k < a.size; ++k)
        if (a[k] != 0.0) return true;
    return false;
}

// The question of `relation` over common inputs that are a part `wider` than they are.
Relation compare(const MotionFrame& frame, const MotionSet& mine, const TorqueRows& own, const PackedMode& its, double wider,
                 Patience* patience) {
    const Common both = common(frame, own, its, wider);
    Asking asking({both.A, both.b, both.C, both.e}, patience);
    if (asking.status() == INFEASIBLE) return Relation::APART;
    if (asking.status() != OPTIMAL || mine.status != OPTIMAL) return Relation::UNKNOWN;
    const Difference apart = difference(mine, motion_map(frame, its));
    const Int inputs = its.U.cols, width = inputs + its.W.cols, loose = mine.A.rows;
    Relation found = Relation::SAME;
    for (Int i = 0; i < apart.rows.rows && found != Relation::CLASH; ++i)
        found = asking.stays(ConstMat(apart.rows).row(i), true, found);
    const Array<double> row(width + 1);
    for (Int i = 0; i < loose + mine.C.rows && found != Relation::CLASH; ++i) {
        const bool tied = i >= loose;
        const ConstVec a = tied ? ConstMat(mine.C).row(i - loose) : ConstMat(mine.A).row(i);
        if (!depends_on_motion(a, inputs)) continue;
        substitute(a, tied ? mine.e[i - loose] : mine.b[i], inputs, apart.z, row);
        const double size = row_size(a);
        for (Int j = 0; j <= width; ++j) row[j] /= size;
        found = asking.stays(row, tied, found);
    }
    return found;
}

}  // namespace

// Neighbours often share a border only, a flat set on which rounding can leave a program undecided; the same a trifle wider has room.
Relation relation(const MotionFrame& frame, const MotionSet& mine, const TorqueRows& own, const PackedMode& its, Patience* patience) {
    const Relation found = compare(frame, mine, own, its, 0.0, patience);
    return found != Relation::UNKNOWN ? found : compare(frame, mine, own, its, tolerances::WIDER, patience);
}

Relation within_torques(const MotionFrame& frame, const TorqueRows& own, const TorqueRows& its, Patience* patience) {
    const Grid<double> T = natural(frame, its.T), H = natural(frame, its.H), mine = natural(frame, own.T), tie = natural(frame, own.H);
    Asking asking({T, its.t, H, its.h}, patience);
    if (asking.status() == INFEASIBLE) return Relation::SAME;
    if (asking.status() != OPTIMAL) return Relation::UNKNOWN;
    const Int inputs = own.T.cols, loose = own.t.size;
    const Array<double> row(inputs + 1);
    Relation found = Relation::SAME;
    for (Int i = 0; i < loose + own.h.size && found != Relation::CLASH; ++i) {
        const bool tied = i >= loose;
        const ConstVec a = tied ? ConstMat(tie).row(i - loose) : ConstMat(mine).row(i);
        const double size = row_size(a);
        for (Int j = 0; j < inputs; ++j) row[j] = a[j] / size;
        row[inputs] = -(tied ? own.h[i - loose] : own.t[i]) / size;
        found = asking.stays(row, tied, found);
    }
    return found;
}

}  // namespace mc
