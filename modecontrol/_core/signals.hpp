// Ctrl-C during long calls: the `Patience` of a binding.
//
//     without_python([&](const Patience& patience) { work(..., patience); }, limit);
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "binding.hpp"
#include "patience.hpp"

namespace mc::py {

class Signals {
public:
    Patience patience(Int work = Patience::UNLIMITED) { return Patience(work, &Signals::ask, this); }

    // Raise the exception of a signal handler (KeyboardInterrupt as a rule) if one came. Needs the GIL.
    void raise() {
        if (stopped_) throw nb::python_error();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds BETWEEN{50};

    // Called without the GIL, by any thread; only the one that entered from Python looks for signals.
    static bool ask(void* whom) {
        Signals& self = *static_cast<Signals*>(whom);
        if (self.stopped_ || std::this_thread::get_id() != self.caller_) return self.stopped_;
        const Clock::time_point now = Clock::now();
        if (now - self.last_ < BETWEEN) return false;
        self.last_ = now;
        nb::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) self.stopped_ = true;
        return self.stopped_;
    }

    std::thread::id caller_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> stopped_{false};
};

// Do `work(patience)` while other threads may run Python; Ctrl-C ends it.
template <class Work> void without_python(const Work& work, Int allowance = Patience::UNLIMITED) {
    Signals signals;
    {
        nb::gil_scoped_release other_threads_may_run;
        work(signals.patience(allowance));
    }
    signals.raise();
}

}  // namespace mc::py
