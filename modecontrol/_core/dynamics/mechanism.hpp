// A planar mechanism as numbers: what the recursions of this room read, made once per model.
//
// A tree has one node per degree of freedom (a planar joint is slide, slide, turn; the nodes in between are massless). The
// parent of a node comes before it; -1 is the world. Lengths of a node are in its own frame, its placement in its parent's.
#pragma once

#include <vector>

#include "view.hpp"

namespace mc {

constexpr Int WORLD = -1;

struct Point {
    double x = 0.0, y = 0.0;
};

// One degree of freedom and the body that moves with it.
struct TreeNode {
    Int parent = WORLD;
    Int anchor = 0;             // node from whose origin positions in this tree are measured: its root body
    bool turns = true;          // a turn about the origin, or a slide along `direction`
    Point at;                   // placement in the parent's frame
    double angle = 0.0;
    Point direction;
    double mass = 0.0;
    Point com;
    double inertia = 0.0;       // about the centre of mass
    double stiffness = 0.0, damping = 0.0, rest = 0.0;
    double armature = 0.0;      // inertia that moves with the coordinate alone: on the diagonal of `M`, nowhere else
};

// PLANE and DISCS touch (`Contact`). CABLE: two points are never farther apart than `length`; it has a normal row only. STOP: coordinate
// `node` stays between `lower` and `upper`; a normal row only, away from the nearer of the two. DRY: friction in coordinate
// `node`; a tangential row only. DRIVE: coordinate `node` moves as it is told to; a tangential row only. ROLLING: the contact `host` resists
// the turning of its two sides against each other; a tangential row only, whose force is a moment.
enum class ContactKind : int { PLANE = 0, DISCS = 1, CABLE = 2, STOP = 3, DRY = 4, DRIVE = 5, ROLLING = 6 };

// What the force of a contact may be beside Coulomb's law with the coefficient `friction`.
struct ContactLaw {
    double hold = 0.0;          // coefficient while it sticks, if larger
    double pull = 0.0;          // adhesion: the normal force may fall to minus this
    double speed = 0.0;         // of the touched surface along the tangent
    Int way = 0;                // the only way it slides: 1 right, -1 left; 0 both
    double least = 0.0, most = 0.0;     // tangential force of what has no normal row; of rolling, per normal force of its host (m)
};

// A convex polygon of a node, rounded by `radius`: every point within the radius of it. One corner is a disc, two are a capsule.
struct ConvexShape {
    std::vector<Point> corner;      // counter-clockwise, in the node's frame
    std::vector<Point> along;       // unit vector from each corner to the next; the outward normal is it turned by -90 degrees
    std::vector<double> length;     // of each side
    double radius = 0.0;
    Point middle;                   // of a disc around everything
    double size = 0.0;              // its radius

    Int corners() const { return Int(corner.size()); }
    Int sides() const { return corner.size() < 2 ? 0 : Int(corner.size()); }
    Int after(Int i) const { return i + 1 < corners() ? i + 1 : 0; }
    Int before(Int i) const { return i > 0 ? i - 1 : corners() - 1; }
};

// How a line of terrain goes on at the end of a segment: for ever, into a valley of the free side, round an edge, straight on.
enum class Bend : int { NONE = 0, VALLEY = 1, EDGE = 2, STRAIGHT = 3 };

// A segment of terrain in the world; the free side is on the left of its tangent. `low` and `high` are its ends along the tangent.
struct TerrainSegment {
    Point origin, tangent;
    double low = 0.0, high = 0.0;
    Bend before = Bend::NONE, after = Bend::NONE;
};

struct Terrain {
    std::vector<TerrainSegment> segments;
    bool planes = false;            // half-planes, each in force everywhere, rather than a line
};

// A disc (a point has radius zero) against a half-plane of the world or of another node, or against a disc of another node. With a
// `shape` that is what touches at a pose (`features.hpp`): the shape against the half-plane, the other shape, or terrain.
struct Contact {
    ContactKind kind = ContactKind::PLANE;
    Int node = WORLD, other = WORLD;
    Point centre;               // in the node's frame
    double radius = 0.0;
    Point origin, tangent;      // of the half-plane, in the frame of `other`; its normal is the tangent turned by +90 degrees
    Point other_centre;
    double other_radius = 0.0;
    double friction = 0.0, restitution = 0.0;
    double tangential_restitution = 0.0;    // part of the tangential impulse that a collision gives back
    double stiffness = INF, damping = 0.0;
    Int shape = -1, other_shape = -1, terrain = -1;     // numbers in the mechanism's tables
    Int slot = 0, touches = 1;      // which of so many places where the pair may touch at once
    bool exchanged = false;         // a feature found with its two sides exchanged: `node` is of the contact's other side

    double length = 0.0, lower = -INF, upper = INF;     // of a cable, of stops
    Int host = -1, roller = -1;     // the contact that a resistance belongs to, and the resistance that a contact has
    ContactLaw law;

    bool shaped() const { return shape >= 0; }
    bool clings() const { return law.pull > 0.0; }
    bool at_joint() const { return kind >= ContactKind::STOP && kind <= ContactKind::DRIVE; }
    bool rolls() const { return kind == ContactKind::ROLLING; }
    bool has_normal() const { return kind <= ContactKind::STOP; }
    bool has_tangent() const { return kind != ContactKind::CABLE && kind != ContactKind::STOP; }
};

// Loop closures (`closures.hpp`). PIN: a point of `node` and a point of `other` coincide. WELD: they turn alike as well. SLIDER:
// they turn alike and the point moves along an axis of `other`. ROD: the points keep their distance. GEAR: coordinate `node` is
// `ratio` times coordinate `other` plus `angle`. DRIVE: coordinate `node` moves as it is told to.
enum class ClosureKind : int { PIN = 0, WELD = 1, SLIDER = 2, ROD = 3, GEAR = 4, DRIVE = 5 };

struct Closure {
    ClosureKind kind = ClosureKind::PIN;
    Int node = WORLD, other = WORLD;
    Point point, other_point;
    double angle = 0.0;         // of `node` in the frame of `other`, or a gear's offset
    Point axis;                 // of a slider, in the frame of `other`
    double length = 0.0, ratio = 0.0;

    Int rows() const {
        switch (kind) {
            case ClosureKind::WELD: return 3;
            case ClosureKind::PIN:
            case ClosureKind::SLIDER: return 2;
            default: return 1;
        }
    }
};

// Spring and damper between a point of `node` and a point of `other`: `-stiffness (l - length) - damping l'` along their line.
struct Spring {
    Int node = WORLD, other = WORLD;
    Point point, other_point;
    double stiffness = 0.0, damping = 0.0, length = 0.0;
};

// A force at a point of a node, and a moment; the force in world axes, or in those of the node if it `follows`.
struct Push {
    Int node = WORLD;
    Point point, force;
    double moment = 0.0;
    bool follows = false;
};

// What the medium does to a body, about a point of `node` and along two axes of it: the forces `-(linear + quadratic abs(u)) u` with
// `u` the velocity of the point against the medium along an axis, the moment `-(turning + turning_quadratic abs(w)) w`.
struct Drag {
    Int node = WORLD;
    Point at, axis;             // the second axis is the first turned by +90 degrees
    Point linear, quadratic;    // along the two axes
    double turning = 0.0, turning_quadratic = 0.0;
};

// An input's box, and its speed-torque line `|tau| <= stall (1 - |v| / no_load)`, `v` the rate of `coordinate`.
struct InputLimits {
    Int coordinate = 0;
    double lower = -INF, upper = INF, stall = INF, no_load = INF;
};

struct Mechanism {
    std::vector<TreeNode> nodes;
    std::vector<Contact> contacts;
    std::vector<Closure> closures;
    std::vector<InputLimits> inputs;
    Point gravity;
    std::vector<Spring> springs = {};
    std::vector<Push> pushes = {};
    std::vector<ConvexShape> shapes = {};
    std::vector<Terrain> terrains = {};
    std::vector<Drag> drags = {};
    Point wind = {};                // velocity of the medium

    // Whether forces act that the tree itself does not say.
    bool has_applied_forces() const { return !springs.empty() || !pushes.empty() || !drags.empty(); }

    Int size() const { return Int(nodes.size()); }
    Int rows() const { return 2 * Int(contacts.size()); }
    Int loops() const {
        Int total = 0;
        for (const Closure& closure : closures) total += closure.rows();
        return total;
    }
    double mass() const {
        double total = 0.0;
        for (const TreeNode& node : nodes) total += node.mass;
        return total;
    }
};

// Configuration and velocity, one number each per node.
struct StateView {
    ConstVec q, v;
};

}  // namespace mc
