#include "modes/packing.hpp"

namespace mc {

PackedView view_of(const Packed& packed) {
    return {{packed.shape.data(), Int(packed.shape.size()) / SHAPE, SHAPE},
            {packed.numbers.data(), Int(packed.numbers.size())},
            {packed.number_start.data(), Int(packed.number_start.size())},
            packed.unknowns, packed.inputs};
}

PackedMode mode_of(const PackedView& packed, Int index) {
    const ModeShape& shape = packed.of(index);
    const Int unknowns = packed.unknowns, inputs = packed.inputs, width = inputs + shape.w;
    const double* next = packed.numbers.data + packed.number_start[index];
    const auto vector = [&next](Int size) { ConstVec made{next, size}; next += size; return made; };
    const auto matrix = [&next](Int rows, Int cols) { ConstMat made{next, rows, cols}; next += rows * cols; return made; };
    PackedMode mode;
    mode.constant = vector(unknowns);
    mode.U = matrix(unknowns, inputs);
    mode.W = matrix(unknowns, shape.w);
    mode.A = matrix(shape.rows, width);
    mode.b = vector(shape.rows);
    mode.C = matrix(shape.equalities, width);
    mode.e = vector(shape.equalities);
    mode.T = matrix(shape.torque_rows, inputs);
    mode.t = vector(shape.torque_rows);
    mode.H = matrix(shape.torque_equalities, inputs);
    mode.h = vector(shape.torque_equalities);
    mode.thin = shape.thin != 0;
    return mode;
}

bool is_sound(const PackedView& packed, Int index) {
    const Int modes = packed.shape.rows, unknowns = packed.unknowns, inputs = packed.inputs;
    if (packed.shape.cols != SHAPE || packed.number_start.size != modes + 1) return false;
    if (index < 0 || index >= modes) return false;
    const Int from = packed.number_start[index], to = packed.number_start[index + 1], room = packed.numbers.size;
    if (from < 0 || from > to || to > room) return false;
    const ModeShape& s = packed.of(index);
    for (const Int n : {unknowns, inputs, s.w, s.rows, s.equalities, s.torque_rows, s.torque_equalities})
        if (n < 0 || n > room + 1) return false;
    const Int total = unknowns * (1 + inputs + s.w) + (s.rows + s.equalities) * (inputs + s.w + 1) +
                      (s.torque_rows + s.torque_equalities) * (inputs + 1);
    return total == to - from;
}

void RowWriter::write(const SomeRows& first, const SomeRows& second, Int columns) const {
    const Int inputs = tau_units.size, count = first.size() + second.size();
    const std::size_t start = numbers.size();
    numbers.resize(start + count * (columns + 1));
    double* const coefficients = numbers.data() + start;
    double* const bounds = coefficients + count * columns;
    for (Int r = 0; r < count; ++r) {
        const SomeRows& from = r < first.size() ? first : second;
        const Int row = from.row(r < first.size() ? r : r - first.size());
        double on_tau = 0.0, on_w = 0.0;
        for (Int j = 0; j < columns; ++j) {
            const double value = from.A(row, j) / (j < inputs ? tau_units[j] : size);
            coefficients[r * columns + j] = value;
            double& biggest = j < inputs ? on_tau : on_w;
            biggest = larger(biggest, std::abs(value));
        }
        double biggest = on_tau > 0.0 ? on_tau : on_w;
        if (biggest == 0.0) biggest = 1.0;
        for (Int j = 0; j < columns; ++j) coefficients[r * columns + j] /= biggest;
        bounds[r] = from.b[row] / biggest;
    }
}

}  // namespace mc
