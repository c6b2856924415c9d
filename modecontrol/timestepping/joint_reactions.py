"""Forces in the joints of a moving mechanism, body by body (Newton and Euler).

    wrench of a joint = d(momentum)/dt of its body - gravity, contacts, closures, springs, pushes and drag on it
    + wrenches of the joints it carries

All wrenches are world axes, moments about the origin of the body's frame, which is where a hinge is.
"""

from __future__ import annotations

import numpy as np

from modecontrol.dynamics.contact_entries import CABLE, ROLLING, entries
from modecontrol.dynamics.mechanism import WORLD
from modecontrol.dynamics.model import Model
from modecontrol.timestepping.coupling_wrenches import coupling_wrenches
from modecontrol.tolerances import TINY


def joint_reactions(
    model: Model,
    q: np.ndarray,
    v: np.ndarray,
    qdd: np.ndarray,
    contact_force: np.ndarray,
    loop_force: np.ndarray,
    *,
    v_end: np.ndarray | None = None,
) -> np.ndarray:
    """What each body's joint transmits to it: (bodies, 3) force x, force y, moment about the body's origin.

    Parameters
    ----------
    model
        The mechanism.
    q, v, qdd
        State and accelerations (n,).
    contact_force
        Normal and tangential force of each contact (2k,).
    loop_force
        Forces of the rows of all loop closures.
    v_end
        Velocities at the end of the step (n,), on which a medium acts; None: `v`.
    """
    numbers, frames = model.numbers, model.frames(q)
    place = {body.name: i for i, body in enumerate(numbers.bodies)}
    motion = _motions(model, frames, v, qdd)
    wrench = np.zeros((len(numbers.bodies), 3))
    for i, body in enumerate(numbers.bodies):
        omega, alpha, ax, ay = motion[i]
        c = _turned(frames[i, 2], body.com)
        force = body.mass * (_rigid((ax, ay), omega, alpha, c) - np.asarray(numbers.gravity, float))
        wrench[i] = *force, body.inertia * alpha + _cross(c, force)

    def pushed(name: str, point: np.ndarray, force: np.ndarray) -> None:
        if name != WORLD:
            i = place[name]
            wrench[i] -= (*force, _cross(point - frames[i, :2], force))

    touching = model.contact_points(q)
    for i, contact in enumerate(numbers.contacts):
        force = contact_force[2 * i] * touching.n[i] + contact_force[2 * i + 1] * touching.t[i]
        pushed(contact.body, touching.position[i], force)
        pushed(contact.other, touching.position[i], -force)
    for i, entry in enumerate(entries(numbers)):
        if entry.kind == ROLLING:
            for name, sign in ((entry.part.body, 1.0), (entry.part.other, -1.0)):
                if name != WORLD:
                    wrench[place[name], 2] -= sign * contact_force[2 * i + 1]
        if entry.kind == CABLE:
            ends = [
                frames[place[name], :2] + _turned(frames[place[name], 2], point)
                if name != WORLD
                else np.array(point, float)
                for name, point in (
                    (entry.part.body, entry.part.point),
                    (entry.part.other, entry.part.other_point),
                )
            ]
            along = (ends[1] - ends[0]) / max(float(np.hypot(*(ends[1] - ends[0]))), TINY)
            pushed(entry.part.body, ends[0], contact_force[2 * i] * along)
            pushed(entry.part.other, ends[1], -contact_force[2 * i] * along)
    for wrench_on, name in coupling_wrenches(model, q, v, loop_force, v_end=v_end):
        if name != WORLD:
            wrench[place[name]] -= wrench_on
    for i in reversed(range(len(numbers.bodies))):
        parent = place.get(numbers.bodies[i].parent)
        if parent is not None:
            lever = frames[i, :2] - frames[parent, :2]
            wrench[parent] += (*wrench[i, :2], wrench[i, 2] + _cross(lever, wrench[i, :2]))
    return wrench


def _motions(model: Model, frames: np.ndarray, v: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Angular velocity and acceleration, acceleration of the origin (x, y) of each body."""
    numbers = model.numbers
    rate = dict(zip(model.coordinates, zip(v.tolist(), qdd.tolist(), strict=True), strict=True))
    place = {body.name: i for i, body in enumerate(numbers.bodies)}
    found = np.zeros((len(numbers.bodies), 4))
    for i, body in enumerate(numbers.bodies):
        j = place.get(body.parent)
        frame = np.zeros(3) if j is None else frames[j]
        omega, alpha, *origin = (0.0,) * 4 if j is None else found[j].tolist()
        accel = _rigid(origin, omega, alpha, frames[i, :2] - frame[:2])
        names = list(body.joint.coordinates)
        along = frame[2] + body.joint.angle
        slides = names[:2] if body.joint.kind == "planar" else names[: body.joint.kind == "prismatic"]
        for k, name in enumerate(slides):
            direction = _turned(along, (1.0, 0.0) if k == 0 else (0.0, 1.0))
            speed, change = rate[name]
            accel = accel + change * direction + 2.0 * omega * speed * np.array([-direction[1], direction[0]])
        for name in names[len(slides) :]:
            omega, alpha = omega + rate[name][0], alpha + rate[name][1]
        found[i] = omega, alpha, *accel
    return found


def _turned(angle: float, point) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])


def _rigid(origin, omega: float, alpha: float, r: np.ndarray) -> np.ndarray:
    """Acceleration of the point at `r` from the origin of a rigid body."""
    return np.asarray(origin, float) + alpha * np.array([-r[1], r[0]]) - omega * omega * r


def _cross(r: np.ndarray, force: np.ndarray) -> float:
    return float(r[0] * force[1] - r[1] * force[0])
