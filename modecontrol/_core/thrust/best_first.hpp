// The best inputs that surely work (section 4.2.2 of Greenfield 2005): the one best-first search.
//
//     maximise   l (qdd, f, tau)    over the modes c and    tau in T_c*    with the task
//
// A piece is a mode with cuts on the inputs. Its bound is one linear program over `(tau, w)` with the task for some `w`. The
// best piece is looked at. Where its optimum misses the task for another `w`, or another mode counts against it there, the piece is cut
// along the offending set and the parts go back; where its goal depends on `w`, the part with the present least value goes back with
// that value, the rest as it was. Otherwise the optimum is the answer.
//
// Pieces come from a list of modes, or from a `ModeSource` that finds modes as the search needs them.
#pragma once

#include "thrust/known_modes.hpp"
#include "thrust/pieces.hpp"

namespace mc {

// What is asked: the greatest `goal (qdd, f, tau) + constant` with a task, `margin` away from other modes.
struct Demand {
    ConstVec goal;
    double constant = 0.0;
    Wishes task;
    double margin = 0.0;
    Int patience = 0;         // linear programs before the search gives up
    bool guaranteed = true;   // or any mode and any `w` may be hoped for
};

// A mode by its place among the known ones, a point `(tau, w)` and the value there; -1 and -inf when there is none.
struct Candidate {
    Int mode = -1;
    std::vector<double> x;
    double value = -INF;
};

// How the search ended: the answer when SURE, and the best candidate when ambiguity is ignored.
struct Found {
    Choice status = UNSETTLED;
    Candidate best, hoped;
    Int pieces = 0, programs = 0;
};

// Finds modes while a search goes on.
class ModeSource {
public:
    virtual ~ModeSource() = default;
    // What modes that are not among the known ones yet could at most reach; -inf when there are none.
    virtual double promise() const = 0;
    // Look closer at what promises most. A mode that can reach its promise becomes a known one: its place, else -1; -2 when
    // a question stayed open.
    virtual Int look(KnownModes& modes) = 0;
    // Make every mode that explains these inputs a known one, and with `closed` those on whose border they lie; false when the patience
    // of the source does not last.
    virtual bool meet(ConstVec tau, bool closed, KnownModes& modes) = 0;
    virtual Int programs() const = 0;
};

// The search over all known modes, and over those that `source` (may be null) finds.
Found best_first(KnownModes& modes, const Demand& asked, ModeSource* source);

}  // namespace mc
