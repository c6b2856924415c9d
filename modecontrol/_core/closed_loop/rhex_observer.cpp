#include "closed_loop/rhex_observer.hpp"

namespace mc {

void observe_rhex(const RHexGeometry& robot, const StateView& measured, Vec q, Vec v, View<std::int8_t> told) {
    for (Int i = 0; i < RHexGeometry::COORDINATES; ++i) q[i] = measured.q[i], v[i] = measured.v[i];
    const double alpha = q[2], rate = v[2], c = std::cos(alpha), s = std::sin(alpha);
    q[1] = robot.d * s + robot.h * c;
    v[1] = (robot.d * c - robot.h * s) * rate;
    told[0] = 1;
    for (Int i = 0; i < RHexGeometry::LEGS; ++i) {
        const double hip = robot.hips[i], height = q[1] + hip * s;
        told[1 + i] = !(height > robot.reach * robot.leg || height <= 0.0);
        if (!told[1 + i]) continue;
        const double turn = -std::asin(height / robot.leg);
        const double turn_rate = -(v[1] + hip * c * rate) / (robot.leg * std::cos(turn));
        q[3 + i] = turn - alpha;
        v[3 + i] = turn_rate - rate;
    }
}

}  // namespace mc
