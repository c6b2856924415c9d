// Sparse `A = L U` without exchanges, each row kept from its first entry to the last that it can fill (Jennings 1966).
//
// Orderings that keep neighbours together keep the envelope thin; what is inside it fills up and nothing else does. Row `i` is what
// it was less multiples of the rows above it, four of them at a time, entry by entry: one long loop without a chain of sums.
#pragma once

#include <vector>

#include "owned.hpp"

namespace mc {

class Envelope {
public:
    // Room for a matrix whose row `i` and column `i` begin at `first[i] <= i`; all entries zero.
    void shape(View<const Int> first);

    Int size() const { return Int(first_.size()); }
    void set(Int i, Int j, double value) { at(i, j) = value; }
    void add(Int i, Int j, double value) { at(i, j) += value; }

    // Factor in place; false when a pivot is smaller than `least` times the diagonal entry that it was.
    bool factor(double least);

    // Solve with the factors, in place.
    void solve(View<double> x) const;

    // Products that the last shape asks for, about.
    double work() const { return work_; }

private:
    double& at(Int i, Int j) { return values_[start_[i] + j - first_[i]]; }

    std::vector<Int> first_, last_, start_;
    std::vector<double> values_, inverse_;      // inverse_: of the pivots
    double work_ = 0.0;
};

}  // namespace mc
