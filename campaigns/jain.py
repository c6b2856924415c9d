"""The pendulum study of Jain 2014, section 8, repeated: `os` against `nmc/os` for 3 to 30 links.

    python campaigns/jain.py [--repeat 5] [--duration 5] [--figures docs/_static]

A pendulum of n balls swings against a floor, a wall and itself (friction 0.5, restitution 0.5, steps of 1
ms).

1. Trajectories of the two formulations: how far apart they are after each of the first impacts, and at the end.
2. CPU time of a step, both formulations compiled and stepped by the same loop. `nmc/os` is run twice: with its hinges
   eliminated by Cholesky's method, and with the whole mixed problem handed to a pivoting solver.

`campaigns/jain_space.py` measures the published sizes: five rows a hinge, four contacts with four friction directions.

CPU time (`time.process_time`), quickest of `repeat` runs; set OPENBLAS_NUM_THREADS=1.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.timestepping import simulate
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.settings import choose

PUBLISHED = {3: 3.5, 6: 4.44, 12: 8.36, 15: 11.5, 24: 26.88, 30: 50.28}
"""Table 2 of Jain 2014: time of `nmc/os` over time of `os`."""
STEP = 1e-3


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
    steps = round(duration / STEP)
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
    in_the_plane(options.duration, options.repeat)
    draw_trajectories(plt, found, options.figures / "jain_trajectories.png")
    draw_swing(plt, found[12][0], options.figures / "jain_swing.png")


if __name__ == "__main__":
    main()
