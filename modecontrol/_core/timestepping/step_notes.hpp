// What a solved part of a step leaves in the record: impulses, residual and method, the letters of the contacts.
#pragma once

#include "timestepping/part_solver.hpp"
#include "timestepping/record.hpp"

namespace mc {

// The size of a contact problem, the last resort that it needed, its residual.
void note_answer(const StepAnswer& answer, StepRow& row);

// Add `part` of the impulses `p` to the record of a step.
void add_impulses(const ContactRows& rows, double part, ConstVec p, StepRow& row);

// Collisions of compression at `time`.
void note_impacts(const ContactRows& rows, double time, std::vector<ImpactNote>& impacts);

// S, L, R, F of each contact at the end of a part, from its impulse and tangential velocity; in `state`, which carry load and where.
void write_letters(const Scene& scene, PartSolver& solved, StepState& state, View<Letter> letters);

}  // namespace mc
