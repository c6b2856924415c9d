// timestepping: the record of a run.
#include "binding.hpp"
#include "timestepping/record.hpp"

namespace mc::py {

namespace {

using A1 = Given<double, 1>;

// A numpy view of the first rows of a column, which keeps what it shows alive when the column grows.
template <class T> nb::ndarray<nb::numpy, T> rows_of(const Column<T>& column, Int rows, bool flat) {
    auto* kept = new std::shared_ptr<T>(column.data());
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<T>*>(p); });
    const size_t shape[2] = {size_t(rows), size_t(column.cols())};
    return nb::ndarray<nb::numpy, T>(kept->get(), flat ? 1 : 2, shape, owner);
}

enum Kind { TABLE, STATES, NUMBERS, STATE_NUMBERS };

template <class T> void bind_column(nb::class_<StepRecord>& record, const char* name, Column<T> StepRecord::*field, Kind kind) {
    record.def_prop_ro(name, [field, kind](const StepRecord& self) {
        const bool states = kind == STATES || kind == STATE_NUMBERS, flat = kind == NUMBERS || kind == STATE_NUMBERS;
        return rows_of(self.*field, self.rows() + (states ? 1 : 0), flat);
    }, nb::rv_policy::move);
}

void check_state(const StepRecord& record, const A1& q, const A1& v) {
    if (Int(q.shape(0)) != record.shape.coordinates || Int(v.shape(0)) != record.shape.coordinates)
        throw nb::value_error("q and v need one number per coordinate");
}

// One step that was made elsewhere: what it came to and what happened in it.
void append(StepRecord& record, A1 q, A1 v, A1 torque, A1 impulse, A1 loop_impulse, Given<Letter, 1> letters) {
    check_state(record, q, v);
    const RecordShape& shape = record.shape;
    if (Int(torque.shape(0)) != shape.inputs || Int(impulse.shape(0)) != 2 * shape.contacts ||
        Int(loop_impulse.shape(0)) != shape.pin_rows || Int(letters.shape(0)) != shape.contacts)
        throw nb::value_error("the step is one of another mechanism");
    StepRow& row = record.step;
    for (Int i = 0; i < shape.inputs; ++i) row.torque[i] = torque.data()[i];
    for (Int i = 0; i < shape.pin_rows; ++i) row.loop_impulse[i] = loop_impulse.data()[i];
    for (Int c = 0; c < shape.contacts; ++c) {
        row.letters[c] = letters.data()[c];
        if (impulse.data()[2 * c] != 0.0 || impulse.data()[2 * c + 1] != 0.0)
            row.push(c, impulse.data()[2 * c], impulse.data()[2 * c + 1]);
    }
    if (!record.end_step(view(q), view(v))) throw std::bad_alloc();
}

// What happened since `watch`: steps, impulses of the contacts, of the pins, mean inputs, letters, impacts, method, residual.
nb::tuple recent(const StepRecord& record) {
    const StepRow& row = record.recent;
    Made<double> torque = copy(View<double>(row.torque));
    for (Int i = 0; i < row.torque.size && row.steps > 0; ++i) flat(torque)[i] /= double(row.steps);
    return nb::make_tuple(row.steps, copy(View<double>(row.impulse)), copy(View<double>(row.loop_impulse)), torque,
                          copy(View<Letter>(row.letters)), row.impacts, row.method, row.residual);
}

// Impulses of all contacts (rows, 2 contacts), zeros where there were none.
Made<double> all_impulses(const StepRecord& record) {
    Made<double> made = make<double>({size_t(record.rows()), size_t(2 * record.shape.contacts)});
    const Mat all = grid(made);
    all.fill(0.0);
    for (Int r = 0; r < record.rows(); ++r)
        for (Int i = record.impulse_start[r]; i < record.impulse_start[r + 1]; ++i)
            for (Int part = 0; part < 2; ++part) all(r, 2 * record.impulse_contact[i] + part) = record.impulse_value.row(i)[part];
    return made;
}

}  // namespace

void bind_step_record(nb::module_& m) {
    nb::class_<StepRecord> record(m, "StepRecord");
    record.def("__init__", [](StepRecord* self, Int n, Int contacts, Int loops, Int inputs, Int every) {
        if (n < 0 || contacts < 0 || loops < 0 || inputs < 0 || every < 1)
            throw nb::value_error("sizes of a record are not negative, and it keeps every step or fewer");
        new (self) StepRecord({n, contacts, loops, inputs}, every);
    }, nb::arg("coordinates"), nb::arg("contacts"), nb::arg("loops"), nb::arg("inputs"), nb::arg("every") = 1);
    record.def("start", [](StepRecord& self, A1 q, A1 v) {
        check_state(self, q, v);
        if (!self.start(view(q), view(v))) throw std::bad_alloc();
    });
    record.def("note", [](StepRecord& self, Int method, double residual, Int size) {
        self.step.method = method;
        self.step.residual = residual;
        self.step.size = size;
    });
    record.def("append", &append);
    record.def("finish", &StepRecord::finish);
    record.def("watch", &StepRecord::watch);
    record.def_prop_ro("recent", &recent);
    record.def_prop_ro("steps", &StepRecord::steps);
    bind_column(record, "q", &StepRecord::q, STATES);
    bind_column(record, "v", &StepRecord::v, STATES);
    bind_column(record, "step_number", &StepRecord::step_number, STATE_NUMBERS);
    bind_column(record, "torque", &StepRecord::torque, TABLE);
    bind_column(record, "loop_impulse", &StepRecord::loop_impulse, TABLE);
    bind_column(record, "letters", &StepRecord::letters, TABLE);
    bind_column(record, "residual", &StepRecord::residual, NUMBERS);
    bind_column(record, "method", &StepRecord::method, NUMBERS);
    bind_column(record, "size", &StepRecord::size, NUMBERS);
    bind_column(record, "impacts", &StepRecord::impacts, NUMBERS);
    bind_column(record, "impulse_start", &StepRecord::impulse_start, STATE_NUMBERS);
    record.def_prop_ro("impulse", &all_impulses, nb::rv_policy::move);
    record.def_prop_ro("impulse_contact", [](const StepRecord& self) {
        return rows_of(self.impulse_contact, self.impulse_start[self.rows()], true);
    }, nb::rv_policy::move);
    record.def_prop_ro("impulse_value", [](const StepRecord& self) {
        return rows_of(self.impulse_value, self.impulse_start[self.rows()], false);
    }, nb::rv_policy::move);
}

}  // namespace mc::py
