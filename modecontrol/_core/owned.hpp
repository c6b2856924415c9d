// Arrays that own their memory, for kernels whose sizes are known only while they run.
#pragma once

#include <memory>
#include <type_traits>

#include "view.hpp"

namespace mc {

template <class T>
struct Array : View<T> {
    Array() = default;
    explicit Array(Int n, T value = T()) : View<T>{nullptr, n}, store_(new T[n > 0 ? n : 1]) {
        this->data = store_.get();
        this->fill(value);
    }

private:
    std::shared_ptr<T[]> store_;
};

template <class T>
struct Grid : Table<T> {
    Grid() = default;
    Grid(Int rows, Int cols, T value = T()) : Table<T>{nullptr, rows, cols}, store_(new T[rows * cols > 0 ? rows * cols : 1]) {
        this->data = store_.get();
        this->fill(value);
    }

private:
    std::shared_ptr<T[]> store_;
};

using Flags = Array<bool>;

// Make `a` as large as asked for; an array that has the size already keeps its memory and its contents.
template <class T> void fit(Array<T>& a, Int n) {
    if (a.size != n || !a.data) a = Array<T>(n);
}
template <class T> void fit(Grid<T>& a, Int rows, Int cols) {
    if (a.rows != rows || a.cols != cols || !a.data) a = Grid<T>(rows, cols);
}

inline Int count(View<const bool> marks) {
    Int n = 0;
    for (Int i = 0; i < marks.size; ++i) n += marks[i];
    return n;
}
template <class T> Array<std::remove_const_t<T>> clone(View<T> a) {
    Array<std::remove_const_t<T>> made(a.size);
    for (Int i = 0; i < a.size; ++i) made[i] = a[i];
    return made;
}
template <class T> Grid<std::remove_const_t<T>> clone(Table<T> a) {
    Grid<std::remove_const_t<T>> made(a.rows, a.cols);
    for (Int i = 0; i < a.rows * a.cols; ++i) made.data[i] = a.data[i];
    return made;
}
// One array below the other.
template <class T> Array<T> joined(View<T> a, View<T> b) {
    Array<T> made(a.size + b.size);
    for (Int i = 0; i < a.size; ++i) made[i] = a[i];
    for (Int i = 0; i < b.size; ++i) made[a.size + i] = b[i];
    return made;
}
template <class T> Grid<T> joined(Table<T> a, Table<T> b) {
    Grid<T> made(a.rows + b.rows, a.cols);
    for (Int i = 0; i < a.rows * a.cols; ++i) made.data[i] = a.data[i];
    for (Int i = 0; i < b.rows * a.cols; ++i) made.data[a.rows * a.cols + i] = b.data[i];
    return made;
}
// The marked rows and columns of a matrix, the marked entries of a vector.
template <class T> Grid<T> pick(Table<T> A, View<const bool> rows, View<const bool> columns) {
    Grid<T> picked(count(rows), count(columns));
    T* next = picked.data;
    for (Int i = 0; i < rows.size; ++i)
        for (Int j = 0; rows[i] && j < columns.size; ++j)
            if (columns[j]) *next++ = A(i, j);
    return picked;
}
template <class T> Array<T> pick(View<T> b, View<const bool> marks) {
    Array<T> picked(count(marks));
    T* next = picked.data;
    for (Int i = 0; i < marks.size; ++i)
        if (marks[i]) *next++ = b[i];
    return picked;
}

}  // namespace mc
