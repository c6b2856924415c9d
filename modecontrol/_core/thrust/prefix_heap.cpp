#include "thrust/prefix_heap.hpp"

#include <algorithm>
#include <cmath>

#include "tolerances.hpp"

namespace mc {

namespace {

bool worse(const Prefix& a, const Prefix& b) {
    if (a.bound != b.bound) return a.bound < b.bound;
    return a.depth != b.depth ? a.depth < b.depth : a.order > b.order;
}

bool shallower(const Prefix& a, const Prefix& b) { return a.depth != b.depth ? a.depth < b.depth : worse(a, b); }

}  // namespace

double promised(double bound) {
    const double grid = tolerances::SAME_PROMISE * std::exp2(std::ceil(std::log2(std::max(1.0, std::abs(bound)))));
    return std::ceil(bound / grid) * grid;
}

void PrefixHeap::begin(Int rows, Int columns, Int contacts) {
    const auto size = std::size_t(rows * columns), letters = std::size_t(contacts + 1);
    if (size > slot_size_ || letters > path_size_) {
        slot_size_ = std::max(size, slot_size_), path_size_ = std::max(letters, path_size_);
        tables_.clear(), paths_.clear();
    }
    rows_ = rows, columns_ = columns, contacts_ = contacts, made_ = 0;
    dives_ = false;
    heap_.clear(), unused_.clear();
    for (Int i = Int(tables_.size()) - 1; i >= 0; --i) unused_.push_back(i);
}

Int PrefixHeap::new_slot() {
    if (unused_.empty()) {
        tables_.push_back(std::make_unique<double[]>(slot_size_));
        paths_.push_back(std::make_unique<Int[]>(path_size_));
        return Int(tables_.size()) - 1;
    }
    const Int slot = unused_.back();
    unused_.pop_back();
    return slot;
}

void PrefixHeap::push(Prefix made) {
    made.order = made_++;
    push_again(made);
}

void PrefixHeap::push_again(const Prefix& asked) {
    heap_.push_back(asked);
    std::push_heap(heap_.begin(), heap_.end(), dives_ ? shallower : worse);
}

Prefix PrefixHeap::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), dives_ ? shallower : worse);
    const Prefix first = heap_.back();
    heap_.pop_back();
    return first;
}

void PrefixHeap::dive() {
    if (dives_) return;
    dives_ = true;
    std::make_heap(heap_.begin(), heap_.end(), shallower);
}

}  // namespace mc
