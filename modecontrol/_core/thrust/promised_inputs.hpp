// The inputs with a great value of the goal that is promised for every friction in a box, whatever mode and `w` turn out to be.
//
//     mu_i = base_i + sum_j slope_ij p_j,      low <= p <= high
//
// The box is covered by cells in which each contact has an interval of its own; a cell is halved where that may raise the promise.
// A contact whose sign of velocity is unknown slides left, rests or slides right: a cell for each. Disturbances (`Spread`) are unknowns
// of the instant; every promise holds for all of them.
//
// Begins at the best inputs for one exact friction; looks at what is promised there (`FrictionCell`); then goes on by cutting planes: every
// cell says which affine functions of the inputs bound its goal and its task, and a small linear program proposes the next inputs.
// The best inputs that were looked at are the answer. The promise is always one that was looked at; that no better one exists is known
// only when it reaches what the best inputs of one exact friction give.
#pragma once

#include "thrust/best_inputs.hpp"
#include "thrust/friction_cell.hpp"

namespace mc {

// What is known of friction.
struct FrictionParameters {
    ConstVec low, high, base;
    ConstMat slope;   // (contacts, parameters)
};

// What is asked: an instant with laws over the box and its contacts' states; with disturbances, they are among its coordinates, and
// `nominal` is the same instant without them.
struct Asked {
    Instant at;
    View<const ContactState> states;
    FrictionParameters friction;
    const Spread* spread = nullptr;
    const Instant* nominal = nullptr;
};

class PromisedInputs {
public:
    struct Effort {
        Int patience;   // linear programs
        Int cells;      // of the cover, at most
        Int start;      // of the patience: what finding the best inputs for the friction in the middle may take
    };

    // SURE: the promise is the best; STOPPED: there is one (or none, if not found) and a better one may exist.
    Choice solve(Asked asked, ConstMat limits, const Effort& effort);

    // What is promised at given inputs (true units); -INF when nothing is.
    double promise(const Asked& asked, ConstVec tau, const Effort& effort);

    const BestInputs::Point& best() const { return best_; }     // the promise: letters and `u` at the friction it began with
    const BestInputs::Point& hoped() const { return hoped_; }   // the best inputs for the friction in the middle
    bool met_steep() const { return at_.met_steep(); }          // the last look met equations that are all but singular
    Int programs() const { return programs_; }
    Int cells() const { return Int(cover_.size()); }

private:
    struct Cell {
        std::vector<double> low, high;   // parameters
        std::vector<ContactState> states;
        Outcome outcome;
        std::vector<Cut> cuts;           // of all inputs looked at
        bool exhausted = false;          // halves of it would hardly promise more
    };

    void begin(const Asked& asked, Patience* work, Int until);
    bool start(const Instant& at, const FrictionParameters& friction, Int patience);
    void look(Cell& cell, const FrictionParameters& friction);
    double evaluate(ConstVec tau, double target, const FrictionParameters& friction, Int cells);
    bool split(Int which, const FrictionParameters& friction);
    bool propose(Int anchor, double& bound);
    void improve(const FrictionParameters& friction, const Effort& effort, double highest);
    Int count_cuts() const;

    BoxedRows rows_, nominal_rows_;
    BestInputs exact_;
    FrictionCell at_;
    BestInputs::Point best_, hoped_;
    std::vector<Cell> cover_;
    std::vector<Law> laws_;
    std::vector<ContactState> first_;              // states begun with
    std::vector<double> lo_, hi_, tau_, found_;    // coefficients of a cell; inputs (natural units): proposed, best
    std::vector<double> anchor_, anchor_limit_;    // rows of the mode begun with
    std::unique_ptr<Workspace> ws_;
    Int room_ = 0, width_ = 0, programs_ = 0, until_ = 0;
    double promised_ = -INF;
    Patience* work_ = nullptr;
};

}  // namespace mc
