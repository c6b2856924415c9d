// Fourier-Motzkin elimination: systems `A x <= b`, `C x = e` that lose variables and keep their projection.
//
// Every pair of rows that bound a variable from above and from below is added up so that it drops out. Of these sums
// only those are wanted that have no more than k + 1 parents after k eliminations (Kohler 1967) and whose parents
// include all parents of no third row (Chernikov 1965). Parents are the rows of a minimal system.
//
// Rows are added up by products, without a division, so that small integers stay exact, and rescaled by powers of two.
#pragma once

#include "owned.hpp"

namespace mc {

// Rows `A x <= b` and `C x = e` in the variables `names`, with ancestors; `parents` as bits, 0 if unknown.
struct System {
    Grid<double> A;
    Array<double> b;
    Grid<double> C;
    Array<double> e;
    Array<Int> names;
    Grid<bool> ancestors, equality_ancestors;
    Array<Int> parents;

    Rows rows() const { return {A, b, C, e}; }
};

// The units of a scaled system: sizes of all variables, blow-up of the right-hand sides.
struct Units {
    Array<double> sizes;
    double blowup = 1.0;
};

// Rows and right-hand sides in the caller's units, largest coefficient one.
struct Side {
    Grid<double> rows;
    Array<double> right;
};
Side to_caller(const Grid<double>& A, const Array<double>& b, ConstInts names, const Units& units);

// The system with the marked rows, equalities and variables only.
System without(const System& system, View<const bool> rows, View<const bool> equalities, View<const bool> variables);

// Use the equalities to replace variables that are to go (`gone` by name).
System substitute(const System& system, View<const bool> gone);

// The variable to go with the fewest new rows (-1 when none is left), how many more rows, how many pairs.
struct Cheapest {
    Int variable, growth, pairs;
};
Cheapest cheapest(const System& system, View<const bool> gone);

// Add up the pairs of rows that bound variable `v` from both sides; `steps` eliminations since parents were started anew.
System eliminate_variable(const System& system, Int v, Int steps, Int pairs);

// Marks of equalities that together say the same as all (complete pivoting).
Flags independent(ConstMat C);

}  // namespace mc
