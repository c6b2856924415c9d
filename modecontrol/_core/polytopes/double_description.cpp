#include "polytopes/double_description.hpp"

#include <algorithm>
#include <utility>

#include "tolerances.hpp"

namespace mc {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double total = 0.0;
    for (size_t j = 0; j < a.size(); ++j) total += a[j] * b[j];
    return total;
}

// `a b` of a row and a generator, both with largest entry one; zero when it is rounding.
double sign_of(const Vector& a, const Vector& b) {
    const double total = dot(a, b);
    return std::abs(total) <= tolerances::INCIDENT ? 0.0 : total;
}

void normalize(Vector& a) {
    double largest = 0.0;
    for (double v : a) largest = larger(largest, std::abs(v));
    if (largest > 0.0)
        for (double& v : a) v /= largest;
}

// `p a + q b`, largest entry one.
Vector combine(double p, const Vector& a, double q, const Vector& b) {
    Vector made(a.size());
    for (size_t j = 0; j < a.size(); ++j) made[j] = p * a[j] + q * b[j];
    normalize(made);
    return made;
}

}  // namespace

DoubleDescription::DoubleDescription(Int dimension) : width_(dimension + 1) {
    Vector time(size_t(width_), 0.0);
    time[0] = 1.0;
    rows_.push_back(time);  // t >= 0
    rays_.push_back({time, {0}, false});
    for (Int j = 1; j < width_; ++j) {
        Vector axis(size_t(width_), 0.0);
        axis[size_t(j)] = 1.0;
        lines_.push_back(axis);
    }
}

void DoubleDescription::mark_tight(Ray& ray, Int row) const {
    const size_t word = size_t(row / 64);
    if (ray.tight.size() <= word) ray.tight.resize(word + 1, 0);
    ray.tight[word] |= std::uint64_t(1) << (row % 64);
}

// A line that the row cuts becomes a ray on its good side; everything else moves along it into the row's plane.
bool DoubleDescription::take_line(const Vector& row) {
    size_t best = 0;
    double most = 0.0;
    for (size_t k = 0; k < lines_.size(); ++k) {
        const double value = std::abs(sign_of(row, lines_[k]));
        if (value > most) most = value, best = k;
    }
    if (most == 0.0) return false;
    Vector line = lines_[best];
    lines_.erase(lines_.begin() + Int(best));
    const double value = dot(row, line);
    if (value < 0.0)
        for (double& v : line) v = -v;
    const Int last = rows() - 1;
    for (Vector& other : lines_) other = combine(1.0, other, -dot(row, other) / std::abs(value), line);
    for (Ray& ray : rays_) {
        ray.at = combine(1.0, ray.at, -dot(row, ray.at) / std::abs(value), line);
        mark_tight(ray, last);
        ray.known = false;
    }
    Ray made{line, {}, false};
    for (Int k = 0; k < last; ++k) mark_tight(made, k);
    rays_.push_back(std::move(made));
    return true;
}

bool DoubleDescription::are_adjacent(Int a, Int b, Int& work) const {
    const auto& first = rays_[size_t(a)].tight;
    const auto& second = rays_[size_t(b)].tight;
    const size_t words = std::min(first.size(), second.size());
    Int common = 0;
    for (size_t w = 0; w < words; ++w)
        for (std::uint64_t rest = first[w] & second[w]; rest; rest &= rest - 1) ++common;
    work += Int(words);
    if (common < width_ - Int(lines_.size()) - 2) return false;
    work += Int(rays_.size());
    for (size_t k = 0; k < rays_.size(); ++k) {
        if (Int(k) == a || Int(k) == b) continue;
        const auto& third = rays_[k].tight;
        bool holds = true;
        for (size_t w = 0; w < words && holds; ++w)
            holds = ((first[w] & second[w]) & ~(w < third.size() ? third[w] : 0)) == 0;
        if (holds) return false;
    }
    return true;
}

// Rays with negative values go; each adjacent pair across the row gives a new one.
bool DoubleDescription::join(const Vector& values, Patience* patience) {
    std::vector<Int> good, bad;
    for (size_t k = 0; k < rays_.size(); ++k) {
        if (values[k] > 0.0) good.push_back(Int(k));
        if (values[k] < 0.0) bad.push_back(Int(k));
    }
    const Int last = rows() - 1;
    std::vector<Ray> made;
    for (Int a : good) {
        Int work = width_ * Int(bad.size());
        for (Int b : bad) {
            if (!are_adjacent(a, b, work)) continue;
            work += width_ * width_ * width_;
            const Ray& plus = rays_[size_t(a)];
            const Ray& minus = rays_[size_t(b)];
            Ray ray{combine(-values[size_t(b)], plus.at, values[size_t(a)], minus.at), plus.tight, false};
            ray.tight.resize(std::min(plus.tight.size(), minus.tight.size()));
            for (size_t w = 0; w < ray.tight.size(); ++w) ray.tight[w] &= minus.tight[w];
            mark_tight(ray, last);
            refine(ray);
            made.push_back(std::move(ray));
        }
        if (patience && !patience->spend(work)) return false;
    }
    std::vector<Ray> kept;
    for (size_t k = 0; k < rays_.size(); ++k) {
        if (values[k] < 0.0) continue;
        if (values[k] == 0.0) mark_tight(rays_[k], last);
        kept.push_back(std::move(rays_[k]));
    }
    for (Ray& ray : made) kept.push_back(std::move(ray));
    rays_ = std::move(kept);
    return !rays_.empty() || !lines_.empty();
}

bool DoubleDescription::add(ConstVec h, double g, Patience* patience) {
    Vector row(size_t(width_), 0.0);
    row[0] = g;
    for (Int j = 1; j < width_; ++j) row[size_t(j)] = -h[j - 1];
    normalize(row);
    rows_.push_back(row);
    if (take_line(row)) return true;
    Vector values(rays_.size());
    for (size_t k = 0; k < rays_.size(); ++k) values[k] = sign_of(row, rays_[k].at);
    return join(values, patience);
}

// A row whose generators all lie in the plane of another is a face of lower dimension, or the same facet again.
bool DoubleDescription::is_facet(Int i) const {
    std::vector<const Ray*> mine;
    for (const Ray& ray : rays_)
        if (is_tight(ray, i)) mine.push_back(&ray);
    for (Int k = 0; k < rows(); ++k) {
        if (k == i) continue;
        bool within = true;
        for (size_t r = 0; r < mine.size() && within; ++r) within = is_tight(*mine[r], k);
        if (!within) continue;
        bool same = k > i;  // of equal rows the first stays
        for (size_t r = 0; r < rays_.size() && same; ++r) same = !is_tight(rays_[r], k) || is_tight(rays_[r], i);
        if (!same) return false;
    }
    return true;
}

bool DoubleDescription::is_closed() const {
    const Int simple = width_ - Int(lines_.size()) - 1;  // planes that meet in a ray
    for (size_t k = 0; k < rays_.size(); ++k) {
        std::vector<Int> planes;
        for (Int i = 0; i < rows(); ++i)
            if (is_tight(rays_[k], i)) planes.push_back(i);
        if (Int(planes.size()) < simple) return false;
        if (Int(planes.size()) > simple) continue;
        for (Int left : planes) {
            bool ends = false;
            for (size_t other = 0; other < rays_.size() && !ends; ++other) {
                if (other == k) continue;
                ends = true;
                for (size_t p = 0; p < planes.size() && ends; ++p) ends = planes[p] == left || is_tight(rays_[other], planes[p]);
            }
            if (!ends) return false;
        }
    }
    return true;
}

// The null vector of the tight rows (and of the lines, to which it is made orthogonal), by complete pivoting.
bool DoubleDescription::refine(Ray& ray) const {
    std::vector<Vector> system = lines_;
    for (Int i = 0; i < rows(); ++i)
        if (is_tight(ray, i)) system.push_back(rows_[size_t(i)]);
    const size_t width = size_t(width_);
    std::vector<size_t> order(width);
    for (size_t j = 0; j < width; ++j) order[j] = j;
    size_t rank = 0;
    for (; rank < width - 1 && rank < system.size(); ++rank) {
        size_t r = rank, q = rank;
        for (size_t i = rank; i < system.size(); ++i)
            for (size_t j = rank; j < width; ++j)
                if (std::abs(system[i][order[j]]) > std::abs(system[r][order[q]])) r = i, q = j;
        if (!(std::abs(system[r][order[q]]) > tolerances::RANK)) break;
        std::swap(system[rank], system[r]);
        std::swap(order[rank], order[q]);
        for (size_t i = rank + 1; i < system.size(); ++i) {
            const double f = system[i][order[rank]] / system[rank][order[rank]];
            for (size_t j = rank; j < width; ++j) system[i][order[j]] -= f * system[rank][order[j]];
        }
    }
    if (rank != width - 1) return false;
    Vector made(width, 0.0);
    made[order[rank]] = 1.0;
    for (size_t i = rank; i-- > 0;) {
        double total = 0.0;
        for (size_t j = i + 1; j < width; ++j) total += system[i][order[j]] * made[order[j]];
        made[order[i]] = -total / system[i][order[i]];
    }
    if (!ray.tight.empty() && (ray.tight[0] & 1)) made[0] = 0.0;
    normalize(made);
    if (dot(made, ray.at) < 0.0)
        for (double& v : made) v = -v;
    for (size_t j = 0; j < width && lines_.empty(); ++j)  // along lines a ray may be written in many ways
        if (!(std::abs(made[j] - ray.at[j]) <= tolerances::DRIFT)) return false;
    ray.at = made;
    return true;
}

}  // namespace mc
