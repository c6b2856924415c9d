#include "polytopes/projection_by_cuts.hpp"

#include <utility>
#include <vector>

#include "polytopes/double_description.hpp"
#include "polytopes/multipliers.hpp"
#include "polytopes/outlook.hpp"
#include "tolerances.hpp"

namespace mc {

namespace {

using Vector = std::vector<double>;

// Adds rows until every generator of what they leave is found inside.
//
// In `u = (x - x0) / size` the rows are `cut u <= 1`.
class Search {
public:
    Search(const Rows& set, View<const bool> keep, const Outlook& outlook, Patience* patience)
        : A_(set.A), b_(set.b), keep_(keep), outlook_(outlook), patience_(patience), kept_(count(keep)),
          multipliers_(set.A, outlook.slack, keep, patience), hull_(kept_), direction_(kept_) {
        for (Int k = 0; k < A_.rows; ++k) {
            double size = outlook.slack[k];
            for (Int j = 0; j < A_.cols; ++j) size = larger(size, std::abs(A_(k, j)));
            size_of_.push_back(size);
        }
    }

    Status run() {
        const Status status = multipliers_.prepare_set();
        if (status != OPTIMAL) return status == INFEASIBLE ? OPTIMAL : failure();  // without a row it is all of space
        for (const Vector& proof : outlook_.proofs)
            if (!add(loose(row_of(proof))) && !hull_is_usable()) return failure();
        for (;;) {
            if (patience_ && !patience_->spend(kept_ * hull_.rows())) return WORK_LIMIT;
            const Verdict verdict = lines_known_ ? INSIDE : ask_lines();
            if (verdict == FAILED) return failure();
            if (verdict == CUT) continue;
            lines_known_ = true;  // no row of the projection cuts a line of the projection
            const Int k = next_ray();
            if (k < 0) return hull_.is_closed() ? OPTIMAL : UNDECIDED;
            if (ask_ray(k) == FAILED) return failure();
        }
    }

    // The rows that are facets.
    Cuts answer() const {
        std::vector<size_t> facets;
        for (size_t i = 0; i < rows_.size(); ++i)
            if (hull_.is_facet(Int(i) + 1)) facets.push_back(i);
        const Int found = Int(facets.size()), m = A_.rows;
        Cuts cuts{OPTIMAL, Grid<double>(found, kept_), Array<double>(found), Grid<double>(found, m)};
        for (Int i = 0; i < found; ++i) {
            const Row& row = rows_[facets[size_t(i)]];
            for (Int k = 0; k < m; ++k) cuts.multipliers(i, k) = row.proof[size_t(k)];
            for (Int j = 0; j < kept_; ++j) cuts.A(i, j) = row.cut[size_t(j)] / outlook_.size[j];
            cuts.b[i] = sum_of(row.proof, [this](Int k) { return b_[k]; });
        }
        return cuts;
    }

private:
    enum Verdict { INSIDE, CUT, FAILED };
    struct Row {
        Vector cut, proof;  // coefficients, and the multipliers that prove it
    };

    Status failure() const { return patience_ && patience_->is_over() ? WORK_LIMIT : UNDECIDED; }
    bool hull_is_usable() const { return !(patience_ && patience_->is_over()); }

    Int next_ray() {
        auto& rays = hull_.rays();
        for (size_t k = 0; k < rays.size(); ++k)
            if (!rays[k].known) return Int(k);
        return -1;
    }

    // Whether the projection reaches as far as `direction_`; a row that stops it before `reach` is added.
    Verdict ask(double reach) {
        const Array<double> v(kept_);
        for (Int j = 0; j < kept_; ++j) v[j] = direction_[j] * outlook_.size[j];
        if (multipliers_.farthest(v).status != OPTIMAL) return FAILED;
        Row row = row_of(multipliers_.present());
        double value = 0.0, size = 0.0, largest = 0.0;
        for (Int j = 0; j < kept_; ++j) {
            value += row.cut[size_t(j)] * direction_[j];
            size += std::abs(row.cut[size_t(j)]);
            largest = larger(largest, std::abs(direction_[j]));
        }
        if (value <= reach + larger(tolerances::CUT_OFF * reach, tolerances::PIVOT * size * largest)) return INSIDE;
        return add(std::move(row)) ? CUT : FAILED;
    }

    // The row that these multipliers prove, with right-hand side one.
    Row row_of(Vector proof) const {
        double largest = 0.0;
        for (size_t k = 0; k < proof.size(); ++k) largest = larger(largest, proof[k] * size_of_[k]);
        for (size_t k = 0; k < proof.size(); ++k)
            if (proof[k] * size_of_[k] <= tolerances::NOISE * largest) proof[k] = 0.0;  // rounding of the linear program
        const double right = sum_of(proof, [this](Int k) { return outlook_.slack[k]; });
        for (double& y : proof) y /= right;
        Row row{{}, std::move(proof)};
        for (Int j = 0; j < A_.cols; ++j)
            if (keep_[j]) row.cut.push_back(sum_of(row.proof, [this, j](Int k) { return A_(k, j); }));
        double top = 0.0;
        for (Int j = 0; j < kept_; ++j) top = larger(top, std::abs(row.cut[size_t(j)] *= outlook_.size[j]));
        for (double& a : row.cut) a = std::abs(a) <= tolerances::NOISE * top ? 0.0 : a;
        return row;
    }

    // The same row twice as far from the inner point: a wall that the projection does not touch.
    static Row loose(Row row) {
        for (double& a : row.cut) a *= 0.5;
        return row;
    }

    // False when the row is there already, or when there is too much work.
    bool add(Row row) {
        for (const Row& other : rows_) {
            double apart = 0.0, size = 0.0;
            for (size_t j = 0; j < row.cut.size(); ++j) {
                apart = larger(apart, std::abs(row.cut[j] - other.cut[j]));
                size = larger(size, std::abs(row.cut[j]));
            }
            if (apart <= tolerances::PARALLEL * size) return false;
        }
        rows_.push_back(std::move(row));
        return hull_.add({rows_.back().cut.data(), kept_}, 1.0, patience_);
    }

    // `sum y_k a_k`, zero when it is rounding beside its terms.
    template <class Entry> static double sum_of(const Vector& y, Entry a) {
        double total = 0.0, terms = 0.0;
        for (size_t k = 0; k < y.size(); ++k) {
            total += y[k] * a(Int(k));
            terms += std::abs(y[k] * a(Int(k)));
        }
        return std::abs(total) <= tolerances::NOISE * terms ? 0.0 : total;
    }

    Verdict ask_lines() {
        for (size_t k = 0; k < hull_.lines().size(); ++k) {
            for (double sign : {1.0, -1.0}) {
                for (Int j = 0; j < kept_; ++j) direction_[j] = sign * hull_.lines()[k][size_t(j + 1)];
                const Verdict verdict = ask(0.0);
                if (verdict != INSIDE) return verdict;  // the line is gone
            }
        }
        return INSIDE;
    }

    Verdict ask_ray(Int k) {
        auto& ray = hull_.rays()[size_t(k)];
        const double t = ray.at[0];
        const bool vertex = t > 0.0;
        for (Int j = 0; j < kept_; ++j) direction_[j] = vertex ? ray.at[size_t(j + 1)] / t : ray.at[size_t(j + 1)];
        const Verdict verdict = ask(vertex ? 1.0 : 0.0);
        if (verdict == INSIDE) hull_.rays()[size_t(k)].known = true;
        return verdict;
    }

    ConstMat A_;
    ConstVec b_;
    View<const bool> keep_;
    const Outlook& outlook_;
    Patience* patience_;
    Int kept_;
    Multipliers multipliers_;
    DoubleDescription hull_;
    Array<double> direction_;
    std::vector<Row> rows_;
    Vector size_of_;  // largest number in a row of the set
    bool lines_known_ = false;
};

}  // namespace

Cuts project_by_cuts(ConstMat A, ConstVec b, View<const bool> keep, Patience* patience) {
    const Rows set{A, b, {nullptr, 0, A.cols}, {}};
    const Outlook outlook = look_around(set, keep, patience);
    Cuts cuts;
    if (!outlook.found) {
        cuts.status = patience && patience->is_over() ? WORK_LIMIT : UNDECIDED;
        return cuts;
    }
    Search search(set, keep, outlook, patience);
    cuts.status = search.run();
    return cuts.status == OPTIMAL ? search.answer() : cuts;
}

}  // namespace mc
