// The prefixes that branch and bound has still to look at, with their tables: best first, or, in a dive, deepest first.
//
// A prefix comes with what its parent promises; it is asked for its own bound when its turn comes, so that the brothers of a
// prefix that keeps the promise are never asked. Memory of prefixes that are done with is used again.
#pragma once

#include <memory>
#include <vector>

#include "view.hpp"

namespace mc {

struct Prefix {
    double bound;
    Int depth, order, freedom, slot;
    bool asked;   // the bound is its own, not its parent's
    double least;   // part of its natural size that an equality of its letters has, at least
};

class PrefixHeap {
public:
    // Forget everything; room for tables of `rows` x `columns` and paths of `contacts` letters.
    void begin(Int rows, Int columns, Int contacts);

    // Memory for a prefix in the making, and back.
    Int new_slot();
    void release(Int slot) { unused_.push_back(slot); }
    Mat table(Int slot) const { return {tables_[slot].get(), rows_, columns_}; }
    View<Int> path(Int slot) const { return {paths_[slot].get(), contacts_}; }

    void push(Prefix made);     // the heap gives it its order
    Prefix pop();
    void push_again(const Prefix& asked);
    void dive();                // from now on the deepest prefix comes first

    bool empty() const { return heap_.empty(); }
    bool dives() const { return dives_; }
    double promise() const { return heap_[0].bound; }   // of the first one

private:
    Int rows_ = 0, columns_ = 0, contacts_ = 0, made_ = 0;
    std::size_t slot_size_ = 0, path_size_ = 0;
    bool dives_ = false;
    std::vector<Prefix> heap_;
    std::vector<std::unique_ptr<double[]>> tables_;
    std::vector<std::unique_ptr<Int[]>> paths_;
    std::vector<Int> unused_;
};

// A bound, rounded up so that those which differ by rounding are equal.
double promised(double bound);

}  // namespace mc
