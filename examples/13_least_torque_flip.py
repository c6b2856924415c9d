"""
The flip with the least torque
==============================

How long should the legs of RHex be, and where should its hips sit, so that it flips over with the weakest
motors, on any floor between friction 0.39 and 0.6? The rigid model answers without a simulation: the guaranteed
pitch acceleration, integrated over the pitch, is the work that surely goes into the flip. Its derivatives with
respect to the design are exact, by the optimal multipliers, so that a few steps uphill are enough. What the
search finds is then flown on the compliant robot, with the motors made weaker until it fails.
"""

import numpy as np

import modecontrol as mc
from modecontrol.trials.rhex.flip import fly
from modecontrol.trials.rhex.observer import at_rest

FLOORS = (0.39, 0.6)
BOX = {"l": (0.15, 0.19), "d1": (-0.22, -0.15), "d2": (-0.03, 0.05), "d3": (0.17, 0.24)}
PITCH = np.radians(np.linspace(0, 88, 12))
shipped = {name: mc.load("rhex").parameters[name] for name in BOX}


def best_at(model, pitch):
    """The best guaranteed pitch acceleration at rest."""
    q = np.array(model.start)
    q[2] = pitch
    response = mc.dynamic_response(model.snapshot(at_rest(model, q)), task="body.normal >= 10")
    return mc.maximize(response, "alpha")


def work(design):
    """Guaranteed work per inertia (rad2/s2) on the worst floor, and the best inputs along the pitch there."""
    floors = []
    for mu in FLOORS:
        model = mc.load("rhex", mu_toe=mu, stall=9.0, **design)
        best = [best_at(model, pitch) for pitch in PITCH]
        floors.append((np.trapezoid([b.value for b in best], PITCH), best))
    return min(floors, key=lambda floor: floor[0])


def slope(best, name):
    """Derivative of the work; at a tie the smaller of the one-sided derivatives is the safe one."""
    sides = [b.gradient(name, place=at_rest) for b in best]
    return np.trapezoid([min(g.below, g.above) for g in sides], PITCH)


# %%
# Uphill in the box. Where a leg leaves the floor the acceleration jumps, and when it leaves depends on the
# design, which no derivative at a pitch sees: beside the step along the gradient one step along each name is
# tried, too. The best of them counts if the work itself has grown; otherwise the steps are halved.

width = {name: high - low for name, (low, high) in BOX.items()}
design, (value, best) = dict(shipped), work(shipped)
print(f"shipped:   {', '.join(f'{n} = {x:.3f} m' for n, x in design.items())}; work {value:.1f}")
slopes = np.array([slope(best, name) * width[name] for name in BOX])
per_metre = dict(zip(BOX, slopes / list(width.values()), strict=True))
print(f"work per centimetre: {', '.join(f'{name} {rate / 100:+.2f}' for name, rate in per_metre.items())}")
step = 0.4
while step > 0.1:
    directions = [slopes / np.linalg.norm(slopes), *np.eye(len(BOX)), *-np.eye(len(BOX))]
    trials = [
        {
            name: float(np.clip(design[name] + step * part * width[name], *BOX[name]))
            for name, part in zip(BOX, direction, strict=True)
        }
        for direction in directions
    ]
    reached = [work(trial) for trial in trials]
    place = int(np.argmax([there[0] for there in reached]))
    if reached[place][0] <= value:
        step /= 2
        continue
    design, (value, best) = trials[place], reached[place]
    slopes = np.array([slope(best, name) * width[name] for name in BOX])
    along = "gradient" if place == 0 else list(BOX)[(place - 1) % len(BOX)]
    print(f"{along:9}: {', '.join(f'{n} = {x:.3f} m' for n, x in design.items())}; work {value:.1f}")

# %%
# On the compliant robot: the least stall torque with which the closed loop flips, by bisection.


def least_torque(design, mu, low=5.0, high=13.0):
    """N m, to 0.15."""
    while high - low > 0.15:
        middle = (low + high) / 2
        flips = fly("new", mu, stall=middle, **design).outcome == "flipped"
        low, high = (low, middle) if flips else (middle, high)
    return high


print("\nfriction   shipped design   found design   least stall torque (N m)")
for mu in (0.39, 0.5, 0.6):
    before, after = least_torque(shipped, mu), least_torque(design, mu)
    print(f"{mu:8.2f}   {before:14.2f}   {after:12.2f}   {100 * (1 - after / before):.0f} % less")
