// thrust: the instant at a measured state.
#include "dynamics/binding_instants.hpp"
#include "thrust/measured_instant.hpp"

namespace mc::py {

// `(arrays of the instant, v, closed, slip)`, all read only.
void bind_measured_instant(nb::module_& m) {
    m.def("measured_instant", [](const Mechanism& mechanism, Given<double, 1> q, Given<double, 1> v, Given<std::int8_t, 1> told,
                                 Given<double, 1> rest, double gap, double leaving) {
        const StateView at = state(mechanism, q, v);
        const Int n = mechanism.size(), k = Int(mechanism.contacts.size());
        check_length(told.shape(0), k, "told needs one entry per contact");
        check_length(rest.shape(0), k, "rest needs one threshold per contact");
        const Instants made(mechanism, 1);
        Made<double> settled = make<double>({size_t(n)});
        Made<bool> closed = make<bool>({size_t(k)});
        Made<Int> slip = make<Int>({size_t(k)});
        MeasuredWorkspace work(n, k, mechanism.loops());
        if (!measured_instant(mechanism, at, {view(told), view(rest), gap, leaving}, work, made.at(0),
                              {flat(settled), flat(closed), flat(slip)}))
            throw nb::value_error("the velocity cannot be settled: the mass matrix is indefinite");
        return nb::make_tuple(made.arrays(false), settled, closed, slip);
    });
}

}  // namespace mc::py
