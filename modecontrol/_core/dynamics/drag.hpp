// Drag of a medium: its wrench on every body, and how quickly that grows with the motion.
//
//     f = -(linear + quadratic |u|) u        along an axis of the body, `u` the velocity of a point of it against the medium
//     m = -(turning + turning_quadratic |w|) w
//
// A step that is implicit in the drag has `W = M + h sum_i J_i^T B_i J_i`, `J_i` the twist of node i and `B_i` its braking. With the growth 1
// the force at the end of the step is `-(linear + quadratic |u|) u+`, so that a medium at rest never gives energy; with 2 `B_i` is the
// derivative.
#pragma once

#include "dynamics/tree.hpp"

namespace mc {

// Wrench against a twist, about the same point (symmetric 3 x 3, order moment, x, y).
struct Braking {
    double a00 = 0.0, a01 = 0.0, a02 = 0.0, a11 = 0.0, a12 = 0.0, a22 = 0.0;
};

// About a point that lies `d` away.
Braking moved(const Braking& b, const Point& d);

// `B t`.
inline Wrench braked(const Braking& b, const Twist& t) {
    return {b.a00 * t.omega + b.a01 * t.vx + b.a02 * t.vy, b.a01 * t.omega + b.a11 * t.vx + b.a12 * t.vy,
            b.a02 * t.omega + b.a12 * t.vx + b.a22 * t.vy};
}

// Take the wrenches of the medium off what keeps each node on its path (`force`, about its origin).
void take_drag(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force);

// Power of a medium that moves: what its forces do at its own velocity. The rest of the power of a drag is lost.
double wind_power(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion);

// `h B_i` of every node about its origin, with the growth 1 or 2 of quadratic drag.
void brakings(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, double growth, double h, View<Braking> found);

// `M += sum_i J_i^T B_i J_i`; `composite` receives what each node and all that it carries are braked by.
void add_braking(const Mechanism& mechanism, View<const Pose> pose, View<const Braking> braking, View<Braking> composite, Mat M);

}  // namespace mc
