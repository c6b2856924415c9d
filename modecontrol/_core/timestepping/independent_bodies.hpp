// Formulation `nmc/os`: every body on its own, hinges as bilateral rows (Jain 2014, section 8).
//
//     V+ = V_free + M^-1 (T^T lam + G^T lam' + J^T p)         M block diagonal: 1/I, 1/m, 1/m of each body
//     rows of hinges `T`, pins `G`, contacts `J`:   u = rows V+        L = rows M^-1 rows^T
//
// `L` has two rows for each hinge and is mostly zeros, but every solver for it works on the dense matrix. Two are offered by
// `contact_problem.hpp`: Cholesky's method takes the bilateral rows out, knowing that they are symmetric and definite; a
// pivoting solver that does not is handed the whole mixed problem, as the published comparison did. What remains for the
// contacts is the same small problem as in `os`.
#pragma once

#include "timestepping/response.hpp"

namespace mc {

// Which body a coordinate moves, and which is below its joint (-1 the world); bodies are called by their nodes.
struct JointOwner {
    Int body = WORLD, below = WORLD;
};

class IndependentBodies final : public Response {
public:
    // `hinges`: nodes whose joint has one freedom and so two locked directions.
    IndependentBodies(std::vector<JointOwner> owner, std::vector<Int> hinges);

    Int hinges() const override { return 2 * Int(hinges_.size()); }
    void make_room(Int rows) override { row_ = Array<ForceRow>(hinges() + rows); }
    Int free_motion(const StepMoment& at) override;
    void condense(const StepMoment& at, Vec u, Mat L) override;
    void apply(const StepMoment& at, ConstVec p, Vec v_plus) override;

private:
    // 1/I, 1/m of a body, its centre of mass from its origin (world axes), its velocity there.
    struct Body {
        double by_inertia, by_mass;
        Point com;
        Twist V;
    };

    Int free_bodies(const StepMoment& at);
    void add_joint_forces(const StepMoment& at);
    Wrench joint_force(const StepMoment& at, Int coordinate, Int body) const;
    Point lever(const StepMoment& at, Int origin, Int body) const;
    void write_row(const StepMoment& at, Int row, Int hinge, const Wrench& unit);
    void write_rows(const StepMoment& at);
    void add_impulse(const ForceRow& row, double p);

    std::vector<JointOwner> owner_;
    std::vector<Int> hinges_;
    Array<Body> body_;
    Array<ForceRow> row_;       // hinges, pins, contacts; wrenches about centres of mass
};

}  // namespace mc
