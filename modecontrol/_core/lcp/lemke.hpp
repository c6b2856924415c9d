// Lemke's complementary pivoting with the lexicographic ratio test, for the LCP `w = M z + q`.
//
//     w = q + M z + d z0,    z0 enters, then always the complement of what left, until z0 leaves
//
// The tableau is condensed: row `i` holds `basic_i = b_i - sum_j T_ij nonbasic_j`, so it has n + 2 columns instead of
// 2n + 2. The lexicographic test needs the columns of the inverse basis, that is those of the `w`: they are in the tableau
// when `w_k` is not basic and unit vectors when it is. Ties are thereby broken as if `q` were perturbed by powers of an
// infinitesimal, and no basis comes back (Cottle, Pang and Stone, section 4.9).
//
// The covering vector `d` is all ones in the scaled problem; another attempt may ask for another, which leads along another
// path and sometimes to an answer where the first ended in a ray.
#pragma once

#include "lcp/workspace.hpp"

namespace mc {

struct LemkeOptions {
    bool guess = false;   // try the basis in `ws.active` first (that of the previous time step); kept when it is right
    Int limit = -1;       // most pivots; negative: `lemke_limit(n)`
    Int turn = 0;         // which covering vector: 0 for ones
    bool wide = false;    // call ratios equal that differ by up to WIDE_TIE instead of TIE
};

// Most pivots that a problem of `n` rows may take.
inline Int lemke_limit(Int n) { return 30 * n + 100; }

// Swap the basic variable of row `r` with the nonbasic one of column `c`; two vectors as long as a row and a column are scratch.
void exchange(Mat T, Int r, Int c, Vec pivot_row, Vec pivot_column);

// One path of Lemke's method. Allocates nothing; the answer, or the direction of the ray, is left in `ws`.
LcpOutcome lemke_core(const Lcp& problem, LcpWorkspace& ws, const LemkeOptions& options = {});

// The same path with a tableau in twice the precision (see `double_double.hpp`), for degenerate problems whose ties and
// small pivots drown in rounding; `guess` and `wide` are not looked at. Some ten times slower; allocates its tableau.
LcpOutcome precise_lemke(const Lcp& problem, LcpWorkspace& ws, const LemkeOptions& options = {});

// Lemke's method with up to `covers` covering vectors, the first of them once more with wide ties. Pivots are added up.
//
// The guess is only tried at first. In hyperstatic problems rounding parts ratios that are equal, and a path that takes it
// seriously leaves the one that the lexicographic rule protects: with wide ties most of them are solved. A ray which proves
// that there is no answer (`ray_proves`) ends the search; otherwise the status is that of the first path.
LcpOutcome lemke(const Lcp& problem, LcpWorkspace& ws, bool guess, Int covers);

// Whether `y >= 0` proves that `M z + q >= 0, z >= 0` cannot hold: `M^T y <= 0` and `q . y < 0` beyond rounding (Farkas).
//
// Reads the scales in `ws`.
bool ray_proves(const Lcp& problem, LcpWorkspace& ws, ConstVec y);

}  // namespace mc
