#include "modes/given_instant.hpp"

#include "modes/responses.hpp"
#include "signals.hpp"

namespace mc::py {

using A2 = Given<double, 2>;

// (letters, doubtful, programs, undecided)
static nb::tuple leaves(Responses& found, Int contacts) {
    const size_t n = found.doubtful.size();
    return nb::make_tuple(hand_over<Letter>(std::move(found.letters), {n, size_t(contacts)}),
                          hand_over<bool>(std::move(found.doubtful), {n}), found.programs, found.undecided);
}

// (shape, numbers, number_start, causes, cause_start, ancestry, ancestry_start)
static nb::tuple arrays(Packed& packed) {
    const size_t n = packed.number_start.size() - 1, numbers = packed.numbers.size(), causes = packed.causes.size(),
                 ancestry = packed.ancestry.size();
    return nb::make_tuple(hand_over<Int>(std::move(packed.shape), {n, size_t(SHAPE)}),
                          hand_over<double>(std::move(packed.numbers), {numbers}),
                          hand_over<Int>(std::move(packed.number_start), {n + 1}),
                          hand_over<Int>(std::move(packed.causes), {causes}),
                          hand_over<Int>(std::move(packed.cause_start), {n + 1}),
                          hand_over<bool>(std::move(packed.ancestry), {ancestry}),
                          hand_over<Int>(std::move(packed.ancestry_start), {n + 1}));
}

static nb::tuple respond_to(const Root& root) {
    Responses found;
    without_python([&](const Patience& patience) { found = respond(root, patience); }, allowance_of_projections());
    return nb::make_tuple(leaves(found, root.laws.size), arrays(found.packed));
}

// [(root, leaves, packed), ...] of a list of instants.
static nb::list respond_to_many(nb::list given, Int threads) {
    if (threads < 1) throw nb::value_error("expected at least one thread");
    std::vector<Instant> instants;
    for (nb::handle each : given) instants.push_back(nb::cast<const GivenInstant&>(each).view());
    std::vector<RootResponses> found(instants.size());
    {
        nb::gil_scoped_release other_threads_may_run;
        respond_many({instants.data(), Int(instants.size())}, threads, {found.data(), Int(found.size())});
    }
    nb::list made;
    for (RootResponses& each : found) {
        const Int contacts = each.root.laws.size;
        made.append(nb::make_tuple(std::move(each.root), leaves(each.responses, contacts), arrays(each.responses.packed)));
    }
    return made;
}

static nb::tuple modes_of(const Root& root) {
    Responses found;
    {
        nb::gil_scoped_release other_threads_may_run;
        found = list_modes(root);
    }
    return leaves(found, root.laws.size);
}

// (constant, U, W, domain A, b, C, e, torques A, b, C, e) of one mode, as views on `numbers`.
static nb::tuple read_mode(Given<Int, 2> shape, Given<double, 1> numbers, Given<Int, 1> start, Int unknowns, Int inputs,
                           Int index) {
    const PackedView packed{table(shape), view(numbers), view(start), unknowns, inputs};
    if (!is_sound(packed, index)) throw nb::value_error("these are not the arrays of a packed response, or it has no such mode");
    const PackedMode mode = mode_of(packed, index);
    const nb::object owner = nb::find(numbers);
    const auto vector = [&owner](ConstVec a) {
        return nb::ndarray<nb::numpy, const double>(a.data, {size_t(a.size)}, owner);
    };
    const auto matrix = [&owner](ConstMat a) {
        return nb::ndarray<nb::numpy, const double>(a.data, {size_t(a.rows), size_t(a.cols)}, owner);
    };
    return nb::make_tuple(vector(mode.constant), matrix(mode.U), matrix(mode.W), matrix(mode.A), vector(mode.b), matrix(mode.C),
                          vector(mode.e), matrix(mode.T), vector(mode.t), matrix(mode.H), vector(mode.h));
}

// [((a_n, a_t), (f_n, f_t), constant, equality, strict, cause), ...]
static nb::list listed(View<const LawRow> rows) {
    nb::list made;
    for (Int r = 0; r < rows.size; ++r) {
        const LawRow& row = rows[r];
        made.append(nb::make_tuple(nb::make_tuple(row.a_n, row.a_t), nb::make_tuple(row.f_n, row.f_t), row.constant,
                                   row.equality, row.strict, Int(row.cause)));
    }
    return made;
}

// `more`: (kind, hold, pull, way, least, most) of a law that is not Coulomb's alone.
static Law given_law(double lo, double hi, int state, nb::object more) {
    if (!is_state(state) || !(0.0 <= lo && lo <= hi))
        throw nb::value_error("no such state, or friction that is not 0 <= lo <= hi");
    LawNumbers law;
    law.lo = lo, law.hi = hi;
    if (!more.is_none()) {
        const nb::tuple given = nb::cast<nb::tuple>(more);
        if (given.size() != 7 || !is_law(nb::cast<int>(given[0]))) throw nb::value_error("no such law");
        law.kind = LawKind(nb::cast<int>(given[0])), law.way = nb::cast<int>(given[3]);
        law.hold = nb::cast<double>(given[1]), law.pull = nb::cast<double>(given[2]);
        law.least = nb::cast<double>(given[4]), law.most = nb::cast<double>(given[5]), law.host = nb::cast<Int>(given[6]);
    }
    return law_of(law, ContactState(state));
}

// [(letter, rows), ...]
static nb::list cells(double lo, double hi, int state, nb::object more) {
    const Law law = given_law(lo, hi, state, more);
    nb::list made;
    for (Int c = 0; c < law.count; ++c) {
        const char letter = char(law.cells[c].letter);
        made.append(nb::make_tuple(nb::str(&letter, 1), listed(law.of(c))));
    }
    return made;
}

// Sizes of (qdd, f, lam, tau).
static nb::tuple units_of(A2 M, A2 S, A2 J, A2 G) {
    const size_t n = M.shape(0);
    if (M.shape(1) != n || S.shape(0) != n || J.shape(1) != n || G.shape(1) != n || J.shape(0) % 2 != 0)
        throw nb::value_error("shapes of M, S, J, G do not agree");
    Units units;
    natural_units({table(M), {}, table(S), table(J), {}, table(G), {}}, units);
    return nb::make_tuple(copy(View<double>(units.coordinate)), copy(View<double>(units.force)), copy(View<double>(units.lam)),
                          copy(View<double>(units.tau)));
}

static void bind_laws(nb::module_& m) {
    codes(m, {{"SLIDES_LEFT", int(ContactState::SLIDES_LEFT)}, {"AT_REST", int(ContactState::AT_REST)},
              {"SLIDES_RIGHT", int(ContactState::SLIDES_RIGHT)}, {"OPEN", int(ContactState::OPEN)},
              {"LEAVING", int(ContactState::LEAVING)}, {"SIGN_UNKNOWN", int(ContactState::SIGN_UNKNOWN)}});
    nb::list words;
    for (Int cause = 0; cause < CAUSES; ++cause) words.append(word(Cause(cause)));
    m.attr("CAUSES") = nb::tuple(words);
    codes(m, {{"COULOMB", int(LawKind::COULOMB)}, {"ONE_SIDED", int(LawKind::ONE_SIDED)}, {"DRY", int(LawKind::DRY)},
              {"DRIVE", int(LawKind::DRIVE)}, {"ROLLING", int(LawKind::ROLLING)}});
    m.def("cells", &cells, nb::arg("lo"), nb::arg("hi"), nb::arg("state"), nb::arg("more") = nb::none());
    m.def("relaxation", [](double lo, double hi, int state, nb::object more) {
        return listed(given_law(lo, hi, state, more).relaxation());
    }, nb::arg("lo"), nb::arg("hi"), nb::arg("state"), nb::arg("more") = nb::none());
}

static void bind_roots(nb::module_& m) {
    nb::class_<Layout>(m, "Layout")
        .def_ro("force", &Layout::force)
        .def_ro("lam", &Layout::lam)
        .def_ro("tau", &Layout::tau)
        .def_ro("xdd", &Layout::xdd)
        .def_ro("physical", &Layout::physical)
        .def_ro("task", &Layout::task)
        .def_ro("rows", &Layout::rows)
        .def_ro("columns", &Layout::columns);
    nb::class_<Root>(m, "Root")
        .def_prop_ro("table", [](nb::handle self) {
            const Root& r = nb::cast<Root&>(self);
            return nb::ndarray<nb::numpy, const double>(r.table.data, {size_t(r.table.rows), size_t(r.table.cols)}, self);
        })
        .def_prop_ro("units", [](nb::handle self) {
            const Root& r = nb::cast<Root&>(self);
            return nb::ndarray<nb::numpy, const double>(r.units.data, {size_t(r.units.size)}, self);
        })
        .def_prop_ro("idle", [](const Root& r) {
            auto idle = make<bool>({size_t(r.physical.size)});
            for (Int i = 0; i < r.physical.size; ++i) idle.data()[i] = r.physical[i].idle;
            return nb::cast(idle);
        })
        .def_ro("freedom", &Root::freedom)
        .def_prop_ro("spread", [](const Root& r) { return r.natural.spread; })
        .def_ro("size", &Root::size)
        .def_ro("layout", &Root::layout);
    nb::class_<GivenInstant>(m, "Instant")
        .def(nb::init<nb::tuple, nb::tuple, Given<std::int8_t, 1>, nb::tuple, nb::object, double>(), nb::arg("dynamics"),
             nb::arg("friction"), nb::arg("states"), nb::arg("rows"), nb::arg("letters") = nb::none(),
             nb::arg("still") = tolerances::STILL);
    m.def("dynamic_root", [](const GivenInstant& given) {
        Root root;
        dynamic_root(given.view(), root);
        return root;
    });
    m.def("kinematic_root", [](const GivenInstant& given) {
        Root root;
        kinematic_root(given.view(), root);
        return root;
    });
    m.def("natural_units", &units_of);
}

void bind_modes(nb::module_& m) {
    bind_laws(m);
    bind_roots(m);
    m.def("list_modes", &modes_of);
    m.def("respond", &respond_to);
    m.def("respond_many", &respond_to_many);
    m.def("read_mode", &read_mode);
}

}  // namespace mc::py
