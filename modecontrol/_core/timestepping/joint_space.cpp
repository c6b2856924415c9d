#include "timestepping/joint_space.hpp"

#include "tolerances.hpp"

namespace mc {

void expand(const Mechanism& mechanism, View<const Pose> pose, View<const ForceRow> rows, Mat J) {
    for (Int r = 0; r < rows.size; ++r) {
        const Vec row = J.row(r);
        row.fill(0.0);
        for (Int side = 0; side < rows[r].ends; ++side) {
            Int k = rows[r].node[side];
            if (k < 0) continue;
            Wrench w = rows[r].force[side];
            double x = pose[k].rx, y = pose[k].ry;
            for (; k >= 0; k = mechanism.nodes[k].parent) {
                w.moment += (x - pose[k].rx) * w.fy - (y - pose[k].ry) * w.fx;
                x = pose[k].rx;
                y = pose[k].ry;
                const double before = row[k], added = along_joint(mechanism.nodes[k], pose[k], w);
                // what moves both ends of a row alike does not move it: the rest is rounding
                const bool alike = std::fabs(before + added) <= tolerances::FEW * (std::fabs(before) + std::fabs(added));
                row[k] = alike ? 0.0 : before + added;
            }
        }
    }
}

// Row by row, so that the inner loop runs along rows of the matrix and is vectorised.
Int cholesky(Mat M, ConstVec added) {
    const Int n = M.rows;
    for (Int i = 0; i < n; ++i) {
        M(i, i) += added[i];
        M(i, 0) = M(i, i);      // the lower triangle is free: keeps the diagonal for the test below
    }
    for (Int k = 0; k < n; ++k) {
        if (!(M(k, k) > tolerances::SINGULAR * M(k, 0))) return k;
        const double root = std::sqrt(M(k, k));
        const Vec pivot = M.row(k);
        for (Int j = k; j < n; ++j) pivot[j] /= root;
        for (Int i = k + 1; i < n; ++i) {
            const double f = pivot[i];
            if (f == 0.0) continue;
            const Vec row = M.row(i);
            for (Int j = i; j < n; ++j) row[j] -= f * pivot[j];
        }
    }
    return -1;
}

void cholesky_solve(ConstMat U, Vec x) {
    const Int n = U.rows;
    for (Int k = 0; k < n; ++k) {
        const ConstVec row = U.row(k);
        x[k] /= row[k];
        const double f = x[k];
        for (Int j = k + 1; j < n; ++j) x[j] -= f * row[j];
    }
    for (Int k = n - 1; k >= 0; --k) {
        const ConstVec row = U.row(k);
        double value = x[k];
        for (Int j = k + 1; j < n; ++j) value -= row[j] * x[j];
        x[k] = value / row[k];
    }
}

void JointSpaceResponse::make_room(Int rows) {
    J_ = Grid<double>(rows, v_free_.size);
    X_ = Grid<double>(rows + 1, v_free_.size);
}

Int JointSpaceResponse::free_motion(const StepMoment& at) {
    const Int n = v_free_.size, R = at.rows.size();
    expand(at.scene.mechanism, at.bodies.pose, at.rows.all(), J_);
    const Vec r = X_.row(0);
    known_impulse(at, implicit_, r);
    for (Int row = 0; at.decompression && row < R; ++row)
        for (Int i = 0; i < n; ++i) r[i] += at.rows.push[row] * J_(row, i);
    const Int bad = solve(at);
    if (bad >= 0) return bad;
    for (Int i = 0; i < n; ++i) v_free_[i] = at.state.v[i] + X_(0, i);
    return -1;
}

void JointSpaceResponse::condense(const StepMoment& at, Vec u, Mat L) {
    const Int n = v_free_.size, R = at.rows.size();
    for (Int r = 0; r < R; ++r) {
        double value = 0.0;
        for (Int i = 0; i < n; ++i) value += J_(r, i) * v_free_[i];
        u[r] = value;
        for (Int s = 0; s <= r; ++s) {
            double sum = 0.0;
            for (Int i = 0; i < n; ++i) sum += J_(r, i) * X_(1 + s, i);
            L(r, s) = L(s, r) = sum;
        }
    }
}

void JointSpaceResponse::apply(const StepMoment& at, ConstVec p, Vec v_plus) {
    const Int n = v_free_.size;
    for (Int i = 0; i < n; ++i) v_plus[i] = v_free_[i];
    for (Int r = 0; r < at.rows.size(); ++r)
        for (Int i = 0; p[r] != 0.0 && i < n; ++i) v_plus[i] += p[r] * X_(1 + r, i);
}

Int DenseResponse::solve(const StepMoment& at) {
    M_.fill(0.0);
    mass_matrix(at.scene.mechanism, at.bodies.pose, composite_, M_);
    if (implicit_.braking.size > 0) {
        fit(carried_, M_.rows);
        add_braking(at.scene.mechanism, at.bodies.pose, implicit_.braking, carried_, M_);
    }
    const Int bad = cholesky(M_, implicit_.added);
    if (bad >= 0) return bad;
    for (Int r = 0; r < at.rows.size(); ++r)
        for (Int i = 0; i < M_.rows; ++i) X_(1 + r, i) = J_(r, i);
    for (Int r = 0; r <= at.rows.size(); ++r) cholesky_solve(M_, X_.row(r));
    return -1;
}

Int DivideConquerResponse::solve(const StepMoment& at) {
    const Int bad = assemble(at.scene.mechanism, at.bodies.pose, implicit_.added, work_, 1, implicit_.braking);
    if (bad >= 0) return bad;
    for (Int i = 0; i < r_.size; ++i) r_[i] = X_(0, i);
    substitute(r_, work_, X_.row(0));
    for (Int r = 0; r < at.rows.size(); ++r) substitute(J_.row(r), work_, X_.row(1 + r));
    return -1;
}

}  // namespace mc
