// dynamics: poses and motions, articulated bodies, compliance, divide and conquer.
#include "dynamics/binding_instants.hpp"
#include "dynamics/closures.hpp"
#include "dynamics/divide_conquer.hpp"

namespace mc::py {

namespace {

using A1 = Given<double, 1>;
using A2 = Given<double, 2>;
using I1 = Given<Int, 1>;

// Poses and motions of all nodes at a state.
struct Kinematics {
    Array<Pose> pose;
    Array<Motion> motion;
};

// The articulated bodies of a mechanism at a configuration.
struct Factored {
    const Mechanism& mechanism;
    ArticulatedBodies bodies;
    Compliance work;
    Int bad;

    Factored(const Mechanism& of, const A1& q, const A1& added) : mechanism(of), bodies(of.size()), work(of.size()) {
        const StateView at = state(of, q, added);
        place(of, at.q, bodies.pose);
        bad = bodies.factor(of, at.v);
    }
};

// One number of each element of an array of structs, as a numpy view of it.
template <class T> ReadOnly column(nb::handle owner, const Array<T>& of, const double* first) {
    const size_t shape[1] = {size_t(of.size)};
    const int64_t stride[1] = {int64_t(sizeof(T) / sizeof(double))};
    return ReadOnly(of.size > 0 ? first : nullptr, 1, shape, owner, stride);
}

void bind_kinematics(nb::module_& m) {
    nb::class_<Kinematics> made(m, "Kinematics");
    made.def("__init__", [](Kinematics* self, const Mechanism& mechanism, A1 q, A1 v) {
        const StateView at = state(mechanism, q, v);
        new (self) Kinematics{Array<Pose>(mechanism.size()), Array<Motion>(mechanism.size())};
        place(mechanism, at.q, self->pose);
        move(mechanism, self->pose, at.v, self->motion);
    });
    const auto of_pose = [&made](const char* name, double Pose::*field) {
        made.def_prop_ro(name, [field](nb::handle self) {
            const Kinematics& k = nb::cast<Kinematics&>(self);
            return column(self, k.pose, &(k.pose.data->*field));
        });
    };
    const auto of_motion = [&made](const char* name, double Motion::*field) {
        made.def_prop_ro(name, [field](nb::handle self) {
            const Kinematics& k = nb::cast<Kinematics&>(self);
            return column(self, k.motion, &(k.motion.data->*field));
        });
    };
    of_pose("x", &Pose::x);
    of_pose("y", &Pose::y);
    of_pose("rx", &Pose::rx);
    of_pose("ry", &Pose::ry);
    of_pose("cos", &Pose::c);
    of_pose("sin", &Pose::s);
    of_pose("theta", &Pose::theta);
    of_pose("ux", &Pose::ux);
    of_pose("uy", &Pose::uy);
    of_motion("omega", static_cast<double Motion::*>(&Motion::omega));
    of_motion("vx", static_cast<double Motion::*>(&Motion::vx));
    of_motion("vy", static_cast<double Motion::*>(&Motion::vy));
    of_motion("ax", &Motion::ax);
    of_motion("ay", &Motion::ay);
}

// Rows of the chosen contacts, then of all pins.
Array<ForceRow> force_rows(const Factored& f, ConstInts contacts) {
    const Int k = contacts.size, loops = f.mechanism.loops();
    const Array<ForceRow> rows(2 * k + loops);
    for (Int i = 0; i < k; ++i) {
        if (contacts[i] < 0 || contacts[i] >= Int(f.mechanism.contacts.size())) throw nb::value_error("no such contact");
        contact_forces(f.mechanism, f.mechanism.contacts[contacts[i]], f.bodies.pose, rows.part(2 * i, 2 * i + 2));
    }
    all_closure_forces(f.mechanism, f.bodies.pose, rows.part(2 * k, 2 * k + loops));
    return rows;
}

void bind_articulated(nb::module_& m) {
    nb::class_<Factored>(m, "ArticulatedBodies")
        .def(nb::init<const Mechanism&, const A1&, const A1&>(), nb::keep_alive<1, 2>(), nb::arg("mechanism"), nb::arg("q"),
             nb::arg("added"))
        .def_ro("bad", &Factored::bad)
        .def_prop_ro("U", [](nb::handle self) {
            const ArticulatedBodies& b = nb::cast<Factored&>(self).bodies;
            const size_t shape[2] = {size_t(b.factors.size), 3};
            const int64_t strides[2] = {int64_t(sizeof(JointFactor) / sizeof(double)), 1};
            return ReadOnly(b.factors.size > 0 ? &b.factors.data->U.moment : nullptr, 2, shape, self, strides);
        })
        .def_prop_ro("D", [](nb::handle self) {
            const ArticulatedBodies& b = nb::cast<Factored&>(self).bodies;
            return column(self, b.factors, &b.factors.data->D);
        })
        .def("solve", [](Factored& f, A1 r, A2 force) {
            const Int n = f.mechanism.size();
            if (Int(r.shape(0)) != n || Int(force.shape(0)) != n || force.shape(1) != 3)
                throw nb::value_error("r needs one number per coordinate, force three");
            for (Int i = 0; i < n; ++i) f.bodies.force[i] = {table(force)(i, 0), table(force)(i, 1), table(force)(i, 2)};
            Made<double> x = make<double>({size_t(n)}), accel = make<double>({size_t(n), 3});
            f.bodies.solve(f.mechanism, view(r), flat(x));
            for (Int i = 0; i < n; ++i) {
                const Twist& a = f.bodies.accel[i];
                grid(accel)(i, 0) = a.omega;
                grid(accel)(i, 1) = a.vx;
                grid(accel)(i, 2) = a.vy;
            }
            return nb::make_tuple(x, accel);
        })
        .def("node_compliance", [](const Factored& f) {
            Made<double> Y = make<double>({size_t(f.mechanism.size()), 6});
            node_compliance(f.mechanism, f.bodies, {reinterpret_cast<NodeCompliance*>(Y.data()), f.mechanism.size()});
            return Y;
        })
        .def("rows", [](const Factored& f, I1 contacts) {  // nodes (m, 2) and wrenches (m, 2, 3)
            const Array<ForceRow> rows = force_rows(f, view(contacts));
            Made<Int> nodes = make<Int>({size_t(rows.size), 2});
            Made<double> forces = make<double>({size_t(rows.size), 2, 3});
            double* next = forces.data();
            for (Int r = 0; r < rows.size; ++r)
                for (Int side = 0; side < 2; ++side) {
                    const Wrench& w = rows[r].force[side];
                    grid(nodes)(r, side) = rows[r].node[side];
                    for (const double value : {w.moment, w.fx, w.fy}) *next++ = value;
                }
            return nb::make_tuple(nodes, forces);
        })
        .def("compliance", [](Factored& f, I1 contacts) {
            const Array<ForceRow> rows = force_rows(f, view(contacts));
            Made<double> L = make<double>({size_t(rows.size), size_t(rows.size)});
            f.work.fill(f.mechanism, f.bodies, rows, grid(L));
            return L;
        });
    m.def("accelerations", [](const Mechanism& mechanism, A1 q, A1 v, A1 tau, A1 added) {
        const StateView at = state(mechanism, q, v), given = state(mechanism, tau, added);
        Made<double> qdd = make<double>({size_t(mechanism.size())});
        ArticulatedBodies bodies(mechanism.size());
        const Int bad = bodies.accelerations(mechanism, at, given.q, given.v, flat(qdd));
        return nb::make_tuple(bad, qdd);
    });
}

// The sides of `(M + diag(added)) X^T = R^T`, checked.
ManySides sides(const Mechanism& mechanism, const A1& q, const A1& added, const A2& R, Made<double>& X) {
    const StateView at = state(mechanism, q, added);
    if (R.shape(0) > 0) check_length(R.shape(1), mechanism.size(), "R needs one column per coordinate");
    return {at.q, at.v, table(R), grid(X)};
}

std::vector<Int> integers(const I1& given, Int end) {
    for (size_t i = 0; i < given.shape(0); ++i)
        if (given.data()[i] < 0 || given.data()[i] >= end) throw nb::value_error("a number in the plan is out of range");
    return std::vector<Int>(given.data(), given.data() + given.shape(0));
}

JoiningPlan read_plan(const Mechanism& mechanism, const nb::object tables[3], const I1& members, const I1& handles, const I1& levels) {
    const Columns joints(tables[0]), parts(tables[1]), joins(tables[2]);
    const Int n = mechanism.size(), bodies = Int(joints.rows), many = Int(parts.rows);
    JoiningPlan plan;
    plan.joints.resize(joints.rows);
    joints.integers("node", plan.joints, &BodyJoint::node, n);
    joints.integers("first", plan.joints, &BodyJoint::first, n);
    joints.integers("count", plan.joints, &BodyJoint::count, 4);
    plan.parts.resize(parts.rows);
    parts.integers("handles", plan.parts, &Subassembly::handles, bodies + 1);
    Int first = 0;
    for (Subassembly& part : plan.parts) {
        part.first_handle = first;
        part.first_entry = plan.entries;
        first += part.handles;
        plan.entries += 9 * part.handles * part.handles;
    }
    check_length(handles.shape(0), first, "the plan needs as many handles as its parts have together");
    plan.joins.resize(joins.rows);
    for (const auto& [name, field] : {std::pair("a", &Join::a), std::pair("b", &Join::b), std::pair("result", &Join::result)})
        joins.integers(name, plan.joins, field, many);
    for (const auto& [name, field] : {std::pair("joint", &Join::joint), std::pair("place_a", &Join::place_a),
                                      std::pair("place_b", &Join::place_b)})
        joins.integers(name, plan.joins, field, bodies);
    plan.members = integers(members, n);
    plan.handles = integers(handles, bodies);
    plan.levels = integers(levels, Int(joins.rows) + 1);
    return plan;
}

void bind_solvers(nb::module_& m) {
    m.def("solve_many", [](const Mechanism& mechanism, A1 q, A1 added, A2 R) {
        Made<double> X = make<double>({R.shape(0), R.shape(1)});
        const ManySides given = sides(mechanism, q, added, R, X);
        Int bad;
        {
            nb::gil_scoped_release other_threads_may_run;
            bad = solve_many(mechanism, given.q, given.added, given.R, given.X);
        }
        return nb::make_tuple(bad, X);
    });
    m.def("compliance_matrix", [](const Mechanism& mechanism, A1 q, A1 added) {
        const StateView at = state(mechanism, q, added);
        const size_t rows = size_t(mechanism.rows() + mechanism.loops());
        Made<double> L = make<double>({rows, rows});
        Int bad;
        {
            nb::gil_scoped_release other_threads_may_run;
            bad = compliance_matrix(mechanism, at.q, at.v, grid(L));
        }
        return nb::make_tuple(bad, L);
    });
    nb::class_<JoiningPlan>(m, "JoiningPlan")
        .def("__init__", [](JoiningPlan* self, const Mechanism& mechanism, nb::object joints, nb::object parts, nb::object joins,
                            I1 members, I1 handles, I1 levels) {
            const nb::object tables[3] = {joints, parts, joins};
            new (self) JoiningPlan(read_plan(mechanism, tables, members, handles, levels));
        }, nb::arg("mechanism"), nb::arg("joints"), nb::arg("parts"), nb::arg("joins"), nb::arg("members"), nb::arg("handles"),
           nb::arg("levels"));
    m.def("solve_many_by_halves", [](const Mechanism& mechanism, const JoiningPlan& plan, A1 q, A1 added, A2 R, Int threads) {
        Made<double> X = make<double>({R.shape(0), R.shape(1)});
        const ManySides given = sides(mechanism, q, added, R, X);
        Int bad;
        {
            nb::gil_scoped_release other_threads_may_run;
            bad = solve_many(mechanism, plan, given, threads);
        }
        return nb::make_tuple(bad, X);
    });
}

}  // namespace

void bind_recursions(nb::module_& m) {
    bind_kinematics(m);
    bind_articulated(m);
    bind_solvers(m);
}

}  // namespace mc::py
