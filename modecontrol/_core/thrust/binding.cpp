// thrust: what Python calls.
#include "modes/given_instant.hpp"
#include "regions/given_response.hpp"
#include "thrust/binding_point.hpp"

namespace mc::py {

void bind_measured_instant(nb::module_& m);
void bind_promise(nb::module_& m);

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;
using B1 = Given<bool, 1>;

// (status, best, hoped, programs)
static nb::tuple best_inputs(BestInputs& self, const GivenInstant& given, A2 limits, double margin, Int patience) {
    const Instant at = given.view();
    if (Int(limits.shape(0)) != at.dynamics.S.cols || limits.shape(1) != 2)
        throw nb::value_error("limits need a pair for each input");
    if (at.extra.physical >= at.extra.p.size) throw nb::value_error("the last row has to be the goal");
    Choice status;
    {
        nb::gil_scoped_release other_threads_may_run;
        status = self.solve(at, table(limits), {margin, patience});
    }
    return nb::make_tuple(Int(status), point(self.best()), point(self.hoped()), self.programs());
}

// (place of the mode, (tau, w), value)
static nb::tuple candidate(const Candidate& made) { return nb::make_tuple(made.mode, array(made.x), made.value); }

// (status, best, hoped, pieces, programs): `goal` is (row, constant), `task` (P, p, equality), `effort` (margin, patience, guaranteed).
static nb::tuple over_response(nb::tuple packed, nb::tuple frame, nb::tuple goal, nb::tuple task, nb::tuple effort) {
    const GivenResponse given = given_response(packed, frame);
    const PackedView all = given.view();
    const auto row = nb::cast<A1>(goal[0]);
    const auto P = nb::cast<A2>(task[0]);
    const auto p = nb::cast<A1>(task[1]);
    const auto tied = nb::cast<B1>(task[2]);
    if (P.shape(0) != p.shape(0) || tied.shape(0) != p.shape(0) || P.shape(1) != row.shape(0) ||
        Int(row.shape(0)) < given.inputs || Int(row.shape(0)) > given.unknowns + given.inputs)
        throw nb::value_error("shapes of goal and task do not agree with the response");
    const Demand asked{view(row), nb::cast<double>(goal[1]), {table(P), view(p), view(tied)}, nb::cast<double>(effort[0]),
                       nb::cast<Int>(effort[1]), nb::cast<bool>(effort[2])};
    Found found;
    {
        nb::gil_scoped_release other_threads_may_run;
        KnownModes modes(given.frame, asked.patience);
        for (Int i = 0; i < all.shape.rows; ++i) modes.add(mode_of(all, i), Status(all.of(i).status));
        found = best_first(modes, asked, nullptr);
    }
    return nb::make_tuple(Int(found.status), candidate(found.best), candidate(found.hoped), found.pieces, found.programs);
}

void bind_thrust(nb::module_& m) {
    bind_measured_instant(m);
    bind_promise(m);
    nb::class_<BestInputs>(m, "BestInputs").def(nb::init<>()).def("solve", &best_inputs);
    m.def("best_first", &over_response);
}

}  // namespace mc::py
