// How long a part of a step may be, so that springs and dampers between points of bodies do not run away with it.
//
//     p^2 k L <= SPRING_TURN^2,   p d L <= 1             L = a M^-1 a^T:  what a spring's own direction yields
//
// Their forces are those at the beginning of a part, or in its middle: a spring that turns far in a part makes energy. For
// several springs `k L` is the largest sum of a row of `sqrt(k_i k_j) |L_ij|`, which bounds the square of their fastest frequency.
// Springs that are soft enough for a whole step leave it as it is, and cost nothing where bodies on their own would allow it.
#pragma once

#include "dynamics/compliance.hpp"
#include "timestepping/scene.hpp"

namespace mc {

class SpringPace {
public:
    SpringPace(const Mechanism& mechanism, double h);

    // Whether some spring may be too fast for a whole step.
    bool watched() const { return watched_; }

    // The longest part of a step at these poses: the whole of it, or `h` over a power of two.
    double longest(const Mechanism& mechanism, View<const Pose> pose);

    // The same, after parts of `last`: parts that change to and fro make energy too, so they grow where they may four times.
    double next(double last, const Mechanism& mechanism, View<const Pose> pose);

private:
    double part(double stiff, double damped) const;
    void write_rows(const Mechanism& mechanism);

    double h_;
    bool watched_ = false;
    ArticulatedBodies bodies_;
    Array<double> added_;
    Array<ForceRow> row_;
    Compliance compliance_;
    Grid<double> L_;
};

}  // namespace mc
