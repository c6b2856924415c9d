// What the bindings of this room and of those above share: instants whose arrays Python owns.
#pragma once

#include "binding.hpp"
#include "dynamics/snapshot.hpp"

namespace mc::py {

using ReadOnly = nb::ndarray<nb::numpy, const double>;

inline void check_length(size_t found, Int expected, const char* message) {
    if (Int(found) != expected) throw nb::value_error(message);
}
inline StateView state(const Mechanism& mechanism, const Given<double, 1>& q, const Given<double, 1>& v) {
    check_length(q.shape(0), mechanism.size(), "q needs one number per coordinate");
    check_length(v.shape(0), mechanism.size(), "v needs one number per coordinate");
    return {view(q), view(v)};
}

// Columns of a table by name: numpy's structured arrays, or a mapping of arrays.
struct Columns {
    nb::object table, copied;  // columns of a table with bools are not aligned
    size_t rows;

    explicit Columns(nb::object given)
        : table(std::move(given)), copied(nb::module_::import_("numpy").attr("array")), rows(nb::len(table)) {}
    template <class T> Given<T, 1> numbers(const char* name) const { return column<Given<T, 1>>(name); }
    Given<double, 2> points(const char* name) const { return column<Given<double, 2>>(name); }
    template <class Column> Column column(const char* name) const {
        const Column found = nb::cast<Column>(copied(table[name]));
        check_length(found.shape(0), Int(rows), "columns of a table need equally many rows");
        return found;
    }
    // Numbers and points into the members that are named.
    template <class Row> void read(std::vector<Row>&) const {}
    template <class Row, class... More>
    void read(std::vector<Row>& out, const char* name, double Row::*field, const More&... more) const {
        const Given<double, 1> column = numbers<double>(name);
        for (size_t i = 0; i < rows; ++i) out[i].*field = column.data()[i];
        read(out, more...);
    }
    template <class Row, class... More>
    void read(std::vector<Row>& out, const char* name, Point Row::*field, const More&... more) const {
        const Given<double, 2> column = points(name);
        for (size_t i = 0; i < rows; ++i) out[i].*field = {column.data()[2 * i], column.data()[2 * i + 1]};
        read(out, more...);
    }
    // Integers from -1 to `end - 1`.
    template <class Row> void integers(const char* name, std::vector<Row>& out, Int Row::*field, Int end) const {
        const Given<Int, 1> column = numbers<Int>(name);
        for (size_t i = 0; i < rows; ++i) {
            const Int value = column.data()[i];
            if (value < -1 || value >= end) throw nb::value_error("a number in a table is out of range");
            out[i].*field = value;
        }
    }
};

// The arrays of `count` instants in one block of memory, those of each name together.
class Instants {
public:
    Instants(const Mechanism& mechanism, Int count) : count_(count) {
        const Int n = mechanism.size(), rows = mechanism.rows(), loops = mechanism.loops();
        const Shape shapes[ARRAYS] = {{n, n, 2}, {n, 1, 1}, {rows, n, 2}, {rows, 1, 1}, {rows, 1, 1}, {rows / 2, 1, 1},
                                      {loops, n, 2}, {loops, 1, 1}, {loops, 1, 1}, {Int(mechanism.inputs.size()), 2, 2}};
        Int total = 0;
        for (Int k = 0; k < ARRAYS; ++k) {
            shape_[k] = shapes[k];
            start_[k] = total;
            total += count * shapes[k].size();
        }
        data_ = new double[total > 0 ? total : 1];
        owner_ = nb::capsule(data_, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    }

    InstantArrays at(Int i) const {
        return {matrix(0, i), vector(1, i), matrix(2, i), vector(3, i), vector(4, i), vector(5, i), matrix(6, i), vector(7, i),
                vector(8, i), matrix(9, i)};
    }

    // M, b, J, d, xd, gap, G, e, opening, limits, read only; with a first axis over the instants if `many`.
    nb::tuple arrays(bool many) const {
        nb::list made;
        for (Int k = 0; k < ARRAYS; ++k) {
            const size_t shape[3] = {size_t(count_), size_t(shape_[k].rows), size_t(shape_[k].cols)};
            const size_t axes = size_t(shape_[k].axes);
            made.append(ReadOnly(data_ + start_[k], many ? axes + 1 : axes, many ? shape : shape + 1, owner_));
        }
        return nb::tuple(made);
    }

private:
    static constexpr Int ARRAYS = 10;
    struct Shape {
        Int rows, cols, axes;
        Int size() const { return rows * cols; }
    };

    Vec vector(Int k, Int i) const { return {data_ + start_[k] + i * shape_[k].size(), shape_[k].size()}; }
    Mat matrix(Int k, Int i) const { return {data_ + start_[k] + i * shape_[k].size(), shape_[k].rows, shape_[k].cols}; }

    Int count_, start_[ARRAYS];
    Shape shape_[ARRAYS];
    double* data_;
    nb::capsule owner_;
};

}  // namespace mc::py
