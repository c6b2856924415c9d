// dynamics: a mechanism from the tables of Python.
#include "dynamics/binding_instants.hpp"

#include "dynamics/shape_tables.hpp"
#include "dynamics/terrain_features.hpp"

namespace mc::py {

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
    table.read(nodes, "at", &TreeNode::at, "angle", &TreeNode::angle, "direction", &TreeNode::direction, "mass", &TreeNode::mass,
               "com", &TreeNode::com, "inertia", &TreeNode::inertia, "stiffness", &TreeNode::stiffness,
               "damping", &TreeNode::damping, "rest", &TreeNode::rest, "armature", &TreeNode::armature);
    return nodes;
}

// What is no contact of bodies, and what is not Coulomb's law alone.
void read_laws(const Columns& table, std::vector<Contact>& contacts) {
    table.read(contacts, "length", &Contact::length, "lower", &Contact::lower, "upper", &Contact::upper);
    const Given<Int, 1> kind = table.numbers<Int>("entry"), way = table.numbers<Int>("way"), host = table.numbers<Int>("host");
    const Given<double, 1> hold = table.numbers<double>("hold"), pull = table.numbers<double>("pull"),
                           speed = table.numbers<double>("speed"), least = table.numbers<double>("least"),
                           most = table.numbers<double>("most");
    for (size_t c = 0; c < table.rows; ++c) {
        const Int code = kind.data()[c];
        if (code != 0 && (code < Int(ContactKind::CABLE) || code > Int(ContactKind::ROLLING)))
            throw nb::value_error("no such kind of contact");
        if (code != 0) contacts[c].kind = ContactKind(code);
        if (contacts[c].at_joint() && contacts[c].node < 0) throw nb::value_error("stops, dry joints and drives need coordinates");
        contacts[c].law = {hold.data()[c], pull.data()[c], speed.data()[c], way.data()[c], least.data()[c], most.data()[c]};
        if (!contacts[c].rolls()) continue;
        const Int of = host.data()[c];
        if (of < 0 || of >= Int(c) || contacts[size_t(of)].kind > ContactKind::DISCS)
            throw nb::value_error("resistance to rolling needs a contact of bodies that comes before it");
        contacts[c].host = of;
        contacts[size_t(of)].roller = Int(c);
    }
}

std::vector<Contact> read_contacts(const Columns& table, Int n, Int shapes, Int terrains) {
    std::vector<Contact> contacts(table.rows);
    const Given<bool, 1> discs = table.numbers<bool>("discs");
    for (size_t c = 0; c < table.rows; ++c) contacts[c].kind = discs.data()[c] ? ContactKind::DISCS : ContactKind::PLANE;
    table.integers("node", contacts, &Contact::node, n);
    table.integers("other", contacts, &Contact::other, n);
    table.read(contacts, "centre", &Contact::centre, "radius", &Contact::radius, "origin", &Contact::origin,
               "tangent", &Contact::tangent, "other_centre", &Contact::other_centre, "other_radius", &Contact::other_radius,
               "friction", &Contact::friction, "restitution", &Contact::restitution,
               "tangential_restitution", &Contact::tangential_restitution, "stiffness", &Contact::stiffness,
               "damping", &Contact::damping);
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
    table.read(closures, "point", &Closure::point, "other_point", &Closure::other_point, "angle", &Closure::angle,
               "axis", &Closure::axis, "length", &Closure::length, "ratio", &Closure::ratio);
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
    table.read(springs, "point", &Spring::point, "other_point", &Spring::other_point, "stiffness", &Spring::stiffness,
               "damping", &Spring::damping, "length", &Spring::length);
    return springs;
}

std::vector<Push> read_pushes(const Columns& table, Int n) {
    std::vector<Push> pushes(table.rows);
    table.integers("node", pushes, &Push::node, n);
    table.read(pushes, "point", &Push::point, "force", &Push::force, "moment", &Push::moment);
    const Given<bool, 1> follows = table.numbers<bool>("follows");
    for (size_t c = 0; c < table.rows; ++c) pushes[c].follows = follows.data()[c];
    return pushes;
}

std::vector<Drag> read_drags(const Columns& table, Int n) {
    std::vector<Drag> drags(table.rows);
    table.integers("node", drags, &Drag::node, n);
    table.read(drags, "at", &Drag::at, "axis", &Drag::axis, "linear", &Drag::linear, "quadratic", &Drag::quadratic,
               "turning", &Drag::turning, "turning_quadratic", &Drag::turning_quadratic);
    return drags;
}

std::vector<InputLimits> read_inputs(const Columns& table, Int n) {
    std::vector<InputLimits> inputs(table.rows);
    table.integers("coordinate", inputs, &InputLimits::coordinate, n);
    table.read(inputs, "lower", &InputLimits::lower, "upper", &InputLimits::upper, "stall", &InputLimits::stall,
               "no_load", &InputLimits::no_load);
    return inputs;
}

}  // namespace

void bind_mechanism(nb::module_& m) {
    nb::class_<Mechanism>(m, "Mechanism")
        .def("__init__", [](Mechanism* self, nb::object nodes, nb::object contacts, nb::object closures, nb::object inputs, A1 gravity,
                            nb::object springs, nb::object pushes, nb::object shapes, A2 corners, nb::object terrains, A2 lines,
                            nb::object drags, A1 wind) {
            check_length(gravity.shape(0), 2, "gravity needs two numbers");
            check_length(wind.shape(0), 2, "wind needs two numbers");
            const Columns table(nodes);
            const Int n = Int(table.rows);
            std::vector<ConvexShape> convex = read_shapes(Columns(shapes), corners);
            std::vector<Terrain> grounds = read_terrains(Columns(terrains), lines);
            const Int many = Int(convex.size()), grounded = Int(grounds.size());
            new (self) Mechanism{read_nodes(table), read_contacts(Columns(contacts), n, many, grounded), read_closures(Columns(closures), n),
                                 read_inputs(Columns(inputs), n), {gravity.data()[0], gravity.data()[1]},
                                 read_springs(Columns(springs), n), read_pushes(Columns(pushes), n), std::move(convex),
                                 std::move(grounds), read_drags(Columns(drags), n), {wind.data()[0], wind.data()[1]}};
        }, nb::arg("nodes"), nb::arg("contacts"), nb::arg("closures"), nb::arg("inputs"), nb::arg("gravity"), nb::arg("springs"),
           nb::arg("pushes"), nb::arg("shapes"), nb::arg("corners"), nb::arg("terrains"), nb::arg("lines"), nb::arg("drags"),
           nb::arg("wind"))
        .def_prop_ro("mass", &Mechanism::mass);
}

}  // namespace mc::py
