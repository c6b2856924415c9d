// regions: what Python calls.
#include "regions/given_response.hpp"

#include "regions/clash.hpp"

namespace mc::py {

GivenResponse given_response(nb::tuple packed, nb::tuple frame) {
    const auto M = nb::cast<Given<double, 2>>(frame[0]);
    const auto units = nb::cast<Given<double, 1>>(frame[1]);
    const double size = nb::cast<double>(frame[2]);
    const Int forces = nb::cast<Int>(frame[3]), inputs = nb::cast<Int>(frame[4]);
    const auto asked = nb::cast<Given<double, 2>>(frame[5]);
    const Int unknowns = Int(units.shape(0)) - inputs;
    if (asked.shape(1) != M.shape(0)) throw nb::value_error("asked rows need a column for each coordinate");
    if (M.shape(0) != M.shape(1) || inputs < 0 || forces < 0 || unknowns < Int(M.shape(0)) + forces)
        throw nb::value_error("units do not agree with the numbers of coordinates, forces and inputs");
    GivenResponse made{nb::cast<Given<Int, 2>>(packed[0]), nb::cast<Given<double, 1>>(packed[1]),
                       nb::cast<Given<Int, 1>>(packed[2]), unknowns, inputs, 
                       MotionFrame(table(M), view(units), size, forces, inputs, table(asked))};
    const PackedView all = made.view();
    for (Int i = 0; i < all.shape.rows; ++i)
        if (!is_sound(all, i)) throw nb::value_error("these are not the arrays of a packed response");
    return made;
}

static Made<double> given_beside_mass(Given<double, 2> M, Given<double, 1> units, Given<double, 2> asked) {
    if (M.shape(0) != M.shape(1) || units.shape(0) < M.shape(0) || asked.shape(1) < M.shape(0))
        throw nb::value_error("units and asked rows do not agree with the number of coordinates");
    const Grid<double> found = beside_mass(table(M), view(units), table(asked));
    auto made = make<double>({size_t(found.rows), size_t(M.shape(0))});
    std::copy(found.data, found.data + found.rows * found.cols, made.data());
    return made;
}

// A code of Relation for every mode: `ask(mode)`, SAME for mode `index` itself, UNKNOWN where a set is not vouched for.
template <class Ask> static Made<std::int8_t> each_other(const PackedView& all, Int index, Ask&& ask) {
    if (index < 0 || index >= all.shape.rows) throw nb::index_error("no such mode");
    auto codes = make<std::int8_t>({size_t(all.shape.rows)});
    std::int8_t* const found = codes.data();
    nb::gil_scoped_release other_threads_may_run;
    for (Int i = 0; i < all.shape.rows; ++i) {
        const bool vouched = all.of(i).status == OPTIMAL && all.of(index).status == OPTIMAL;
        found[i] = std::int8_t(i == index ? Relation::SAME : vouched ? ask(mode_of(all, i)) : Relation::UNKNOWN);
    }
    return codes;
}

// How the motions of every other mode stand to those of mode `index`.
static Made<std::int8_t> relations(nb::tuple packed, nb::tuple frame, Int index) {
    const GivenResponse given = given_response(packed, frame);
    const PackedView all = given.view();
    if (index < 0 || index >= all.shape.rows) throw nb::index_error("no such mode");
    const PackedMode mine = mode_of(all, index);
    const MotionSet set(given.frame, mine);
    return each_other(all, index, [&](const PackedMode& its) { return relation(given.frame, set, torques(mine), its, nullptr); });
}

// Whether the inputs of every other mode lie within those of mode `index` (SAME).
static Made<std::int8_t> insiders(nb::tuple packed, nb::tuple frame, Int index) {
    const GivenResponse given = given_response(packed, frame);
    const PackedView all = given.view();
    return each_other(all, index, [&](const PackedMode& its) {
        return within_torques(given.frame, torques(mode_of(all, index)), torques(its), nullptr);
    });
}

void bind_regions(nb::module_& m) {
    m.attr("APART") = int(Relation::APART);
    m.attr("SAME") = int(Relation::SAME);
    m.attr("CLASH") = int(Relation::CLASH);
    m.attr("UNKNOWN") = int(Relation::UNKNOWN);
    m.def("beside_mass", &given_beside_mass);
    m.def("relations", &relations);
    m.def("insiders", &insiders);
}

}  // namespace mc::py
