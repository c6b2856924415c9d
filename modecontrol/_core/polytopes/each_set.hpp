// The same work on every set of a stack, on several threads, each with a workspace of its own.
#pragma once

#include <memory>

#include "parallel.hpp"
#include "polytopes/stack.hpp"
#include "polytopes/workspace.hpp"

namespace mc {

// `work(workspace, k)` for set k; each has the whole of `patience`.
template <class Work> void each_set(const Stack& stack, Int threads, const Patience& patience, const Work& work) {
    in_parallel(stack.count(), threads, [&] {
        auto ws = std::make_unique<Workspace>(stack.most_rows(), stack.most_equalities(), stack.all.A.cols);
        return [&, mine = patience.anew(), ws = std::move(ws)](Int k) mutable {
            mine.restart();
            ws->patience = &mine;
            work(*ws, k);
            return !mine.is_stopped();
        };
    });
}

}  // namespace mc
