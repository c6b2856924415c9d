// How long a computation may go on: a limit on its work, and somebody who can stop it.
//
// Work is counted in units of about one multiplication. The count depends on the data alone, so a limit is reached at the
// same place on every machine. Every now and then the caller is asked whether to stop; Python's answer is Ctrl-C.
#pragma once

#include "view.hpp"

namespace mc {

class Patience {
public:
    using Stop = bool (*)(void* whom);
    static constexpr Int UNLIMITED = Int(1) << 60;

    Patience() = default;
    explicit Patience(Int work, Stop stop = nullptr, void* whom = nullptr)
        : allowance_(work), end_(work), look_(stop ? BETWEEN : UNLIMITED), stop_(stop), whom_(whom) {}

    // The same rules for another thread.
    Patience anew() const { return Patience(allowance_, stop_, whom_); }

    // A smaller allowance for one way to do the work, after which there may be another; `absorb` counts what it cost.
    Patience part(Int work) const { return Patience(work < end_ - spent_ ? work : end_ - spent_, stop_, whom_); }
    void absorb(const Patience& part) {
        spend(part.spent_ < part.allowance_ ? part.spent_ : part.allowance_);
        if (part.stopped_) stopped_ = true, allowance_ = 0, end_ = spent_;
    }

    // The whole allowance again, for the next of many pieces of work.
    void restart() { end_ = spent_ + allowance_; }

    // Count `work` units; false when the limit is reached or the caller wants to stop, and from then on.
    bool spend(Int work) {
        spent_ += work;
        return spent_ < end_ && (spent_ < look_ || look());
    }

    Int spent() const { return spent_; }
    Int left() const { return end_ > spent_ ? end_ - spent_ : 0; }
    bool is_over() const { return spent_ >= end_; }   // `spend` has said no
    bool is_stopped() const { return stopped_; }      // because the caller wants to stop

private:
    static constexpr Int BETWEEN = Int(1) << 18;  // units between two questions: a fraction of a millisecond

    bool look() {
        look_ = spent_ + BETWEEN;
        if (stop_(whom_)) {
            stopped_ = true;
            allowance_ = 0;
            end_ = spent_;
        }
        return !stopped_;
    }

    Int spent_ = 0, allowance_ = UNLIMITED, end_ = UNLIMITED, look_ = UNLIMITED;
    Stop stop_ = nullptr;
    void* whom_ = nullptr;
    bool stopped_ = false;
};

}  // namespace mc
