"""Actuators, tendons and equality constraints of a compiled MuJoCo model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol.interop.mjcf_links import Compiled, Spring
from modecontrol.interop.spatial import Drive, Gear, Knot, Rope


class Actuators:
    """Inputs, and what servos add to joints.

    The force of an actuator on a joint with the gear `g` is `g (gain u + b0 + b1 g q + b2 g v)`: an input, and a spring and
    damper of the joint.

    Parameters
    ----------
    model
        The compiled model.
    """

    def __init__(self, model: Compiled) -> None:
        self.model = model
        self.servos: dict[int, Spring] = {}
        self.drives: list[Drive] = []
        m = model.m
        for i in range(m.nactuator if hasattr(m, "nactuator") else m.nu):
            self._actuator(i)

    def _actuator(self, i: int) -> None:
        m, mj, model = self.model.m, self.model.mj, self.model
        name, kind = model.called("ACTUATOR", i), mj.mjtTrn(m.actuator_trntype[i])
        gear, target = float(m.actuator_gear[i][0]), int(m.actuator_trnid[i][0])
        if kind in (mj.mjtTrn.mjTRN_JOINT, mj.mjtTrn.mjTRN_JOINTINPARENT):
            parts = [(target, gear)]
        elif kind == mj.mjtTrn.mjTRN_TENDON and (found := fixed_tendon(model, target)):
            parts = [(j, gear * coefficient) for j, coefficient in found]
        else:
            model.left_out.append(f"the actuator {name!r}, which acts on no joint")
            return
        plain = (
            m.actuator_gaintype[i] == mj.mjtGain.mjGAIN_FIXED
            and m.actuator_dyntype[i] == mj.mjtDyn.mjDYN_NONE
        )
        if plain and m.actuator_biastype[i] != mj.mjtBias.mjBIAS_NONE:
            plain = self._servo(i, parts)
        gain = float(m.actuator_gainprm[i][0]) if plain else 1.0
        if not plain:
            model.left_out.append(f"the law of the actuator {name!r}: its input is its force")
        for key, power in (("armature", 2), ("damping", 2)):
            values = getattr(m, f"actuator_{key}", None)
            if values is not None and np.any(values[i]) and len(parts) == 1:
                self._add(parts[0][0], **{key: float(np.ravel(values[i])[0]) * gear**power})
        self.drives.append(
            Drive(
                name,
                tuple((model.called("JOINT", j), gain * g) for j, g in parts),
                *self._limits(i, gain, parts, plain),
            )
        )

    def _servo(self, i: int, parts: list[tuple[int, float]]) -> bool:
        """Whether the law is a spring and damper of one joint, which are then added to it."""
        m, model = self.model.m, self.model
        if m.actuator_biastype[i] != model.mj.mjtBias.mjBIAS_AFFINE or len(parts) != 1:
            return False
        constant, length, speed = (float(b) for b in m.actuator_biasprm[i][:3])
        (joint, gear), name = parts[0], model.called("ACTUATOR", i)
        hinge_or_slide = model.mj.mjtJoint(m.jnt_type[joint]) in (
            model.mj.mjtJoint.mjJNT_HINGE,
            model.mj.mjtJoint.mjJNT_SLIDE,
        )
        if length > 0 or speed > 0 or (constant and not length) or not hinge_or_slide:
            return False
        if m.actuator_forcelimited[i] and (length or speed):
            model.left_out.append(
                f"the force range of the servo {name!r}, whose spring and damper act without bounds"
            )
        self._add(joint, stiffness=-length * gear**2, pull=constant * gear, damping=-speed * gear**2)
        return True

    def _add(self, joint: int, **more: float) -> None:
        before = self.servos.get(joint, Spring())
        keys = ("stiffness", "pull", "damping", "armature")
        self.servos[joint] = Spring(*(getattr(before, key) + more.get(key, 0.0) for key in keys))

    def _limits(
        self, i: int, gain: float, parts: list[tuple[int, float]], plain: bool
    ) -> tuple[float, float]:
        m = self.model.m
        lower, upper = -math.inf, math.inf
        if m.actuator_biastype[i] == self.model.mj.mjtBias.mjBIAS_NONE or not plain:
            lower, upper = _cut(lower, upper, m.actuator_forcelimited[i], m.actuator_forcerange[i], gain)
        if plain:
            lower, upper = _cut(lower, upper, m.actuator_ctrllimited[i], m.actuator_ctrlrange[i], 1.0)
        if len(parts) == 1:
            j, gear = parts[0]
            lower, upper = _cut(lower, upper, m.jnt_actfrclimited[j], m.jnt_actfrcrange[j], gain * gear)
        return lower, upper


def _cut(lower: float, upper: float, limited: Any, bounds: Any, gain: float) -> tuple[float, float]:
    """The box of an input `u` whose `gain u` must stay within bounds."""
    if not limited or gain == 0.0:
        return lower, upper
    low, high = sorted(float(bound) / gain for bound in bounds)
    return max(lower, low), min(upper, high)


# Tendons ---------------------------------------------------------------------------------------------------


def fixed_tendon(model: Compiled, t: int) -> list[tuple[int, float]]:
    """Joints and coefficients of a tendon that is a sum of joints; none for one that runs through sites.

    Parameters
    ----------
    model
        The compiled model.
    t
        Number of the tendon.
    """
    m = model.m
    wraps = range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
    if any(m.wrap_type[w] != model.mj.mjtWrap.mjWRAP_JOINT for w in wraps):
        return []
    return [(int(m.wrap_objid[w]), float(m.wrap_prm[w])) for w in wraps]


def ropes(model: Compiled) -> tuple[Rope, ...]:
    """Tendons between two sites: springs and cables. Others are said to be left out if they do anything."""
    m, found = model.m, []
    for t in range(m.ntendon):
        name = model.called("TENDON", t)
        sites = [
            int(m.wrap_objid[w])
            for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
            if m.wrap_type[w] == model.mj.mjtWrap.mjWRAP_SITE
        ]
        stretches = m.tendon_lengthspring[t]
        acts = m.tendon_stiffness[t] or m.tendon_damping[t] or m.tendon_limited[t]
        if m.tendon_frictionloss[t] or getattr(m, "tendon_armature", np.zeros(m.ntendon))[t]:
            model.left_out.append(f"dry friction and armature of the tendon {name!r}")
        if not acts:
            continue
        straight = len(sites) == 2 and m.tendon_num[t] == 2
        if not straight or stretches[0] != stretches[1] or (m.tendon_limited[t] and m.tendon_range[t][0] > 0):
            model.left_out.append(
                f"spring, damper and limits of the tendon {name!r}; those straight between two sites are read"
            )
            continue
        ends = [np.array(model.at.site_xpos[s]) for s in sites]
        bodies = [model.body(int(m.site_bodyid[s])) for s in sites]
        found.append(
            Rope(
                name,
                bodies[0],
                bodies[1],
                ends[0],
                ends[1],
                float(m.tendon_stiffness[t]),
                float(m.tendon_damping[t]),
                float(stretches[0]),
                float(m.tendon_range[t][1]) if m.tendon_limited[t] else math.inf,
            )
        )
    return tuple(found)


# Equality constraints --------------------------------------------------------------------------------------


def equalities(model: Compiled) -> tuple[list[Knot], list[Gear], list[str]]:
    """Loops, gears, and joints that are held at their reference.

    Raises
    ------
    ValueError
        A constraint of another kind, or a gear that is not linear.
    """
    m, kinds = model.m, model.mj.mjtEq
    knots: list[Knot] = []
    gears: list[Gear] = []
    held: list[str] = []
    for i in range(m.neq):
        if not m.eq_active0[i]:
            continue
        kind = kinds(m.eq_type[i])
        if kind in (kinds.mjEQ_CONNECT, kinds.mjEQ_WELD):
            knots.append(_knot(model, i, kind == kinds.mjEQ_WELD))
        elif kind == kinds.mjEQ_JOINT:
            found = _gear(model, i)
            gears += [found] if isinstance(found, Gear) else []
            held += [found] if isinstance(found, str) else []
        else:
            _refuse(model, i, f"is {kind.name.removeprefix('mjEQ_').lower()}; expected connect, weld, joint")
    return knots, gears, held


def _refuse(model: Compiled, i: int, why: str) -> None:
    raise ValueError(f"{model.name}: the constraint {model.called('EQUALITY', i)!r} {why}")


def _knot(model: Compiled, i: int, weld: bool) -> Knot:
    m, at = model.m, model.at
    a, b = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    name, turn = model.called("EQUALITY", i), None
    if m.eq_objtype[i] == model.mj.mjtObj.mjOBJ_SITE:
        here, there = np.array(at.site_xpos[a]), np.array(at.site_xpos[b])
        if weld:  # the frames of the sites are held together
            one, two = (at.site_xmat[s].reshape(3, 3) for s in (a, b))
            turn = two @ one.T
        links = [model.body(int(m.site_bodyid[s])) for s in (a, b)]
        return Knot(name, links[0], links[1], here, there, turn)
    one, two = (at.xmat[body].reshape(3, 3) for body in (a, b))
    data = m.eq_data[i]
    if not weld:
        here, there = at.xpos[a] + one @ data[:3], at.xpos[b] + two @ data[3:6]
        return Knot(name, model.body(a), model.body(b), here, there)
    entries = np.zeros(9)
    model.mj.mju_quat2Mat(entries, data[6:10] / np.linalg.norm(data[6:10]))
    relative = entries.reshape(3, 3)  # of the second body in the frame of the first
    here, there = at.xpos[a] + one @ data[3:6], at.xpos[b] + two @ data[:3]
    return Knot(name, model.body(a), model.body(b), here, there, two @ relative.T @ one.T)


def _gear(model: Compiled, i: int) -> Gear | str:
    """`q1 - q1_ref = c0 + c1 (q2 - q2_ref)`, or the name of a joint that is held."""
    m = model.m
    a, b, c = int(m.eq_obj1id[i]), int(m.eq_obj2id[i]), [float(x) for x in m.eq_data[i][:5]]
    name, one = model.called("EQUALITY", i), model.called("JOINT", a)
    if b < 0:
        if c[0]:
            _refuse(model, i, f"holds the joint {one!r} at {c[0]:g} from its reference; expected 0")
        return one
    if any(c[2:]):
        _refuse(model, i, f"has the coefficients {c}; expected a linear one (the last three 0)")
    first, second = (float(m.qpos0[m.jnt_qposadr[j]]) for j in (a, b))
    return Gear(name, one, model.called("JOINT", b), c[1], first + c[0] - c[1] * second)
