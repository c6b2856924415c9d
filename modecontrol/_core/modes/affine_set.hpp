// The affine set of all unknowns that satisfy the equalities so far, as a table that the search over modes works on.
//
// The unknowns are `X = x0 + Z y` with `Z` orthonormal, in natural units. The rows of the table are the quantities that
// somebody may ask for, each as a function of `y`:
//
//     rows:  X itself (qdd, f, lam, tau) | contact accelerations xdd | physical | task | goal     columns:  y | constant
//
// Imposing an equality reflects it (Householder) onto the last column of `y`, which then has a known value and leaves: one
// freedom fewer, `Z` still orthonormal, and the size of the reflected row tells whether the equality was implied already.
#pragma once

#include "modes/laws.hpp"
#include "modes/natural_units.hpp"
#include "tolerances.hpp"

namespace mc {

// Where the blocks of the table start; `columns` is the number of unknowns and the position of the constant column.
struct Layout {
    Int force, lam, tau, xdd, physical, task, rows, columns;  // force: -1 in a table of accelerations alone

    bool has_forces() const { return force >= 0; }
    Int inputs() const { return columns - tau; }
};

// Extra rows `P (qdd, f, tau) >= p`; the first `physical` are physical (equalities where marked), the others wait.
struct Extra {
    ConstMat P;
    ConstVec p;
    View<const bool> equality;
    Int physical = 0;
};

// One instant with everything that constrains it; a law for each contact, with constants in the user's units.
struct Instant {
    Dynamics dynamics;
    View<const Law> laws;
    Extra extra;
    double still = tolerances::STILL;  // contact accelerations up to this are no load but the rest of velocities near zero
};

// What a physical row is to the search.
struct PhysicalRow {
    bool equality = false;
    bool idle = false;  // an inequality so far away that it says nothing
    bool far = false;   // a bound on the inputs alone that is many loads away: it is looked at after all others
};

// The table before any letter is assigned; filled again for an instant of the same sizes it allocates nothing.
struct Root {
    Grid<double> table;
    Int freedom = -1;         // columns of y; -1 when the equalities contradict each other
    Layout layout{};
    Array<double> units;      // of X
    double size = 1.0;        // of the right-hand sides: true unknowns are `units * size * X`
    Array<Law> laws;          // constants in natural units
    Array<PhysicalRow> physical;
    double strict = tolerances::STRICT;    // what a strict row has to exceed; negative: equality is enough
    Units natural;
    Array<double> row, scratch;
    Array<Int> place;         // the column in which each unknown begins
    Grid<double> start;       // the table without any equality, and the equations of motion, loops and hosts, row by row: what a mode
    Grid<double> equations;   // that is nearly singular is made of once more (`precise_table.hpp`)
    Int written = 0;          // rows of `equations`
};

// The largest coefficient of an extra row in natural units.
double largest_coefficient(const Extra& extra, Int i, const Root& root);

// Fill the table of the whole dynamics: equations of motion, loops, physical equalities, what each law has in common.
void dynamic_root(const Instant& at, Root& root);

// Fill the table of the accelerations alone: `xdd = J qdd + d`, loops; no forces, no inputs (`b` only says what is small).
void kinematic_root(const Instant& at, Root& root);

// Impose `row = 0` (used up) on a table with `freedom` columns and the constant in its last one.
//
// One freedom fewer; the same when the row is implied; -1 when it contradicts.
Int impose(Mat T, Int freedom, Vec row);

// Reflect the first `active` columns of the table so that `row`, whose Euclidean size there is `norm`, has its last entry alone.
//
// `row` becomes the Householder vector. Returns the sign s: that entry is now `-s norm`.
double reflect(Mat T, Int active, Vec row, double norm);

// Zero where no more than PIVOT: in natural units coefficients are of order one, and what is smaller is rounding left by reflections.
inline double clean(double value) { return std::abs(value) > tolerances::PIVOT ? value : 0.0; }

}  // namespace mc
