#include "lcp/workspace.hpp"

namespace mc {

LcpWorkspace::LcpWorkspace(Int capacity)
    : capacity(capacity), z(capacity), w(capacity), active(capacity), row(capacity), column(capacity), x(capacity + 2),
      y(capacity + 2), pivot_row(capacity + 2), order(capacity), index(capacity), basis(capacity), nonbasic(capacity + 1),
      place(2 * capacity + 1), tableau_(capacity * (capacity + 2)) {}

}  // namespace mc
