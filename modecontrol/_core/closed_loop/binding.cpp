// closed_loop: what Python calls.
#include <nanobind/stl/vector.h>

#include "binding.hpp"
#include "closed_loop/asked_everywhere.hpp"
#include "closed_loop/controlled_run.hpp"
#include "signals.hpp"

namespace mc::py {

namespace {

using A1 = Given<double, 1>;
using A2 = Given<double, 2>;

template <class T> Made<T> array(const std::vector<T>& values) {
    auto made = make<T>({values.size()});
    std::copy(values.begin(), values.end(), made.data());
    return made;
}

// `rows` is (P, p, equality, number of physical ones), the last row being the goal.
WishedRows wished(const nb::tuple& rows, Int columns) {
    const auto P = nb::cast<A2>(rows[0]);
    const auto p = nb::cast<A1>(rows[1]);
    const auto equality = nb::cast<Given<bool, 1>>(rows[2]);
    const Int physical = nb::cast<Int>(rows[3]);
    require(P.shape(0) == p.shape(0) && equality.shape(0) == p.shape(0) && Int(P.shape(1)) == columns && physical >= 0 &&
                physical < Int(p.shape(0)),
            "shapes of P, p, equality do not agree with the model, or the goal is missing");
    return {clone(table(P)), clone(view(p)), clone(view(equality)), physical};
}

void check_coordinate(const ThrustPlan& plan, Int coordinate) {
    require(coordinate >= 0 && coordinate < plan.mechanism.size(), "no coordinate ", coordinate);
}

void bind_plan(nb::module_& m) {
    nb::class_<ThrustPlan>(m, "ThrustPlan")
        .def("__init__", [](ThrustPlan* self, const Mechanism& mechanism, A2 actuation, A1 friction, nb::tuple with_task,
                            nb::tuple without_task, bool has_task) {
            const Int n = mechanism.size(), t = Int(mechanism.inputs.size()), k = Int(mechanism.contacts.size());
            require(Int(actuation.shape(0)) == n && Int(actuation.shape(1)) == t && Int(friction.shape(0)) == k,
                    "actuation and friction do not agree with the mechanism");
            new (self) ThrustPlan;
            self->mechanism = mechanism;
            self->actuation = clone(table(actuation));
            self->friction = clone(view(friction));
            self->rest_speed = Array<double>(k);
            self->with_task = wished(with_task, n + 2 * k + t);
            self->without_task = wished(without_task, n + 2 * k + t);
            self->has_task = has_task;
            self->rest.inputs = Array<double>(t);
        })
        .def_rw("margin", &ThrustPlan::margin)
        .def_rw("patience", &ThrustPlan::patience)
        .def_rw("ignores_ambiguity", &ThrustPlan::ignores_ambiguity)
        .def("judge", [](ThrustPlan& self, A1 rest_speed, double gap, double leaving) {
            require(Int(rest_speed.shape(0)) == self.contacts(), "expected one threshold per contact");
            self.rest_speed = clone(view(rest_speed));
            self.gap = gap, self.leaving = leaving;
        }, nb::arg("rest_speed"), nb::arg("gap"), nb::arg("leaving"))
        .def("observe_rhex", [](ThrustPlan& self, double d, double h, double leg, A1 hips, double reach) {
            require(self.mechanism.size() == RHexGeometry::COORDINATES && self.contacts() == RHexGeometry::CONTACTS &&
                        hips.shape(0) == size_t(RHexGeometry::LEGS),
                    "the observer is for RHex: six coordinates, four contacts, three hips");
            RHexGeometry robot{d, h, leg, reach, {}};
            for (Int i = 0; i < RHexGeometry::LEGS; ++i) robot.hips[i] = hips.data()[i];
            self.observer = robot;
        }, nb::arg("d"), nb::arg("h"), nb::arg("leg"), nb::arg("hips"), nb::arg("reach"))
        .def("end_beyond", [](ThrustPlan& self, Int coordinate, double level) {
            check_coordinate(self, coordinate);
            self.end = Passes{coordinate, level};
        }, nb::arg("coordinate"), nb::arg("level"))
        .def("rest_with", [](ThrustPlan& self, A1 inputs) {
            require(Int(inputs.shape(0)) == self.inputs(), "expected one number per input");
            self.rest.inputs = clone(view(inputs));
            self.rest.first = -1;
        }, nb::arg("inputs"))
        .def("rest_damping", [](ThrustPlan& self, double gain, Int first) {
            check_coordinate(self, first);
            check_coordinate(self, first + self.inputs() - 1);
            self.rest.gain = gain, self.rest.first = first;
        }, nb::arg("gain"), nb::arg("first"))
        .def("hold_lifted", [](ThrustPlan& self, double kp, double kd) {
            self.holds = true, self.kp = kp, self.kd = kd;
        }, nb::arg("kp"), nb::arg("kd"))
        .def("add_link", [](ThrustPlan& self, Int input, Int coordinate, const std::vector<Int>& contacts) {
            check_coordinate(self, coordinate);
            require(input >= 0 && input < self.inputs(), "no input ", input);
            for (const Int c : contacts) require(c >= 0 && c < self.contacts(), "no contact ", c);
            self.links.push_back({input, coordinate, contacts});
        }, nb::arg("input"), nb::arg("coordinate"), nb::arg("contacts"))
        .def("assume", [](ThrustPlan& self, const std::vector<std::vector<Letter>>& modes, double filter_time, double threshold,
                          double ignore, Int coordinate) {
            check_coordinate(self, coordinate);
            require(!modes.empty(), "no mode to assume");
            for (const auto& mode : modes) require(Int(mode.size()) == self.contacts(), "a mode needs a letter per contact");
            self.assumed = AssumedModes{modes, filter_time, threshold, ignore, coordinate};
        }, nb::arg("modes"), nb::arg("filter_time"), nb::arg("threshold"), nb::arg("ignore"), nb::arg("coordinate"))
        .def_prop_ro("inputs", &ThrustPlan::inputs)
        .def_prop_ro("coordinates", [](const ThrustPlan& self) { return self.mechanism.size(); });
}

// (over, held, angles, stage, filtered, has_last, (time, rate, value), times of switches)
nb::tuple memory(const ThrustController& self) {
    const ThrustMemory& m = self.memory;
    return nb::make_tuple(m.over, m.held, m.angle, m.stage, m.filtered, m.has_last,
                          nb::make_tuple(m.last_time, m.last_rate, m.last_value), m.switches);
}

void remember(ThrustController& self, bool over, const std::vector<std::uint8_t>& held, const std::vector<double>& angle, Int stage,
              double filtered, bool has_last, const std::vector<double>& last) {
    require(held.size() == self.plan.links.size() && angle.size() == held.size() && last.size() == 3,
            "the memory is one of another controller");
    require(stage >= 0 && (!self.plan.assumed || stage < Int(self.plan.assumed->modes.size())), "no such stage");
    self.memory = ThrustMemory{over, held, angle, stage, filtered, has_last, last[0], last[1], last[2], {}};
}

void bind_controller(nb::module_& m) {
    nb::class_<ThrustController>(m, "ThrustController")
        .def(nb::init<const ThrustPlan&>(), nb::keep_alive<1, 2>())
        .def_prop_ro("memory", &memory)
        .def("remember", &remember, nb::arg("over"), nb::arg("held"), nb::arg("angle"), nb::arg("stage"), nb::arg("filtered"),
             nb::arg("has_last"), nb::arg("last"));
    m.def("ask_everywhere", [](const ThrustPlan& plan, A2 q, A2 v, Int threads) {
        const Int n = plan.mechanism.size();
        require(Int(q.shape(1)) == n && Int(v.shape(1)) == n && q.shape(0) == v.shape(0),
                "q and v need equally many rows with one number per coordinate");
        const size_t rows = q.shape(0);
        Made<double> torque = make<double>({rows, size_t(plan.inputs())}), value = make<double>({rows});
        Made<Letter> letters = make<Letter>({rows, size_t(plan.contacts())});
        Made<std::uint8_t> fallback = make<std::uint8_t>({rows});
        Asked asked;
        without_python([&](const Patience& patience) {
            asked = ask_everywhere(plan, table(q), table(v), threads, patience,
                                   {grid(torque), flat(value), grid(letters), flat(fallback)});
        });
        require(asked.how != Decided::INDEFINITE, "the velocity of state ", asked.where,
                " cannot be settled: the mass matrix is indefinite");
        require(asked.how != Decided::NOT_FINITE, "the inputs at state ", asked.where, " are not finite");
        return nb::make_tuple(torque, value, letters, fallback);
    }, nb::arg("plan"), nb::arg("q"), nb::arg("v"), nb::arg("threads"));
}

void bind_run(nb::module_& m) {
    nb::class_<LoopOptions> options(m, "LoopOptions");
    fields(options, "h", &LoopOptions::h, "period", &LoopOptions::period, "late", &LoopOptions::late, "clip", &LoopOptions::clip);
    options.def(nb::init<>())
        .def("add_noise", [](LoopOptions& self, A1 q, A1 v) {
            self.is_noisy = true;
            self.noise_q = clone(view(q)), self.noise_v = clone(view(v));
        })
        .def("stop_beyond", [](LoopOptions& self, Int coordinate, double level) { self.stop = Passes{coordinate, level}; },
             nb::arg("coordinate"), nb::arg("level"));
    nb::class_<ControlledRun>(m, "ControlledRun")
        .def("__init__", [](ControlledRun* self, ThrustController& controller, Stepper& stepper, StepRecord& record, A2 actuation,
                            const LoopOptions& options) {
            const Int n = stepper.scene.size();
            require(controller.plan.observer ? n >= RHexGeometry::COORDINATES : n == controller.plan.mechanism.size(),
                    "the controller's model has other coordinates than the simulated one");
            require(controller.plan.inputs() == stepper.torque.size && Int(actuation.shape(0)) == n &&
                        Int(actuation.shape(1)) == stepper.torque.size,
                    "the controller's model has other inputs than the simulated one");
            require(record.shape.coordinates == n && record.shape.contacts == stepper.scene.contacts() &&
                        record.shape.pin_rows == stepper.scene.pins() && record.shape.inputs == stepper.torque.size,
                    "the record is one of another mechanism");
            require(!options.is_noisy || (options.noise_q.size == n && options.noise_v.size == n), "noise needs n numbers");
            require(!options.stop || (options.stop->coordinate >= 0 && options.stop->coordinate < n), "no such coordinate to stop at");
            require(options.period > 0.0 && options.late >= 0, "a period is positive and a delay not negative");
            new (self) ControlledRun(controller, stepper, record, clone(table(actuation)), options);
        }, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def("advance", [](ControlledRun& self, Int last, double patience) {
            nb::gil_scoped_release other_threads_may_run;
            return self.advance(last, patience);
        }, nb::arg("last"), nb::arg("patience"))
        .def("give_noise", [](ControlledRun& self, A1 numbers) { self.give_noise(view(numbers)); })
        .def_prop_ro("samples_seen", &ControlledRun::samples_seen)
        .def_prop_ro("decisions", [](const ControlledRun& self) {
            const DecisionLog& log = self.log();
            return nb::make_tuple(array(log.time), array(log.torque), array(log.predicted), array(log.letters), array(log.value),
                                  array(log.acceleration), array(log.fallback), array(log.ambiguous));
        });
}

}  // namespace

void bind_closed_loop(nb::module_& m) {
    codes(m, {{"STOPPED", int(LoopStatus::STOPPED)}, {"NOISE", int(LoopStatus::NOISE)},
              {"INDEFINITE", int(LoopStatus::INDEFINITE)}, {"INPUTS_NOT_FINITE", int(LoopStatus::INPUTS_NOT_FINITE)}});
    bind_plan(m);
    bind_controller(m);
    bind_run(m);
    m.def("generalised_forces", [](A2 actuation, A1 torque) {
        require(actuation.shape(1) == torque.shape(0), "expected one torque per input");
        Made<double> force = make<double>({actuation.shape(0)});
        generalised_forces(table(actuation), view(torque), flat(force));
        return force;
    });
}

}  // namespace mc::py
