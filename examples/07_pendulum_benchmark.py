"""
Pendulum benchmark
==================

A pendulum of balls swings against a floor, a wall and itself. Jain (2014) used it to compare two ways of
writing the contact problem of a step. In `os` the unknowns are the contact impulses alone, however many links
there are; in `nmc/os` every ball is a body of its own and each hinge adds two rows. Both describe the same
motion, so the trajectories agree until the impacts have multiplied rounding errors; the price is what
differs. `campaigns/jain.py` runs the study in full.
"""

import time

import numpy as np

import modecontrol as mc


def cpu(call):
    """Least CPU time of three calls, and what the last returned."""
    times = []
    for _ in range(3):
        start = time.process_time()
        found = call()
        times.append(time.process_time() - start)
    return min(times), found


print("links  rows of os, nmc/os  microseconds a step  ratio  impacts  angles apart after 1 s")
for n in (3, 6, 12, 24):
    model = mc.load("pendulum", n=n, collide=1)
    runs, prices = [], []
    for formulation in ("os", "nmc/os"):
        mc.simulate(model, duration=0.01, formulation=formulation)
        price, run = cpu(
            lambda model=model, formulation=formulation: mc.simulate(
                model, duration=1.0, formulation=formulation
            )
        )
        runs.append(run)
        prices.append(1e6 * price / len(run))
    rows = [run.lcp_size.max() for run in runs]
    apart = np.abs(runs[0].q - runs[1].q).max()
    print(
        f"{n:5d} {rows[0]:11d} {rows[1]:7d} {prices[0]:12.1f} {prices[1]:7.1f} {prices[1] / prices[0]:6.1f}"
        f" {runs[0].impacts.sum():8d} {apart:12.0e} rad"
    )

# %%
# Two seconds of the pendulum of twelve, and its energy: every impact takes some.

run = mc.simulate(mc.load("pendulum", n=12, collide=1), duration=2.0)
run.plot(what="strobe", times=(0.0, 0.7, 1.1, 1.5, 1.9), path=False)

# %%
run.plot(what="energy")
