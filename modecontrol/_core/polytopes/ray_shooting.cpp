#include "polytopes/ray_shooting.hpp"

#include "lanes.hpp"
#include "polytopes/free_variables.hpp"

namespace mc {

namespace {

constexpr int SHOTS = 12;       // for one row
constexpr int MOVES = 2;        // towards the middle of the set
constexpr double TURN = 1.6;    // 1 turns the ray until both rows are met at once, 2 reflects it

struct Hit {
    Int row;
    double top, second;
};

// The row that a ray in direction `v` meets first, one over its distance, and that of the second.
//
// `B[j]`, j from 1, holds coefficient j of the polar points, filled up with zeros to whole lanes: points that no ray
// meets. Products go to `B[0]`.
template <class L> MC_INLINE Hit first(Mat B, Vec v, Int n) {
    double* const ahead = B.data;
    L most = every<L>(-INF), next = every<L>(-INF);
    for (Int k = 0; k < B.cols; k += lanes_in<L>) {
        L a = load_lanes<L>(B.data + B.cols + k) * every<L>(v[1]);
        for (Int j = 2; j <= n; ++j) a = a + every<L>(v[j]) * load_lanes<L>(B.data + j * B.cols + k);
        store_lanes<L>(ahead + k, a);
        next = larger_lanes<L>(next, smaller_lanes<L>(a, most));
        most = larger_lanes<L>(most, a);
    }
    double top = -INF, second = -INF;
    for (Int l = 0; l < lanes_in<L>; ++l) {
        second = larger(larger(second, smaller(most[l], top)), next[l]);
        top = larger(top, most[l]);
    }
    Int row = 0;
    while (row < B.cols - 1 && ahead[row] != top) ++row;
    return {row, top, second};
}
// What a shot has to know of the rows: the slack at the inner point, at least INNER_ROOM units; the polar points.
struct Sight {
    Mat B;
    Vec room;
    Int n, count;
};

// The mean of the polar points into `mean`; returns the largest coefficient.
double middle(const Sight& sight, Vec mean) {
    double largest = 0.0;
    for (Int j = 1; j <= sight.n; ++j) mean[j] = 0.0;
    for (Int k = 0; k < sight.count; ++k) {
        for (Int j = 1; j <= sight.n; ++j) {
            mean[j] += sight.B(j, k);
            largest = larger(largest, std::abs(sight.B(j, k)));
        }
    }
    for (Int j = 1; j <= sight.n; ++j) mean[j] /= double(sight.count);
    return largest;
}

// Mark as FACET what a few shots for each row of state UNKNOWN prove to be one.
template <class L> MC_INLINE void shoot_with(Workspace& ws, const Sight& sight) {
    const Mat B = sight.B;
    const Ints state = ws.state;
    const Vec v = ws.point, mean = ws.way;
    const Int n = sight.n, count = sight.count;
    const double rounding = tolerances::PRODUCT * middle(sight, mean);
    for (Int i = 0; i < count; ++i) {
        if (state[i] != UNKNOWN) continue;
        if (ws.patience && !ws.patience->spend(2 * n * count)) return;
        double size = 0.0;
        for (Int j = 1; j <= n; ++j) {
            v[j] = B(j, i) - mean[j];
            size += std::abs(v[j]);
        }
        for (int shot = 0; shot < SHOTS; ++shot) {
            auto [k, top, second] = first<L>(B, v, n);
            second = larger(second, 0.0) + rounding * size;
            if (!(top > second)) break;
            if (state[k] == UNKNOWN && (top - second) * sight.room[k] > tolerances::CLEARLY * ws.weight[k] * top) state[k] = FACET;
            if (k == i) break;
            double length = 0.0;
            for (Int j = 1; j <= n; ++j) length += (B(j, k) - B(j, i)) * (B(j, k) - B(j, i));
            const double turn = TURN * (top - B(0, i)) / length;
            size = 0.0;
            for (Int j = 1; j <= n; ++j) {
                v[j] -= turn * (B(j, k) - B(j, i));
                size += std::abs(v[j]);
            }
        }
    }
}
MC_ON_EVERY_MACHINE(void, shoot, (Workspace& ws, const Sight& sight), (ws, sight))

// The table of polar points of this set, its rows filled up with zeros to whole lanes.
Mat polar_table(const Workspace& ws) {
    const Mat B{ws.polar.data, ws.d + 1, whole_lanes(ws.m)};
    for (Int j = 1; j <= ws.d; ++j)
        for (Int i = ws.m; i < B.cols; ++i) B(j, i) = 0.0;
    return B;
}

struct Chord {
    double ahead, back;
};

// How far one can go ahead and back with these speeds; as far as the other way where nothing stops.
Chord chord(Vec room, Vec speed, Int m) {
    double ahead = 0.0, back = 0.0;
    for (Int i = 0; i < m; ++i) {
        const double rate = speed[i] / room[i];
        ahead = rate > ahead ? rate : ahead;
        back = -rate > back ? -rate : back;
    }
    if (ahead == 0.0 && back == 0.0) return {0.0, 0.0};
    return {1.0 / (ahead > 0.0 ? ahead : back), 1.0 / (back > 0.0 ? back : ahead)};
}

// The mean of the vertex of `D` and its neighbours (edges without end are followed for one unit), into `ws.point`.
void inside_of_vertex(Workspace& ws, const Dictionary& D) {
    const Vec slack = ws.slack;
    for (Int i = 0; i < ws.m; ++i) slack[i] = 0.0;
    for (Int i = 0; i < D.rows; ++i) slack[D.row[i]] = D(0, i);
    for (Int j = 1; j <= D.columns; ++j) {
        double step = least_ratio({&D(0, 0), &D(j, 0), 1.0, tolerances::SAFE_PIVOT}, D.rows);
        step = (step < tolerances::ENDLESS ? step : ws.weight[D.col[j]]) / (double(D.columns) + 1.0);
        slack[D.col[j]] = step;
        for (Int i = 0; i < D.rows; ++i) slack[D.row[i]] -= step * D(j, i);
    }
    from_slacks(ws, ws.point, 1.0);
}

// Slacks of all rows at `ws.point` into `room`; whether all leave room for rounding.
bool is_inside(const Workspace& ws, Vec room) {
    const Mat G = ws.G;
    for (Int i = 0; i < ws.m; ++i) room[i] = G(0, i);
    for (Int j = 0; j < ws.d; ++j)
        for (Int i = 0; i < ws.m; ++i) room[i] -= G(j + 1, i) * ws.point[j];
    bool inside = true;
    for (Int i = 0; i < ws.m; ++i) inside = inside & (room[i] > tolerances::INNER_ROOM * ws.weight[i]);
    return inside;
}

}  // namespace

bool shoot_from_origin(Workspace& ws) {
    const Mat G = ws.G;
    const Int m = ws.m, d = ws.d;
    bool inside = ws.p == 0 && d > 0 && m > 0;
    for (Int i = 0; i < m; ++i) inside = inside & (G(0, i) > tolerances::INNER_ROOM * ws.weight[i]);
    if (!inside) return false;
    const Mat B = polar_table(ws);
    for (Int i = 0; i < m; ++i) ws.slack[i] = 1.0 / G(0, i);
    for (Int j = 1; j <= d; ++j)
        for (Int i = 0; i < m; ++i) B(j, i) = G(j, i) * ws.slack[i];
    shoot(ws, {B, G.row(0), d, m});
    return true;
}

void shoot_from_vertex(Workspace& ws, const Dictionary& D) {
    const Mat G = ws.G, B = polar_table(ws);
    const Vec room = ws.slack, speed = B.row(0), v = ws.way;
    const Int m = ws.m, d = ws.d;
    inside_of_vertex(ws, D);
    for (int turn = 0; turn <= MOVES; ++turn) {
        if (!is_inside(ws, room)) return;
        for (Int j = 1; j <= d; ++j) {
            double total = 0.0;
            for (Int i = 0; i < m; ++i) {
                B(j, i) = G(j, i) / room[i];
                total -= B(j, i);
            }
            v[j] = total;
        }
        if (turn == MOVES) break;
        for (Int i = 0; i < m; ++i) speed[i] = 0.0;
        for (Int j = 1; j <= d; ++j)
            for (Int i = 0; i < m; ++i) speed[i] += G(j, i) * v[j];
        const auto [ahead, back] = chord(room, speed, m);
        for (Int j = 0; j < d; ++j) ws.point[j] += 0.5 * (ahead - back) * v[j + 1];
    }
    shoot(ws, {B, room, d, m});
}

}  // namespace mc
