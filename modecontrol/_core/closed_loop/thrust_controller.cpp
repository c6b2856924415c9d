#include "closed_loop/thrust_controller.hpp"

namespace mc {

namespace {

constexpr Int ALL = Int(1) << 40;  // programs that no search needs

LawNumbers law_numbers(const Contact& contact, double friction) {
    LawKind kind = contact.has_normal() ? LawKind::ONE_SIDED : LawKind::DRY;
    if (contact.has_normal() && contact.has_tangent()) kind = LawKind::COULOMB;
    if (contact.kind == ContactKind::DRIVE) kind = LawKind::DRIVE;
    if (contact.rolls()) kind = LawKind::ROLLING;
    const ContactLaw& law = contact.law;
    return {kind, friction, friction, law.hold, law.pull, int(law.way), law.least, law.most, contact.host};
}

double within(double x, double low, double high) { return smaller(high, larger(low, x)); }

}  // namespace

ThrustController::ThrustController(const ThrustPlan& given)
    : plan(given), q_(plan.mechanism.size()), v_(q_.size), settled_(q_.size), told_(plan.contacts(), std::int8_t(-1)),
      closed_(plan.contacts()), slip_(plan.contacts()), work_(q_.size, plan.contacts(), plan.mechanism.loops()),
      M_(q_.size, q_.size), J_(plan.mechanism.rows(), q_.size), G_(plan.mechanism.loops(), q_.size), limits_(plan.inputs(), 2),
      b_(q_.size), d_(J_.rows), xd_(J_.rows), gap_(plan.contacts()), e_(G_.rows), opening_(G_.rows) {
    laws_.reserve(size_t(plan.contacts()));
    made_.torque.resize(size_t(plan.inputs()));
    made_.acceleration.resize(size_t(q_.size));
    made_.letters.resize(size_t(plan.contacts()));
    reset();
}

void ThrustController::reset() {
    memory = ThrustMemory();
    memory.held.resize(plan.links.size());
    memory.angle.resize(plan.links.size());
}

Decided ThrustController::decide(double t, const StateView& measured) {
    made_.time = t;
    made_.value = 0.0;
    made_.predicted = made_.ambiguous = false;
    made_.fallback = Fallback::NONE;
    std::fill(made_.acceleration.begin(), made_.acceleration.end(), NaN);
    std::fill(made_.letters.begin(), made_.letters.end(), Letter(0));
    const double rate = plan.assumed ? measured.v[plan.assumed->coordinate] : 0.0;
    if (plan.assumed) believe(t, rate);
    if (!memory.over && plan.end && plan.end->at(measured.q)) memory.over = true;
    if (memory.over) {
        rest(measured);
    } else {
        if (!read(measured)) return Decided::INDEFINITE;
        if (plan.assumed) choose_assumed();
        else choose();
        if (plan.holds) hold();
    }
    memory.has_last = made_.predicted;
    memory.last_time = t, memory.last_rate = rate, memory.last_value = made_.value;
    for (double input : made_.torque)
        if (!std::isfinite(input)) return Decided::NOT_FINITE;
    return Decided::SETTLED;
}

// The filter on measured minus predicted acceleration over the last interval.
void ThrustController::believe(double t, double rate) {
    const AssumedModes& assumed = *plan.assumed;
    if (!memory.has_last || t <= memory.last_time) return;
    const double dt = t - memory.last_time;
    if (t <= assumed.ignore) {
        memory.filtered = 0.0;
        return;
    }
    const double difference = (rate - memory.last_rate) / dt - memory.last_value;
    memory.filtered += (difference - memory.filtered) * dt / (assumed.filter_time + dt);
    if (memory.filtered > assumed.threshold && memory.stage + 1 < Int(assumed.modes.size())) {
        ++memory.stage;
        memory.switches.push_back(t);
        memory.filtered = 0.0;
    }
}

void ThrustController::rest(const StateView& measured) {
    for (Int i = 0; i < plan.inputs(); ++i)
        made_.torque[size_t(i)] = plan.rest.first < 0 ? plan.rest.inputs[i] : -plan.rest.gain * measured.v[plan.rest.first + i];
}

// The instant that the mode analysis should see.
bool ThrustController::read(const StateView& measured) {
    StateView seen = measured;
    if (plan.observer) {
        observe_rhex(*plan.observer, measured, q_, v_, told_);
        seen = {q_, v_};
    } else {
        for (Int i = 0; i < q_.size; ++i) q_[i] = measured.q[i];
    }
    const InstantArrays out{M_, b_, J_, d_, xd_, gap_, G_, e_, opening_, limits_};
    return measured_instant(plan.mechanism, seen, {told_, plan.rest_speed, plan.gap, plan.leaving}, work_, out,
                            {settled_, closed_, slip_});
}

// Search at the instant that was read; with `only` in the mode of these letters alone, whose sliding contacts slide already.
Choice ThrustController::best(bool with_task, const std::vector<Letter>* only, double margin, Int patience) {
    laws_.clear();
    for (Int c = 0; c < plan.contacts(); ++c) {
        Int slip = slip_[c];
        if (only) slip = (*only)[size_t(c)] == LEFT ? -1 : (*only)[size_t(c)] == RIGHT ? 1 : 0;
        const LawNumbers numbers = law_numbers(plan.mechanism.contacts[size_t(c)], plan.friction[c]);
        laws_.push_back(law_of(numbers, closed_[c] ? ContactState(slip) : ContactState::OPEN));
        if (only) laws_.back().keep((*only)[size_t(c)]);
    }
    const WishedRows& rows = with_task ? plan.with_task : plan.without_task;
    const Instant at{{M_, b_, plan.actuation, J_, d_, G_, e_}, {laws_.data(), Int(laws_.size())}, rows.view(), tolerances::STILL};
    return search_.solve(at, limits_, {margin, patience});
}

void ThrustController::choose() {
    const Int last = plan.has_task ? plan.patience / 4 : 0;
    Choice status = best(true, nullptr, plan.margin, plan.patience - last);
    if (plan.ignores_ambiguity && search_.hoped().found) return take(search_.hoped(), Fallback::NONE, false);
    if (search_.best().found) return take(search_.best(), status == SURE ? Fallback::NONE : Fallback::NOT_BEST, false);
    if (status != UNLIMITED_GOAL && search_.hoped().found) return take(search_.hoped(), Fallback::AMBIGUOUS, true);
    if (status != UNLIMITED_GOAL && plan.has_task) {
        const Int left = plan.patience - search_.programs();
        status = best(false, nullptr, 0.0, left > last ? left : last);
        if (search_.best().found) return take(search_.best(), Fallback::DROPPED, false);
        if (status != UNLIMITED_GOAL && search_.hoped().found) return take(search_.hoped(), Fallback::DROPPED, true);
    }
    std::fill(made_.torque.begin(), made_.torque.end(), 0.0);
    made_.fallback = status == STOPPED ? Fallback::SPENT : Fallback::NO_MODE;
}

void ThrustController::choose_assumed() {
    letters_ = plan.assumed->modes[size_t(memory.stage)];
    for (Int c = 0; c < plan.contacts(); ++c)
        if (!closed_[c]) letters_[size_t(c)] = SEPARATE;
    for (const bool with_task : {true, false}) {
        best(with_task, &letters_, 0.0, ALL);
        if (search_.best().found) return take(search_.best(), with_task ? Fallback::NONE : Fallback::DROPPED, false);
    }
    std::fill(made_.torque.begin(), made_.torque.end(), 0.0);
    made_.fallback = Fallback::NO_MODE;
}

void ThrustController::take(const BestInputs::Point& point, Fallback fallback, bool ambiguous) {
    for (Int i = 0; i < plan.inputs(); ++i) made_.torque[size_t(i)] = within(point.tau[size_t(i)], limits_(i, 0), limits_(i, 1));
    std::copy(point.u.begin(), point.u.begin() + q_.size, made_.acceleration.begin());
    made_.letters = point.letters;
    made_.value = point.value;
    made_.predicted = true;
    made_.ambiguous = ambiguous;
    made_.fallback = fallback;
}

// A massless link whose contacts are all open keeps its angle at lift-off.
void ThrustController::hold() {
    for (size_t l = 0; l < plan.links.size(); ++l) {
        const MasslessLink& link = plan.links[l];
        bool touches = false;
        for (const Int c : link.contacts) touches = touches || closed_[c];
        if (touches) {
            memory.held[l] = false;
            continue;
        }
        const double angle = q_[link.coordinate];
        if (!memory.held[l]) memory.held[l] = true, memory.angle[l] = angle;
        const double wanted = -plan.kp * (angle - memory.angle[l]) - plan.kd * settled_[link.coordinate];
        made_.torque[size_t(link.input)] = smaller(larger(wanted, limits_(link.input, 0)), limits_(link.input, 1));
    }
}

}  // namespace mc
