#include "dynamics/closures.hpp"

namespace mc {

namespace {

// A way over this many nodes that this many forces take is walked by the three unit wrenches instead.
constexpr Int LONG_WAY = 16, MANY = 8;

// `psi f`: the wrench that the parent feels when `f` acts on a node whose joint is free, `d` from the parent's origin.
struct Step {
    bool turns;
    double ux, uy, dx, dy;
    JointFactor k;

    Step(const Mechanism& mechanism, const ArticulatedBodies& bodies, Int i)
        : turns(mechanism.nodes[i].turns), ux(bodies.pose[i].ux), uy(bodies.pose[i].uy),
          dx(bodies.pose[i].rx - bodies.pose[mechanism.nodes[i].parent].rx),
          dy(bodies.pose[i].ry - bodies.pose[mechanism.nodes[i].parent].ry), k(bodies.factors[i]) {}

    void take(Wrench& f) const {
        const double u = (turns ? f.moment : ux * f.fx + uy * f.fy) / k.D;
        f.moment -= k.U.moment * u;
        f.fx -= k.U.fx * u;
        f.fy -= k.U.fy * u;
        f.moment += dx * f.fy - dy * f.fx;
    }
};

// `Y f`.
Twist yielding(const NodeCompliance& Y, const Wrench& f) {
    return {Y.y00 * f.moment + Y.y01 * f.fx + Y.y02 * f.fy, Y.y01 * f.moment + Y.y11 * f.fx + Y.y12 * f.fy,
            Y.y02 * f.moment + Y.y12 * f.fx + Y.y22 * f.fy};
}

}  // namespace

void node_compliance(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<NodeCompliance> Y) {
    const View<Pose> pose = bodies.pose;
    for (Int i = 0; i < Y.size; ++i) {
        const TreeNode& node = mechanism.nodes[i];
        const JointFactor& f = bodies.factors[i];
        NodeCompliance y{};
        double z0 = 0.0, z1 = 0.0, z2 = 0.0, own = 1.0 / f.D;
        if (node.parent >= 0) {
            const NodeCompliance& p = Y[node.parent];
            const auto [dx, dy] = from_parent(pose[node.parent], pose[i]);
            y.y00 = p.y00;
            y.y11 = p.y11 - 2.0 * dy * p.y01 + dy * dy * p.y00;
            y.y12 = p.y12 + dx * p.y01 - dy * p.y02 - dx * dy * p.y00;
            y.y22 = p.y22 + 2.0 * dx * p.y02 + dx * dx * p.y00;
            y.y01 = p.y01 - dy * p.y00;
            y.y02 = p.y02 + dx * p.y00;
            const double k0 = f.U.moment / f.D, k1 = f.U.fx / f.D, k2 = f.U.fy / f.D;
            z0 = y.y00 * k0 + y.y01 * k1 + y.y02 * k2;
            z1 = y.y01 * k0 + y.y11 * k1 + y.y12 * k2;
            z2 = y.y02 * k0 + y.y12 * k1 + y.y22 * k2;
            own = 1.0 / f.D + k0 * z0 + k1 * z1 + k2 * z2;
        }
        if (node.turns) {
            y.y00 += own - 2.0 * z0;
            y.y01 -= z1;
            y.y02 -= z2;
        } else {
            const double ux = pose[i].ux, uy = pose[i].uy;
            y.y01 -= ux * z0;
            y.y02 -= uy * z0;
            y.y11 += ux * (ux * own - 2.0 * z1);
            y.y12 += ux * uy * own - ux * z2 - uy * z1;
            y.y22 += uy * (uy * own - 2.0 * z2);
        }
        Y[i] = y;
    }
}

Compliance::Compliance(Int n, Int rows) : Y_(n), number_(n), above_(n), traffic_(n) {
    const Int most = smaller(double(n), 8.0 * double(rows));
    node_.reserve(most);
    common_.reserve(most * most);
    all_.reserve(ForceRow::MOST_ENDS * rows);
    here_.reserve(ForceRow::MOST_ENDS * rows);
    felt_.reserve(ForceRow::MOST_ENDS * rows * most);
}

// Tips to base: which nodes carry forces, and where two ways meet; then base to tips: numbers, and the next junction above.
void Compliance::find_junctions(const Mechanism& mechanism, View<const ForceRow> rows) {
    const Array<Int>& branches = above_;
    const Int n = mechanism.size();
    number_.fill(-1);
    traffic_.fill(0);
    branches.fill(0);
    for (Int r = 0; r < rows.size; ++r)
        for (Int end = 0; end < rows[r].ends; ++end) {
            const Int node = rows[r].node[end];
            if (node < 0) continue;
            ++traffic_[node];
            number_[node] = 0;
        }
    for (Int i = n - 1; i >= 0; --i) {
        if (traffic_[i] == 0) continue;
        if (branches[i] > 1) number_[i] = 0;
        const Int p = mechanism.nodes[i].parent;
        if (p >= 0) {
            traffic_[p] += traffic_[i];
            ++branches[p];
        }
    }
    node_.clear();
    for (Int i = 0; i < n; ++i) {
        if (traffic_[i] == 0) continue;
        const Int p = mechanism.nodes[i].parent;
        above_[i] = p < 0 ? -1 : number_[p] >= 0 ? number_[p] : above_[p];
        if (number_[i] < 0) continue;
        number_[i] = junctions();
        node_.push_back(i);
    }
    const Int m = junctions();
    common_.assign(m * m, -1);
    for (Int a = 0; a < m; ++a) {
        const Int up = above_[node_[a]];
        for (Int b = 0; up >= 0 && b < a; ++b) common_[a * m + b] = common_[b * m + a] = common_[up * m + b];
        common_[a * m + a] = a;
    }
}

// Carry the travellers at hand from the node `from` to its ancestor `to`.
void Compliance::cross(const Mechanism& mechanism, const ArticulatedBodies& bodies, Int from, Int to) {
    if (Int(here_.size()) < MANY || from - to < LONG_WAY) {
        for (Int i = from; i != to; i = mechanism.nodes[i].parent) {
            const Step step(mechanism, bodies, i);
            for (Traveller* one : here_) step.take(one->f);
        }
        return;
    }
    Wrench turn{1.0, 0.0, 0.0}, x{0.0, 1.0, 0.0}, y{0.0, 0.0, 1.0};
    for (Int i = from; i != to; i = mechanism.nodes[i].parent) {
        const Step step(mechanism, bodies, i);
        for (Wrench* unit : {&turn, &x, &y}) step.take(*unit);
    }
    for (Traveller* one : here_) {
        const Wrench f = one->f;
        one->f = {turn.moment * f.moment + x.moment * f.fx + y.moment * f.fy, turn.fx * f.moment + x.fx * f.fx + y.fx * f.fy,
                  turn.fy * f.moment + x.fy * f.fx + y.fy * f.fy};
    }
}

// What every row does to every junction from its own to the highest of its tree.
void Compliance::carry_up(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<const ForceRow> rows) {
    all_.clear();
    for (Int r = 0; r < rows.size; ++r)
        for (Int end = 0; end < rows[r].ends; ++end) {
            const Int node = rows[r].node[end];
            if (node >= 0) all_.push_back({ForceRow::MOST_ENDS * r + end, number_[node], rows[r].force[end]});
        }
    felt_.resize(ForceRow::MOST_ENDS * rows.size * junctions());
    for (Int a = junctions() - 1; a >= 0; --a) {
        const Int up = above_[node_[a]];
        here_.clear();
        for (Traveller& one : all_) {
            if (one.at != a) continue;
            here_.push_back(&one);
            felt_[a * ForceRow::MOST_ENDS * rows.size + one.side] = {one.f, yielding(Y_[node_[a]], one.f)};
            one.at = up;
        }
        if (up >= 0) cross(mechanism, bodies, node_[a], node_[up]);
    }
}

double Compliance::ends(const ForceRow& row) const {
    double total = 0.0;
    for (Int side = 0; side < row.ends; ++side) {
        if (row.node[side] < 0) continue;
        const Wrench& f = row.force[side];
        const Twist a = yielding(Y_[row.node[side]], f);
        total += f.moment * a.omega + f.fx * a.vx + f.fy * a.vy;
    }
    return total;
}

void Compliance::fill(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<const ForceRow> rows, Mat L) {
    node_compliance(mechanism, bodies, Y_);
    find_junctions(mechanism, rows);
    carry_up(mechanism, bodies, rows);
    for (Int r = 0; r < rows.size; ++r)
        for (Int s = 0; s <= r; ++s) {
            double total = 0.0;
            for (Int a = 0; a < rows[r].ends; ++a) {
                if (rows[r].node[a] < 0) continue;
                const Int* common = &common_[number_[rows[r].node[a]] * junctions()];
                for (Int b = 0; b < rows[s].ends; ++b) {
                    if (rows[s].node[b] < 0) continue;
                    const Int c = common[number_[rows[s].node[b]]];
                    if (c < 0) continue;
                    const Felt* felt = &felt_[c * ForceRow::MOST_ENDS * rows.size];
                    const Wrench& f = felt[ForceRow::MOST_ENDS * r + a].f;
                    const Twist& y = felt[ForceRow::MOST_ENDS * s + b].a;
                    total += f.moment * y.omega + f.fx * y.vx + f.fy * y.vy;
                }
            }
            L(r, s) = L(s, r) = total;
        }
}

Int compliance_matrix(const Mechanism& mechanism, ConstVec q, ConstVec added, Mat L) {
    ArticulatedBodies bodies(mechanism.size());
    place(mechanism, q, bodies.pose);
    const Int bad = bodies.factor(mechanism, added);
    if (bad >= 0) return bad;
    const Int k = Int(mechanism.contacts.size()), m = mechanism.rows() + mechanism.loops();
    const Array<ForceRow> rows(m);
    for (Int c = 0; c < k; ++c) contact_forces(mechanism, mechanism.contacts[c], bodies.pose, rows.part(2 * c, 2 * c + 2));
    all_closure_forces(mechanism, bodies.pose, rows.part(2 * k, m));
    Compliance(mechanism.size(), m).fill(mechanism, bodies, rows, L);
    return -1;
}

}  // namespace mc
