// Features of a convex shape against terrain: corners over segments, and edges of the terrain under sides.
#pragma once

#include "dynamics/feature.hpp"

namespace mc {

constexpr Int MOST_TOUCHES = 8;

// The nearest `contact.touches` features of a shape and terrain in the order along it; those that are not there come last.
struct TerrainTouches {
    Feature feature[MOST_TOUCHES];
};
void on_terrain(const Mechanism& mechanism, const Contact& contact, View<const Pose> pose, TerrainTouches& found);

}  // namespace mc
