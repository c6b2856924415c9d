#include "modes/responses.hpp"

#include "parallel.hpp"
#include "polytopes/projection.hpp"

namespace mc {

namespace {

void append(std::vector<double>& numbers, ConstVec values) {
    numbers.insert(numbers.end(), values.data, values.data + values.size);
}

void append(std::vector<double>& numbers, ConstMat values) {
    numbers.insert(numbers.end(), values.data, values.data + values.rows * values.cols);
}

}  // namespace

Responder::Responder(const Root& root) : root(root), tau_units(root.layout.inputs()), domain(root) {
    for (Int j = 0; j < tau_units.size; ++j) tau_units[j] = root.units[root.layout.tau + j] * root.size;
}

// The torque set is what the domain says about the inputs alone: every w-part can be completed, or nobody knows better.
void Responder::write_plain_torques(const RowWriter& writer, ModeShape& shape, Packed& out) {
    const Int m = Int(domain.kept.size()), p = domain.e.size, all = m + domain.equalities(), inputs = tau_units.size;
    kept.clear(), hidden.clear();
    for (Int r = 0; r < m; ++r)
        if (!domain.felt[r]) kept.push_back(domain.kept[r]);
    for (Int r = m + p; r < all; ++r)
        if (!domain.felt[r]) hidden.push_back(domain.hidden[r - m - p]);
    shape.torque_rows = Int(kept.size()), shape.torque_equalities = p + Int(hidden.size());
    writer.write({domain.A, domain.b, &kept}, {}, inputs);
    writer.write({domain.C, domain.e}, {domain.A, domain.b, &hidden}, inputs);
    for (Int r = 0; r < all; ++r) {
        if (domain.felt[r]) continue;
        out.ancestry.resize(out.ancestry.size() + all, 0);
        out.ancestry[out.ancestry.size() - all + r] = 1;
    }
}

void Responder::write_projected_torques(const RowWriter& writer, ModeShape& shape, Packed& out, Patience* patience) {
    const Int m = domain.near_kept, p = domain.e.size, d = domain.A.cols, inputs = tau_units.size;
    const Grid<double> A(m, d), C(domain.equalities(), d);
    const Array<double> b(m), e(C.rows);
    for (Int r = 0; r < m; ++r) {
        b[r] = domain.b[domain.kept[r]];
        for (Int j = 0; j < d; ++j) A(r, j) = domain.A(domain.kept[r], j);
    }
    for (Int r = 0; r < C.rows; ++r) {
        e[r] = r < p ? domain.e[r] : domain.b[domain.hidden[r - p]];
        for (Int j = 0; j < d; ++j) C(r, j) = r < p ? domain.C(r, j) : domain.A(domain.hidden[r - p], j);
    }
    const Flags keep(d);
    for (Int j = 0; j < inputs; ++j) keep[j] = true;
    const Projection projected = project_minimal({A, b, C, e}, keep, patience);
    // bounds on far inputs do not feel w: they pass through the projection as they are
    kept.assign(domain.kept.begin() + m, domain.kept.end());
    shape.status = projected.status;
    shape.torque_rows = projected.b.size + Int(kept.size()), shape.torque_equalities = projected.e.size;
    writer.write({projected.A, projected.b}, {domain.A, domain.b, &kept}, inputs);
    writer.write({projected.C, projected.e}, {}, inputs);
    write_ancestry(projected.ancestors, projected.b.size, Int(kept.size()), out);
}

// Rows of the projection, whose ancestors are the rows of the domain without `far` bounds; those bounds stand behind its
// inequalities and have themselves as ancestors.
void Responder::write_ancestry(Table<const bool> ancestors, Int inequalities, Int far, Packed& out) {
    const Int near = domain.near_kept, all = near + far + domain.equalities();
    const auto line = [&] {
        out.ancestry.resize(out.ancestry.size() + all, 0);
        return out.ancestry.end() - all;
    };
    for (Int r = 0; r < ancestors.rows + far; ++r) {
        const auto row = line();
        const bool bound = r >= inequalities && r < inequalities + far;
        if (bound) row[near + r - inequalities] = 1;
        const Int from = r < inequalities ? r : r - far;
        for (Int j = 0; !bound && j < ancestors.cols; ++j) row[j < near ? j : j + far] = ancestors(from, j);
    }
}

// Append the response of the mode `path`, whose table `T` is used up.
void Responder::add(Mat T, Int freedom, View<const Int> path, double least, Packed& out, Patience* patience) {
    split_inputs(T, root.layout, freedom, split);
    if (is_nearly_singular(T, root.layout, split, least)) precise.write(root, path, T, split);
    affine_response(T, root, split, response);
    make_domain(root, T, split, response, path, domain);

    const Int width = domain.A.cols;
    ModeShape shape{split.w, Int(domain.kept.size()), domain.equalities(), 0, 0, domain.status, split.admissible(), domain.thin};
    append(out.numbers, response.constant);
    append(out.numbers, response.U);
    append(out.numbers, response.W);
    const RowWriter writer{tau_units, root.size, out.numbers};
    writer.write({domain.A, domain.b, &domain.kept}, {}, width);
    writer.write({domain.C, domain.e}, {domain.A, domain.b, &domain.hidden}, width);
    if (domain.status != OPTIMAL || domain.any_inputs)
        write_plain_torques(writer, shape, out);
    else
        write_projected_torques(writer, shape, out, patience);

    for (const Int n : {shape.w, shape.rows, shape.equalities, shape.torque_rows, shape.torque_equalities, shape.status,
                        shape.admissible, shape.thin})
        out.shape.push_back(n);
    out.number_start.push_back(Int(out.numbers.size()));
    for (const Int row : domain.kept) out.causes.push_back(domain.cause[row]);
    for (const Int row : domain.hidden) out.causes.push_back(domain.cause[row]);
    out.cause_start.push_back(Int(out.causes.size()));
    out.ancestry_start.push_back(Int(out.ancestry.size()));
}

static void note(const Search& found, Int contacts, Responses& out) {
    for (Int i = 0; i < contacts; ++i) out.letters.push_back(found.letter(i));
    out.doubtful.push_back(found.doubtful());
}

Responses respond(const Root& root, Patience work) {
    Responses out;
    out.packed.unknowns = root.layout.tau;
    out.packed.inputs = root.layout.inputs();
    Search search(root);
    Responder responder(root);
    while (search.next()) {
        note(search, root.laws.size, out);
        Patience some = work.part(work.left() / SHARES);
        responder.add(search.table(), search.freedom(), search.path(), search.least(), out.packed, &some);
        work.absorb(some);
        if (work.is_stopped()) break;
    }
    out.programs = search.programs(), out.undecided = search.undecided();
    return out;
}

void respond_many(View<const Instant> instants, Int threads, View<RootResponses> out) {
    in_parallel(instants.size, threads, [&] {
        return [&](Int i) {
            dynamic_root(instants[i], out[i].root);
            out[i].responses = respond(out[i].root);
            return true;
        };
    });
}

Responses list_modes(const Root& root) {
    Responses out;
    Search search(root);
    while (search.next()) note(search, root.laws.size, out);
    out.programs = search.programs(), out.undecided = search.undecided();
    return out;
}

}  // namespace mc
