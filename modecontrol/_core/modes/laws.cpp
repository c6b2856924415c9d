#include "modes/law_writer.hpp"

#include <initializer_list>

namespace mc {

namespace {

bool slides_already(ContactState state) { return state == ContactState::SLIDES_LEFT || state == ContactState::SLIDES_RIGHT; }
bool is_apart(ContactState state) { return state == ContactState::OPEN || state == ContactState::LEAVING; }

// Only S, without a force.
Law apart() {
    Writer made;
    made.no_force(true);
    made.cell(SEPARATE);
    made.no_force(true);
    return made.law;
}

Law one_sided(ContactState state) {
    if (is_apart(state)) return apart();
    Writer made;
    made.acceleration(1.0, 0.0, Cause::SEPARATES);
    made.force(1.0, 0.0, Cause::NORMAL_FORCE);
    made.no_tangential_force(true);
    made.cell(FIXED);
    made.acceleration(1.0, 0.0, Cause::STAYS).equality = true;
    made.force(1.0, 0.0, Cause::NORMAL_FORCE);
    made.no_tangential_force(true);
    made.cell(SEPARATE);
    LawRow& none = made.force(1.0, 0.0, Cause::NO_NORMAL_FORCE);
    none.equality = true;
    made.no_tangential_force(true);
    made.acceleration(1.0, 0.0, Cause::SEPARATES).strict = true;
    return made.law;
}

Law dry(const LawNumbers& law, ContactState state) {
    Writer made;
    const bool moving = slides_already(state), rest = state == ContactState::AT_REST;
    made.no_normal_force();
    if (moving) made.brakes(state == ContactState::SLIDES_RIGHT ? 1.0 : -1.0, law, true);
    else made.limits(law);
    if (!moving) {
        made.cell(FIXED);
        made.no_normal_force();
        made.acceleration(0.0, 1.0, Cause::STICKS).equality = true;
        made.limits(law);
    }
    for (const Letter letter : {LEFT, RIGHT}) {
        const double way = letter == RIGHT ? 1.0 : -1.0;
        if (moving && (letter == RIGHT) != (state == ContactState::SLIDES_RIGHT)) continue;
        made.cell(letter);
        made.no_normal_force();
        made.brakes(way, law, moving);
        if (rest) made.acceleration(0.0, way, Cause::SLIDES).strict = true;
    }
    return made.law;
}

// A moment that the normal force of the host bounds; that force cannot be less than `-pull`, as the host itself demands.
Law rolling(const LawNumbers& law, ContactState state) {
    if (is_apart(state)) return apart();
    Writer made;
    const bool moving = slides_already(state), rest = state == ContactState::AT_REST;
    const auto held = [&] {
        made.force(law.most, -1.0, Cause::FRICTION_POSITIVE).constant = law.most * law.pull;
        made.force(law.most, 1.0, Cause::FRICTION_NEGATIVE).constant = law.most * law.pull;
    };
    const auto resists = [&](double way) {
        LawRow& row = made.force(way * law.most, 1.0, Cause::SLIDING_FRICTION);
        row.equality = true, row.shared = moving, row.constant = way * law.most * law.pull;
    };
    if (moving) resists(state == ContactState::SLIDES_RIGHT ? 1.0 : -1.0);
    else held();
    if (!moving) {
        made.cell(FIXED);
        made.acceleration(0.0, 1.0, Cause::STICKS).equality = true;
        held();
    }
    for (const Letter letter : {LEFT, RIGHT}) {
        const double way = letter == RIGHT ? 1.0 : -1.0;
        if (moving && (letter == RIGHT) != (state == ContactState::SLIDES_RIGHT)) continue;
        made.cell(letter);
        resists(way);
        if (rest) made.acceleration(0.0, way, Cause::SLIDES).strict = true;
    }
    return made.law;
}

Law driven(const LawNumbers& law) {
    Writer made;
    const auto both = [&] {
        made.no_normal_force();
        made.limits(law);
    };
    both();
    made.cell(FIXED);
    both();
    made.acceleration(0.0, 1.0, Cause::STICKS).equality = true;
    return made.law;
}

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
        case Cause::LETS_GO: return "lets go";
    }
    return "";
}

static Law touching(const LawNumbers& law, ContactState state) {
    if (is_apart(state)) return apart();
    Writer made;
    const bool left = state == ContactState::SLIDES_LEFT, right = state == ContactState::SLIDES_RIGHT;
    made.acceleration(1.0, 0.0, Cause::SEPARATES);
    if (left || right) {
        made.sliding(law, right ? 1.0 : -1.0, true);
    } else {
        made.cone(law.hold > law.hi ? law.hold : law.hi, law.pull, law.way);
        made.fixed(law);
    }
    if (!right && law.way <= 0) made.slides(LEFT, law, state);
    if (!left && law.way >= 0) made.slides(RIGHT, law, state);
    made.cell(SEPARATE);
    made.no_force(false, law.pull);
    made.acceleration(1.0, 0.0, Cause::SEPARATES).strict = true;
    return made.law;
}

Law law_of(const LawNumbers& numbers, ContactState state) {
    Law made;
    switch (numbers.kind) {
        case LawKind::ONE_SIDED: made = one_sided(state); break;
        case LawKind::DRY: made = dry(numbers, state); break;
        case LawKind::DRIVE: made = driven(numbers); break;
        case LawKind::ROLLING: made = rolling(numbers, state); break;
        default: made = touching(numbers, state);
    }
    made.numbers = numbers;
    return made;
}

Law with_friction(const Law& law, double lo, double hi, ContactState state) {
    LawNumbers numbers = law.numbers;
    numbers.lo = lo, numbers.hi = hi;
    return law_of(numbers, state);
}

Law coulomb(double lo, double hi, ContactState state) {
    LawNumbers numbers;
    numbers.lo = lo, numbers.hi = hi;
    return law_of(numbers, state);
}

Law held_against(double way, double pull) {
    Writer made;
    made.acceleration(1.0, 0.0, Cause::SEPARATES);
    made.cell(FIXED);
    made.acceleration(1.0, 0.0, Cause::STAYS).equality = true;
    made.acceleration(0.0, 1.0, Cause::STICKS).equality = true;
    made.force(1.0, 0.0, Cause::NORMAL_FORCE).constant = pull;
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
    const bool limits = law.numbers.kind != LawKind::ROLLING;       // which has a length there
    for (double* force : {&law.numbers.pull, &law.numbers.least, &law.numbers.most})
        if (*force != 0.0 && (limits || force == &law.numbers.pull)) *force /= unit * size;
    for (LawRow& row : law.rows) {
        if (row.constant != 0.0)
            row.constant = row.on_forces() ? row.constant / (unit * size) : row.constant * unit / size;
    }
}

}  // namespace mc
