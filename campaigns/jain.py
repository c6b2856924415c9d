"""The pendulum study of Jain 2014, section 8, repeated: `os` against `nmc/os` for 3 to 30 links.

    python campaigns/jain.py [--repeat 5] [--duration 5] [--figures docs/_static]

A pendulum of n balls swings against a floor, a wall and itself (friction 0.5, restitution 0.5, steps of 1
ms).

1. Trajectories of the two formulations: how far apart they are after each of the first impacts, and at the end.
2. CPU time of a step, both formulations compiled and stepped by the same loop. `nmc/os` is run twice: with its hinges
   eliminated by Cholesky's method, and with the whole mixed problem handed to a pivoting solver.
3. The same contact problems written in space with four contacts and four friction directions, as in the published table
   (24 rows against 39 to 174), solved by the same compiled solvers.
4. The same once more with the hinge rows eliminated by a banded Cholesky: they form a block-tridiagonal matrix, which a
   dense or a pivoting solver does not see. Beside it the tables of Jain 2014 and Jain 2012.

CPU time (`time.process_time`), quickest of `repeat` runs; set OPENBLAS_NUM_THREADS=1.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
from scipy.linalg import lapack

import modecontrol as mc
from modecontrol._core import layout, lcp, timestepping
from modecontrol.dynamics.forward_dynamics import solve
from modecontrol.timestepping import lcp_size, simulate
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.settings import choose

PUBLISHED = {3: 3.5, 6: 4.44, 12: 8.36, 15: 11.5, 24: 26.88, 30: 50.28}
"""Table 2 of Jain 2014: time of `nmc/os` over time of `os`."""
PUBLISHED_2012 = {3: 3.8, 6: 4.8, 12: 6.5, 15: 13.7, 24: 19.7, 30: 44.5}
"""Table I of Jain 2012, the same pendulum with a restitution of zero: time of the augmented over the minimal way."""
STEP = 1e-3
CONTACTS, DIRECTIONS = 4, 4
"""Of the published sizes."""


def quickest(call, each):
    """Least CPU time of `call(*arguments)` over the arguments in `each`."""
    best = math.inf
    for arguments in each:
        start = time.process_time()
        call(*arguments)
        best = min(best, time.process_time() - start)
    return best


# 1
# ------------------------------------------------------------------------------------------------------------


def trajectories(duration):
    print(
        f"1. `os` and `nmc/os`, {duration:g} s: largest difference of any angle (rad) up to an impact, and at the end"
    )
    print("   links  impacts   nmc/os       1st       3rd      10th     1.5 s       end   touched")
    found = {}
    for n in PUBLISHED:
        model = mc.load("pendulum", n=n, collide=1)
        one, two = (simulate(model, duration=duration, formulation=name) for name in ("os", "nmc/os"))
        apart = np.maximum.accumulate(np.abs(one.q - two.q).max(axis=1))
        hits = np.flatnonzero(one.impacts)
        cells = [f"{apart[hits[k - 1] + 1]:9.1e}" if len(hits) >= k else f"{'-':>9s}" for k in (1, 3, 10)]
        touched = {
            name.rstrip("0123456789_")
            for name, used in zip(model.contacts, one.impulse[:, 0::2].any(axis=0), strict=True)
            if used
        }
        print(
            f"   {n:5d} {one.impacts.sum():8d} {two.impacts.sum():8d} "
            + " ".join(cells)
            + f" {apart[round(1.5 / STEP)]:9.1e} {apart[-1]:9.1e}   {', '.join(sorted(touched))}",
            flush=True,
        )
        found[n] = one, two, apart
    return found


def last_ball(run):
    """Height of the last ball over the floor and its vertical velocity."""
    n = len(run.model.coordinates)
    r = 6.0 / n
    turned = np.pi + np.cumsum(run.q, axis=1)
    arms = 2 * r * np.sin(turned)
    arms[:, -1] /= 2
    rates = 2 * r * np.cos(turned) * np.cumsum(run.v, axis=1)
    rates[:, -1] /= 2
    return 10.0 + arms.sum(axis=1), rates.sum(axis=1)


def draw_trajectories(plt, found, path):
    figure, axes = plt.subplots(3, 1, figsize=(7.0, 7.2), sharex=True, layout="constrained")
    one, two, _ = found[12]
    for run, colour, width, style, label in (
        (one, "#c2476d", 2.2, "-", "os"),
        (two, "#0b5394", 1.0, "--", "nmc/os"),
    ):
        height, speed = last_ball(run)
        axes[0].plot(run.time, height, style, color=colour, lw=width, label=label)
        axes[1].plot(run.time, speed, style, color=colour, lw=width)
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.9, len(found)))
    for (n, (run, _, apart)), colour in zip(found.items(), colours, strict=True):
        axes[2].semilogy(run.time, np.maximum(apart, 1e-17), color=colour, lw=1.1, label=f"{n}")
        hits = np.flatnonzero(run.impacts)
        axes[2].plot(run.time[hits[0]], max(apart[hits[0]], 1e-17), "o", color=colour, ms=4)
    axes[0].set_ylabel("height of ball 12 (m)")
    axes[0].legend(frameon=False)
    axes[1].set_ylabel("its velocity (m/s)")
    axes[2].set(ylabel="angles apart (rad)", xlabel="time (s)", ylim=(1e-17, 1e6))
    axes[2].legend(frameon=False, title="links", ncols=6, fontsize=8, title_fontsize=8, loc="upper left")
    for ax in axes:
        ax.grid(True, lw=0.3, color="#d0d4da")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw_swing(plt, run, path):
    from modecontrol.view.stroboscope import plot_stroboscope

    figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    plot_stroboscope(run, ax, times=(0.0, 0.7, 1.1, 1.5, 1.9), path=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


# 2
# ------------------------------------------------------------------------------------------------------------


def per_step(model, formulation, whole, steps, repeat):
    """CPU seconds of a step of the compiled loop, and its record."""
    choices = choose(
        model,
        STEP,
        formulation=formulation,
        dynamics=None,
        level="velocity",
        integrator="euler",
        restitution=None,
        impact_speed=None,
        g_eps=None,
        loop_correction=0.2,
        eps=0.0,
        friction_scaling=False,
    )
    best, still = math.inf, np.zeros(len(model.inputs))
    for _ in range(repeat):
        engine = Engine(model, choices, model.start, model.start_velocity, whole=whole)
        start = time.process_time()
        trouble = engine.run(steps, still)
        best = min(best, time.process_time() - start)
        if trouble:
            raise RuntimeError(trouble)
    return best / steps, engine.record


def in_the_plane(duration, repeat):
    print(
        f"2. in the plane, both compiled: microseconds of CPU per step, {duration:g} s of motion; rows: most in any step"
    )
    print(
        f"   {'links':>5s} {'rows os':>8s} {'nmc/os':>7s} {'os':>8s} {'Cholesky':>9s} {'whole':>8s} {'ratio':>7s} {'whole':>7s}"
        f" {'published':>10s}"
    )
    found, steps = {}, round(duration / STEP)
    for n, published in PUBLISHED.items():
        model = mc.load("pendulum", n=n, collide=1)
        os, one = per_step(model, "os", False, steps, repeat)
        cholesky, two = per_step(model, "nmc/os", False, steps, repeat)
        whole, _ = per_step(model, "nmc/os", True, steps, repeat)
        print(
            f"   {n:5d} {one.size.max():8d} {two.size.max():7d} {1e6 * os:8.2f} {1e6 * cholesky:9.2f} {1e6 * whole:8.2f}"
            f" {cholesky / os:7.1f} {whole / os:7.1f} {published:10.1f}",
            flush=True,
        )
        found[n] = os, cholesky, whole, float(np.mean(one.size > 0))
    return found


# 3
# ------------------------------------------------------------------------------------------------------------


def spatial_rows(q):
    """Rows of the hinges (5 each) and of four ball-floor contacts (normal, x, z) on velocities of bodies in
    space.

    A body has the velocities `(wx, wy, wz, vx, vy, vz)` of its centre; `y` is up and the hinges turn about
    `z`. The contacts are at the four lowest balls, the last hinge first where several are as low; a pendulum
    of three has one ball with two.
    """
    n = len(q)
    r = 6.0 / n
    turned = np.pi + np.cumsum(q)
    arm = 2 * r * np.column_stack((np.cos(turned), np.sin(turned), np.zeros(n)))
    hinge = np.array([0.0, 10.0, 0.0]) + np.vstack((np.zeros(3), np.cumsum(arm, axis=0)[:-1]))
    centre = hinge + arm / 2
    hinges = np.zeros((5 * n, 6 * n))
    for i in range(n):
        rows = hinges[5 * i : 5 * i + 5]
        for body, sign in ((i, 1.0), (i - 1, -1.0)):
            if body >= 0:
                at, d = 6 * body, hinge[i] - centre[body]
                rows[:3, at : at + 3] = -sign * cross(d)
                rows[:3, at + 3 : at + 6] = sign * np.eye(3)
                rows[3, at], rows[4, at + 1] = sign, sign
    lowest = np.argsort(centre[:, 1], kind="stable")[:CONTACTS]
    lowest = np.resize(lowest, CONTACTS)
    contacts = np.zeros((3 * CONTACTS, 6 * n))
    for k, body in enumerate(lowest):
        at, d = 6 * body, np.array([0.0, -r, 0.0])
        motion = np.hstack((-cross(d), np.eye(3)))
        contacts[3 * k : 3 * k + 3, at : at + 6] = motion[[1, 0, 2]]
    inverse = np.tile([1 / (0.4 * r * r)] * 3 + [1.0] * 3, n)
    planar = np.zeros((6 * n, n))  # velocities of the bodies from those of the hinges
    for i in range(n):
        for j in range(i + 1):
            planar[6 * i + 2, j] = 1.0
            planar[6 * i + 3 : 6 * i + 6, j] = np.cross([0, 0, 1.0], centre[i] - hinge[j])
    return hinges, contacts, inverse, planar


def cross(d):
    return np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])


def cone(L, u, mu=0.5):
    """The LCP of contacts with rows (normal, x, z) each and four friction directions: `A, a` of 6 rows each."""
    k = CONTACTS
    pick = np.zeros((3 * k, 6 * k))
    N = np.zeros((6 * k, 6 * k))
    for i in range(k):
        pick[3 * i, i] = 1.0
        at = k + 5 * i
        pick[3 * i + 1, at], pick[3 * i + 1, at + 1], pick[3 * i + 2, at + 2], pick[3 * i + 2, at + 3] = (
            1,
            -1,
            1,
            -1,
        )
        N[at : at + 4, at + 4] = 1.0
        N[at + 4, i], N[at + 4, at : at + 4] = mu, -1.0
    return pick.T @ L @ pick + N, pick.T @ u, pick


class Solvers:
    """The compiled solvers and their work space for `nb` rows of hinges and the contacts of the published
    sizes.
    """

    def __init__(self, nb):
        self.nb, self.rows = nb, (DIRECTIONS + 2) * CONTACTS
        self.workspace, self.target, self.z = lcp.Workspace(self.rows), np.zeros(nb), np.zeros(self.rows)
        self.pins = timestepping.PinElimination(nb, 3 * CONTACTS)

    def lemke(self, A, a):
        """The contacts alone, by Lemke's method."""
        status, _, _ = lcp.lemke_into(self.workspace, A, a, self.rows)
        self.z = self.workspace.z
        return status == layout.SOLVED

    def whole(self, A, a):
        """The mixed problem, pivoted whole; as many rows as `a` has."""
        _, self.z, status, _, _ = lcp.mixed_lemke(A, a, self.nb)
        return status == layout.SOLVED

    def cholesky(self, L, u):
        """Eliminate the hinges; `L` and `u` are overwritten."""
        self.pins.eliminate(L, u, self.target, self.target)


def contact_problem(model, q, v):
    """One instant in space, four contacts: `L, u` of all rows, `A, a` of `os` and of `nmc/os`, and how to
    compare.
    """
    hinges, contacts, inverse, planar = spatial_rows(q)
    V = planar @ v
    V[4::6] -= 9.8 * STEP
    rows = np.vstack((hinges, contacts))
    L, u, nb = (rows * inverse) @ rows.T, rows @ V, len(hinges)
    J = contacts @ planar
    free = v + solve(model, q, (planar.T @ ((V - planar @ v) / inverse))[None])[0]
    A, a, pick = cone(J @ solve(model, q, J).T, J @ free)
    B = L[:nb, nb:] @ pick
    whole = np.block([[L[:nb, :nb], B], [B.T, cone(L[nb:, nb:], u[nb:])[0]]])
    return L, u, (A, a), (whole, np.concatenate((u[:nb], pick.T @ u[nb:]))), J.T @ pick


def in_space(plane, repeat, states=20):
    """Ratios of a step with four contacts and of the whole run, `{links: ((Cholesky, whole), (Cholesky,
    whole))}`.
    """
    print(
        f"3. in space, {CONTACTS} contacts, {DIRECTIONS} friction directions: rows; microseconds of CPU of a step with contacts,"
        "\n   and of one without; ratios for a step with contacts, and for the whole run"
    )
    print(
        "             rows       |       with contacts    |        without         |     ratios    |      whole run       |"
    )
    print(
        "   links   os nmc/os nmc|     os   Chol.   whole |     os   Chol.   whole |  Chol.  whole |  share  Chol.  whole |"
        " published | apart"
    )
    found = {}
    for n, published in PUBLISHED.items():
        sizes = [
            lcp_size(name, bodies=n, freedoms=n, contacts=CONTACTS, directions=DIRECTIONS, spatial=True)
            for name in ("os", "nmc/os", "nmc")
        ]
        model = mc.load("pendulum", n=n, collide=1)
        run = simulate(model, duration=2.0)
        nb = 5 * n
        solvers, flat, spent, apart, count = Solvers(nb), Solvers(2 * n), np.zeros(6), 0.0, 0
        in_plane = (5 * np.arange(n)[:, None] + [0, 1]).ravel()
        for step in np.linspace(400, 1999, states).astype(int):
            L, u, small, whole, effect = contact_problem(model, run.q[step], run.v[step])
            if not (small[1] < 0).any():
                continue
            answers = []
            for call, problem in ((solvers.lemke, small), (solvers.whole, whole)):
                if not call(*problem):
                    raise RuntimeError(f"{n} links, step {step}: not solved")
                answers.append(effect @ solvers.z[: solvers.rows])
            apart = max(apart, np.abs(answers[0] - answers[1]).max() / max(np.abs(answers[0]).max(), 1e-3))
            hinges, flat_hinges = L[:nb, :nb], L[np.ix_(in_plane, in_plane)]
            turns = range(repeat)
            spent += (
                quickest(solvers.lemke, [small for _ in turns]),
                quickest(solvers.cholesky, [(L.copy(), u.copy()) for _ in turns]),
                quickest(solvers.whole, [whole for _ in turns]),
                quickest(solvers.cholesky, [(hinges.copy(), u[:nb].copy()) for _ in turns]),
                quickest(solvers.whole, [(hinges.copy(), u[:nb].copy()) for _ in turns]),
                quickest(flat.cholesky, [(flat_hinges.copy(), u[in_plane]) for _ in turns]),
            )
            count += 1
        lemke, cholesky, pivoted, cholesky_free, pivoted_free, flat_cholesky = spent / count
        step_os, step_cholesky, _, share = plane[n]
        rest = max(step_cholesky - flat_cholesky, 0.0)
        touching = rest + np.array([cholesky + lemke, pivoted])
        without = rest + np.array([cholesky_free, pivoted_free])
        busy = touching / (step_os + lemke)
        run_ratio = (share * touching + (1 - share) * without) / (step_os + share * lemke)
        cells = (
            *sizes,
            *(1e6 * t for t in (step_os + lemke, *touching, step_os, *without)),
            *busy,
            share,
            *run_ratio,
            published,
        )
        form = (
            "   {:5d} {:4d} {:6d} {:3d}| {:6.1f} {:7.1f} {:7.1f} | {:6.1f} {:7.1f} {:7.1f} | {:6.1f} {:6.1f} |"
            " {:6.3f} {:6.1f} {:6.1f} | {:9.1f} | {:.0e}"
        )
        print(form.format(n, *cells, apart), flush=True)
        found[n] = busy, run_ratio, (step_os + lemke, rest + lemke)
    print(
        "   os: its whole compiled step of part 2, plus 24 rows by Lemke's method where there are contacts. nmc/os: its linear\n"
        "   algebra in space, plus its compiled step of part 2 less the linear algebra in the plane (forming the larger matrix\n"
        "   is not counted). The recursion of os is that of the plane, with vectors of 3 instead of 6 in space.\n"
        "   share: of the steps of part 2 that have contacts. apart: of the impulses' effect on the motion."
    )
    return found


# 4
# ------------------------------------------------------------------------------------------------------------


def narrow(L, nb):
    """The hinge rows as a band (lower form of LAPACK): hinge `i` feels hinges `i - 1` and `i + 1`, five rows each."""
    band = np.zeros((10, nb))
    for d in range(10):
        band[d, : nb - d] = np.diagonal(L[:nb, :nb], -d)
    return np.asfortranarray(band)


def eliminate_narrow(band, B, C):
    """`C - B^T A^-1 B` with the band of `A`."""
    factor, _ = lapack.dpbtrf(band, lower=1)
    x, _ = lapack.dpbtrs(factor, B, lower=1)
    return C - B.T @ x


def banded(space, repeat, states=20):
    print(
        "4. in space, a step with contacts: nmc/os with its hinges eliminated by a banded Cholesky (LAPACK)"
    )
    print("   links      os   banded |  ratios: banded   dense  pivoted | published 2014    2012 | apart")
    for n, published in PUBLISHED.items():
        model, nb, spent, count, apart = mc.load("pendulum", n=n, collide=1), 5 * n, 0.0, 0, 0.0
        run = simulate(model, duration=2.0)
        for step in np.linspace(400, 1999, states).astype(int):
            L, u, *_ = contact_problem(model, run.q[step], run.v[step])
            outside = np.abs(np.tril(L[:nb, :nb], -10)).max(initial=0.0)
            assert outside <= 1e-12 * np.abs(L[:nb, :nb]).max()  # nothing beyond the band
            band, B = narrow(L, nb), np.asfortranarray(np.column_stack((L[:nb, nb:], u[:nb])))
            C = np.column_stack((L[nb:, nb:], u[nb:]))
            C = np.vstack((C, np.zeros(C.shape[1])))
            spent += quickest(eliminate_narrow, [(band, B, C) for _ in range(repeat)])
            count += 1
            dense = C - B.T @ np.linalg.solve(L[:nb, :nb], B)
            apart = max(apart, np.abs(eliminate_narrow(band, B, C) - dense).max() / np.abs(dense).max())
        (dense_ratio, pivoted_ratio), _, (os, rest) = space[n]
        time_banded = spent / count + rest
        print(
            f"   {n:5d} {1e6 * os:7.1f} {1e6 * time_banded:8.1f} | {time_banded / os:15.1f} {dense_ratio:7.1f} {pivoted_ratio:8.1f}"
            f" | {published:14.1f} {PUBLISHED_2012[n]:7.1f} | {apart:.0e}",
            flush=True,
        )
    print(
        "   banded: two calls of LAPACK from Python and a product of matrices, instead of the elimination of part 3."
    )


def draw_ratios(plt, plane, space, path):
    figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    links = list(PUBLISHED)
    for label, values, style, colour in (
        ("published", list(PUBLISHED.values()), "s-", "#222222"),
        ("sizes of the paper, mixed problem pivoted whole", [space[n][1][1] for n in links], "o-", "#c2476d"),
        ("sizes of the paper, hinges by Cholesky", [space[n][1][0] for n in links], "o--", "#c2476d"),
        (
            "in the plane, mixed problem pivoted whole",
            [plane[n][2] / plane[n][0] for n in links],
            "^-",
            "#0b5394",
        ),
        ("in the plane, hinges by Cholesky", [plane[n][1] / plane[n][0] for n in links], "^--", "#0b5394"),
    ):
        ax.semilogy(links, values, style, color=colour, ms=4, lw=1.2, label=label)
    ax.set(xlabel="links", ylabel="time of nmc/os / time of os", ylim=(1, 110))
    ax.set_xticks(links)
    ax.set_yticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
    ax.minorticks_off()
    ax.grid(True, lw=0.3, color="#d0d4da")
    ax.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--duration", type=float, default=5.0)
    parser.add_argument("--figures", type=Path, default=Path(__file__).parent.parent / "docs" / "_static")
    options = parser.parse_args()
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = trajectories(options.duration)
    plane = in_the_plane(options.duration, options.repeat)
    space = in_space(plane, options.repeat)
    banded(space, options.repeat)
    draw_trajectories(plt, found, options.figures / "jain_trajectories.png")
    draw_swing(plt, found[12][0], options.figures / "jain_swing.png")
    draw_ratios(plt, plane, space, options.figures / "jain_ratios.png")


if __name__ == "__main__":
    main()
