// Velocities that stay unknowns of the contact problem: those of the joints (`mc`) or of the bodies (`nmc`).
//
//     W (x+ - x) = r + G^T lam + J^T p        known = W x + r        G: joints, then closures        v+ = read x+
#pragma once

#include <vector>

#include "dynamics/tree.hpp"
#include "timestepping/body_rows.hpp"

namespace mc {

class KeptUnknowns {
public:
    virtual ~KeptUnknowns() = default;

    virtual Int size() const = 0;
    virtual Int joints() const = 0;
    // Rows of joints that are constraints of these unknowns.
    virtual Int hinges() const { return 0; }
    virtual void make_room(Int rows) = 0;

    // `W`, `known`, and the rows of hinges, closures and contacts, one below the other.
    virtual void write(const StepMoment& at, Mat W, Vec known, Mat rows) = 0;

    // Joint velocities of the unknowns, and the same transposed: the unknowns' forces of joint forces.
    virtual void read(ConstVec x, Vec v) const = 0;
    virtual void read_back(ConstVec f, Vec x) const = 0;
};

// Eq. (36) of Jain 2014: the unknowns are the joint velocities.
class JointUnknowns final : public KeptUnknowns {
public:
    explicit JointUnknowns(Int n) : implicit_(n), composite_(n), carried_(0) {}

    Int size() const override { return composite_.size; }
    Int joints() const override { return composite_.size; }
    void make_room(Int) override {}
    void write(const StepMoment& at, Mat W, Vec known, Mat rows) override;
    void read(ConstVec x, Vec v) const override;
    void read_back(ConstVec f, Vec x) const override { read(f, x); }

private:
    ImplicitTerms implicit_;
    Array<RigidInertia> composite_;
    Array<Braking> carried_;
};

// Eq. (27): turning and velocity of the centre of mass of every body; bodies may have no mass.
class BodyUnknowns final : public KeptUnknowns {
public:
    BodyUnknowns(std::vector<JointOwner> owner, std::vector<Int> hinges);

    Int size() const override { return 3 * bodies_; }
    Int joints() const override { return rows_.coordinates(); }
    Int hinges() const override { return rows_.hinges(); }
    void make_room(Int rows) override;
    void write(const StepMoment& at, Mat W, Vec known, Mat rows) override;
    void read(ConstVec x, Vec v) const override;
    void read_back(ConstVec f, Vec x) const override;

    // The node of the body that an unknown belongs to.
    Int body_of(Int unknown) const;

private:
    void write_bodies(const StepMoment& at, Mat W, Vec known);
    void brake_bodies(const StepMoment& at, Mat W);
    void add_joints(const StepMoment& at, Mat W, Vec known);
    void write_rows(const StepMoment& at, Mat rows);

    BodyRows rows_;
    Int bodies_ = 0;
    std::vector<Int> place_;        // of a body's unknowns, per node
    Array<Braking> braking_;
    Grid<double> read_;             // joint velocities of the bodies' velocities
    Array<double> v_, Q_;
    Grid<double> expanded_;
};

}  // namespace mc
