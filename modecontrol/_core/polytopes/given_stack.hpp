// What the bindings of this room share: many sets in one stack of rows, as Python passes them.
#pragma once

#include "binding.hpp"
#include "polytopes/stack.hpp"
#include "signals.hpp"

namespace mc::py {

using A2 = Given<double, 2>;
using A1 = Given<double, 1>;
using I1 = Given<Int, 1>;
using B1 = Given<bool, 1>;

struct GivenStack {
    A2 A;
    A1 b;
    A2 C;
    A1 e;
    I1 row_start, equality_start;

    // The sets, when all sizes agree; a view on arrays that must stay alive.
    Stack checked(Int threads) const {
        const Stack stack{rows(A, b, C, e), view(row_start), view(equality_start)};
        require(threads >= 1, "threads is ", threads, "; expected one or more");
        require(stack.row_start.size >= 1 && stack.row_start.size == stack.equality_start.size, "row_start has ",
                stack.row_start.size, " entries and equality_start has ", stack.equality_start.size,
                "; expected one more than there are sets in both");
        rises(stack.row_start, stack.all.A.rows, "row_start");
        rises(stack.equality_start, stack.all.C.rows, "equality_start");
        return stack;
    }

private:
    static void rises(ConstInts start, Int rows, const char* name) {
        require(start[0] == 0 && start[start.size - 1] == rows, name, " goes from ", start[0], " to ", start[start.size - 1],
                "; expected 0 to ", rows, ", the number of rows");
        for (Int k = 0; k + 1 < start.size; ++k)
            require(start[k] <= start[k + 1], name, " falls from ", start[k], " to ", start[k + 1], "; expected rising numbers");
    }
};

void bind_projection(nb::module_& m);

}  // namespace mc::py
