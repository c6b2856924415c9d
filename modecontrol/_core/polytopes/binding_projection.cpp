// Projections for Python.
#include <algorithm>

#include "polytopes/given_stack.hpp"
#include "polytopes/projection.hpp"
#include "polytopes/sparse_basis.hpp"
#include "polytopes/tight_rows.hpp"
#include "tolerances.hpp"

namespace mc::py {

using namespace nb::literals;

template <class T> static Made<T> grid_of(Table<T> a) {
    Made<T> made = make<T>({size_t(a.rows), size_t(a.cols)});
    for (Int i = 0; i < a.rows * a.cols; ++i) made.data()[i] = a.data[i];
    return made;
}

static void check_keep(const B1& keep, Int variables) {
    require(Int(keep.shape(0)) == variables, "keep has ", keep.shape(0), " entries for ", variables, " variables");
}

static nb::tuple project_one(A2 A, A1 b, A2 C, A1 e, B1 keep, bool eliminate, double work) {
    const Rows set = rows(A, b, C, e);
    check_keep(keep, set.A.cols);
    require(work >= 1.0 && work <= double(Patience::UNLIMITED), "work is ", work, "; expected one or more");
    Projection p;
    without_python([&](Patience patience) {
        p = eliminate ? project(set, view(keep), &patience) : project_without_elimination(set, view(keep), &patience);
    }, Int(work));
    return nb::make_tuple(Int(p.status), grid_of<double>(p.A), copy<double>(p.b), grid_of<double>(p.C), copy<double>(p.e),
                          grid_of<bool>(p.ancestors));
}

// Rows `from .. until - 1` of the ancestors of every projection, one below the other, `width` columns.
static Made<bool> stacked_ancestors(const std::vector<Projection>& all, size_t rows, Int width, bool equalities) {
    Made<bool> made = make<bool>({rows, size_t(width)});
    bool* next = made.data();
    for (const Projection& p : all) {
        const Int from = equalities ? p.b.size : 0, until = equalities ? p.ancestors.rows : p.b.size;
        for (Int i = from; i < until; ++i)
            for (Int j = 0; j < width; ++j) *next++ = j < p.ancestors.cols && p.ancestors(i, j);
    }
    return made;
}

static nb::tuple project_many(GivenStack given, B1 keep, Int threads) {
    const Stack stack = given.checked(threads);
    check_keep(keep, stack.all.A.cols);
    const size_t sets = size_t(stack.count()), kept = size_t(count(view(keep)));
    std::vector<Projection> all(sets);
    without_python([&](const Patience& patience) { project_batch(stack, view(keep), all, threads, patience); },
                   Int(tolerances::PROJECTION_WORK));
    auto status = make<Int>({sets}), row_start = make<Int>({sets + 1}), equality_start = make<Int>({sets + 1});
    Int rows = row_start.data()[0] = 0, equalities = equality_start.data()[0] = 0;
    for (size_t k = 0; k < sets; ++k) {
        status.data()[k] = all[k].status;
        row_start.data()[k + 1] = rows += all[k].b.size;
        equality_start.data()[k + 1] = equalities += all[k].e.size;
    }
    const size_t n = size_t(rows), q = size_t(equalities);
    auto A = make<double>({n, kept}), b = make<double>({n}), C = make<double>({q, kept}), e = make<double>({q});
    for (size_t k = 0; k < sets; ++k) {
        const Projection& p = all[k];
        std::copy_n(p.A.data, size_t(p.b.size) * kept, A.data() + size_t(row_start.data()[k]) * kept);
        std::copy_n(p.b.data, p.b.size, b.data() + row_start.data()[k]);
        std::copy_n(p.C.data, size_t(p.e.size) * kept, C.data() + size_t(equality_start.data()[k]) * kept);
        std::copy_n(p.e.data, p.e.size, e.data() + equality_start.data()[k]);
    }
    const Int width = stack.most_rows() + stack.most_equalities();
    return nb::make_tuple(status, A, b, C, e, row_start, equality_start, stacked_ancestors(all, n, width, false),
                          stacked_ancestors(all, q, width, true));
}

void bind_projection(nb::module_& m) {
    const nb::object one = record(m, "Projection", "status A b C e ancestors");
    const nb::object many = record(m, "Projections", "status A b C e row_start equality_start ancestors equality_ancestors");
    m.def("project", as(one, &project_one), "A"_a, "b"_a, "C"_a, "e"_a, "keep"_a, "eliminate"_a = true,
          "work"_a = tolerances::PROJECTION_WORK);
    m.def("project_batch", [many](A2 A, A1 b, A2 C, A1 e, B1 keep, I1 row_start, I1 equality_start, Int threads) {
        return nb::object(many(*project_many({A, b, C, e, row_start, equality_start}, keep, threads)));
    }, "A"_a, "b"_a, "C"_a, "e"_a, "keep"_a, "row_start"_a, "equality_start"_a, "threads"_a = 1);
    m.def("tight_rows", [](A2 A, A1 b, A2 C, A1 e, A2 lines, A1 right, I1 names) {
        const Rows set = rows(A, b, C, e);
        require(lines.shape(0) == right.shape(0) && lines.shape(1) == names.shape(0), "lines has shape (", lines.shape(0), ", ",
                lines.shape(1), "); expected one row for each of ", right.shape(0), " levels, one column for each of ",
                names.shape(0), " names");
        for (Int name : {view(names).size ? *std::min_element(names.data(), names.data() + names.size()) : 0,
                         view(names).size ? *std::max_element(names.data(), names.data() + names.size()) : 0})
            require(name == 0 || (0 <= name && name < set.A.cols), "there is no variable ", name, " among ", set.A.cols);
        const Touching found = tight_rows(set, {table(lines), view(right), view(names)}, nullptr);
        return nb::make_tuple(copy<bool>(found.tight), found.proven);
    });
    m.def("sparsify", [](nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> X, Int first) {
        require(0 <= first && first <= Int(X.shape(1)), "there is no variable ", first, " among ", X.shape(1));
        sparsify({X.data(), Int(X.shape(0)), Int(X.shape(1))}, first);
    }, nb::arg("X").noconvert(), "first"_a);
}

}  // namespace mc::py
