// What a simulation reads, and the state that outlives its steps.
#pragma once

#include "dynamics/features.hpp"
#include "owned.hpp"

namespace mc {

// VELOCITY: closed contacts may not approach, impacts are located within the step. POSITION: `gap + h Jn v+ >= 0`.
enum class Level : Int { VELOCITY = 0, POSITION = 1 };

// EULER: semi-implicit, first order. THETA: forces in the middle of a step, second order (`midpoint.hpp`). RUNGE_KUTTA: fourth
// order with held contact forces, for contacts without friction. FREE_RUNGE_KUTTA: fourth order while nothing touches, THETA
// otherwise.
enum class Integrator : Int { EULER = 0, THETA = 1, RUNGE_KUTTA = 2, FREE_RUNGE_KUTTA = 3 };

// The choices of one run.
struct StepOptions {
    double h = 1e-3;
    double impact_speed = 0.0;      // a closed contact that approaches faster has an impact; a slower one comes to rest
    double slack = 0.0;             // a slower contact with a gap below this is at rest
    double g_eps = 0.0;             // penetration (m, not positive) that one step may recover at most
    double correction = 0.0;        // part of the opening of a pin that one step recovers
    double eps = 0.0;               // relative softness of the condensed problem's diagonal
    bool balanced = false;          // whether the friction bounds have entries as large as the compliances
    Level level = Level::VELOCITY;
    Integrator integrator = Integrator::EULER;
};

// What the loops over all contacts ask of one, side by side in memory (`watches` in `detection.hpp`).
struct Watch {
    double ways = 1.0;          // by how much its gap changes at most for a way of any point: twice where both sides may approach
    bool bounded = true;        // false: no way of points bounds its gap
    bool rigid = true;
    bool asked = true;          // false: it follows another contact (a resistance to rolling) and has no gap of its own
    bool driven = false;
    bool shaped = false;
    bool plain = true;          // it touches with Coulomb's law alone, and nothing follows it
};

// One over the mass and the inertia of a node, zero where it has none, and its centre of mass.
struct Lightness {
    double mass = 0.0, inertia = 0.0;
    Point com;
};

// A mechanism and how it is stepped; `reach` is the largest distance of a contact's centre from the origin of its node.
struct Scene {
    Mechanism mechanism;
    StepOptions options;
    double reach = 0.0;
    double mass = 0.0;              // of everything
    std::vector<Watch> watch = {};  // of each contact
    std::vector<Lightness> lightness = {};  // of each node

    Int size() const { return mechanism.size(); }
    Int contacts() const { return Int(mechanism.contacts.size()); }
    // Rows of near contacts that there may be at once: a claw has a second one.
    Int most_near() const {
        Int count = contacts();
        for (const Contact& contact : mechanism.contacts) count += contact.law.way != 0 ? 1 : 0;
        return count;
    }
    Int pins() const { return mechanism.loops(); }
};

// Where a driven coordinate shall be during a step: place and speed at its beginning and at its end, a cubic in between.
struct Drive {
    double q0 = 0.0, v0 = 0.0, q1 = 0.0, v1 = 0.0;

    double place(double s, double h) const {
        const double x = s / h, y = 1.0 - x;
        return q0 * y * y * (1.0 + 2.0 * x) + q1 * x * x * (3.0 - 2.0 * x) + h * x * y * (v0 * y - v1 * x);
    }
    double speed(double s, double h) const {
        const double x = s / h, y = 1.0 - x;
        return 6.0 * x * y * (q1 - q0) / h + v0 * y * (1.0 - 3.0 * x) + v1 * x * (1.0 - 3.0 * y);
    }
};

// A collision: when, of which contact, with which normal impulse of compression.
struct ImpactNote {
    double time;
    Int contact;
    double impulse;
};

// A smooth part of a step, for who wants to know what happened within it: from `start` (s, since the beginning of the step).
struct SmoothPart {
    double start, length;
    std::vector<double> q, v, q_end, v_end;
};

// What a step is about to do. MOVE lists the near contacts; COMPRESS and DECOMPRESS are the two halves of a collision
// (`h = 0`, Jain 2014 section 7); SMOOTH goes on to the end of the step, or to the first impact inside it.
enum class Stage { MOVE, COMPRESS, DECOMPRESS, SMOOTH };

// The present state of a run.
struct StepState {
    StepState(Int n, Int contacts)
        : q(n), v(n), tau(n), gap(contacts), budget(contacts), loaded(contacts), basis(contacts, 4),
          impulse(contacts, 2), feature(contacts) {}

    Array<double> q, v;
    Array<double> tau;              // generalised forces `S tau`
    Array<double> gap, budget;      // of each contact; a budget is a lower bound of a gap (`detection.hpp`)
    Flags loaded;                   // contacts that carried load when last solved for: they stay and have no impacts
    Grid<bool> basis;               // unknowns (pn, p1, p2, s) of each contact that were positive when last solved for
    Grid<double> impulse;           // of each contact (normal, tangential) when last solved for
    Array<Feature> feature;         // of each contact of a shape that carried load, what touched then
    double remaining = 0.0;         // of the present step (s)
    double limit = INF;             // longest smooth part of a step that is tried: less where energy was gained
    double pace = INF;              // longest smooth part that springs between points allow
    double length = 0.0;            // of the smooth part at hand
    bool recovery = true;           // whether penetration and open pins are recovered: not where energy was gained
    Stage stage = Stage::MOVE;
    Int events = 0, hits = 0;       // impacts located within the present step, collisions since the last of them
};

}  // namespace mc
