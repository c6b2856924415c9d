// dynamics: what Python calls.
#include "dynamics/binding_instants.hpp"

#include <nanobind/stl/optional.h>

#include <memory>

#include "dynamics/applied_forces.hpp"
#include "dynamics/closures.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/features.hpp"
#include "dynamics/nearest_velocity.hpp"
#include "dynamics/shape_tables.hpp"
#include "dynamics/terrain_features.hpp"
#include "parallel.hpp"

namespace mc::py {

void bind_recursions(nb::module_& m);

namespace {

using A1 = Given<double, 1>;
using A2 = Given<double, 2>;

std::vector<TreeNode> read_nodes(const Columns& table) {
    std::vector<TreeNode> nodes(table.rows);
    const Int n = Int(table.rows);
    table.integers("parent", nodes, &TreeNode::parent, n);
    table.integers("anchor", nodes, &TreeNode::anchor, n);
    const Given<bool, 1> turns = table.numbers<bool>("turns");
    for (Int i = 0; i < n; ++i) {
        nodes[i].turns = turns.data()[i];
        if (nodes[i].parent >= i) throw nb::value_error("the parent of a node needs to come before it");
    }
    table.points("at", nodes, &TreeNode::at);
    table.numbers("angle", nodes, &TreeNode::angle);
    table.points("direction", nodes, &TreeNode::direction);
    table.numbers("mass", nodes, &TreeNode::mass);
    table.points("com", nodes, &TreeNode::com);
    table.numbers("inertia", nodes, &TreeNode::inertia);
    table.numbers("stiffness", nodes, &TreeNode::stiffness);
    table.numbers("damping", nodes, &TreeNode::damping);
    table.numbers("rest", nodes, &TreeNode::rest);
    table.numbers("armature", nodes, &TreeNode::armature);
    return nodes;
}

// What is no contact of bodies, and what is not Coulomb's law alone.
void read_laws(const Columns& table, std::vector<Contact>& contacts) {
    table.numbers("length", contacts, &Contact::length);
    table.numbers("lower", contacts, &Contact::lower);
    table.numbers("upper", contacts, &Contact::upper);
    const Given<Int, 1> kind = table.numbers<Int>("entry"), way = table.numbers<Int>("way");
    const Given<double, 1> hold = table.numbers<double>("hold"), pull = table.numbers<double>("pull"),
                           speed = table.numbers<double>("speed"), least = table.numbers<double>("least"),
                           most = table.numbers<double>("most");
    for (size_t c = 0; c < table.rows; ++c) {
        const Int code = kind.data()[c];
        if (code != 0 && (code < Int(ContactKind::CABLE) || code > Int(ContactKind::DRIVE)))
            throw nb::value_error("no such kind of contact");
        if (code != 0) contacts[c].kind = ContactKind(code);
        if (contacts[c].at_joint() && contacts[c].node < 0) throw nb::value_error("stops, dry joints and drives need coordinates");
        contacts[c].law = {hold.data()[c], pull.data()[c], speed.data()[c], way.data()[c], least.data()[c], most.data()[c]};
    }
}

std::vector<Contact> read_contacts(const Columns& table, Int n, Int shapes, Int terrains) {
    std::vector<Contact> contacts(table.rows);
    const Given<bool, 1> discs = table.numbers<bool>("discs");
    for (size_t c = 0; c < table.rows; ++c) contacts[c].kind = discs.data()[c] ? ContactKind::DISCS : ContactKind::PLANE;
    table.integers("node", contacts, &Contact::node, n);
    table.integers("other", contacts, &Contact::other, n);
    table.points("centre", contacts, &Contact::centre);
    table.numbers("radius", contacts, &Contact::radius);
    table.points("origin", contacts, &Contact::origin);
    table.points("tangent", contacts, &Contact::tangent);
    table.points("other_centre", contacts, &Contact::other_centre);
    table.numbers("other_radius", contacts, &Contact::other_radius);
    table.numbers("friction", contacts, &Contact::friction);
    table.numbers("restitution", contacts, &Contact::restitution);
    table.numbers("tangential_restitution", contacts, &Contact::tangential_restitution);
    table.numbers("stiffness", contacts, &Contact::stiffness);
    table.numbers("damping", contacts, &Contact::damping);
    table.integers("shape", contacts, &Contact::shape, shapes);
    table.integers("other_shape", contacts, &Contact::other_shape, shapes);
    table.integers("terrain", contacts, &Contact::terrain, terrains);
    table.integers("touches", contacts, &Contact::touches, MOST_TOUCHES + 1);
    table.integers("slot", contacts, &Contact::slot, MOST_TOUCHES);
    read_laws(table, contacts);
    return contacts;
}

// The points of each row of a table with the columns `first` and `count`.
template <class Make> void each_points(const Columns& table, const A2& points, const Make& make) {
    const Given<Int, 1> first = table.numbers<Int>("first"), count = table.numbers<Int>("count");
    if (points.shape(1) != 2) throw nb::value_error("points need two numbers each");
    for (size_t i = 0; i < table.rows; ++i) {
        const Int from = first.data()[i], many = count.data()[i];
        if (from < 0 || many < 1 || from + many > Int(points.shape(0))) throw nb::value_error("a shape needs points that exist");
        std::vector<Point> found;
        for (Int k = from; k < from + many; ++k) found.push_back({points.data()[2 * k], points.data()[2 * k + 1]});
        make(i, found);
    }
}

std::vector<ConvexShape> read_shapes(const Columns& table, const A2& points) {
    std::vector<ConvexShape> shapes;
    const Given<double, 1> radius = table.numbers<double>("radius");
    each_points(table, points, [&](size_t i, std::vector<Point>& found) { shapes.push_back(make_shape(found, radius.data()[i])); });
    return shapes;
}

std::vector<Terrain> read_terrains(const Columns& table, const A2& points) {
    std::vector<Terrain> terrains;
    const Given<bool, 1> planes = table.numbers<bool>("planes");
    each_points(table, points, [&](size_t i, std::vector<Point>& found) {
        if (found.size() < 2) throw nb::value_error("terrain needs at least two points");
        terrains.push_back(make_terrain(found, planes.data()[i]));
    });
    return terrains;
}

std::vector<Closure> read_closures(const Columns& table, Int n) {
    std::vector<Closure> closures(table.rows);
    const Given<Int, 1> kind = table.numbers<Int>("kind");
    table.integers("node", closures, &Closure::node, n);
    table.integers("other", closures, &Closure::other, n);
    table.points("point", closures, &Closure::point);
    table.points("other_point", closures, &Closure::other_point);
    table.numbers("angle", closures, &Closure::angle);
    table.points("axis", closures, &Closure::axis);
    table.numbers("length", closures, &Closure::length);
    table.numbers("ratio", closures, &Closure::ratio);
    for (size_t c = 0; c < table.rows; ++c) {
        const Int code = kind.data()[c];
        if (code < 0 || code > Int(ClosureKind::DRIVE)) throw nb::value_error("no such kind of closure");
        closures[c].kind = ClosureKind(code);
        const bool joints = closures[c].kind == ClosureKind::GEAR || closures[c].kind == ClosureKind::DRIVE;
        if (joints && (closures[c].node < 0 || (closures[c].kind == ClosureKind::GEAR && closures[c].other < 0)))
            throw nb::value_error("a gear or drive needs coordinates");
    }
    return closures;
}

std::vector<Spring> read_springs(const Columns& table, Int n) {
    std::vector<Spring> springs(table.rows);
    table.integers("node", springs, &Spring::node, n);
    table.integers("other", springs, &Spring::other, n);
    table.points("point", springs, &Spring::point);
    table.points("other_point", springs, &Spring::other_point);
    table.numbers("stiffness", springs, &Spring::stiffness);
    table.numbers("damping", springs, &Spring::damping);
    table.numbers("length", springs, &Spring::length);
    return springs;
}

std::vector<Push> read_pushes(const Columns& table, Int n) {
    std::vector<Push> pushes(table.rows);
    table.integers("node", pushes, &Push::node, n);
    table.points("point", pushes, &Push::point);
    table.points("force", pushes, &Push::force);
    table.numbers("moment", pushes, &Push::moment);
    const Given<bool, 1> follows = table.numbers<bool>("follows");
    for (size_t c = 0; c < table.rows; ++c) pushes[c].follows = follows.data()[c];
    return pushes;
}

std::vector<InputLimits> read_inputs(const Columns& table, Int n) {
    std::vector<InputLimits> inputs(table.rows);
    table.integers("coordinate", inputs, &InputLimits::coordinate, n);
    table.numbers("lower", inputs, &InputLimits::lower);
    table.numbers("upper", inputs, &InputLimits::upper);
    table.numbers("stall", inputs, &InputLimits::stall);
    table.numbers("no_load", inputs, &InputLimits::no_load);
    return inputs;
}

nb::tuple snapshot_at(const Mechanism& mechanism, const A1& q, const A1& v) {
    const StateView at = state(mechanism, q, v);
    const Instants made(mechanism, 1);
    InstantWorkspace work(mechanism.size());
    snapshot(mechanism, at, work, made.at(0));
    return made.arrays(false);
}

nb::tuple snapshots(const Mechanism& mechanism, const A2& Q, const A2& V, Int threads) {
    if (Int(Q.shape(1)) != mechanism.size() || Int(V.shape(1)) != mechanism.size() || Q.shape(0) != V.shape(0))
        throw nb::value_error("Q and V need equally many rows with one number per coordinate");
    const Instants made(mechanism, Int(Q.shape(0)));
    {
        nb::gil_scoped_release other_threads_may_run;
        in_parallel(Int(Q.shape(0)), threads, [&] {
            return [&, work = std::make_unique<InstantWorkspace>(mechanism.size())](Int i) {
                snapshot(mechanism, {table(Q).row(i), table(V).row(i)}, *work, made.at(i));
                return true;
            };
        });
    }
    return made.arrays(true);
}

Made<double> nearest(const A2& M, const A2& J, const A2& A, const A1& v, std::optional<A1> a, double mass) {
    const size_t n = v.shape(0);
    if (M.shape(0) != n || M.shape(1) != n || J.shape(1) != n || A.shape(1) != n || (a && a->shape(0) != A.shape(0)))
        throw nb::value_error("shapes of M, J, A, v and a do not agree");
    Made<double> settled = make<double>({n});
    NearestWorkspace work(Int(n), Int(A.shape(0)));
    const NearestProblem problem{table(M), table(J), table(A), view(v), a ? view(*a) : ConstVec{}, mass};
    if (!nearest_velocity(problem, work, flat(settled))) throw nb::value_error("the mass matrix is indefinite");
    return settled;
}

void bind_state(nb::module_& m) {
    m.def("snapshot", &snapshot_at);
    m.def("snapshots", &snapshots);
    m.def("nearest_velocity", &nearest, nb::arg("M"), nb::arg("J"), nb::arg("A"), nb::arg("v"), nb::arg("a").none(),
          nb::arg("mass"));
    m.def("torque_box", [](const Mechanism& mechanism, A1 v) {
        check_length(v.shape(0), mechanism.size(), "v needs one number per coordinate");
        Made<double> limits = make<double>({mechanism.inputs.size(), 2});
        torque_box(mechanism, view(v), grid(limits));
        return limits;
    });
    m.def("contact_points", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose(mechanism.size());
        place(mechanism, state(mechanism, q, q).q, pose);
        Made<double> found = make<double>({mechanism.contacts.size(), 5});
        contact_points(mechanism, pose, grid(found));
        return found;
    });
    // For each contact the features that touch: kind (1 disc against disc), node, other, radius, other radius, whether sides are
    // exchanged; and centre, origin, tangent, other centre.
    m.def("active_contacts", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose(mechanism.size());
        place(mechanism, state(mechanism, q, q).q, pose);
        Made<double> found = make<double>({mechanism.contacts.size(), 14});
        const Mat rows = grid(found);
        for (Int c = 0; c < rows.rows; ++c) {
            Contact room;
            const Contact& at = active(mechanism, mechanism.contacts[c], pose, room);
            const double values[14] = {double(at.kind == ContactKind::DISCS), double(at.node), double(at.other), at.radius,
                                       at.other_radius, double(at.exchanged), at.centre.x, at.centre.y, at.origin.x, at.origin.y,
                                       at.tangent.x, at.tangent.y, at.other_centre.x, at.other_centre.y};
            for (Int k = 0; k < 14; ++k) rows(c, k) = values[k];
        }
        return found;
    });
    m.def("first_inside", [](const Mechanism& mechanism, A2 q, Int stride, A1 least) {
        check_length(q.shape(1), mechanism.size(), "q needs one number per coordinate");
        if (stride < 1 || least.shape(0) > mechanism.contacts.size()) throw nb::value_error("a stride or a bound is out of range");
        Made<Int> found = make<Int>({least.shape(0)});
        const Array<Pose> pose(mechanism.size());
        first_inside(mechanism, table(q), stride, view(least), pose, flat(found));
        return found;
    });
    m.def("gaps", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose(mechanism.size());
        place(mechanism, state(mechanism, q, q).q, pose);
        Made<double> found = make<double>({mechanism.contacts.size()});
        gaps(mechanism, pose, flat(found));
        return found;
    });
    m.def("applied_forces", [](const Mechanism& mechanism, A1 q, A1 v) {     // of springs and pushes, generalised
        const StateView at = state(mechanism, q, v);
        InstantWorkspace work(mechanism.size());
        place(mechanism, at.q, work.pose);
        move(mechanism, work.pose, at.v, work.motion);
        Made<double> found = make<double>({size_t(mechanism.size())});
        applied_forces(mechanism, work.pose, work.motion, work.force, flat(found));
        return found;
    });
    m.def("openings", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose(mechanism.size());
        place(mechanism, state(mechanism, q, q).q, pose);
        Made<double> found = make<double>({size_t(mechanism.loops())});
        all_openings(mechanism, pose, flat(found));
        return found;
    });
    m.def("energies", [](const Mechanism& mechanism, A1 q, A1 v) {
        const Array<Pose> pose(mechanism.size());
        const Array<Motion> motion(mechanism.size());
        const Energies e = energies(mechanism, state(mechanism, q, v), pose, motion);
        return nb::make_tuple(e.kinetic, e.weight, e.spring);
    });
    m.def("gaps_along", [](const Mechanism& mechanism, A2 q) {
        check_length(q.shape(1), mechanism.size(), "q needs one number per coordinate");
        Made<double> found = make<double>({q.shape(0), mechanism.contacts.size()});
        nb::gil_scoped_release other_threads_may_run;
        gaps_along(mechanism, table(q), grid(found));
        return found;
    });
    m.def("energies_along", [](const Mechanism& mechanism, A2 q, A2 v) {
        if (Int(q.shape(1)) != mechanism.size() || Int(v.shape(1)) != mechanism.size() || q.shape(0) != v.shape(0))
            throw nb::value_error("q and v need equally many rows with one number per coordinate");
        Made<double> found = make<double>({q.shape(0), 3});
        nb::gil_scoped_release other_threads_may_run;
        energies_along(mechanism, table(q), table(v), grid(found));
        return found;
    });
}

}  // namespace

void bind_dynamics(nb::module_& m) {
    nb::class_<Mechanism>(m, "Mechanism")
        .def("__init__", [](Mechanism* self, nb::object nodes, nb::object contacts, nb::object closures, nb::object inputs, A1 gravity,
                            nb::object springs, nb::object pushes, nb::object shapes, A2 corners, nb::object terrains, A2 lines) {
            check_length(gravity.shape(0), 2, "gravity needs two numbers");
            const Columns table(nodes);
            const Int n = Int(table.rows);
            std::vector<ConvexShape> convex = read_shapes(Columns(shapes), corners);
            std::vector<Terrain> grounds = read_terrains(Columns(terrains), lines);
            const Int many = Int(convex.size()), grounded = Int(grounds.size());
            new (self) Mechanism{read_nodes(table), read_contacts(Columns(contacts), n, many, grounded), read_closures(Columns(closures), n),
                                 read_inputs(Columns(inputs), n), {gravity.data()[0], gravity.data()[1]},
                                 read_springs(Columns(springs), n), read_pushes(Columns(pushes), n), std::move(convex),
                                 std::move(grounds)};
        }, nb::arg("nodes"), nb::arg("contacts"), nb::arg("closures"), nb::arg("inputs"), nb::arg("gravity"), nb::arg("springs"),
           nb::arg("pushes"), nb::arg("shapes"), nb::arg("corners"), nb::arg("terrains"), nb::arg("lines"))
        .def_prop_ro("mass", &Mechanism::mass);
    bind_state(m);
    bind_recursions(m);
}

}  // namespace mc::py
