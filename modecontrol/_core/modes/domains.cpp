#include "modes/domains.hpp"

#include <algorithm>

#include "polytopes/minimal.hpp"
#include "polytopes/ray_shooting.hpp"

namespace mc {

namespace {

// `A (tau, w) <= b` of a split table; the bounds on far inputs or all others.
void write_inequalities(const Root& root, ConstMat T, const Split& split, View<const Int> path, bool far, Domain& domain) {
    const Int inputs = root.layout.inputs(), w = split.w;
    each_inequality(root, path, path.size, [&](const Quantity& q, bool, Int cause) {
        if (is_far(root, cause) != far) return true;
        const Vec row = domain.add(cause, clean(q.level(T)));
        row.fill(0.0);
        for (Int i = 0; i < w; ++i) row[inputs + i] = clean(-q.at(T, i));
        for (Int s = 0; s < split.admissible(); ++s) row[split.pivots[s]] = clean(-q.at(T, split.column(s)));
        return true;
    });
}

// The equalities `C tau = e` of a response in natural units, largest coefficient one, with columns for w.
void write_equalities(const Root& root, const AffineResponse& response, Int w, Domain& domain) {
    const Int p = response.C.rows, inputs = response.C.cols;
    domain.C = {domain.A.data + domain.A.rows * domain.A.cols, p, inputs + w};
    domain.e.size = p;
    domain.C.fill(0.0);
    for (Int r = 0; r < p; ++r) {
        double biggest = 0.0;
        for (Int j = 0; j < inputs; ++j) {
            domain.C(r, j) = response.C(r, j) * (root.units[root.layout.tau + j] * root.size);
            biggest = larger(biggest, std::abs(domain.C(r, j)));
        }
        for (Int j = 0; j < inputs; ++j) domain.C(r, j) /= biggest;
        domain.e[r] = response.e[r] / biggest;
    }
}

double largest(ConstVec row) {
    double size = 0.0;
    for (Int j = 0; j < row.size; ++j) size = larger(size, std::abs(row[j]));
    return size;
}

// Whether the opposite of an inequality is among the hidden equalities to the last digit, as that of equal limits is.
bool is_exact(const Domain& domain, const std::vector<Int>& hidden, Int row) {
    for (const Int other : hidden) {
        bool opposite = domain.b[other] == -domain.b[row];
        for (Int j = 0; opposite && j < domain.A.cols; ++j) opposite = domain.A(other, j) == -domain.A(row, j);
        if (opposite) return true;
    }
    return false;
}

// Whether hidden equalities have room, however little: the greatest sum of their slacks, in parts of their largest coefficients.
bool is_thin(Domain& domain, const std::vector<Int>& all) {
    const Int d = domain.A.cols;
    domain.scratch.assign(size_t(d), 0.0);
    double level = 0.0;
    Int inexact = 0;
    for (const Int row : all) {
        const double size = largest(domain.A.row(row));
        if (size == 0.0 || is_exact(domain, all, row)) continue;
        for (Int j = 0; j < d; ++j) domain.scratch[size_t(j)] -= domain.A(row, j) / size;
        level += domain.b[row] / size;
        ++inexact;
    }
    if (inexact == 0) return false;
    Workspace& ws = domain.workspace;
    if (prepare(ws, {domain.A.part(0, domain.near), domain.b.part(0, domain.near), domain.C, domain.e}) != OPTIMAL) return false;
    const auto [status, value] = solve_again(ws, {domain.scratch.data(), d});
    return status != OPTIMAL || level + value > tolerances::PIVOT;
}

// Leave those hidden equalities that `C` (independent itself) and the ones before them do not imply. One of a thin set that others
// nearly imply says nothing of the rest: it stays an inequality, or a wedge would shrink to its tip.
void keep_independent(Domain& domain) {
    const Int p = domain.C.rows, d = domain.A.cols, count = Int(domain.hidden.size());
    domain.scratch.resize((p + count) * d);
    const Mat W{domain.scratch.data(), p + count, d};
    for (Int i = 0; i < p + count; ++i)
        for (Int j = 0; j < d; ++j) W(i, j) = i < p ? domain.C(i, j) : domain.A(domain.hidden[i - p], j);
    Int kept = 0;
    for (Int i = 0; i < p + count; ++i) {
        // every row above has been cleared of the columns that the rows before it own
        Int column = -1;
        const double whole = i < p ? 1.0 : largest(domain.A.row(domain.hidden[i - p]));
        double size = tolerances::DEPENDENT * largest(W.row(i));
        for (Int j = 0; j < d; ++j)
            if (std::abs(W(i, j)) > size) column = j, size = std::abs(W(i, j));
        if (column < 0) continue;
        if (i >= p && domain.thin && size * tolerances::CLEAR < tolerances::FLAT * whole) {
            domain.kept.push_back(domain.hidden[i - p]);
            continue;
        }
        if (i >= p) domain.hidden[kept++] = domain.hidden[i - p];
        for (Int r = i + 1; r < p + count; ++r) {
            const double factor = W(r, column) / W(i, column), before = largest(W.row(r));
            if (factor == 0.0) continue;
            for (Int j = 0; j < d; ++j) {
                W(r, j) -= factor * W(i, j);
                if (std::abs(W(r, j)) <= tolerances::DEPENDENT * before) W(r, j) = 0.0;
            }
        }
    }
    domain.hidden.resize(kept);
}

// Keep the bounds on far inputs that cut something off; the others decide first, in moderate numbers.
void keep_far(Domain& domain) {
    Workspace& ws = domain.workspace;
    const Rows near{domain.A.part(0, domain.near), domain.b.part(0, domain.near), domain.C, domain.e};
    bool ready = prepare(ws, near) == OPTIMAL;
    for (Int i = domain.near; i < domain.b.size; ++i) {
        const auto [status, value] = ready ? solve_again(ws, domain.A.row(i)) : Answer{UNDECIDED, 0.0};
        ready = status != UNDECIDED;  // bounds that nobody could judge are kept
        if (status != OPTIMAL || value > domain.b[i] * (1.0 + tolerances::REDUNDANT)) domain.kept.push_back(i);
    }
}

void make_minimal(Domain& domain) {
    domain.kept.clear(), domain.hidden.clear();
    domain.thin = false;
    load(domain.workspace, {domain.A.part(0, domain.near), domain.b.part(0, domain.near), domain.C, domain.e});
    const Status status = minimal_loaded(domain.workspace);
    domain.status = status == UNBOUNDED ? INFEASIBLE : status;
    for (Int i = 0; i < domain.near; ++i) {
        const Int state = domain.workspace.state[i];
        if (status != OPTIMAL || state == FACET)
            domain.kept.push_back(i);
        else if (state == EQUAL)
            domain.hidden.push_back(i);
    }
    if (!domain.hidden.empty()) {
        // what passes for an equality because the set is thin is off by its thickness: it comes after those that hold exactly
        const std::vector<Int> all = domain.hidden;
        domain.thin = is_thin(domain, all);
        domain.hidden.clear();
        for (const bool first : {true, false})
            for (const Int row : all)
                if (is_exact(domain, all, row) == first) domain.hidden.push_back(row);
        keep_independent(domain);
    }
    domain.near_kept = Int(domain.kept.size());
    if (domain.near < domain.b.size) keep_far(domain);
}

// Whether the first `count` rows of `W` are beyond doubt linearly independent (complete pivoting).
bool independent_rows(Mat W, Int count) {
    if (count > W.cols) return false;
    for (Int i = 0; i < count; ++i) {
        double best = tolerances::INDEPENDENT;
        Int row = -1, column = -1;
        for (Int r = i; r < count; ++r)
            for (Int j = i; j < W.cols; ++j)
                if (std::abs(W(r, j)) > best) best = std::abs(W(r, j)), row = r, column = j;
        if (row < 0) return false;
        for (Int j = 0; j < W.cols; ++j) std::swap(W(i, j), W(row, j));
        for (Int r = 0; r < count; ++r) std::swap(W(r, i), W(r, column));
        for (Int r = i + 1; r < count; ++r) {
            const double factor = W(r, i) / W(i, i);
            for (Int j = i; j < W.cols; ++j) W(r, j) -= factor * W(i, j);
        }
    }
    return true;
}

// Which rows feel w. If their w-parts are independent, the projection is the rest of the rows, as minimal as before.
void see_w(Domain& domain, Int inputs) {
    const Int m = Int(domain.kept.size()), p = domain.C.rows, all = m + domain.equalities(), w = domain.A.cols - inputs;
    domain.scratch.resize(all * w + 1);
    const Mat W{domain.scratch.data(), all, w};
    domain.felt.assign(all, 0);
    Int count = 0;
    for (Int r = 0; r < all; ++r) {
        const bool given = r >= m && r < m + p;
        const Vec row = given ? domain.C.row(r - m) : domain.A.row(r < m ? domain.kept[r] : domain.hidden[r - m - p]);
        bool felt = false;
        for (Int i = 0; i < w; ++i) {
            W(count, i) = row[inputs + i];
            felt = felt || row[inputs + i] != 0.0;
        }
        domain.felt[r] = felt;
        count += felt;
    }
    domain.any_inputs = independent_rows(W, count);
}

}  // namespace

Domain::Domain(const Root& root)
    : workspace(most_inequalities(root), root.layout.inputs(), root.layout.inputs() + std::max<Int>(root.freedom, 0)) {
    const Int rows = most_inequalities(root), inputs = root.layout.inputs(), columns = workspace.x.size;
    memory.resize((rows + inputs) * (columns + 1));
    b = {memory.data() + (rows + inputs) * columns, rows};
    e = {b.data + rows, inputs};
}

void Domain::start(Int columns) {
    A = {memory.data(), 0, columns};
    b.size = 0;
    cause.clear();
}

Vec Domain::add(Int why, double level) {
    b.data[b.size++] = level;
    cause.push_back(why);
    ++A.rows;
    return A.row(A.rows - 1);
}

void make_domain(const Root& root, ConstMat T, const Split& split, const AffineResponse& response, View<const Int> path,
                 Domain& domain) {
    domain.start(root.layout.inputs() + split.w);
    write_inequalities(root, T, split, path, false, domain);
    domain.near = domain.b.size;
    write_inequalities(root, T, split, path, true, domain);
    write_equalities(root, response, split.w, domain);
    make_minimal(domain);
    see_w(domain, root.layout.inputs());
}

}  // namespace mc
