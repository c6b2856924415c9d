#include "dynamics/applied_forces.hpp"

#include "dynamics/drag.hpp"

namespace mc {

namespace {

void take(View<const Pose> pose, Int node, const PlacedPoint& at, double fx, double fy, View<Wrench> force) {
    if (node < 0) return;
    const double dx = at.rx - pose[node].rx, dy = at.ry - pose[node].ry;
    force[node].moment -= dx * fy - dy * fx;
    force[node].fx -= fx;
    force[node].fy -= fy;
}

Point push_force(const Push& push, View<const Pose> pose) {
    return push.follows && push.node >= 0 ? turned(pose[push.node], push.force) : push.force;
}

}  // namespace

SpringLine spring_line(const Mechanism& mechanism, const Spring& spring, View<const Pose> pose) {
    const PlacedPoint a = point_at(mechanism, spring.node, spring.point, pose);
    const PlacedPoint b = point_at(mechanism, spring.other, spring.other_point, pose);
    const double x = (a.ax - b.ax) + (a.rx - b.rx), y = (a.ay - b.ay) + (a.ry - b.ry), length = std::hypot(x, y);
    // points that meet have no direction; a spring without length pulls with nothing there
    return length > 0.0 ? SpringLine{a, b, length, x / length, y / length} : SpringLine{a, b, 0.0, 0.0, 0.0};
}

void take_applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force) {
    for (const Spring& spring : mechanism.springs) {
        const SpringLine s = spring_line(mechanism, spring, pose);
        const PlacedPoint &a = s.here, &b = s.there;
        const Motion u = point_motion(spring.node, a.rx, a.ry, pose, motion), w = point_motion(spring.other, b.rx, b.ry, pose, motion);
        const double rate = s.x * (u.vx - w.vx) + s.y * (u.vy - w.vy);
        const double f = -spring.stiffness * (s.length - spring.length) - spring.damping * rate;
        take(pose, spring.node, a, f * s.x, f * s.y, force);
        take(pose, spring.other, b, -f * s.x, -f * s.y, force);
    }
    for (const Push& push : mechanism.pushes) {
        if (push.node < 0) continue;
        const Point f = push_force(push, pose);
        take(pose, push.node, point_at(mechanism, push.node, push.point, pose), f.x, f.y, force);
        force[push.node].moment -= push.moment;
    }
    take_drag(mechanism, pose, motion, force);
}

void applied_forces(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force, Vec Q) {
    force.fill({});
    take_applied_forces(mechanism, pose, motion, force);
    for (Int i = Q.size - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const Wrench f = force[i];
        Q[i] = -along_joint(node, pose[i], f);
        if (node.parent < 0) continue;
        add_shifted(force[node.parent], f, from_parent(pose[node.parent], pose[i]));
    }
}

double spring_energy(const Mechanism& mechanism, View<const Pose> pose) {
    double total = 0.0;
    for (const Spring& spring : mechanism.springs) {
        const double stretch = spring_line(mechanism, spring, pose).length - spring.length;
        total += 0.5 * spring.stiffness * stretch * stretch;
    }
    return total;
}

double power_from_outside(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion) {
    double total = 0.0;
    for (const Push& push : mechanism.pushes) {
        if (push.node < 0) continue;
        const PlacedPoint at = point_at(mechanism, push.node, push.point, pose);
        const Motion u = point_motion(push.node, at.rx, at.ry, pose, motion);
        const Point f = push_force(push, pose);
        total += f.x * u.vx + f.y * u.vy + push.moment * u.omega;
    }
    return total + wind_power(mechanism, pose, motion);
}

}  // namespace mc
