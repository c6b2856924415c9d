// A pile of contacts with friction, solved island by island: sweeps and Newton's method in turn, each limited in work.
//
// *Sweeps* (nonsmooth Gauss-Seidel, Jean 1999): each contact in turn solves its own two-by-two Coulomb problem exactly, the
// others held. They always go on and slowly settle. *Newton* (Alart and Curnier 1991): every contact is said to separate,
// slide or stick by its impulse and velocity; the velocities that must then vanish are solved for all contacts at once; what
// comes out says anew. From near the answer that takes a few turns and is exact. In a pile more velocities vanish than
// bodies can move, so the matrix is singular: a little softness about the impulses at hand (a proximal step) picks the
// answer next to them and has no effect once they are the answer. Hard problems are led there from larger softness.
//
// Where that fails an *interior point* method (`friction_interior.hpp`) leads to where the law of each contact can be told. Where that fails
// too, contacts are *drawn near*: the answer with softness is the next centre of the softness, over and over (the
// proximal point method), with less and less of it.
//
// The best impulses seen are kept. An answer is accepted by its certificate (`FrictionProblem::residual`) alone: up to
// `tolerances::SWEPT` it is one of sweeps, up to `tolerances::REFINED` Newton's or as good.
#pragma once

#include "lcp/envelope.hpp"
#include "lcp/friction.hpp"
#include "lcp/friction_interior.hpp"

namespace mc {

struct FrictionOutcome {
    bool solved = false;
    bool warm = false;              // the first guess was right
    double residual = INF;
    Int sweeps = 0, turns = 0;      // of Gauss-Seidel, of Newton's method
};

class FrictionSolver {
public:
    // Sweeps, then turns of Newton's method for each softness from this one down to `tolerances::PROXIMAL`; `dilate`: from where
    // convex problems lead.
    struct Go {
        Int sweeps, turns;
        double softness;
        bool dilate;
    };

    // QUICK: from near the answer. INSIDE: from inside the cones, after many sweeps, too. LED: from convex problems and softer contacts. DRAWN: many sweeps,
    // then drawn near through centres of less and less softness. THOROUGH: all but the last, with many sweeps.
    enum class Effort { QUICK, INSIDE, LED, DRAWN, THOROUGH };

    // A new step begins: nothing is spent yet.
    void begin_step() { spent_ = 0.0; }

    // Whether the work of the step is spent: what is COARSE is then good enough.
    bool spent() const;

    // Solve for the impulses of the `members`, from those in `p`, which are the best found on return, solved or not.
    FrictionOutcome solve(const FrictionProblem& problem, View<const Int> members, View<FrictionPair> p, Effort effort);

private:
    enum class Law : std::uint8_t { OPEN, STICK, UP, DOWN };    // UP: friction positive, slip negative

    // The problem at hand.
    struct Task {
        const FrictionProblem& problem;
        View<const Int> members;
        View<FrictionPair> p;
    };

    double judge(const Task& task);
    bool enough() const;
    bool make(const Task& task, const Go& go);
    void sweep(const Task& task, bool backwards);
    bool newton(const Task& task, const Go& go);
    bool newton_turns(const Task& task, Int turns);
    bool from_inside(const Task& task);
    bool from_inside(const Task& task, double inside);
    bool draw_near(const Task& task);
    bool draw_near(const Task& task, double softness);
    void order(const Task& task);
    FrictionPair softened(const Task& task, Int i) const;
    Law law_of(const Task& task, Int i) const;
    void dilate(const Task& task);
    bool settle_laws(const Task& task, Int turns);
    Int choose_laws(const Task& task, bool all);
    bool make_matrix(const Task& task);
    bool solve_laws(const Task& task);

    FrictionOutcome found_;
    double spent_ = 0.0;                        // products since the step began, about
    double links_ = 0.0;                        // pairs of contacts that feel each other, and contacts
    double soft_ = 0.0;
    bool dilated_ = false;
    double last_ = INF;                         // certificate of the present impulses
    std::vector<FrictionPair> u_, best_, kept_, centre_;
    std::vector<Law> law_;
    std::vector<Int> place_, order_, row_, first_;
    std::vector<double> x_, slip_;
    Envelope matrix_;
    InteriorPoint interior_;
};

}  // namespace mc
