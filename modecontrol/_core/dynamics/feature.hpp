// A feature pair: a corner of one shape against a side or a corner of another.
#pragma once

#include "dynamics/tree.hpp"

namespace mc {

// A feature pair of one shape against another, and its gap.
struct Feature {
    ContactKind kind = ContactKind::PLANE;
    bool exchanged = false;         // a corner of the contact's other side against a side of its own
    Point corner;                   // of the node whose corner it is
    Point origin, tangent;          // PLANE: of the touched side, rounded, in the frame of its node
    Point other_corner;             // DISCS: of the contact's other side
    double gap = 0.0;

    // Whether the same corner touches the same side or corner.
    bool same(const Feature& o) const {
        const auto equal = [](const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; };
        if (kind != o.kind || exchanged != o.exchanged || !equal(corner, o.corner)) return false;
        return kind == ContactKind::DISCS ? equal(other_corner, o.other_corner) : equal(origin, o.origin) && equal(tangent, o.tangent);
    }
};

}  // namespace mc
