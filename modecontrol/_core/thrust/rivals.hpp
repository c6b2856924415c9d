// The modes that happen at given inputs: a search over an instant whose inputs are held fixed.
#pragma once

#include <memory>

#include "modes/search.hpp"

namespace mc {

class Rivals {
public:
    Rivals() = default;
    Rivals(const Rivals&) = delete;
    Rivals& operator=(const Rivals&) = delete;

    // Begin with an instant; `anew` when its sizes have changed or it has more rows than ever. Otherwise it allocates nothing.
    void begin(const Root& root, bool anew);

    // Fix the inputs (natural units); false when no unknowns go with them. `closed`: modes on whose border the inputs lie are met, too.
    // Where forces are ambiguous they would be many that repeat each other.
    bool hold(const Root& root, ConstVec tau, bool closed);
    // Work of the search is counted in `work` and ends at `until`.
    void count_work(Patience* work, Int until) { search_->count_work(work, until); }

    bool next() { return search_->next(); }
    View<const Int> path() const { return search_->path(); }
    // Friction that is all but critical was met since the inputs were held.
    bool met_steep() const { return search_->met_critical(); }
    bool is_cut_short() const { return search_->is_cut_short(); }

private:
    Root held_;
    std::unique_ptr<Search> search_;
    Array<double> scratch_;
};

}  // namespace mc
