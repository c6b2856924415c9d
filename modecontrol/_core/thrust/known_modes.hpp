// The modes that a search for inputs knows explicitly, and which of them count against which.
//
// Modes come from a complete response, or one after the other as a search meets them.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "regions/clash.hpp"
#include "thrust/pieces.hpp"

namespace mc {

// `Q tau <= q`.
struct InputSet {
    Grid<double> Q;
    Array<double> q;
};

// Units of `Patience` that as many linear programs are worth.
inline Int work_of(Int programs) {
    const Int most = Patience::UNLIMITED / Int(tolerances::PROGRAM_WORK);
    return (programs < most ? programs : most) * Int(tolerances::PROGRAM_WORK);
}

class KnownModes {
public:
    // All work with them may be worth `programs` linear programs.
    KnownModes(const MotionFrame& frame, Int programs) : patience(work_of(programs)), frame_(frame), allowance_(work_of(programs)) {}

    // Keep a mode whose numbers live elsewhere, or one with its own; the place it gets.
    Int add(const PackedMode& mode, Status status);
    Int add(Packed&& one);

    Int size() const { return Int(modes_.size()); }
    const PackedMode& operator[](Int i) const { return modes_[i]->mode; }
    Status status(Int i) const { return modes_[i]->status; }
    const MotionFrame& frame() const { return frame_; }

    // Whether mode `other` counts against mode `mine` (CLASH): it moves otherwise at common inputs; or, with a margin, it has
    // inputs that `mine` has not.
    Relation against(Int mine, Int other, bool with_margin);

    // Whether `x` is nearer to the inputs of a mode than it has to keep off, by more than rounding.
    bool too_near(Int other, double margin, ConstVec x) const;

    // The inputs of a mode, every row moved out by the margin, equalities too, and never by less than CLEAR.
    InputSet kept_off(Int other, double margin) const;

    Patience patience;    // of everything that is done with these modes
    Int spent() const { return (allowance_ - patience.left()) / Int(tolerances::PROGRAM_WORK); }   // in linear programs

private:
    struct Known {
        Packed own;
        PackedMode mode;
        Status status;
        std::unique_ptr<MotionSet> motions;
    };

    const MotionFrame& frame_;
    Int allowance_;
    std::vector<std::unique_ptr<Known>> modes_;
    std::map<std::pair<Int, Int>, Relation> motions_, inside_;
};

}  // namespace mc
