// Everything about a thrust controller that does not change from call to call, as numbers; several threads may read one.
#pragma once

#include <optional>
#include <vector>

#include "closed_loop/rhex_observer.hpp"
#include "dynamics/mechanism.hpp"
#include "modes/affine_set.hpp"

namespace mc {

// Rows `P (qdd, f, tau) >= p` of which the first `physical` are physical, the last is the goal and those between are the task.
struct WishedRows {
    Grid<double> P;
    Array<double> p;
    Array<bool> equality;
    Int physical = 0;

    Extra view() const { return {P, p, equality, physical}; }
};

// True once a measured coordinate is beyond a level.
struct Passes {
    Int coordinate = 0;
    double level = INF;

    bool at(ConstVec q) const { return q[coordinate] > level; }
};

// Inputs after the thrust: constant ones, or `-gain v` of as many coordinates as there are inputs.
struct Rest {
    Array<double> inputs;
    double gain = 0.0;
    Int first = -1;  // coordinate that the first input damps; -1: constant
};

// An input on one massless coordinate, and the contacts that feel it.
struct MasslessLink {
    Int input = 0, coordinate = 0;
    std::vector<Int> contacts;
};

// Contact modes that are assumed in turn; the next one when measured minus predicted rate of the goal, filtered, is large.
struct AssumedModes {
    std::vector<std::vector<Letter>> modes;
    double filter_time = 0.0, threshold = 0.0, ignore = 0.0;
    Int coordinate = 0;  // whose measured velocity is the rate
};

struct ThrustPlan {
    Mechanism mechanism;            // the rigid model that predicts
    Grid<double> actuation;
    Array<double> friction, rest_speed;
    double gap = 0.0, leaving = INF;
    WishedRows with_task, without_task;
    bool has_task = false;
    bool ignores_ambiguity = false; // the best inputs of one mode, whoever else explains them
    double margin = 0.0;
    Int patience = 0;
    std::optional<RHexGeometry> observer;
    std::optional<Passes> end;
    std::optional<AssumedModes> assumed;
    Rest rest;
    bool holds = false;             // lifted links
    double kp = 0.0, kd = 0.0;
    std::vector<MasslessLink> links;

    Int inputs() const { return actuation.cols; }
    Int contacts() const { return Int(mechanism.contacts.size()); }
};

}  // namespace mc
