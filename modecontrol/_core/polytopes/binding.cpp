// Linear programs and minimal forms for Python.
#include "polytopes/given_stack.hpp"

#include "polytopes/minimal.hpp"
#include "polytopes/ray_shooting.hpp"
#include "polytopes/row_programs.hpp"
#include "polytopes/simplex.hpp"

namespace mc::py {

using namespace nb::literals;

// The set in a workspace that is large enough for it.
static Rows fitting(const Workspace& ws, const A2& A, const A1& b, const A2& C, const A1& e) {
    const Rows set = rows(A, b, C, e);
    require(set.b.size <= ws.y.size && set.e.size <= ws.z.size && set.A.cols <= ws.x.size, "the set has ", set.b.size,
            " inequalities and ", set.e.size, " equalities in ", set.A.cols, " variables; the workspace holds up to ",
            ws.y.size, ", ", ws.z.size, " and ", ws.x.size);
    return set;
}

static ConstVec objective(const A1& c, Int variables) {
    require(Int(c.shape(0)) == variables, "the objective has ", c.shape(0), " entries for ", variables, " variables");
    return view(c);
}

static nb::tuple maximize(A1 c, A2 A, A1 b, A2 C, A1 e) {
    const Rows set = rows(A, b, C, e);
    const ConstVec goal = objective(c, set.A.cols);
    Workspace ws(set.A.rows, set.C.rows, set.A.cols);
    Answer answer;
    without_python([&](Patience patience) {
        ws.patience = &patience;
        answer = solve_into(ws, goal, set);
        blank(ws, answer.status);
    });
    return nb::make_tuple(Int(answer.status), answer.value, copy(ws.x), copy(ws.ray), copy(ws.y), copy(ws.z));
}

static nb::tuple feasible_point(A2 A, A1 b, A2 C, A1 e) {
    const Rows set = rows(A, b, C, e);
    Workspace ws(set.A.rows, set.C.rows, set.A.cols);
    Status status = UNDECIDED;
    without_python([&](Patience patience) {
        ws.patience = &patience;
        status = prepare(ws, set);
        blank(ws, status);
        if (status == OPTIMAL) ws.y.fill(NaN), ws.z.fill(NaN);
    });
    return nb::make_tuple(Int(status), copy(ws.x), copy(ws.y), copy(ws.z));
}

static nb::tuple maximize_many(A2 c, GivenStack given, Int threads) {
    const Stack stack = given.checked(threads);
    const size_t count = c.shape(0), d = c.shape(1);
    require(Int(count) == stack.count(), "there are ", count, " objectives for ", stack.count(), " sets");
    require(Int(d) == stack.all.A.cols, "the objectives have ", d, " entries for ", stack.all.A.cols, " variables");
    auto status = make<Int>({count});
    auto value = make<double>({count}), x = make<double>({count, d}), ray = make<double>({count, d});
    auto y = make<double>({size_t(stack.all.A.rows)}), z = make<double>({size_t(stack.all.C.rows)});
    without_python([&](const Patience& patience) {
        maximize_batch(table(c), stack, {flat(status), flat(value), grid(x), grid(ray), flat(y), flat(z)}, threads, patience);
    });
    return nb::make_tuple(status, value, x, ray, y, z);
}

// The minimal forms of a stack of sets, their statuses into `status`.
static nb::tuple minimal_into(const Stack& stack, Ints status, nb::object shown, Int threads) {
    const size_t m = size_t(stack.all.A.rows), p = size_t(stack.all.C.rows);
    auto keep = make<bool>({m}), implicit = make<bool>({m});
    auto y = make<double>({m}), z = make<double>({p});
    without_python([&](const Patience& patience) {
        minimal_batch(stack, {status, flat(keep), flat(implicit), flat(y), flat(z)}, threads, patience);
    });
    return nb::make_tuple(shown.is_none() ? nb::cast(status[0]) : shown, keep, implicit, y, z);
}

static nb::tuple minimal_many(GivenStack given, Int threads) {
    const Stack stack = given.checked(threads);
    auto status = make<Int>({size_t(stack.count())});
    return minimal_into(stack, flat(status), nb::cast(status), threads);
}

static nb::tuple minimal(A2 A, A1 b, A2 C, A1 e) {
    const Rows set = rows(A, b, C, e);
    const Int m[2] = {0, set.A.rows}, p[2] = {0, set.C.rows};
    Int status = UNDECIDED;
    return minimal_into({set, {m, 2}, {p, 2}}, {&status, 1}, nb::none(), 1);
}

// What `find(ws)` says of a set without equalities, and the rows that it has proved to be facets.
template <class Find> static nb::tuple facets(const A2& A, const A1& b, Find&& find) {
    require(A.shape(0) == b.shape(0), "A has ", A.shape(0), " rows and b has ", b.shape(0), " entries; expected equally many");
    const Int m = Int(A.shape(0)), d = Int(A.shape(1));
    Workspace ws(m, 0, d);
    load(ws, {table(A), view(b), {nullptr, 0, d}, {}});
    ws.state.part(0, m).fill(UNKNOWN);
    const bool found = find(ws);
    auto proved = make<bool>({A.shape(0)});
    for (Int i = 0; i < m; ++i) proved.data()[i] = ws.state[i] == FACET;
    return nb::make_tuple(found, proved);
}

// Whether the origin is an inner point, and the rows that rays from there prove to be facets.
static nb::tuple facets_from_origin(A2 A, A1 b) { return facets(A, b, shoot_from_origin); }

// Whether every row was decided by a program of its own, and the rows that are facets; for sets with an inner point.
static nb::tuple facets_by_programs(A2 A, A1 b) { return facets(A, b, decide_by_programs); }

static void bind_workspace(nb::module_& m) {
    const auto shown = [](nb::handle self, Vec Workspace::*field) {
        const Vec a = nb::cast<Workspace&>(self).*field;
        return Made<double>(a.data, {size_t(a.size)}, self);
    };
    nb::class_<Workspace>(m, "Workspace")
        .def(nb::init<Int, Int, Int>(), "rows"_a, "equalities"_a, "variables"_a)
        .def_prop_ro("x", [shown](nb::handle self) { return shown(self, &Workspace::x); })
        .def_prop_ro("ray", [shown](nb::handle self) { return shown(self, &Workspace::ray); })
        .def_prop_ro("y", [shown](nb::handle self) { return shown(self, &Workspace::y); })
        .def_prop_ro("z", [shown](nb::handle self) { return shown(self, &Workspace::z); });
    m.def("prepare", [](Workspace& ws, A2 A, A1 b, A2 C, A1 e) { return Int(prepare(ws, fitting(ws, A, b, C, e))); });
    m.def("solve_into", [](Workspace& ws, A1 c, A2 A, A1 b, A2 C, A1 e) {
        const Rows set = fitting(ws, A, b, C, e);
        const Answer answer = solve_into(ws, objective(c, set.A.cols), set);
        return nb::make_tuple(Int(answer.status), answer.value);
    });
    m.def("solve_again", [](Workspace& ws, A1 c) {
        const Answer answer = solve_again(ws, objective(c, ws.d));
        return nb::make_tuple(Int(answer.status), answer.value);
    });
}

void bind_polytopes(nb::module_& m) {
    bind_workspace(m);
    bind_projection(m);
    const nb::object program = record(m, "Program", "status value x ray y z");
    const nb::object point = record(m, "Point", "status x y z");
    const nb::object form = record(m, "Minimal", "status keep implicit y z");
    m.def("maximize", as(program, &maximize), "c"_a, "A"_a, "b"_a, "C"_a, "e"_a);
    m.def("feasible_point", as(point, &feasible_point), "A"_a, "b"_a, "C"_a, "e"_a);
    m.def("minimal", as(form, &minimal), "A"_a, "b"_a, "C"_a, "e"_a);
    m.def("facets_from_origin", &facets_from_origin, "A"_a, "b"_a);
    m.def("facets_by_programs", &facets_by_programs, "A"_a, "b"_a);
    m.def("maximize_batch", [program](A2 c, A2 A, A1 b, A2 C, A1 e, I1 row_start, I1 equality_start, Int threads) {
        return nb::object(program(*maximize_many(c, {A, b, C, e, row_start, equality_start}, threads)));
    }, "c"_a, "A"_a, "b"_a, "C"_a, "e"_a, "row_start"_a, "equality_start"_a, "threads"_a = 1);
    m.def("minimal_batch", [form](A2 A, A1 b, A2 C, A1 e, I1 row_start, I1 equality_start, Int threads) {
        return nb::object(form(*minimal_many({A, b, C, e, row_start, equality_start}, threads)));
    }, "A"_a, "b"_a, "C"_a, "e"_a, "row_start"_a, "equality_start"_a, "threads"_a = 1);
}

}  // namespace mc::py
