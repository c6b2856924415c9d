"""Bracing and climbing between two walls: move one end, and surely nothing else.

A snake of three links stands in a zig-zag between two walls on four contacts, with a torque at each elbow. To
climb it has to lift an end off its wall while the other contacts stay where they are. Which torques do that
whatever the friction forces between the braced contacts turn out to be, and cannot do anything else?

Run it: python examples/09_snake_bracing.py [picture.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import modecontrol as mc
from modecontrol.view.mechanism import plot_mechanism

LIMIT = 60.0  # N m
MARGIN = 1.0  # N m, distance to every other mode

snake = mc.load("snake", n=3, mu=0.5, limit=LIMIT)
response = mc.dynamic_response(snake.snapshot(snake.start))
print(f"{len(response.modes)} of {4 ** len(snake.contacts)} contact modes can happen at rest\n")

# Each step of a climb: the contacts that must hold, and the one that moves away from its wall.
steps = {"brace": ("FFFF", None), "lift the head": ("FFFS", "p3"), "lift the tail": ("SFFF", "p0")}

print(
    f"{'step':<16}{'mode':<7}{'sure part of T_c':>17}  {'safest torque (N m)':<22}{'margin':>8}"
    f"  {'quickest (N m)':<20}{'lifts with':>12}"
)
regions, safest = {}, {}
for step, (mode, moved) in steps.items():
    if mode not in response:
        print(f"{step:<16}{mode:<7} cannot happen: {response.explain(mode)}")
        continue
    alone = response.unambiguous(mode, margin=MARGIN)
    regions[step] = alone
    share = alone.volume / response[mode].torques.volume
    safe = mc.design(response, "margin", modes=mode)
    safest[step] = safe
    line = f"{step:<16}{mode:<7}{share:>16.0%}   "
    line += (
        f"{np.array2string(safe.torque, precision=1):<22}{safe.value:>8.2f}"
        if safe
        else f"none: {safe.reason}"
    )
    if moved and safe:
        # tasks: the moved end leaves its wall, the other contacts stay pressed on and do not slide
        held = [name for name in snake.contacts if name != moved]
        task = [f"{name}.{way}_acceleration == 0" for name in held for way in ("normal", "tangent")]
        asked = mc.dynamic_response(snake.snapshot(snake.start), task=task)
        quick = mc.maximize(asked, f"{moved}.normal_acceleration", margin=MARGIN)
        line += (
            f"  {np.array2string(quick.torque, precision=1):<20}{quick.value:>7.1f} m/s2"
            if quick
            else f"  {quick.reason}"
        )
    print(line)

# The promise, tested: at the safest torques no other mode has an answer, even with every torque off by the
# margin.
rng = np.random.default_rng(0)
for step, safe in safest.items():
    if safe:
        off = safe.torque + safe.value * 0.999 * rng.uniform(-1, 1, size=(200, 2)) / np.sqrt(2)
        seen = {mode for tau in off for mode in response.modes_at(tau)}
        assert seen == {safe.mode}, (step, seen)
print("\n200 torques within each margin: every one produces its mode and no other")

figure, axes = plt.subplots(1, len(safest) + 1, figsize=(4.2 * (len(safest) + 1), 5.2), layout="constrained")
colours = dict(zip(steps, ("tab:blue", "tab:orange", "tab:green"), strict=True))
for step, region in regions.items():
    mode = steps[step][0]
    response[mode].torques.plot(ax=axes[0], facecolor=colours[step], alpha=0.18, edgecolor="none")
    if not region.is_empty:
        region.plot(ax=axes[0], facecolor=colours[step], alpha=0.6)
    if safest[step]:
        axes[0].plot(*safest[step].torque, "k+", markersize=10)
        axes[0].annotate(
            f"{step} ({mode})",
            safest[step].torque,
            xytext=(0, 7),
            textcoords="offset points",
            fontsize=8,
            ha="center" if abs(safest[step].torque[0]) < LIMIT / 2 else "right",
        )
axes[0].set(
    title=f"pale: can produce the mode; full: surely does (margin {MARGIN:g})",
    xlabel="tau1 (N m)",
    ylabel="tau2 (N m)",
    xlim=(-LIMIT, LIMIT),
    ylim=(-LIMIT, LIMIT),
)
axes[0].title.set_fontsize(9)
for ax, (step, safe) in zip(axes[1:], safest.items(), strict=True):
    if safe:
        plot_mechanism(snake, ax=ax, forces=safe.force, modes=safe.mode, cones=True)
        ax.set_title(f"{step}: {safe.mode} at ({safe.torque[0]:.0f}, {safe.torque[1]:.0f}) N m", fontsize=9)
target = sys.argv[1] if len(sys.argv) > 1 else "snake_bracing.png"
figure.savefig(target, dpi=120)
print(f"picture in {target}")
