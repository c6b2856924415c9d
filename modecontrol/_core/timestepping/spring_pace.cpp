#include "timestepping/spring_pace.hpp"

#include <algorithm>

#include "dynamics/applied_forces.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

constexpr int MOST_HALVINGS = 10;       // of a step

// What a point of a body gives way at most if nothing else holds the body.
double yields(const Mechanism& mechanism, Int node, const Point& at) {
    if (node < 0) return 0.0;
    const TreeNode& body = mechanism.nodes[node];
    const double x = at.x - body.com.x, y = at.y - body.com.y, lever = x * x + y * y;
    if (!(body.mass > 0.0) || (lever > 0.0 && !(body.inertia > 0.0))) return INF;
    return 1.0 / body.mass + (lever > 0.0 ? lever / body.inertia : 0.0);
}

}  // namespace

SpringPace::SpringPace(const Mechanism& mechanism, double h)
    : h_(h), bodies_(mechanism.size()), added_(mechanism.size()), row_(Int(mechanism.springs.size())),
      compliance_(mechanism.size(), Int(mechanism.springs.size())), L_(row_.size, row_.size) {
    double stiff = 0.0, damped = 0.0;       // springs that share bodies add up to no more than this
    for (const Spring& spring : mechanism.springs) {
        const double yield = yields(mechanism, spring.node, spring.point) + yields(mechanism, spring.other, spring.other_point);
        if (spring.stiffness > 0.0) stiff += spring.stiffness * yield;
        if (spring.damping > 0.0) damped += spring.damping * yield;
    }
    watched_ = part(stiff, damped) < h;
}

// The longest part where springs have these squares of frequencies and dampers these rates.
double SpringPace::part(double stiff, double damped) const {
    if (std::isnan(stiff) || std::isnan(damped)) return h_;
    const double turn = std::sqrt(stiff) * h_ / tolerances::SPRING_TURN, rate = larger(turn, damped * h_);
    if (rate <= 1.0) return h_;
    int halvings = 0;
    while (halvings < MOST_HALVINGS && std::ldexp(rate, -halvings) > 1.0) ++halvings;
    return std::ldexp(h_, -halvings);
}

void SpringPace::write_rows(const Mechanism& mechanism) {
    for (Int i = 0; i < row_.size; ++i) {
        const Spring& spring = mechanism.springs[size_t(i)];
        const SpringLine line = spring_line(mechanism, spring, bodies_.pose);
        row_[i] = ForceRow{};
        write_end(row_[i], 0, spring.node, bodies_.pose, line.here, {0.0, line.x, line.y});
        write_end(row_[i], 1, spring.other, bodies_.pose, line.there, {0.0, -line.x, -line.y});
    }
}

double SpringPace::longest(const Mechanism& mechanism, View<const Pose> pose) {
    if (!watched_) return h_;
    std::copy_n(pose.data, pose.size, bodies_.pose.data);
    added_.fill(0.0);
    if (bodies_.factor(mechanism, added_) >= 0) {       // massless parts: their joints' own springs and dampers hold them
        for (Int i = 0; i < added_.size; ++i) added_[i] = h_ * (mechanism.nodes[i].damping + h_ * mechanism.nodes[i].stiffness);
        if (bodies_.factor(mechanism, added_) >= 0) return h_;
    }
    write_rows(mechanism);
    compliance_.fill(mechanism, bodies_, row_, L_);
    double stiff = 0.0, damped = 0.0;
    for (Int i = 0; i < row_.size; ++i) {
        const Spring& a = mechanism.springs[size_t(i)];
        double k = 0.0, d = 0.0;
        for (Int j = 0; j < row_.size; ++j) {
            const Spring& b = mechanism.springs[size_t(j)];
            k += std::sqrt(larger(a.stiffness * b.stiffness, 0.0)) * std::fabs(L_(i, j));
            d += std::sqrt(larger(a.damping * b.damping, 0.0)) * std::fabs(L_(i, j));
        }
        stiff = larger(stiff, k);
        damped = larger(damped, d);
    }
    return part(stiff, damped);
}

double SpringPace::next(double last, const Mechanism& mechanism, View<const Pose> pose) {
    const double found = longest(mechanism, pose);
    return found < last || found >= 4.0 * last ? found : last;
}

}  // namespace mc
