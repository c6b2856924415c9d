"""
A walker climbs a step
======================

A robot with two telescopic legs stands on two treads of a staircase and takes the next one. It leans over its upper foot until
it will fall that way, swings the lower leg over both edges, and catches itself on the third tread. Which tread, riser or edge
a foot touches is found at every state, so the controller has no list of contacts: it asks the snapshot for the rows of the feet
that stand, and solves for the inputs that give body and swinging foot the accelerations it wants.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import modecontrol as mc

SHIFT = 1.6  # m/s2 in double support
LEAN = 0.09  # m from the start at which the foot lifts
SWING = 0.36  # s
LEFT, RIGHT = 3, 5  # coordinates of the hips; those of the legs' lengths stand behind them
UNIT = np.eye(7)


def smooth(u):
    """A way from 0 to 1 that begins and ends at rest, its speed and its acceleration; still outside of 0..1."""
    if not 0 < u < 1:
        return float(u >= 1), 0.0, 0.0
    return u**3 * (10 - 15 * u + 6 * u**2), 30 * u**2 * (1 - u) ** 2, 60 * u * (1 - u) * (1 - 2 * u)


class Climb:
    """Double support, a swing of the left leg, double support one step higher."""

    def __init__(self, model):
        self.model, self.phase, self.since = model, "shift", 0.0
        words = model.parameters
        self.run, self.rise, self.hips = words["run"], words["rise"], model.start[1]
        self.goal = np.array([1.5 * words["run"], 2 * words["rise"] + words["r"]])

    def foot(self, q, v, hip):
        """Place and velocity of the centre of a foot, their Jacobian, and the acceleration that is left at rest."""
        angle, turn = q[2] + q[hip] - math.pi / 2, v[2] + v[hip]
        along, across = (
            np.array([math.cos(angle), math.sin(angle)]),
            np.array([-math.sin(angle), math.cos(angle)]),
        )
        length, growth = q[hip + 1], v[hip + 1]
        rows = np.zeros((2, 7))
        rows[:, :2], rows[:, 2], rows[:, hip], rows[:, hip + 1] = (
            np.eye(2),
            length * across,
            length * across,
            along,
        )
        return q[:2] + length * along, rows @ v, rows, 2 * growth * turn * across - length * turn**2 * along

    def next_phase(self, t, q, snap):
        """It lifts the foot when it leans far enough, and stands again when the foot has come down."""
        lower = min(
            gap for gap, name in zip(snap.gap, self.model.contacts, strict=True) if name.startswith("left")
        )
        if self.phase == "shift" and q[0] > LEAN:
            self.phase, self.since, self.lifted = "swing", t, (self.foot(q, 0 * q, LEFT)[0], q[1])
        elif self.phase == "swing" and t - self.since > 0.8 * SWING and lower < 1e-6:
            self.phase = "stand"

    def wishes(self, t, q, v):
        """Rows of accelerations and their wanted values; `follow` adds a spring and a damper to what is planned."""
        rows, values = [], []

        def follow(row, at, speed, plan, gains=(400.0, 40.0), drift=0.0):
            there, planned, acceleration = plan
            stiffness, damping = gains
            rows.append(row)
            values.append(acceleration + stiffness * (there - at) + damping * (planned - speed) - drift)

        follow(UNIT[2], q[2], v[2], (0.0, 0.0, 0.0))
        if self.phase == "shift":
            follow(UNIT[0], q[0], v[0], (SHIFT * t**2 / 2, SHIFT * t, SHIFT))
            follow(UNIT[1], q[1], v[1], (self.hips, 0.0, 0.0))
        elif self.phase == "stand":
            follow(UNIT[0], q[0], v[0], (self.run, 0.0, 0.0), (60.0, 18.0))
            follow(UNIT[1], q[1], v[1], (self.hips + self.rise, 0.0, 0.0), (100.0, 20.0))
        else:
            u, (foot, hips) = (t - self.since) / SWING, self.lifted
            at, speed, jacobian, drift = self.foot(q, v, LEFT)
            # no plan for when it meets the tread
            down = (self.goal[1] + 0.05 - 0.6 * SWING * (u - 0.85), -0.6, 0.0)
            follow(UNIT[1], q[1], v[1], planned(u, hips, self.hips + self.rise, 0.0, 1.0))
            ways = (
                planned(u, foot[0], self.goal[0], 0.15, 0.9),
                planned(u, foot[1], self.goal[1] + 0.05, 0.0, 0.55),
            )
            for i, way in enumerate((ways[0], ways[1] if u < 0.85 else down)):
                follow(jacobian[i], at[i], speed[i], way, (900.0, 60.0), drift[i])
        return np.array(rows), np.array(values)

    def __call__(self, t, q, v):
        snap = self.model.snapshot(q, v)
        self.next_phase(t, q, snap)
        stands = ["right"] if self.phase == "swing" else ["left", "right"]
        nearest = [
            min((snap.gap[i], i) for i, name in enumerate(self.model.contacts) if name.startswith(side))[1]
            for side in stands
        ]
        J = np.vstack([snap.jacobian[2 * i : 2 * i + 2] for i in nearest])
        drift = np.concatenate([snap.drift[2 * i : 2 * i + 2] for i in nearest])
        A, wanted = self.wishes(t, q, v)
        n, k, m = len(q), len(J), len(A)
        # M qdd - J' f - S tau = -b,   J qdd = -drift,   A qdd = wanted
        equations = np.zeros((n + k + m, n + k + 4))
        equations[:n] = np.hstack([snap.mass, -J.T, -snap.actuation])
        equations[n : n + k, :n], equations[n + k :, :n] = J, A
        found = np.linalg.lstsq(equations, np.concatenate([-snap.bias, -drift, wanted]), rcond=None)[0]
        if self.phase != "swing":
            # two feet may push against each other: as little along the treads as can be
            free = np.linalg.svd(equations)[2][-1]
            along = slice(n + 1, n + k, 2)
            found = found - free * (free[along] @ found[along]) / (free[along] @ free[along])
        return np.clip(found[n + k :], *snap.torque_limits.T)


def planned(u, start, end, first, last):
    """A smooth way from start to end, walked between two parts of the swing: place, speed, acceleration."""
    part, time = (u - first) / (last - first), (last - first) * SWING
    way, speed, acceleration = smooth(part)
    return start + (end - start) * way, (end - start) * speed / time, (end - start) * acceleration / time**2


# %%
# The run: letters of both feet, each with the nearest two features of the stairs.

model = mc.load("stairs")
run = mc.simulate(model, controller=Climb(model), duration=1.3)
changes = [0, *(np.flatnonzero([a != b for a, b in zip(run.modes[:-1], run.modes[1:], strict=True)]) + 1)]
print(run.status, "with", *(f"{run.modes[i]} from {run.time[i]:.3f} s," for i in changes[:12]))
print(
    f"hips at ({run.q[-1, 0]:.3f}, {run.q[-1, 1]:.3f}) m, fastest coordinate {np.abs(run.v[-1]).max():.3f} per second"
)

# %%
# What the motors did is what the robot gained, but for the blow of the landing and what the controller brakes.

inputs = run.torque @ model.snapshot(model.start).actuation.T
work = np.sum(inputs * np.diff(run.q, axis=0, append=run.q[-1:])[: len(inputs)])
energy = [model.kinetic_energy(q, v) + model.potential_energy(q) for q, v in zip(run.q, run.v, strict=True)]
print(f"work of the motors {work:.2f} J, gained {energy[-1] - energy[0]:.2f} J")

run.plot(what="strobe", times=[0, 0.34, 0.5, 0.6, 0.73, 1.3])
plt.show()
