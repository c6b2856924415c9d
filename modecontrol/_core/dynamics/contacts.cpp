#include "dynamics/contacts.hpp"

#include "dynamics/features.hpp"

namespace mc {

namespace {

// A pair of points, each from its anchor, whose relative velocity two rows of a Jacobian give.
struct PointPair {
    Int a, b;                       // nodes
    double rx, ry, sx, sy;          // points
    double spin_a, spin_b;          // what the turning of the nodes adds to the second row
};

// A direction for each of two rows.
struct Directions {
    double ux, uy, wx, wy;
};

// Row `row` is `u.(p_a - p_b)'`; row `row + 1` is `w.(p_a - p_b)'` plus `spin_a` times the turning of `a` plus `spin_b` times that of
// `b`. Above the nearest common ancestor both points move with the same body, so the two parts are joined before they are
// written.
void write_rows(const Mechanism& mechanism, View<const Pose> pose, const PointPair& pair, const Directions& d, Mat J, Int row) {
    const Vec first = J.row(row), second = J.row(row + 1);
    first.fill(0.0);
    second.fill(0.0);
    Int a = pair.a, b = pair.b;
    while (a != b) {
        const Int k = a > b ? a : b;
        const Pose& at = pose[k];
        if (mechanism.nodes[k].turns) {
            const double dx = a > b ? pair.rx - at.rx : at.rx - pair.sx, dy = a > b ? pair.ry - at.ry : at.ry - pair.sy;
            first[k] = dx * d.uy - dy * d.ux;
            second[k] = dx * d.wy - dy * d.wx + (a > b ? pair.spin_a : pair.spin_b);
        } else {
            first[k] = at.ux * d.ux + at.uy * d.uy;
            second[k] = at.ux * d.wx + at.uy * d.wy;
            if (a < b) {
                first[k] = -first[k];
                second[k] = -second[k];
            }
        }
        (a > b ? a : b) = mechanism.nodes[k].parent;
    }
    if (a < 0) return;
    const double dx = pair.rx - pair.sx, dy = pair.ry - pair.sy;
    const double along = dx * d.uy - dy * d.ux, across = dx * d.wy - dy * d.wx + pair.spin_a + pair.spin_b;
    for (; a >= 0; a = mechanism.nodes[a].parent)
        if (mechanism.nodes[a].turns) {
            first[a] = along;
            second[a] = across;
        }
}

}  // namespace

PlacedPoint point_at(const Mechanism& mechanism, Int node, const Point& p, View<const Pose> pose) {
    if (node < 0) return {0.0, 0.0, p.x, p.y};
    const Pose &at = pose[node], &anchor = pose[mechanism.nodes[node].anchor];
    return {anchor.x, anchor.y, at.rx + at.c * p.x - at.s * p.y, at.ry + at.s * p.x + at.c * p.y};
}

Motion point_motion(Int node, double rx, double ry, View<const Pose> pose, View<const Motion> motion) {
    Motion found{};
    if (node < 0) return found;
    const Motion& at = motion[node];
    const double w = at.omega, dx = rx - pose[node].rx, dy = ry - pose[node].ry;
    found.omega = w;
    found.vx = at.vx - w * dy;
    found.vy = at.vy + w * dx;
    found.ax = at.ax - w * w * dx;
    found.ay = at.ay - w * w * dy;
    return found;
}

double coordinate_of(const Mechanism& mechanism, Int k, View<const Pose> pose) {
    const TreeNode& node = mechanism.nodes[k];
    const Pose ground{0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
    const Pose& below = node.parent < 0 ? ground : pose[node.parent];
    if (node.turns) return pose[k].theta - below.theta - node.angle;
    const Point at = turned(below, node.at);
    return pose[k].ux * (pose[k].x - below.x - at.x) + pose[k].uy * (pose[k].y - below.y - at.y);
}

double coordinate_rate(const Mechanism& mechanism, Int k, View<const Pose> pose, View<const Motion> motion) {
    const TreeNode& node = mechanism.nodes[k];
    const Motion& here = motion[k];
    if (node.parent < 0) return node.turns ? here.omega : pose[k].ux * here.vx + pose[k].uy * here.vy;
    if (node.turns) return here.omega - motion[node.parent].omega;
    const Motion below = point_motion(node.parent, pose[k].rx, pose[k].ry, pose, motion);
    return pose[k].ux * (here.vx - below.vx) + pose[k].uy * (here.vy - below.vy);
}

// A stop, a dry joint or a drive: its frame is that of nothing in the plane. The tangent's `tx` is 1 at the lower stop and -1 at the
// upper one, whichever is nearer.
static ContactFrame joint_frame(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    const Pose& at = pose[contact.node];
    if (contact.kind != ContactKind::STOP) return {1.0, 0.0, at.rx, at.ry, 0.0, 0.0, INF, 0.0};
    const double q = coordinate_of(mechanism, contact.node, pose), below = q - contact.lower, above = contact.upper - q;
    return {below <= above ? 1.0 : -1.0, 0.0, at.rx, at.ry, 0.0, 0.0, INF, smaller(below, above)};
}

// The frame of a contact of a shape, or of one that is no place in the plane.
static ContactFrame other_frame(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    if (contact.rolls()) {      // open where its host is; what is too deep is told of the host alone
        ContactFrame host = contact_frame(mechanism, mechanism.contacts[contact.host], pose);
        host.gap = larger(host.gap, 0.0);
        return host;
    }
    if (contact.at_joint()) return joint_frame(mechanism, contact, pose);
    Contact found;
    return contact_frame(mechanism, active(mechanism, contact, pose, found), pose);
}

ContactFrame contact_frame(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    if (contact.shaped() || contact.rolls() || contact.at_joint()) return other_frame(mechanism, contact, pose);
    const PlacedPoint a = point_at(mechanism, contact.node, contact.centre, pose);
    if (contact.kind == ContactKind::PLANE) {
        if (contact.other >= 0) {
            const PlacedPoint b = point_at(mechanism, contact.other, contact.origin, pose);
            const Point t = turned(pose[contact.other], contact.tangent);
            const double x = a.ax - b.ax, y = a.ay - b.ay, height = t.x * (y + (a.ry - b.ry)) - t.y * (x + (a.rx - b.rx));
            return {t.x, t.y, a.rx, a.ry, x + a.rx, y + a.ry, INF, height - contact.radius};
        }
        const double tx = contact.tangent.x, ty = contact.tangent.y;
        const double height = tx * ((a.ay - contact.origin.y) + a.ry) - ty * ((a.ax - contact.origin.x) + a.rx);
        return {tx, ty, a.rx, a.ry, 0.0, 0.0, INF, height - contact.radius};
    }
    const PlacedPoint b = point_at(mechanism, contact.other, contact.other_centre, pose);
    const double nx = (a.ax - b.ax) + (a.rx - b.rx), ny = (a.ay - b.ay) + (a.ry - b.ry);
    const double distance = std::hypot(nx, ny), gap = distance - contact.radius - contact.other_radius;
    if (contact.kind == ContactKind::CABLE) {     // its normal points to the other end, and it bends the other way
        if (!(distance > 0.0)) return {1.0, 0.0, a.rx, a.ry, b.rx, b.ry, INF, contact.length};
        return {-ny / distance, nx / distance, a.rx, a.ry, b.rx, b.ry, -distance, contact.length - distance};
    }
    if (distance > 0.0) return {ny / distance, -nx / distance, a.rx, a.ry, b.rx, b.ry, distance, gap};
    return {1.0, 0.0, a.rx, a.ry, b.rx, b.ry, INF, gap};
}

Motion relative_motion(const Contact& contact, const ContactFrame& frame, View<const Pose> pose, View<const Motion> motion) {
    Motion u = point_motion(contact.node, frame.rx, frame.ry, pose, motion);
    if (contact.other >= 0) {
        const Motion other = point_motion(contact.other, frame.sx, frame.sy, pose, motion);
        u.omega -= other.omega;
        u.vx -= other.vx;
        u.vy -= other.vy;
        u.ax -= other.ax;
        u.ay -= other.ay;
    }
    return u;
}

double normal_speed(const Mechanism& mechanism, const Contact& contact, const ContactFrame& frame, View<const Pose> pose,
                    View<const Motion> motion) {
    if (contact.rolls()) return 0.0;
    if (contact.at_joint())
        return contact.has_normal() ? frame.tx * coordinate_rate(mechanism, contact.node, pose, motion) : 0.0;
    const Motion u = relative_motion(contact, frame, pose, motion);
    return frame.tx * u.vy - frame.ty * u.vx;
}

void gaps(const Mechanism& mechanism, View<const Pose> pose, Vec gap) {
    for (Int c = 0; c < gap.size; ++c) gap[c] = contact_frame(mechanism, mechanism.contacts[c], pose).gap;
}

namespace {

// Rows of a stop, a dry joint or a drive, which is told its velocity.
double joint_rows(const Mechanism& mechanism, Int c, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out) {
    const Contact& contact = mechanism.contacts[c];
    const ContactFrame f = joint_frame(mechanism, contact, pose);
    const Int row = contact.has_normal() ? 2 * c : 2 * c + 1;
    for (Int r = 2 * c; r < 2 * c + 2; ++r) {
        out.J.row(r).fill(0.0);
        out.drift[r] = out.rate[r] = 0.0;
    }
    out.J(row, contact.node) = f.tx;
    if (contact.kind != ContactKind::DRIVE) out.rate[row] = f.tx * coordinate_rate(mechanism, contact.node, pose, motion);
    return f.gap;
}

// Rows of the resistance to rolling: no normal one, and how fast the two sides of its host turn against each other.
double rolling_rows(const Mechanism& mechanism, Int c, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out) {
    const Contact& contact = mechanism.contacts[c];
    for (Int r = 2 * c; r < 2 * c + 2; ++r) {
        out.J.row(r).fill(0.0);
        out.drift[r] = out.rate[r] = 0.0;
    }
    const Vec row = out.J.row(2 * c + 1);
    Int a = contact.node, b = contact.other;
    while (a != b) {        // above the nearest common ancestor both turn with the same body
        Int& last = a > b ? a : b;
        if (mechanism.nodes[last].turns) row[last] = a > b ? 1.0 : -1.0;
        last = mechanism.nodes[last].parent;
    }
    if (contact.node >= 0) out.rate[2 * c + 1] += motion[contact.node].omega;
    if (contact.other >= 0) out.rate[2 * c + 1] -= motion[contact.other].omega;
    return contact_frame(mechanism, contact, pose).gap;
}

// Rows `row`, `row + 1` of a contact without shape.
double plain_rows(const Mechanism& mechanism, const Contact& contact, Int row, View<const Pose> pose, View<const Motion> motion,
                  const VelocityRows& out) {
    const ContactFrame f = contact_frame(mechanism, contact, pose);
    const bool discs = contact.kind == ContactKind::DISCS;
    const double tx = f.tx, ty = f.ty, nx = -ty, ny = tx;
    const Int other = contact.other;
    const double r2 = discs ? contact.other_radius : -contact.radius;
    write_rows(mechanism, pose, {contact.node, other, f.rx, f.ry, f.sx, f.sy, contact.radius, r2}, {nx, ny, tx, ty}, out.J, row);
    const Motion u = relative_motion(contact, f, pose, motion);
    double spin = contact.node >= 0 ? contact.radius * motion[contact.node].omega : 0.0;
    if (other >= 0) spin += r2 * motion[other].omega;
    const double un = nx * u.vx + ny * u.vy, ut = tx * u.vx + ty * u.vy, turn = ut / f.distance;
    out.drift[row] = nx * u.ax + ny * u.ay + ut * turn - coriolis(contact, motion, ut);
    out.drift[row + 1] = tx * u.ax + ty * u.ay - un * turn + coriolis(contact, motion, un);
    out.rate[row] = un;
    out.rate[row + 1] = ut + spin - contact.law.speed;
    if (!contact.has_tangent()) {
        out.J.row(row + 1).fill(0.0);
        out.drift[row + 1] = out.rate[row + 1] = 0.0;
    }
    return f.gap;
}

}  // namespace

double contact_rows(const Mechanism& mechanism, Int c, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out) {
    const Contact& contact = mechanism.contacts[c];
    if (contact.at_joint()) return joint_rows(mechanism, c, pose, motion, out);
    if (contact.rolls()) return rolling_rows(mechanism, c, pose, motion, out);
    if (!contact.shaped()) return plain_rows(mechanism, contact, 2 * c, pose, motion, out);
    Contact found;
    return plain_rows(mechanism, active(mechanism, contact, pose, found), 2 * c, pose, motion, out);
}

void contact_points(const Mechanism& mechanism, View<const Pose> pose, Mat found) {
    for (Int c = 0; c < found.rows; ++c) {
        Contact room;
        const Contact& contact = active(mechanism, mechanism.contacts[c], pose, room);
        const ContactFrame f = contact_frame(mechanism, contact, pose);
        const PlacedPoint a = point_at(mechanism, contact.node, contact.at_joint() ? Point{} : contact.centre, pose);
        // where a feature has its sides exchanged, the point of the declared body is on the other side of the gap
        const double inwards = contact.radius + (contact.exchanged ? f.gap : 0.0), sense = contact.exchanged ? -1.0 : 1.0;
        found(c, 0) = a.ax + a.rx + inwards * f.ty;
        found(c, 1) = a.ay + a.ry - inwards * f.tx;
        found(c, 2) = sense * f.tx;
        found(c, 3) = sense * f.ty;
        found(c, 4) = f.gap;
    }
}

}  // namespace mc
