// Contact laws as data: what a contact may do at one instant, and what each possibility demands.
//
// A law is a list of cells in alphabetical order of their letters. A cell is a letter with rows on the contact's
// acceleration `(a_n, a_t)` and force `(f_n, f_t)`. What velocities and gaps rule out (Table 3 of Greenfield 2005) is not
// a rule of the search: such a law has fewer cells. With friction known as an interval `lo <= mu <= hi` the cells are those
// of all coefficients in it together:
//
//     S    f_n = f_t = 0                       a_n > 0 at rest
//     F    a_n = a_t = 0                       abs(f_t) <= hi f_n
//     R    a_n = 0      -hi f_n <= f_t <= -lo f_n, f_n >= 0       a_t > 0 at rest
//     L    a_n = 0       lo f_n <= f_t <=  hi f_n, f_n >= 0       a_t < 0 at rest
//
// Other laws change a part of this. A larger coefficient `hold` while it sticks: in F, `abs(f_t) <= hold f_n`. Adhesion: `f_n + pull` in
// place of `f_n` everywhere but where a gap is open. One way only: the letter of the other way is missing, and its bound in F.
// A stop or a cable has a normal row only:
//
//     S    f_n = f_t = 0, a_n > 0              F    a_n = 0, f_n >= 0, f_t = 0
//
// A dry joint has a tangential row only, and a drive, whose `a_t` counts from the acceleration that is told, has F alone:
//
//     F    a_t = 0, least <= f_t <= most       R    f_t = least, a_t > 0 at rest       L    f_t = most, a_t < 0 at rest
//
// Resistance to rolling has a tangential row only, too, and its force is a moment; its `f_n` is that of its host, another contact, which
// an equality of the instant says once (`affine_set.cpp`). Where the host is open it has S alone, else
//
//     F    a_t = 0, abs(f_t) <= most (f_n + pull)        R, L    f_t = -+most (f_n + pull), +-a_t > 0 at rest
//
// With lo = hi, R and L have an equality in place of the pair. `relaxation` holds what all cells of a law have in common: it
// is what the search demands of a contact whose letter is still open.
#pragma once

#include "layout.hpp"
#include "view.hpp"

namespace mc {

// What gap and velocity say of a contact. `OPEN` and `LEAVING` differ in their reason alone. `SIGN_UNKNOWN`: it slides one way
// or the other or not at all, so its acceleration says nothing about its letter.
enum class ContactState : std::int8_t {
    SLIDES_LEFT = -1, AT_REST = 0, SLIDES_RIGHT = 1, OPEN = 2, LEAVING = 3, SIGN_UNKNOWN = 4
};

constexpr bool is_state(int code) { return int(ContactState::SLIDES_LEFT) <= code && code <= int(ContactState::SIGN_UNKNOWN); }

// Why a row is there. The cause of a row of contact i is `CAUSES * i + cause`; physical rows follow after all contacts.
enum class Cause : std::uint8_t {
    NORMAL_FORCE, FRICTION_POSITIVE, FRICTION_NEGATIVE, SEPARATES, SLIDES,
    NO_NORMAL_FORCE, NO_TANGENTIAL_FORCE, STAYS, STICKS, SLIDING_FRICTION, LETS_GO
};
constexpr Int CAUSES = 11;
const char* word(Cause cause);

// `a_n xdd_n + a_t xdd_t + f_n f_n + f_t f_t + constant`, which is zero (`equality`), positive (`strict`) or not negative.
//
// A row speaks of accelerations or of forces, never of both: the constant has the unit of the one or of the other.
struct LawRow {
    double a_n = 0.0, a_t = 0.0, f_n = 0.0, f_t = 0.0, constant = 0.0;
    bool equality = false, strict = false;
    bool implied = false;  // follows from the other rows of its cell: a word for explanations, no work for the search
    bool shared = false;   // an equality of every cell of the law: the search imposes it once, with the relaxation
    Cause cause = Cause::NORMAL_FORCE;

    bool on_forces() const { return f_n != 0.0 || f_t != 0.0; }
};

struct Cell {
    Letter letter = 0;
    Int from = 0, to = 0;  // its rows in the law
};

// What kind of law a contact has: COULOMB has both rows, ONE_SIDED a normal row only (stops, cables), DRY, DRIVE and ROLLING a tangential
// one.
enum class LawKind : std::int8_t { COULOMB = 0, ONE_SIDED = 1, DRY = 2, DRIVE = 3, ROLLING = 4 };

constexpr bool is_law(int code) { return 0 <= code && code <= int(LawKind::ROLLING); }

// Coefficients `lo .. hi` of a sliding contact and `hold` of one that sticks (if larger), adhesion, the only way it slides (1 right, -1
// left, 0 both); least and greatest tangential force of a law without a normal row, of rolling per normal force of the contact `host`.
struct LawNumbers {
    LawKind kind = LawKind::COULOMB;
    double lo = 0.0, hi = 0.0, hold = 0.0, pull = 0.0;
    int way = 0;
    double least = 0.0, most = 0.0;
    Int host = -1;
};

struct Law {
    static constexpr Int MOST_CELLS = 6, MOST_ROWS = 36;

    LawNumbers numbers;    // that it was made of, in the units of its constants
    Int count = 0;         // of cells
    Int relaxed = 0;       // rows of the relaxation; the cells' rows follow them
    Cell cells[MOST_CELLS];
    LawRow rows[MOST_ROWS];

    View<const LawRow> relaxation() const { return {rows, relaxed}; }
    View<const LawRow> of(Int cell) const {
        MC_REQUIRE(cell >= 0 && cell < count);
        return {rows + cells[cell].from, cells[cell].to - cells[cell].from};
    }
    // The cell with this letter; -1 when the law has none.
    Int find(Letter letter) const;
    // Leave one cell only: for a caller who assumes the letter.
    void keep(Letter letter);
};

// The law of a contact in this state. One that slides against its only way has no cell but S.
Law law_of(const LawNumbers& numbers, ContactState state);

// The same law with a coefficient in `lo .. hi` in place of its own, in another state.
Law with_friction(const Law& law, double lo, double hi, ContactState state);

// Coulomb's law with a coefficient in `lo .. hi` for a contact in this state.
Law coulomb(double lo, double hi, ContactState state);

// A contact that neither moves nor is pulled, held by as much friction as it takes against sliding right (`way` 1) or left (-1):
// what a fixed and a sliding contact have in common when the coefficient is whatever it needs to be. Its one cell is fixed.
Law held_against(double way, double pull = 0.0);

// The same law in natural units: with scaled forces `f / (unit size)` and accelerations `a unit / size`.
void scale_constants(Law& law, double unit, double size);

}  // namespace mc
