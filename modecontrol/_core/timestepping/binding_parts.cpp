// timestepping: parts of a step, for tests and campaigns.
#include "binding.hpp"
#include "timestepping/energy_book.hpp"
#include "timestepping/joint_space.hpp"
#include "timestepping/pin_elimination.hpp"

namespace mc::py {

namespace {

using A1 = Given<double, 1>;
using I1 = Given<Int, 1>;
using InPlace1 = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InPlace2 = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
Vec in_place(const InPlace1& a) { return {a.data(), Int(a.shape(0))}; }
Mat in_place(const InPlace2& a) { return {a.data(), Int(a.shape(0)), Int(a.shape(1))}; }

// Rows of contacts, then of all pins, as generalised forces.
Made<double> expanded_rows(const Mechanism& mechanism, A1 q, I1 contacts) {
    const Int n = mechanism.size(), k = Int(contacts.shape(0));
    if (Int(q.shape(0)) != n) throw nb::value_error("q needs one number per coordinate");
    const Array<Pose> pose(n);
    place(mechanism, view(q), pose);
    ContactRows rows(mechanism.loops(), k);
    rows.near.count = k;
    for (Int i = 0; i < k; ++i) {
        const Int c = contacts.data()[i];
        if (c < 0 || c >= Int(mechanism.contacts.size())) throw nb::value_error("no such contact");
        rows.near.contact[i] = c;
        rows.near.claw[i] = 0;
        rows.near.host[i] = -1;
    }
    write_rows(mechanism, pose, rows);
    Made<double> J = make<double>({size_t(rows.size()), size_t(n)});
    expand(mechanism, pose, rows.all(), grid(J));
    return J;
}

// The energy book, for models that are stepped in Python.
void bind_energy_book(nb::module_& m) {
    nb::class_<EnergyEntry>(m, "EnergyEntry")
        .def("__init__", [](EnergyEntry* self, double kinetic, double potential, double kinetic_after, double potential_after, double work,
                            double rounding) {
            new (self) EnergyEntry{{kinetic, potential}, {kinetic_after, potential_after}, work, rounding};
        }, nb::arg("kinetic"), nb::arg("potential"), nb::arg("kinetic_after"), nb::arg("potential_after"), nb::arg("work"), nb::arg("rounding"))
        .def_prop_ro("gain", &EnergyEntry::gain)
        .def_prop_ro("turnover", &EnergyEntry::turnover);
    nb::class_<EnergyBook>(m, "EnergyBook")
        .def(nb::init<>())
        .def_static("gains", &EnergyBook::gains, nb::arg("entry"), nb::arg("least"))
        .def("lifts", &EnergyBook::lifts, nb::arg("entry"), nb::arg("recovery"), nb::arg("least"))
        .def("drifts", &EnergyBook::drifts, nb::arg("entry"), nb::arg("length"), nb::arg("h"), nb::arg("least"))
        .def("add", &EnergyBook::add, nb::arg("entry"))
        .def("exploded", &EnergyBook::exploded, nb::arg("least"))
        .def_prop_ro("unexplained", &EnergyBook::unexplained)
        .def_prop_ro("explained", &EnergyBook::explained)
        .def_prop_ro("most_risen", &EnergyBook::most_risen);
}

}  // namespace

void bind_step_parts(nb::module_& m) {
    bind_energy_book(m);
    m.def("expanded_rows", &expanded_rows);
    m.def("cholesky", [](InPlace2 M, A1 added) {
        if (M.shape(0) != M.shape(1) || M.shape(0) != added.shape(0))
            throw nb::value_error("M needs to be square, added as long");
        return cholesky(in_place(M), view(added));
    }, nb::arg("M").noconvert(), nb::arg("added"));
    m.def("cholesky_solve", [](Given<double, 2> U, InPlace1 x) {
        if (U.shape(0) != U.shape(1) || U.shape(0) != x.shape(0)) throw nb::value_error("U needs to be square, x as long");
        cholesky_solve(table(U), in_place(x));
    }, nb::arg("U"), nb::arg("x").noconvert());
    nb::class_<PinElimination>(m, "PinElimination")
        .def(nb::init<Int, Int>(), nb::arg("bilateral"), nb::arg("contact_rows"))
        .def("eliminate", [](PinElimination& self, InPlace2 L, InPlace1 u, A1 target, A1 rounding) {
            if (rounding.shape(0) != target.shape(0) || L.shape(0) != L.shape(1) || L.shape(0) != u.shape(0) ||
                !self.fits(Int(target.shape(0)), Int(u.shape(0))))
                throw nb::value_error("L, u, target and rounding do not fit");
            self.eliminate(in_place(L), in_place(u), view(target), Int(u.shape(0)), view(rounding));
        }, nb::arg("L").noconvert(), nb::arg("u").noconvert(), nb::arg("target"), nb::arg("rounding"))
        .def("impulses", [](const PinElimination& self, InPlace1 p) {
            if (!self.fits(self.bilateral(), Int(p.shape(0)))) throw nb::value_error("p does not fit");
            self.impulses(in_place(p), Int(p.shape(0)));
        }, nb::arg("p").noconvert());
}

}  // namespace mc::py
