// Formulations of a contact step of the pendulum in space, timed: assembling and solving apart. Called by `campaigns/jain_space.py`.
//
//     pendulum LINKS STEPS
//
// prints a line `name,rows,assembling,solving,apart` for each: microseconds of CPU of a step in which a contact carries load, and
// the largest difference of a joint velocity from that of `os`, in any step. The motion goes on with the velocities of `os`, until
// so many steps had a load. Four contacts with four friction directions each are part of every step; Lemke's method is that of the
// library.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "lcp/lemke.hpp"
#include "lcp/mixed.hpp"
#include "pendulum.hpp"

using namespace space;
using mc::Grid;
using mc::Int;

namespace {

constexpr int MOST_STEPS = 20000;

double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Compliance and free velocities of the contact rows, and what becomes of them: impulses `p` of the rows.
struct ContactProblem {
    Grid<double> A{LCP_ROWS, LCP_ROWS};
    mc::Array<double> a{LCP_ROWS};
    mc::LcpWorkspace ws{LCP_ROWS};
    double p[CONTACT_ROWS];

    static int place(int contact, int direction) { return CONTACTS + 5 * contact + direction; }

    // What unknown `z` pushes: row and sign; no row for the slip.
    static int row_of(int z, double& sign) {
        sign = 1.0;
        if (z < CONTACTS) return 3 * z;
        const int contact = (z - CONTACTS) / 5, direction = (z - CONTACTS) % 5;
        if (direction == 4) return -1;
        sign = direction % 2 == 0 ? 1.0 : -1.0;
        return 3 * contact + 1 + direction / 2;
    }

    template <class L, class U> void write(const Pendulum& s, const L& compliance, const U& velocity) {
        for (int i = 0; i < LCP_ROWS; ++i) {
            double si, sj;
            const int r = row_of(i, si);
            a[i] = r < 0 ? 0.0 : si * velocity(r) + (i < CONTACTS ? s.gap[i] / STEP : 0.0);
            for (int j = 0; j < LCP_ROWS; ++j) {
                const int c = row_of(j, sj);
                A(i, j) = r < 0 || c < 0 ? 0.0 : si * sj * compliance(r, c);
            }
        }
        write_cone(A, 0);
    }

    static void write_cone(mc::Mat M, int first) {
        for (int k = 0; k < CONTACTS; ++k) {
            const int slip = first + place(k, 4);
            M(slip, first + k) = MU;
            for (int d = 0; d < 4; ++d) {
                M(slip, first + place(k, d)) = -1.0;
                M(first + place(k, d), slip) = 1.0;
            }
        }
    }

    template <class Z> void read(const Z& z) {
        for (double& x : p) x = 0.0;
        for (int i = 0; i < LCP_ROWS; ++i) {
            double sign;
            const int r = row_of(i, sign);
            if (r >= 0) p[r] += sign * z(i);
        }
    }

    bool solve() {
        const mc::LcpOutcome found = mc::lemke({A, a, LCP_ROWS}, ws, false, 3);
        read([&](int i) { return ws.z[i]; });
        return found.status == mc::LcpStatus::SOLVED;
    }
};

struct Formulation {
    explicit Formulation(std::string called, int size) : name(std::move(called)), rows(size) {}
    virtual ~Formulation() = default;
    virtual void assemble(const Pendulum& s) = 0;
    virtual bool solve(const Pendulum& s) = 0;      // and the joint velocities

    std::string name;
    int rows;
    std::vector<double> v_plus;
    double assembling = 0.0, solving = 0.0, apart = 0.0;
};

// Inertia of a ball about its hinge.
Matrix inertia_of(const Pendulum& s, int i) {
    Matrix I{};
    for (int k = 0; k < 3; ++k) I[k][k] = s.inertia(), I[k + 3][k + 3] = 1.0;
    return brought(I, s.com[i]);
}

// Force that keeps a ball on its path at zero `qdd`, about its hinge: of its own motion and gravity.
Six bias_force(const Pendulum& s, int i) {
    const Three w = upper(s.motion[i]), alpha = upper(s.bias[i]), c = s.com[i];
    const Three a = lower(s.bias[i]) + cross(alpha, c) + cross(w, cross(w, c)) - GRAVITY;
    const Three moment = s.inertia() * alpha + cross(w, s.inertia() * w);
    return brought(joined(moment, a), c);
}

// `os`: articulated bodies and the recursion of the operational-space compliance.
struct OperationalSpace final : Formulation {
    explicit OperationalSpace(int n) : Formulation("os", LCP_ROWS), I(n), Y(n), U(n), P(n), D(n), felt(size_t(n)) { v_plus.resize(n); }

    const Six S = joined(AXIS, {0.0, 0.0, 0.0});
    std::vector<Matrix> I, Y;
    std::vector<Six> U, P;
    std::vector<double> D;
    std::vector<std::array<Six, CONTACT_ROWS>> felt;    // rows brought to the links that are touched
    std::vector<double> v_free;
    ContactProblem contacts;

    Six psi(int i, const Six& f, const Three& d) const {        // a force on link i, on the link before it
        const double x = dot(S, f) / D[i];
        Six left;
        for (int k = 0; k < 6; ++k) left[k] = f[k] - U[i][k] * x;
        return brought(left, d);
    }

    // Accelerations times `scale` by the forces `P`, given the factors.
    void substitute(const Pendulum& s, double scale, std::vector<double>& v) {
        std::vector<double> u(s.n);
        for (int i = s.n - 1; i >= 0; --i) {
            u[i] = -dot(S, P[i]);
            if (i == 0) continue;
            Six left = P[i];
            for (int k = 0; k < 6; ++k) left[k] += U[i][k] * u[i] / D[i];
            const Six f = brought(left, s.arm(i - 1));
            for (int k = 0; k < 6; ++k) P[i - 1][k] += f[k];
        }
        Six a{};
        for (int i = 0; i < s.n; ++i) {
            if (i > 0) a = moved(a, s.arm(i - 1));
            const double qdd = (u[i] - dot(U[i], a)) / D[i];
            for (int k = 0; k < 6; ++k) a[k] += S[k] * qdd;
            v[i] += scale * qdd;
        }
    }

    void assemble(const Pendulum& s) override {
        for (int i = 0; i < s.n; ++i) I[i] = inertia_of(s, i), P[i] = bias_force(s, i);
        for (int i = s.n - 1; i >= 0; --i) {
            U[i] = times(I[i], S);
            D[i] = dot(S, U[i]);
            if (i == 0) continue;
            Matrix left;
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) left[r][c] = I[i][r][c] - U[i][r] * U[i][c] / D[i];
            const Matrix up = brought(left, s.arm(i - 1));
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) I[i - 1][r][c] += up[r][c];
        }
        v_free = s.v;
        substitute(s, STEP, v_free);
        compliance(s);
    }

    void compliance(const Pendulum& s) {
        for (int i = 0; i < s.n; ++i) {
            Matrix& y = Y[i];
            for (Six& row : y) row = {};
            if (i > 0) {        // psi^T Y psi, column by column
                Matrix half;
                for (int c = 0; c < 6; ++c) {
                    Six unit{};
                    unit[c] = 1.0;
                    const Six moved_up = psi(i, unit, s.arm(i - 1)), answer = times(Y[i - 1], moved_up);
                    half[c] = answer;
                }
                for (int c = 0; c < 6; ++c) {
                    Six unit{};
                    unit[c] = 1.0;
                    const Six up = psi(i, unit, s.arm(i - 1));
                    for (int r = 0; r < 6; ++r) y[c][r] = dot(up, half[r]);
                }
            }
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) y[r][c] += S[r] * S[c] / D[i];
        }
        for (int k = 0; k < CONTACT_ROWS; ++k) {
            Six f = s.row(k, false);
            int next = k / 3;
            for (int i = s.touching[k / 3]; i >= s.touching[0]; --i) {
                while (next >= 0 && s.touching[next] == i) felt[size_t(next--)][k] = f;
                if (i > 0) f = psi(i, f, s.arm(i - 1));
            }
        }
        std::vector<Six> node(s.n);
        Six velocity{};
        for (int i = 0; i < s.n; ++i) {
            if (i > 0) velocity = moved(velocity, s.arm(i - 1));
            for (int k = 0; k < 3; ++k) velocity[k] += v_free[i] * AXIS[k];
            node[i] = velocity;
        }
        double L[CONTACT_ROWS][CONTACT_ROWS];
        for (int r = 0; r < CONTACT_ROWS; ++r)
            for (int c = 0; c <= r; ++c) {
                const int at = c / 3;       // the earlier link of the two
                const Six answer = times(Y[s.touching[at]], felt[at][c]);
                L[r][c] = L[c][r] = dot(felt[at][r], answer);
            }
        contacts.write(s, [&](int r, int c) { return L[r][c]; }, [&](int r) { return dot(s.row(r, false), node[s.touching[r / 3]]); });
    }

    bool solve(const Pendulum& s) override {
        const bool solved = contacts.solve();
        for (Six& f : P) f = {};
        for (int k = 0; k < CONTACT_ROWS; ++k) {
            const Six f = s.row(k, false);
            for (int j = 0; j < 6; ++j) P[s.touching[k / 3]][j] -= contacts.p[k] * f[j];
        }
        v_plus = v_free;
        substitute(s, 1.0, v_plus);
        return solved;
    }
};

// Bodies on their own: five rows for each hinge, velocities of the balls' centres.
struct Bodies {
    explicit Bodies(int n) : V(n), hinge(size_t(n)), contact(CONTACT_ROWS) {}

    struct HingeRows {
        Six here[5], before[5];
    };
    std::vector<Six> V;                 // free velocities
    std::vector<HingeRows> hinge;
    std::vector<Six> contact;

    double by_mass(const Pendulum& s, int k) const { return k < 3 ? 1.0 / s.inertia() : 1.0; }
    double product(const Pendulum& s, const Six& f, const Six& g) const {
        double sum = 0.0;
        for (int k = 0; k < 6; ++k) sum += f[k] * by_mass(s, k) * g[k];
        return sum;
    }

    void write(const Pendulum& s) {
        for (int i = 0; i < s.n; ++i) {
            const Six force = bias_force(s, i);
            const Three f = lower(force), m = upper(force) - cross(s.com[i], f);
            V[i] = moved(s.motion[i], s.com[i]);
            for (int k = 0; k < 3; ++k) {
                V[i][k] -= STEP * m[k] / s.inertia();
                V[i][k + 3] -= STEP * f[k];
            }
            for (int r = 0; r < 5; ++r) {
                Three moment{}, direction{};
                if (r < 3) direction[r] = 1.0;
                else moment[r - 3] = 1.0;
                const Six unit = joined(moment, direction);
                hinge[i].here[r] = brought(unit, Three{} - s.com[i]);
                if (i > 0) {
                    const Six b = brought(unit, s.com[i - 1]);
                    for (int k = 0; k < 6; ++k) hinge[i].before[r][k] = -b[k];
                }
            }
        }
        for (int k = 0; k < CONTACT_ROWS; ++k) contact[k] = s.row(k, true);
    }

    void push(const Pendulum& s, int body, const Six& f, double p) {
        for (int k = 0; k < 6; ++k) V[body][k] += p * by_mass(s, k) * f[k];
    }
    void read(const Pendulum& s, std::vector<double>& v) const {
        for (int i = 0; i < s.n; ++i)
            v[i] = 0.0;
        for (int i = 0; i < s.n; ++i)
            for (int k = 0; k < 3; ++k) v[i] += AXIS[k] * (V[i][k] - (i > 0 ? V[i - 1][k] : 0.0));
    }
};

// BLIND: the mixed problem is pivoted whole, every entry of the tableau worked on. PIVOTED: the same, zeros passed over.
enum class How { BLIND, PIVOTED, DENSE, BANDED };

// `nmc/os`: hinges and contacts as rows of bodies on their own.
struct NonMinimal final : Formulation {
    static constexpr int BAND = 10;

    NonMinimal(int n, How chosen)
        : Formulation(chosen == How::BLIND ? "nmc/os blind" : chosen == How::PIVOTED ? "nmc/os pivoted" : chosen == How::DENSE ? "nmc/os dense" : "nmc/os banded",
                      5 * n + LCP_ROWS),
          how(chosen), nb(5 * n), bodies(n), L(chosen == How::BANDED ? nb : nb + CONTACT_ROWS, chosen == How::BANDED ? BAND : nb + CONTACT_ROWS),
          B(nb, CONTACT_ROWS), C(CONTACT_ROWS, CONTACT_ROWS), u(nb), uc(CONTACT_ROWS), lam(nb), T(nb, CONTACT_ROWS + 1) {
        v_plus.resize(n);
        if (whole()) {
            mixed = std::make_unique<mc::MixedWorkspace>(nb + LCP_ROWS);
            M = Grid<double>(nb + LCP_ROWS, nb + LCP_ROWS);
            side = mc::Array<double>(nb + LCP_ROWS);
        }
    }

    bool whole() const { return how == How::PIVOTED || how == How::BLIND; }

    How how;
    int nb;
    Bodies bodies;
    Grid<double> L, B, C;               // hinge rows (dense, or the band below the diagonal), with contacts, contacts
    mc::Array<double> u, uc, lam;
    Grid<double> T;
    Grid<double> M;
    mc::Array<double> side;
    std::unique_ptr<mc::MixedWorkspace> mixed;
    std::vector<double> tableau, row;
    ContactProblem contacts;

    void set(int r, int c, double value) {      // c <= r
        if (how == How::BANDED) L(r, r - c) = value;
        else L(r, c) = L(c, r) = value;
    }

    void assemble(const Pendulum& s) override {
        bodies.write(s);
        L.fill(0.0);
        B.fill(0.0);
        for (int i = 0; i < s.n; ++i)
            for (int r = 0; r < 5; ++r) {
                const auto& h = bodies.hinge[i];
                u[5 * i + r] = dot(h.here[r], bodies.V[i]) + (i > 0 ? dot(h.before[r], bodies.V[i - 1]) : 0.0);
                for (int c = 0; c <= r; ++c)
                    set(5 * i + r, 5 * i + c, bodies.product(s, h.here[r], h.here[c]) + (i > 0 ? bodies.product(s, h.before[r], h.before[c]) : 0.0));
                for (int c = 0; i > 0 && c < 5; ++c)
                    set(5 * i + r, 5 * (i - 1) + c, bodies.product(s, h.before[r], bodies.hinge[i - 1].here[c]));
                for (int k = 0; k < CONTACT_ROWS; ++k) {
                    const int body = s.touching[k / 3];
                    if (body == i) B(5 * i + r, k) = bodies.product(s, h.here[r], bodies.contact[k]);
                    if (body == i - 1) B(5 * i + r, k) = bodies.product(s, h.before[r], bodies.contact[k]);
                }
            }
        for (int k = 0; k < CONTACT_ROWS; ++k) {
            uc[k] = dot(bodies.contact[k], bodies.V[s.touching[k / 3]]);
            for (int l = 0; l < CONTACT_ROWS; ++l)
                C(k, l) = s.touching[k / 3] == s.touching[l / 3] ? bodies.product(s, bodies.contact[k], bodies.contact[l]) : 0.0;
        }
        if (whole()) write_whole(s);
    }

    void write_whole(const Pendulum& s) {
        contacts.write(s, [&](int r, int c) { return C(r, c); }, [&](int r) { return uc[r]; });
        for (int i = 0; i < nb; ++i) {
            side[i] = u[i];
            for (int j = 0; j < nb; ++j) M(i, j) = L(i, j);
            for (int z = 0; z < LCP_ROWS; ++z) {
                double sign;
                const int r = ContactProblem::row_of(z, sign);
                M(i, nb + z) = M(nb + z, i) = r < 0 ? 0.0 : sign * B(i, r);
            }
        }
        for (int i = 0; i < LCP_ROWS; ++i) {
            side[nb + i] = contacts.a[i];
            for (int j = 0; j < LCP_ROWS; ++j) M(nb + i, nb + j) = contacts.A(i, j);
        }
    }

    // The hinges pivoted into the basis, then Lemke's method for the contacts.
    bool pivot_blindly() {
        const int N = nb + LCP_ROWS, width = N + 1;
        std::vector<double>& T = tableau;
        T.resize(size_t(N) * size_t(width));
        row.resize(size_t(width));
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < N; ++j) T[size_t(i * width + j)] = -M(i, j);
            T[size_t(i * width + N)] = side[i];
        }
        for (int k = 0; k < nb; ++k) {
            double* __restrict source = row.data();
            const double inverse = 1.0 / T[size_t(k * width + k)];
            T[size_t(k * width + k)] = 1.0;
            for (int j = 0; j < width; ++j) source[j] = T[size_t(k * width + j)] *= inverse;
            for (int i = 0; i < N; ++i) {
                if (i == k) continue;
                double* __restrict target = &T[size_t(i * width)];
                const double f = target[k];
                target[k] = 0.0;
                for (int j = 0; j < width; ++j) target[j] -= f * source[j];
            }
        }
        for (int i = 0; i < LCP_ROWS; ++i) {
            contacts.a[i] = T[size_t((nb + i) * width + N)];
            for (int j = 0; j < LCP_ROWS; ++j) contacts.A(i, j) = -T[size_t((nb + i) * width + nb + j)];
        }
        const bool solved = contacts.solve();
        for (int i = 0; i < nb; ++i) {
            lam[i] = T[size_t(i * width + N)];
            for (int j = 0; j < LCP_ROWS; ++j) lam[i] -= T[size_t(i * width + nb + j)] * contacts.ws.z[j];
        }
        return solved;
    }

    double& at(int r, int c) { return how == How::BANDED ? L(r, r - c) : L(r, c); }

    // Cholesky's method below the diagonal, within the band if there is one, and the columns of `T = C^-1 (B, -u)`.
    void eliminate() {
        const int width = how == How::BANDED ? BAND - 1 : nb;
        for (int i = 0; i < nb; ++i) {
            const int from = i - width < 0 ? 0 : i - width;
            for (int j = from; j <= i; ++j) {
                double value = at(i, j);
                for (int k = j - width < from ? from : j - width; k < j; ++k) value -= at(i, k) * at(j, k);
                at(i, j) = i == j ? std::sqrt(value) : value / at(j, j);
            }
            for (int c = 0; c <= CONTACT_ROWS; ++c) {
                double value = c < CONTACT_ROWS ? B(i, c) : -u[i];
                for (int k = from; k < i; ++k) value -= at(i, k) * T(k, c);
                T(i, c) = value / at(i, i);
            }
        }
        for (int r = 0; r < CONTACT_ROWS; ++r)
            for (int k = 0; k < nb; ++k) {
                uc[r] += T(k, r) * T(k, CONTACT_ROWS);
                for (int c = 0; c < CONTACT_ROWS; ++c) C(r, c) -= T(k, r) * T(k, c);
            }
    }

    void hinge_impulses() {
        const int width = how == How::BANDED ? BAND - 1 : nb;
        for (int i = 0; i < nb; ++i) {
            lam[i] = T(i, CONTACT_ROWS);
            for (int c = 0; c < CONTACT_ROWS; ++c) lam[i] -= T(i, c) * contacts.p[c];
        }
        for (int i = nb - 1; i >= 0; --i) {
            lam[i] /= at(i, i);
            for (int k = i - width < 0 ? 0 : i - width; k < i; ++k) lam[k] -= at(i, k) * lam[i];
        }
    }

    bool solve(const Pendulum& s) override {
        bool solved = false;
        if (how == How::BLIND) solved = pivot_blindly();
        if (how == How::PIVOTED) {
            solved = mc::mixed_lemke({M, side, Int(nb + LCP_ROWS)}, nb, false, *mixed).status == mc::LcpStatus::SOLVED;
            for (int i = 0; i < nb; ++i) lam[i] = mixed->free[i];
            contacts.read([&](int i) { return mixed->lcp.z[i]; });
        }
        if (!whole()) {
            eliminate();
            contacts.write(s, [&](int r, int c) { return C(r, c); }, [&](int r) { return uc[r]; });
            solved = contacts.solve();
            hinge_impulses();
        }
        for (int i = 0; i < s.n; ++i)
            for (int r = 0; r < 5; ++r) {
                bodies.push(s, i, bodies.hinge[i].here[r], lam[5 * i + r]);
                if (i > 0) bodies.push(s, i - 1, bodies.hinge[i].before[r], lam[5 * i + r]);
            }
        for (int k = 0; k < CONTACT_ROWS; ++k) bodies.push(s, s.touching[k / 3], bodies.contact[k], contacts.p[k]);
        bodies.read(s, v_plus);
        return solved;
    }
};

#include "kept.hpp"

}  // namespace

int main(int count, char** words) {
    if (count != 3) return 2;
    const int links = std::atoi(words[1]), steps = std::atoi(words[2]);
    Pendulum s(links);
    std::vector<std::unique_ptr<Formulation>> all;
    all.push_back(std::make_unique<OperationalSpace>(links));
    for (const How how : {How::BLIND, How::PIVOTED, How::DENSE, How::BANDED}) all.push_back(std::make_unique<NonMinimal>(links, how));
    all.push_back(std::make_unique<Reduced>(links));
    all.push_back(std::make_unique<Kept>(links, false));
    all.push_back(std::make_unique<Kept>(links, true));
    int loaded = 0, made = 0;
    for (; loaded < steps && made < MOST_STEPS; ++made) {
        s.place();
        std::vector<double> spent;
        for (const auto& one : all) {
            spent.push_back(now());
            one->assemble(s);
            spent.push_back(now());
            if (!one->solve(s)) return std::fprintf(stderr, "%s: not solved in step %d\n", one->name.c_str(), made), 1;
            spent.push_back(now());
            for (int i = 0; i < links; ++i) one->apart = std::fmax(one->apart, std::fabs(one->v_plus[i] - all[0]->v_plus[i]));
        }
        const auto& p = static_cast<OperationalSpace&>(*all[0]).contacts.p;
        if (p[0] > 0.0 || p[3] > 0.0 || p[6] > 0.0 || p[9] > 0.0) {
            ++loaded;
            for (size_t i = 0; i < all.size(); ++i) {
                all[i]->assembling += spent[3 * i + 1] - spent[3 * i];
                all[i]->solving += spent[3 * i + 2] - spent[3 * i + 1];
            }
        }
        s.v = all[0]->v_plus;
        for (int i = 0; i < links; ++i) s.q[i] += STEP * s.v[i];
    }
    for (const auto& one : all)
        std::printf("%s,%d,%.3f,%.3f,%.2e\n", one->name.c_str(), one->rows, 1e6 * one->assembling / loaded, 1e6 * one->solving / loaded, one->apart);
    std::printf("steps,%d,%d,0,0\n", loaded, made);
    return 0;
}
