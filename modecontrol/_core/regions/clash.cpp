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

// How much wider than they are common inputs are looked at: inequalities, and equalities, which then are slabs.
struct Looser {
    double inequalities, equalities;
};

void write_equalities(const Grid<double>& C, ConstVec e, Int from, Common& made) {
    for (Int i = 0; i < C.rows; ++i) {
        made.e[from + i] = e[i];
        for (Int j = 0; j < C.cols; ++j) made.C(from + i, j) = C(i, j);
    }
}

// Each equality as two inequalities that far apart, in parts of its natural size.
void write_slabs(const Grid<double>& C, ConstVec e, double half, Int from, Common& made) {
    for (Int i = 0; i < 2 * C.rows; ++i) {
        const ConstVec row = ConstMat(C).row(i / 2);
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        made.b[from + i] = sign * e[i / 2] + half * larger(row_size(row), std::abs(e[i / 2]));
        for (Int j = 0; j < C.cols; ++j) made.A(from + i, j) = sign * row[j];
    }
}

Common common(const MotionFrame& frame, const TorqueRows& own, const PackedMode& its, const Looser& looser) {
    const Int width = its.A.cols, inputs = own.T.cols, m = its.b.size, p = its.e.size, loose = m + own.t.size, tied = p + own.h.size;
    const bool slabs = looser.equalities > 0.0;
    const Int rows = slabs ? loose + 2 * tied : loose, left = slabs ? 0 : tied;
    Common made{Grid<double>(rows, width), Grid<double>(left, width), Array<double>(rows), Array<double>(left)};
    const Grid<double> A = natural(frame, its.A), C = natural(frame, its.C), T = natural(frame, own.T), H = natural(frame, own.H);
    for (Int i = 0; i < loose; ++i) {
        made.b[i] = i < m ? its.b[i] : own.t[i - m];
        for (Int j = 0; j < width; ++j) made.A(i, j) = i < m ? A(i, j) : j < inputs ? T(i - m, j) : 0.0;
        if (looser.inequalities > 0.0)
            made.b[i] += looser.inequalities * larger(row_size(ConstMat(made.A).row(i)), std::abs(made.b[i]));
    }
    if (slabs) {
        write_slabs(C, its.e, looser.equalities, loose, made);
        write_slabs(H, own.h, looser.equalities, loose + 2 * p, made);
    } else {
        write_equalities(C, its.e, 0, made);
        write_equalities(H, own.h, p, made);
    }
    return made;
}

// Whether two torque sets are flat in other ways: a set thinner than rounding passes for flat, and is placed with that error.
bool flat_otherwise(const TorqueRows& own, const TorqueRows& its) {
    bool same = own.h.size == its.h.size;
    for (Int i = 0; same && i < own.h.size; ++i) {
        same = own.h[i] == its.h[i];
        for (Int j = 0; j < own.H.cols; ++j) same = same && own.H(i, j) == its.H(i, j);
    }
    return !same;
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

// The question of `relation` over common inputs that are `looser` than they are.
Relation compare(const MotionFrame& frame, const MotionSet& mine, const TorqueRows& own, const PackedMode& its, const Looser& looser,
                 Patience* patience) {
    const Common both = common(frame, own, its, looser);
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

// A mode that is all but singular moves otherwise within rounding of its border: it clashes with whatever has inputs within that.
static Relation beside_steep(const MotionFrame& frame, const TorqueRows& own, const PackedMode& its, Patience* patience) {
    const Common both = common(frame, own, its, {tolerances::PRESENT, tolerances::PRESENT});
    const Asking asking({both.A, both.b, both.C, both.e}, patience);
    if (asking.status() == INFEASIBLE) return Relation::APART;
    return asking.status() == OPTIMAL ? Relation::CLASH : Relation::UNKNOWN;
}

// Neighbours often share a border only, a flat set on which rounding can leave a program undecided; the same a trifle wider has room.
// Sets that pass for flat, each in its own way, may miss each other by what they are thick.
Relation relation(const MotionFrame& frame, const MotionSet& mine, const TorqueRows& own, const PackedMode& its, Patience* patience) {
    if (is_steep(frame, its)) return beside_steep(frame, own, its, patience);
    Relation found = compare(frame, mine, own, its, {0.0, 0.0}, patience);
    if (found == Relation::UNKNOWN) found = compare(frame, mine, own, its, {tolerances::WIDER, 0.0}, patience);
    if (found == Relation::APART && flat_otherwise(own, torques(its)))
        found = compare(frame, mine, own, its, {tolerances::WIDER, 2.0 * tolerances::FLAT}, patience);
    return found;
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
