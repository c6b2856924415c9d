// timestepping: what Python calls.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.hpp"
#include "timestepping/articulated_response.hpp"
#include "timestepping/condensed_bodies.hpp"
#include "timestepping/independent_bodies.hpp"
#include "timestepping/joint_space.hpp"
#include "timestepping/kept_velocities.hpp"
#include "timestepping/stepper.hpp"

namespace mc::py {

namespace {

using A1 = Given<double, 1>;
using I1 = Given<Int, 1>;

// A numpy view of a part of what `owner` holds.
template <class T> nb::ndarray<nb::numpy, T> part_of(nb::handle owner, T* data, std::initializer_list<size_t> shape) {
    return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.begin(), owner);
}
// Of each near contact of the waiting problem, a copy.
template <class T> Made<T> of_near(const Stepper& stepper, Array<T> NearContacts::*field) {
    const NearContacts& near = stepper.rows().near;
    return copy(View<T>((near.*field).part(0, near.count)));
}

Scene scene_of(const Mechanism& mechanism, const A1& restitution, const StepOptions& options) {
    Scene made{mechanism, options, 0.0, mechanism.mass()};
    if (restitution.shape(0) != mechanism.contacts.size()) throw nb::value_error("restitution needs one number per contact");
    for (size_t c = 0; c < mechanism.contacts.size(); ++c) {
        Contact& contact = made.mechanism.contacts[c];
        contact.restitution = restitution.data()[c];
        made.reach = larger(made.reach, std::hypot(contact.centre.x, contact.centre.y));
        made.reach = larger(made.reach, std::hypot(contact.other_centre.x, contact.other_centre.y));
        for (const Int shape : {contact.shape, contact.other_shape})
            if (shape >= 0)
                for (const Point& corner : mechanism.shapes[shape].corner) made.reach = larger(made.reach, std::hypot(corner.x, corner.y));
    }
    return made;
}

// Columns `body`, `below` (n,) of the owners of the joints.
std::vector<JointOwner> owners(const Mechanism& mechanism, const I1& body, const I1& below, const I1& hinges) {
    const size_t n = size_t(mechanism.size());
    if (body.shape(0) != n || below.shape(0) != n) throw nb::value_error("owners need one row per coordinate");
    std::vector<JointOwner> owner(n);
    const auto known = [n](Int node) {
        if (node < -1 || node >= Int(n)) throw nb::value_error("no such node");
        return node;
    };
    for (size_t i = 0; i < n; ++i) owner[i] = {known(body.data()[i]), known(below.data()[i])};
    for (size_t i = 0; i < hinges.shape(0); ++i) known(hinges.data()[i]);
    return owner;
}

// How a formulation solves with the mass matrix, by its name; none where the caller answers every contact problem.
struct Way {
    std::string name;
    const JoiningPlan* plan = nullptr;
    I1 body, below, hinges;

    std::unique_ptr<Response> response(const Mechanism& mechanism) const {
        const Int n = mechanism.size();
        if (name == "aba") return std::make_unique<ArticulatedResponse>(n, mechanism.loops());
        if (name == "dense") return std::make_unique<DenseResponse>(n);
        if (name == "dca" && plan) return std::make_unique<DivideConquerResponse>(n, *plan);
        if (name == "rmc") return std::make_unique<DenseResponse>(n, mechanism.loops());
        if (name == "mc") return std::make_unique<KeptVelocities>(std::make_unique<JointUnknowns>(n));
        if (name == "nmc" || name == "nmc/os" || name == "nmc/os, sprung") {
            const std::vector<JointOwner> owner = owners(mechanism, body, below, hinges);
            const std::vector<Int> hinge(hinges.data(), hinges.data() + hinges.shape(0));
            if (name == "nmc/os") return std::make_unique<IndependentBodies>(owner, hinge);
            if (name != "nmc") return std::make_unique<CondensedBodies>(owner, hinge);
            return std::make_unique<KeptVelocities>(std::make_unique<BodyUnknowns>(owner, hinge));
        }
        if (name != "outside") throw nb::value_error("unknown way to solve with the mass matrix");
        return nullptr;     // every contact problem waits for an answer
    }
};

void bind_options(nb::module_& m) {
    nb::class_<StepOptions> options(m, "StepOptions");
    fields(options, "h", &StepOptions::h, "impact_speed", &StepOptions::impact_speed, "slack", &StepOptions::slack, "g_eps",
           &StepOptions::g_eps, "correction", &StepOptions::correction, "eps", &StepOptions::eps, "balanced", &StepOptions::balanced);
    options.def(nb::init<>())
        .def_prop_rw("integrator", [](const StepOptions& o) { return Int(o.integrator); },
                     [](StepOptions& o, Int i) {
                         if (i < 0 || i > Int(Integrator::FREE_RUNGE_KUTTA)) throw nb::value_error("no such integrator");
                         o.integrator = Integrator(i);
                     })
        .def_prop_rw("position_level", [](const StepOptions& o) { return o.level == Level::POSITION; },
                     [](StepOptions& o, bool position) { o.level = position ? Level::POSITION : Level::VELOCITY; });
    nb::class_<Way>(m, "Way")
        .def("__init__", [](Way* self, const std::string& name) { new (self) Way{name, nullptr, {}, {}, {}}; })
        .def("__init__", [](Way* self, const JoiningPlan& plan) { new (self) Way{"dca", &plan, {}, {}, {}}; },
             nb::keep_alive<1, 2>())
        .def("__init__", [](Way* self, const std::string& name, I1 body, I1 below, I1 hinges) {
            new (self) Way{name, nullptr, body, below, hinges};
        });
}

Int advance(Stepper& stepper, Int last, A1 force, A1 torque, StepRecord& record, double patience) {
    const RecordShape& shape = record.shape;
    if (Int(force.shape(0)) != stepper.scene.size() || Int(torque.shape(0)) != stepper.torque.size)
        throw nb::value_error("a step needs one force per coordinate and one torque per input");
    if (shape.coordinates != stepper.scene.size() || shape.contacts != stepper.scene.contacts() ||
        shape.pin_rows != stepper.scene.pins() || shape.inputs != stepper.torque.size)
        throw nb::value_error("the record is one of another mechanism");
    nb::gil_scoped_release other_threads_may_run;
    for (Int i = 0; i < stepper.scene.size(); ++i) stepper.state.tau[i] = force.data()[i];
    for (Int i = 0; i < stepper.torque.size; ++i) stepper.torque[i] = torque.data()[i];
    return Int(stepper.advance(last, record, patience));
}

void answer(Stepper& stepper, A1 v_plus, A1 p, Int method, double residual, Int rows) {
    if (Int(v_plus.shape(0)) != stepper.scene.size() || Int(p.shape(0)) != stepper.rows().size())
        throw nb::value_error("an answer needs one velocity per coordinate and one impulse per row");
    stepper.answer(view(v_plus), view(p), {method, residual, rows});
}

void bind_stepper(nb::module_& m) {
    nb::class_<Stepper>(m, "Stepper")
        .def("__init__", [](Stepper* self, const Mechanism& mechanism, A1 restitution, const StepOptions& options, const Way& way,
                            bool whole) {
            new (self) Stepper(scene_of(mechanism, restitution, options), Int(mechanism.inputs.size()),
                               {way.response(mechanism), whole});
        }, nb::arg("mechanism"), nb::arg("restitution"), nb::arg("options"), nb::arg("way"), nb::arg("whole") = false)
        .def("place", [](Stepper& stepper, A1 q, A1 v) {
            if (Int(q.shape(0)) != stepper.scene.size() || Int(v.shape(0)) != stepper.scene.size())
                throw nb::value_error("q and v need one number per coordinate");
            stepper.place(view(q), view(v));
        })
        .def("advance", &advance)
        .def("answer", &answer)
        .def("set_push", [](Stepper& s, Int i, double x, double y, double moment) {
            if (i < 0 || i >= Int(s.scene.mechanism.pushes.size())) throw nb::value_error("no such push");
            s.set_push(i, {x, y}, moment);
        })
        .def("set_drive", [](Stepper& s, Int i, double q0, double v0, double q1, double v1) {
            if (i < 0 || i >= s.drives()) throw nb::value_error("no such drive");
            s.set_drive(i, {q0, v0, q1, v1});
        })
        .def_rw("watch_pieces", &Stepper::watch_pieces)
        .def_prop_ro("pieces", [](const Stepper& s) {      // start, length, q, v, q and v at the end
            nb::list found;
            for (const SmoothPart& p : s.pieces) found.append(nb::make_tuple(p.start, p.length, p.q, p.v, p.q_end, p.v_end));
            return found;
        })
        .def_prop_ro("impacts", [](const Stepper& s) {     // (time, contact, normal impulse) each
            Made<double> found = make<double>({s.impacts.size(), 3});
            for (size_t i = 0; i < s.impacts.size(); ++i) {
                grid(found)(Int(i), 0) = s.impacts[i].time;
                grid(found)(Int(i), 1) = double(s.impacts[i].contact);
                grid(found)(Int(i), 2) = s.impacts[i].impulse;
            }
            return found;
        }, nb::rv_policy::move)
        .def_prop_ro("singular", &Stepper::singular)
        .def_prop_ro("gained", [](const Stepper& s) { return nb::make_tuple(s.gained.gain(), s.gained.turnover()); })
        .def_prop_ro("book", [](const Stepper& s) { return nb::make_tuple(s.book.unexplained(), s.book.explained()); })
        .def_prop_ro("risen", [](const Stepper& s) { return nb::make_tuple(s.book.risen(), s.book.at_hand()); })
        .def_prop_ro("most_risen", [](const Stepper& s) { return s.book.most_risen(); })
        .def_ro("gained_over_run", &Stepper::gained_over_run)
        .def_prop_ro("q", [](nb::handle self) {
            const StepState& state = nb::cast<Stepper&>(self).state;
            return part_of<double>(self, state.q.data, {size_t(state.q.size)});
        })
        .def_prop_ro("v", [](nb::handle self) {
            const StepState& state = nb::cast<Stepper&>(self).state;
            return part_of<double>(self, state.v.data, {size_t(state.v.size)});
        })
        .def_prop_ro("force", [](const Stepper& s) { return copy(View<double>(s.state.tau)); }, nb::rv_policy::move)
        .def_prop_ro("time", &Stepper::waiting_time)
        .def_prop_ro("near", [](const Stepper& s) { return of_near(s, &NearContacts::contact); }, nb::rv_policy::move)
        .def_prop_ro("offset", [](const Stepper& s) { return of_near(s, &NearContacts::offset); }, nb::rv_policy::move)
        .def_prop_ro("softness", [](const Stepper& s) { return of_near(s, &NearContacts::softness); }, nb::rv_policy::move)
        .def_prop_ro("target", [](const Stepper& s) { return copy(View<double>(s.rows().target)); }, nb::rv_policy::move)
        .def_prop_ro("p", [](const Stepper& s) { return copy(View<double>(s.rows().p.part(0, s.rows().size()))); },
                     nb::rv_policy::move)
        .def_prop_ro("push", [](const Stepper& s) {
            Made<double> push = copy(View<double>(s.rows().push.part(s.rows().pins, s.rows().size())));
            if (!s.waiting_decompression()) flat(push).fill(0.0);
            return push;
        }, nb::rv_policy::move);
}

}  // namespace

void bind_step_record(nb::module_& m);
void bind_step_parts(nb::module_& m);

void bind_timestepping(nb::module_& m) {
    m.attr("DONE") = Int(StepStatus::DONE);
    m.attr("ASK") = Int(StepStatus::ASK);
    m.attr("SINGULAR") = Int(StepStatus::SINGULAR);
    m.attr("NOT_FINITE") = Int(StepStatus::NOT_FINITE);
    m.attr("PAUSED") = Int(StepStatus::PAUSED);
    m.attr("FULL") = Int(StepStatus::FULL);
    m.attr("GAINED") = Int(StepStatus::GAINED);
    bind_options(m);
    bind_step_record(m);
    bind_stepper(m);
    bind_step_parts(m);
}

}  // namespace mc::py
