"""Wrenches of loop closures, springs, pushes and of the medium on the bodies: for the balance of each body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from modecontrol.dynamics.couplings import Closure, Spring
from modecontrol.dynamics.mechanism import WORLD, Pin
from modecontrol.dynamics.model import Model

Found = Iterator[tuple[np.ndarray, str]]


def coupling_wrenches(
    model: Model, q: np.ndarray, v: np.ndarray, loop_force: np.ndarray, *, v_end: np.ndarray | None = None
) -> Found:
    """Force x, force y and moment about the origin of a body's frame, with the name of the body.

    A gear is not among them: like a motor it is part of what its joints transmit.

    `loop_force` has the forces of the rows of all closures, `v_end` the velocities at the end of a step: a medium acts on
    these, as strongly as the velocities before ask for.
    """
    frames, numbers, row = _Frames(model, q), model.numbers, 0
    for pin in numbers.pins:
        yield from _pair(frames, pin, loop_force[row : row + 2])
        row += 2
    for closure in numbers.closures:
        count = len(closure.rows)
        yield from _closure(frames, closure, loop_force[row : row + count])
        row += count
    for spring, rate in zip(numbers.springs, _rates(model, q, v), strict=True):
        x, y = frames.way(spring)
        length = float(np.hypot(x, y))
        if length > 0.0:
            stretch = length - spring.length  # type: ignore[operator]
            pull = -spring.stiffness * stretch - spring.damping * rate  # type: ignore[operator]
            yield from _pair(frames, spring, pull / length * np.array([x, y]))
    for push in numbers.pushes:
        force = np.array(push.force, float)
        if push.follows:
            force = _turned(frames.angle(push.body), force)
        yield (
            frames.wrench(
                push.body,
                frames.place(push.body, push.point),
                force,
                push.moment,  # type: ignore[arg-type]
            ),
            push.body,
        )
    yield from _drag(model, frames, q, v, v if v_end is None else v_end)


def _drag(model: Model, frames: _Frames, q: np.ndarray, v: np.ndarray, v_end: np.ndarray) -> Found:
    """What the medium does to each body."""
    if not len(model.tree.drags):
        return
    before, after, drags = _points(model, q, v), _points(model, q, v_end), iter(model.tree.drags)
    wind = np.array(model.numbers.wind, float)
    for body in model.numbers.bodies:
        for drag in body.drag:
            row = next(drags)
            if row["node"] < 0:
                continue
            place, speed, turning = before(int(row["node"]), row["at"])
            _, speed_end, turning_end = after(int(row["node"]), row["at"])
            angle = frames.angle(body.name) + drag.angle  # type: ignore[operator]
            along, end = _turned(-angle, speed - wind), _turned(-angle, speed_end - wind)
            force = -(np.array(drag.linear) + np.array(drag.quadratic) * np.abs(along)) * end
            moment = -(drag.turning + drag.turning_quadratic * abs(turning)) * turning_end
            yield frames.wrench(body.name, place, _turned(angle, force), moment), body.name


def _points(model: Model, q: np.ndarray, v: np.ndarray) -> Any:
    """`(node, point of it) ->` place, velocity and turning."""
    from modecontrol._core import dynamics as core

    at = core.Kinematics(model.tree.core, q, v)

    def point(node: int, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        if node < 0:
            return np.array(own), np.zeros(2), 0.0
        c, s, w = at.cos[node], at.sin[node], float(at.omega[node])
        x, y = c * own[0] - s * own[1], s * own[0] + c * own[1]
        velocity = np.array([at.vx[node] - w * y, at.vy[node] + w * x])
        return np.array([at.x[node] + x, at.y[node] + y]), velocity, w

    return point


def _rates(model: Model, q: np.ndarray, v: np.ndarray) -> list[float]:
    """How fast each spring grows longer."""
    point, found = _points(model, q, v), []
    for spring in model.tree.springs:
        (p, u, _), (r, w, _) = (
            point(int(spring[node]), spring[own])
            for node, own in (("node", "point"), ("other", "other_point"))
        )
        length = np.hypot(*(p - r))
        found.append(float((p - r) @ (u - w) / length) if length > 0.0 else 0.0)
    return found


class _Frames:
    """Where the bodies are."""

    def __init__(self, model: Model, q: np.ndarray) -> None:
        names = [body.name for body in model.numbers.bodies]
        self._at = dict(zip(names, model.frames(q), strict=True))
        self._at[WORLD] = np.zeros(3)

    def angle(self, name: str) -> float:
        return float(self._at[name][2])

    def place(self, name: str, point) -> np.ndarray:
        return self._at[name][:2] + _turned(self.angle(name), point)

    def way(self, pair: Pin | Closure | Spring) -> np.ndarray:
        return self.place(pair.body, pair.point) - self.place(pair.other, pair.other_point)

    def wrench(self, name: str, at: np.ndarray, force: np.ndarray, moment: float = 0.0) -> np.ndarray:
        x, y = at - self._at[name][:2]
        return np.array([*force, x * force[1] - y * force[0] + moment])


def _pair(frames: _Frames, pair: Pin | Closure | Spring, force: np.ndarray) -> Found:
    yield frames.wrench(pair.body, frames.place(pair.body, pair.point), force), pair.body
    yield frames.wrench(pair.other, frames.place(pair.other, pair.other_point), -force), pair.other


def _closure(frames: _Frames, closure: Closure, force: np.ndarray) -> Found:
    if closure.kind == "gear":
        return
    if closure.kind == "rod":
        x, y = frames.way(closure)
        yield from _pair(frames, closure, force[0] / np.hypot(x, y) * np.array([x, y]))
        return
    if closure.kind == "weld":
        yield from _pair(frames, closure, force[:2])
    else:  # both forces of a slider act where the point of the body is
        across = force[0] * _turned(
            frames.angle(closure.other) + closure.axis,  # type: ignore[operator]
            (0.0, 1.0),
        )
        at = frames.place(closure.body, closure.point)
        yield frames.wrench(closure.body, at, across), closure.body
        yield frames.wrench(closure.other, at, -across), closure.other
    turn = np.array([0.0, 0.0, force[-1]])
    yield turn, closure.body
    yield -turn, closure.other


def _turned(angle: float, point) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])
