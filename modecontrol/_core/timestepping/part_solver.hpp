// The contact problem of one part of a step, or of one half of a collision: what the present state becomes by the scheme of the
// integrator.
//
// A smooth part is made PLAIN (semi-implicit), by its MIDDLE (`midpoint.hpp`), or FLYING by Runge-Kutta where nothing touches. What a
// better scheme has no answer for is made plainly.
#pragma once

#include <memory>

#include "timestepping/contact_problem.hpp"
#include "timestepping/drives.hpp"
#include "timestepping/energy_book.hpp"
#include "timestepping/midpoint.hpp"
#include "timestepping/runge_kutta.hpp"

namespace mc {

// What is chosen beside the options of a scene: no response means that the caller solves every contact problem.
struct StepperParts {
    std::unique_ptr<Response> response;
    bool whole = false;             // bilateral rows are pivoted with the contacts
};

// SOLVED: `v_plus`, `rows->p` and `answer` are there. ASK: the caller has to solve the problem that is written. SINGULAR:
// `PartSolver::singular` moves nothing that has mass.
enum class PartStatus { SOLVED, ASK, SINGULAR };

class PartSolver {
public:
    // Reads the scene and the state of the stepper that it belongs to.
    PartSolver(const Scene& scene, StepState& state, StepperParts parts);

    // The mechanism was put into the state: forget what was before.
    void place();

    // A new step begins.
    void begin_step() {
        problem_->begin_step();
        plainly = false;
    }

    // Near contacts at the present state, in as much room as they need.
    Listing list();

    // The contact problem over `h` (0 in a collision).
    PartStatus solve(double h, bool decompression);

    // Work of recovery in the part that was solved last.
    double recovery() const { return problem_->recovery(); }

    // So much of the part that was solved last takes place.
    void take(double part) { problem_->take(part); }

    // A free flight of `h` by Runge-Kutta into `q_plus`, `v_plus`; false when a mass cannot be divided by.
    bool fly(double h);

    // Poses and motions at which the part was solved.
    ArticulatedBodies& solved_at() { return scheme == Scheme::MIDDLE ? midpoint->bodies : bodies; }

    // Where the present part of the step stands in it, if it lasts `h`.
    PartOfStep part(double h) const { return {scene_.options.h, scene_.options.h - state_.remaining, h}; }

    enum class Scheme { PLAIN, MIDDLE, FLYING };
    Scheme scheme = Scheme::PLAIN;  // of the part at hand
    bool plainly = false;           // whether the rest of the step is made plainly: where the middle made energy
    std::unique_ptr<ContactRows> rows;
    ArticulatedBodies bodies;       // of the present state
    EnergyLevels level;             // of the present state
    bool moved = false;             // whether motions and energies are those of the present state
    Array<double> q_plus, v_plus;   // `q_plus` where it flew
    StepAnswer answer;
    Int singular = -1;
    Drives drives;
    std::unique_ptr<RungeKutta> runge_kutta;
    std::unique_ptr<Midpoint> midpoint;

private:
    void make_room(Int room);
    ContactMemory memory() const { return {state_.basis, state_.impulse, state_.loaded}; }
    PartStatus solve_plainly(double h, bool decompression);
    bool solve_in_the_middle(double h);

    const Scene& scene_;
    StepState& state_;
    std::unique_ptr<Response> response_;
    bool whole_;
    std::unique_ptr<StepProblem> problem_;
    Array<double> pin_sum_;
};

}  // namespace mc
