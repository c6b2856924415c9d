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

// (status, promised, hoped, programs): points are (found, letters, tau, u, value). `effort` is (patience, cells).
static nb::tuple solve(PromisedInputs& self, const GivenInstant& given, Given<std::int8_t, 1> states, nb::tuple friction, A2 limits,
                       nb::tuple effort) {
    const Instant at = given.view();
    const GivenFriction known(friction, states, given.contacts());
    if (Int(limits.shape(0)) != at.dynamics.S.cols || limits.shape(1) != 2)
        throw nb::value_error("limits need a pair for each input");
    if (at.extra.physical >= at.extra.p.size) throw nb::value_error("the last row has to be the goal");
    const PromisedInputs::Effort allowed{nb::cast<Int>(effort[0]), nb::cast<Int>(effort[1])};
    Choice status;
    {
        nb::gil_scoped_release other_threads_may_run;
        status = self.solve(at, known.of_contacts(), known.view(), table(limits), allowed);
    }
    return nb::make_tuple(Int(status), point(self.best()), point(self.hoped()), self.programs());
}

// What is promised at `tau`, without a torque box; -inf when nothing is.
static double promise(PromisedInputs& self, const GivenInstant& given, Given<std::int8_t, 1> states, nb::tuple friction, A1 tau,
                      nb::tuple effort) {
    const Instant at = given.view();
    const GivenFriction known(friction, states, given.contacts());
    if (Int(tau.shape(0)) != at.dynamics.S.cols) throw nb::value_error("tau needs one number for each input");
    if (at.extra.physical >= at.extra.p.size) throw nb::value_error("the last row has to be the goal");
    const PromisedInputs::Effort allowed{nb::cast<Int>(effort[0]), nb::cast<Int>(effort[1])};
    nb::gil_scoped_release other_threads_may_run;
    return self.promise(at, known.of_contacts(), known.view(), view(tau), allowed);
}

void bind_promise(nb::module_& m) {
    nb::class_<PromisedInputs>(m, "PromisedInputs").def(nb::init<>()).def("solve", &solve).def("promise", &promise);
}

}  // namespace mc::py
