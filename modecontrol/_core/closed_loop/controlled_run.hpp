// A controller, its hold and a stepper run together: when it is asked, what it sees, and when its answer arrives.
//
//     t_j = j / rate      the controller is asked, at the first step that does not start before; it sees (q, v) + noise
//     t_j + delay         its torque begins to act, and is held until the next (zero-order hold)
//
// The same to the last bit as `Loop` in modecontrol/timestepping/control_loop.py around the same stepper.
#pragma once

#include <deque>

#include "closed_loop/thrust_controller.hpp"
#include "timestepping/stepper.hpp"

namespace mc {

// Generalised forces `S tau`, the products added in the order of the inputs.
void generalised_forces(ConstMat actuation, ConstVec torque, Vec force);

struct LoopOptions {
    double h = 0.0;                 // step of the simulation (s)
    double period = 1.0;            // steps between two samples
    Int late = 0;                   // steps between a sample and its action
    bool clip = false;              // cut torques at the limits of the simulated mechanism
    bool is_noisy = false;
    Array<double> noise_q, noise_v; // standard deviations
    std::optional<Passes> stop;     // the run ends after the first step beyond
};

// How `advance` ended where the stepper has no word for it; codes beyond those of StepStatus. NOISE: random numbers are needed.
enum class LoopStatus : Int { STOPPED = 100, NOISE = 101, INDEFINITE = 102, INPUTS_NOT_FINITE = 103 };

class ControlledRun {
public:
    // The controller, the stepper and the record have to outlive the run.
    ControlledRun(ThrustController& controller, Stepper& stepper, StepRecord& record, Grid<double> actuation, LoopOptions options);

    // Go on until the record has `last` steps: a code of StepStatus or LoopStatus. `patience` in seconds.
    Int advance(Int last, double patience);

    // Standard normal numbers for the next samples, `2 n` each.
    void give_noise(ConstVec numbers);

    const DecisionLog& log() const { return log_; }
    Int samples_seen() const { return seen_; }

private:
    Int sample_step() const { return Int(std::ceil(double(sample_) * options_.period - tolerances::WHOLE_STEP)); }
    bool needs_noise() const { return options_.is_noisy && next_noise_ + 2 * stepper_.scene.size() > Int(noise_.size()); }
    Int ask(Int step);
    void act(Int step);

    ThrustController& controller_;
    Stepper& stepper_;
    StepRecord& record_;
    const Grid<double> actuation_;
    const LoopOptions options_;
    bool limits_follow_speed_ = false;
    struct Answer {
        Int from;
        std::vector<double> torque;
    };
    std::deque<Answer> waiting_;
    std::vector<double> torque_, noise_;
    Array<double> q_, v_;
    Grid<double> limits_;
    Int sample_ = 0, until_ = -1, next_noise_ = 0, seen_ = 0;
    DecisionLog log_;
};

}  // namespace mc
