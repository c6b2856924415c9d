// What the bindings of this room share: points that Python gets.
#pragma once

#include <algorithm>
#include <vector>

#include "binding.hpp"
#include "thrust/best_inputs.hpp"

namespace mc::py {

template <class T> Made<T> array(const std::vector<T>& values) {
    auto made = make<T>({values.size()});
    std::copy(values.begin(), values.end(), made.data());
    return made;
}

// (found, letters, tau, u, value)
inline nb::tuple point(const BestInputs::Point& at) {
    return nb::make_tuple(at.found, array(at.letters), array(at.tau), array(at.u), at.value);
}

}  // namespace mc::py
