#include "closed_loop/asked_everywhere.hpp"

#include <memory>
#include <mutex>

#include "parallel.hpp"

namespace mc {

Asked ask_everywhere(const ThrustPlan& plan, ConstMat q, ConstMat v, Int threads, const Patience& patience, const DecisionTable& out) {
    constexpr Int WORK = Int(1) << 17;  // units of work that a decision counts as, for questions to the caller
    std::mutex failing;
    std::atomic<bool> good{true};
    Asked asked;
    in_parallel(q.rows, threads, [&] {
        return [&, patience = patience.anew(), controller = std::make_shared<ThrustController>(plan)](Int i) mutable {
            if (!patience.spend(WORK)) {
                good = false;
                return false;
            }
            controller->reset();
            const Decided decided = controller->decide(0.0, {q.row(i), v.row(i)});
            if (decided != Decided::SETTLED) {
                const std::lock_guard<std::mutex> one_at_a_time(failing);
                good = false;
                if (asked.where < 0 || i < asked.where) asked.how = decided, asked.where = i;
                return false;
            }
            const ThrustDecision& made = controller->decision();
            for (Int j = 0; j < out.torque.cols; ++j) out.torque(i, j) = made.torque[size_t(j)];
            for (Int j = 0; j < out.letters.cols; ++j) out.letters(i, j) = made.letters[size_t(j)];
            out.value[i] = made.value;
            out.fallback[i] = std::uint8_t(made.fallback);
            return true;
        };
    });
    asked.all = good;
    return asked;
}

}  // namespace mc
