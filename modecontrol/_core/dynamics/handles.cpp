#include "dynamics/handles.hpp"

#include "tolerances.hpp"

namespace mc {

namespace {

// `Phi` of a subassembly, 3 x 3 blocks for each pair of its handles.
Mat phi_of(const HandleEquations& work, Int part) {
    const Subassembly& s = work.plan.parts[part];
    return {work.phi.data + s.first_entry, 3 * s.handles, 3 * s.handles};
}

Vector3 times(const Matrix3& A, const Vector3& x) {
    return {{A(0, 0) * x[0] + A(0, 1) * x[1] + A(0, 2) * x[2], A(1, 0) * x[0] + A(1, 1) * x[1] + A(1, 2) * x[2],
             A(2, 0) * x[0] + A(2, 1) * x[1] + A(2, 2) * x[2]}};
}

double sum_of_sizes(const Matrix3& A, Int row) { return std::abs(A(row, 0)) + std::abs(A(row, 1)) + std::abs(A(row, 2)); }

// Rows of `A` are directions; they become the rows of the inverse of [columns], by cofactors. False if they depend on each other.
bool invert_directions(Matrix3& A) {
    const Matrix3 h = A;
    const double c0 = h(1, 1) * h(2, 2) - h(1, 2) * h(2, 1), c1 = h(1, 2) * h(2, 0) - h(1, 0) * h(2, 2),
                 c2 = h(1, 0) * h(2, 1) - h(1, 1) * h(2, 0);
    const double det = h(0, 0) * c0 + h(0, 1) * c1 + h(0, 2) * c2;
    const double size = sum_of_sizes(h, 0) * sum_of_sizes(h, 1);
    if (!(std::abs(det) > tolerances::SINGULAR * size * sum_of_sizes(h, 2))) return false;
    A = {{{c0 / det, c1 / det, c2 / det},
          {(h(0, 2) * h(2, 1) - h(0, 1) * h(2, 2)) / det, (h(0, 0) * h(2, 2) - h(0, 2) * h(2, 0)) / det,
           (h(0, 1) * h(2, 0) - h(0, 0) * h(2, 1)) / det},
          {(h(0, 1) * h(1, 2) - h(0, 2) * h(1, 1)) / det, (h(0, 2) * h(1, 0) - h(0, 0) * h(1, 2)) / det,
           (h(0, 0) * h(1, 1) - h(0, 1) * h(1, 0)) / det}}};
    return true;
}

// Take the direction `q` into `P = Q (Q^T Y Q + C)^-1 Q^T`, `C` diagonal, `softness` its new entry.
void hold(const double* q, double softness, const Matrix3& Y, Matrix3& P) {
    const Vector3 y = times(Y, {{q[0], q[1], q[2]}}), held = times(P, y);
    const Vector3 z{{q[0] - held[0], q[1] - held[1], q[2] - held[2]}};
    const double d = softness + y[0] * z[0] + y[1] * z[1] + y[2] * z[2];
    const Vector3 k{{z[0] / d, z[1] / d, z[2] / d}};
    for (Int a = 0; a < 3; ++a)
        for (Int c = 0; c < 3; ++c) P(a, c) += k[a] * z[c];
}

// `P` of a joint: locked directions give way by nothing, sprung free ones by `1 / added`.
Matrix3 lock_compliance(const HandleEquations& work, Int body, const Matrix3& Y) {
    Matrix3 P{};
    const BodyJoint& joint = work.plan.joints[body];
    for (Int c = 0; c < 3 - joint.count; ++c) hold(work.locked[body].v[c], 0.0, Y, P);
    for (Int c = 0; c < joint.count; ++c) {
        const double stiff = work.diagonal[work.plan.members[joint.first + c]];
        if (stiff > 0.0) hold(work.inverse[body].v[c], 1.0 / stiff, Y, P);
    }
    return P;
}

// The handles of one side of a join, less the joint itself, as they follow each other among those of the result.
struct Side {
    Int part, place, handles;
    double sign;
    Int kept(Int h) const { return h + (h >= place); }
};

// `E` of a join: the columns of `Phi` of both sides at the joint, those of side A with a minus.
void write_columns(const Side sides[2], Int first, HandleEquations& work) {
    for (Int s = 0; s < 2; ++s) {
        const Mat phi = phi_of(work, sides[s].part);
        for (Int h = 0; h + 1 < sides[s].handles; ++h, ++first)
            for (Int a = 0; a < 3; ++a)
                for (Int c = 0; c < 3; ++c)
                    work.E[first](a, c) = sides[s].sign * phi(3 * sides[s].kept(h) + a, 3 * sides[s].place + c);
    }
}

// The same with what brakes the body, about its centre of mass: `Phi_ab = S_a (diag(I, m, m) + B)^-1 S_b^T`.
template <class Arm> void brake_handles(const TreeNode& node, const Braking& b, const Arm& arm, Int handles, Mat phi) {
    Matrix3 G{{{node.inertia + b.a00, b.a01, b.a02}, {b.a01, node.mass + b.a11, b.a12}, {b.a02, b.a12, node.mass + b.a22}}};
    invert_directions(G);       // of a symmetric matrix: the inverse
    for (Int a = 0; a < handles; ++a)
        for (Int c = 0; c < handles; ++c) {
            const Point p = arm(a), q = arm(c);
            const double S[3][3] = {{1.0, 0.0, 0.0}, {p.x, 1.0, 0.0}, {p.y, 0.0, 1.0}}, T[3][3] = {{1.0, 0.0, 0.0}, {q.x, 1.0, 0.0}, {q.y, 0.0, 1.0}};
            for (Int i = 0; i < 3; ++i)
                for (Int j = 0; j < 3; ++j) {
                    double sum = 0.0;
                    for (Int k = 0; k < 3; ++k)
                        for (Int l = 0; l < 3; ++l) sum += S[i][k] * G(k, l) * T[j][l];
                    phi(3 * a + i, 3 * c + j) = sum;
                }
        }
}

}  // namespace

bool free_directions(const Mechanism& mechanism, View<const Pose> pose, Int body, HandleEquations& work) {
    const BodyJoint& joint = work.plan.joints[body];
    const Pose& at = pose[joint.node];
    Matrix3 &base = work.inverse[body], &lock = work.locked[body];
    for (Int c = 0; c < joint.count; ++c) {
        const Int k = work.plan.members[joint.first + c];
        const bool turns = mechanism.nodes[k].turns;
        base(c, 0) = turns ? 1.0 : 0.0;
        base(c, 1) = turns ? -(at.ry - pose[k].ry) : pose[k].ux;
        base(c, 2) = turns ? at.rx - pose[k].rx : pose[k].uy;
    }
    if (joint.count == 1) {  // a single node sits in its own origin: a pure turn or a pure slide
        if (mechanism.nodes[joint.node].turns) lock = {{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {}}};
        else lock = {{{1.0, 0.0, 0.0}, {0.0, -at.uy, at.ux}, {}}};
    } else if (joint.count == 2) {
        for (Int a = 0; a < 3; ++a) {
            const Int b = (a + 1) % 3, c = (a + 2) % 3;
            lock(0, a) = base(0, b) * base(1, c) - base(0, c) * base(1, b);
        }
    }
    for (Int c = joint.count; c < 3; ++c)
        for (Int a = 0; a < 3; ++a) base(c, a) = lock(c - joint.count, a);
    return invert_directions(base);
}

void body_handles(const Mechanism& mechanism, View<const Pose> pose, Int body, View<const Braking> braking, HandleEquations& work) {
    const Int own = work.plan.joints[body].node;
    const TreeNode& node = mechanism.nodes[own];
    const Pose& at = pose[own];
    const double cx = at.rx + at.c * node.com.x - at.s * node.com.y, cy = at.ry + at.s * node.com.x + at.c * node.com.y;
    const double turn = 1.0 / node.inertia, push = 1.0 / node.mass;
    const Subassembly& part = work.plan.parts[body];
    const Mat phi = phi_of(work, body);
    const auto arm = [&](Int h) {
        const Pose& there = pose[work.plan.joints[work.plan.handles[part.first_handle + h]].node];
        return Point{-(there.ry - cy), there.rx - cx};
    };
    for (Int a = 0; a < part.handles; ++a) {
        const Point p = arm(a);
        for (Int b = 0; b < part.handles; ++b) {
            const Point q = arm(b);
            const double block[3][3] = {{turn, turn * q.x, turn * q.y},
                                        {turn * p.x, push + turn * p.x * q.x, turn * p.x * q.y},
                                        {turn * p.y, turn * p.y * q.x, push + turn * p.y * q.y}};
            for (Int i = 0; i < 3; ++i)
                for (Int j = 0; j < 3; ++j) phi(3 * a + i, 3 * b + j) = block[i][j];
        }
    }
    if (braking.size > 0) brake_handles(node, moved(braking[own], {cx - at.rx, cy - at.ry}), arm, part.handles, phi);
}

void join(Int o, HandleEquations& work) {
    const Join& op = work.plan.joins[o];
    const auto& parts = work.plan.parts;
    const Side sides[2] = {{op.a, op.place_a, parts[op.a].handles, -1.0}, {op.b, op.place_b, parts[op.b].handles, 1.0}};
    const Mat A = phi_of(work, op.a), B = phi_of(work, op.b), C = phi_of(work, op.result);
    Matrix3& Y = work.Y[o];
    for (Int a = 0; a < 3; ++a)
        for (Int c = 0; c < 3; ++c)
            Y(a, c) = A(3 * op.place_a + a, 3 * op.place_a + c) + B(3 * op.place_b + a, 3 * op.place_b + c);
    const Matrix3 P = work.P[o] = lock_compliance(work, op.joint, Y);
    const Int first = parts[op.result].first_handle, count = parts[op.result].handles, from_a = sides[0].handles - 1;
    write_columns(sides, first, work);
    for (Int i = 0; i < count; ++i)
        for (Int a = 0; a < 3; ++a) {
            const double e0 = work.E[first + i](a, 0), e1 = work.E[first + i](a, 1), e2 = work.E[first + i](a, 2);
            const double k0 = e0 * P(0, 0) + e1 * P(1, 0) + e2 * P(2, 0), k1 = e0 * P(0, 1) + e1 * P(1, 1) + e2 * P(2, 1),
                         k2 = e0 * P(0, 2) + e1 * P(1, 2) + e2 * P(2, 2);
            for (Int j = 0; j < count; ++j) {
                const bool in_a = i < from_a && j < from_a, in_b = i >= from_a && j >= from_a;
                const Matrix3& E = work.E[first + j];
                for (Int c = 0; c < 3; ++c) {
                    double value = -(k0 * E(c, 0) + k1 * E(c, 1) + k2 * E(c, 2));
                    if (in_a) value += A(3 * sides[0].kept(i) + a, 3 * sides[0].kept(j) + c);
                    if (in_b) value += B(3 * sides[1].kept(i - from_a) + a, 3 * sides[1].kept(j - from_a) + c);
                    C(3 * i + a, 3 * j + c) = value;
                }
            }
        }
}

void bias_up(Int o, ConstVec r, HandleEquations& work) {
    const Join& op = work.plan.joins[o];
    const BodyJoint& joint = work.plan.joints[op.joint];
    const auto& parts = work.plan.parts;
    Vector3 f{};
    for (Int c = 0; c < joint.count; ++c) {
        const double value = r[work.plan.members[joint.first + c]];
        for (Int a = 0; a < 3; ++a) f[a] += work.inverse[op.joint](c, a) * value;
    }
    const Int first[2] = {parts[op.a].first_handle, parts[op.b].first_handle}, place[2] = {op.place_a, op.place_b};
    const Int handles[2] = {parts[op.a].handles, parts[op.b].handles};
    Vector3 &beta = work.beta[o], &g = work.g[o], s{};
    for (Int a = 0; a < 3; ++a) beta[a] = work.b[first[1] + place[1]][a] - work.b[first[0] + place[0]][a];
    const Matrix3& Y = work.Y[o];
    for (Int a = 0; a < 3; ++a) s[a] = beta[a] + Y(a, 0) * f[0] + Y(a, 1) * f[1] + Y(a, 2) * f[2];
    const Vector3 held = times(work.P[o], s);
    for (Int a = 0; a < 3; ++a) g[a] = f[a] - held[a];
    Int row = parts[op.result].first_handle;
    for (Int side = 0; side < 2; ++side)
        for (Int h = 0; h < handles[side]; ++h) {
            if (h == place[side]) continue;
            const Matrix3& E = work.E[row];
            for (Int a = 0; a < 3; ++a)
                work.b[row][a] = work.b[first[side] + h][a] + E(a, 0) * g[0] + E(a, 1) * g[1] + E(a, 2) * g[2];
            ++row;
        }
}

void force_down(Int o, HandleEquations& work, Vec x) {
    const Join& op = work.plan.joins[o];
    const BodyJoint& joint = work.plan.joints[op.joint];
    const auto& parts = work.plan.parts;
    const Int first = parts[op.result].first_handle;
    Vector3 s{}, f{};
    for (Int i = first; i < first + parts[op.result].handles; ++i)
        for (Int a = 0; a < 3; ++a)
            for (Int c = 0; c < 3; ++c) s[c] += work.E[i](a, c) * work.f[i][a];
    const Vector3 held = times(work.P[o], s);
    for (Int a = 0; a < 3; ++a) f[a] = work.g[o][a] - held[a];
    const Matrix3 &Y = work.Y[o], &H = work.inverse[op.joint];
    for (Int a = 0; a < 3; ++a) s[a] += work.beta[o][a] + Y(a, 0) * f[0] + Y(a, 1) * f[1] + Y(a, 2) * f[2];
    for (Int c = 0; c < joint.count; ++c)
        x[work.plan.members[joint.first + c]] = H(c, 0) * s[0] + H(c, 1) * s[1] + H(c, 2) * s[2];
    Int row = first;
    for (Int side = 0; side < 2; ++side) {
        const Subassembly& part = parts[side == 0 ? op.a : op.b];
        const Int place = side == 0 ? op.place_a : op.place_b;
        for (Int h = 0; h < part.handles; ++h) {
            Vector3& out = work.f[part.first_handle + h];
            if (h != place) out = work.f[row++];
            else if (side == 0) out = {{-f[0], -f[1], -f[2]}};
            else out = f;
        }
    }
}

}  // namespace mc
