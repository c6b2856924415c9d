// Loop closures: what holds two bodies, or two joints, together beside the joints of the tree.
//
// | kind   | rows            | opening                                          |
// |--------|-----------------|--------------------------------------------------|
// | PIN    | x, y            | `p_a - p_b`, world axes                          |
// | WELD   | x, y, turn      | the same, and `theta_a - theta_b - angle`        |
// | SLIDER | across, turn    | `n.(p_a - p_b)`, `n` across the axis of `b`      |
// | ROD    | along           | `|p_a - p_b| - length`                           |
// | GEAR   | one             | `q_a - ratio q_b - angle`                        |
// | DRIVE  | one             | `q_a`; where it shall be is known to the caller  |
#pragma once

#include "dynamics/compliance.hpp"

namespace mc {

// Rows of the closures' velocities: `out.J` their Jacobian, `out.drift = Gdot v`, `out.rate` the openings; all closures in order.
void all_closure_rows(const Mechanism& mechanism, View<const Pose> pose, View<const Motion> motion, const VelocityRows& out);

// The same rows as forces on nodes.
void all_closure_forces(const Mechanism& mechanism, View<const Pose> pose, View<ForceRow> out);

// Openings of all closures, row by row.
void all_openings(const Mechanism& mechanism, View<const Pose> pose, Vec opening);

}  // namespace mc
