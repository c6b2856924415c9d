// Formulations in joint velocities by the dense mass matrix (`rmc`, `mc`), and with all velocities kept (`nmc`).

// Mass matrix by composite bodies, contact Jacobian, known forces: what `mc` and `rmc` begin with.
struct JointSpace {
    explicit JointSpace(int n) : M(n, n), J(CONTACT_ROWS, n), force(n), I(n) {}

    Grid<double> M, J;
    mc::Array<double> force;        // h times the forces that change `v`
    std::vector<Matrix> I;

    void write(const Pendulum& s) {
        const Six S = joined(AXIS, {0.0, 0.0, 0.0});
        std::vector<Six> P(s.n);
        for (int i = 0; i < s.n; ++i) I[i] = inertia_of(s, i), P[i] = bias_force(s, i);
        for (int i = s.n - 1; i >= 0; --i) {
            force[i] = -STEP * dot(S, P[i]);
            Six f = times(I[i], S);
            M(i, i) = dot(S, f);
            for (int j = i; j > 0; --j) {
                f = brought(f, s.arm(j - 1));
                M(i, j - 1) = M(j - 1, i) = dot(S, f);
            }
            if (i == 0) continue;
            const Matrix up = brought(I[i], s.arm(i - 1));
            const Six load = brought(P[i], s.arm(i - 1));
            for (int r = 0; r < 6; ++r) {
                P[i - 1][r] += load[r];
                for (int c = 0; c < 6; ++c) I[i - 1][r][c] += up[r][c];
            }
        }
        J.fill(0.0);
        for (int k = 0; k < CONTACT_ROWS; ++k) {
            Six f = s.row(k, false);
            for (int i = s.touching[k / 3]; i >= 0; --i) {
                J(k, i) = dot(S, f);
                if (i > 0) f = brought(f, s.arm(i - 1));
            }
        }
    }
};

// `rmc`: the mass matrix factored, contacts alone left.
struct Reduced final : Formulation {
    explicit Reduced(int n) : Formulation("rmc", LCP_ROWS), space(n), X(CONTACT_ROWS + 1, n) { v_plus.resize(n); }

    JointSpace space;
    Grid<double> X;                 // rows of W^-1 J^T, then of the free velocities
    ContactProblem contacts;

    void assemble(const Pendulum& s) override {
        space.write(s);
        Grid<double>& M = space.M;
        for (int i = 0; i < s.n; ++i)
            for (int j = 0; j <= i; ++j) {
                double value = M(i, j);
                for (int k = 0; k < j; ++k) value -= M(i, k) * M(j, k);
                M(i, j) = i == j ? std::sqrt(value) : value / M(j, j);
            }
        for (int r = 0; r <= CONTACT_ROWS; ++r) {
            for (int i = 0; i < s.n; ++i) {
                double value = r < CONTACT_ROWS ? space.J(r, i) : space.force[i];
                for (int k = 0; k < i; ++k) value -= M(i, k) * X(r, k);
                X(r, i) = value / M(i, i);
            }
            for (int i = s.n - 1; i >= 0; --i) {
                for (int k = i + 1; k < s.n; ++k) X(r, i) -= M(k, i) * X(r, k);
                X(r, i) /= M(i, i);
            }
        }
        for (int i = 0; i < s.n; ++i) X(CONTACT_ROWS, i) += s.v[i];
        const auto along = [&](int r, int x) {
            double sum = 0.0;
            for (int i = 0; i < s.n; ++i) sum += space.J(r, i) * X(x, i);
            return sum;
        };
        double L[CONTACT_ROWS][CONTACT_ROWS];
        for (int r = 0; r < CONTACT_ROWS; ++r)
            for (int c = 0; c < CONTACT_ROWS; ++c) L[r][c] = along(r, c);
        contacts.write(s, [&](int r, int c) { return L[r][c]; }, [&](int r) { return along(r, CONTACT_ROWS); });
    }

    bool solve(const Pendulum& s) override {
        const bool solved = contacts.solve();
        for (int i = 0; i < s.n; ++i) {
            v_plus[i] = X(CONTACT_ROWS, i);
            for (int r = 0; r < CONTACT_ROWS; ++r) v_plus[i] += contacts.p[r] * X(r, i);
        }
        return solved;
    }
};

// `mc`: joint velocities are unknowns of the problem. `nmc`: those of the bodies, with the impulses of the hinges.
struct Kept final : Formulation {
    Kept(int n, bool bodies_apart)
        : Formulation(bodies_apart ? "nmc" : "mc", (bodies_apart ? 11 * n : n) + LCP_ROWS), apart_(bodies_apart), free_(rows - LCP_ROWS),
          space(n), bodies(n), M(rows, rows), side(rows), mixed(rows) {
        v_plus.resize(n);
    }

    bool apart_;
    int free_;
    JointSpace space;
    Bodies bodies;
    Grid<double> M;
    mc::Array<double> side;
    mc::MixedWorkspace mixed;
    ContactProblem contacts;

    void couple(int velocity, int row, double value) {
        for (int z = 0; z < LCP_ROWS; ++z) {
            double sign;
            if (ContactProblem::row_of(z, sign) != row) continue;
            M(velocity, free_ + z) = -sign * value;
            M(free_ + z, velocity) = sign * value;
        }
    }

    void assemble(const Pendulum& s) override {
        M.fill(0.0);
        side.fill(0.0);
        if (apart_) write_bodies(s);
        else write_joints(s);
        for (int k = 0; k < CONTACTS; ++k) side[free_ + k] = s.gap[k] / STEP;
        ContactProblem::write_cone(M, free_);
    }

    void write_joints(const Pendulum& s) {
        space.write(s);
        for (int i = 0; i < s.n; ++i) {
            side[i] = -space.force[i];
            for (int j = 0; j < s.n; ++j) {
                M(i, j) = space.M(i, j);
                side[i] -= space.M(i, j) * s.v[j];
            }
            for (int k = 0; k < CONTACT_ROWS; ++k) couple(i, k, space.J(k, i));
        }
    }

    void write_bodies(const Pendulum& s) {
        bodies.write(s);
        for (int i = 0; i < s.n; ++i) {
            for (int k = 0; k < 6; ++k) {
                M(6 * i + k, 6 * i + k) = 1.0 / bodies.by_mass(s, k);
                side[6 * i + k] = -bodies.V[i][k] / bodies.by_mass(s, k);
            }
            for (int r = 0; r < 5; ++r) {
                const int row = 6 * s.n + 5 * i + r;
                const auto put = [&](int body, const Six& f) {
                    for (int k = 0; k < 6; ++k) M(row, 6 * body + k) = f[k], M(6 * body + k, row) = -f[k];
                };
                put(i, bodies.hinge[i].here[r]);
                if (i > 0) put(i - 1, bodies.hinge[i].before[r]);
            }
        }
        for (int k = 0; k < CONTACT_ROWS; ++k)
            for (int c = 0; c < 6; ++c) couple(6 * s.touching[k / 3] + c, k, bodies.contact[k][c]);
    }

    bool solve(const Pendulum& s) override {
        const bool solved = mc::mixed_lemke({M, side, Int(rows)}, free_, false, mixed).status == mc::LcpStatus::SOLVED;
        for (int i = 0; i < s.n; ++i) {
            if (!apart_) v_plus[i] = mixed.free[i];
            for (int k = 0; apart_ && k < 6; ++k) bodies.V[i][k] = mixed.free[6 * i + k];
        }
        if (apart_) bodies.read(s, v_plus);
        return solved;
    }
};
