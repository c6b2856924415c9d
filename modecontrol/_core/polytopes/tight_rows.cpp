#include "polytopes/tight_rows.hpp"

#include "polytopes/simplex.hpp"
#include "tolerances.hpp"

namespace mc {

Touching tight_rows(const Rows& set, const Lines& lines, Patience* patience) {
    const auto& [rows, right, names, known] = lines;
    Touching found{Flags(rows.rows, true), false};
    const Array<double> c(set.A.cols);
    Workspace ws(set.A.rows, set.C.rows, set.A.cols);
    ws.patience = patience;
    if (prepare(ws, set) != OPTIMAL) return found;
    found.proven = true;
    for (Int i = 0; i < rows.rows; ++i) {
        if (i < known.size && known[i]) continue;
        for (Int j = 0; j < names.size; ++j) c[names[j]] = rows(i, j);
        const auto [status, value] = solve_again(ws, c);
        if (status == OPTIMAL) {
            double size = 0.0;
            for (Int j = 0; j < names.size; ++j) size += std::abs(rows(i, j) * ws.x[names[j]]);
            const double tolerance = tolerances::FLAT * larger(1.0, larger(size, std::abs(right[i])));
            found.tight[i] = value >= right[i] - tolerance;
            found.proven = found.proven && value <= right[i] + tolerance;
        } else {
            found.proven = false;
            if (status == UNDECIDED && prepare(ws, set) != OPTIMAL) break;
        }
    }
    return found;
}

}  // namespace mc
