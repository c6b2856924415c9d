// Contacts with friction solved from inside their cones: a primal-dual interior point method (Mehrotra 1992) for Coulomb's law.
//
//     x = (pn, mu pn - pt, mu pn + pt) > 0       impulses: the normal one and the two sides of the cone
//     un = y_0     ut = y_2 - y_1     y > 0      velocities, as what the walls of the cone push
//     x_k y_k = tau                              towards zero
//
// Newton's method for these, `y` eliminated, is `(A + D) dp = r` where `D` has one 2 x 2 block for each contact: the same envelope
// in every turn, whatever the contacts do, and every contact changes its mind at once. Friction is not the gradient of anything, so
// `D` is not symmetric and the way may end at a wall. Mostly it takes a dozen turns to where the law of every contact can be told.
#pragma once

#include "lcp/envelope.hpp"
#include "lcp/friction.hpp"

namespace mc {

class InteriorPoint {
public:
    // The problem at hand: contacts in an order that keeps neighbours together, and their impulses.
    struct Task {
        const FrictionProblem& problem;
        View<const Int> order;
        View<FrictionPair> p;
    };

    // From about the impulses `p`, `inside` (in units of the speeds at hand) the cones, until the certificate is `goal`. Returns the least
    // certificate on the way, whose impulses are then in `p` (those given, and infinity, when there was none).
    double solve(const Task& task, double inside, double goal);

    Int turns = 0;              // of the last call
    double products = 0.0;      // of the last call, about

private:
    // One contact: its rows (-1 for none), the pairs `first` to `end` that it has, where they are and how they move.
    struct Cell {
        Int normal, tangential, host, first, end;
        double x[3], y[3], dx[3], dy[3], second[3];
    };

    void make_rows(const Task& task);
    void enter(const Task& task, double inside);
    bool factor(const Task& task);
    double towards(const Task& task, double tau);
    double gap(const Task& task, double part) const;
    double turn(const Task& task);

    std::vector<Cell> cells_;       // by contact
    std::vector<FrictionPair> u_, best_;
    std::vector<Int> rows_;
    std::vector<double> step_;
    double energy_ = 0.0;           // unit of the products
    Envelope plain_, matrix_;       // `A`, and `A + D` or its factors
};

}  // namespace mc
