#include "dynamics/convex_features.hpp"

#include "dynamics/contacts.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
Point minus(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Point outward(const Point& along) { return {along.y, -along.x}; }
double magnitude(const Point& a) { return std::sqrt(a.x * a.x + a.y * a.y); }

// Coordinates in one node's frame from those in another's: `at + rot p`.
struct Placement {
    double c = 1.0, s = 0.0;
    Point at;

    Point operator()(const Point& p) const { return {at.x + c * p.x - s * p.y, at.y + s * p.x + c * p.y}; }
    Point turn(const Point& p) const { return {c * p.x - s * p.y, s * p.x + c * p.y}; }
    Point turn_back(const Point& p) const { return {c * p.x + s * p.y, c * p.y - s * p.x}; }
    Placement inverse() const {
        const Point back = turn_back(at);
        return {c, -s, {-back.x, -back.y}};
    }
};

// The frame of node `a` in that of node `b`; digits far from the origin of the world are kept by the anchors.
Placement placement(const Mechanism& mechanism, Int a, Int b, View<const Pose> pose) {
    const double ca = a >= 0 ? pose[a].c : 1.0, sa = a >= 0 ? pose[a].s : 0.0;
    const double cb = b >= 0 ? pose[b].c : 1.0, sb = b >= 0 ? pose[b].s : 0.0;
    const PlacedPoint p = point_at(mechanism, a, {}, pose), q = point_at(mechanism, b, {}, pose);
    const double x = (p.ax - q.ax) + (p.rx - q.rx), y = (p.ay - q.ay) + (p.ry - q.ry);
    return {ca * cb + sa * sb, sa * cb - ca * sb, {cb * x + sb * y, cb * y - sb * x}};
}

// A side of one shape, and the corner of the other that is lowest above it.
struct Separation {
    double value = -INF;
    Int side = -1, corner = 0;
};

// Side of `here` with the greatest separation from `there`, whose frame `place` puts into that of `here`.
Separation greatest_separation(const ConvexShape& here, const ConvexShape& there, const Placement& place) {
    Separation found;
    for (Int i = 0; i < here.sides(); ++i) {
        const Point n = outward(here.along[i]), m = place.turn_back(n);
        double low = INF;
        Int lowest = 0;
        for (Int k = 0; k < there.corners(); ++k) {
            const double height = dot(m, there.corner[k]);
            if (height < low) {
                low = height;
                lowest = k;
            }
        }
        const double value = low + dot(n, minus(place.at, here.corner[i]));
        if (value > found.value) found = {value, i, lowest};
    }
    return found;
}

// One side of a pair as the reference, the other as the incident shape, with the frame of the second in that of the first.
struct Facing {
    const ConvexShape &reference, &incident;
    Placement place;
    bool exchanged;             // the reference is the contact's own shape, not the other one
    Int side;                   // of the reference
    Point n, e;                 // its outward normal and direction
};

// A corner of the incident shape against the reference side.
Feature on_reference(const Facing& f, Int corner) {
    Feature found;
    const double r = f.reference.radius;
    const Point& from = f.reference.corner[f.side];
    found.exchanged = f.exchanged;
    found.corner = f.incident.corner[corner];
    found.origin = {from.x + r * f.n.x, from.y + r * f.n.y};
    found.tangent = {-f.e.x, -f.e.y};
    found.gap = dot(f.n, minus(f.place(found.corner), from)) - r - f.incident.radius;
    return found;
}

// Corner against corner; sharp corners that meet have no direction: the reference side gives it.
Feature corners(const Facing& f, Int reference, Int incident) {
    const Point here = f.reference.corner[reference], there = f.incident.corner[incident];
    const double distance = magnitude(minus(f.place(there), here)), radii = f.reference.radius + f.incident.radius;
    if (!(distance > tolerances::TOUCH)) return on_reference(f, incident);
    Feature found;
    found.kind = ContactKind::DISCS;
    found.corner = f.exchanged ? here : there;
    found.other_corner = f.exchanged ? there : here;
    found.gap = distance - radii;
    return found;
}

// A corner of the reference side against the incident side `k`: its line, or its end where that is nearer.
Feature on_incident(const Facing& f, Int corner, Int k) {
    const Placement back = f.place.inverse();
    const Point p = back(f.reference.corner[corner]), along = f.incident.along[k], from = f.incident.corner[k];
    const Point n = outward(along), d = minus(p, from);
    const double height = dot(n, d), way = dot(along, d);
    if (height > 0.0 && way < 0.0) return corners(f, corner, k);
    if (height > 0.0 && way > f.incident.length[k]) return corners(f, corner, f.incident.after(k));
    Feature found;
    const double r = f.incident.radius;
    found.exchanged = !f.exchanged;
    found.corner = f.reference.corner[corner];
    found.origin = {from.x + r * n.x, from.y + r * n.y};
    found.tangent = {-along.x, -along.y};
    found.gap = height - r - f.reference.radius;
    return found;
}

// A touch that is not there: the reference half-plane far away.
Feature nothing(const Facing& f, Int corner) {
    Feature found = on_reference(f, corner);
    const double away = tolerances::NOTHING_THERE;
    found.origin = {found.origin.x - away * f.n.x, found.origin.y - away * f.n.y};
    found.gap += away;
    return found;
}

// Of the two sides that meet in a corner, the one that faces the direction `m` least: where it lies flat on what is below.
Int facing_side(const ConvexShape& shape, Int corner, const Point& m) {
    const Int before = shape.before(corner);
    return dot(m, outward(shape.along[before])) < dot(m, outward(shape.along[corner])) ? before : corner;
}

// Touches at the low and the high end of the overlap along the reference side.
Touches clipped(const Facing& f, const Separation& best) {
    const Point& from = f.reference.corner[f.side];
    const double length = f.reference.length[f.side];
    const auto along = [&](Int corner) { return dot(f.e, minus(f.place(f.incident.corner[corner]), from)); };
    const Int first = f.side, last = f.reference.after(f.side);
    if (f.incident.sides() == 0) {
        const double u = along(0);
        if (u < 0.0 && best.value > 0.0) return {corners(f, first, 0), nothing(f, 0)};
        if (u > length && best.value > 0.0) return {nothing(f, 0), corners(f, last, 0)};
        return 2.0 * u < length ? Touches{on_reference(f, 0), nothing(f, 0)} : Touches{nothing(f, 0), on_reference(f, 0)};
    }
    const Int k = facing_side(f.incident, best.corner, f.place.turn_back(f.n));
    Int low = f.incident.after(k), high = k;
    double u_low = along(low), u_high = along(high);
    if (u_low > u_high) {
        const Int corner = low;
        low = high;
        high = corner;
        const double u = u_low;
        u_low = u_high;
        u_high = u;
    }
    const double same = tolerances::SAME_POINT * (f.reference.size + f.incident.size);
    // lines in a row, as capsules may lie, are apart although no side separates them
    const bool lines = f.reference.corners() == 2 && f.incident.corners() == 2;
    const bool apart = best.value > 0.0 || (lines && (u_high < 0.0 || u_low > length));
    if (u_high < same) return {apart ? corners(f, first, high) : on_reference(f, high), nothing(f, low)};
    if (u_low > length - same) return {nothing(f, high), apart ? corners(f, last, low) : on_reference(f, low)};
    Touches found;
    found.first = u_low >= 0.0 ? on_reference(f, low) : on_incident(f, first, k);
    found.second = u_high <= length ? on_reference(f, high) : on_incident(f, last, k);
    if (u_high - u_low <= same) (found.first.gap <= found.second.gap ? found.second : found.first) = nothing(f, low);
    return found;
}

// The same touches with the nearest two corners of all in the place of the nearer one, if they are nearer than that.
Touches nearest_of_all(const Facing& f, const Touches& found) {
    Touches best = found;
    double least = smaller(found.first.gap, found.second.gap);
    const auto consider = [&](const Feature& one) {
        if (one.gap >= least - tolerances::TOUCH) return;
        least = one.gap;
        (found.first.gap <= found.second.gap ? best.first : best.second) = one;
    };
    for (Int i = 0; i < f.reference.corners(); ++i)
        for (Int k = 0; k < f.incident.corners(); ++k) consider(corners(f, i, k));
    return best;
}

// The touches of a reference with what faces it, in the order of the reference side.
Touches touches_of(const Facing& f, const Separation& best) {
    const Touches found = clipped(f, best);
    const double least = smaller(found.first.gap, found.second.gap), radii = f.reference.radius + f.incident.radius;
    // a corner over a side is as far away as the side of greatest separation says; if nothing is, two corners are nearest
    return best.value > 0.0 && least > best.value - radii + tolerances::TOUCH ? nearest_of_all(f, found) : found;
}

}  // namespace

Touches between_shapes(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    const ConvexShape &own = mechanism.shapes[contact.shape], &other = mechanism.shapes[contact.other_shape];
    const Placement place = placement(mechanism, contact.node, contact.other, pose);
    const Separation below = greatest_separation(other, own, place);
    const Placement back = place.inverse();
    const Separation above = greatest_separation(own, other, back);
    if (below.side < 0 && above.side < 0) {
        const Facing f{other, own, place, false, 0, {0.0, 1.0}, {1.0, 0.0}};
        return {corners(f, 0, 0), nothing(f, 0)};
    }
    // of sides that lie flat on each other the other shape's is taken, whatever rounding says
    if (below.side >= 0 && !(above.value > below.value + tolerances::TOUCH)) {
        const Facing f{other, own, place, false, below.side, outward(other.along[below.side]), other.along[below.side]};
        const Touches found = touches_of(f, below);     // the tangent of the contact runs against the side
        return {found.second, found.first};
    }
    const Facing f{own, other, back, true, above.side, outward(own.along[above.side]), own.along[above.side]};
    return touches_of(f, above);
}

Touches on_half_plane(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    const ConvexShape& own = mechanism.shapes[contact.shape];
    const Placement place = placement(mechanism, contact.node, contact.other, pose);
    const Point t = contact.tangent, n{-t.y, t.x}, m = place.turn_back(n);
    Int lowest = 0;
    for (Int k = 1; k < own.corners(); ++k)
        if (dot(m, own.corner[k]) < dot(m, own.corner[lowest])) lowest = k;
    const auto at = [&](Int corner) {
        Feature found;
        found.corner = own.corner[corner];
        found.origin = contact.origin;
        found.tangent = t;
        found.gap = dot(n, minus(place(found.corner), contact.origin)) - own.radius;
        return found;
    };
    if (own.sides() == 0) {
        Feature none = at(lowest);
        none.origin = {none.origin.x - tolerances::NOTHING_THERE * n.x, none.origin.y - tolerances::NOTHING_THERE * n.y};
        none.gap += tolerances::NOTHING_THERE;
        return {at(lowest), none};
    }
    const Int k = facing_side(own, lowest, m);
    const Feature a = at(k), b = at(own.after(k));
    return dot(t, place.turn(minus(b.corner, a.corner))) > 0.0 ? Touches{a, b} : Touches{b, a};
}

}  // namespace mc
