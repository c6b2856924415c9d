"""Observers on the compliant robot: when is the sticking rear toe seen, how fast does the friction interval shrink?

    python campaigns/observers.py --noise 5 10 20

RHex flies with the sure controller, which knows the friction of its toes as 0.3 to 0.9. At every millisecond the
observers, which think of the robot as rigid, are told inputs, state and pitch acceleration (the change of the pitch
rate over the millisecond). The compliant robot is not the rigid one: the bound of the noise has to cover what springs
and toe masses do. A rigid robot in the same states, with errors drawn up to the bound, is watched beside it.

Printed, for several bounds: how often no mode explains the measurement (the bound is broken); whether the toe's true
letter was dropped; how long after the toe has come to rest for good the observer is certain; and the friction interval
after 100 ms of measurements, with its width as a part of what it was. Measurements of the first 40 ms, in which the
springs are loaded, are kept from the friction observer.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import modecontrol as mc
from modecontrol.thrust.instants import respond_at
from modecontrol.trials.rhex.flip import fly
from modecontrol.trials.rhex.observer import RHexObserver

LOW, HIGH = 0.3, 0.9
V0 = (0.001, 0.08, 0.001, 0.001)
REAR, IGNORE = 1, 0.04
"""Place of the rear toe; time from the start (s) in which springs are loaded and the friction observer is not asked."""


def measurements(flip):
    """`(t, tau, (q, v, [alpha_dd]))` at every millisecond of the thrust, and the rear toe's true letter."""
    path, controller = flip.trajectory, flip.controller
    step = path.time[1] - path.time[0]
    span = round(1e-3 / step)
    for decision in controller.decisions:
        i = round(decision.time / step)
        if decision.mode is None or i + span >= len(path.time):
            continue
        alpha = (path.v[i + span, 2] - path.v[i, 2]) / (path.time[i + span] - path.time[i])
        closed = controller.observe(decision.time, path.q[i], path.v[i])[2]
        torque = decision.torque * closed[1:]  # legs in the air are held in place, not pushed
        letters = {mode[REAR] for mode in path.modes[i : i + span]}
        yield decision.time, torque, (path.q[i], path.v[i], [alpha]), letters


def rigid(told, flip, mu, noise, rng):
    """The same states and inputs, measured on a robot that is rigid, with errors up to the bound."""
    exact = mc.load("rhex", mu_toe=mu)
    for t, tau, (q, v, _), _ in told:
        instant = flip.controller.thresholds.read(exact, *flip.controller.observe(t, q, v))
        response = respond_at(instant)
        happens = response.modes_at(tau)
        if not happens:
            continue
        mine = response[happens[int(rng.integers(len(happens)))]]
        alpha = mine.acceleration.value(tau, np.zeros(mine.ambiguity_variables))[2]
        yield t, tau, (q, v, [alpha + noise * rng.uniform(-1, 1)]), {mine.mode[REAR]}


def sticking(told):
    """When the rear toe comes to rest for the longest time (s), by the simulation; NaN if it never does."""
    best, begin, length = np.nan, None, 0.0
    for t, *_, letters in told:
        if letters == {"F"}:
            begin = t if begin is None else begin
            if t - begin > length:
                best, length = begin, t - begin
        else:
            begin = None
    return best


def watch(told, noise, uncertain):
    """One line of numbers for one bound of the noise."""
    options = {"v0": V0, "observe": RHexObserver.of(uncertain)}
    modes = mc.ModeObserver(uncertain, "alpha", noise, **options)
    friction = mc.FrictionObserver(uncertain, "alpha", noise, **options)
    start, seen, dropped, width = sticking(told), np.nan, 0, np.nan
    for t, tau, measurement, letters in told:
        left = {mode[REAR] for mode in modes(t, tau, measurement)}
        dropped += not letters & left
        if t >= start and left == {"F"} and np.isnan(seen):
            seen = t
        if IGNORE <= t <= 0.1 + IGNORE:
            box = friction(t, tau, measurement)
            width = (box.high[0] - box.low[0]) / (HIGH - LOW)
    return start, seen, dropped, modes.broken, friction.broken, width, friction.box


def main():
    """Fly on some surfaces, watch with several bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--friction", type=float, nargs="*", default=(0.39, 0.6))
    parser.add_argument("--noise", type=float, nargs="*", default=(5.0, 10.0, 20.0), help="bounds (rad/s2)")
    parser.add_argument(
        "--rigid-noise", type=float, nargs="*", default=(0.5, 2.0), help="the same for the rigid robot"
    )
    args = parser.parse_args()
    uncertain = mc.load("rhex").uncertain(mu_toe=(LOW, HIGH))
    print(
        f"{'robot':<10}{'friction':>8}{'bound':>7}{'calls':>7}{'rests from (s)':>16}{'certain after (ms)':>20}"
        f"{'true letter dropped':>21}"
        f"{'unexplained':>13}{'after 100 ms':>20}{'part':>7}"
    )
    for mu in args.friction:
        flip = fly("sure", mu, uncertain={"mu_toe": (LOW, HIGH)})
        told = list(measurements(flip))
        jobs = [("compliant", noise, told) for noise in args.noise]
        jobs += [
            ("rigid", noise, list(rigid(told, flip, mu, noise, np.random.default_rng(1))))
            for noise in args.rigid_noise
        ]
        for robot, noise, heard in jobs:
            start, seen, dropped, broken, _, width, box = watch(heard, noise, uncertain)
            print(
                f"{robot:<10}{mu:>8}{noise:>7.1f}{len(heard):>7}{start:>16.3f}{1e3 * (seen - start):>20.0f}"
                f"{dropped:>21}{broken:>13}"
                f"{f'{box.low[0]:.3f} to {box.high[0]:.3f}':>20}{width:>7.2f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
