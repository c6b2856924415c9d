#include "timestepping/kept_unknowns.hpp"

#include "dynamics/applied_forces.hpp"
#include "timestepping/joint_space.hpp"

namespace mc {

namespace {

// What a collision gives back acts beforehand.
void add_pushes(const StepMoment& at, ConstMat rows, Vec known) {
    for (Int r = 0; at.decompression && r < rows.rows; ++r)
        for (Int i = 0; i < known.size; ++i) known[i] += at.rows.push[r] * rows(r, i);
}

}  // namespace

void JointUnknowns::write(const StepMoment& at, Mat W, Vec known, Mat rows) {
    expand(at.scene.mechanism, at.bodies.pose, at.rows.all(), rows);
    known_impulse(at, implicit_, known);
    W.fill(0.0);
    mass_matrix(at.scene.mechanism, at.bodies.pose, composite_, W);
    for (Int i = 0; i < W.rows; ++i) W(i, i) += implicit_.added[i];
    if (implicit_.braking.size > 0) {
        fit(carried_, W.rows);
        add_braking(at.scene.mechanism, at.bodies.pose, implicit_.braking, carried_, W);
    }
    for (Int i = 0; i < W.rows; ++i)
        for (Int j = 0; j < W.rows; ++j) known[i] += W(i, j) * at.state.v[j];
    add_pushes(at, {rows.data, at.rows.size(), rows.cols}, known);
}

void JointUnknowns::read(ConstVec x, Vec v) const {
    for (Int i = 0; i < v.size; ++i) v[i] = x[i];
}

BodyUnknowns::BodyUnknowns(std::vector<JointOwner> owner, std::vector<Int> hinges)
    : rows_(std::move(owner), std::move(hinges)), place_(size_t(rows_.coordinates()), -1), braking_(0) {
    const Int n = rows_.coordinates();
    for (Int i = 0; i < n; ++i)
        if (rows_.is_body(i)) place_[size_t(i)] = 3 * bodies_++;
    read_ = Grid<double>(n, size());
    v_ = Array<double>(size());
    Q_ = Array<double>(n);
}

Int BodyUnknowns::body_of(Int unknown) const {
    for (Int i = 0; i < rows_.coordinates(); ++i)
        if (place_[size_t(i)] == unknown - unknown % 3) return i;
    return 0;
}

void BodyUnknowns::make_room(Int rows) {
    rows_.make_room(rows);
    expanded_ = Grid<double>(rows, rows_.coordinates());
}

// Inertias, and the impulses of gravity and of the accelerations that the motion causes by itself.
void BodyUnknowns::write_bodies(const StepMoment& at, Mat W, Vec known) {
    const Point gravity = at.scene.mechanism.gravity;
    W.fill(0.0);
    for (Int i = 0; i < rows_.coordinates(); ++i) {
        const Int k = place_[size_t(i)];
        if (k < 0) continue;
        const TreeNode& node = at.scene.mechanism.nodes[i];
        const Point& c = rows_.com(i);
        const Motion& m = at.bodies.motion[i];
        const double w = m.omega, h = at.h;
        W(k, k) = node.inertia;
        W(k + 1, k + 1) = W(k + 2, k + 2) = node.mass;
        v_[k] = w;
        v_[k + 1] = m.vx - w * c.y;
        v_[k + 2] = m.vy + w * c.x;
        known[k] = 0.0;
        known[k + 1] = h * node.mass * (gravity.x - m.ax + w * w * c.x);
        known[k + 2] = h * node.mass * (gravity.y - m.ay + w * w * c.y);
    }
    if (!at.scene.mechanism.drags.empty() && at.h > 0.0) brake_bodies(at, W);
}

void BodyUnknowns::brake_bodies(const StepMoment& at, Mat W) {
    fit(braking_, rows_.coordinates());
    brakings(at.scene.mechanism, at.bodies.pose, at.bodies.motion, 1.0, at.h, braking_);
    for (Int i = 0; i < rows_.coordinates(); ++i) {
        const Int k = place_[size_t(i)];
        if (k < 0) continue;
        const Braking b = moved(braking_[i], rows_.com(i));
        const double block[3][3] = {{b.a00, b.a01, b.a02}, {b.a01, b.a11, b.a12}, {b.a02, b.a12, b.a22}};
        for (Int a = 0; a < 3; ++a)
            for (Int c = 0; c < 3; ++c) W(k + a, k + c) += block[a][c];
    }
}

// Joint forces over the step, and what armatures, implicit springs and dampers add to `W`; then `known` is whole.
void BodyUnknowns::add_joints(const StepMoment& at, Mat W, Vec known) {
    const Int n = rows_.coordinates();
    const double h = at.h;
    read_.fill(0.0);
    for (Int k = 0; k < n; ++k)
        for (Int side = 0; side < 2; ++side) {
            const Int i = side == 0 ? rows_.owner(k).body : rows_.owner(k).below;
            if (i < 0) continue;
            const Wrench unit = rows_.joint_force(at, k, i);
            const Int to = place_[size_t(i)];
            const double sign = 1.0 - 2.0 * double(side);
            read_(k, to) += sign * unit.moment;
            read_(k, to + 1) += sign * unit.fx;
            read_(k, to + 2) += sign * unit.fy;
        }
    applied_forces(at.scene.mechanism, at.bodies.pose, at.bodies.motion, at.bodies.force, Q_);
    for (Int k = 0; k < n; ++k) {
        const TreeNode& node = at.scene.mechanism.nodes[k];
        const double v = at.state.v[k], added = node.armature + h * (node.damping + h * node.stiffness);
        const double force = at.state.tau[k] + Q_[k] - node.stiffness * (at.state.q[k] - node.rest + h * v) - node.damping * v;
        const ConstVec row = read_.row(k);
        for (Int i = 0; i < size(); ++i) {
            known[i] += h * force * row[i];
            for (Int j = 0; added != 0.0 && j < size(); ++j) W(i, j) += added * row[i] * row[j];
        }
    }
    for (Int i = 0; i < size(); ++i)
        for (Int j = 0; j < size(); ++j) known[i] += W(i, j) * v_[j];
}

// Pins and contacts act on the bodies; other closures by the joint velocities that the bodies have.
void BodyUnknowns::write_rows(const StepMoment& at, Mat rows) {
    const auto on_bodies = [&](Int r) {
        const ForceRow& source = rows_.row(r);
        const Vec row = rows.row(r);
        row.fill(0.0);
        for (Int side = 0; side < 2; ++side) {
            if (source.node[side] < 0) continue;
            const Int k = place_[size_t(source.node[side])];
            row[k] += source.force[side].moment;
            row[k + 1] += source.force[side].fx;
            row[k + 2] += source.force[side].fy;
        }
    };
    rows_.write(at);
    for (Int r = 0; r < hinges(); ++r) on_bodies(r);
    Int next = 0;
    for (const Closure& closure : at.scene.mechanism.closures)
        for (Int i = 0; i < closure.rows(); ++i, ++next) {
            if (closure.kind == ClosureKind::PIN) {
                on_bodies(hinges() + next);
                continue;
            }
            expand(at.scene.mechanism, at.bodies.pose, at.rows.row.part(next, next + 1), expanded_.part(next, next + 1));
            read_back(expanded_.row(next), rows.row(hinges() + next));
        }
    for (; next < at.rows.size(); ++next) on_bodies(hinges() + next);
}

void BodyUnknowns::write(const StepMoment& at, Mat W, Vec known, Mat rows) {
    rows_.place(at);
    write_bodies(at, W, known);
    add_joints(at, W, known);
    write_rows(at, rows);
    add_pushes(at, {rows.data + hinges() * rows.cols, at.rows.size(), rows.cols}, known);
}

void BodyUnknowns::read(ConstVec x, Vec v) const {
    for (Int k = 0; k < v.size; ++k) {
        v[k] = 0.0;
        for (Int i = 0; i < x.size; ++i) v[k] += read_(k, i) * x[i];
    }
}

void BodyUnknowns::read_back(ConstVec f, Vec x) const {
    x.fill(0.0);
    for (Int k = 0; k < f.size; ++k)
        for (Int i = 0; f[k] != 0.0 && i < x.size; ++i) x[i] += f[k] * read_(k, i);
}

}  // namespace mc
