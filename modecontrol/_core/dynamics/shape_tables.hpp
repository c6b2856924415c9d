// Shapes and terrain made from their corners, once per model.
#pragma once

#include "dynamics/mechanism.hpp"

namespace mc {

// A convex shape from its corners, counter-clockwise.
ConvexShape make_shape(std::vector<Point> corners, double radius);

// Terrain from the corners of a line, or, with `planes`, from two points of each half-plane, the tangent between them.
Terrain make_terrain(const std::vector<Point>& points, bool planes);

}  // namespace mc
