// One instant as Python gives it: arrays that are kept alive, with their laws; for the bindings of this room and of `thrust`.
#pragma once

#include <vector>

#include "binding.hpp"
#include "modes/affine_set.hpp"

namespace mc::py {

// The arrays of an instant, checked once. Worker threads may read `view()` while Python holds the object.
class GivenInstant {
public:
    // `dynamics` is (M, b, S, J, d, G, e); `friction` is (lo, hi), one of each per contact, or (lo, hi, kind, hold, pull, way, least, most, host)
    // where some laws are not Coulomb's alone (`LawNumbers`); `states` are codes of ContactState;
    // `rows` is (P, p, equality, number of physical ones); `letters`, where given, is the one letter each contact may take.
    // `still` is the size of contact accelerations (m/s2) that are no load.
    GivenInstant(nb::tuple dynamics, nb::tuple friction, Given<std::int8_t, 1> states, nb::tuple rows, nb::object letters,
                 double still);

    Instant view() const;
    Int contacts() const { return Int(laws_.size()); }

private:
    Given<double, 2> M_, S_, J_, G_, P_;
    Given<double, 1> b_, d_, e_, p_;
    Given<bool, 1> equality_;
    Int physical_ = 0;
    double still_ = 0.0;
    std::vector<Law> laws_;
};

// The law numbers of contact `i` in such a tuple; the arrays are checked for their lengths.
std::vector<LawNumbers> law_numbers(nb::tuple friction, size_t contacts);

// An array that takes over the memory of a vector; To and From have the same size and meaning.
template <class To, class From> Made<To> hand_over(std::vector<From>&& values, std::initializer_list<size_t> shape) {
    static_assert(sizeof(To) == sizeof(From), "only the name of the type changes");
    auto* kept = new std::vector<From>(std::move(values));
    kept->reserve(1);  // an array needs an address
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<From>*>(p); });
    return Made<To>(reinterpret_cast<To*>(kept->data()), shape.size(), shape.begin(), owner);
}

}  // namespace mc::py
