// The stepping loop: many steps of a scene.
//
// One step is a few *stages* (`scene.hpp`). A contact problem that the stepper cannot solve, or that the caller wants to solve
// in a formulation of its own, makes `advance` return ASK with the problem waiting; after `answer` it goes on in the same stage.
#pragma once

#include "timestepping/collisions.hpp"
#include "timestepping/part_end.hpp"
#include "timestepping/record.hpp"
#include "timestepping/spring_pace.hpp"

namespace mc {

// DONE: all steps were made. ASK: the contact problem of the step waits. SINGULAR: `Stepper::singular()` moves nothing that has
// mass. NOT_FINITE: the state after the step is not finite. PAUSED: the time allowed is over. FULL: no memory for the record.
// GAINED: energy from nothing, in one step (`Stepper::gained`) or over the run (`Stepper::book`).
enum class StepStatus : Int { DONE = 0, ASK = 1, SINGULAR = 2, NOT_FINITE = 3, PAUSED = 4, FULL = 5, GAINED = 6 };

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

    const ContactRows& rows() const { return *solver_.rows; }

    // Change a push, or where a driven coordinate goes in the step that comes.
    void set_push(Int i, Point force, double moment);
    void set_drive(Int i, const Drive& drive) { solver_.drives.set(i, drive); }
    Int drives() const { return solver_.drives.count(); }
    Int singular() const { return solver_.singular; }

    Scene scene;
    StepState state;
    EnergyEntry gained;             // of the step that gained energy
    EnergyBook book;
    bool gained_over_run = false;   // what ended the run: the book, or a step
    std::vector<ImpactNote> impacts;    // since `place`
    std::vector<SmoothPart> pieces;     // of the last step, if they are watched
    bool watch_pieces = false;
    Array<double> torque;           // the inputs that `state.tau` comes from, for the record

private:
    void choose_stage();
    StepStatus make_step(StepRow& row);
    StepStatus make_runge_kutta_step(StepRow& row);
    bool booked(EnergyEntry& made);
    bool spent(double least);
    StepStatus solve();
    void after_collision(StepRow& row);
    StepStatus after_smooth(StepRow& row);
    double elapsed() const { return scene.options.h - state.remaining; }
    void go_on(double part);

    PartSolver solver_;
    PartEnd end_;
    Collision collision_;
    SpringPace pace_;
    bool strains_ = false;          // whether some spring may be too fast for a part of a step
    Int steps_ = 0;                 // made since `place`
    bool given_ = false;            // whether the caller has answered
};

}  // namespace mc
