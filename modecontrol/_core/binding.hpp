// numpy arrays in and out: views on what Python passes, arrays that own what they return.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <sstream>
#include <utility>
#include <vector>

#include "view.hpp"

namespace nb = nanobind;

namespace mc::py {

template <class T, int N>
using Given = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
template <class T>
using Made = nb::ndarray<nb::numpy, T>;

template <class T> View<const T> view(const Given<T, 1>& a) { return {a.data(), Int(a.shape(0))}; }
template <class T> Table<const T> table(const Given<T, 2>& a) { return {a.data(), Int(a.shape(0)), Int(a.shape(1))}; }

// A new array; `data()` stays valid as long as Python keeps it.
template <class T> Made<T> make(std::initializer_list<size_t> shape) {
    size_t size = 1;
    for (size_t n : shape) size *= n;
    T* data = new T[size > 0 ? size : 1];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Made<T>(data, shape.size(), shape.begin(), owner);
}
template <class T> Made<T> copy(View<T> a) {
    Made<T> made = make<T>({size_t(a.size)});
    for (Int i = 0; i < a.size; ++i) made.data()[i] = a.data[i];
    return made;
}
template <class T> View<T> flat(Made<T>& a) { return {a.data(), Int(a.size())}; }
template <class T> Table<T> grid(Made<T>& a) { return {a.data(), Int(a.shape(0)), Int(a.shape(1))}; }

// A namedtuple type of the module: answers that Python reads by name or unpacks.
inline nb::object record(nb::module_& m, const char* name, const char* fields) {
    using namespace nb::literals;
    nb::object kind = nb::module_::import_("collections").attr("namedtuple")(name, fields, "module"_a = m.attr("__name__"));
    m.attr(name) = kind;
    return kind;
}

// The answer of `work` as a record of this kind.
template <class... Args> auto as(nb::object kind, nb::tuple (*work)(Args...)) {
    return [kind, work](Args... args) { return nb::object(kind(*work(std::move(args)...))); };
}

// Codes that C++ and Python share, by name.
inline void codes(nb::module_& m, std::initializer_list<std::pair<const char*, int>> all) {
    for (const auto& [name, code] : all) m.attr(name) = code;
}

// Members of a struct, by name, that Python may read and write.
template <class T> void fields(nb::class_<T>&) {}
template <class T, class F, class... More> void fields(nb::class_<T>& kind, const char* name, F T::*field, const More&... more) {
    kind.def_rw(name, field);
    fields(kind, more...);
}

// A ValueError with a sentence that says what was found.
template <class... Parts> void require(bool good, const Parts&... parts) {
    if (good) return;
    std::ostringstream sentence;
    (sentence << ... << parts);
    throw nb::value_error(sentence.str().c_str());
}

// {x : A x <= b, C x = e} with sizes that agree; the only place where the core meets shapes it has not made.
inline Rows rows(const Given<double, 2>& A, const Given<double, 1>& b, const Given<double, 2>& C, const Given<double, 1>& e) {
    require(A.shape(0) == b.shape(0), "A has ", A.shape(0), " rows and b has ", b.shape(0), " entries; expected equally many");
    require(C.shape(0) == e.shape(0), "C has ", C.shape(0), " rows and e has ", e.shape(0), " entries; expected equally many");
    require(A.shape(1) == C.shape(1), "A has ", A.shape(1), " columns and C has ", C.shape(1), "; expected equally many");
    return {table(A), view(b), table(C), view(e)};
}

}  // namespace mc::py
