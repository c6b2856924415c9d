#include "thrust/promised_inputs.hpp"

#include <algorithm>

namespace mc {

namespace {

constexpr Int MOST_STEPS = 12;
constexpr double LEAST_GAIN = 0.05;   // of what is missing, that halving a cell has to bring for its halves to be worth halving

double slack(double value) { return tolerances::STRICT * larger(1.0, std::abs(value)); }

// Least or greatest coefficient (`side` -1, 1) of a contact over a box of parameters.
double coefficient(const FrictionParameters& friction, Int contact, const std::vector<double>& low, const std::vector<double>& high,
                   double side) {
    double mu = friction.base[contact];
    for (Int j = 0; j < friction.slope.cols; ++j) {
        const double s = friction.slope(contact, j);
        mu += s * (s * side >= 0.0 ? high[j] : low[j]);
    }
    return mu > 0.0 ? mu : 0.0;
}

bool is_shared(const FrictionParameters& friction, Int parameter) {
    Int felt = 0;
    for (Int i = 0; i < friction.slope.rows; ++i) felt += friction.slope(i, parameter) != 0.0;
    return felt > 1;
}

}  // namespace

void PromisedInputs::begin(const Asked& asked, Patience* work, Int until) {
    const View<const ContactState> states = asked.states;
    const FrictionParameters& friction = asked.friction;
    at_.begin(asked.at, asked.spread, work, until);
    work_ = work, until_ = until;
    promised_ = -INF;
    cover_.resize(1);
    cover_[0].cuts.clear();
    cover_[0].low.assign(friction.low.data, friction.low.data + friction.low.size);
    cover_[0].high.assign(friction.high.data, friction.high.data + friction.high.size);
    cover_[0].states.assign(states.data, states.data + states.size);
    for (Int i = 0; i < states.size; ++i) {
        if (states[i] != ContactState::SIGN_UNKNOWN) continue;
        for (Int c = 0, before = Int(cover_.size()); c < before; ++c) {
            cover_[c].states[i] = ContactState::AT_REST;
            for (const ContactState slides : {ContactState::SLIDES_LEFT, ContactState::SLIDES_RIGHT}) {
                cover_.push_back(cover_[c]);
                cover_.back().states[i] = slides;
            }
        }
    }
    first_ = cover_[0].states;
    lo_.resize(states.size), hi_.resize(states.size), tau_.resize(at_.root().layout.inputs());
}

// The best inputs for the friction in the middle of the box; false when there are none.
bool PromisedInputs::start(const Instant& at, const FrictionParameters& friction, Int patience) {
    std::vector<double> middle(friction.low.size);
    for (Int j = 0; j < friction.low.size; ++j) middle[j] = 0.5 * (friction.low[j] + friction.high[j]);
    laws_.resize(first_.size());
    for (Int i = 0; i < Int(first_.size()); ++i) {
        lo_[i] = coefficient(friction, i, middle, middle, 1.0);
        laws_[i] = with_friction(at.laws[i], lo_[i], lo_[i], first_[i]);
    }
    Instant exact = at;
    exact.laws = {laws_.data(), Int(laws_.size())};
    exact_.hope(exact, patience);
    hoped_ = exact_.hoped();
    return hoped_.found;
}

void PromisedInputs::look(Cell& cell, const FrictionParameters& friction) {
    for (Int i = 0; i < Int(lo_.size()); ++i) {
        lo_[i] = coefficient(friction, i, cell.low, cell.high, -1.0);
        hi_[i] = coefficient(friction, i, cell.low, cell.high, 1.0);
    }
    cell.outcome = at_.look({cell.states.data(), Int(cell.states.size())}, {lo_.data(), Int(lo_.size())}, {hi_.data(), Int(hi_.size())}, cell.cuts);
}

// Halve a cell along the parameter that is widest (in parts of the box); shared ones first. False when it cannot be halved.
bool PromisedInputs::split(Int which, const FrictionParameters& friction) {
    Int along = -1;
    double widest = 0.0;
    for (const bool shared : {true, false}) {
        for (Int j = 0; j < friction.low.size; ++j) {
            const double all = friction.high[j] - friction.low[j];
            if (!(all > 0.0) || is_shared(friction, j) != shared) continue;
            const double part = (cover_[which].high[j] - cover_[which].low[j]) / all;
            if (part > widest) along = j, widest = part;
        }
        if (along >= 0) break;
    }
    if (along < 0) return false;
    const double cut = 0.5 * (cover_[which].low[along] + cover_[which].high[along]);
    cover_[which].cuts.clear();
    cover_.push_back(cover_[which]);
    cover_[which].high[along] = cover_.back().low[along] = cut;
    return true;
}

// What is promised at inputs (natural units), the cover being refined until that is `target` or as many cells are in use.
double PromisedInputs::evaluate(ConstVec tau, double target, const FrictionParameters& friction, Int cells) {
    if (!at_.hold(tau)) return -INF;
    for (Cell& cell : cover_) {
        look(cell, friction);
        cell.exhausted = false;
    }
    while (work_->spent() < until_) {
        Int worst = 0;
        for (Int i = 1; i < Int(cover_.size()); ++i)
            if (cover_[i].outcome.promise() < cover_[worst].outcome.promise()) worst = i;
        const double before = cover_[worst].outcome.promise(), missed = cover_[worst].outcome.missed;
        const bool enough = before >= target - slack(target) || Int(cover_.size()) >= cells || cover_[worst].exhausted;
        if (enough || !split(worst, friction)) break;
        look(cover_[worst], friction);
        look(cover_.back(), friction);
        const double needed = before + LEAST_GAIN * (target - before);
        for (Cell* half : {&cover_[worst], &cover_.back()}) {
            const Outcome& now = half->outcome;
            half->exhausted = before > -INF ? now.promise() < needed : now.missed > (1.0 - LEAST_GAIN) * missed;
        }
    }
    double least = INF;
    for (const Cell& cell : cover_) least = smaller(least, cell.outcome.promise());
    return least;
}

Int PromisedInputs::count_cuts() const {
    Int all = 0;
    for (const Cell& cell : cover_) all += Int(cell.cuts.size());
    return all;
}

// The inputs that the cuts promise most for, in `tau_`, and how much; `anchor` is the length of `w` in the rows begun with.
bool PromisedInputs::propose(Int anchor, double& bound) {
    const Int inputs = Int(tau_.size()), w = anchor > 0 ? anchor : 0, width = inputs + w + 1;
    const Int given = anchor >= 0 ? Int(anchor_limit_.size()) : 0, rows = given + count_cuts();
    if (rows > room_ || width != width_ || !ws_) {
        room_ = 2 * rows, width_ = width;
        ws_ = std::make_unique<Workspace>(room_, 0, width);
    }
    ws_->patience = work_;
    std::vector<double> A(rows * width, 0.0), limit(rows);
    for (Int i = 0; i < given; ++i) {
        for (Int j = 0; j < inputs + w; ++j) A[i * width + j] = anchor_[i * (inputs + w) + j];
        limit[i] = anchor_limit_[i];
    }
    Int i = given;
    for (const Cell& cell : cover_) {
        for (const Cut& cut : cell.cuts) {
            for (Int j = 0; j < inputs; ++j) A[i * width + j] = clean(-cut.slope[j]);
            A[i * width + width - 1] = cut.on_goal ? 1.0 : 0.0;
            limit[i++] = cut.constant;
        }
    }
    std::vector<double> objective(width, 0.0);
    objective[width - 1] = 1.0;
    work_->spend(Int(tolerances::PROGRAM_SET_UP));
    const Rows set{{A.data(), rows, width}, {limit.data(), rows}, {A.data(), 0, width}, {limit.data(), 0}};
    const auto [status, value] = solve_into(*ws_, {objective.data(), width}, set);
    if (status != OPTIMAL) return false;
    for (Int j = 0; j < inputs; ++j) tau_[j] = ws_->x[j];
    bound = value;
    return true;
}

// Cutting planes, from the inputs in `tau_` on.
void PromisedInputs::improve(const FrictionParameters& friction, const Effort& effort, double highest) {
    std::vector<double> mu(lo_);   // that of the start
    if (!at_.hold({tau_.data(), Int(tau_.size())})) return;   // the rows are those for inputs of these signs
    const Int anchor = at_.membership({first_.data(), Int(first_.size())}, {mu.data(), Int(mu.size())},
                                      {hoped_.letters.data(), Int(hoped_.letters.size())}, anchor_, anchor_limit_);
    double bound = highest;
    for (Int step = 0; step < MOST_STEPS; ++step) {
        const double value = evaluate({tau_.data(), Int(tau_.size())}, bound, friction, effort.cells);
        if (work_->spent() >= until_) break;
        if (value > promised_) promised_ = value, found_ = tau_;
        if (promised_ >= highest - slack(highest) || !propose(anchor, bound)) break;
        if (bound > highest) bound = highest;
        if (promised_ > -INF && bound <= promised_ + tolerances::ENOUGH_GAIN * larger(1.0, std::abs(promised_))) break;
    }
}

Choice PromisedInputs::solve(Asked asked, ConstMat limits, const Effort& effort) {
    asked.at.extra = rows_.join(asked.at.extra, limits);
    Instant exact = asked.at;
    if (asked.nominal) {
        exact = *asked.nominal;
        exact.extra = nominal_rows_.join(exact.extra, limits);
    }
    best_.found = hoped_.found = false;
    best_.value = hoped_.value = -INF;
    programs_ = 0;
    Patience work;
    begin(asked, &work, work_of(effort.patience));
    const bool started = start(exact, asked.friction, effort.start);
    work.spend(work_of(exact_.programs()));
    programs_ = work.spent() / Int(tolerances::PROGRAM_WORK);
    if (!started) return exact_.is_endless() ? UNLIMITED_GOAL : NOTHING;
    const Root& root = at_.root();
    const Int first = root.layout.tau, inputs = root.layout.inputs();
    for (Int j = 0; j < inputs; ++j) tau_[j] = hoped_.tau[j] / (root.units[first + j] * root.size);
    const double bound = hoped_.value / at_.goal_scale();
    improve(asked.friction, effort, bound);
    programs_ = work.spent() / Int(tolerances::PROGRAM_WORK);
    if (promised_ == -INF) return STOPPED;
    best_ = hoped_;
    best_.value = promised_ * at_.goal_scale();
    for (Int j = 0; j < inputs; ++j) best_.tau[j] = found_[j] * root.units[first + j] * root.size;
    return promised_ >= bound - slack(bound) ? SURE : STOPPED;
}

double PromisedInputs::promise(const Asked& asked, ConstVec tau, const Effort& effort) {
    Patience work;
    begin(asked, &work, work_of(effort.patience));
    const Root& root = at_.root();
    for (Int j = 0; j < tau.size; ++j) tau_[j] = tau[j] / (root.units[root.layout.tau + j] * root.size);
    const double found = evaluate({tau_.data(), Int(tau_.size())}, INF, asked.friction, effort.cells);
    programs_ = work.spent() / Int(tolerances::PROGRAM_WORK);
    return found * at_.goal_scale();
}

}  // namespace mc
