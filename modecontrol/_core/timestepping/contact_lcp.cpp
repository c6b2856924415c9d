#include "timestepping/contact_lcp.hpp"

namespace mc {

namespace {

double friction(const CondensedRows& rows, Int i) { return rows.mechanism.contacts[rows.near.contact[i]].friction; }

// Entries of row block `i`, friction unknowns from `fi` on.
void write_block(const CondensedRows& rows, Int i, Int fi, Mat A) {
    const Int m = rows.near.count, ri = rows.first + 2 * i;
    const bool rough = friction(rows, i) > 0.0;
    Int fj = m;
    for (Int j = 0; j < m; ++j) {
        const Int rj = rows.first + 2 * j;
        A(i, j) = rows.L(ri, rj);
        if (rough) {
            A(fi, j) = rows.L(ri + 1, rj);
            A(fi + 1, j) = -rows.L(ri + 1, rj);
        }
        if (!(friction(rows, j) > 0.0)) continue;
        A(i, fj) = rows.L(ri, rj + 1);
        A(i, fj + 1) = -rows.L(ri, rj + 1);
        if (rough) {
            const double value = rows.L(ri + 1, rj + 1);
            A(fi, fj) = A(fi + 1, fj + 1) = value;
            A(fi, fj + 1) = A(fi + 1, fj) = -value;
        }
        fj += 3;
    }
}

}  // namespace

Int lcp_rows(const Mechanism& mechanism, const NearContacts& near) {
    Int n = 0;
    for (Int i = 0; i < near.count; ++i) n += mechanism.contacts[near.contact[i]].friction > 0.0 ? 4 : 1;
    return n;
}

void write_lcp(const CondensedRows& rows, double eps, double scaling, Mat A, Vec a) {
    const Int m = rows.near.count, n = lcp_rows(rows.mechanism, rows.near);
    for (Int i = 0; i < n; ++i)
        for (Int j = 0; j < n; ++j) A(i, j) = 0.0;
    const double stiffer = 1.0 + eps;
    Int fi = m;
    for (Int i = 0; i < m; ++i) {
        const Int ri = rows.first + 2 * i;
        const double mu = friction(rows, i);
        a[i] = rows.u[ri] + rows.near.offset[i];
        write_block(rows, i, fi, A);
        A(i, i) = A(i, i) * stiffer + rows.near.softness[i];
        if (!(mu > 0.0)) continue;
        a[fi] = rows.u[ri + 1];
        a[fi + 1] = -rows.u[ri + 1];
        a[fi + 2] = 0.0;
        A(fi, fi) *= stiffer;
        A(fi + 1, fi + 1) *= stiffer;
        A(fi + 2, i) = scaling * mu;
        A(fi + 2, fi) = A(fi + 2, fi + 1) = -scaling;
        A(fi, fi + 2) = A(fi + 1, fi + 2) = scaling;
        fi += 3;
    }
}

void read_impulses(const CondensedRows& rows, ConstVec z, Vec p) {
    Int fi = rows.near.count;
    for (Int i = 0; i < rows.near.count; ++i) {
        const Int ri = rows.first + 2 * i;
        p[ri] = z[i];
        p[ri + 1] = 0.0;
        if (!(friction(rows, i) > 0.0)) continue;
        p[ri + 1] = z[fi] - z[fi + 1];
        fi += 3;
    }
}

void recall_basis(const CondensedRows& rows, Table<const bool> memory, View<bool> active) {
    Int fi = rows.near.count;
    for (Int i = 0; i < rows.near.count; ++i) {
        const View<const bool> known = memory.row(rows.near.contact[i]);
        active[i] = known[0];
        if (!(friction(rows, i) > 0.0)) continue;
        for (Int k = 0; k < 3; ++k) active[fi + k] = known[1 + k];
        fi += 3;
    }
}

void remember_basis(const CondensedRows& rows, View<const bool> active, Table<bool> memory) {
    Int fi = rows.near.count;
    for (Int i = 0; i < rows.near.count; ++i) {
        const View<bool> known = memory.row(rows.near.contact[i]);
        known[0] = active[i];
        if (!(friction(rows, i) > 0.0)) continue;
        for (Int k = 0; k < 3; ++k) known[1 + k] = active[fi + k];
        fi += 3;
    }
}

}  // namespace mc
