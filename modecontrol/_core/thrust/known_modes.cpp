#include "thrust/known_modes.hpp"

namespace mc {

namespace {

// How far a row `a tau <= t` is moved out when its set is cut out, and up to where inputs are too near: a little less, so that the
// border of a cut is not, and never less than the margin.
struct Moved {
    double out, near;
};
Moved moved(const MotionFrame& frame, ConstVec a, double t, double margin) {
    double square = 0.0;
    for (Int j = 0; j < a.size; ++j) square += a[j] * a[j];
    const double clear = clearance(frame, a, t);
    const double out = larger(margin * std::sqrt(square) + 0.5 * clear, clear);
    return {out, out - 0.5 * clear};
}

double above(ConstVec a, double t, ConstVec x) {
    double value = -t;
    for (Int j = 0; j < a.size; ++j) value += a[j] * x[j];
    return value;
}

}  // namespace

Int KnownModes::add(const PackedMode& mode, Status status) {
    modes_.push_back(std::make_unique<Known>(Known{{}, mode, status, nullptr}));
    return size() - 1;
}

Int KnownModes::add(Packed&& one) {
    patience.spend(Int(tolerances::MODE_SET_UP));
    auto made = std::make_unique<Known>(Known{std::move(one), {}, UNDECIDED, nullptr});
    const PackedView view = view_of(made->own);
    made->mode = mode_of(view, 0);
    made->status = Status(view.of(0).status);
    modes_.push_back(std::move(made));
    return size() - 1;
}

Relation KnownModes::against(Int mine, Int other, bool with_margin) {
    Known &c = *modes_[mine], &its = *modes_[other];
    if (c.status != OPTIMAL || its.status != OPTIMAL) return Relation::UNKNOWN;
    const auto known = motions_.find({mine, other});
    Relation found = known != motions_.end() ? known->second : Relation::UNKNOWN;
    if (known == motions_.end()) {
        if (!c.motions) c.motions = std::make_unique<MotionSet>(frame_, c.mode, &patience);
        found = motions_[{mine, other}] = relation(frame_, *c.motions, torques(c.mode), its.mode, &patience);
    }
    if (found == Relation::CLASH || found == Relation::UNKNOWN || !with_margin) return found;
    const auto place = inside_.find({mine, other});
    if (place != inside_.end()) return place->second;
    return inside_[{mine, other}] = within_torques(frame_, torques(c.mode), torques(its.mode), &patience);
}

bool KnownModes::too_near(Int other, double margin, ConstVec x) const {
    const PackedMode& its = modes_[other]->mode;
    for (Int i = 0; i < its.t.size; ++i) {
        const double near = moved(frame_, its.T.row(i), its.t[i], margin).near;
        if (above(its.T.row(i), its.t[i], x) >= near && near > 0.0) return false;
    }
    for (Int i = 0; i < its.h.size; ++i) {
        const double near = moved(frame_, its.H.row(i), its.h[i], margin).near;
        if (std::abs(above(its.H.row(i), its.h[i], x)) >= near && near > 0.0) return false;
    }
    return true;
}

InputSet KnownModes::kept_off(Int other, double margin) const {
    const PackedMode& its = modes_[other]->mode;
    const Int m = its.t.size, p = its.h.size, inputs = its.U.cols;
    const InputSet made{Grid<double>(m + 2 * p, inputs), Array<double>(m + 2 * p)};
    for (Int i = 0; i < m + 2 * p; ++i) {
        const bool loose = i < m;
        const Int at = loose ? i : (i - m) / 2;
        const ConstVec a = loose ? its.T.row(at) : its.H.row(at);
        const double level = loose ? its.t[at] : its.h[at], sign = loose || (i - m) % 2 == 0 ? 1.0 : -1.0;
        for (Int j = 0; j < inputs; ++j) made.Q(i, j) = sign * a[j];
        made.q[i] = sign * level + moved(frame_, a, level, margin).out;
    }
    return made;
}

}  // namespace mc
