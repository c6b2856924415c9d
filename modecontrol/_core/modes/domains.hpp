// The domain of a mode, `D_c = {(tau, w) : A (tau, w) <= b, C (tau, w) = e}`
// (Eqs. (32) and (33) of Greenfield 2005), made minimal.
//
// Everything is in natural units; columns are all inputs, then `w`.
#pragma once

#include <vector>

#include "modes/affine_response.hpp"
#include "modes/mode_rows.hpp"
#include "polytopes/simplex.hpp"

namespace mc {

// A domain with room for any mode of a root; used again and again.
struct Domain {
    explicit Domain(const Root& root);

    Mat A;                         // all inequalities of the mode; bounds on far inputs come last
    Vec b;
    Int near = 0;                  // how many there are without those bounds
    Mat C;                         // equalities on the inputs, from the equations of motion
    Vec e;
    std::vector<Int> cause;        // of each inequality
    Status status = UNDECIDED;     // INFEASIBLE or UNDECIDED: all rows are kept and another method has to look
    std::vector<Int> kept;         // inequalities that are facets, bounds on far inputs last
    Int near_kept = 0;             // how many there are without those bounds
    std::vector<Int> hidden;       // inequalities that always hold with equality, without those that the others imply
    bool thin = false;             // some of those hold only to FLAT: the set has a thickness, and rounding decides where it lies
    std::vector<unsigned char> felt;  // kept rows, then C, then hidden ones: whether a row feels w
    bool any_inputs = false;       // the w-parts of the rows that feel w are independent: some w completes any inputs

    void start(Int columns);          // no inequalities yet
    Vec add(Int why, double level);   // one more, with coefficients to be written
    Int equalities() const { return e.size + Int(hidden.size()); }

    std::vector<double> memory, scratch;
    Workspace workspace;
};

// Write down the domain of a mode from its split table and make it minimal.
void make_domain(const Root& root, ConstMat T, const Split& split, const AffineResponse& response, View<const Int> path,
                 Domain& domain);

}  // namespace mc
