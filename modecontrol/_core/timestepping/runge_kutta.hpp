// Runge-Kutta steps of fourth order with the contact forces held (section 4.1 of Bhalerao).
//
// The complementarity problem of the step gives the impulses `p`; the forces `f = p / h`, fixed in the world's axes at the
// contacts' points, act through all four stages. Sound without friction only: with it nothing makes the held forces
// dissipate. As the smooth motion is followed to fourth order, the rate of a gap at the end of the step is predicted with the
// point's own acceleration, `Jn v+ + h Jndot v` (their Eqs. (6) and (10)); without the second term a contact that turns quickly
// sinks in. Pins are kept by accelerations,  G qdd + Gdot v = -2 a G v - a^2 opening,  `a = correction / h` (Baumgarte).
#pragma once

#include "timestepping/contact_rows.hpp"
#include "timestepping/pin_elimination.hpp"

namespace mc {

class RungeKutta {
public:
    RungeKutta(Int n, Int pin_rows);

    // `offset += h Jndot v` of the near contacts.
    static void add_drift(const Mechanism& mechanism, const ArticulatedBodies& bodies, double h, NearContacts& near);

    // Advance `q, v` by `h` with the contact impulses in `rows`; -1, or a coordinate that moves nothing that has mass.
    // `loop_impulse` receives what the pins took; `rows.p` of the pins and `rows.push` are work space.
    struct Way {
        Vec q, v;
        ConstVec tau;
        double h;
        Vec loop_impulse;
    };
    Int step(const Scene& scene, const Way& way, ContactRows& rows, ArticulatedBodies& bodies);

private:
    Int acceleration(const Scene& scene, const Way& way, ContactRows& rows, ArticulatedBodies& bodies);
    void hold_pins(const Scene& scene, ContactRows& rows, ArticulatedBodies& bodies);

    Array<double> q_, v_, sum_q_, sum_v_, qdd_, r_, x_, none_;
    Grid<double> G_, L_;
    Array<double> drift_, opening_, u_, target_, rounding_;
    PinElimination pins_;
    Compliance compliance_;
};

}  // namespace mc
