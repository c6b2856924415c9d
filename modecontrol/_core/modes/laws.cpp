#include "modes/laws.hpp"

namespace mc {

namespace {

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

    // `abs(f_t) <= mu f_n`; without friction the normal force needs a row of its own.
    void cone(double mu) {
        force(1.0, 0.0, Cause::NORMAL_FORCE).implied = mu > 0.0;
        force(mu, -1.0, Cause::FRICTION_POSITIVE);
        force(mu, 1.0, Cause::FRICTION_NEGATIVE);
    }
    // Friction against sliding to the right (`way` 1) or left (-1): `lo f_n <= -way f_t <= hi f_n`.
    void sliding(double lo, double hi, double way, bool shared) {
        if (lo == hi) {
            LawRow& row = force(way * lo, 1.0, Cause::SLIDING_FRICTION);
            row.equality = true, row.shared = shared;
        }
        force(1.0, 0.0, Cause::NORMAL_FORCE).implied = lo < hi;
        if (lo < hi) {
            force(hi, way, way > 0.0 ? Cause::FRICTION_NEGATIVE : Cause::FRICTION_POSITIVE);
            force(-lo, -way, way > 0.0 ? Cause::FRICTION_POSITIVE : Cause::FRICTION_NEGATIVE);
        }
    }
    void no_force(bool shared) {
        LawRow& normal = force(1.0, 0.0, Cause::NO_NORMAL_FORCE);
        normal.equality = true, normal.shared = shared;
        LawRow& tangent = force(0.0, 1.0, Cause::NO_TANGENTIAL_FORCE);
        tangent.equality = true, tangent.shared = shared;
    }
    void fixed(double hi) {
        cell(FIXED);
        acceleration(1.0, 0.0, Cause::STAYS).equality = true;
        acceleration(0.0, 1.0, Cause::STICKS).equality = true;
        cone(hi);
    }
    void slides(Letter letter, double lo, double hi, ContactState state) {
        const double way = letter == RIGHT ? 1.0 : -1.0;
        cell(letter);
        acceleration(1.0, 0.0, Cause::STAYS).equality = true;
        sliding(lo, hi, way, state == ContactState::SLIDES_LEFT || state == ContactState::SLIDES_RIGHT);
        if (state == ContactState::AT_REST) acceleration(0.0, way, Cause::SLIDES).strict = true;
    }
};

}  // namespace

const char* word(Cause cause) {
    switch (cause) {
        case Cause::NORMAL_FORCE: return "normal force";
        case Cause::FRICTION_POSITIVE: return "friction";
        case Cause::FRICTION_NEGATIVE: return "friction";
        case Cause::SEPARATES: return "separates";
        case Cause::SLIDES: return "slides";
        case Cause::NO_NORMAL_FORCE: return "no normal force";
        case Cause::NO_TANGENTIAL_FORCE: return "no tangential force";
        case Cause::STAYS: return "stays on the surface";
        case Cause::STICKS: return "sticks";
        case Cause::SLIDING_FRICTION: return "sliding friction";
    }
    return "";
}

Law coulomb(double lo, double hi, ContactState state) {
    Writer made;
    if (state == ContactState::OPEN || state == ContactState::LEAVING) {
        made.no_force(true);
        made.cell(SEPARATE);
        made.no_force(true);
        return made.law;
    }
    const bool left = state == ContactState::SLIDES_LEFT, right = state == ContactState::SLIDES_RIGHT;
    made.acceleration(1.0, 0.0, Cause::SEPARATES);
    if (left || right) {
        made.sliding(lo, hi, right ? 1.0 : -1.0, true);
    } else {
        made.cone(hi);
        made.fixed(hi);
    }
    if (!right) made.slides(LEFT, lo, hi, state);
    if (!left) made.slides(RIGHT, lo, hi, state);
    made.cell(SEPARATE);
    made.no_force(false);
    made.acceleration(1.0, 0.0, Cause::SEPARATES).strict = true;
    return made.law;
}

Law held_against(double way) {
    Writer made;
    made.acceleration(1.0, 0.0, Cause::SEPARATES);
    made.cell(FIXED);
    made.acceleration(1.0, 0.0, Cause::STAYS).equality = true;
    made.acceleration(0.0, 1.0, Cause::STICKS).equality = true;
    made.force(1.0, 0.0, Cause::NORMAL_FORCE);
    made.force(0.0, -way, Cause::SLIDING_FRICTION);
    return made.law;
}

Int Law::find(Letter letter) const {
    for (Int i = 0; i < count; ++i)
        if (cells[i].letter == letter) return i;
    return -1;
}

void Law::keep(Letter letter) {
    const Int at = find(letter);
    if (at >= 0) cells[0] = cells[at];
    count = at >= 0 ? 1 : 0;
}

void scale_constants(Law& law, double unit, double size) {
    for (LawRow& row : law.rows) {
        if (row.constant != 0.0)
            row.constant = row.on_forces() ? row.constant / (unit * size) : row.constant * unit / size;
    }
}

}  // namespace mc
