#include "dynamics/shape_tables.hpp"

#include <cmath>

#include "tolerances.hpp"

namespace mc {

ConvexShape make_shape(std::vector<Point> corners, double radius) {
    ConvexShape made;
    made.corner = std::move(corners);
    made.radius = radius;
    const size_t n = made.corner.size();
    for (size_t i = 0; i < n; ++i) {
        const Point &a = made.corner[i], &b = made.corner[i + 1 < n ? i + 1 : 0];
        const double x = b.x - a.x, y = b.y - a.y, length = std::hypot(x, y);
        made.along.push_back(length > 0.0 ? Point{x / length, y / length} : Point{1.0, 0.0});
        made.length.push_back(length);
        made.middle.x += a.x / double(n);
        made.middle.y += a.y / double(n);
    }
    for (const Point& p : made.corner) {
        const double away = std::hypot(p.x - made.middle.x, p.y - made.middle.y);
        if (away > made.size) made.size = away;
    }
    made.size += radius;
    return made;
}

Terrain make_terrain(const std::vector<Point>& points, bool planes) {
    Terrain made;
    made.planes = planes;
    for (size_t i = 0; i + 1 < points.size(); i += planes ? 2 : 1) {
        const Point &a = points[i], &b = points[i + 1];
        const double x = b.x - a.x, y = b.y - a.y, length = std::hypot(x, y);
        made.segments.push_back({a, {x / length, y / length}, 0.0, length});
    }
    if (planes) {
        for (TerrainSegment& segment : made.segments) {
            segment.low = -INF;
            segment.high = INF;
        }
        return made;
    }
    for (size_t i = 0; i + 1 < made.segments.size(); ++i) {
        const Point &t = made.segments[i].tangent, &u = made.segments[i + 1].tangent;
        const double turn = t.x * u.y - t.y * u.x;
        const Bend bend = turn > tolerances::CORNER ? Bend::VALLEY : turn < -tolerances::CORNER ? Bend::EDGE : Bend::STRAIGHT;
        made.segments[i].after = made.segments[i + 1].before = bend;
    }
    made.segments.front().low = -INF;
    made.segments.back().high = INF;
    return made;
}

}  // namespace mc
