// Many independent pieces of work on several threads.
//
// Every piece writes to places of its own and keeps its scratch memory in the worker, so that results do not depend on
// how many threads there are or on who is first.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "view.hpp"

namespace mc {

constexpr Int PIECES_AT_ONCE = 16;  // taken by a thread at a time: few enough to share evenly, enough to be rarely waiting

// Do `work(k)` for k from 0 to `count - 1` on `threads` threads, of which the caller's is one.
//
// `make()` makes a worker, once in each thread: a function of `k` that owns its workspace and returns whether to go on.
// As soon as one says no, all stop after the piece at hand. What a worker throws is thrown here, after all have ended.
template <class Make> void in_parallel(Int count, Int threads, const Make& make) {
    std::atomic<Int> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
        try {
            auto work = make();
            for (Int from = next.fetch_add(PIECES_AT_ONCE); from < count; from = next.fetch_add(PIECES_AT_ONCE)) {
                const Int to = from + PIECES_AT_ONCE < count ? from + PIECES_AT_ONCE : count;
                for (Int k = from; k < to; ++k) {
                    if (work(k)) continue;
                    next.store(count);
                    return;
                }
            }
        } catch (...) {
            const std::lock_guard<std::mutex> one_at_a_time(failing);
            failure = std::current_exception();
            next.store(count);
        }
    };
    const Int most = (count + PIECES_AT_ONCE - 1) / PIECES_AT_ONCE;
    std::vector<std::thread> others;
    try {
        for (Int t = 1; t < threads && t < most; ++t) others.emplace_back(run);
    } catch (const std::system_error&) {  // no more threads to be had: those that started do the work
    }
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mc
