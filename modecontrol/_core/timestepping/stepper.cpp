#include "timestepping/stepper.hpp"

#include <chrono>

#include "dynamics/applied_forces.hpp"
#include "timestepping/step_notes.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int MOST_IMPACTS = 64;    // collisions after which no more impacts are located within a step
constexpr Int MOST_EVENTS = 128;    // impacts that are located within one step at all: slow ones are no collisions
constexpr Int MOST_HALVINGS = 6;    // of a step that gains energy
constexpr Int MOST_HITS = 2;        // collisions at one instant, before the contacts that still approach are brought to rest

template <class T> void copy(View<const T> source, View<T> target) {
    for (Int i = 0; i < source.size; ++i) target[i] = source[i];
}

bool finite(ConstVec q, ConstVec v) {
    double total = 0.0;
    for (Int i = 0; i < q.size; ++i) total += 0.0 * q[i] + 0.0 * v[i];
    return total == 0.0;
}

std::vector<Lightness> lightness(const Mechanism& mechanism) {
    std::vector<Lightness> found;
    const auto inverse = [](double x) { return x > 0.0 ? 1.0 / x : 0.0; };
    for (const TreeNode& node : mechanism.nodes) found.push_back({inverse(node.mass), inverse(node.inertia), node.com});
    return found;
}

// They act at the end of a step, or by its mean: they can be too fast for Runge-Kutta alone.
bool has_springs_in_joints(const Mechanism& mechanism) {
    for (const TreeNode& node : mechanism.nodes)
        if (node.stiffness > 0.0) return true;
    return false;
}

}  // namespace

Stepper::Stepper(Scene made, Int inputs, StepperParts parts)
    : scene(std::move(made)), state(scene.size(), scene.contacts()), torque(inputs), solver_(scene, state, std::move(parts)),
      end_(scene.size()), pace_(scene.mechanism, scene.options.h) {
    scene.watch = watches(scene.mechanism);
    scene.lightness = lightness(scene.mechanism);
    strains_ = pace_.watched() || (solver_.runge_kutta && has_springs_in_joints(scene.mechanism));
}

void Stepper::place(ConstVec q, ConstVec v) {
    copy<double>(q, state.q);
    copy<double>(v, state.v);
    solver_.place();
    state.budget.fill(-INF);
    refresh(scene, solver_.bodies.pose, 0.0, scene.options.slack + 2.0 * tolerances::TOUCH, state);
    state.loaded.fill(false);
    state.basis.fill(false);
    state.remaining = 0.0;
    state.stage = Stage::MOVE;
    state.events = state.hits = 0;
    state.limit = state.pace = INF;
    state.recovery = true;
    given_ = false;
    book.clear();
    gained_over_run = false;
    impacts.clear();
    pieces.clear();
    steps_ = 0;
}

void Stepper::answer(ConstVec v_plus, ConstVec p, const StepAnswer& how) {
    copy<double>(v_plus, solver_.v_plus);
    copy<double>(p, solver_.rows->p);
    solver_.answer = how;
    given_ = true;
}

void Stepper::choose_stage() {
    state.length = smaller(state.remaining, smaller(state.limit, state.pace));
    if (solver_.midpoint) state.length = smaller(state.length, solver_.midpoint->first_stop(tolerances::STOP * scene.options.h));
    if (solver_.list() == Listing::IMPACT && state.hits < MOST_HITS) {
        keep_rigid(scene, state, solver_.rows->near);
        ++state.hits;
        state.stage = Stage::COMPRESS;
    } else {
        state.stage = Stage::SMOOTH;
    }
}

// The contact problem of the present stage.
StepStatus Stepper::solve() {
    const PartStatus status = solver_.solve(waiting_time(), waiting_decompression());
    if (status == PartStatus::SOLVED) return StepStatus::DONE;
    return status == PartStatus::ASK ? StepStatus::ASK : StepStatus::SINGULAR;
}

void Stepper::set_push(Int i, Point force, double moment) {
    scene.mechanism.pushes[size_t(i)].force = force;
    scene.mechanism.pushes[size_t(i)].moment = moment;
}

// Move to the end of the part.
void Stepper::go_on(double part) {
    const auto kept = [](ConstVec x) { return std::vector<double>(x.data, x.data + x.size); };
    if (watch_pieces)
        pieces.push_back({elapsed(), part * state.length, kept(state.q), kept(state.v), kept(end_.trial.q), kept(end_.v)});
    copy<double>(end_.v, state.v);
    copy<double>(end_.trial.q, state.q);
    copy<Pose>(end_.trial.pose, solver_.bodies.pose);
    copy<Motion>(end_.motion, solver_.bodies.motion);
    solver_.level = end_.level;
    refresh(scene, solver_.bodies.pose, end_.way, scene.options.slack + 2.0 * tolerances::TOUCH, state);
    const double h = state.length;
    state.remaining = part == 1.0 && h == state.remaining ? 0.0 : state.remaining - part * h;
    if (state.remaining <= tolerances::STEP_END * scene.options.h) state.remaining = 0.0;
}

void Stepper::after_collision(StepRow& row) {
    const bool decompressed = state.stage == Stage::DECOMPRESS;
    if (!decompressed) collision_.compressed(scene.mechanism, state.v, solver_.v_plus, solver_.bodies, *solver_.rows);
    else if (collision_.cut_back(scene.mechanism, state.v, solver_.v_plus, solver_.bodies, *solver_.rows)) return;
    add_impulses(*solver_.rows, 1.0, solver_.rows->p, row);
    if (decompressed) add_impulses(*solver_.rows, 1.0, solver_.rows->push, row);
    else {
        ++row.impacts;
        note_impacts(*solver_.rows, double(steps_) * scene.options.h + elapsed(), impacts);
    }
    const bool bouncing = !decompressed && give_back(scene.mechanism, *solver_.rows);
    copy<double>(solver_.v_plus, state.v);
    move(scene.mechanism, solver_.bodies.pose, state.v, solver_.bodies.motion);
    solver_.moved = false;
    if (solver_.midpoint) solver_.midpoint->forget_slip();
    state.stage = bouncing ? Stage::DECOMPRESS : Stage::MOVE;
}

StepStatus Stepper::after_smooth(StepRow& row) {
    const bool crowded = state.events >= MOST_IMPACTS && (row.impacts >= MOST_IMPACTS || state.events >= MOST_EVENTS);
    const bool locate = scene.options.level != Level::POSITION && !crowded;
    const double part = end_.find(scene, state, solver_, locate), speed = scene.options.impact_speed, least = scene.mass * speed * speed;
    const EnergyEntry made = end_.entry(scene, state, solver_, part);
    state.stage = Stage::MOVE;
    const bool smallest = !state.recovery && state.length <= std::ldexp(state.pace, -MOST_HALVINGS);
    const bool gains = EnergyBook::gains(made, least), lifts = state.recovery && book.lifts(made, part * solver_.recovery(), least);
    if (gains || lifts || (!smallest && book.drifts(made, part * state.length, scene.options.h, least))) {
        gained = made;
        if (smallest && solver_.scheme == PartSolver::Scheme::PLAIN) return StepStatus::GAINED;
        if (smallest) solver_.plainly = true;
        if (!state.recovery) state.limit = 0.5 * state.length;
        state.recovery = false;
        return StepStatus::DONE;
    }
    book.add(made);
    solver_.take(part);
    if (spent(least)) return StepStatus::GAINED;
    note_answer(solver_.answer, row);
    write_letters(scene, solver_, state, row.letters);
    if (solver_.scheme == PartSolver::Scheme::MIDDLE) solver_.midpoint->note_slip(state, solver_.v_plus, state.length, *solver_.rows, scene.mechanism);
    else if (solver_.midpoint) solver_.midpoint->forget_slip();
    add_impulses(*solver_.rows, part, solver_.rows->p, row);
    if (part < 1.0) {
        ++state.events;
        state.hits = 0;
    }
    go_on(part);
    return StepStatus::DONE;
}

StepStatus Stepper::make_step(StepRow& row) {
    if (state.stage == Stage::MOVE && state.remaining == 0.0) {
        pieces.clear();
        solver_.begin_step();
        state.remaining = scene.options.h;
        state.events = state.hits = 0;
        state.limit *= 2.0;     // what was made smaller grows again
        state.pace = pace_.next(state.pace, scene.mechanism, solver_.bodies.pose);
        state.recovery = true;
    }
    while (state.remaining > 0.0) {
        if (state.stage == Stage::MOVE) choose_stage();
        if (!given_) {
            const StepStatus status = solve();
            if (status != StepStatus::DONE) return status;
        }
        given_ = false;
        if (state.stage == Stage::SMOOTH) {
            const StepStatus status = after_smooth(row);
            if (status != StepStatus::DONE) return status;
        } else {
            note_answer(solver_.answer, row);
            after_collision(row);
        }
    }
    return StepStatus::DONE;
}

// Whether the run has gained more than it may.
bool Stepper::spent(double least) {
    gained_over_run = book.exploded(least) || (strains_ && book.strained(least));
    return gained_over_run;
}

// Enter a whole step of Runge-Kutta, known at its beginning; false when the run has exploded.
bool Stepper::booked(EnergyEntry& made) {
    const Mechanism& mechanism = scene.mechanism;
    const double h = scene.options.h, speed = scene.options.impact_speed;
    move(mechanism, solver_.bodies.pose, state.v, end_.motion);
    made.after = energy_levels(mechanism, {state.q, state.v}, solver_.bodies.pose, end_.motion);
    made.after.potential += energy_of_soft_contacts(mechanism, solver_.rows->near, solver_.bodies.pose);
    made.work += 0.5 * h * power_from_outside(mechanism, solver_.bodies.pose, end_.motion);
    for (Int i = 0; i < scene.size(); ++i) made.work += h * state.tau[i] * 0.5 * (end_.v[i] + state.v[i]);
    made.rounding = PartEnd::rounding(scene, made, *solver_.rows, solver_.bodies.pose, h);
    book.add(made);
    return !spent(scene.mass * speed * speed);
}

StepStatus Stepper::make_runge_kutta_step(StepRow& row) {
    const double h = scene.options.h;
    if (!given_) {
        state.remaining = state.length = h;
        solver_.list();
        state.stage = Stage::SMOOTH;
        RungeKutta::add_drift(scene.mechanism, solver_.bodies, h, solver_.rows->near);
        const StepStatus status = solve();
        if (status != StepStatus::DONE) return status;
    }
    given_ = false;
    state.stage = Stage::MOVE;
    note_answer(solver_.answer, row);
    write_letters(scene, solver_, state, row.letters);
    for (Int i = 0; i < solver_.rows->pins; ++i) solver_.rows->p[i] = 0.0;     // the stages find their own
    add_impulses(*solver_.rows, 1.0, solver_.rows->p, row);
    copy<Pose>(solver_.bodies.pose, end_.trial.pose);
    copy<double>(state.v, end_.v);
    EnergyEntry made{solver_.level, {}, 0.5 * h * power_from_outside(scene.mechanism, end_.trial.pose, solver_.bodies.motion)};
    made.before.potential += energy_of_soft_contacts(scene.mechanism, solver_.rows->near, end_.trial.pose);
    solver_.singular = solver_.runge_kutta->step(scene, {state.q, state.v, state.tau, h, row.loop_impulse}, *solver_.rows, solver_.bodies);
    if (solver_.singular >= 0) return StepStatus::SINGULAR;
    mc::place(scene.mechanism, state.q, solver_.bodies.pose);
    if (!booked(made)) return StepStatus::GAINED;
    refresh(scene, solver_.bodies.pose, travelled(end_.trial.pose, solver_.bodies.pose, scene.reach), scene.options.slack, state);
    state.remaining = 0.0;
    solver_.moved = false;
    return StepStatus::DONE;
}

StepStatus Stepper::advance(Int last, StepRecord& record, double patience) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    while (record.steps() < last) {
        const StepStatus status = scene.options.integrator == Integrator::RUNGE_KUTTA ? make_runge_kutta_step(record.step) : make_step(record.step);
        if (status != StepStatus::DONE) return status;
        if (!finite(state.q, state.v)) return StepStatus::NOT_FINITE;
        ++steps_;
        copy<double>(torque, record.step.torque);
        if (!record.end_step(state.q, state.v)) return StepStatus::FULL;
        if (std::chrono::duration<double>(Clock::now() - start).count() > patience) break;
    }
    return record.steps() < last ? StepStatus::PAUSED : StepStatus::DONE;
}

}  // namespace mc
