// Arrays that own their memory, for kernels whose sizes are known only while they run.
#pragma once

#include <atomic>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "view.hpp"

namespace mc {

// Memory that copies of an array share. How many share it stands in front of the entries, so that there is one allocation.
template <class T>
class Shared {
public:
    Shared() = default;
    Shared(Int n, T value) : head_(static_cast<Head*>(::operator new(sizeof(Head) + size_t(n) * sizeof(T)))) {
        new (head_) Head{{1}};
        std::uninitialized_fill_n(data(), n, value);
    }
    Shared(const Shared& other) : head_(other.head_) {
        if (head_) head_->users.fetch_add(1, std::memory_order_relaxed);
    }
    Shared(Shared&& other) noexcept : head_(std::exchange(other.head_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        std::swap(head_, other.head_);
        return *this;
    }
    ~Shared() {
        if (head_ && head_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) ::operator delete(head_);
    }

    T* data() const { return head_ ? reinterpret_cast<T*>(head_ + 1) : nullptr; }

private:
    struct alignas(std::max_align_t) Head {
        std::atomic<Int> users;
    };
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(Head), "entries are numbers, or structs of numbers");

    Head* head_ = nullptr;
};

template <class T>
struct Array : View<T> {
    Array() = default;
    explicit Array(Int n, T value = T()) : View<T>{nullptr, n}, store_(n, value) { this->data = store_.data(); }

private:
    Shared<T> store_;
};

template <class T>
struct Grid : Table<T> {
    Grid() = default;
    Grid(Int rows, Int cols, T value = T()) : Table<T>{nullptr, rows, cols}, store_(rows * cols, value) { this->data = store_.data(); }

private:
    Shared<T> store_;
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
