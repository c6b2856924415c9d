#include "thrust/pieces.hpp"

#include <algorithm>
#include <cmath>

namespace mc {

Linear within(const PackedMode& mode, ConstVec row, double constant) {
    const Int inputs = mode.U.cols, w = mode.W.cols, unknowns = row.size - inputs;
    Linear made{std::vector<double>(inputs + w), constant};
    double whole = std::abs(constant);
    for (Int r = 0; r < unknowns; ++r) {
        made.constant += row[r] * mode.constant[r];
        whole += std::abs(row[r] * mode.constant[r]);
    }
    if (!(std::abs(made.constant) > tolerances::PIVOT * whole)) made.constant = 0.0;
    for (Int j = 0; j < inputs + w; ++j) {
        double total = j < inputs ? row[unknowns + j] : 0.0, size = std::abs(total);
        for (Int r = 0; r < unknowns; ++r) {
            const double share = row[r] * (j < inputs ? mode.U(r, j) : mode.W(r, j - inputs));
            total += share;
            size += std::abs(share);
        }
        made.g[j] = std::abs(total) > tolerances::PIVOT * size ? total : 0.0;
    }
    return made;
}

double clearance(const MotionFrame& frame, ConstVec a, double t) {
    double natural = std::abs(t);
    for (Int j = 0; j < a.size; ++j) natural = larger(natural, std::abs(a[j]) * frame.tau_units[j]);
    return tolerances::CLEAR * natural;
}

void Cuts::tighten(const MotionFrame& frame) {
    for (Int i = 0; i < count(); ++i) {
        double* const row = rows.data() + i * (inputs + 1);
        const double part = 0.1 * (0.5 + std::fmod(0.618 * double(i + 1), 1.0));
        row[inputs] -= part * clearance(frame, {row, inputs}, row[inputs]);
    }
}

void PiecePrograms::reserve(Int rows, Int equalities, Int width) {
    if (ws_ && rows <= rows_ && equalities <= equalities_ && width <= width_) return;
    rows_ = std::max(2 * rows, rows_), equalities_ = std::max(equalities + 4, equalities_), width_ = std::max(width + 2, width_);
    ws_ = std::make_unique<Workspace>(rows_, equalities_, width_);
    ws_->patience = patience_;
    A_.resize(rows_ * width_), b_.resize(rows_), C_.resize(equalities_ * width_), e_.resize(equalities_), cost_.resize(width_);
}

// Pose a program in natural units and give its point in true ones; the variables are those of a mode from number `from` on.
Answer PiecePrograms::solve(ConstVec cost, const Mat& A, ConstVec b, const Mat& C, ConstVec e, Int from) {
    const Vec natural{cost_.data(), cost.size};
    for (Int j = 0; j < cost.size; ++j) {
        natural[j] = cost[j] * unit(from + j);
        for (Int i = 0; i < b.size; ++i) A(i, j) *= unit(from + j);
        for (Int i = 0; i < e.size; ++i) C(i, j) *= unit(from + j);
    }
    patience_->spend(Int(tolerances::WORKSPACE_SET_UP));
    const Rows set{A.part(0, b.size), b, C.part(0, e.size), e};
    const Answer answer = solve_into(*ws_, natural, set);
    if (answer.status != UNDECIDED) {
        for (Int j = 0; j < cost.size; ++j) ws_->x[j] *= unit(from + j);
        return answer;
    }
    for (Int j = 0; j < cost.size; ++j) {  // at the edge of rounding the user's units may show more
        for (Int i = 0; i < b.size; ++i) A(i, j) /= unit(from + j);
        for (Int i = 0; i < e.size; ++i) C(i, j) /= unit(from + j);
    }
    return solve_into(*ws_, cost, set);
}

Answer PiecePrograms::greatest(const PackedMode& mode, const Wishes& task, const Cuts& cuts, const Linear& goal) {
    const Int inputs = mode.U.cols, width = mode.A.cols;
    reserve(mode.b.size + task.p.size + cuts.count(), mode.e.size + task.p.size, width);
    const Mat A{A_.data(), rows_, width}, C{C_.data(), equalities_, width};
    const Vec b{b_.data(), rows_}, e{e_.data(), equalities_};
    Int m = 0, p = 0;
    for (; m < mode.b.size; ++m) {
        b[m] = mode.b[m];
        for (Int j = 0; j < width; ++j) A(m, j) = mode.A(m, j);
    }
    for (; p < mode.e.size; ++p) {
        e[p] = mode.e[p];
        for (Int j = 0; j < width; ++j) C(p, j) = mode.C(p, j);
    }
    for (Int i = 0; i < task.p.size; ++i) {
        const Linear wish = within(mode, task.P.row(i), -task.p[i]);
        for (Int j = 0; j < width; ++j) (task.tied[i] ? C(p, j) : A(m, j)) = task.tied[i] ? wish.g[j] : -wish.g[j];
        if (task.tied[i])
            e[p++] = -wish.constant;
        else
            b[m++] = wish.constant;
    }
    const ConstMat fence = cuts.table();
    for (Int i = 0; i < fence.rows; ++i, ++m) {
        b[m] = fence(i, inputs);
        for (Int j = 0; j < width; ++j) A(m, j) = j < inputs ? fence(i, j) : 0.0;
    }
    const auto [status, value] = solve(goal.row(), A, b.part(0, m), C, e.part(0, p), 0);
    return {status, value + goal.constant};
}

Answer PiecePrograms::least_over_w(const PackedMode& mode, ConstVec x, const Linear& value) {
    const Int inputs = mode.U.cols, w = mode.W.cols, m = mode.b.size;
    reserve(m, mode.e.size, w);
    const Mat A{A_.data(), m, w}, C{C_.data(), mode.e.size, w};
    const Vec b{b_.data(), m}, e{e_.data(), mode.e.size};
    std::vector<double> loosened(m);
    for (Int i = 0; i < m; ++i) {
        double size = std::abs(mode.b[i]);
        b[i] = mode.b[i];
        for (Int j = 0; j < inputs; ++j) {
            b[i] -= mode.A(i, j) * x[j];
            size += std::abs(mode.A(i, j) * x[j]);
        }
        loosened[i] = tolerances::FEASIBLE * size;
        b[i] += loosened[i];
        for (Int j = 0; j < w; ++j) A(i, j) = mode.A(i, inputs + j);
    }
    Int p = 0;
    for (Int i = 0; i < mode.e.size; ++i) {
        bool depends = false;  // an equality of the inputs alone holds already
        for (Int j = 0; j < w; ++j) depends = depends || mode.C(i, inputs + j) != 0.0;
        if (!depends) continue;
        e[p] = mode.e[i];
        for (Int j = 0; j < inputs; ++j) e[p] -= mode.C(i, j) * x[j];
        for (Int j = 0; j < w; ++j) C(p, j) = mode.C(i, inputs + j);
        ++p;
    }
    std::vector<double> turned(w);
    for (Int j = 0; j < w; ++j) turned[j] = -value.g[inputs + j];
    const ConstVec cost{turned.data(), w};
    const auto [status, most] = solve(cost, A, b, C, e.part(0, p), inputs);
    double fixed = value.constant;
    for (Int j = 0; j < inputs; ++j) fixed += value.g[j] * x[j];
    // what the loosened rows gave away comes back with their multipliers: by duality still no more than the least value
    for (Int i = 0; i < m && status == OPTIMAL; ++i) fixed += ws_->y[i] * loosened[i];
    return {status, fixed - most};
}

}  // namespace mc
