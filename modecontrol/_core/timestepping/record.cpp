#include "timestepping/record.hpp"

#include <algorithm>

namespace mc {

namespace {

constexpr Int FIRST_ROWS = 256;

template <class T> void copy(View<const T> source, View<T> target) {
    for (Int i = 0; i < source.size; ++i) target[i] = source[i];
}

}  // namespace

StepRow::StepRow(const RecordShape& shape)
    : impulse(2 * shape.contacts), marked(shape.contacts), touched(shape.contacts), loop_impulse(shape.pin_rows),
      torque(shape.inputs), letters(shape.contacts, SEPARATE) {}

void StepRow::clear() {
    for (Int i = 0; i < count; ++i) {
        const Int c = touched[i];
        marked[c] = false;
        impulse[2 * c] = impulse[2 * c + 1] = 0.0;
    }
    count = 0;
    loop_impulse.fill(0.0);
    torque.fill(0.0);
    letters.fill(SEPARATE);
    residual = 0.0;
    method = size = impacts = steps = 0;
}

void StepRow::add(const StepRow& later) {
    for (Int i = 0; i < later.count; ++i) {
        const Int c = later.touched[i];
        push(c, later.impulse[2 * c], later.impulse[2 * c + 1]);
    }
    for (Int i = 0; i < loop_impulse.size; ++i) loop_impulse[i] += later.loop_impulse[i];
    for (Int i = 0; i < torque.size; ++i) torque[i] += later.torque[i];
    copy<Letter>(later.letters, letters);
    residual = larger(residual, later.residual);
    method = std::max(method, later.method);
    size = std::max(size, later.size);
    impacts += later.impacts;
    steps += later.steps;
}

StepRecord::StepRecord(const RecordShape& made, Int rows_every)
    : shape(made), every(rows_every), step(made), recent(made), q(made.coordinates), v(made.coordinates), step_number(1), torque(made.inputs),
      loop_impulse(made.pin_rows), residual(1), letters(made.contacts), method(1), size(1), impacts(1), impulse_start(1),
      impulse_contact(1), impulse_value(2), row_(made), last_q_(made.coordinates), last_v_(made.coordinates) {}

bool StepRecord::reserve(Int rows) {
    const Int most = rows < FIRST_ROWS ? FIRST_ROWS : rows;
    return q.reserve(most + 1) && v.reserve(most + 1) && step_number.reserve(most + 1) && impulse_start.reserve(most + 1) &&
           torque.reserve(most) && loop_impulse.reserve(most) && residual.reserve(most) && letters.reserve(most) &&
           method.reserve(most) && size.reserve(most) && impacts.reserve(most);
}

bool StepRecord::start(ConstVec first_q, ConstVec first_v) {
    rows_ = steps_ = 0;
    step.clear();
    row_.clear();
    recent.clear();
    if (!reserve(0)) return false;
    copy<double>(first_q, q.row(0));
    copy<double>(first_v, v.row(0));
    step_number[0] = impulse_start[0] = 0;
    return true;
}

bool StepRecord::write_row(ConstVec after_q, ConstVec after_v) {
    const Int r = rows_, first = impulse_start[r];
    const Int impulses = first + row_.count;
    if (!reserve(r + 1) || !impulse_contact.reserve(impulses) || !impulse_value.reserve(impulses)) return false;
    copy<double>(after_q, q.row(r + 1));
    copy<double>(after_v, v.row(r + 1));
    step_number[r + 1] = steps_;
    for (Int i = 0; i < row_.torque.size; ++i) torque.row(r)[i] = row_.torque[i] / double(row_.steps);
    copy<double>(row_.loop_impulse, loop_impulse.row(r));
    copy<Letter>(row_.letters, letters.row(r));
    residual[r] = row_.residual;
    method[r] = std::uint8_t(row_.method);
    size[r] = row_.size;
    impacts[r] = row_.impacts;
    std::sort(row_.touched.data, row_.touched.data + row_.count);
    Int next = first;
    for (Int i = 0; i < row_.count; ++i) {
        const Int c = row_.touched[i];
        if (row_.impulse[2 * c] == 0.0 && row_.impulse[2 * c + 1] == 0.0) continue;
        impulse_contact[next] = c;
        impulse_value.row(next)[0] = row_.impulse[2 * c];
        impulse_value.row(next)[1] = row_.impulse[2 * c + 1];
        ++next;
    }
    impulse_start[r + 1] = next;
    row_.clear();
    ++rows_;
    return true;
}

bool StepRecord::end_step(ConstVec after_q, ConstVec after_v) {
    step.steps = 1;
    row_.add(step);
    if (watched_) recent.add(step);
    step.clear();
    ++steps_;
    if (row_.steps == every) return write_row(after_q, after_v);
    copy<double>(after_q, last_q_);
    copy<double>(after_v, last_v_);
    return true;
}

void StepRecord::watch() {
    watched_ = true;
    recent.clear();
}

bool StepRecord::finish() { return row_.steps == 0 || write_row(last_q_, last_v_); }

}  // namespace mc
