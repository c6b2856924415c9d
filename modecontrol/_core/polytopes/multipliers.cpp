#include "polytopes/multipliers.hpp"

namespace mc {

Multipliers::Multipliers(ConstMat A, ConstVec slack, View<const bool> keep, Patience* patience)
    : A_(A), keep_(keep), m_(A.rows), gone_(A.cols - count(keep)), ws_(m_, gone_ + 1, m_), goal_(m_), lower_(m_, m_), zero_(m_),
      balance_(gone_ + 1, m_), level_(gone_ + 1) {
    ws_.patience = patience;
    for (Int i = 0; i < m_; ++i) {
        lower_(i, i) = -1.0;
        balance_(gone_, i) = slack[i];
    }
    Int q = 0;
    for (Int j = 0; j < A.cols; ++j) {
        if (keep[j]) continue;
        for (Int i = 0; i < m_; ++i) balance_(q, i) = A(i, j);
        ++q;
    }
    level_[gone_] = 1.0;
}

Status Multipliers::prepare_set() { return prepare(ws_, {lower_, zero_, balance_, level_}); }

Answer Multipliers::farthest(ConstVec v) {
    for (Int i = 0; i < m_; ++i) {
        double total = 0.0;
        Int q = 0;
        for (Int j = 0; j < A_.cols; ++j)
            if (keep_[j]) total += A_(i, j) * v[q++];
        goal_[i] = total;
    }
    const Answer answer = solve_again(ws_, goal_);
    return answer.status == OPTIMAL || prepare_set() != OPTIMAL ? answer : solve_again(ws_, goal_);
}

std::vector<double> Multipliers::present() const {
    std::vector<double> y(size_t(m_), 0.0);
    for (Int i = 0; i < ws_.rows; ++i) y[size_t(ws_.row[i])] = larger(ws_.x[ws_.row[i]], 0.0);
    return y;
}

}  // namespace mc
