#include "closed_loop/controlled_run.hpp"

#include <chrono>

#include "dynamics/tree.hpp"

namespace mc {

void generalised_forces(ConstMat actuation, ConstVec torque, Vec force) {
    for (Int i = 0; i < force.size; ++i) {
        force[i] = 0.0;
        for (Int j = 0; j < torque.size; ++j) force[i] += actuation(i, j) * torque[j];
    }
}

ControlledRun::ControlledRun(ThrustController& controller, Stepper& stepper, StepRecord& record, Grid<double> actuation,
                             LoopOptions options)
    : controller_(controller), stepper_(stepper), record_(record), actuation_(std::move(actuation)), options_(std::move(options)),
      torque_(size_t(stepper.torque.size)), q_(stepper.scene.size()), v_(stepper.scene.size()), limits_(stepper.torque.size, 2) {
    for (const InputLimits& input : stepper.scene.mechanism.inputs)
        limits_follow_speed_ = limits_follow_speed_ || std::isfinite(input.stall);
}

void ControlledRun::give_noise(ConstVec numbers) {
    noise_.assign(numbers.data, numbers.data + numbers.size);
    next_noise_ = 0;
}

// Ask the controller what it wants; 0, or why it has no answer.
Int ControlledRun::ask(Int step) {
    const Int n = stepper_.scene.size();
    for (Int i = 0; i < n; ++i) q_[i] = stepper_.state.q[i], v_[i] = stepper_.state.v[i];
    if (options_.is_noisy) {
        for (Int i = 0; i < n; ++i) q_[i] += options_.noise_q[i] * noise_[size_t(next_noise_ + i)];
        for (Int i = 0; i < n; ++i) v_[i] += options_.noise_v[i] * noise_[size_t(next_noise_ + n + i)];
        next_noise_ += 2 * n;
    }
    ++seen_;
    const Decided how = controller_.decide(double(step) * options_.h, {q_, v_});
    if (how == Decided::INDEFINITE) return Int(LoopStatus::INDEFINITE);
    if (how == Decided::NOT_FINITE) return Int(LoopStatus::INPUTS_NOT_FINITE);
    log_.add(controller_.decision());
    waiting_.push_back({step + options_.late, controller_.decision().torque});
    while (sample_step() <= step) ++sample_;
    return 0;
}

// The torque from `step` on goes to the stepper; `until_` is the step until which it acts.
void ControlledRun::act(Int step) {
    while (!waiting_.empty() && waiting_.front().from <= step) {
        torque_ = waiting_.front().torque;
        waiting_.pop_front();
    }
    until_ = sample_step();
    if (!waiting_.empty() && waiting_.front().from < until_) until_ = waiting_.front().from;
    for (Int i = 0; i < stepper_.torque.size; ++i) stepper_.torque[i] = torque_[size_t(i)];
    if (options_.clip) {
        torque_box(stepper_.scene.mechanism, stepper_.state.v, limits_);
        for (Int i = 0; i < stepper_.torque.size; ++i)
            stepper_.torque[i] = smaller(limits_(i, 1), larger(limits_(i, 0), stepper_.torque[i]));
    }
    if (options_.stop || (options_.clip && limits_follow_speed_)) until_ = step + 1;
    generalised_forces(actuation_, stepper_.torque, stepper_.state.tau);
}

Int ControlledRun::advance(Int last, double patience) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    while (record_.steps() < last) {
        const Int step = record_.steps();
        if (step >= until_) {  // not in the middle of a step whose contact problem waited for an answer
            if (step >= sample_step()) {
                if (needs_noise()) return Int(LoopStatus::NOISE);
                const Int trouble = ask(step);
                if (trouble) return trouble;
            }
            act(step);
        }
        const StepStatus status = stepper_.advance(until_ < last ? until_ : last, record_, patience);
        if (status != StepStatus::DONE) return Int(status);
        if (options_.stop && options_.stop->at(stepper_.state.q)) return Int(LoopStatus::STOPPED);
        if (record_.steps() < last && std::chrono::duration<double>(Clock::now() - start).count() > patience)
            return Int(StepStatus::PAUSED);
    }
    return Int(StepStatus::DONE);
}

}  // namespace mc
