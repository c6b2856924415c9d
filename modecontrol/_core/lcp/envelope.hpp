// Sparse `A = L U` without exchanges, each row and column kept from its first entry to the diagonal (Jennings 1966).
//
// Orderings that keep neighbours together keep the envelope thin; what is inside it fills up and nothing else does.
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
    double work() const;

private:
    double& at(Int i, Int j) { return j < i ? lower_[start_[i] + j - first_[i]] : j > i ? upper_[start_[j] + i - first_[j]] : diagonal_[i]; }

    std::vector<Int> first_, start_;
    std::vector<double> lower_, upper_, diagonal_;
};

}  // namespace mc
