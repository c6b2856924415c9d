// The extension module: one submodule for each room of the core, in the order of the data flow.
#include "binding.hpp"
#include "layout.hpp"

namespace mc::py {

void bind_polytopes(nb::module_& m);
void bind_modes(nb::module_& m);
void bind_regions(nb::module_& m);
void bind_thrust(nb::module_& m);
void bind_dynamics(nb::module_& m);
void bind_lcp(nb::module_& m);
void bind_timestepping(nb::module_& m);
void bind_closed_loop(nb::module_& m);

static void bind_layout(nb::module_ m) {
    m.attr("OPTIMAL") = Int(OPTIMAL);
    m.attr("INFEASIBLE") = Int(INFEASIBLE);
    m.attr("UNBOUNDED") = Int(UNBOUNDED);
    m.attr("UNDECIDED") = Int(UNDECIDED);
    m.attr("WORK_LIMIT") = Int(WORK_LIMIT);
    m.attr("SURE") = Int(SURE);
    m.attr("NOTHING") = Int(NOTHING);
    m.attr("UNLIMITED_GOAL") = Int(UNLIMITED_GOAL);
    m.attr("UNSETTLED") = Int(UNSETTLED);
    m.attr("STOPPED") = Int(STOPPED);
    m.attr("SOLVED") = Int(LcpStatus::SOLVED);
    m.attr("RAY") = Int(LcpStatus::RAY);
    m.attr("LIMIT") = Int(LcpStatus::LIMIT);
    m.attr("INACCURATE") = Int(LcpStatus::INACCURATE);
}

}  // namespace mc::py

NB_MODULE(compiled, m) {
    using namespace mc::py;
    const auto room = [&m](const char* name, void (*bind)(nb::module_&)) {
        nb::module_ made = m.def_submodule(name);
        bind(made);
    };
    bind_layout(m.def_submodule("layout"));
    room("polytopes", bind_polytopes);
    room("modes", bind_modes);
    room("regions", bind_regions);
    room("thrust", bind_thrust);
    room("dynamics", bind_dynamics);
    room("lcp", bind_lcp);
    room("timestepping", bind_timestepping);
    room("closed_loop", bind_closed_loop);
}
