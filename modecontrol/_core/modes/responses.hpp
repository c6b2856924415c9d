// All modes at once: affine responses, minimal domains `D_c` and torque sets `T_c` (section 3.5 of Greenfield 2005).
#pragma once

#include "modes/domains.hpp"
#include "modes/packing.hpp"
#include "modes/precise_table.hpp"
#include "modes/search.hpp"
#include "patience.hpp"

namespace mc {

// What the search found, and the response of each mode.
//
// A doubtful mode is one whose existence the search could not decide; the status of a shape is not OPTIMAL where the
// domain or its projection could not be vouched for. In both cases the caller asks another method.
struct Responses {
    std::vector<Letter> letters;          // (modes, contacts)
    std::vector<unsigned char> doubtful;
    Int programs = 0, undecided = 0;      // of the search
    Packed packed;
};

// The projections share an allowance, of which each may take a part of what is left: a hard one leaves room for the others,
// and what does not fit is projected when it is asked for.
constexpr Int SHARES = 32;
inline Int allowance_of_projections() { return 2 * Int(tolerances::PROJECTION_WORK); }

Responses respond(const Root& root, Patience work = Patience(allowance_of_projections()));

// The responses of one root, mode after mode; buffers are used again.
class Responder {
public:
    explicit Responder(const Root& root);  // keeps a reference

    // Append the response of a mode; its table, as the search made it, is spoiled. `least` is the part of its natural size that an
    // equality of it has, at least. The projection is bounded by `patience`.
    void add(Mat table, Int freedom, View<const Int> path, double least, Packed& out, Patience* patience = nullptr);

private:
    void write_plain_torques(const RowWriter& writer, ModeShape& shape, Packed& out);
    void write_projected_torques(const RowWriter& writer, ModeShape& shape, Packed& out, Patience* patience);
    void write_ancestry(Table<const bool> ancestors, Int inequalities, Int far, Packed& out);

    const Root& root;
    Array<double> tau_units;
    Split split;
    PreciseTable precise;
    AffineResponse response;
    Domain domain;
    std::vector<Int> kept, hidden;
};

// The same for many instants on several threads; the results do not depend on their number.
struct RootResponses {
    Root root;
    Responses responses;
};
void respond_many(View<const Instant> instants, Int threads, View<RootResponses> out);

// Modes alone: letters, doubtful ones, programs.
Responses list_modes(const Root& root);

}  // namespace mc
