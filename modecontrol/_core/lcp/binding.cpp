// lcp: what Python calls.
#include "binding.hpp"

#include <nanobind/stl/optional.h>

#include <memory>

#include "lcp/all_bases.hpp"
#include "lcp/bases.hpp"
#include "lcp/check.hpp"
#include "lcp/gauss_seidel.hpp"
#include "lcp/lemke.hpp"
#include "lcp/mixed.hpp"
#include "lcp/phase_one.hpp"
#include "lcp/principal.hpp"
#include "parallel.hpp"
#include "tolerances.hpp"

namespace mc::py {

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;
using B1 = Given<bool, 1>;
using Basis = std::optional<B1>;

static Lcp problem(const A2& M, const A1& q) {
    if (M.shape(0) != M.shape(1) || M.shape(0) != q.shape(0)) throw nb::value_error("M must be square, with as many rows as q");
    return {table(M), view(q), Int(q.shape(0))};
}

// Put a guessed basis into the workspace; returns whether there was one.
static bool guessed(const Basis& guess, Int n, LcpWorkspace& ws) {
    if (!guess) return false;
    if (Int(guess->shape(0)) != n) throw nb::value_error("guess needs one entry for each row");
    for (Int i = 0; i < n; ++i) ws.active[i] = guess->data()[i];
    return true;
}

// (z, active, status, pivots, residual)
static nb::tuple told(const LcpOutcome& outcome, const LcpWorkspace& ws, Int n) {
    return nb::make_tuple(copy(ws.z.part(0, n)), copy(ws.active.part(0, n)), Int(outcome.status), outcome.pivots,
                          outcome.residual);
}

// Run a method on a problem in a workspace of its own, other threads being free to go on.
template <class Method> static nb::tuple solve(const A2& M, const A1& q, const Basis& guess, Method method) {
    const Lcp lcp = problem(M, q);
    LcpWorkspace ws(lcp.n);
    const bool warm = guessed(guess, lcp.n, ws);
    LcpOutcome outcome;
    {
        nb::gil_scoped_release other_threads_may_run;
        outcome = method(lcp, ws, warm);
    }
    return told(outcome, ws, lcp.n);
}

static nb::tuple lemke_path(A2 M, A1 q, Basis guess, Int limit, Int turn, bool wide) {
    return solve(M, q, guess, [=](const Lcp& lcp, LcpWorkspace& ws, bool warm) {
        return lemke_core(lcp, ws, {warm, limit, turn, wide});
    });
}

static nb::tuple precise_path(A2 M, A1 q, Int limit, Int turn) {
    return solve(M, q, Basis(), [=](const Lcp& lcp, LcpWorkspace& ws, bool) { return precise_lemke(lcp, ws, {false, limit, turn, false}); });
}

static nb::tuple lemke_paths(A2 M, A1 q, Basis guess, Int covers) {
    return solve(M, q, guess, [=](const Lcp& lcp, LcpWorkspace& ws, bool warm) { return lemke(lcp, ws, warm, covers); });
}

// In the first `n` rows of M and q, in a workspace that is kept: (status, pivots, residual), the rest in `ws`.
static nb::tuple lemke_into(LcpWorkspace& ws, A2 M, A1 q, Int n, bool guess, Int limit) {
    problem(M, q);
    if (n < 0 || n > Int(q.shape(0)) || n > ws.capacity) throw nb::value_error("n is beyond the problem or the workspace");
    const LcpOutcome outcome = lemke_core({table(M), view(q), n}, ws, {guess, limit, 0, false});
    return nb::make_tuple(Int(outcome.status), outcome.pivots, outcome.residual);
}

// Many problems of one size on several threads: z (count, n), active (count, n), status, pivots and residual of each.
static nb::tuple lemke_batch(Given<double, 3> M, A2 q, Int covers, Int threads) {
    const size_t count = q.shape(0), n = q.shape(1);
    if (M.shape(0) != count || M.shape(1) != n || M.shape(2) != n) throw nb::value_error("M must be (count, n, n), q (count, n)");
    if (threads < 1) throw nb::value_error("threads must be at least one");
    auto z = make<double>({count, n}), residual = make<double>({count});
    auto active = make<bool>({count, n});
    auto status = make<Int>({count}), pivots = make<Int>({count});
    {
        nb::gil_scoped_release other_threads_may_run;
        in_parallel(Int(count), threads, [&] {
            return [&, ws = std::make_shared<LcpWorkspace>(Int(n))](Int k) {
                const Lcp lcp{{M.data() + k * n * n, Int(n), Int(n)}, {q.data() + k * n, Int(n)}, Int(n)};
                const LcpOutcome outcome = lemke(lcp, *ws, false, covers);
                for (size_t i = 0; i < n; ++i) z.data()[k * n + i] = ws->z[i], active.data()[k * n + i] = ws->active[i];
                status.data()[k] = Int(outcome.status), pivots.data()[k] = outcome.pivots, residual.data()[k] = outcome.residual;
                return true;
            };
        });
    }
    return nb::make_tuple(z, active, status, pivots, residual);
}

static nb::tuple mixed(A2 M, A1 q, Int bilateral) {
    const Lcp lcp = problem(M, q);
    if (bilateral < 0 || bilateral > lcp.n) throw nb::value_error("bilateral must lie between zero and the number of rows");
    MixedWorkspace ws(lcp.n);
    LcpOutcome outcome;
    {
        nb::gil_scoped_release other_threads_may_run;
        outcome = mixed_lemke(lcp, bilateral, false, ws);
    }
    return nb::make_tuple(copy(ws.free.part(0, bilateral)), copy(ws.lcp.z.part(0, lcp.n - bilateral)), Int(outcome.status),
                          outcome.pivots, outcome.residual);
}

static nb::tuple scales(A2 M) {
    if (M.shape(0) != M.shape(1)) throw nb::value_error("M must be square");
    LcpWorkspace ws(Int(M.shape(0)));
    equilibrate({table(M), {}, Int(M.shape(0))}, ws);
    return nb::make_tuple(copy(ws.row), copy(ws.column));
}

// What a problem is before it is solved: (row, column, sound), its scales and whether numbers stay finite.
static nb::tuple readied(A2 M, A1 q) {
    const Lcp lcp = problem(M, q);
    LcpWorkspace ws(lcp.n);
    bool sound = finite(lcp);
    if (sound) {
        equilibrate(lcp, ws);
        sound = within_reach(lcp, ws);
    }
    return nb::make_tuple(copy(ws.row), copy(ws.column), sound);
}

// (z, w, residual) of a candidate
static nb::tuple checked(A2 M, A1 q, A1 z, B1 bilateral, A1 row) {
    const Lcp lcp = problem(M, q);
    for (size_t size : {z.shape(0), bilateral.shape(0), row.shape(0)})
        if (size != q.shape(0)) throw nb::value_error("z, bilateral and row need one entry for each row");
    auto raised = make<double>({q.shape(0)}), w = make<double>({q.shape(0)});
    for (Int i = 0; i < lcp.n; ++i) raised.data()[i] = z.data()[i];
    const double residual = check(lcp, {bilateral.data(), lcp.n}, view(row), flat(raised), flat(w));
    return nb::make_tuple(raised, w, residual);
}

static nb::tuple basis_values(A2 M, A1 q, B1 active) {
    const Lcp lcp = problem(M, q);
    LcpWorkspace ws(lcp.n);
    guessed(active, lcp.n, ws);
    equilibrate(lcp, ws);
    const bool regular = solve_basis(lcp, ws);
    return nb::make_tuple(regular, copy(ws.z));
}

static double residual(A2 M, A1 q, A1 z, B1 active) {
    const Lcp lcp = problem(M, q);
    if (z.shape(0) != q.shape(0)) throw nb::value_error("z needs one entry for each row");
    LcpWorkspace ws(lcp.n);
    guessed(active, lcp.n, ws);
    for (Int i = 0; i < lcp.n; ++i) ws.z[i] = z.data()[i];
    equilibrate(lcp, ws);
    return measure(lcp, ws);
}

static nb::tuple every_basis(A2 M, A1 q, bool first, Int most) {
    const Lcp lcp = problem(M, q);
    AllBases found;
    {
        nb::gil_scoped_release other_threads_may_run;
        found = all_bases(lcp, first, first ? 1 : most);
    }
    const size_t count = found.kinds.size(), n = size_t(lcp.n);
    auto z = make<double>({count, n}), residuals = make<double>({count});
    auto kinds = make<Int>({count});
    auto bases = make<bool>({count, n});
    for (size_t k = 0; k < count * n; ++k) z.data()[k] = found.z[k], bases.data()[k] = found.bases[k];
    for (size_t k = 0; k < count; ++k) kinds.data()[k] = found.kinds[k], residuals.data()[k] = found.residuals[k];
    return nb::make_tuple(z, kinds, bases, residuals, found.tried, found.undecided);
}

static void exchange_in_place(nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> T, Int r, Int c) {
    const Mat t{T.data(), Int(T.shape(0)), Int(T.shape(1))};
    if (r < 0 || r >= t.rows || c < 0 || c >= t.cols) throw nb::value_error("r or c lies outside of the tableau");
    exchange(t, r, c, Array<double>(t.cols), Array<double>(t.rows));
}

static nb::tuple first_phase(A2 A, A1 b) {
    if (A.shape(0) != b.shape(0)) throw nb::value_error("A and b need equally many rows");
    auto x = make<double>({A.shape(1)});
    const double distance = phase_one(table(A), view(b), flat(x));
    return nb::make_tuple(distance, x);
}

static nb::tuple singular_values(A2 A) {
    if (A.shape(0) < A.shape(1) || A.shape(1) == 0) throw nb::value_error("A needs columns, and at least as many rows");
    const Grid<double> rotated(Int(A.shape(0)), Int(A.shape(1)));
    for (Int i = 0; i < rotated.rows * rotated.cols; ++i) rotated.data[i] = A.data()[i];
    const SingularValues values = extreme_singular_values(rotated);
    return nb::make_tuple(values.least, values.largest);
}

void bind_friction(nb::module_& m);     // binding_friction.cpp

void bind_lcp(nb::module_& m) {
    using namespace nb::literals;
    const auto shown = [](nb::handle self, View<double> a) {
        return nb::ndarray<nb::numpy, double>(a.data, {size_t(a.size)}, self);
    };
    nb::class_<LcpWorkspace>(m, "Workspace")
        .def(nb::init<Int>())
        .def_prop_ro("z", [shown](nb::handle self) { return shown(self, nb::cast<LcpWorkspace&>(self).z); })
        .def_prop_ro("w", [shown](nb::handle self) { return shown(self, nb::cast<LcpWorkspace&>(self).w); })
        .def_prop_ro("active", [](nb::handle self) {
            const LcpWorkspace& ws = nb::cast<LcpWorkspace&>(self);
            return nb::ndarray<nb::numpy, bool>(ws.active.data, {size_t(ws.capacity)}, self);
        });
    m.attr("NOTHING") = Int(BasisKind::NOTHING);
    m.attr("POINT") = Int(BasisKind::POINT);
    m.attr("CONTINUUM") = Int(BasisKind::CONTINUUM);
    m.def("scales", &scales, "M"_a);
    m.def("readied", &readied, "M"_a, "q"_a);
    m.def("check", &checked, "M"_a, "q"_a, "z"_a, "bilateral"_a, "row"_a);
    m.def("lemke", &lemke_paths, "M"_a, "q"_a, "guess"_a = nb::none(), "covers"_a = Int(tolerances::COVERS));
    m.def("lemke_batch", &lemke_batch, "M"_a, "q"_a, "covers"_a = Int(tolerances::COVERS), "threads"_a = 1);
    m.def("lemke_path", &lemke_path, "M"_a, "q"_a, "guess"_a = nb::none(), "limit"_a = -1, "turn"_a = 0,
          "wide"_a = false);
    m.def("precise_lemke", &precise_path, "M"_a, "q"_a, "limit"_a = -1, "turn"_a = 0);
    m.def("lemke_into", &lemke_into, "ws"_a, "M"_a, "q"_a, "n"_a, "guess"_a = false, "limit"_a = -1);
    m.def("mixed_lemke", &mixed, "M"_a, "q"_a, "bilateral"_a);
    m.def("principal_pivoting", [](A2 M, A1 q, Int limit) {
        return solve(M, q, Basis(), [=](const Lcp& lcp, LcpWorkspace& ws, bool) {
            return principal_pivoting(lcp, ws, limit < 0 ? principal_limit(lcp.n) : limit);
        });
    }, "M"_a, "q"_a, "limit"_a = -1);
    m.def("gauss_seidel", [](A2 M, A1 q, Int sweeps) {
        return solve(M, q, Basis(), [=](const Lcp& lcp, LcpWorkspace& ws, bool) { return gauss_seidel(lcp, ws, sweeps); });
    }, "M"_a, "q"_a, "sweeps"_a = Int(tolerances::SWEEPS));
    m.def("all_bases", &every_basis, "M"_a, "q"_a, "first"_a = false, "most"_a = 4096);
    m.def("solve_basis", &basis_values, "M"_a, "q"_a, "active"_a);
    m.def("measure", &residual, "M"_a, "q"_a, "z"_a, "active"_a);
    m.def("exchange", &exchange_in_place, nb::arg("T").noconvert(), "r"_a, "c"_a);
    m.def("phase_one", &first_phase, "A"_a, "b"_a);
    m.def("extreme_singular_values", &singular_values, "A"_a);
    bind_friction(m);
}

}  // namespace mc::py
