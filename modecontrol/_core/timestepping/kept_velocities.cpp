#include "timestepping/kept_velocities.hpp"

#include "lcp/bases.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

// The power of two next to a positive number.
double even(double x) {
    int exponent;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, exponent);
}

}  // namespace

KeptVelocities::KeptVelocities(std::unique_ptr<KeptUnknowns> unknowns) : unknowns_(std::move(unknowns)) {
    W_ = Grid<double>(size(), size());
    known_ = Array<double>(size());
    joints_ = Array<double>(unknowns_->joints());
}

void KeptVelocities::make_room(Int rows) {
    unknowns_->make_room(rows);
    const Int most = unknowns_->hinges() + rows;
    rows_ = Grid<double>(most, size());
    scale_ = Array<double>(size() + most);
    free_ = Array<double>(size() + most);
    x_ = Array<double>(size() + most);
    answer_ = Grid<double>(rows, size() + most);
    balances_.felt = Grid<double>(size(), rows);
    balances_.load = Array<double>(size());
    balances_.velocity = Array<double>(size());
}

// Velocities are measured by their own inertia, those without by what contacts and closures feel of them; rows by their entries.
void KeptVelocities::write_scales(const StepMoment& at) {
    const double mass = at.scene.mass > 0.0 ? at.scene.mass : 1.0;
    for (Int i = 0; i < size(); ++i) {
        double felt = 0.0;
        for (Int r = 0; r < unknowns_->hinges() + at.rows.size(); ++r) felt = larger(felt, std::fabs(rows_(r, i)));
        const double own = W_(i, i), seen = mass * felt * felt;
        const double inertia = own > tolerances::SINGULAR * seen ? own : seen;
        scale_[i] = inertia > 0.0 ? even(1.0 / std::sqrt(inertia)) : 1.0;
    }
    for (Int r = 0; r < bilateral_; ++r) {
        double most = 0.0;
        for (Int i = 0; i < size(); ++i) most = larger(most, std::fabs(rows_(r, i)) * scale_[i]);
        scale_[size() + r] = most > 0.0 ? even(1.0 / most) : 1.0;
    }
}

void KeptVelocities::write_matrix() {
    const Int n = size(), F = n + bilateral_;
    if (A_.rows != F) {
        A_ = Grid<double>(F, F);
        order_ = Array<Int>(F);
    }
    A_.fill(0.0);
    for (Int i = 0; i < n; ++i)
        for (Int j = 0; j < n; ++j) A_(i, j) = scale_[i] * W_(i, j) * scale_[j];
    for (Int r = 0; r < bilateral_; ++r)
        for (Int i = 0; i < n; ++i) {
            const double g = scale_[n + r] * rows_(r, i) * scale_[i];
            A_(n + r, i) = g;
            A_(i, n + r) = -g;
        }
}

Int KeptVelocities::free_motion(const StepMoment& at) {
    bilateral_ = unknowns_->hinges() + at.rows.pins;
    unknowns_->write(at, W_, known_, rows_);
    write_scales(at);
    write_matrix();
    null_.clear();
    regular_ = factor(A_, order_);
    if (!regular_) {
        write_matrix();
        null_.find(A_, size());
        write_matrix();
        enlarge();
        regular_ = factor(A_, order_);
    }
    write_balances(at);
    return -1;
}

void KeptVelocities::enlarge() {
    const Int n = size();
    for (const std::vector<double>& motion : null_.motions) {
        for (Int i = 0; i < n; ++i) x_[i] = scale_[i] * motion[size_t(i)];
        unknowns_->read(x_.part(0, n), joints_);
        unknowns_->read_back(joints_, x_.part(0, n));
        for (Int i = 0; i < n; ++i) x_[i] *= scale_[i];
        const double along = dot(x_.part(0, n), view(motion));
        for (Int i = 0; i < n && along > 0.0; ++i)
            for (Int j = 0; j < n; ++j) A_(i, j) += x_[i] * x_[j] / (along * along);
    }
    for (const std::vector<double>& y : null_.repetitions)
        for (Int i = 0; i < bilateral_; ++i)
            for (Int j = 0; j < bilateral_; ++j) A_(n + i, n + j) += y[size_t(i)] * y[size_t(j)];
}

// What contacts feel of the massless motions.
void KeptVelocities::write_balances(const StepMoment& at) {
    const Int n = size(), contact_rows = 2 * at.rows.near.count;
    balances_.count = 0;
    for (std::vector<double>& motion : null_.motions) {
        double felt = 0.0, most = 0.0;
        for (Int r = 0; r < contact_rows; ++r) {
            double value = 0.0, terms = 0.0;
            for (Int i = 0; i < n; ++i) {
                const double term = rows_(bilateral_ + r, i) * scale_[i] * motion[size_t(i)];
                value += term;
                terms += std::fabs(term);
            }
            balances_.felt(balances_.count, r) = value;
            felt = larger(felt, std::fabs(value));
            most = larger(most, terms);
        }
        if (felt <= tolerances::RANK * most) continue;
        std::swap(motion, null_.motions[size_t(balances_.count)]);      // those that contacts feel come first
        ++balances_.count;
    }
}

// Loads along the massless motions, and whether those that no contact feels, and the targets of closures, are consistent.
void KeptVelocities::judge_loads(const StepMoment& at) {
    const Int n = size();
    balances_.contradiction = !regular_;
    if (null_.motions.empty() && null_.repetitions.empty()) return;
    for (Int i = 0; i < n; ++i) x_[i] = scale_[i] * known_[i];
    for (Int r = 0; r < bilateral_; ++r) {
        const Int pin = r - unknowns_->hinges();
        x_[n + r] = pin < 0 ? 0.0 : scale_[n + r] * at.rows.target[pin];
    }
    const double limit = tolerances::COMPLEMENTARY * largest_of(x_.part(0, n + bilateral_));
    for (Int k = 0; k < Int(null_.motions.size()); ++k) {
        const double load = dot(x_.part(0, n), view(null_.motions[size_t(k)]));
        if (k < balances_.count) balances_.load[k] = std::fabs(load) > tolerances::NOISE * limit ? load : 0.0;
        else balances_.contradiction = balances_.contradiction || std::fabs(load) > limit;
    }
    for (const std::vector<double>& y : null_.repetitions)
        balances_.contradiction = balances_.contradiction || std::fabs(dot(x_.part(n, n + bilateral_), view(y))) > limit;
}

// `x <- A^-1 x`.
void KeptVelocities::solve(Vec x) const {
    for (Int i = 0; i < x.size; ++i) x[i] *= scale_[i];
    back_substitute(A_, order_, x);
    for (Int i = 0; i < x.size; ++i) x[i] *= scale_[i];
}

void KeptVelocities::condense(const StepMoment& at, Vec u, Mat L) {
    const Int n = size(), F = n + bilateral_, pins = at.rows.pins, R = 2 * at.rows.near.count;
    judge_loads(at);
    for (Int i = 0; i < F; ++i) {
        const Int pin = i - n - unknowns_->hinges();
        free_[i] = i < n ? known_[i] : pin < 0 ? 0.0 : at.rows.target[pin];
    }
    if (regular_) solve(free_.part(0, F));
    for (Int i = 0; i < pins; ++i) {
        u[i] = at.rows.target[i];
        for (Int j = 0; j < pins + R; ++j) L(i, j) = L(j, i) = 0.0;
    }
    for (Int r = 0; r < R; ++r) {
        const ConstVec row = rows_.row(bilateral_ + r);
        const Vec x = answer_.row(r).part(0, F);
        x.fill(0.0);
        for (Int i = 0; i < n; ++i) x[i] = row[i];
        if (regular_) solve(x);
        u[pins + r] = dot(row, free_.part(0, n));
        for (Int s = 0; s <= r; ++s) L(pins + r, pins + s) = L(pins + s, pins + r) = dot(rows_.row(bilateral_ + s), x.part(0, n));
    }
}

void KeptVelocities::complete(const StepMoment& at, Vec p) const {
    const Int first = size() + unknowns_->hinges();
    for (Int i = 0; i < at.rows.pins; ++i) {
        p[i] = free_[first + i];
        for (Int r = 0; r < 2 * at.rows.near.count; ++r) p[i] += p[at.rows.pins + r] * answer_(r, first + i);
    }
}

void KeptVelocities::apply(const StepMoment& at, ConstVec p, Vec v_plus) {
    const Int n = size();
    const Vec x = x_.part(0, n);
    for (Int i = 0; i < n; ++i) x[i] = free_[i];
    for (Int r = 0; r < 2 * at.rows.near.count; ++r)
        for (Int i = 0; p[at.rows.pins + r] != 0.0 && i < n; ++i) x[i] += p[at.rows.pins + r] * answer_(r, i);
    for (Int k = 0; k < balances_.count; ++k)
        for (Int i = 0; i < n; ++i) x[i] += balances_.velocity[k] * scale_[i] * null_.motions[size_t(k)][size_t(i)];
    unknowns_->read(x, v_plus);
}

}  // namespace mc
