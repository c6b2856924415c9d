// What is kept of a run: states, and what happened between them.
//
// Tables grow as the run goes on. Impulses are kept for the contacts that had any: a mechanism of many bodies has hundreds of
// pairs that could touch, of which a few do.
#pragma once

#include <cstdlib>
#include <cstring>

#include "layout.hpp"
#include "owned.hpp"

namespace mc {

// A table that grows by rows; what was handed out before stays valid and unchanged.
template <class T>
class Column {
public:
    explicit Column(Int cols) : cols_(cols) {}

    // Room for so many rows; false when there is no memory for them.
    bool reserve(Int rows) {
        if (rows <= room_) return true;
        const Int room = 2 * room_ > rows ? 2 * room_ : rows;
        // pages that are never written cost nothing
        T* made = static_cast<T*>(std::calloc(size_t(room * cols_ > 0 ? room * cols_ : 1), sizeof(T)));
        if (!made) return false;
        if (room_ * cols_ > 0) std::memcpy(made, data_.get(), size_t(room_ * cols_) * sizeof(T));
        data_ = std::shared_ptr<T>(made, &std::free);
        room_ = room;
        return true;
    }
    const std::shared_ptr<T>& data() const { return data_; }
    Int cols() const { return cols_; }
    View<T> row(Int i) const { return Table<T>{data_.get(), room_, cols_}.row(i); }
    T& operator[](Int i) const { return row(i)[0]; }

private:
    Int cols_, room_ = 0;
    std::shared_ptr<T> data_;
};

struct RecordShape {
    Int coordinates = 0, contacts = 0, pin_rows = 0, inputs = 0;
};

// What happened in one step, or in several.
struct StepRow {
    explicit StepRow(const RecordShape& shape);

    void clear();
    void add(const StepRow& later);

    // Add to the impulse of a contact.
    void push(Int contact, double normal, double tangential) {
        if (!marked[contact]) {
            marked[contact] = true;
            touched[count++] = contact;
        }
        impulse[2 * contact] += normal;
        impulse[2 * contact + 1] += tangential;
    }

    Array<double> impulse;          // of each contact (normal, tangential)
    Flags marked;                   // contacts that had any
    Array<Int> touched;             // their numbers, `count` of them
    Int count = 0;
    Array<double> loop_impulse;     // of the pins
    Array<double> torque;           // inputs, summed over the steps
    Array<Letter> letters;          // at the end of the last step
    double residual = 0.0;          // largest of the contact problems
    Int method = 0;                 // the last resort that was needed, as a code
    Int size = 0;                   // rows of the largest contact problem
    Int impacts = 0;                // collisions
    Int steps = 0;
};

class StepRecord {
public:
    // One row for `every` steps.
    StepRecord(const RecordShape& shape, Int every);

    // Forget everything; the first state.
    bool start(ConstVec q, ConstVec v);

    // The step in `step` is made; false when there is no memory to keep it.
    bool end_step(ConstVec q, ConstVec v);

    // Keep the steps since the last full row too.
    bool finish();

    // From now on add up what happens in `recent` as well, afresh.
    void watch();

    Int rows() const { return rows_; }
    Int steps() const { return steps_; }

    const RecordShape shape;
    const Int every;
    StepRow step;                   // the step being made
    StepRow recent;                 // the steps since the last call of `watch`
    Column<double> q, v;            // states: one row more than the others
    Column<Int> step_number;        // of each state
    Column<double> torque, loop_impulse, residual;
    Column<Letter> letters;
    Column<std::uint8_t> method;
    Column<Int> size, impacts;
    Column<Int> impulse_start;      // impulses of row `i`: from `impulse_start[i]` to `impulse_start[i + 1]`
    Column<Int> impulse_contact;
    Column<double> impulse_value;   // normal, tangential

private:
    bool reserve(Int rows);
    bool write_row(ConstVec q, ConstVec v);

    StepRow row_;
    bool watched_ = false;
    Array<double> last_q_, last_v_;
    Int rows_ = 0, steps_ = 0;
};

}  // namespace mc
