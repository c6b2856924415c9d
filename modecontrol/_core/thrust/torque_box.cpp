#include "thrust/torque_box.hpp"

namespace mc {

Extra BoxedRows::join(const Extra& rows, ConstMat limits) {
    const Int inputs = limits.rows, columns = rows.P.cols, lead = columns - inputs, given = rows.p.size;
    fit(P_, given + 2 * inputs, columns), fit(p_, given + 2 * inputs), fit(equality_, given + 2 * inputs);
    P_.fill(0.0), equality_.fill(false);
    Int count = 0;
    const auto copy = [&](Int i) {
        for (Int j = 0; j < columns; ++j) P_(count, j) = rows.P(i, j);
        p_[count] = rows.p[i];
        equality_[count] = rows.equality[i];
        ++count;
    };
    for (Int i = 0; i < rows.physical; ++i) copy(i);
    for (Int i = 0; i < inputs; ++i) {
        for (Int side = 0; side < 2; ++side) {
            if (!std::isfinite(limits(i, side))) continue;
            const double sign = side == 0 ? 1.0 : -1.0;
            P_(count, lead + i) = sign;
            p_[count] = sign * limits(i, side);
            ++count;
        }
    }
    const Int physical = count;
    for (Int i = rows.physical; i < given; ++i) copy(i);
    return {Table<const double>(P_).part(0, count), View<const double>(p_).part(0, count),
            View<const bool>(equality_).part(0, count), physical};
}

}  // namespace mc
