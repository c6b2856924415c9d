#include "dynamics/force_rows.hpp"

#include "dynamics/features.hpp"

namespace mc {

void write_end(ForceRow& row, Int end, Int node, View<const Pose> pose, const PlacedPoint& at, const Wrench& w) {
    row.node[end] = node;
    if (node < 0) return;
    const double dx = at.rx - pose[node].rx, dy = at.ry - pose[node].ry;
    row.force[end] = {dx * w.fy - dy * w.fx + w.moment, w.fx, w.fy};
}

// A row that a contact does not have.
static void drop(ForceRow& row) {
    row.ends = 0;
    row.node[0] = row.node[1] = WORLD;
}

void write_joint(const Mechanism& mechanism, View<const Pose> pose, Int k, double size, ForceRow& row, Int first) {
    const TreeNode& node = mechanism.nodes[k];
    const Pose& at = pose[k];
    row.node[first] = k;
    row.node[first + 1] = node.parent;
    const Wrench w = node.turns ? Wrench{size, 0.0, 0.0} : Wrench{0.0, size * at.ux, size * at.uy};
    row.force[first] = w;
    if (node.parent < 0) return;
    const auto [dx, dy] = from_parent(pose[node.parent], at);
    row.force[first + 1] = {-(w.moment + dx * w.fy - dy * w.fx), -w.fx, -w.fy};
}

double contact_forces(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<ForceRow> out) {
    if (contact.shaped()) {
        Contact found;
        return contact_forces(mechanism, active(mechanism, contact, pose, found), pose, out);
    }
    const ContactFrame f = contact_frame(mechanism, contact, pose);
    if (contact.rolls()) {      // a pair of moments
        drop(out[0]);
        out[1].ends = 2;
        out[1].node[0] = contact.node, out[1].force[0] = {1.0, 0.0, 0.0};
        out[1].node[1] = contact.other, out[1].force[1] = {-1.0, 0.0, 0.0};
        return f.gap;
    }
    if (contact.at_joint()) {
        const Int row = contact.has_normal() ? 0 : 1;
        out[row].ends = 2;
        drop(out[1 - row]);
        write_joint(mechanism, pose, contact.node, f.tx, out[row], 0);
        return f.gap;
    }
    const Int other = contact.other;
    const double radius = contact.kind == ContactKind::DISCS ? contact.other_radius : -contact.radius;
    const PlacedPoint here{0.0, 0.0, f.rx, f.ry}, there{0.0, 0.0, f.sx, f.sy};
    out[0].ends = out[1].ends = 2;
    write_end(out[0], 0, contact.node, pose, here, {0.0, -f.ty, f.tx});
    write_end(out[0], 1, other, pose, there, {0.0, f.ty, -f.tx});
    write_end(out[1], 0, contact.node, pose, here, {contact.radius, f.tx, f.ty});
    write_end(out[1], 1, other, pose, there, {radius, -f.tx, -f.ty});
    if (!contact.has_tangent()) drop(out[1]);
    return f.gap;
}

void add_row_force(const ForceRow& row, double p, View<Wrench> force) {
    for (Int side = 0; side < row.ends; ++side) {
        if (row.node[side] < 0) continue;
        Wrench& f = force[row.node[side]];
        f.moment += p * row.force[side].moment;
        f.fx += p * row.force[side].fx;
        f.fy += p * row.force[side].fy;
    }
}

}  // namespace mc
