#include "dynamics/features.hpp"

#include "dynamics/contacts.hpp"
#include "dynamics/convex_features.hpp"
#include "dynamics/terrain_features.hpp"

namespace mc {

FoundFeature find_feature(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    if (contact.terrain >= 0) {
        TerrainTouches all;
        on_terrain(mechanism, contact, pose, all);
        FoundFeature found{all.feature[contact.slot], INF};
        for (Int i = 0; i < contact.touches; ++i) found.least = smaller(found.least, all.feature[i].gap);
        return found;
    }
    const Touches both = contact.other_shape >= 0 ? between_shapes(mechanism, contact, pose) : on_half_plane(mechanism, contact, pose);
    const bool nearer = both.first.gap <= both.second.gap;
    const double least = nearer ? both.first.gap : both.second.gap;
    if (contact.touches == 1) return {nearer ? both.first : both.second, least};
    return {contact.slot == 0 ? both.first : both.second, least};
}

Contact as_contact(const Mechanism& mechanism, const Contact& contact, const Feature& feature) {
    const double radius = mechanism.shapes[contact.shape].radius;
    const double other_radius = contact.other_shape >= 0 ? mechanism.shapes[contact.other_shape].radius : 0.0;
    Contact made = contact;
    made.shape = made.other_shape = made.terrain = -1;
    made.kind = feature.kind;
    made.exchanged = feature.exchanged;
    made.centre = feature.corner;
    made.radius = feature.exchanged ? other_radius : radius;
    if (feature.exchanged) {
        made.node = contact.other;
        made.other = contact.node;
    }
    if (feature.kind == ContactKind::DISCS) {
        made.other_centre = feature.other_corner;
        made.other_radius = other_radius;
    } else {
        made.origin = feature.origin;
        made.tangent = feature.tangent;
    }
    return made;
}

const Contact& active(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, Contact& room) {
    if (contact.rolls()) return active(mechanism, mechanism.contacts[contact.host], pose, room);
    if (!contact.shaped()) return contact;
    room = as_contact(mechanism, contact, find_feature(mechanism, contact, pose).feature);
    return room;
}

PairGap pair_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    if (!contact.shaped()) {
        const double gap = contact_frame(mechanism, contact, pose).gap;
        return {gap, gap};
    }
    const FoundFeature found = find_feature(mechanism, contact, pose);
    return {found.feature.gap, found.least};
}

double least_new_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<const Feature> held) {
    double least = INF;
    const auto look = [&](const Feature& one) {
        for (Int i = 0; i < held.size; ++i)
            if (one.same(held[i])) return;
        least = smaller(least, one.gap);
    };
    if (contact.terrain >= 0) {
        TerrainTouches all;
        on_terrain(mechanism, contact, pose, all);
        for (Int i = 0; i < contact.touches; ++i) look(all.feature[i]);
        return least;
    }
    const Touches both = contact.other_shape >= 0 ? between_shapes(mechanism, contact, pose) : on_half_plane(mechanism, contact, pose);
    look(both.first);
    look(both.second);
    return least;
}

double rough_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose) {
    if (!contact.shaped() || contact.other_shape < 0) return -INF;
    const ConvexShape &here = mechanism.shapes[contact.shape], &there = mechanism.shapes[contact.other_shape];
    const PlacedPoint a = point_at(mechanism, contact.node, here.middle, pose);
    const PlacedPoint b = point_at(mechanism, contact.other, there.middle, pose);
    const double x = (a.ax - b.ax) + (a.rx - b.rx), y = (a.ay - b.ay) + (a.ry - b.ry);
    return std::sqrt(x * x + y * y) - here.size - there.size;
}

void first_inside(const Mechanism& mechanism, ConstMat Q, Int stride, ConstVec least, View<Pose> pose, View<Int> found) {
    found.fill(-1);
    for (Int row = 0; row < Q.rows; row = row + stride < Q.rows || row == Q.rows - 1 ? row + stride : Q.rows - 1) {
        place(mechanism, Q.row(row), pose);
        for (Int c = 0; c < found.size; ++c) {
            const Contact& contact = mechanism.contacts[c];
            if (found[c] >= 0 || rough_gap(mechanism, contact, pose) > least[c]) continue;
            if (pair_gap(mechanism, contact, pose).least < least[c]) found[c] = row;
        }
    }
}

}  // namespace mc
