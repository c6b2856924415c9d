#include "dynamics/closures.hpp"

namespace mc {

namespace {

constexpr double TURN = 6.283185307179586476925286766559;

// The two points of a closure from their anchors, and the way from the second to the first in the world.
struct Ends {
    PlacedPoint a, b;
    double x, y;
};

Ends ends_of(const Mechanism& mechanism, const Closure& closure, View<const Pose> pose) {
    const PlacedPoint a = point_at(mechanism, closure.node, closure.point, pose);
    const PlacedPoint b = point_at(mechanism, closure.other, closure.other_point, pose);
    return {a, b, (a.ax - b.ax) + (a.rx - b.rx), (a.ay - b.ay) + (a.ry - b.ry)};
}

// A direction in world axes.
struct Direction {
    double x, y;
};

// Across the axis of a slider, or along a rod.
Direction direction_of(const Closure& closure, const Ends& ends, View<const Pose> pose) {
    if (closure.kind == ClosureKind::SLIDER) {
        const Point t = closure.other < 0 ? closure.axis : turned(pose[closure.other], closure.axis);
        return {-t.y, t.x};
    }
    const double length = std::hypot(ends.x, ends.y);
    return length > 0.0 ? Direction{ends.x / length, ends.y / length} : Direction{1.0, 0.0};
}

// Where the second force of a row acts: for a slider at the place of the first, else at the other point.
PlacedPoint second_place(const Mechanism& mechanism, const Closure& closure, const Ends& ends, View<const Pose> pose) {
    if (closure.kind != ClosureKind::SLIDER) return ends.b;
    const PlacedPoint b = point_at(mechanism, closure.other, {}, pose);     // for its anchor
    return {b.ax, b.ay, (ends.a.ax - b.ax) + ends.a.rx, (ends.a.ay - b.ay) + ends.a.ry};
}

double angle_of(Int node, View<const Pose> pose) { return node < 0 ? 0.0 : pose[node].theta; }

// A point of a node.
struct NodePoint {
    Int node;
    PlacedPoint at;
};

// One row `d.(p_a - p_b)'` of a Jacobian.
void write_row(const Mechanism& mechanism, View<const Pose> pose, const NodePoint& first, const NodePoint& second, const Direction& d,
               Vec row) {
    Int a = first.node, b = second.node;
    const PlacedPoint& here = first.at;
    const PlacedPoint& there = second.at;
    row.fill(0.0);
    const auto part = [&](Int k, const PlacedPoint& p) {
        const Pose& at = pose[k];
        if (mechanism.nodes[k].turns) return (p.rx - at.rx) * d.y - (p.ry - at.ry) * d.x;
        return at.ux * d.x + at.uy * d.y;
    };
    while (a != b) {
        const Int k = a > b ? a : b;
        row[k] = a > b ? part(k, here) : -part(k, there);
        (a > b ? a : b) = mechanism.nodes[k].parent;
    }
    // above the nearest common ancestor both points move with the same body
    const double along = (here.rx - there.rx) * d.y - (here.ry - there.ry) * d.x;
    for (; a >= 0; a = mechanism.nodes[a].parent)
        if (mechanism.nodes[a].turns) row[a] = along;
}

// One row `theta_a' - theta_b'`.
void write_turn(const Mechanism& mechanism, Int a, Int b, Vec row) {
    row.fill(0.0);
    while (a != b) {
        const Int k = a > b ? a : b;
        if (mechanism.nodes[k].turns) row[k] = a > b ? 1.0 : -1.0;
        (a > b ? a : b) = mechanism.nodes[k].parent;
    }
}

// Motion of the first end less that of the second, at zero `qdd`.
Motion relative(const Closure& c, const PlacedPoint& here, const PlacedPoint& there, View<const Pose> pose, View<const Motion> motion) {
    Motion u = point_motion(c.node, here.rx, here.ry, pose, motion);
    const Motion w = point_motion(c.other, there.rx, there.ry, pose, motion);
    u.vx -= w.vx;
    u.vy -= w.vy;
    u.ax -= w.ax;
    u.ay -= w.ay;
    return u;
}

// `Jdot v` of the row along `d` of a slider or a rod.
double turning_drift(const Closure& c, const Ends& ends, const Direction& d, const Motion& u, View<const Motion> motion) {
    const double straight = d.x * u.ax + d.y * u.ay, across = d.y * u.vx - d.x * u.vy;
    if (c.kind == ClosureKind::SLIDER) {   // the axis turns with its body: Coriolis, `across` being the speed along it
        const double w = c.other < 0 ? 0.0 : motion[c.other].omega;
        return straight - 2.0 * w * across;
    }
    const double length = std::hypot(ends.x, ends.y);
    return straight + (length > 0.0 ? across * across / length : 0.0);
}

void opening_of(const Mechanism& mechanism, const Closure& c, View<const Pose> pose, Vec out) {
    if (c.kind == ClosureKind::GEAR) {
        out[0] = coordinate_of(mechanism, c.node, pose) - c.ratio * coordinate_of(mechanism, c.other, pose) - c.angle;
        return;
    }
    if (c.kind == ClosureKind::DRIVE) {
        out[0] = coordinate_of(mechanism, c.node, pose);
        return;
    }
    const Ends ends = ends_of(mechanism, c, pose);
    const double turn = angle_of(c.node, pose) - angle_of(c.other, pose) - c.angle;
    switch (c.kind) {
        case ClosureKind::SLIDER: {
            const Direction d = direction_of(c, ends, pose);
            out[0] = d.x * ends.x + d.y * ends.y;
            out[1] = std::remainder(turn, TURN);
            break;
        }
        case ClosureKind::ROD: out[0] = std::hypot(ends.x, ends.y) - c.length; break;
        case ClosureKind::WELD: out[2] = std::remainder(turn, TURN); [[fallthrough]];
        default:
            out[0] = ends.x;
            out[1] = ends.y;
    }
}

void rows_of(const Mechanism& mechanism, const Closure& c, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out,
             Int row) {
    for (Int i = 0; i < c.rows(); ++i) out.drift[row + i] = 0.0;
    opening_of(mechanism, c, pose, out.rate.part(row, row + c.rows()));
    if (c.kind == ClosureKind::GEAR || c.kind == ClosureKind::DRIVE) {
        out.J.row(row).fill(0.0);
        out.J(row, c.node) = 1.0;
        if (c.kind == ClosureKind::GEAR) out.J(row, c.other) -= c.ratio;
        return;
    }
    const Ends ends = ends_of(mechanism, c, pose);
    const PlacedPoint there = second_place(mechanism, c, ends, pose);
    const Motion u = relative(c, ends.a, there, pose, motion);
    if (c.kind == ClosureKind::PIN || c.kind == ClosureKind::WELD) {
        write_row(mechanism, pose, {c.node, ends.a}, {c.other, there}, {1.0, 0.0}, out.J.row(row));
        write_row(mechanism, pose, {c.node, ends.a}, {c.other, there}, {0.0, 1.0}, out.J.row(row + 1));
        out.drift[row] = u.ax;
        out.drift[row + 1] = u.ay;
    } else {
        const Direction d = direction_of(c, ends, pose);
        write_row(mechanism, pose, {c.node, ends.a}, {c.other, there}, d, out.J.row(row));
        out.drift[row] = turning_drift(c, ends, d, u, motion);
    }
    if (c.kind == ClosureKind::WELD || c.kind == ClosureKind::SLIDER)
        write_turn(mechanism, c.node, c.other, out.J.row(row + c.rows() - 1));
}

void forces_of(const Mechanism& mechanism, const Closure& c, View<const Pose> pose, View<ForceRow> out) {
    for (Int i = 0; i < c.rows(); ++i) out[i].ends = c.kind == ClosureKind::GEAR ? 4 : 2;
    if (c.kind == ClosureKind::GEAR || c.kind == ClosureKind::DRIVE) {
        write_joint(mechanism, pose, c.node, 1.0, out[0], 0);
        if (c.kind == ClosureKind::GEAR) write_joint(mechanism, pose, c.other, -c.ratio, out[0], 2);
        return;
    }
    const Ends ends = ends_of(mechanism, c, pose);
    const PlacedPoint there = second_place(mechanism, c, ends, pose);
    const auto force = [&](ForceRow& row, const Direction& d) {
        write_end(row, 0, c.node, pose, ends.a, {0.0, d.x, d.y});
        write_end(row, 1, c.other, pose, there, {0.0, -d.x, -d.y});
    };
    if (c.kind == ClosureKind::PIN || c.kind == ClosureKind::WELD) {
        force(out[0], {1.0, 0.0});
        force(out[1], {0.0, 1.0});
    } else {
        force(out[0], direction_of(c, ends, pose));
    }
    if (c.kind == ClosureKind::WELD || c.kind == ClosureKind::SLIDER) {
        ForceRow& row = out[c.rows() - 1];
        row.node[0] = c.node;
        row.node[1] = c.other;
        row.force[0] = {1.0, 0.0, 0.0};
        row.force[1] = {-1.0, 0.0, 0.0};
    }
}

}  // namespace

void all_closure_rows(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out) {
    Int row = 0;
    for (const Closure& c : mechanism.closures) {
        rows_of(mechanism, c, pose, motion, out, row);
        row += c.rows();
    }
}

void all_closure_forces(const Mechanism& mechanism, View<const Pose> pose, View<ForceRow> out) {
    Int row = 0;
    for (const Closure& c : mechanism.closures) {
        forces_of(mechanism, c, pose, out.part(row, row + c.rows()));
        row += c.rows();
    }
}

void all_openings(const Mechanism& mechanism, View<const Pose> pose, Vec opening) {
    Int row = 0;
    for (const Closure& c : mechanism.closures) {
        opening_of(mechanism, c, pose, opening.part(row, row + c.rows()));
        row += c.rows();
    }
}

}  // namespace mc
