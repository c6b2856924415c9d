// Features of convex shapes against each other and against half-planes.
#pragma once

#include "dynamics/feature.hpp"

namespace mc {

// The two touches of a pair along the tangent; one that is not there has the gap NOTHING_THERE.
struct Touches {
    Feature first, second;
};

// Convex shape against convex shape: the side of greatest separation, the opposite side clipped to its ends.
Touches between_shapes(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

// Convex shape against the half-plane of a contact: the two ends of its lowest side.
Touches on_half_plane(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose);

}  // namespace mc
