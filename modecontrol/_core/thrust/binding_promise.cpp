// thrust: promises over uncertain friction.
#include "modes/given_instant.hpp"
#include "thrust/binding_point.hpp"
#include "thrust/promised_inputs.hpp"

namespace mc::py {

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;

// `friction` is (low, high, base, slope); `states` are codes of ContactState.
struct GivenFriction {
    A1 low, high, base;
    A2 slope;
    std::vector<ContactState> states;

    GivenFriction(nb::tuple friction, Given<std::int8_t, 1> codes, Int contacts) {
        if (friction.size() != 4) throw nb::value_error("expected friction (low, high, base, slope)");
        low = nb::cast<A1>(friction[0]), high = nb::cast<A1>(friction[1]), base = nb::cast<A1>(friction[2]);
        slope = nb::cast<A2>(friction[3]);
        if (low.shape(0) != high.shape(0) || slope.shape(1) != low.shape(0) || slope.shape(0) != base.shape(0) ||
            Int(base.shape(0)) != contacts || Int(codes.shape(0)) != contacts)
            throw nb::value_error("shapes of friction and states do not agree with the instant");
        for (Int i = 0; i < contacts; ++i) {
            if (!is_state(codes.data()[i])) throw nb::value_error("a contact has no such state");
            states.push_back(ContactState(codes.data()[i]));
        }
    }
    FrictionParameters view() const { return {py::view(low), py::view(high), py::view(base), table(slope)}; }
    View<const ContactState> of_contacts() const { return {states.data(), Int(states.size())}; }
};

// `spread` is None or (first coordinate, levels, slopes, inputs, first pair of rows); see `Spread`.
struct GivenSpread {
    A2 level, slope;
    Given<Int, 1> input;
    Spread spread;

    GivenSpread(nb::object given, const Instant& at) {
        if (given.is_none()) return;
        const auto parts = nb::cast<nb::tuple>(given);
        if (parts.size() != 5) throw nb::value_error("expected a spread (first, levels, slopes, inputs, pairs)");
        level = nb::cast<A2>(parts[1]), slope = nb::cast<A2>(parts[2]), input = nb::cast<Given<Int, 1>>(parts[3]);
        spread = {nb::cast<Int>(parts[0]), table(level), table(slope), view(input), nb::cast<Int>(parts[4])};
        const Int count = spread.count(), inputs = at.dynamics.S.cols;
        Int relative = 0;
        for (Int j = 0; j < count; ++j) {
            if (spread.input[j] >= inputs) throw nb::value_error("a relative error has no such input");
            relative += spread.input[j] >= 0;
        }
        if (spread.level.cols != count || spread.slope.cols != count || spread.slope.rows != spread.level.rows || spread.first < 0 ||
            spread.first + count != at.dynamics.M.rows || spread.pairs < 0 || spread.pairs + 2 * relative > at.extra.physical)
            throw nb::value_error("shapes of the spread do not agree with the instant");
    }
    const Spread* view_or_null() const { return spread.count() > 0 ? &spread : nullptr; }
};

static void check_goal(const Instant& at) {
    if (at.extra.physical >= at.extra.p.size) throw nb::value_error("the last row has to be the goal");
}

// (patience, cells, start); without `start` half the patience.
static PromisedInputs::Effort given_effort(const nb::tuple& effort) {
    const Int patience = nb::cast<Int>(effort[0]);
    return {patience, nb::cast<Int>(effort[1]), effort.size() > 2 ? nb::cast<Int>(effort[2]) : patience / 2};
}

// (status, promised, hoped, programs): points are (found, letters, tau, u, value). `effort` is that of `given_effort`; `nominal` is the
// instant without its disturbances.
static nb::tuple solve(PromisedInputs& self, const GivenInstant& given, Given<std::int8_t, 1> states, nb::tuple friction, A2 limits,
                       nb::tuple effort, nb::object spread, nb::object nominal) {
    const Instant at = given.view();
    const GivenFriction known(friction, states, given.contacts());
    const GivenSpread disturbed(spread, at);
    if (Int(limits.shape(0)) != at.dynamics.S.cols || limits.shape(1) != 2)
        throw nb::value_error("limits need a pair for each input");
    check_goal(at);
    const GivenInstant* plain = nominal.is_none() ? nullptr : nb::cast<const GivenInstant*>(nominal);
    const Instant without = plain ? plain->view() : at;
    if (plain && (plain->contacts() != given.contacts() || without.dynamics.S.cols != at.dynamics.S.cols))
        throw nb::value_error("the instant without disturbances has other contacts or inputs");
    check_goal(without);
    const PromisedInputs::Effort allowed = given_effort(effort);
    const Asked asked{at, known.of_contacts(), known.view(), disturbed.view_or_null(), plain ? &without : nullptr};
    Choice status;
    {
        nb::gil_scoped_release other_threads_may_run;
        status = self.solve(asked, table(limits), allowed);
    }
    return nb::make_tuple(Int(status), point(self.best()), point(self.hoped()), self.programs());
}

// What is promised at `tau`, without a torque box; -inf when nothing is.
static double promise(PromisedInputs& self, const GivenInstant& given, Given<std::int8_t, 1> states, nb::tuple friction, A1 tau,
                      nb::tuple effort, nb::object spread) {
    const Instant at = given.view();
    const GivenFriction known(friction, states, given.contacts());
    const GivenSpread disturbed(spread, at);
    if (Int(tau.shape(0)) != at.dynamics.S.cols) throw nb::value_error("tau needs one number for each input");
    check_goal(at);
    const PromisedInputs::Effort allowed = given_effort(effort);
    const Asked asked{at, known.of_contacts(), known.view(), disturbed.view_or_null(), nullptr};
    nb::gil_scoped_release other_threads_may_run;
    return self.promise(asked, view(tau), allowed);
}

void bind_promise(nb::module_& m) {
    nb::class_<PromisedInputs>(m, "PromisedInputs")
        .def(nb::init<>())
        .def("solve", &solve, nb::arg("instant"), nb::arg("states"), nb::arg("friction"), nb::arg("limits"), nb::arg("effort"),
             nb::arg("spread") = nb::none(), nb::arg("nominal") = nb::none())
        .def("met_steep", &PromisedInputs::met_steep)
        .def("promise", &promise, nb::arg("instant"), nb::arg("states"), nb::arg("friction"), nb::arg("tau"), nb::arg("effort"),
             nb::arg("spread") = nb::none());
}

}  // namespace mc::py
