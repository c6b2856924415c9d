// The null space of the matrix of velocities that stay unknowns (`kept_velocities.hpp`), by complete elimination.
//
// As the mass matrix is semidefinite it falls into motions that move no mass and are free to the closures, and combinations of
// closures that say nothing. Both are made orthonormal, each for itself.
#pragma once

#include <vector>

#include "owned.hpp"

namespace mc {

double dot(ConstVec a, ConstVec b);
double largest_of(ConstVec a);
inline ConstVec view(const std::vector<double>& a) { return {a.data(), Int(a.size())}; }

class NullSpace {
public:
    using Vectors = std::vector<std::vector<double>>;

    void clear() {
        motions.clear();
        repetitions.clear();
    }

    // Of a scaled matrix whose first `n` unknowns are velocities, the others bilateral rows. The matrix is lost.
    void find(Table<double> A, Int n);

    Vectors motions, repetitions;

private:
    Int eliminate(Table<double> A);
    static void keep(ConstVec vector, Vectors& kept);

    std::vector<Int> columns_;
};

}  // namespace mc
