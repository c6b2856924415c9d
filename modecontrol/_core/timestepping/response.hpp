// How the velocities of a mechanism answer forces and impulses: the part of a contact problem in which formulations differ.
//
//     v+ = v_free + W^-1 rows^T p         u = rows v+ = u_free + L p         W = M + h D + h^2 K
#pragma once

#include "timestepping/contact_rows.hpp"

namespace mc {

struct Balances;

// What a response reads: the mechanism, the state, poses, motions and rows at it. Forces act over `h` (zero in a collision); in
// decompression the impulses `rows.push` act beforehand.
struct StepMoment {
    const Scene& scene;
    const StepState& state;
    ArticulatedBodies& bodies;
    const ContactRows& rows;
    double h;
    bool decompression;
    StateView middle{};             // where forces are taken, if not at `state`: `bodies` has its poses and motions
};

// Bilateral rows come first: those that a formulation has of its own (`hinges()`), then the pins, then the contacts.
class Response {
public:
    virtual ~Response() = default;

    // Rows of joints that this formulation keeps as constraints.
    virtual Int hinges() const { return 0; }

    // Memory for so many near contacts.
    virtual void make_room(Int room) = 0;

    // Everything without contact and pin impulses: -1, or a coordinate (or the body it moves) whose mass cannot be divided by.
    virtual Int free_motion(const StepMoment& at) = 0;

    // `u_free` and `L` of all rows, hinges first.
    virtual void condense(const StepMoment& at, Vec u, Mat L) = 0;

    // After `condense`: what of the diagonal of `L` may be rounding, for the bilateral rows.
    virtual void rounding(const StepMoment&, Vec bilateral) const { bilateral.fill(0.0); }

    // Rows that the complementarity problem of this formulation has beside those of closures and contacts.
    virtual Int more_rows() const { return 0; }

    // Where velocities stay unknowns: what massless motions ask of the contacts, after `condense`.
    virtual Balances* balances() { return nullptr; }

    // Where bilateral rows were eliminated by `condense` (their `L` is zero): their impulses, given those of the contacts.
    virtual void complete(const StepMoment&, Vec) const {}

    // `v+` with the impulses `p` of all rows.
    virtual void apply(const StepMoment& at, ConstVec p, Vec v_plus) = 0;
};

// What `W` has beside the mass matrix: the diagonal `h D + h^2 K`, and what a medium brakes each node by (empty without one).
struct ImplicitTerms {
    explicit ImplicitTerms(Int n) : added(n), room_(0) {}

    // At the poses and motions of `bodies`.
    void brake(const Mechanism& mechanism, const ArticulatedBodies& bodies, double growth, double h);
    void let_go() { braking = {}; }

    Array<double> added;
    View<const Braking> braking{};

private:
    Array<Braking> room_;
};

// `r = h (tau - b) - h^2 K v`, without contacts, and the implicit terms; needs poses and motions. With a middle: `r = h (tau - b(middle
// without K, D) - K (q + h v / 2 - rest) - D v)`, diagonal `h D / 2 + h^2 K / 4`, and the drag likewise; leaves the motions of `state.v` in
// `bodies`.
void known_impulse(const StepMoment& at, ImplicitTerms& implicit, Vec r);

}  // namespace mc
