// The thrust controllers of the library: measured state -> observer -> contacts judged -> best inputs -> lifted links held.
//
// The same decisions, to the last bit, as `MaximalThrust` and `BlindThrust` in modecontrol/thrust; the order in which things are
// given up is written there.
#pragma once

#include "closed_loop/decision_log.hpp"
#include "closed_loop/thrust_plan.hpp"
#include "thrust/best_inputs.hpp"
#include "thrust/measured_instant.hpp"

namespace mc {

// What a controller remembers between two calls.
struct ThrustMemory {
    bool over = false;
    std::vector<std::uint8_t> held;             // of each massless link: whether its angle at lift-off is kept, ...
    std::vector<double> angle;                  // ... and the angle
    Int stage = 0;                              // of the assumed modes
    double filtered = 0.0;
    bool has_last = false;
    double last_time = 0.0, last_rate = 0.0, last_value = 0.0;
    std::vector<double> switches;               // times at which the next mode was believed in
};

// SETTLED: a decision was made. INDEFINITE: the mass matrix is. NOT_FINITE: the inputs are not.
enum class Decided : Int { SETTLED = 0, INDEFINITE = 1, NOT_FINITE = 2 };

class ThrustController {
public:
    explicit ThrustController(const ThrustPlan& plan);
    ThrustController(const ThrustController&) = delete;
    ThrustController& operator=(const ThrustController&) = delete;

    Decided decide(double t, const StateView& measured);
    const ThrustDecision& decision() const { return made_; }

    // As if it had never been asked.
    void reset();

    const ThrustPlan& plan;
    ThrustMemory memory;

private:
    void believe(double t, double rate);
    void rest(const StateView& measured);
    bool read(const StateView& measured);
    Choice best(bool with_task, const std::vector<Letter>* only, double margin, Int patience);
    void choose();
    void choose_assumed();
    void take(const BestInputs::Point& point, Fallback fallback, bool ambiguous);
    void hold();

    Array<double> q_, v_, settled_;             // the state of the rigid model, measured and settled
    Array<std::int8_t> told_;
    Array<bool> closed_;
    Array<Int> slip_;
    MeasuredWorkspace work_;
    Grid<double> M_, J_, G_, limits_;
    Array<double> b_, d_, xd_, gap_, e_, opening_;
    std::vector<Law> laws_;
    std::vector<Letter> letters_;
    BestInputs search_;
    ThrustDecision made_;
};

}  // namespace mc
