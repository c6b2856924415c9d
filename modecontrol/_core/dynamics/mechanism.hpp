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
};

enum class ContactKind : int { PLANE = 0, DISCS = 1 };

// A disc (a point has radius zero) against a half-plane of the world or of another node, or against a disc of another node.
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
