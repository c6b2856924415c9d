// Several numbers at a time, as many as the machine at hand can take.
//
// The operators round like those of single numbers, so a loop over lanes gives the bits of the plain loop as long as each
// entry sees the same operations in the same order. A hot loop is written once, as a template on the type of its lanes:
//
//     template <class L> MC_INLINE double largest_with(const double* a, Int n) { ... load_lanes<L>(a + i) ... }
//     MC_ON_EVERY_MACHINE(double, largest, (const double* a, Int n), (a, n))
//
// This defines `largest`, compiled for the plain instruction set and, where the linker can choose at run time, for AVX2.
#pragma once

#include <cstring>

#include "view.hpp"

namespace mc {

constexpr Int MOST_LANES = 4;
constexpr Int whole_lanes(Int n) { return (n + MOST_LANES - 1) / MOST_LANES * MOST_LANES; }

#if defined(__GNUC__) && !defined(MC_CHECK)

#pragma GCC diagnostic ignored "-Wpsabi"  // everything is inlined: no call passes lanes
#define MC_INLINE inline __attribute__((always_inline))
typedef double TwoLanes __attribute__((vector_size(16)));
typedef double FourLanes __attribute__((vector_size(32)));

template <class L> MC_INLINE L every(double a) { return a - L{}; }
template <class L> MC_INLINE L larger_lanes(L a, L b) { return b > a ? b : a; }
template <class L> MC_INLINE L smaller_lanes(L a, L b) { return b < a ? b : a; }
// `yes` where `a < b`, else `no`.
template <class L> MC_INLINE L where_less(L a, L b, L yes, L no) { return a < b ? yes : no; }

#else

#define MC_INLINE inline
template <Int W> struct PlainLanes {
    double v[W];
    double& operator[](Int l) { return v[l]; }
    double operator[](Int l) const { return v[l]; }
    template <class F> static PlainLanes each(F f) { PlainLanes r; for (Int l = 0; l < W; ++l) r.v[l] = f(l); return r; }
    friend PlainLanes operator+(PlainLanes a, PlainLanes b) { return each([=](Int l) { return a.v[l] + b.v[l]; }); }
    friend PlainLanes operator-(PlainLanes a, PlainLanes b) { return each([=](Int l) { return a.v[l] - b.v[l]; }); }
    friend PlainLanes operator*(PlainLanes a, PlainLanes b) { return each([=](Int l) { return a.v[l] * b.v[l]; }); }
    friend PlainLanes operator/(PlainLanes a, PlainLanes b) { return each([=](Int l) { return a.v[l] / b.v[l]; }); }
};
using TwoLanes = PlainLanes<2>;
using FourLanes = PlainLanes<4>;
template <class L> L every(double a) { return L::each([=](Int) { return a; }); }
template <class L> L larger_lanes(L a, L b) { return L::each([=](Int l) { return larger(a.v[l], b.v[l]); }); }
template <class L> L smaller_lanes(L a, L b) { return L::each([=](Int l) { return smaller(a.v[l], b.v[l]); }); }
template <class L> L where_less(L a, L b, L yes, L no) { return L::each([=](Int l) { return a.v[l] < b.v[l] ? yes.v[l] : no.v[l]; }); }

#endif

template <class L> constexpr Int lanes_in = Int(sizeof(L) / sizeof(double));
template <class L> MC_INLINE L load_lanes(const double* from) { L a; std::memcpy(&a, from, sizeof a); return a; }
template <class L> MC_INLINE void store_lanes(double* to, L a) { std::memcpy(to, &a, sizeof a); }
template <class L> MC_INLINE L counting(double from) { L a = every<L>(from); for (Int l = 0; l < lanes_in<L>; ++l) a[l] += double(l); return a; }

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(MC_CHECK)
#define MC_ON_EVERY_MACHINE(result, name, parameters, arguments)                                                  \
    __attribute__((target("default"))) result name parameters { return name##_with<TwoLanes> arguments; }          \
    __attribute__((target("avx2"))) result name parameters { return name##_with<FourLanes> arguments; }
#else
#define MC_ON_EVERY_MACHINE(result, name, parameters, arguments) \
    result name parameters { return name##_with<FourLanes> arguments; }
#endif

}  // namespace mc
