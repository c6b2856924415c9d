// Which features of two shapes touch at a pose: a corner and a side, or two corners.
//
// A corner against a side is a disc (of the rounding radius, possibly zero) against a half-plane that the other body carries, two
// corners are two discs; so what is found is a contact of the plain kinds, and whoever knows those knows shapes. Exchanging the two
// sides of a contact turns its normal and its relative velocity, so rates, drifts and forces keep their signs.
#pragma once

#include "dynamics/feature.hpp"

namespace mc {

// The feature of a contact, which has a shape, and the smallest gap of all touches of its pair.
struct FoundFeature {
    Feature feature;
    double least;
};
FoundFeature find_feature(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

// A contact of a plain kind that stands for a feature.
Contact as_contact(const Mechanism& mechanism, const Contact& contact, const Feature& feature);

// The contact with the features that touch at a pose, in `room`; a contact without shape is returned as it is.
const Contact& active(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, Contact& room);

// Gap of a contact and the smallest gap of all touches of its pair: no gap of the pair can close sooner.
struct PairGap {
    double own, least;
};
PairGap pair_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

// Smallest gap of the touches of a pair at features that are not among those `held`.
double least_new_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, View<const Feature> held);

// Lower bound of the gaps of a pair from discs around its shapes; minus infinity where there is none.
double rough_gap(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

// The first of the rows `0, stride, 2 stride, ...` of `Q` and of the last one in which each of the first contacts has a gap below `least`;
// -1 for none. `pose` is work space.
void first_inside(const Mechanism& mechanism, ConstMat Q, Int stride, ConstVec least, View<Pose> pose, View<Int> found);

}  // namespace mc
