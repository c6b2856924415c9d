// Numbers of twice the precision: the unevaluated sum of two doubles, about 31 digits (Dekker 1971).
//
// Only what Lemke's method and modes that are nearly singular need. No fused multiply-add is used, so that results are the same on every machine.
#pragma once

#include <cmath>

namespace mc {

struct DoubleDouble {
    double hi = 0.0, lo = 0.0;

    DoubleDouble() = default;
    DoubleDouble(double value) : hi(value) {}
    DoubleDouble(double hi, double lo) : hi(hi), lo(lo) {}
    explicit operator double() const { return hi + lo; }
};

// `a + b` exactly, when |a| >= |b| or a is zero.
inline DoubleDouble quick_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
}

// `a + b` exactly.
inline DoubleDouble exact_sum(double a, double b) {
    const double s = a + b, back = s - a;
    return {s, (a - (s - back)) + (b - back)};
}

// `a * b` exactly; both well below the largest double.
inline DoubleDouble exact_product(double a, double b) {
    constexpr double SPLIT = 134217729.0;  // 2^27 + 1
    const double p = a * b, ca = SPLIT * a, cb = SPLIT * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = exact_sum(a.hi, b.hi), t = exact_sum(a.lo, b.lo);
    const DoubleDouble u = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(u.hi, u.lo + t.lo);
}
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble p = exact_product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double first = a.hi / b.hi;
    const DoubleDouble rest = a - b * DoubleDouble(first);
    const double second = rest.hi / b.hi;
    const DoubleDouble last = rest - b * DoubleDouble(second);
    return quick_sum(first, second) + DoubleDouble(last.hi / b.hi);
}
inline DoubleDouble root(DoubleDouble a) {
    const double first = std::sqrt(a.hi);
    if (first == 0.0) return {};
    return DoubleDouble(first) + (a - exact_product(first, first)) / DoubleDouble(2.0 * first);
}
inline bool operator<(DoubleDouble a, DoubleDouble b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }
inline bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
inline bool operator<=(DoubleDouble a, DoubleDouble b) { return !(b < a); }

}  // namespace mc
