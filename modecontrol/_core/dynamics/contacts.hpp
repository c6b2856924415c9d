// Contact kinematics: gap, Jacobian, drift and velocity, row by row.
//
// Rows come normal first, and `n` is `t` turned by +90 degrees.
#pragma once

#include "dynamics/tree.hpp"

namespace mc {

// A point of a node: the anchor of the node's tree in the world, and the point from that anchor.
struct PlacedPoint {
    double ax, ay, rx, ry;
};

// Geometry of a contact: tangent, the two centres from their anchors, the distance of centres and the gap. The distance is
// infinite against a half-plane (no curvature), negative for a cable. Concentric discs have no direction: the normal is then taken upwards and
// the curvature as zero.
struct ContactFrame {
    double tx, ty, rx, ry, sx, sy, distance, gap;
};

// Velocity rows of a set of contacts or closures: `J` (m, n), `drift = Jdot v` and `rate = J v` (m,).
struct VelocityRows {
    Mat J;
    Vec drift, rate;
};

PlacedPoint point_at(const Mechanism& mechanism, Int node, const Point& p, View<const Pose> pose);

// Motion at zero `qdd` of the point of a node at `(rx, ry)` from the anchor.
Motion point_motion(Int node, double rx, double ry, View<const Pose> pose, View<const Motion> motion);

ContactFrame contact_frame(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

// Coordinate `k` and its rate, read off poses and motions.
double coordinate_of(const Mechanism& mechanism, Int k, View<const Pose> pose);
double coordinate_rate(const Mechanism& mechanism, Int k, View<const Pose> pose, View<const Motion> motion);

// Rate of the gap.
double normal_speed(const Mechanism& mechanism, const Contact& contact, const ContactFrame& frame, View<const Pose> pose,
                    View<const Motion> motion);

// Motion of the centre of a contact's disc, less that of the other disc's if there is one.
Motion relative_motion(const Contact& contact, const ContactFrame& frame, View<const Pose> pose, View<const Motion> motion);

// What the turning of a half-plane's own body adds to the drift of the normal row: Coriolis; `slide` is the speed along the tangent.
inline double coriolis(const Contact& contact, View<const Motion> motion, double speed) {
    const bool turning = contact.kind == ContactKind::PLANE && contact.other >= 0;
    return turning ? 2.0 * motion[contact.other].omega * speed : 0.0;
}

// Gap of every contact: the broad phase of a simulation.
void gaps(const Mechanism& mechanism, View<const Pose> pose, Vec gap);

// Rows `2 c` (normal), `2 c + 1` (tangential) of contact `c`; returns the gap.
//
// Against a half-plane: `xd_n = n.cd`, `xd_t = t.cd + r w` (the material point is `c - r n`). Against one that a body carries:
// `u = cd - velocity of that body at c`, `xd_n = n.u`, `xd_t = t.u + r (w - w_b)`, drifts `n.a - 2 w_b t.u`, `t.a + 2 w_b n.u`. Disc against disc, `u = cd_1 - cd_2`:
// `xd_n = n.u`, `xd_t = t.u + r_1 w_1 + r_2 w_2`, and because the frame turns at the rate `t.u / distance`,
// `d_n = n.a + (t.u)^2 / distance`, `d_t = t.a - (t.u)(n.u) / distance`.
double contact_rows(const Mechanism& mechanism, Int c, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out);

// (k, 5): world position of each contact's material point `c - r n`, its tangent `t`, its gap.
void contact_points(const Mechanism& mechanism, View<const Pose> pose, Mat found);

}  // namespace mc
