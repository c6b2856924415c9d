#include "dynamics/terrain_features.hpp"

#include "dynamics/contacts.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
Point minus(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
double magnitude(const Point& a) { return std::sqrt(a.x * a.x + a.y * a.y); }

// A feature with where it is: the place, the normal, and the way along the terrain.
struct Candidate {
    Feature feature;
    Point place, normal;
    double segment, way;
};

// The nearest features, nearest first; of those that touch in one place in one direction only the first is kept.
struct Nearest {
    Int room;
    double same;
    Int count = 0;
    Candidate kept[MOST_TOUCHES] = {};

    double worst() const { return count < room ? INF : kept[count - 1].feature.gap; }
    void add(const Candidate& one) {
        if (!(one.feature.gap < worst())) return;
        for (Int i = 0; i < count; ++i)
            if (magnitude(minus(one.place, kept[i].place)) <= same && dot(one.normal, kept[i].normal) > 1.0 - tolerances::SAME_POINT) {
                if (one.feature.gap >= kept[i].feature.gap) return;
                for (Int k = i; k + 1 < count; ++k) kept[k] = kept[k + 1];
                --count;
                break;
            }
        Int i = count < room ? count++ : count - 1;
        for (; i > 0 && one.feature.gap < kept[i - 1].feature.gap; --i) kept[i] = kept[i - 1];
        kept[i] = one;
    }
    void along() {
        for (Int i = 1; i < count; ++i) {
            const Candidate moved = kept[i];
            Int k = i;
            for (; k > 0 && (moved.segment < kept[k - 1].segment || (moved.segment == kept[k - 1].segment && moved.way < kept[k - 1].way)); --k)
                kept[k] = kept[k - 1];
            kept[k] = moved;
        }
    }
};

// A point against a segment: how far along, and how high above it.
struct Above {
    double way, height;
};

Above above(const TerrainSegment& segment, const Point& p) {
    const Point d = minus(p, segment.origin);
    return {dot(segment.tangent, d), segment.tangent.x * d.y - segment.tangent.y * d.x};
}

// Whether a place along a segment is on it; `near` its ends too where the line does not turn away from the shape.
bool over(const TerrainSegment& segment, double way, double near) {
    const double low = segment.before == Bend::EDGE ? segment.low : segment.low - near;
    const double high = segment.after == Bend::EDGE ? segment.high : segment.high + near;
    return low <= way && way <= high;
}

// How far a point is inside the solid of a line, 0 on the free side.
double depth(const Terrain& terrain, const Point& p) {
    double nearest = INF, side = 1.0;
    for (const TerrainSegment& segment : terrain.segments) {
        const Above at = above(segment, p);
        const double beyond = at.way < segment.low ? segment.low - at.way : at.way > segment.high ? at.way - segment.high : 0.0;
        const double distance = beyond > 0.0 ? std::sqrt(beyond * beyond + at.height * at.height) : std::fabs(at.height);
        // of two segments that are equally near because their common corner is, the one that sees the point from the side decides
        const double tie = tolerances::SAME_POINT * distance;
        if (distance > nearest + tie) continue;
        if (distance < nearest - tie) side = at.height;
        else if (std::fabs(at.height) > std::fabs(side)) side = at.height;
        nearest = smaller(nearest, distance);
    }
    return side < 0.0 ? nearest : 0.0;
}

// The shape of a contact in the world.
struct InWorld {
    const Mechanism& mechanism;
    const Contact& contact;
    const ConvexShape& shape;
    View<const Pose> pose;

    Point corner(Int k) const {
        const PlacedPoint p = point_at(mechanism, contact.node, shape.corner[k], pose);
        return {p.ax + p.rx, p.ay + p.ry};
    }
    Point along(Int k) const { return contact.node >= 0 ? turned(pose[contact.node], shape.along[k]) : shape.along[k]; }
};

// Whether a corner beyond the end of a segment still belongs to it: in a valley, where it is within the solid of the next one.
bool beyond_valley(const Terrain& terrain, Int i, double way, const Point& p) {
    const TerrainSegment& segment = terrain.segments[i];
    if (way < segment.low)
        return segment.before == Bend::VALLEY && above(terrain.segments[i - 1], p).height <= tolerances::TOUCH;
    return segment.after == Bend::VALLEY && above(terrain.segments[i + 1], p).height <= tolerances::TOUCH;
}

// A sharp corner at an edge of the terrain: the edge against the shape's sides says in which direction they touch.
bool at_edge(const TerrainSegment& segment, const Above& at, double near) {
    if (std::fabs(at.height) > near) return false;
    return (segment.before == Bend::EDGE && at.way < segment.low + near) || (segment.after == Bend::EDGE && at.way > segment.high - near);
}

void corner_on_segments(const Terrain& terrain, const InWorld& body, Int k, Nearest& nearest) {
    const Point p = body.corner(k);
    const double r = body.shape.radius;
    double inside = -1.0;
    for (Int i = 0; i < Int(terrain.segments.size()); ++i) {
        const TerrainSegment& segment = terrain.segments[i];
        const Above at = above(segment, p);
        if (!(at.height - r < nearest.worst())) continue;
        if (!terrain.planes) {
            if (at_edge(segment, at, nearest.same)) continue;
            const bool beyond = !over(segment, at.way, nearest.same);
            if (beyond && !beyond_valley(terrain, i, at.way, p)) continue;
            if (beyond || at.height < 0.0) {
                if (inside < 0.0) inside = depth(terrain, p);
                if (beyond && inside == 0.0) continue;
                if (-at.height > inside * (1.0 + tolerances::SAME_POINT) + tolerances::TOUCH) continue;
            }
        }
        Candidate one;
        one.feature.corner = body.shape.corner[k];
        one.feature.origin = segment.origin;
        one.feature.tangent = segment.tangent;
        one.feature.gap = at.height - r;
        one.normal = {-segment.tangent.y, segment.tangent.x};
        one.place = {p.x - at.height * one.normal.x, p.y - at.height * one.normal.y};
        one.segment = double(i);
        one.way = at.way;
        nearest.add(one);
    }
}

// The corner between segments `i` and `i + 1`, an edge of the terrain, against the sides and corners of a shape.
void edge_on_shape(const Terrain& terrain, Int i, const InWorld& body, Nearest& nearest) {
    const TerrainSegment &before = terrain.segments[i], &after = terrain.segments[i + 1];
    const Point edge = after.origin;
    const double r = body.shape.radius;
    Candidate one;
    one.segment = double(i);
    one.way = before.high;
    double best = -INF, way = 0.0, beyond = INF;
    Int side = -1;
    for (Int k = 0; k < body.shape.sides(); ++k) {
        const Point e = body.along(k), d = minus(edge, body.corner(k)), n{-e.y, e.x};
        const double height = e.y * d.x - e.x * d.y;
        // of two sides that meet at the edge the one whose normal lies between those of the segments
        const double outside = larger(larger(-dot(n, before.tangent), dot(n, after.tangent)), 0.0);
        if (height < best - nearest.same || (height <= best + nearest.same && outside >= beyond)) continue;
        best = height;
        beyond = outside;
        side = k;
        way = dot(e, d);
    }
    Int corner = 0;
    if (side >= 0) {
        const double same = best <= nearest.same ? nearest.same : 0.0;
        if (best <= 0.0 || (way >= -same && way <= body.shape.length[side] + same)) {
            const Point e = body.shape.along[side], n{e.y, -e.x}, from = body.shape.corner[side], world = body.along(side);
            one.feature.exchanged = true;
            one.feature.corner = edge;
            one.feature.origin = {from.x + r * n.x, from.y + r * n.y};
            one.feature.tangent = {-e.x, -e.y};
            one.feature.gap = best - r;
            one.place = edge;
            one.normal = {-world.y, world.x};
            nearest.add(one);
            return;
        }
        corner = way < 0.0 ? side : body.shape.after(side);
    }
    const Point p = body.corner(corner), d = minus(p, edge);
    const double distance = magnitude(d);
    if (above(before, p).way < before.high || above(after, p).way > 0.0 || !(distance > 0.0)) return;
    one.feature.kind = ContactKind::DISCS;
    one.feature.corner = body.shape.corner[corner];
    one.feature.other_corner = edge;
    one.feature.gap = distance - r;
    one.place = edge;
    one.normal = {d.x / distance, d.y / distance};
    nearest.add(one);
}

}  // namespace

void on_terrain(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, TerrainTouches& found) {
    const Terrain& terrain = mechanism.terrains[contact.terrain];
    const ConvexShape& shape = mechanism.shapes[contact.shape];
    const InWorld body{mechanism, contact, shape, pose};
    Nearest nearest{contact.touches, tolerances::SAME_POINT * (1.0 + shape.size)};
    for (Int k = 0; k < shape.corners(); ++k) corner_on_segments(terrain, body, k, nearest);
    if (!terrain.planes)
        for (Int i = 0; i + 1 < Int(terrain.segments.size()); ++i)
            if (terrain.segments[i].after == Bend::EDGE) edge_on_shape(terrain, i, body, nearest);
    nearest.along();
    for (Int i = 0; i < nearest.count; ++i) found.feature[i] = nearest.kept[i].feature;
    const TerrainSegment& any = terrain.segments[0];
    const Point p = body.corner(0), n{-any.tangent.y, any.tangent.x};
    const double away = tolerances::NOTHING_THERE + shape.radius;
    for (Int i = nearest.count; i < contact.touches; ++i) {
        Feature& none = found.feature[i];
        none.corner = shape.corner[0];
        none.tangent = any.tangent;
        none.origin = {p.x - away * n.x, p.y - away * n.y};
        none.gap = tolerances::NOTHING_THERE;
    }
}

}  // namespace mc
