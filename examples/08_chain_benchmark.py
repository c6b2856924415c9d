"""
Chain benchmark
===============

A free chain of rods falls on its two end points P and Q. Bhalerao, Crean and Anderson used it to ask two
things: what a step costs when the mass matrix is factored (cubic in the number of rods), swept through
(linear), or divided and conquered (linear, and parallel); and what a first-order step does to a motion that
has no friction and so must not drift sideways. `campaigns/bhalerao.py` runs the studies in full.
"""

import math
import time

import matplotlib.pyplot as plt
import numpy as np

import modecontrol as mc

print("rods   microseconds a step: dense    dca    aba")
for n in (4, 16, 64):
    model, prices = mc.load("chain", n=n, height=0.0), []
    for dynamics in ("dense", "dca", "aba"):
        mc.simulate(model, duration=0.01, dynamics=dynamics)
        start = time.process_time()
        run = mc.simulate(model, duration=0.2, dynamics=dynamics)
        prices.append(1e6 * (time.process_time() - start) / len(run))
    print(f"{n:4d} {prices[0]:29.1f} {prices[1]:6.1f} {prices[2]:6.1f}")

# %% Three rods, frictionless. The Euler step satisfies the contact conditions but lets the centre of mass
# drift. Runge-Kutta with the contact forces held does not drift, but overshoots: recovering all penetration
# at once makes the end bounce, recovering none leaves it in the floor, and a small cap `g_eps` lifts it out
# gently.

model, tilt = mc.load("chain", n=3), -math.pi / 6
start = {"x": -0.5 * math.cos(tilt), "y": 2.3 - 0.5 * math.sin(tilt), "q1": tilt}
schemes = {
    "Euler": {"level": "position"},
    "all recovered": {"integrator": "rk4", "level": "position", "g_eps": -math.inf},
    "none recovered": {"integrator": "rk4", "level": "position", "g_eps": 0.0},
    "capped": {"integrator": "rk4", "level": "position", "g_eps": -1e-5},
}
figure, axes = plt.subplots(1, 4, figsize=(10, 2.8), sharey=True, layout="constrained")
for ax, (name, options) in zip(axes, schemes.items(), strict=True):
    run = mc.simulate(model, start, duration=2.0, **options)
    turned = np.cumsum(run.q[:, 2:], axis=1)
    centre = run.q[:, 0] + (np.cumsum(np.cos(turned), axis=1) - 0.5 * np.cos(turned)).mean(axis=1)
    print(f"{name:15s} sideways drift {abs(centre - centre[0]).max():.1e} m, deepest {-run.gap.min():.1e} m")
    ax.plot(run.time, 1e3 * run.gap, lw=1.0, label=["P", "Q"])
    ax.set(title=name, xlabel="time (s)", xlim=(0.4, 2.0), ylim=(-6, 20))
    ax.axhline(0.0, color="0.6", lw=0.6)
axes[0].set_ylabel("gap (mm)")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)

# %%
# The fall. Only the two ends have contacts, so the middle of the chain passes the floor.

run.plot(what="strobe", times=(0.0, 0.3, 0.46, 0.6, 0.75), path=False)
