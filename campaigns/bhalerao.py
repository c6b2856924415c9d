"""The studies of Bhalerao, Crean and Anderson, "Hybrid Complementarity Formulations for Robotics
Applications", repeated.

    python campaigns/bhalerao.py [--largest 1024] [--repeat 5] [--figures docs/_static]

1. Cost of a step against the number of bodies: a free chain that lies on its end points P and Q, without contacts, with
   a contact at P, and with contacts at P and Q; mass matrix by `dense`, `dca` and `aba` (their Figs. 5 and
   6). What is measured is the compiled stepping loop: dynamics, contact problem, motion, detection; no Python
   runs in it.
2. Energy of a pendulum of 8 rods from the horizontal, Euler against Runge-Kutta (their Fig. 7).
3. A chain of 3 rods without friction that falls on its ends: sideways drift of the centre of mass and depth of the
   ends, for Euler and for Runge-Kutta with three limits of the penetration that a step may recover (their
   Fig. 8).

CPU time (`time.process_time`), quickest of `repeat` runs; set OPENBLAS_NUM_THREADS=1.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import modecontrol as mc
from modecontrol._core import dynamics as core
from modecontrol.dynamics.forward_dynamics import forward_dynamics
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.settings import choose

SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
"""Numbers of bodies in the paper."""
CONTACTS = {"no contact": (), "P": ("P",), "P and Q": ("P", "Q")}
DYNAMICS = ("dense", "dca", "aba")
STEP = 1e-3
COLOURS = {"dense": "#c2476d", "dca": "#e69f00", "aba": "#0b5394"}


def chain(n, contacts, free=True):
    """Rods of 1 kg and 1 m, horizontal; free with point contacts at its ends, or hung up at P."""
    builder = mc.Builder("chain")
    for i in range(n):
        root = mc.planar("x", "y", "q0") if free else mc.revolute("q0")
        joint = mc.revolute(f"q{i}", at=(1, 0)) if i else root
        builder = builder.body(f"rod{i}", joint=joint, mass=1, inertia=1 / 12, com=(0.5, 0))
    for name in contacts:
        end = ("rod0", (0, 0)) if name == "P" else (f"rod{n - 1}", (1, 0))
        builder = builder.contact(name, end[0], point=end[1], mu=0.0)
    return builder.build()


# 1
# ------------------------------------------------------------------------------------------------------------


def cost(model, dynamics, steps, repeat):
    """CPU seconds of one step, and the contact problems that were solved with load."""
    choices = choose(
        model,
        STEP,
        formulation="os",
        dynamics=dynamics,
        level="velocity",
        integrator="euler",
        restitution=None,
        impact_speed=None,
        g_eps=None,
        loop_correction=0.2,
        eps=0.0,
        friction_scaling=False,
    )
    best, zeros = math.inf, np.zeros(len(model.coordinates))
    for _ in range(repeat):
        engine = Engine(model, choices, zeros, zeros)
        start = time.process_time()
        trouble = engine.run(steps, np.zeros(0))
        best = min(best, time.process_time() - start)
        if trouble:
            raise RuntimeError(f"{len(zeros)} coordinates, {dynamics}: {trouble}")
    return best / steps, engine.record


def exponent(sizes, times):
    """Slope of the line through the last four points in logarithms."""
    return float(np.polyfit(np.log(sizes[-4:]), np.log(times[-4:]), 1)[0])


def growth(sizes, times):
    """`p` of `constant + factor n^p`, fitted to all points in logarithms: what a step costs anyway is set
    apart.
    """
    n, t = np.asarray(sizes, float), np.asarray(times)
    start = [np.log(0.9 * t.min()), np.log(t[-1] / n[-1]), 1.0]
    found = least_squares(lambda x: np.log(np.exp(x[0]) + np.exp(x[1]) * n ** x[2]) - np.log(t), start)
    return float(found.x[2])


def costs(largest, repeat):
    """`{(dynamics, contacts): times}` over the sizes, printed as a table with exponents."""
    sizes = [*SIZES, *(2**k for k in range(8, 20) if 2**k <= largest)]
    print(
        "1. microseconds of CPU per step (compiled loop, 200 steps, chain resting on its ends at the start)"
    )
    print(f"   {'bodies':17s}" + "".join(f"{n:>9d}" for n in sizes) + "    slope      p")
    found = {}
    for contacts, names in CONTACTS.items():
        records = {}
        for dynamics in DYNAMICS:
            times = []
            for n in sizes:
                steps = 200 if n <= 128 else 50 if n <= 512 else 20
                model = chain(n, names)
                taken, record = cost(model, dynamics, steps, repeat if n <= 512 else min(repeat, 3))
                times.append(taken)
                if n == 128:
                    records[dynamics] = record
            found[dynamics, contacts] = np.array(times)
            print(
                f"   {dynamics:6s}{contacts:11s}"
                + "".join(f"{1e6 * t:9.1f}" for t in times)
                + f"{exponent(sizes, times):9.2f}{growth(sizes, times):7.2f}",
                flush=True,
            )
        spread = max(np.abs(records[d].v - records["aba"].v).max() for d in DYNAMICS)
        print(
            f"   {contacts}, 128 bodies, 200 steps: velocities of the three differ by {spread:.1e} at most "
            f"(largest velocity {np.abs(records['aba'].v).max():.1f})"
        )
    print("   slope: of the last four sizes in logarithms; p: of `constant + factor n^p` through all of them")
    return sizes, found


def draw_costs(plt, sizes, found, path):
    figure, axes = plt.subplots(2, 2, figsize=(8.6, 7.0), sharex=True, layout="constrained")
    shades = {"no contact": 0.4, "P": 0.7, "P and Q": 1.0}
    for ax, dynamics, letter in zip(axes.flat, DYNAMICS, "abc", strict=False):
        for contacts, style in zip(CONTACTS, (":", "--", "-"), strict=True):
            ax.loglog(
                sizes,
                1e6 * found[dynamics, contacts],
                style,
                color=COLOURS[dynamics],
                alpha=shades[contacts],
                marker="o",
                ms=3,
                label=contacts,
            )
        ax.set_title(f"({letter}) {dynamics}", loc="left")
        ax.legend(frameon=False, title="contacts", fontsize=8, title_fontsize=8, loc="upper left")
    ax = axes[1, 1]
    for dynamics in DYNAMICS:
        times = found[dynamics, "P and Q"]
        ax.loglog(
            sizes,
            1e6 * times,
            color=COLOURS[dynamics],
            marker="o",
            ms=3,
            label=f"{dynamics}, slope {exponent(sizes, times):.2f}",
        )
    for power, ends in ((1, (64, sizes[-1])), (3, (128, sizes[-1]))):
        base = 1e6 * found["aba" if power == 1 else "dense", "P and Q"][-1] * (0.45 if power == 1 else 2.2)
        line = [base * (n / sizes[-1]) ** power for n in ends]
        ax.loglog(ends, line, color="#8a8f98", lw=0.9)
        ax.annotate(
            f"$n^{power}$" if power > 1 else "$n$",
            (ends[0], line[0]),
            color="#6a6f78",
            ha="right",
            va="center",
            xytext=(-3, 0),
            textcoords="offset points",
        )
    ax.set_title("(d) all three, contacts at P and Q", loc="left")
    ax.legend(frameon=False, fontsize=8, loc="upper left")
    for ax in axes.flat:
        ax.grid(True, which="major", lw=0.3, color="#d0d4da")
        ax.set_xticks(sizes[::2], [str(n) for n in sizes[::2]])
        ax.minorticks_off()
    low = min(times.min() for times in found.values())
    high = max(times.max() for times in found.values())
    for ax in axes.flat:
        ax.set_ylim(0.5e6 * low, 2.5e6 * high)
    for ax in axes[1]:
        ax.set_xlabel("bodies")
    for ax in axes[:, 0]:
        ax.set_ylabel("µs of CPU per step")
    figure.savefig(path, dpi=130)
    plt.close(figure)


# 2
# ------------------------------------------------------------------------------------------------------------


def forward_euler(model, q, steps, h):
    """Explicit Euler, `q+ = q + h v`, `v+ = v + h a(q, v)`: the scheme of the paper's Fig. 7. Energies."""
    v, energy = np.zeros(len(q)), []
    for _ in range(steps + 1):
        energy.append(sum(core.energies(model.tree.core, q, v)))
        a = forward_dynamics(model, q, v).qdd
        q, v = q + h * v, v + h * a
    return np.array(energy)


def energies(duration=2.0):
    model = chain(8, (), free=False)
    zeros = np.zeros(8)
    runs = {
        "semi-implicit Euler": mc.simulate(model, zeros, duration=duration, step=STEP).energy,
        "forward Euler": forward_euler(model, zeros, round(duration / STEP), STEP),
        "Runge-Kutta": mc.simulate(model, zeros, duration=duration, step=STEP, integrator="rk4").energy,
    }
    drift = {name: np.abs(energy - energy[0]) for name, energy in runs.items()}
    print(f"2. pendulum of 8 rods, {duration:g} s in steps of {STEP:g} s: largest error of the energy")
    for name, error in drift.items():
        print(
            f"   {name:20s} {error.max():10.3g} J     {error.max() / drift['Runge-Kutta'].max():10.3g} times Runge-Kutta's"
        )
    return drift


def draw_energies(plt, drift, path):
    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (name, error), colour in zip(drift.items(), ("#0b5394", "#c2476d", "#2a9d8f"), strict=True):
        ax.semilogy(np.arange(len(error)) * STEP, np.maximum(error, 1e-14), color=colour, lw=1.1, label=name)
    ax.set(xlabel="time (s)", ylabel="error of the energy (J)", ylim=(1e-13, 3e3))
    ax.grid(True, lw=0.3, color="#d0d4da")
    ax.legend(frameon=False, loc="center right", bbox_to_anchor=(1.0, 0.62))
    figure.savefig(path, dpi=130)
    plt.close(figure)


# 3
# ------------------------------------------------------------------------------------------------------------

SCHEMES = {
    "(a) Euler": {"level": "position"},
    "(b) Runge-Kutta,\nall recovered": {"integrator": "rk4", "level": "position", "g_eps": -math.inf},
    "(c) Runge-Kutta,\nnothing recovered": {"integrator": "rk4", "level": "position", "g_eps": 0.0},
    "(d) Runge-Kutta,\n$g_\\epsilon = -10^{-5}$ m": {
        "integrator": "rk4",
        "level": "position",
        "g_eps": -1e-5,
    },
}


def fall(options, step=STEP, duration=2.0):
    """The chain of 3 from the paper's start: trajectory, sideways drift of its centre of mass."""
    model, tilt = chain(3, ("P", "Q")), -math.pi / 6
    start = [-0.5 * math.cos(tilt), 2.3 - 0.5 * math.sin(tilt), tilt, 0, 0]
    run = mc.simulate(model, start, duration=duration, step=step, **options)
    turned = np.cumsum(run.q[:, 2:], axis=1)
    ends = run.q[:, :1] + np.cumsum(np.cos(turned), axis=1)
    centre = (ends - 0.5 * np.cos(turned)).mean(axis=1)
    return run, centre - centre[0]


def rebound(run, name, ahead=3):
    """Speed at which a contact leaves right after its first load (m/s)."""
    c = run.model.contacts.index(name)
    first = int(np.flatnonzero(run.impulse[:, 2 * c])[0])
    return float((run.gap[first + 2 * ahead, c] - run.gap[first + ahead, c]) / (ahead * run.step)), first


def left_over(run, name):
    """Depth of a contact at the end of the longest time that it carries load (m)."""
    c = run.model.contacts.index(name)
    loaded = np.concatenate(([0], run.impulse[:, 2 * c] > 0, [0])).astype(int)
    begin, end = np.flatnonzero(np.diff(loaded) == 1), np.flatnonzero(np.diff(loaded) == -1)
    return max(0.0, -float(run.gap[end[np.argmax(end - begin)] - 1, c]))


def falls():
    print("3. chain of 3, no friction, 2 s in steps of 1e-3 s; Q hits first")
    print(
        f"   {'scheme':36s} {'drift of c.o.m.':>15s} {'ratio':>9s} {'Q leaves at':>12s} {'deepest':>12s} {'left of it':>12s}"
    )
    found = {}
    for name, options in SCHEMES.items():
        run, drift = found[name] = fall(options)
        speed, _ = rebound(run, "Q")
        ratio = np.abs(found["(a) Euler"][1]).max() / np.abs(drift).max()
        print(
            f"   {plain(name):36s} {np.abs(drift).max():13.2e} m {ratio:9.3g} {speed:8.3f} m/s {-run.gap.min():10.2e} m"
            f" {left_over(run, 'Q'):10.2e} m"
        )
    print(
        "   ratio: drift of (a) / drift; left of it: depth of Q at the end of its longest time on the floor"
    )
    print("   drift with smaller steps (m):")
    for step in (1e-3, 5e-4, 2.5e-4, 1.25e-4):
        values = [np.abs(fall(options, step)[1]).max() for options in SCHEMES.values()]
        print(
            f"     h = {step:8.3g} s"
            + "".join(f"  {key[:3]} {value:9.2e}" for key, value in zip(SCHEMES, values, strict=True))
        )
    return found


def plain(name):
    """The name of a scheme in one line of plain text."""
    return name.replace("\n", " ").replace("$g_\\epsilon = -10^{-5}$", "g_eps = -1e-5")


def draw_falls(plt, found, path):
    figure, axes = plt.subplots(2, 4, figsize=(10.6, 5.0), sharex=True, layout="constrained")
    for column, (name, (run, drift)) in zip(axes.T, found.items(), strict=True):
        top, bottom = column
        for c, colour, label in ((0, "#0b5394", "P"), (1, "#c2476d", "Q")):
            top.plot(run.time, 1e3 * run.gap[:, c], color=colour, lw=1.0, label=label)
        top.axhline(0, color="#8a8f98", lw=0.6)
        top.set_ylim(-12, 28)
        top.set_title(name, fontsize=10)
        bottom.semilogy(run.time, np.maximum(np.abs(drift), 1e-12), color="#222222", lw=1.0)
        bottom.set_ylim(1e-10, 1)
        bottom.set_xlabel("time (s)")
        bottom.set_xlim(0.4, run.time[-1])
        for ax in column:
            ax.grid(True, lw=0.3, color="#d0d4da")
    axes[0, 0].set_ylabel("gap (mm)")
    axes[0, 0].legend(frameon=False, loc="upper left", ncols=2, fontsize=8)
    axes[1, 0].set_ylabel("sideways drift of c.o.m. (m)")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--figures", type=Path, default=Path(__file__).parent.parent / "docs" / "_static")
    parser.add_argument("--skip-costs", action="store_true")
    options = parser.parse_args()
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    if not options.skip_costs:
        for dynamics in DYNAMICS:
            cost(chain(2, ("P", "Q")), dynamics, 2, 1)  # compiles
        draw_costs(plt, *costs(options.largest, options.repeat), options.figures / "bhalerao_cost.png")
    draw_energies(plt, energies(), options.figures / "bhalerao_energy.png")
    draw_falls(plt, falls(), options.figures / "bhalerao_chain.png")


if __name__ == "__main__":
    main()
