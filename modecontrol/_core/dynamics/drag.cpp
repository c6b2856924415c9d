#include "dynamics/drag.hpp"

#include "dynamics/contacts.hpp"

namespace mc {

namespace {

// A drag at one instant: its point from the origin of the node, its axes, and the velocities against the medium.
struct Met {
    double dx, dy;
    Point along, across;
    double u, s, w;
};

Met met(const Mechanism& mechanism, const Drag& drag, View<const Pose> pose, View<const Motion> motion) {
    const Pose& node = pose[drag.node];
    const Motion& m = motion[drag.node];
    const Point d = turned(node, drag.at), along = turned(node, drag.axis), across{-along.y, along.x};
    const double x = m.vx - m.omega * d.y - mechanism.wind.x, y = m.vy + m.omega * d.x - mechanism.wind.y;
    return {d.x, d.y, along, across, along.x * x + along.y * y, across.x * x + across.y * y, m.omega};
}

// Force at the point, and moment about it.
Wrench resistance(const Drag& drag, const Met& at) {
    const double f = -(drag.linear.x + drag.quadratic.x * std::fabs(at.u)) * at.u;
    const double g = -(drag.linear.y + drag.quadratic.y * std::fabs(at.s)) * at.s;
    return {-(drag.turning + drag.turning_quadratic * std::fabs(at.w)) * at.w, f * at.along.x + g * at.across.x,
            f * at.along.y + g * at.across.y};
}

// Add `k g g^T`, `g` the unit force along an axis at the point of the drag.
void add_axis(const Met& at, const Point& axis, double k, Braking& b) {
    const double arm = at.dx * axis.y - at.dy * axis.x;
    b.a00 += k * arm * arm;
    b.a01 += k * arm * axis.x;
    b.a02 += k * arm * axis.y;
    b.a11 += k * axis.x * axis.x;
    b.a12 += k * axis.x * axis.y;
    b.a22 += k * axis.y * axis.y;
}

}  // namespace

Braking moved(const Braking& b, const Point& d) {
    const double k0 = b.a00 + b.a01 * d.y - b.a02 * d.x, k1 = b.a01 + b.a11 * d.y - b.a12 * d.x, k2 = b.a02 + b.a12 * d.y - b.a22 * d.x;
    return {k0 + d.y * k1 - d.x * k2, k1, k2, b.a11, b.a12, b.a22};
}

void take_drag(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, View<Wrench> force) {
    for (const Drag& drag : mechanism.drags) {
        if (drag.node < 0) continue;
        const Met at = met(mechanism, drag, pose, motion);
        const Wrench f = resistance(drag, at);
        Wrench& sum = force[drag.node];
        sum.moment -= f.moment + at.dx * f.fy - at.dy * f.fx;
        sum.fx -= f.fx;
        sum.fy -= f.fy;
    }
}

double wind_power(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion) {
    double total = 0.0;
    for (const Drag& drag : mechanism.drags) {
        if (drag.node < 0) continue;
        const Wrench f = resistance(drag, met(mechanism, drag, pose, motion));
        total += f.fx * mechanism.wind.x + f.fy * mechanism.wind.y;
    }
    return total;
}

void brakings(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, double growth, double h, View<Braking> found) {
    found.fill({});
    for (const Drag& drag : mechanism.drags) {
        if (drag.node < 0) continue;
        const Met at = met(mechanism, drag, pose, motion);
        Braking& b = found[drag.node];
        add_axis(at, at.along, h * (drag.linear.x + growth * drag.quadratic.x * std::fabs(at.u)), b);
        add_axis(at, at.across, h * (drag.linear.y + growth * drag.quadratic.y * std::fabs(at.s)), b);
        b.a00 += h * (drag.turning + growth * drag.turning_quadratic * std::fabs(at.w));
    }
}

void add_braking(const Mechanism& mechanism, View<const Pose> pose, View<const Braking> braking, View<Braking> composite, Mat M) {
    const Int n = pose.size;
    for (Int i = 0; i < n; ++i) composite[i] = braking[i];
    for (Int i = n - 1; i >= 0; --i) {
        const TreeNode& node = mechanism.nodes[i];
        const Braking own = composite[i];
        if (node.parent >= 0) {
            const Point d = from_parent(pose[node.parent], pose[i]);
            const Braking b = moved(own, {-d.x, -d.y});
            Braking& below = composite[node.parent];
            below = {below.a00 + b.a00, below.a01 + b.a01, below.a02 + b.a02, below.a11 + b.a11, below.a12 + b.a12, below.a22 + b.a22};
        }
        Wrench w = node.turns ? braked(own, {1.0, 0.0, 0.0}) : braked(own, {0.0, pose[i].ux, pose[i].uy});
        double x = pose[i].rx, y = pose[i].ry;
        for (Int j = i; j >= 0; j = mechanism.nodes[j].parent) {
            w.moment += (x - pose[j].rx) * w.fy - (y - pose[j].ry) * w.fx;
            x = pose[j].rx;
            y = pose[j].ry;
            const double value = along_joint(mechanism.nodes[j], pose[j], w);
            M(i, j) += value;
            if (j != i) M(j, i) += value;
        }
    }
}

}  // namespace mc
