// Operational-space compliance `L = J M^-1 J^T` without forming `M` or `J`: O(n) + O(rows^2).
//
// Base to tips (Eq. (68) of the appendix of Jain 2014), from the factors of `articulated.hpp`,
//
//     Y(k) = psi^T Y(parent) psi + s D^-1 s^T          psi f = shift(f - U (s . f) / D)
//
// is the acceleration that a wrench on node `k` gives node `k`. Two wrenches meet at their nearest common ancestor `c`
// (Eq. (69)):  L(r, s) = (psi(c, i) w_r)^T Y(c) (psi(c, j) w_s).
//
// Wrenches are needed at the *junctions* alone: the nodes that rows act on and those where two ways to the root meet. A row
// walks up to the highest junction of its tree and no further; a long way between two junctions that many rows take is
// walked once, by the three unit wrenches.
#pragma once

#include "dynamics/articulated.hpp"
#include "dynamics/contacts.hpp"

namespace mc {

// One direction of a contact, one equation of a closure: unit forces on nodes, each as a wrench about the origin of its node; node
// -1 for none. Two ends do for all but gears, which hold two joints against each other.
struct ForceRow {
    static constexpr Int MOST_ENDS = 4;
    Int ends = 2;
    Int node[MOST_ENDS] = {WORLD, WORLD, WORLD, WORLD};
    Wrench force[MOST_ENDS] = {};
};

// `size` times the velocity of coordinate `k` as a pair of wrenches, on its node and on its parent: the ends `first`, `first + 1`.
void write_joint(const Mechanism& mechanism, View<const Pose> pose, Int k, double size, ForceRow& row, Int first);

// Rows `out[0]` (normal), `out[1]` (tangential) of a contact; one that it does not have has no ends. Returns the gap.
double contact_forces(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<ForceRow> out);

// A unit wrench on a node, given by its force at a point from the anchor and an extra moment, as the end `end` of a row.
void write_end(ForceRow& row, Int end, Int node, View<const Pose> pose, const PlacedPoint& at, const Wrench& w);

// The acceleration per wrench of a node at its own origin, symmetric 3 x 3.
struct NodeCompliance {
    double y00, y01, y02, y11, y12, y22;
};
void node_compliance(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<NodeCompliance> Y);

// Work space of the recursion for a tree of `n` nodes and up to `rows` rows (it grows if there are more).
class Compliance {
public:
    explicit Compliance(Int n, Int rows = 0);

    // Fill the first `rows.size` rows and columns of `L`, with the factors in `bodies`.
    void fill(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<const ForceRow> rows, Mat L);

    // After `fill`: how much each end of a row would yield with the other end held, added up. The diagonal of `L` is this less
    // what the two ends have in common, so it is known to the rounding of this.
    double ends(const ForceRow& row) const;

private:
    // A row's wrench at a junction, and the acceleration that it gives it.
    struct Felt {
        Wrench f;
        Twist a;
    };
    // A force on its way to the root: whose it is, the junction that it has reached, and what it is there.
    struct Traveller {
        Int side, at;
        Wrench f;
    };

    void find_junctions(const Mechanism& mechanism, View<const ForceRow> rows);
    void carry_up(const Mechanism& mechanism, const ArticulatedBodies& bodies, View<const ForceRow> rows);
    void cross(const Mechanism& mechanism, const ArticulatedBodies& bodies, Int from, Int to);
    Int junctions() const { return Int(node_.size()); }

    Array<NodeCompliance> Y_;
    Array<Int> number_;                         // per node: its number as a junction, or -1
    Array<Int> above_;                          // per node: the next junction above it, or -1
    Array<Int> traffic_;                        // per node: forces on it and on what it carries
    std::vector<Int> node_, common_;            // per junction: its node; per pair: their nearest common ancestor, or -1
    std::vector<Traveller> all_;
    std::vector<Traveller*> here_;              // those at the junction at hand
    std::vector<Felt> felt_;                    // junctions x rows x 2
};

// `rate[r] = J x` by virtual power: unit forces times the twists of their nodes. `Twists` is a view of `Motion` for
// velocities (`J v`) or of `Twist`, the accelerations of `ArticulatedBodies::solve` (`J qdd`).
template <class Twists> double row_rate(const ForceRow& row, const Twists& twist) {
    double total = 0.0;
    for (Int side = 0; side < 2; ++side)
        if (row.node[side] >= 0) {
            const Twist& at = twist[row.node[side]];
            const Wrench& f = row.force[side];
            total += f.moment * at.omega + f.fx * at.vx + f.fy * at.vy;
        }
    return total;
}

// Add `p` times the row to the wrenches of the nodes: a column of `J^T p` for `ArticulatedBodies::solve`.
void add_row_force(const ForceRow& row, double p, View<Wrench> force);

// `L` of all contacts, then all pins, at `q`; -1, or the node where `factor` failed. Allocates; for use outside loops.
Int compliance_matrix(const Mechanism& mechanism, ConstVec q, ConstVec added, Mat L);

}  // namespace mc
