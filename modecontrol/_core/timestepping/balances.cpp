#include "timestepping/balances.hpp"

#include "lcp/lemke.hpp"
#include "tolerances.hpp"

namespace mc {

bool BalancedContacts::attempt(const Lcp& problem) {
    LcpWorkspace& ws = *workspace_;
    LcpOutcome found = lemke(problem, ws, false, Int(tolerances::COVERS));
    how_ = ContactMethod::LEMKE;
    residual_ = found.residual;
    if (found.status == LcpStatus::SOLVED) return true;
    const Int most = Int(tolerances::PRECISE_STEP_WORK / double(problem.n * problem.n + 1));
    found = precise_lemke(problem, ws, {false, most, 0, false});
    how_ = ContactMethod::PRECISE;
    residual_ = found.residual;
    return found.status == LcpStatus::SOLVED;
}

ContactMethod BalancedContacts::solve(const FrictionProblem& problem, Balances& balances, bool scaled, View<FrictionPair> p) {
    const Int m = problem.size(), k = balances.count;
    residual_ = 0.0;
    if (balances.contradiction) return ContactMethod::FAILED;
    all_.resize(size_t(m));
    for (Int i = 0; i < m; ++i) all_[size_t(i)] = i;
    lcp_.write(problem, {all_.data(), m}, scaled);
    const Lcp contact = lcp_.lcp();
    const Int n = contact.n, N = n + k + 1;
    if (!workspace_ || workspace_->capacity < N) workspace_ = std::make_unique<LcpWorkspace>(N);
    fit(M_, N, N);
    fit(q_, N);
    M_.fill(0.0);
    for (Int i = 0; i < n; ++i) {
        q_[i] = contact.q[i];
        for (Int j = 0; j < n; ++j) M_(i, j) = contact.M(i, j);
    }
    const auto couple = [&](Int z, Int motion, double felt) {
        M_(z, n + motion) = felt;
        M_(z, n + k) -= felt;
        M_(n + motion, z) = -felt;
        M_(n + k, z) += felt;
    };
    q_[n + k] = 0.0;
    for (Int motion = 0; motion < k; ++motion) {
        q_[n + motion] = -balances.load[motion];
        q_[n + k] += balances.load[motion];
        for (Int c = 0; c < m; ++c) {
            const Int fi = lcp_.friction(c);
            if (lcp_.normal(c) >= 0) couple(lcp_.normal(c), motion, balances.felt(motion, 2 * c));
            if (fi < 0) continue;
            couple(fi, motion, balances.felt(motion, 2 * c + 1));
            couple(fi + 1, motion, -balances.felt(motion, 2 * c + 1));
        }
    }
    if (!attempt({M_, q_, N})) return ContactMethod::FAILED;
    const ConstVec z = workspace_->z;
    lcp_.read(z, p);
    for (Int motion = 0; motion < k; ++motion) balances.velocity[motion] = z[n + motion] - z[n + k];
    return how_;
}

}  // namespace mc
