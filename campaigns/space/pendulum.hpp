// A pendulum of balls in space: 6-vectors (angular, linear) about the hinges, world axes, nothing of the plane made use of.
//
// Link `i` turns about an axis through its hinge; the next hinge is at the other end of its arm, the ball in the middle of it.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace space {

using Three = std::array<double, 3>;
using Six = std::array<double, 6>;
using Matrix = std::array<Six, 6>;

inline Three operator+(const Three& a, const Three& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Three operator-(const Three& a, const Three& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Three operator*(double s, const Three& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Three cross(const Three& a, const Three& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Six& a, const Six& b) {
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}
inline Six times(const Matrix& A, const Six& x) {
    Six y;
    for (int i = 0; i < 6; ++i) y[i] = dot(A[i], x);
    return y;
}
inline Six joined(const Three& a, const Three& b) { return {a[0], a[1], a[2], b[0], b[1], b[2]}; }
inline Three upper(const Six& a) { return {a[0], a[1], a[2]}; }
inline Three lower(const Six& a) { return {a[3], a[4], a[5]}; }

// A velocity at a point `d` away, and a force brought from there.
inline Six moved(const Six& v, const Three& d) { return joined(upper(v), lower(v) + cross(upper(v), d)); }
inline Six brought(const Six& f, const Three& d) { return joined(upper(f) + cross(d, lower(f)), lower(f)); }

// `B A B^T`, `B` bringing forces from `d`.
inline Matrix brought(const Matrix& A, const Three& d) {
    Matrix half, whole;
    for (int j = 0; j < 6; ++j) {
        Six column;
        for (int i = 0; i < 6; ++i) column[i] = A[i][j];
        const Six b = brought(column, d);
        for (int i = 0; i < 6; ++i) half[i][j] = b[i];
    }
    for (int i = 0; i < 6; ++i) whole[i] = brought(half[i], d);
    return whole;
}

constexpr double STEP = 1e-3, MU = 0.5;
constexpr int CONTACTS = 4, DIRECTIONS = 4, CONTACT_ROWS = 3 * CONTACTS, LCP_ROWS = (DIRECTIONS + 2) * CONTACTS;
const Three GRAVITY{0.0, -9.8, 0.0}, AXIS{0.0, 0.0, 1.0};

struct Pendulum {
    explicit Pendulum(int links)
        : n(links), radius(6.0 / links), q(links), v(links), hinge(links), com(links), motion(links), bias(links) {
        q[0] = 0.3;
    }

    int n;
    double radius;
    std::vector<double> q, v;
    std::vector<Three> hinge, com;      // places of hinges; balls from their hinges
    std::vector<Six> motion, bias;      // velocity at the hinge, acceleration there at zero `qdd`
    std::array<int, CONTACTS> touching; // the lowest balls, in the order of the chain
    std::array<double, CONTACTS> gap;

    double inertia() const { return 0.4 * radius * radius; }
    Three arm(int i) const { return 2.0 * com[i]; }

    void place() {
        double turned = std::acos(-1.0);
        Three at{0.0, 10.0, 0.0};
        Six velocity{}, acceleration{};
        for (int i = 0; i < n; ++i) {
            turned += q[i];
            if (i > 0) {
                const Three d = arm(i - 1), w = upper(velocity);
                at = at + d;
                acceleration = moved(acceleration, d);
                const Three centripetal = lower(acceleration) + cross(w, cross(w, d));
                acceleration = joined(upper(acceleration), centripetal);
                velocity = moved(velocity, d);
            }
            const Three spin = v[i] * AXIS, gyro = cross(upper(velocity), spin);
            for (int k = 0; k < 3; ++k) {
                acceleration[k] += gyro[k];
                velocity[k] += spin[k];
            }
            hinge[i] = at;
            com[i] = {radius * std::cos(turned), radius * std::sin(turned), 0.0};
            motion[i] = velocity;
            bias[i] = acceleration;
        }
        find_contacts();
    }

    // The four lowest balls (a pendulum of three has two contacts at the last).
    void find_contacts() {
        std::vector<int> order(n);
        for (int i = 0; i < n; ++i) order[i] = i;
        const auto height = [&](int i) { return hinge[i][1] + com[i][1]; };
        for (int k = 0; k < CONTACTS; ++k) {
            int best = k < n ? k : n - 1;
            for (int i = k; i < n; ++i)
                if (height(order[i]) < height(order[best])) best = i;
            if (k < n) std::swap(order[k], order[best]);
            touching[k] = order[k < n ? k : n - 1];
        }
        for (int k = 1; k < CONTACTS; ++k)
            for (int j = k; j > 0 && touching[j - 1] > touching[j]; --j) std::swap(touching[j - 1], touching[j]);
        for (int k = 0; k < CONTACTS; ++k) gap[k] = height(touching[k]) - radius;
    }

    // Row `k` (normal, x, z of each contact) as a unit force on its ball, about the hinge or about the centre.
    Six row(int k, bool centre) const {
        const int body = touching[k / 3];
        const Three direction = k % 3 == 0 ? Three{0, 1, 0} : k % 3 == 1 ? Three{1, 0, 0} : Three{0, 0, 1};
        const Three below{0.0, -radius, 0.0}, at = centre ? below : com[body] + below;
        return joined(cross(at, direction), direction);
    }
};

}  // namespace space
