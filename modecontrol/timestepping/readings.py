"""`Readings`: what instruments on the mechanism show after a step or a control period."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.joint_reactions import joint_reactions
from modecontrol.validation import did_you_mean, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.timestepping.engine import Engine
    from modecontrol.timestepping.lagrangian_engine import LagrangianEngine

STEPPED = "stepped"


@dataclass(frozen=True, eq=False, repr=False)
class Readings:
    """What happened between `(q_before, v_before)` and `(q, v)`, a step or a control period.

    True unless the simulation could not go on, which `status` then explains.

    Parameters
    ----------
    time
        At the end (s).
    span
        Time that has gone by (s); zero before the first step.
    q_before, v_before
        State at the beginning (n,).
    q, v
        State at the end (n,).
    torque
        Mean of the inputs that acted, after they were cut at the torque limits (t,).
    force
        Mean contact forces, normal first (2k,), N; an impact counts with its impulse.
    loop_force
        Mean forces in the pins (2 per pin), world axes, N.
    mode
        Letters of the contacts in the last step.
    impacts
        Number of collisions.
    method
        How the contact problems were solved, the last resort that was needed.
    residual
        Largest relative row error of the contact problems.
    status
        "stepped", or why the simulation could not go on.
    model
        The mechanism.
    """

    time: float
    span: float
    q_before: np.ndarray
    v_before: np.ndarray
    q: np.ndarray
    v: np.ndarray
    torque: np.ndarray
    force: np.ndarray
    loop_force: np.ndarray
    mode: str
    impacts: int
    method: str
    residual: float
    status: str
    model: PlanarModel

    def __bool__(self) -> bool:
        return self.status == STEPPED

    @property
    def reason(self) -> str:
        """The status in a sentence."""
        return f"stepped to t = {self.time:.9g} s" if self else self.status

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Mean acceleration `(v - v_before) / span` (n,); an impact counts with its jump."""
        return (self.v - self.v_before) / self.span if self.span > 0 else np.zeros_like(self.v)

    @cached_property
    def gap(self) -> np.ndarray:
        """Gap of each contact at the end (k,), m."""
        return np.array(self.model.snapshot(self.q, self.v).gap)

    @property
    def kinetic(self) -> float:
        """Kinetic energy at the end (J)."""
        return float(self.model.kinetic_energy(self.q, self.v))

    @property
    def potential(self) -> float:
        """Potential energy at the end (J): gravity, joint springs, compliant contacts."""
        stored = float(self.model.potential_energy(self.q))
        if isinstance(self.model, Model):
            K = self.model.tree.stiffness
            soft = np.isfinite(K)
            stored += 0.5 * float(K[soft] @ np.minimum(self.gap[soft], 0.0) ** 2)
        return stored

    @property
    def energy(self) -> float:
        """Kinetic and potential energy together at the end (J)."""
        return self.kinetic + self.potential

    def contact_force(self, contact: str) -> tuple[float, float]:
        """Mean normal and tangential force of one contact (N); of a resistance to rolling nothing and its moment (N m).

        Parameters
        ----------
        contact
            Its name.
        """
        names = self.model.contacts
        if not isinstance(contact, str) or contact not in names:
            raise ValueError(
                f"unknown contact {shown(contact)}{did_you_mean(str(contact), names)} (contacts: {', '.join(names) or 'none'})"
            )
        i = names.index(contact)
        return float(self.force[2 * i]), float(self.force[2 * i + 1])

    @cached_property
    def joint_reactions(self) -> np.ndarray:
        """What each body's joint transmits to it (bodies, 3): force x, y (N) in world axes and moment about the
        origin of the body's frame (N m), bodies in the order of the model.

        Motors, springs and dampers of the joint are part of it. The balance is that of the step: exact for one
        step without an impact inside it, of first order in the span otherwise.
        """
        if not isinstance(self.model, Model):
            raise ValueError(
                "a LagrangianModel has no bodies, so that nothing is known of the forces in its joints"
            )
        return joint_reactions(
            self.model,
            self.q_before,
            self.v_before,
            self.acceleration,
            self.force,
            self.loop_force,
            v_end=self.v,
        )

    def joint_reaction(self, body: str) -> tuple[float, float, float]:
        """Force x, y (N) and moment (N m) that the joint of one body transmits to it; see `joint_reactions`.

        Parameters
        ----------
        body
            Its name.
        """
        every = self.joint_reactions
        model: Any = self.model  # a tree of bodies: others have no reactions
        names = [each.name for each in model.mechanism.bodies]
        if not isinstance(body, str) or body not in names:
            raise ValueError(
                f"unknown body {shown(body)}{did_you_mean(str(body), names)} (bodies: {', '.join(names)})"
            )
        fx, fy, moment = every[names.index(body)].tolist()
        return fx, fy, moment

    def __repr__(self) -> str:
        return f"Readings(t = {self.time:g} s, mode {self.mode or 'without contacts'!s}, {self.status})"


class Instruments:
    """Reads an engine: `read` answers with what happened since the last call.

    Parameters
    ----------
    engine
        A stepper with its record.
    first
        Steps that had been made when the record began.
    """

    def __init__(self, engine: Engine | LagrangianEngine, first: int = 0) -> None:
        self.engine, self.first = engine, first
        engine.record.watch()
        self._before = engine.state

    def read(self, status: str = "") -> Readings:
        """The readings since the last call.

        Parameters
        ----------
        status
            Why the engine stopped, empty if it did not.
        """
        from modecontrol.timestepping.engine import METHODS

        engine, h = self.engine, self.engine.choices.h
        steps, impulse, loop_impulse, torque, letters, impacts, method, residual = engine.record.recent
        (q_before, v_before), (q, v) = self._before, engine.state
        span = steps * h
        engine.record.watch()
        self._before = q, v
        return Readings(
            time=(self.first + engine.record.steps) * h,
            span=span,
            q_before=q_before,
            v_before=v_before,
            q=q,
            v=v,
            torque=torque,
            force=impulse / max(span, h),
            loop_force=loop_impulse / max(span, h),
            mode=letters.tobytes().decode(),
            impacts=impacts,
            method=METHODS[method],
            residual=residual,
            status=status or STEPPED,
            model=engine.model,
        )
