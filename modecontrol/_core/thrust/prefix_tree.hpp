// From an instant to the best inputs without listing the modes: branch and bound along the prefix tree, best first.
//
// Every prefix of a mode is bounded by one linear program: the goal over the relaxed prefix with the task. The prefix that promises
// most is given its next letter, deeper ones first among equals, so that the first full mode is nearly always the answer and most of
// the tree is never seen. A full mode whose optimum no other mode or task refuses is the answer at once: goal and task hold whatever `w` is,
// and a search with the inputs held fixed finds no other mode, nor, where the mode's own forces are unique, one on whose border they
// lie. Otherwise it becomes one of the known modes of `best_first`, whose
// search goes on with pieces of it and with the other prefixes.
//
// Asked again for an instant of the same sizes it allocates nothing before a mode has to be made known.
#pragma once

#include <map>

#include "modes/responses.hpp"
#include "thrust/best_first.hpp"
#include "thrust/prefix_heap.hpp"
#include "thrust/prefix_programs.hpp"
#include "thrust/rivals.hpp"

namespace mc {

class PrefixTree : public ModeSource {
public:
    PrefixTree() = default;
    PrefixTree(const PrefixTree&) = delete;
    PrefixTree& operator=(const PrefixTree&) = delete;

    // Begin with an instant: the last row of `at.extra` is the goal, those between the physical ones and it are the task. All
    // work ends when it is worth `patience` programs.
    void begin(const Instant& at, Int patience);

    // Go down to the best full mode; false when there is none, when a question stayed open, or when the patience is spent. When three
    // quarters are, it dives for any full mode: `is_best()` tells whether the one stood at promises most.
    bool descend();
    // Whether the mode stood at is surely the answer; false also when the patience ends before that is known.
    bool is_answer();
    // Letters and unknowns (qdd, f, lam, tau) in true units of the mode stood at.
    Letter letter(Int contact) const { return root_.laws[contact].cells[path_[contact]].letter; }
    void unknowns(Vec out) const;

    double promise() const override;
    Int look(KnownModes& modes) override;
    bool meet(ConstVec tau, bool closed, KnownModes& modes) override;
    Int programs() const override { return work_.spent() / Int(tolerances::PROGRAM_WORK); }

    const Root& root() const { return root_; }
    bool is_endless() const { return leaf_status_ == UNBOUNDED; }    // the goal of the mode stood at
    bool is_best() const { return !stopped_ && !heap_.dives(); }
    bool is_open() const { return open_; }
    bool is_empty() const { return heap_.empty(); }
    // Whether equations that are all but singular were met with inputs held: rivals may have been taken for impossible.
    bool met_steep() const { return met_steep_; }
    View<const Int> path(Int known) const;    // cells of a known mode

private:
    void resize();
    void step();
    bool keeps_promise(Prefix& top);
    void expand(const Prefix& from);
    bool is_possible(const Prefix& prefix);
    bool stand_at(ConstMat T, Int freedom, View<const Int> path, double least);
    void stand_at_rest();
    Int impose(View<const Int> path);
    Int fold_inputs();
    bool is_nearly_singular() const;
    bool hold_inputs(bool closed, Int programs);
    bool is_mode(View<const Int> path);
    Int know(View<const Int> path, KnownModes& modes);
    void count_program() { work_.spend(Int(tolerances::PROGRAM_SET_UP)); }

    Root root_;                                 // the instant
    Rivals rivals_;
    std::unique_ptr<NodeProgram> node_;         // strict domains of full modes
    PrefixPrograms programs_;
    std::unique_ptr<Responder> responder_;
    Int capacity_ = -1;                         // rows that the programs have room for

    PrefixHeap heap_;
    Int patience_ = 0;
    Patience work_;                             // done so far; counts, never stops

    bool stands_ = false, open_ = false, met_steep_ = false;
    bool stopped_ = false;                      // the patience ended before a full mode was met
    Status leaf_status_ = UNDECIDED;
    Int freedom_ = 0;                           // of the full mode stood at
    double value_ = -INF;
    Grid<double> leaf_, flat_, spare_;          // its table; that with the inputs folded in; another
    Array<Int> path_;
    Array<double> scratch_, point_;
    double leaf_least_ = INF;                   // part of its natural size that an equality of a sliding mode has, at least
    double least_ = INF;                        // the same of any mode in `spare_`
    Split split_;
    std::map<std::vector<Int>, Int> known_;     // places of known modes by their cells
    std::vector<std::vector<Int>> paths_known_;
};

}  // namespace mc
