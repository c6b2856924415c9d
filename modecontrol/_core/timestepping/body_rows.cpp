#include "timestepping/body_rows.hpp"

namespace mc {

void BodyRows::place(const StepMoment& at) {
    for (Int i = 0; i < coordinates(); ++i)
        if (is_body(i)) com_[i] = turned(at.bodies.pose[i], at.scene.mechanism.nodes[i].com);
}

// From the centre of mass of a body to the origin of another.
Point BodyRows::lever(const StepMoment& at, Int origin, Int body) const {
    const View<const Pose> pose = at.bodies.pose;
    return {pose[origin].rx - pose[body].rx - com_[body].x, pose[origin].ry - pose[body].ry - com_[body].y};
}

Wrench BodyRows::joint_force(const StepMoment& at, Int coordinate, Int body) const {
    if (at.scene.mechanism.nodes[coordinate].turns) return {1.0, 0.0, 0.0};
    const Pose& p = at.bodies.pose[coordinate];
    const Point d = lever(at, owner(coordinate).body, body);
    return {d.x * p.uy - d.y * p.ux, p.ux, p.uy};
}

// A wrench at the origin of the hinge's body, and the opposite one on the body below.
void BodyRows::write_hinge(const StepMoment& at, Int row, Int hinge, const Wrench& unit) {
    const Int nodes[2] = {hinge, owner(hinge).below};
    for (Int side = 0; side < 2; ++side) {
        const Int i = nodes[side];
        const double sign = side == 0 ? 1.0 : -1.0;
        row_[row].node[side] = i;
        if (i < 0) continue;
        const Point d = lever(at, hinge, i);
        row_[row].force[side] = {sign * (d.x * unit.fy - d.y * unit.fx + unit.moment), sign * unit.fx, sign * unit.fy};
    }
}

void BodyRows::write(const StepMoment& at) {
    for (Int j = 0; j < Int(hinges_.size()); ++j) {
        const Int k = hinges_[size_t(j)];
        const Pose& p = at.bodies.pose[k];
        if (at.scene.mechanism.nodes[k].turns) {
            write_hinge(at, 2 * j, k, {0.0, 1.0, 0.0});
            write_hinge(at, 2 * j + 1, k, {0.0, 0.0, 1.0});
        } else {
            write_hinge(at, 2 * j, k, {1.0, 0.0, 0.0});
            write_hinge(at, 2 * j + 1, k, {0.0, -p.uy, p.ux});
        }
    }
    for (Int r = 0; r < at.rows.size(); ++r)
        for (Int side = 0; side < 2; ++side) {
            const Int i = at.rows.row[r].node[side];
            ForceRow& row = row_[hinges() + r];
            row.node[side] = i;
            if (i < 0) continue;
            Wrench w = at.rows.row[r].force[side];
            if (is_body(i)) w.moment = w.moment - com_[i].x * w.fy + com_[i].y * w.fx;
            row.force[side] = w;
        }
}

}  // namespace mc
