// lcp: the sparse friction problem, from dense arrays.
#include <nanobind/stl/optional.h>

#include "binding.hpp"
#include "lcp/friction_solver.hpp"
#include "tolerances.hpp"

namespace mc::py {

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;

using Hosts = std::optional<Given<Int, 1>>;

// `host` (m,): which contact each follows, -1 for none.
static FrictionProblem read_problem(const A2& A, const A1& free, const A1& mu, const Hosts& host) {
    const Int m = Int(mu.shape(0));
    if (Int(A.shape(0)) != 2 * m || Int(A.shape(1)) != 2 * m || Int(free.shape(0)) != 2 * m)
        throw nb::value_error("A needs two rows and columns, and free two entries, for each entry of mu");
    for (Int i = 0; host && i < m; ++i)
        if (Int(host->shape(0)) != m || host->data()[i] < -1 || host->data()[i] >= i || (host->data()[i] >= 0 && host->data()[host->data()[i]] >= 0))
            throw nb::value_error("a host comes before its follower and follows none itself");
    FrictionProblem problem;
    write_friction({table(A), view(free), view(mu), 0, host ? view(*host) : View<const Int>{}}, problem);
    return problem;
}

// (p, solved, residual, sweeps, turns, islands), worst of all islands; `p` (2 m,) is where to begin. `inside`: from inside the cones alone.
static nb::tuple solve(A2 A, A1 free, A1 mu, A1 p, Hosts host, bool inside) {
    const FrictionProblem problem = read_problem(A, free, mu, host);
    if (p.shape(0) != free.shape(0)) throw nb::value_error("p needs as many entries as free");
    std::vector<FrictionPair> impulse(problem.size());
    for (Int i = 0; i < problem.size(); ++i) impulse[i] = {p.data()[2 * i], p.data()[2 * i + 1]};
    bool solved = true;
    FrictionOutcome worst;
    worst.residual = 0.0;
    {
        nb::gil_scoped_release other_threads_may_run;
        FrictionSolver solver;
        for (Int k = 0; k < problem.islands(); ++k) {
            const View<FrictionPair> all{impulse.data(), problem.size()};
            const auto go = [&](FrictionSolver::Effort effort) { return solver.solve(problem, problem.island(k), all, effort); };
            FrictionOutcome one;
            if (!inside) one = go(FrictionSolver::Effort::QUICK);
            if (!(one.residual <= tolerances::NEWTON)) one = go(FrictionSolver::Effort::INSIDE);
            if (!one.solved && !inside) one = go(FrictionSolver::Effort::THOROUGH);
            solved = solved && one.solved;
            worst.residual = larger(worst.residual, one.residual);
            worst.sweeps += one.sweeps;
            worst.turns += one.turns;
        }
    }
    auto answer = make<double>({free.shape(0)});
    for (Int i = 0; i < problem.size(); ++i) answer.data()[2 * i] = impulse[i].n, answer.data()[2 * i + 1] = impulse[i].t;
    return nb::make_tuple(answer, solved, worst.residual, worst.sweeps, worst.turns, problem.islands());
}

static double certificate(A2 A, A1 free, A1 mu, A1 p, Hosts host) {
    const FrictionProblem problem = read_problem(A, free, mu, host);
    if (p.shape(0) != free.shape(0)) throw nb::value_error("p needs as many entries as free");
    std::vector<FrictionPair> impulse(problem.size()), u(problem.size());
    for (Int i = 0; i < problem.size(); ++i) impulse[i] = {p.data()[2 * i], p.data()[2 * i + 1]};
    double worst = 0.0;
    for (Int k = 0; k < problem.islands(); ++k) {
        problem.velocities(problem.island(k), {impulse.data(), problem.size()}, {u.data(), problem.size()});
        worst = larger(worst, problem.residual(problem.island(k), {impulse.data(), problem.size()}, {u.data(), problem.size()}));
    }
    return worst;
}

void bind_friction(nb::module_& m) {
    using namespace nb::literals;
    m.def("solve_friction", &solve, "A"_a, "free"_a, "mu"_a, "p"_a, "host"_a = nb::none(), "inside"_a = false);
    m.def("friction_certificate", &certificate, "A"_a, "free"_a, "mu"_a, "p"_a, "host"_a = nb::none());
}

}  // namespace mc::py
