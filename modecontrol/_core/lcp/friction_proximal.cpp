// Contacts drawn near their answer: the proximal point method about the impulses at hand.
#include "lcp/friction_solver.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

constexpr double SOFTNESS[] = {1e-1, 1e-2, 1e-3, 1e-4};
constexpr Int SWEEPS = 2000;        // before the first
constexpr Int MOST_CENTRES = 60;    // of one softness
constexpr Int TURNS = 12;           // changes of laws about one centre
constexpr Int MOST_TURNS = 200;     // altogether
constexpr double PROGRESS = 0.7;    // a certificate that falls to this part of an earlier one is progress
constexpr Int STALLED = 15;         // centres in a row without progress end a softness

}  // namespace

bool FrictionSolver::draw_near(const Task& task) {
    for (Int k = 0; k < SWEEPS; ++k) sweep(task, k % 2 == 1);
    found_.sweeps += SWEEPS;
    if (judge(task) <= tolerances::NEWTON) return true;
    for (const double softness : SOFTNESS)
        if (draw_near(task, softness) || enough()) return found_.residual <= tolerances::NEWTON;
    return false;
}

bool FrictionSolver::draw_near(const Task& task, double softness) {
    soft_ = softness;
    dilated_ = false;
    double mark = judge(task);
    Int stalled = 0;
    for (Int i : task.members) law_[i] = Law::OPEN;
    for (Int k = 0; k < MOST_CENTRES && found_.turns < MOST_TURNS && stalled <= STALLED && !enough(); ++k) {
        for (Int i : task.members) centre_[i] = task.p[i];
        const bool settled = settle_laws(task, TURNS);
        task.problem.put_into_cones(task.members, task.p);
        if (judge(task) <= tolerances::REFINED) return true;
        for (Int turn = 0; !settled && turn < 2; ++turn) sweep(task, turn == 1);
        if (last_ < PROGRESS * mark) mark = last_, stalled = 0;
        else ++stalled;
    }
    return found_.residual <= tolerances::NEWTON;
}

}  // namespace mc
