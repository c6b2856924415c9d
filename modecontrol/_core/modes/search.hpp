// Prefix search over contact modes: cost grows with the number of answers, not with 4^k.
//
// Contacts get their letters one by one; each letter imposes its equalities on the table of unknowns. One linear program
// per node asks for a point with every strict inequality of the assigned cells positive, while unassigned contacts only obey
// what their cells have in common: a prefix that fails has no completion, and at a full mode the question is exact (a mode
// counts when its strict domain is not empty).
#pragma once

#include "modes/mode_rows.hpp"
#include "polytopes/simplex.hpp"

namespace mc {

// Whether a prefix has a point with all strict rows positive. PLAIN: yes, without a program; DOUBTFUL: undecided, so kept.
enum class Verdict { NO, YES, PLAIN, DOUBTFUL };

// Rows of the program at one node, and room to solve it.
struct NodeProgram {
    explicit NodeProgram(const Root& root);

    Grid<double> A;
    Array<double> bound;
    Workspace workspace;
};

Verdict possible(const Root& root, ConstMat T, Int freedom, View<const Int> path, Int assigned, NodeProgram& program);

// Whether a letter is one of sliding (or rolling), whose forces are tied by a coefficient.
inline bool slides(Letter letter) { return letter != 'F' && letter != 'S'; }

// Depth-first search, one mode after the other, in alphabetical order:
//
//     Search search(root);
//     while (search.next()) ... search.path(), search.table(), search.freedom() ...
//
// A mode whose own program stayed undecided is among them, marked as doubtful; the caller asks another method.
class Search {
public:
    explicit Search(const Root& root);  // keeps a reference

    // Begin again, with the present table of the root (of the same layout); allocates nothing.
    void restart();
    // Go on to the next mode; false when there is none.
    bool next();

    View<const Int> path() const { return path_; }         // cell of each contact
    Letter letter(Int contact) const { return root_.laws[contact].cells[path_[contact]].letter; }
    Mat table() const { return table(root_.laws.size); }   // of the mode found; the caller may spoil it
    Int freedom() const { return freedom_[root_.laws.size]; }
    double least() const { return least_[root_.laws.size]; }   // part of its natural size that an equality of the mode found has, at least
    bool doubtful() const { return verdict_ == Verdict::DOUBTFUL; }
    Int programs() const { return programs_; }             // asked so far
    bool met_steep() const { return steep_; }              // equations that are all but singular, whether a mode came of them or not
    bool met_critical() const { return critical_; }        // of these, friction all but critical, or a contradiction that hangs on so little
    Int undecided() const { return undecided_; }

    // Count the work, and find nothing more once `until` units are spent in all: `is_cut_short`.
    void count_work(Patience* work, Int until) { program_.workspace.patience = work, until_ = until; }
    bool is_cut_short() const { return program_.workspace.patience && program_.workspace.patience->spent() >= until_; }

private:
    Mat table(Int depth) const {
        const Int rows = root_.layout.rows;
        return Mat(tables_).part(own_[depth] * rows, (own_[depth] + 1) * rows);
    }
    bool descend(Int cell);

    const Root& root_;
    Grid<double> tables_;                // one for each depth that has a table of its own
    Array<Int> own_;                     // by depth: which; a contact that adds nothing shares the table of those before it
    Array<Int> freedom_, tried_, path_;  // by depth: columns, next cell; by contact: cell
    Array<double> least_;                // by depth
    Array<double> scratch_;
    NodeProgram program_;
    Int depth_ = 0, programs_ = 0, undecided_ = 0, until_ = Patience::UNLIMITED;
    Verdict verdict_ = Verdict::PLAIN;
    bool steep_ = false, critical_ = false;
};

}  // namespace mc
