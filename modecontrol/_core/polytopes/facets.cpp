#include "polytopes/facets.hpp"

#include <limits>

#include "lanes.hpp"
#include "polytopes/refactorization.hpp"

namespace mc {

namespace {

constexpr int FRESH = 6;  // linear programs between which rounding may gather

// What an edge meets: the first and second step ahead, the row of the first, the first step back.
struct Edge {
    double first, second, behind;
    Int row;
};

// The steps `value / |slope|` along an edge: ahead where the slope is positive, back where it is negative.
template <class L> MC_INLINE Edge along_with(const double* value, const double* slope, Int rows) {
    const L far = every<L>(UNBLOCKED), least = every<L>(tolerances::SAFE_PIVOT), zero = every<L>(0.0);
    L first = far, second = far, behind = far, place = zero, index = counting<L>(0.0);
    Int i = 0;
    for (; i + lanes_in<L> <= rows; i += lanes_in<L>) {
        const L a = load_lanes<L>(slope + i), size = larger_lanes<L>(a, zero - a);
        const L ratio = load_lanes<L>(value + i) / where_less<L>(least, size, size, every<L>(1.0));
        const L ahead = where_less<L>(least, a, ratio, far);
        behind = smaller_lanes<L>(behind, where_less<L>(a, zero - least, ratio, far));
        second = smaller_lanes<L>(second, larger_lanes<L>(ahead, first));
        place = where_less<L>(ahead, first, index, place);
        first = smaller_lanes<L>(first, ahead);
        index = index + every<L>(double(lanes_in<L>));
    }
    Edge found{UNBLOCKED, UNBLOCKED, UNBLOCKED, 0};
    for (Int l = 0; l < lanes_in<L>; ++l) {
        found.behind = smaller(found.behind, behind[l]);
        found.second = smaller(smaller(found.second, larger(first[l], found.first)), second[l]);
        const bool earlier = first[l] < found.first || (first[l] == found.first && first[l] < UNBLOCKED && Int(place[l]) < found.row);
        found.row = earlier ? Int(place[l]) : found.row;
        found.first = smaller(found.first, first[l]);
    }
    for (; i < rows; ++i) {
        const double a = slope[i], ratio = value[i] / (std::abs(a) > tolerances::SAFE_PIVOT ? std::abs(a) : 1.0);
        const double ahead = a > tolerances::SAFE_PIVOT ? ratio : UNBLOCKED;
        found.behind = smaller(found.behind, a < -tolerances::SAFE_PIVOT ? ratio : UNBLOCKED);
        found.second = smaller(found.second, larger(ahead, found.first));
        found.row = ahead < found.first ? i : found.row;
        found.first = smaller(found.first, ahead);
    }
    return found;
}
MC_ON_EVERY_MACHINE(Edge, along, (const double* value, const double* slope, Int rows), (value, slope, rows))

// How far the slack of column `q` can go below zero before another row stops it.
double reach_of(const Dictionary& D, Int q) {
    double reach = UNBLOCKED;
    for (Int i = 0; i < D.rows; ++i) {
        if (!(D(q, i) < -tolerances::SAFE_PIVOT)) continue;
        reach = smaller(reach, larger(D(0, i), 0.0) / -D(q, i));
    }
    return reach;
}

// The row that stops column `q` there; of several the one with the largest pivot.
Int stopper(const Dictionary& D, Int q, double reach) {
    Int r = 0;
    double best = 0.0;
    for (Int i = 0; i < D.rows; ++i) {
        const double a = D(q, i);
        if (a < best && a < -tolerances::SAFE_PIVOT && D(0, i) <= -(reach + tolerances::STEP_TIE) * a) {
            best = a;
            r = i;
        }
    }
    return r;
}

// Row `r` depends on column `q` alone: the two slacks differ by a constant and a factor.
bool parallel(const Dictionary& D, Int r, Int q) {
    double rest = 0.0;
    for (Int j = 1; j <= D.columns; ++j)
        if (j != q) rest = larger(rest, std::abs(D(j, r)));
    return rest <= tolerances::PARALLEL * larger(1.0, std::abs(D(q, r)));
}

// The row to decide next, -1 when none is left: the one whose steepest edge is the least steep.
Int nearest(const Workspace& ws, const Dictionary& D) {
    const Vec score = ws.slack;
    for (Int i = 0; i < D.rows; ++i) score[i] = 0.0;
    for (Int j = 1; j <= D.columns; ++j)
        for (Int i = 0; i < D.rows; ++i) score[i] = D(j, i) > score[i] ? D(j, i) : score[i];
    Int g = -1;
    double best = std::numeric_limits<double>::infinity();
    for (Int i = 0; i < D.rows; ++i) {
        const double steepest = ws.state[D.row[i]] == UNKNOWN ? score[i] : std::numeric_limits<double>::infinity();
        g = steepest < best ? i : g;
        best = steepest < best ? steepest : best;
    }
    return g;
}

// Questions about rows, asked one after the other of the same dictionary.
class Decision {
public:
    Decision(Workspace& ws, const Dictionary& D) : ws_(ws), D_(D), live_(D.rows) {
        for (Int i = 0; i < ws.m; ++i) exact_ = exact_ & (ws.state[i] != EQUAL);
    }

    bool run() {
        const Int limit = 100 + 10 * (ws_.m + ws_.d);  // every turn or two decide a row
        for (Int turn = 0; any_unknown(); ++turn) {
            if (turn > limit || (ws_.patience && !ws_.patience->spend(2 * D_.columns * D_.rows))) return false;
            if (!mark_facets(ws_, D_, exact_)) return false;
            Int g = nearest(ws_, D_);
            if (g < 0) {
                g = from_column();
                if (g == NONE) break;  // the edges have shown the rest
                if (g == DECIDED) continue;
            }
            if (exact_ && programs_ >= FRESH) {
                if (!make_fresh()) return false;
                continue;
            }
            fresh_ = fresh_ && programs_ == 0;
            ++programs_;
            if (!decide(g)) return false;
        }
        return still_true(ws_, D_, live_);
    }

private:
    static constexpr Int NONE = -1, DECIDED = -2;

    // Whether a row or column is left to decide.
    bool any_unknown() const {
        bool found = false;
        for (Int i = 0; i < D_.rows; ++i) found = found | (ws_.state[D_.row[i]] == UNKNOWN);
        for (Int j = 1; j <= D_.columns; ++j) found = found | (ws_.state[D_.col[j]] == UNKNOWN);
        return found;
    }

    // Remove row `r` from the active rows. Pivots go on to keep it up to date if `from_slacks` asks for it: a column of `S`.
    void drop(Int r) {
        const Int last = --D_.rows;
        swap_rows(D_, r, last);
        bool wanted = false;
        for (Int j = 1; j <= ws_.d; ++j) wanted = wanted | (ws_.base_col[j] == D_.row[last]);
        if (!wanted) swap_rows(D_, last, --live_);
    }

    bool make_fresh() {
        live_ = still_true(ws_, D_, live_) ? refresh(ws_) : -1;
        D_.rows = live_;
        programs_ = 0;
        fresh_ = true;
        return live_ >= 0;
    }

    // A column whose row is not decided becomes a row, whose number is returned; or its parallel row is dropped.
    Int from_column() {
        Int q = 0;
        for (Int j = 1; j <= D_.columns; ++j) q = ws_.state[D_.col[j]] == UNKNOWN ? j : q;
        if (q == 0) return NONE;
        const Int label = D_.col[q], g = stopper(D_, q, reach_of(D_, q)), other = D_.row[g];
        if (parallel(D_, g, q) && (D_(0, g) > tolerances::SAME_ROW * ws_.weight[other] || other > label)) {
            ws_.state[label] = ws_.state[other] != OUT ? ws_.state[other] : Int(UNKNOWN);
            ws_.state[other] = OUT;
            drop(g);
            return DECIDED;
        }
        D_(0, g) = 0.0;
        exchange(D_, live_, g, q);
        return g;
    }

    // `lower` for row `g` until it stays nonnegative or a crossing is confirmed in the data.
    //
    // Otherwise it is DOUBTED, or, when the dictionary is fresh, the slope counts as zero; the row must then be a sum of
    // others in the data, too.
    Descent lower_surely(Int g) {
        Descent code = Descent::LIMIT;
        bool struck = false;
        for (Int turn = 0; turn < 2 * D_.columns + 2; ++turn) {
            const Step step = lower(D_, live_, g, -tolerances::REDUNDANT * ws_.weight[D_.row[g]]);
            code = step.code;
            if (code != Descent::CROSSED || !exact_ || is_crossing(ws_, live_, g, step.at)) break;
            if (!fresh_) return Descent::DOUBTED;
            D_(step.at, g) = 0.0;
            struck = true;
            code = Descent::LIMIT;
        }
        return struck && code != Descent::CROSSED && !is_sum(ws_, D_, g) ? Descent::LIMIT : code;
    }

    // Decide row `g`; false when the iteration limit is reached.
    bool decide(Int g) {
        const Int label = D_.row[g];
        const Descent code = lower_surely(g);
        if (code == Descent::LIMIT) return false;
        if (code == Descent::CROSSED) {
            ws_.state[label] = FACET;
        } else if (code == Descent::DOUBTED) {
            programs_ = FRESH;
        } else {
            Int q = 0;
            for (Int j = 1; j <= D_.columns; ++j) q = q == 0 || std::abs(D_(j, g)) > std::abs(D_(q, g)) ? j : q;
            const double distance = D_(0, g) / ws_.weight[label];
            const bool wins = q > 0 && (distance < -tolerances::SAME_ROW || (distance <= tolerances::SAME_ROW && D_.col[q] > label));
            if (wins && D_(q, g) < -tolerances::SAFE_PIVOT && parallel(D_, g, q)) {
                ws_.state[label] = ws_.state[D_.col[q]];  // of two parallel rows the tighter, or the first, takes over
                ws_.state[D_.col[q]] = OUT;
                exchange(D_, live_, g, q);
            } else {
                ws_.state[label] = OUT;
            }
            drop(g);
        }
        return true;
    }

    Workspace& ws_;
    Dictionary D_;
    Int live_;           // rows that pivots keep up to date
    bool exact_ = true;  // without hidden equalities, which hold to FLAT only, points can be compared with the data
    bool fresh_ = false;
    int programs_ = 0;
};

}  // namespace

bool mark_facets(Workspace& ws, const Dictionary& D, bool exact) {
    const Vec value = ws.slack;
    const Ints state = ws.state;
    bool clear = true;
    const auto mark = [&](Int label, double distance) {
        const double size = ws.weight[label];
        if (state[label] != UNKNOWN || !(distance > tolerances::REDUNDANT * size)) return;
        if (exact && !(distance > tolerances::CLEARLY * size)) clear = false;
        else state[label] = FACET;
    };
    for (Int i = 0; i < D.rows; ++i)  // rounding divided by little is much
        value[i] = D(0, i) > tolerances::STEP_TIE * ws.weight[D.row[i]] ? D(0, i) : 0.0;
    for (Int j = 1; j <= D.columns; ++j) {
        const Edge edge = along(value.data, &D(j, 0), D.rows);
        mark(D.col[j], edge.behind);
        if (!(edge.first < UNBLOCKED)) continue;
        mark(D.row[edge.row], 0.5 * (edge.second - edge.first) * D(j, edge.row));
    }
    return clear;
}

bool decide_facets(Workspace& ws, Dictionary D) {
    return Decision(ws, D).run();
}

}  // namespace mc
