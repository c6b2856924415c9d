#include "timestepping/stepper.hpp"

#include <chrono>

#include "dynamics/applied_forces.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr Int ROOM = 12;            // near contacts that the work space has room for at first; it grows when there are more
constexpr Int MOST_EVENTS = 64;     // impacts located within one step
constexpr Int MOST_HALVINGS = 6;    // of a step that gains energy
constexpr Int MOST_PASSES = 6;      // attempts at a step whose forces are taken in its middle
constexpr Int MOST_HITS = 2;        // collisions at one instant, before the contacts that still approach are brought to rest

template <class T> void copy(View<const T> source, View<T> target) {
    for (Int i = 0; i < source.size; ++i) target[i] = source[i];
}

bool finite(ConstVec q, ConstVec v) {
    double total = 0.0;
    for (Int i = 0; i < q.size; ++i) total += 0.0 * q[i] + 0.0 * v[i];
    return total == 0.0;
}

}  // namespace

Stepper::Stepper(Scene made, Int inputs, StepperParts parts)
    : scene(std::move(made)), state(scene.size(), scene.contacts()), torque(inputs), response_(std::move(parts.response)),
      whole_(parts.whole), bodies_(scene.size()), trial_(scene.size()), v_plus_(scene.size()),
      v_end_(scene.size()), motion_end_(scene.size()) {
    const Integrator how = scene.options.integrator;
    if (how == Integrator::RUNGE_KUTTA || how == Integrator::FREE_RUNGE_KUTTA)
        runge_kutta_ = std::make_unique<RungeKutta>(scene.size(), scene.pins());
    if (how == Integrator::THETA || how == Integrator::FREE_RUNGE_KUTTA)
        midpoint_ = std::make_unique<Midpoint>(scene.size(), scene.contacts());
    if (how == Integrator::FREE_RUNGE_KUTTA) q_plus_ = Array<double>(scene.size());
    pin_sum_ = Array<double>(scene.pins());
    for (const Closure& closure : scene.mechanism.closures)
        if (closure.kind == ClosureKind::DRIVE) drives_.push_back({});
    make_room(scene.most_near() < ROOM ? scene.most_near() : ROOM);
}

void Stepper::make_room(Int room) {
    const Int hinges = response_ ? response_->hinges() : 0;
    rows_ = std::make_unique<ContactRows>(scene.pins(), room);
    rows_->driven = drives();
    problem_ = std::make_unique<StepProblem>(hinges + scene.pins(), room, whole_);
    if (response_) response_->make_room(scene.pins() + 2 * room);
}

void Stepper::place(ConstVec q, ConstVec v) {
    copy<double>(q, state.q);
    copy<double>(v, state.v);
    mc::place(scene.mechanism, q, bodies_.pose);
    state.budget.fill(-INF);
    refresh(scene.mechanism, bodies_.pose, 0.0, scene.options.slack + 2.0 * tolerances::TOUCH, state);
    state.loaded.fill(false);
    state.basis.fill(false);
    state.remaining = 0.0;
    state.stage = Stage::MOVE;
    state.events = state.hits = 0;
    state.limit = INF;
    state.recovery = true;
    given_ = moved_ = false;
    book.clear();
    if (midpoint_) midpoint_->forget();
    impacts.clear();
    pieces.clear();
    steps_ = 0;
}

void Stepper::answer(ConstVec v_plus, ConstVec p, const StepAnswer& how) {
    copy<double>(v_plus, v_plus_);
    copy<double>(p, rows_->p);
    answer_ = how;
    given_ = true;
}

// Near contacts at the present state, in as much room as they need.
Listing Stepper::list() {
    if (!moved_) {
        move(scene.mechanism, bodies_.pose, state.v, bodies_.motion);
        level_ = energy_levels(scene.mechanism, {state.q, state.v}, bodies_.pose, bodies_.motion);
        moved_ = true;
    }
    for (;;) {
        const Listing found = list_near(scene, bodies_.pose, bodies_.motion, state.length, state, rows_->near);
        if (found != Listing::NO_ROOM) return found;
        const Int twice = 2 * rows_->near.room();
        make_room(twice < scene.most_near() ? twice : scene.most_near());
    }
}

void Stepper::choose_stage() {
    state.length = smaller(state.remaining, state.limit);
    if (midpoint_) state.length = smaller(state.length, midpoint_->first_stop(tolerances::STOP * scene.options.h));
    if (list() == Listing::IMPACT && state.hits < MOST_HITS) {
        keep_rigid(scene, state, rows_->near);
        ++state.hits;
        state.stage = Stage::COMPRESS;
    } else {
        state.stage = Stage::SMOOTH;
    }
}

// One contact problem over `h` (0 in a collision) into `v_plus_`, `rows_->p`, `answer_`.
StepStatus Stepper::solve(double h, bool decompression) {
    if (h > 0.0 && midpoint_ && response_) {
        if (runge_kutta_ && rows_->near.count == 0) scheme_ = fly(h) ? Scheme::FLYING : Scheme::PLAIN;
        else scheme_ = solve_in_the_middle(h) ? Scheme::MIDDLE : Scheme::PLAIN;
        if (scheme_ != Scheme::PLAIN) return StepStatus::DONE;
        list();     // its terms as they are for a plain step
    }
    scheme_ = Scheme::PLAIN;
    rows_->turning.fill(0.0);
    return solve_plainly(h, decompression);
}

void Stepper::set_push(Int i, Point force, double moment) {
    scene.mechanism.pushes[size_t(i)].force = force;
    scene.mechanism.pushes[size_t(i)].moment = moment;
}

// Velocities of the driven coordinates at the end of a part of `h`: those of their drives, and part of what they are off.
void Stepper::drive_targets(double h) {
    const double whole = scene.options.h, from = elapsed(), to = from + h;
    for (Int i = 0; i < drives(); ++i) {
        const Drive& drive = drives_[size_t(i)];
        const Int row = rows_->pins - drives() + i;
        const Closure& closure = scene.mechanism.closures[scene.mechanism.closures.size() - size_t(drives() - i)];
        const double off = state.q[closure.node] - drive.place(from, whole);
        double speed = drive.speed(to, whole);
        if (h > 0.0 && !midpoint_) speed = (drive.place(to, whole) - drive.place(from, whole)) / h;
        rows_->target[row] = speed - (h > 0.0 ? scene.options.correction / whole * off : 0.0);
    }
}

// Work of the drives over the part of a smooth part that has gone by.
double Stepper::drive_work(double part) const {
    double work = 0.0;
    const double whole = scene.options.h, from = elapsed(), to = from + part * state.length;
    for (Int i = 0; i < drives(); ++i) {
        const Drive& drive = drives_[size_t(i)];
        work += part * rows_->p[rows_->pins - drives() + i] * 0.5 * (drive.speed(from, whole) + drive.speed(to, whole));
    }
    return work;
}

void Stepper::note_impacts() {
    const double time = double(steps_) * scene.options.h + elapsed();
    for (Int i = 0; i < rows_->near.count; ++i)
        if (rows_->near.claw[i] == 0 && rows_->p[rows_->normal(i)] > 0.0) impacts.push_back({time, rows_->near.contact[i], rows_->p[rows_->normal(i)]});
}

// With forces in the middle of the step; false when some attempt has no answer.
bool Stepper::solve_in_the_middle(double h) {
    pin_targets(scene.mechanism, bodies_.pose, scene.options.correction / scene.options.h, rows_->target);
    drive_targets(h);
    midpoint_->guess(state, h, *rows_);
    if (may_hold(scene.mechanism, rows_->near)) {
        write_rows(scene.mechanism, bodies_.pose, *rows_);
        hold_resting(scene.mechanism, bodies_.motion, *rows_);
    }
    const bool pulled = write_pulls(*rows_);
    for (Int pass = 0; pass < MOST_PASSES; ++pass) {
        midpoint_->prepare(scene.mechanism, state, h, *rows_);
        if (!state.recovery) relax(*rows_);
        const StepMoment at{scene, state, midpoint_->bodies, *rows_, h, pulled, {midpoint_->q, midpoint_->v}};
        if (response_->free_motion(at) >= 0) return false;
        if (!problem_->solve(at, *response_, *rows_, memory(), level_.kinetic, v_plus_)) return false;
        answer_ = problem_->answer;
        if (midpoint_->settled(state, v_plus_, h)) break;
    }
    return true;
}

// A free flight of `h` by Runge-Kutta into `q_plus_`, `v_plus_`; false when a mass cannot be divided by.
bool Stepper::fly(double h) {
    copy<double>(state.q, q_plus_);
    copy<double>(state.v, v_plus_);
    pin_sum_.fill(0.0);
    answer_ = {};
    const bool flown =
        runge_kutta_->step(scene, {q_plus_, v_plus_, state.tau, h, pin_sum_}, *rows_, midpoint_->bodies) < 0;
    copy<double>(pin_sum_, rows_->p.part(0, rows_->pins));
    return flown;
}

StepStatus Stepper::solve_plainly(double h, bool decompression) {
    if (rows_->size() > 0) {
        const double rate = h > 0.0 ? scene.options.correction / scene.options.h : 0.0;
        pin_targets(scene.mechanism, bodies_.pose, rate, rows_->target);
        drive_targets(h);
        write_rows(scene.mechanism, bodies_.pose, *rows_);
        if (h > 0.0) hold_resting(scene.mechanism, bodies_.motion, *rows_);
        if (!state.recovery) relax(*rows_);
    }
    if (!response_) return StepStatus::ASK;
    const bool pulled = h > 0.0 && write_pulls(*rows_);
    const StepMoment at{scene, state, bodies_, *rows_, h, decompression || pulled};
    singular = response_->free_motion(at);
    if (singular >= 0) return StepStatus::SINGULAR;
    if (!problem_->solve(at, *response_, *rows_, memory(), level_.kinetic, v_plus_)) return StepStatus::ASK;
    answer_ = problem_->answer;
    return StepStatus::DONE;
}

void Stepper::note(StepRow& row) const {
    if (answer_.rows > row.size) row.size = answer_.rows;
    if (answer_.method > row.method) row.method = answer_.method;
    row.residual = larger(row.residual, answer_.residual);
}

// Add `part` of the impulses `p` to the record of a step.
void Stepper::add_impulses(double part, ConstVec p, StepRow& row) const {
    for (Int i = 0; i < rows_->pins; ++i) row.loop_impulse[i] += part * p[i];
    for (Int i = 0; i < rows_->near.count; ++i) {
        const double normal = part * p[rows_->normal(i)], claw = double(rows_->near.claw[i]);
        if (claw != 0.0) row.push(rows_->near.contact[i], 0.0, claw * normal);
        else row.push(rows_->near.contact[i], normal, part * p[rows_->tangential(i)]);
    }
}

// S, L, R, F of each contact at the end of the step, from its impulse and tangential velocity.
void Stepper::write_letters(View<Letter> letters) {
    letters.fill(SEPARATE);
    for (Int c = 0; c < scene.contacts(); ++c)
        if (scene.mechanism.contacts[size_t(c)].kind == ContactKind::DRIVE) letters[c] = FIXED;
    state.loaded.fill(false);
    if (rows_->near.count == 0) return;
    ArticulatedBodies& bodies = scheme_ == Scheme::MIDDLE ? midpoint_->bodies : bodies_;
    move(scene.mechanism, bodies.pose, v_plus_, bodies.motion);
    for (Int i = 0; i < rows_->near.count; ++i) {
        if (!rows_->loaded(i)) continue;
        const Int c = rows_->near.contact[i];
        const Int t = rows_->tangential(i);
        const double speed = row_velocity(rows_->row[t], bodies.motion) + rows_->turning[t] - rows_->near.speed[i];
        state.loaded[c] = true;
        state.feature[c] = rows_->near.feature[i];
        letters[c] = std::fabs(speed) <= tolerances::SLIP ? FIXED : speed > 0.0 ? RIGHT : LEFT;
    }
}

// Go to the end of the smooth part or to the first impact, with `trial_` only: the part of its length that has gone by.
double Stepper::find_end() {
    const double h = state.length;
    const bool flying = scheme_ == Scheme::FLYING;
    const Path path{state.q, state.v, v_plus_, h, scheme_ == Scheme::MIDDLE ? 0.5 : 1.0, flying ? ConstVec(q_plus_) : ConstVec{}};
    trial_.go(scene.mechanism, path, h);
    double end = h;
    if (scene.options.level != Level::POSITION && state.events < MOST_EVENTS) {
        const double distance = travelled(bodies_.pose, trial_.pose, scene.reach);
        end = first_impact(scene.mechanism, path, state, rows_->near, bodies_.pose, trial_, distance);
    }
    const double part = end / h;
    if (flying && part < 1.0 && fly(end)) {
        copy<double>(v_plus_, v_end_);
        copy<double>(q_plus_, trial_.q);
        mc::place(scene.mechanism, trial_.q, trial_.pose);
        for (Int i = 0; i < rows_->pins; ++i) rows_->p[i] /= part;      // of which the record takes that part
        return part;
    }
    for (Int i = 0; i < scene.size(); ++i) v_end_[i] = part == 1.0 ? v_plus_[i] : state.v[i] + part * (v_plus_[i] - state.v[i]);
    return part;
}

// What the way to `trial_` does to the energies; fills `motion_end_`.
EnergyEntry Stepper::entry(double part) {
    move(scene.mechanism, trial_.pose, v_end_, motion_end_);
    EnergyEntry made{level_, energy_levels(scene.mechanism, {trial_.q, v_end_}, trial_.pose, motion_end_), 0.0};
    made.before.potential += energy_of_soft_contacts(scene.mechanism, rows_->near, bodies_.pose);
    made.after.potential += energy_of_soft_contacts(scene.mechanism, rows_->near, trial_.pose);
    for (Int i = 0; i < scene.size(); ++i)
        made.work += part * state.length * state.tau[i] * 0.5 * (state.v[i] + v_end_[i]);
    made.work += drive_work(part) + part * surface_work(*rows_);
    if (!scene.mechanism.pushes.empty())
        made.work += part * state.length * 0.5 * (push_power(scene.mechanism, bodies_.pose, bodies_.motion) +
                                                  push_power(scene.mechanism, trial_.pose, motion_end_));
    return made;
}

// Move to `trial_`.
void Stepper::go_on(double part) {
    const auto kept = [](ConstVec x) { return std::vector<double>(x.data, x.data + x.size); };
    if (watch_pieces)
        pieces.push_back({elapsed(), part * state.length, kept(state.q), kept(state.v), kept(trial_.q), kept(v_end_)});
    copy<double>(v_end_, state.v);
    copy<double>(trial_.q, state.q);
    const double distance = travelled(bodies_.pose, trial_.pose, scene.reach);
    copy<Pose>(trial_.pose, bodies_.pose);
    copy<Motion>(motion_end_, bodies_.motion);
    level_ = energy_levels(scene.mechanism, {state.q, state.v}, bodies_.pose, bodies_.motion);
    refresh(scene.mechanism, bodies_.pose, distance, scene.options.slack + 2.0 * tolerances::TOUCH, state);
    const double h = state.length;
    state.remaining = part == 1.0 && h == state.remaining ? 0.0 : state.remaining - part * h;
    if (state.remaining <= tolerances::STEP_END * scene.options.h) state.remaining = 0.0;
}

void Stepper::after_collision(StepRow& row) {
    const bool decompressed = state.stage == Stage::DECOMPRESS;
    if (!decompressed) collision_.compressed(scene.mechanism, state.v, v_plus_, bodies_, *rows_);
    else if (collision_.cut_back(scene.mechanism, state.v, v_plus_, bodies_, *rows_)) return;
    add_impulses(1.0, rows_->p, row);
    if (decompressed) add_impulses(1.0, rows_->push, row);
    else {
        ++row.impacts;
        note_impacts();
    }
    const bool bouncing = !decompressed && give_back(scene.mechanism, *rows_);
    copy<double>(v_plus_, state.v);
    move(scene.mechanism, bodies_.pose, state.v, bodies_.motion);
    moved_ = false;
    if (midpoint_) midpoint_->forget_slip();
    state.stage = bouncing ? Stage::DECOMPRESS : Stage::MOVE;
}

StepStatus Stepper::after_smooth(StepRow& row) {
    const double part = find_end(), speed = scene.options.impact_speed, least = scene.mass * speed * speed;
    const EnergyEntry made = entry(part);
    state.stage = Stage::MOVE;
    if (EnergyBook::gains(made, least)) {
        gained = made;
        if (!state.recovery && state.length <= std::ldexp(scene.options.h, -MOST_HALVINGS)) return StepStatus::GAINED;
        if (!state.recovery) state.limit = 0.5 * state.length;
        state.recovery = false;
        return StepStatus::DONE;
    }
    book.add(made);
    if (book.exploded(least)) return StepStatus::GAINED;
    note(row);
    write_letters(row.letters);
    if (scheme_ == Scheme::MIDDLE) midpoint_->note_slip(state, v_plus_, state.length, *rows_, scene.mechanism);
    else if (midpoint_) midpoint_->forget_slip();
    add_impulses(part, rows_->p, row);
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
        problem_->begin_step();
        state.remaining = scene.options.h;
        state.events = state.hits = 0;
        state.limit = INF;
        state.recovery = true;
    }
    while (state.remaining > 0.0) {
        if (state.stage == Stage::MOVE) choose_stage();
        if (!given_) {
            const StepStatus status = solve(waiting_time(), waiting_decompression());
            if (status != StepStatus::DONE) return status;
        }
        given_ = false;
        if (state.stage == Stage::SMOOTH) {
            const StepStatus status = after_smooth(row);
            if (status != StepStatus::DONE) return status;
        } else {
            note(row);
            after_collision(row);
        }
    }
    return StepStatus::DONE;
}

StepStatus Stepper::make_runge_kutta_step(StepRow& row) {
    const double h = scene.options.h;
    if (!given_) {
        state.remaining = state.length = h;
        list();
        state.stage = Stage::SMOOTH;
        RungeKutta::add_drift(scene.mechanism, bodies_, h, rows_->near);
        const StepStatus status = solve(h, false);
        if (status != StepStatus::DONE) return status;
    }
    given_ = false;
    state.stage = Stage::MOVE;
    note(row);
    write_letters(row.letters);
    for (Int i = 0; i < rows_->pins; ++i) rows_->p[i] = 0.0;     // the stages find their own
    add_impulses(1.0, rows_->p, row);
    copy<Pose>(bodies_.pose, trial_.pose);
    singular = runge_kutta_->step(scene, {state.q, state.v, state.tau, h, row.loop_impulse}, *rows_, bodies_);
    if (singular >= 0) return StepStatus::SINGULAR;
    mc::place(scene.mechanism, state.q, bodies_.pose);
    refresh(scene.mechanism, bodies_.pose, travelled(trial_.pose, bodies_.pose, scene.reach), scene.options.slack, state);
    state.remaining = 0.0;
    moved_ = false;
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
