// dynamics: states and instants of a mechanism for Python.
#include "dynamics/binding_instants.hpp"

#include <nanobind/stl/optional.h>

#include <memory>

#include "dynamics/applied_forces.hpp"
#include "dynamics/closures.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/features.hpp"
#include "dynamics/nearest_velocity.hpp"
#include "dynamics/terrain_features.hpp"
#include "parallel.hpp"

namespace mc::py {

void bind_mechanism(nb::module_& m);
void bind_recursions(nb::module_& m);

namespace {

using A1 = Given<double, 1>;
using A2 = Given<double, 2>;

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

Array<Pose> poses(const Mechanism& mechanism, const A1& q) {
    Array<Pose> pose(mechanism.size());
    place(mechanism, state(mechanism, q, q).q, pose);
    return pose;
}

void bind_contacts(nb::module_& m) {
    m.def("contact_points", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose = poses(mechanism, q);
        Made<double> found = make<double>({mechanism.contacts.size(), 5});
        contact_points(mechanism, pose, grid(found));
        return found;
    });
    // For each contact the features that touch: kind (1 disc against disc), node, other, radius, other radius, whether sides are
    // exchanged; and centre, origin, tangent, other centre.
    m.def("active_contacts", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose = poses(mechanism, q);
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
        const Array<Pose> pose = poses(mechanism, q);
        Made<double> found = make<double>({mechanism.contacts.size()});
        gaps(mechanism, pose, flat(found));
        return found;
    });
    m.def("gaps_along", [](const Mechanism& mechanism, A2 q, Int threads) {
        check_length(q.shape(1), mechanism.size(), "q needs one number per coordinate");
        if (threads < 1) throw nb::value_error("expected at least one thread");
        Made<double> found = make<double>({q.shape(0), mechanism.contacts.size()});
        nb::gil_scoped_release other_threads_may_run;
        gaps_along(mechanism, table(q), grid(found), threads);
        return found;
    }, nb::arg("mechanism"), nb::arg("q"), nb::arg("threads") = 1);
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
    m.def("applied_forces", [](const Mechanism& mechanism, A1 q, A1 v) {     // of springs, pushes and drag, generalised
        const StateView at = state(mechanism, q, v);
        InstantWorkspace work(mechanism.size());
        place(mechanism, at.q, work.pose);
        move(mechanism, work.pose, at.v, work.motion);
        Made<double> found = make<double>({size_t(mechanism.size())});
        applied_forces(mechanism, work.pose, work.motion, work.force, flat(found));
        return found;
    });
    m.def("openings", [](const Mechanism& mechanism, A1 q) {
        const Array<Pose> pose = poses(mechanism, q);
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
    m.def("energies_along", [](const Mechanism& mechanism, A2 q, A2 v, Int threads) {
        if (Int(q.shape(1)) != mechanism.size() || Int(v.shape(1)) != mechanism.size() || q.shape(0) != v.shape(0))
            throw nb::value_error("q and v need equally many rows with one number per coordinate");
        if (threads < 1) throw nb::value_error("expected at least one thread");
        Made<double> found = make<double>({q.shape(0), 3});
        nb::gil_scoped_release other_threads_may_run;
        energies_along(mechanism, table(q), table(v), grid(found), threads);
        return found;
    }, nb::arg("mechanism"), nb::arg("q"), nb::arg("v"), nb::arg("threads") = 1);
}

}  // namespace

void bind_dynamics(nb::module_& m) {
    bind_mechanism(m);
    bind_contacts(m);
    bind_state(m);
    bind_recursions(m);
}

}  // namespace mc::py
