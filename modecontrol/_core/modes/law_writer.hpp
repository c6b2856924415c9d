// The rows that laws of contact are written of: no force, the cone of friction, sliding, limits of a joint.
#pragma once

#include "modes/laws.hpp"

namespace mc {

// Writes a law row by row; the relaxation comes first, then the cells in alphabetical order.
struct Writer {
    Law law;
    Int rows = 0;

    void cell(Letter letter) {
        MC_REQUIRE(law.count < Law::MOST_CELLS);
        law.cells[law.count++] = {letter, rows, rows};
    }
    LawRow& add(const LawRow& row) {
        MC_REQUIRE(rows < Law::MOST_ROWS);
        law.rows[rows] = row;
        ++rows;
        (law.count > 0 ? law.cells[law.count - 1].to : law.relaxed) = rows;
        return law.rows[rows - 1];
    }
    LawRow& acceleration(double normal, double tangent, Cause cause) {
        LawRow row;
        row.a_n = normal, row.a_t = tangent, row.cause = cause;
        return add(row);
    }
    LawRow& force(double normal, double tangent, Cause cause) {
        LawRow row;
        row.f_n = normal, row.f_t = tangent, row.cause = cause;
        return add(row);
    }

    // `mu (f_n + pull) + side f_t`, divided by `mu` where that is beyond one: a steep cone has coefficients up to one like a flat one.
    LawRow& edge(double mu, double side, double pull, Cause cause) {
        const double size = larger(mu, 1.0);
        LawRow& row = force(mu / size, side / size, cause);
        row.constant = mu / size * pull;
        return row;
    }
    // `abs(f_t) <= mu (f_n + pull)`, against both ways or against sliding one way only; without friction, or without one of the two,
    // the normal force needs a row of its own.
    void cone(double mu, double pull, int way) {
        LawRow& normal = force(1.0, 0.0, Cause::NORMAL_FORCE);
        normal.implied = mu > 0.0 && way == 0, normal.constant = pull;
        if (way <= 0) edge(mu, -1.0, pull, Cause::FRICTION_POSITIVE);
        if (way >= 0) edge(mu, 1.0, pull, Cause::FRICTION_NEGATIVE);
    }
    // Friction against sliding to the right (`way` 1) or left (-1): `lo (f_n + pull) <= -way f_t <= hi (f_n + pull)`.
    void sliding(const LawNumbers& law, double way, bool shared) {
        const double lo = law.lo, hi = law.hi, pull = law.pull;
        if (lo == hi) {
            LawRow& row = edge(lo, way, pull, Cause::SLIDING_FRICTION);
            if (way < 0.0) row.f_n = -row.f_n, row.f_t = -row.f_t, row.constant = -row.constant;
            row.equality = true, row.shared = shared;
        }
        presses(lo, way, pull).implied = lo < hi;
        if (lo < hi) {
            edge(hi, way, pull, way > 0.0 ? Cause::FRICTION_NEGATIVE : Cause::FRICTION_POSITIVE);
            LawRow& least = edge(lo, way, pull, way > 0.0 ? Cause::FRICTION_POSITIVE : Cause::FRICTION_NEGATIVE);
            least.f_n = -least.f_n, least.f_t = -least.f_t, least.constant = -least.constant;
        }
    }
    // The force on the ray `(1, -way mu)` of a sliding contact points away from the surface. Where the ray is steep that is said by
    // the tangential force, which is the greater one.
    LawRow& presses(double mu, double way, double pull) {
        const double size = larger(mu, 1.0);
        LawRow& row = force(1.0 / size, -way * (1.0 - 1.0 / (size * size)) + 0.0, Cause::NORMAL_FORCE);
        row.constant = pull / size;
        return row;
    }
    // The normal force is `-pull`, the tangential one zero.
    void no_force(bool shared, double pull = 0.0) {
        LawRow& normal = force(1.0, 0.0, pull > 0.0 ? Cause::LETS_GO : Cause::NO_NORMAL_FORCE);
        normal.equality = true, normal.shared = shared, normal.constant = pull;
        no_tangential_force(shared);
    }
    void no_tangential_force(bool shared) {
        LawRow& tangent = force(0.0, 1.0, Cause::NO_TANGENTIAL_FORCE);
        tangent.equality = true, tangent.shared = shared;
    }
    void no_normal_force() {
        LawRow& normal = force(1.0, 0.0, Cause::NO_NORMAL_FORCE);
        normal.equality = normal.shared = true;
    }
    void fixed(const LawNumbers& law) {
        cell(FIXED);
        acceleration(1.0, 0.0, Cause::STAYS).equality = true;
        acceleration(0.0, 1.0, Cause::STICKS).equality = true;
        cone(law.hold > law.hi ? law.hold : law.hi, law.pull, law.way);
    }
    void slides(Letter letter, const LawNumbers& law, ContactState state) {
        const double way = letter == RIGHT ? 1.0 : -1.0;
        cell(letter);
        acceleration(1.0, 0.0, Cause::STAYS).equality = true;
        sliding(law, way, state == ContactState::SLIDES_LEFT || state == ContactState::SLIDES_RIGHT);
        if (state == ContactState::AT_REST) acceleration(0.0, way, Cause::SLIDES).strict = true;
    }
    // `least <= f_t <= most`; a limit that is infinite has no row.
    void limits(const LawNumbers& law) {
        if (law.most < INF) force(0.0, -1.0, Cause::FRICTION_POSITIVE).constant = law.most;
        if (law.least > -INF) force(0.0, 1.0, Cause::FRICTION_NEGATIVE).constant = -law.least;
    }
    // A dry joint that moves: friction is what it is, and all that it may be where the velocity says so (`shared`).
    void brakes(double way, const LawNumbers& law, bool shared) {
        LawRow& row = force(0.0, 1.0, Cause::SLIDING_FRICTION);
        row.equality = true, row.shared = shared, row.constant = way > 0.0 ? -law.least : -law.most;
    }
};

}  // namespace mc
