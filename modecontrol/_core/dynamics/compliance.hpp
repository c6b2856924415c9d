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
#include "dynamics/force_rows.hpp"

namespace mc {

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

// `L` of all contacts, then all pins, at `q`; -1, or the node where `factor` failed. Allocates; for use outside loops.
Int compliance_matrix(const Mechanism& mechanism, ConstVec q, ConstVec added, Mat L);

}  // namespace mc
