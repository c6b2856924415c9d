// The stepping loop: many steps of a scene.
//
// One step is a few *stages* (`scene.hpp`). A contact problem that the stepper cannot solve, or that the caller wants to solve
// in a formulation of its own, makes `advance` return ASK with the problem waiting; after `answer` it goes on in the same stage.
#pragma once

#include <memory>

#include "timestepping/collisions.hpp"
#include "timestepping/contact_problem.hpp"
#include "timestepping/energy_book.hpp"
#include "timestepping/midpoint.hpp"
#include "timestepping/record.hpp"
#include "timestepping/runge_kutta.hpp"

namespace mc {

// DONE: all steps were made. ASK: the contact problem of the step waits. SINGULAR: `Stepper::singular` moves nothing that has
// mass. NOT_FINITE: the state after the step is not finite. PAUSED: the time allowed is over. FULL: no memory for the record.
// GAINED: energy from nothing, in one step (`Stepper::gained`) or over the run (`Stepper::book`).
enum class StepStatus : Int { DONE = 0, ASK = 1, SINGULAR = 2, NOT_FINITE = 3, PAUSED = 4, FULL = 5, GAINED = 6 };

// What is chosen beside the options of a scene: no response means that the caller solves every contact problem.
struct StepperParts {
    std::unique_ptr<Response> response;
    bool whole = false;             // bilateral rows are pivoted with the contacts
};

class Stepper {
public:
    Stepper(Scene scene, Int inputs, StepperParts parts);
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    // Put the mechanism into a state, forgetting what was before.
    void place(ConstVec q, ConstVec v);

    // Make steps until the record has `last` of them, with the generalised forces in `state.tau`; `patience` in seconds.
    StepStatus advance(Int last, StepRecord& record, double patience);

    // Time over which the forces of the waiting problem act, and whether `rows().push` acts beforehand.
    double waiting_time() const { return state.stage == Stage::SMOOTH ? state.length : 0.0; }
    bool waiting_decompression() const { return state.stage == Stage::DECOMPRESS; }

    // The solution of the waiting problem: `v_plus`, and `p` of the pins and near contacts.
    void answer(ConstVec v_plus, ConstVec p, const StepAnswer& how);

    const ContactRows& rows() const { return *rows_; }

    // Change a push, or where a driven coordinate goes in the step that comes.
    void set_push(Int i, Point force, double moment);
    void set_drive(Int i, const Drive& drive) { drives_[size_t(i)] = drive; }
    Int drives() const { return Int(drives_.size()); }

    Scene scene;
    StepState state;
    Int singular = -1;
    EnergyEntry gained;             // of the step that gained energy
    EnergyBook book;
    std::vector<ImpactNote> impacts;    // since `place`
    std::vector<SmoothPart> pieces;     // of the last step, if they are watched
    bool watch_pieces = false;
    Array<double> torque;           // the inputs that `state.tau` comes from, for the record

private:
    // How a smooth part is made: PLAIN (semi-implicit), by its MIDDLE, or FLYING by Runge-Kutta.
    enum class Scheme { PLAIN, MIDDLE, FLYING };

    void make_room(Int room);
    ContactMemory memory() const { return {state.basis, state.impulse, state.loaded}; }
    Listing list();
    void choose_stage();
    StepStatus solve(double h, bool decompression);
    StepStatus solve_plainly(double h, bool decompression);
    bool solve_in_the_middle(double h);
    bool fly(double h);
    void note(StepRow& row) const;
    void add_impulses(double part, ConstVec p, StepRow& row) const;
    void write_letters(View<Letter> letters);
    StepStatus make_step(StepRow& row);
    StepStatus make_runge_kutta_step(StepRow& row);
    void after_collision(StepRow& row);
    StepStatus after_smooth(StepRow& row);
    double find_end();
    double elapsed() const { return scene.options.h - state.remaining; }
    void drive_targets(double h);
    double drive_work(double part) const;
    void note_impacts();
    EnergyEntry entry(double part);
    void go_on(double part);

    std::unique_ptr<Response> response_;
    bool whole_;
    std::unique_ptr<RungeKutta> runge_kutta_;
    std::unique_ptr<Midpoint> midpoint_;
    Scheme scheme_ = Scheme::PLAIN; // of the smooth part at hand
    Array<double> q_plus_, pin_sum_;
    std::vector<Drive> drives_;
    Int steps_ = 0;                 // made since `place`
    std::unique_ptr<ContactRows> rows_;
    std::unique_ptr<StepProblem> problem_;
    ArticulatedBodies bodies_;
    Trial trial_;
    Array<double> v_plus_, v_end_;
    Array<Motion> motion_end_;
    EnergyLevels level_;            // of the present state
    bool moved_ = false;            // whether motions and energies are those of the present state
    Collision collision_;
    StepAnswer answer_;
    bool given_ = false;
};

}  // namespace mc
