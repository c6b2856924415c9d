// Codes that more than one room, or C++ and Python, must agree on; Python reads them from `_core.layout`.
//
// A contact mode is written in letters, and the code of a letter is the letter itself: 'S' separates, 'L' and 'R' slide
// left and right, 'F' is fixed. Arrays of letters are arrays of bytes, so a row of them is the mode's name.
#pragma once

#include <cstdint>

namespace mc {

using Letter = std::uint8_t;
constexpr Letter FIXED = 'F', LEFT = 'L', RIGHT = 'R', SEPARATE = 'S';

// What became of a linear program, a minimal form or a projection. WORK_LIMIT: it was given up, being too much work.
enum Status : std::int64_t { OPTIMAL = 0, INFEASIBLE = 1, UNBOUNDED = 2, UNDECIDED = 3, WORK_LIMIT = 4 };

// How a search for the best inputs ended: with inputs that surely work; with nothing that meets the task; with a goal that grows
// for ever; with a question that it could not decide; or after as much work as it was allowed.
enum Choice : std::int64_t { SURE = 0, NOTHING = 1, UNLIMITED_GOAL = 2, UNSETTLED = 3, STOPPED = 4 };

// What became of a complementarity problem: an answer, a ray, too many pivots or sweeps, an answer that failed its check.
enum class LcpStatus : std::int64_t { SOLVED = 0, RAY = 1, LIMIT = 2, INACCURATE = 3 };

// How a contact problem with friction was solved: places in `modecontrol.timestepping.engine.METHODS`.
enum class ContactMethod : std::int64_t { UNLOADED = 1, WARM = 2, LEMKE = 3, NEWTON = 7, PRECISE = 8, GAUSS_SEIDEL = 9, FAILED = 100 };

}  // namespace mc
