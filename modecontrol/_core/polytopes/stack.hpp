// Many sets in one stack of rows: set k has rows `row_start[k] .. row_start[k + 1]`, and so its equalities.
#pragma once

#include "view.hpp"

namespace mc {

// The longest of the runs `start[k] .. start[k + 1]`.
inline Int longest(ConstInts start) {
    Int most = 0;
    for (Int k = 0; k + 1 < start.size; ++k) most = start[k + 1] - start[k] > most ? start[k + 1] - start[k] : most;
    return most;
}

struct Stack {
    Rows all;
    ConstInts row_start, equality_start;

    Int count() const { return row_start.size - 1; }
    Int most_rows() const { return longest(row_start); }
    Int most_equalities() const { return longest(equality_start); }
    Rows set(Int k) const {
        const Int lo = row_start[k], hi = row_start[k + 1], low = equality_start[k], high = equality_start[k + 1];
        return {all.A.part(lo, hi), all.b.part(lo, hi), all.C.part(low, high), all.e.part(low, high)};
    }
};

}  // namespace mc
