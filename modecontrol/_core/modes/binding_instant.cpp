#include "modes/given_instant.hpp"

#include "tolerances.hpp"

namespace mc::py {

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;

namespace {

// Products of larger numbers leave the range of double precision; NaN fails, too.
template <class Array> void within_range(const Array& a, const char* name) {
    for (size_t i = 0; i < a.size(); ++i)
        require(std::abs(a.data()[i]) <= tolerances::LARGEST, "the instant's ", name, " holds ", a.data()[i],
                "; expected finite numbers up to ", tolerances::LARGEST, ": are its velocities or parameters extreme?");
}

}  // namespace

std::vector<LawNumbers> law_numbers(nb::tuple friction, size_t contacts) {
    if (friction.size() != 2 && friction.size() != 9)
        throw nb::value_error("expected friction (lo, hi) or (lo, hi, kind, hold, pull, way, least, most, host)");
    const auto column = [&](size_t i) {
        const auto found = nb::cast<A1>(friction[i]);
        if (found.shape(0) != contacts) throw nb::value_error("friction and states need one entry for each contact");
        return found;
    };
    const auto codes = [&](size_t i) {
        const auto found = nb::cast<Given<std::int8_t, 1>>(friction[i]);
        if (found.shape(0) != contacts) throw nb::value_error("friction and states need one entry for each contact");
        return found;
    };
    std::vector<LawNumbers> made(contacts);
    const A1 lo = column(0), hi = column(1);
    within_range(lo, "friction"), within_range(hi, "friction");
    for (size_t i = 0; i < contacts; ++i) {
        made[i].lo = lo.data()[i], made[i].hi = hi.data()[i];
        require(0.0 <= made[i].lo && made[i].lo <= made[i].hi, "a contact has friction that is not 0 <= lo <= hi");
    }
    if (friction.size() == 2) return made;
    const auto kind = codes(2), way = codes(5);
    const A1 hold = column(3), pull = column(4), least = column(6), most = column(7);
    const auto host = nb::cast<Given<Int, 1>>(friction[8]);
    if (host.shape(0) != contacts) throw nb::value_error("friction and states need one entry for each contact");
    within_range(hold, "friction"), within_range(pull, "pull");
    for (size_t i = 0; i < contacts; ++i) {
        LawNumbers& law = made[i];
        if (!is_law(kind.data()[i]) || way.data()[i] < -1 || way.data()[i] > 1) throw nb::value_error("a contact has no such law");
        law.kind = LawKind(kind.data()[i]), law.way = way.data()[i];
        law.hold = hold.data()[i], law.pull = pull.data()[i], law.least = least.data()[i], law.most = most.data()[i];
        law.host = host.data()[i];
        require(law.hold >= 0.0 && law.pull >= 0.0 && law.least <= law.most, "a law has numbers that it cannot have");
        const bool led = law.host >= 0 && law.host < Int(contacts) && made[size_t(law.host)].kind == LawKind::COULOMB;
        require(law.kind == LawKind::ROLLING ? led : law.host == -1, "resistance to rolling, and nothing else, has a contact as its host");
    }
    return made;
}

GivenInstant::GivenInstant(nb::tuple dynamics, nb::tuple friction, Given<std::int8_t, 1> states, nb::tuple rows,
                           nb::object letters, double still)
    : still_(still) {
    if (!(still >= 0.0)) throw nb::value_error("still must not be negative");
    if (dynamics.size() != 7 || rows.size() != 4)
        throw nb::value_error("expected dynamics (M, b, S, J, d, G, e) and rows (P, p, equality, physical)");
    M_ = nb::cast<A2>(dynamics[0]), b_ = nb::cast<A1>(dynamics[1]), S_ = nb::cast<A2>(dynamics[2]);
    J_ = nb::cast<A2>(dynamics[3]), d_ = nb::cast<A1>(dynamics[4]), G_ = nb::cast<A2>(dynamics[5]);
    e_ = nb::cast<A1>(dynamics[6]);
    const size_t n = M_.shape(0), k = J_.shape(0) / 2;
    if (M_.shape(1) != n || b_.shape(0) != n || S_.shape(0) != n || J_.shape(1) != n || G_.shape(1) != n ||
        J_.shape(0) % 2 != 0 || d_.shape(0) != J_.shape(0) || e_.shape(0) != G_.shape(0))
        throw nb::value_error("shapes of M, b, S, J, d, G, e do not agree");
    within_range(M_, "mass"), within_range(b_, "bias"), within_range(S_, "actuation"), within_range(J_, "jacobian");
    within_range(d_, "drift"), within_range(G_, "loop_jacobian"), within_range(e_, "loop_drift");
    const std::vector<LawNumbers> numbers = law_numbers(friction, k);
    if (states.shape(0) != k) throw nb::value_error("friction and states need one entry for each contact");
    P_ = nb::cast<A2>(rows[0]), p_ = nb::cast<A1>(rows[1]), equality_ = nb::cast<Given<bool, 1>>(rows[2]);
    physical_ = nb::cast<Int>(rows[3]);
    if (P_.shape(0) != p_.shape(0) || equality_.shape(0) != p_.shape(0) || P_.shape(1) != n + 2 * k + S_.shape(1) ||
        physical_ < 0 || physical_ > Int(p_.shape(0)))
        throw nb::value_error("shapes of P, p, equality do not agree with the instant");
    within_range(P_, "constraint"), within_range(p_, "constraint");
    laws_.reserve(k);
    for (size_t i = 0; i < k; ++i) {
        const int code = states.data()[i];
        if (!is_state(code)) throw nb::value_error("a contact has no such state, or friction that is not 0 <= lo <= hi");
        laws_.push_back(law_of(numbers[i], ContactState(code)));
    }
    if (letters.is_none()) return;
    const auto only = nb::cast<Given<Letter, 1>>(letters);
    if (only.shape(0) != k) throw nb::value_error("letters need one entry for each contact");
    for (size_t i = 0; i < k; ++i) laws_[i].keep(only.data()[i]);
}

Instant GivenInstant::view() const {
    return {{table(M_), py::view(b_), table(S_), table(J_), py::view(d_), table(G_), py::view(e_)},
            {laws_.data(), Int(laws_.size())},
            {table(P_), py::view(p_), py::view(equality_), physical_}, still_};
}

}  // namespace mc::py
