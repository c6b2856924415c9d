#include "polytopes/projection.hpp"

#include "parallel.hpp"
#include "polytopes/elimination.hpp"
#include "polytopes/projection_by_cuts.hpp"
#include "polytopes/sparse_basis.hpp"
#include "polytopes/tight_rows.hpp"
#include "polytopes/workspace.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

// The same set in the kept variables, times a sparse basis of the others: rows scaled by powers of two, then changed.
Side sparse(const Rows& set, View<const bool> keep, Workspace& ws) {
    const Int m = set.A.rows, d = set.A.cols, p = set.C.rows;
    load(ws, set);
    const Grid<double> X(m + p, d - count(keep));
    Side side{Grid<double>(m + p, d), Array<double>(m + p)};
    Int q = 0;
    for (Int j = 0; j < d; ++j) {
        if (keep[j]) continue;
        for (Int i = 0; i < m + p; ++i) X(i, q) = ws.G(j + 1, i);
        ++q;
    }
    sparsify(X, 0);
    q = 0;
    for (Int j = 0; j < d; ++j) {
        for (Int i = 0; i < m + p; ++i) side.rows(i, j) = keep[j] ? ws.G(j + 1, i) / ws.col_scale[j] : X(i, q);
        q += !keep[j];
    }
    for (Int i = 0; i < m + p; ++i) side.right[i] = ws.G(0, i) * ws.blowup;
    return side;
}

// The scaled set as a system in which every row is its own ancestor.
struct Start {
    System system;
    Units units;
};
Start scaled_system(const Rows& set, View<const bool> gone, Workspace& ws) {
    const Int m = set.A.rows, d = set.A.cols, p = set.C.rows;
    load(ws, set);
    System system{Grid<double>(m, d), Array<double>(m), Grid<double>(p, d), Array<double>(p), Array<Int>(d),
                  Grid<bool>(m, m + p), Grid<bool>(p, m + p), Array<Int>(m)};
    for (Int i = 0; i < m + p; ++i) {
        (i < m ? system.b[i] : system.e[i - m]) = ws.G(0, i);
        (i < m ? system.ancestors(i, i) : system.equality_ancestors(i - m, i)) = true;
        for (Int j = 0; j < d; ++j) {
            const double a = ws.G(j + 1, i);
            (i < m ? system.A(i, j) : system.C(i - m, j)) = gone[j] && std::abs(a) <= tolerances::NOISE ? 0.0 : a;
        }
    }
    for (Int j = 0; j < d; ++j) system.names[j] = j;
    return {system, {clone<double>(ws.col_scale.part(0, d)), ws.blowup}};
}

// The clean system without the variables `gone`, by cuts. Equalities, which are in the kept variables only, stay.
Eliminated cut_out(const System& start, View<const bool> gone, Patience* patience) {
    const Flags every(gone.size, true);
    const System flat = substitute(start, every);  // on the affine hull
    const Flags keep(flat.names.size), stay(start.names.size);
    for (Int j = 0; j < keep.size; ++j) keep[j] = !gone[flat.names[j]];
    for (Int j = 0; j < stay.size; ++j) stay[j] = !gone[start.names[j]];
    const Cuts cuts = project_by_cuts(flat.A, flat.b, keep, patience);
    Eliminated found{cuts.status, {}, false};
    if (cuts.status != OPTIMAL) return found;
    found.system = without(start, Flags(start.A.rows), Flags(start.C.rows, true), stay);
    System& made = found.system;
    const Int rows = cuts.b.size;
    made.A = Grid<double>(rows, made.names.size);
    made.b = cuts.b;
    made.parents = Array<Int>(rows);
    made.ancestors = Grid<bool>(rows, start.ancestors.cols);
    for (Int i = 0; i < rows; ++i) {
        Int q = 0;
        for (Int j = 0; j < flat.names.size; ++j) {
            if (!keep[j]) continue;
            for (Int k = 0; k < made.names.size; ++k)
                if (made.names[k] == flat.names[j]) made.A(i, k) = cuts.A(i, q);
            ++q;
        }
        for (Int k = 0; k < flat.b.size; ++k)
            for (Int j = 0; cuts.multipliers(i, k) > 0.0 && j < made.ancestors.cols; ++j)
                made.ancestors(i, j) = made.ancestors(i, j) || flat.ancestors(k, j);
    }
    return found;
}

Grid<double> negative(const Grid<double>& a) {
    Grid<double> made(a.rows, a.cols);
    for (Int i = 0; i < a.rows * a.cols; ++i) made.data[i] = -a.data[i];
    return made;
}
Array<double> negative(const Array<double>& a) {
    Array<double> made(a.size);
    for (Int i = 0; i < a.size; ++i) made[i] = -a[i];
    return made;
}

// The projection in the caller's units, when every row is valid on the set and touches it; else UNDECIDED.
Projection checked_answer(const Rows& set, Eliminated found, const Units& units, Patience* patience) {
    if (found.status == OPTIMAL && found.system.C.rows > 0) {
        const System& all = found.system;
        found.system = without(all, Flags(all.A.rows, true), independent(all.C), Flags(all.names.size, true));
    }
    const System& system = found.system;
    Projection answer{found.status, {}, {}, {}, {}, {}};
    if (answer.status != OPTIMAL) return answer;
    const Side rows = to_caller(system.A, system.b, system.names, units);
    const Side equal = to_caller(system.C, system.e, system.names, units);
    if (!(found.checked && equal.right.size == 0)) {
        const Grid<double> sides = joined<double>(joined<double>(rows.rows, equal.rows), negative(equal.rows));
        const Array<double> ends = joined<double>(joined<double>(rows.right, equal.right), negative(equal.right));
        const Touching touching = tight_rows(set, {sides, ends, system.names}, patience);
        if (!touching.proven || count(touching.tight) != sides.rows) answer.status = UNDECIDED;
    }
    if (answer.status != OPTIMAL) return answer;
    return {OPTIMAL, rows.rows, rows.right, equal.rows, equal.right, joined<bool>(system.ancestors, system.equality_ancestors)};
}

// Whether to try elimination, and whether the set is known to be minimal.
struct How {
    bool eliminate = true, minimal = false;
};

Projection project_set(const Rows& given, View<const bool> keep, const How& how, Patience& patience) {
    const bool eliminate = how.eliminate;
    const Int m = given.A.rows, p = given.C.rows;
    Workspace ws(m, p, given.A.cols);
    Side changed;
    Rows set = given;
    if (keep.size - count(keep) > 1) {
        changed = sparse(given, keep, ws);
        const Mat R = changed.rows;
        const Vec right = changed.right;
        set = {R.part(0, m), right.part(0, m), R.part(m, m + p), right.part(m, m + p)};
    }
    const Flags gone(keep.size);
    for (Int j = 0; j < keep.size; ++j) gone[j] = !keep[j];
    Start start = scaled_system(set, gone, ws);
    if (how.minimal) start_parents(start.system);
    const Status status = how.minimal ? OPTIMAL : clean(start.system, &patience);
    Projection answer{status, {}, {}, {}, {}, {}};
    if (status == INFEASIBLE) return answer;
    if (status == OPTIMAL) start.system = substitute(start.system, gone);
    const auto by_elimination = [&](Int work) {
        Patience some = patience.part(work);
        answer = checked_answer(set, eliminate_variables(set, start.system, gone, start.units, &some), start.units, &some);
        patience.absorb(some);
    };
    const auto by_cuts = [&](Int work) {
        Patience some = patience.part(work);
        answer = checked_answer(set, cut_out(start.system, gone, &some), start.units, &some);
        patience.absorb(some);
    };
    if (status == OPTIMAL && eliminate) by_elimination(Int(tolerances::ELIMINATION_WORK));
    if (answer.status != OPTIMAL || !eliminate) by_cuts(eliminate ? patience.left() / 2 : patience.left());
    if (answer.status != OPTIMAL && status == OPTIMAL && eliminate) by_elimination(patience.left());
    if (answer.status == UNDECIDED && patience.is_over()) answer.status = WORK_LIMIT;
    return answer;
}

Projection shaped(Projection answer, const Rows& set, View<const bool> keep) {
    if (answer.status == OPTIMAL) return answer;
    const Int kept = count(keep), all = set.A.rows + set.C.rows;
    return {answer.status, Grid<double>(0, kept), Array<double>(0), Grid<double>(0, kept), Array<double>(0), Grid<bool>(0, all)};
}

}  // namespace

Projection project(const Rows& set, View<const bool> keep, Patience* patience) {
    Patience own(Int(tolerances::PROJECTION_WORK));
    return shaped(project_set(set, keep, {}, patience ? *patience : own), set, keep);
}

Projection project_minimal(const Rows& set, View<const bool> keep, Patience* patience) {
    Patience own(Int(tolerances::PROJECTION_WORK));
    return shaped(project_set(set, keep, {true, true}, patience ? *patience : own), set, keep);
}

Projection project_without_elimination(const Rows& set, View<const bool> keep, Patience* patience) {
    Patience own(Int(tolerances::PROJECTION_WORK));
    return shaped(project_set(set, keep, {false}, patience ? *patience : own), set, keep);
}

void project_batch(const Stack& stack, View<const bool> keep, std::vector<Projection>& out, Int threads, const Patience& patience) {
    in_parallel(stack.count(), threads, [&] {
        return [&, mine = patience.anew()](Int k) mutable {
            mine.restart();
            out[size_t(k)] = project(stack.set(k), keep, &mine);
            return !mine.is_stopped();
        };
    });
}

}  // namespace mc
