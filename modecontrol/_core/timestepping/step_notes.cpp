#include "timestepping/step_notes.hpp"

#include "tolerances.hpp"

namespace mc {

void note_answer(const StepAnswer& answer, StepRow& row) {
    if (answer.rows > row.size) row.size = answer.rows;
    if (answer.method > row.method) row.method = answer.method;
    row.residual = larger(row.residual, answer.residual);
}

void add_impulses(const ContactRows& rows, double part, ConstVec p, StepRow& row) {
    for (Int i = 0; i < rows.pins; ++i) row.loop_impulse[i] += part * p[i];
    for (Int i = 0; i < rows.near.count; ++i) {
        const double normal = part * p[rows.normal(i)], claw = double(rows.near.claw[i]);
        if (claw != 0.0) row.push(rows.near.contact[i], 0.0, claw * normal);
        else row.push(rows.near.contact[i], normal, part * p[rows.tangential(i)]);
    }
}

void note_impacts(const ContactRows& rows, double time, std::vector<ImpactNote>& impacts) {
    for (Int i = 0; i < rows.near.count; ++i)
        if (rows.near.claw[i] == 0 && rows.p[rows.normal(i)] > 0.0)
            impacts.push_back({time, rows.near.contact[i], rows.p[rows.normal(i)]});
}

void write_letters(const Scene& scene, PartSolver& solved, StepState& state, View<Letter> letters) {
    const ContactRows& rows = *solved.rows;
    letters.fill(SEPARATE);
    for (Int c = 0; solved.drives.count() > 0 && c < scene.contacts(); ++c)
        if (scene.watch[c].driven) letters[c] = FIXED;
    state.loaded.fill(false);
    if (rows.near.count == 0) return;
    ArticulatedBodies& bodies = solved.solved_at();
    move(scene.mechanism, bodies.pose, solved.v_plus, bodies.motion);
    for (Int i = 0; i < rows.near.count; ++i) {
        if (!rows.loaded(i)) continue;
        const Int c = rows.near.contact[i];
        const Int t = rows.tangential(i);
        const double speed = row_velocity(rows.row[t], bodies.motion) + rows.turning[t] - rows.near.speed[i];
        state.loaded[c] = true;
        if (scene.watch[c].shaped) state.feature[c] = rows.near.feature[i];
        letters[c] = std::fabs(speed) <= tolerances::SLIP ? FIXED : speed > 0.0 ? RIGHT : LEFT;
    }
}

}  // namespace mc
