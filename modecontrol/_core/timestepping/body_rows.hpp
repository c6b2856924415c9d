// A mechanism taken apart: every body on its own, joints, pins and contacts as rows about centres of mass (Jain 2014, section 3).
#pragma once

#include "timestepping/response.hpp"

namespace mc {

// Which body a coordinate moves, and which is below its joint (-1 the world); bodies are called by their nodes.
struct JointOwner {
    Int body = WORLD, below = WORLD;
};

class BodyRows {
public:
    // `hinges`: nodes whose joint has one freedom and so two locked directions.
    BodyRows(std::vector<JointOwner> owner, std::vector<Int> hinges)
        : owner_(std::move(owner)), hinges_(std::move(hinges)), com_(Int(owner_.size())), row_(0) {}

    Int coordinates() const { return Int(owner_.size()); }
    Int hinges() const { return 2 * Int(hinges_.size()); }
    bool is_body(Int node) const { return owner_[size_t(node)].body == node; }
    const JointOwner& owner(Int coordinate) const { return owner_[size_t(coordinate)]; }
    const Point& com(Int body) const { return com_[body]; }
    const ForceRow& row(Int r) const { return row_[r]; }
    void make_room(Int rows) { row_ = Array<ForceRow>(hinges() + rows); }

    // Centres of mass from the origins of their bodies, world axes.
    void place(const StepMoment& at);

    // After `place`: rows of all hinges, and those of pins and contacts moved to the centres of mass (their first two ends).
    void write(const StepMoment& at);

    // Unit force of a coordinate, whose joint ends in the origin of the body it moves, about the centre of mass of a body.
    Wrench joint_force(const StepMoment& at, Int coordinate, Int body) const;

private:
    Point lever(const StepMoment& at, Int origin, Int body) const;
    void write_hinge(const StepMoment& at, Int row, Int hinge, const Wrench& unit);

    std::vector<JointOwner> owner_;
    std::vector<Int> hinges_;
    Array<Point> com_;
    Array<ForceRow> row_;       // hinges, pins, contacts
};

}  // namespace mc
