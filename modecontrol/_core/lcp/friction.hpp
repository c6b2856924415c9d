// Contacts with Coulomb friction whose velocities answer impulses, kept sparse: the problem that large piles are solved in.
//
//     u_i = free_i + sum_j A_ij p_j        0 <= pn  perp  un >= 0        |pt| <= mu pn, friction opposes slip
//
// `p_i = (pn, pt)`; `A_ij` is a 2 x 2 block, there only where contacts `i` and `j` feel each other, and `A_ji = A_ij^T`.
// Offsets and softness of the normal rows are part of `free` and of `A_ii`.
//
// A *follower* has the normal impulse of an earlier contact, its host, in place of one of its own: resistance to rolling, whose
// cone is that of the contact that it belongs to. It has no normal row; `un = A_nn (pn - pn of the host)` stands in its place.
//
// The certificate of an answer is a velocity: how far each contact's own law is from holding, given what all impulses do,
// over the speed that the contacts must deal with. It is computed from `A` and `free` anew, whatever method found `p`.
#pragma once

#include <vector>

#include "layout.hpp"
#include "owned.hpp"

namespace mc {

// What the second contact's impulse does to the velocity of the first; `n` normal, `t` tangential.
struct FrictionBlock {
    double nn = 0.0, nt = 0.0, tn = 0.0, tt = 0.0;
};

struct FrictionPair {
    double n = 0.0, t = 0.0;
};

class FrictionProblem {
public:
    // Begin a problem of so many contacts, none of which feels another yet.
    void clear(Int contacts);

    // The next contact: its own block and those with earlier contacts that it feels (`feel`), in order.
    void add(const FrictionPair& free, double mu, const FrictionBlock& own);
    void feel(Int earlier, const FrictionBlock& block);
    // The contact that was added last follows this earlier one, which it feels.
    void follow(Int earlier) {
        host.back() = earlier;
        any_follows_ = true;
    }
    bool any_follows() const { return any_follows_; }
    // Differences of normal impulses between followers and hosts weigh as much as impulses of the hosts.
    void weigh_followers();
    bool follows(Int i) const { return host[i] >= 0; }

    // After the last contact: lists both ways, and islands. Contacts of different islands feel nothing of each other.
    void close();

    Int size() const { return Int(mu.size()); }
    Int islands() const { return Int(island_start_.size()) - 1; }
    View<const Int> island(Int k) const {
        return {members_.data() + island_start_[k], island_start_[k + 1] - island_start_[k]};
    }

    // Velocities of the contacts in `members` with the impulses `p`.
    void velocities(View<const Int> members, View<const FrictionPair> p, View<FrictionPair> u) const;

    // The certificate: error of the law of each of the `members` (m/s) over `speed`; infinite when `p` leaves a cone.
    double residual(View<const Int> members, View<const FrictionPair> p, View<const FrictionPair> u) const;

    // Sizes of what the impulses `p` (normal, tangential of each contact) do to contact `i`, added up.
    FrictionPair terms(Int i, ConstVec p) const;

    // The speed that these contacts must deal with: the largest of `free`.
    double speed(View<const Int> members) const;

    struct Neighbour {
        Int contact;
        FrictionBlock block;        // A(this contact, the neighbour)
    };
    View<const Neighbour> neighbours(Int i) const { return {list_.data() + start_[i], start_[i + 1] - start_[i]}; }

    // Nearest impulses that obey the cones of the `members`.
    void put_into_cones(View<const Int> members, View<FrictionPair> p) const;

    std::vector<FrictionPair> free;
    std::vector<double> mu;
    std::vector<FrictionBlock> own;
    std::vector<Int> host;          // -1 for a contact that follows none

private:
    struct Link {
        Int later, earlier;
        FrictionBlock block;
    };
    Int root(Int i);

    bool any_follows_ = false;
    std::vector<Link> links_;
    std::vector<Int> start_, above_, members_, island_start_;
    std::vector<Neighbour> list_;
};

// A problem as dense arrays: rows (normal, tangential) of each contact, from row and column `first` on.
struct DenseFriction {
    ConstMat A;
    ConstVec free, mu;
    Int first = 0;
    View<const Int> host{};         // which contact each follows, -1 for none; empty where none does
};

// The problem in its sparse form; blocks that are zero are left out.
void write_friction(const DenseFriction& dense, FrictionProblem& problem);

// Nearest impulse that obeys a contact's cone.
inline FrictionPair in_cone(const FrictionPair& p, double mu) {
    const double n = p.n > 0.0 ? p.n : 0.0, most = mu * n;
    return {n, p.t > most ? most : p.t < -most ? -most : p.t};
}

}  // namespace mc
