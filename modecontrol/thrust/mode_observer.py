"""Which contact modes a measurement leaves (set membership): `ModeObserver`.

    keep mode c   iff   some (tau', w) of its domain has   abs(tau' - tau) <= error   and   abs(l z - measured) <= noise

over all friction that is possible. While the bounds hold the true mode is never dropped. The acceleration that
belongs to the inputs of one instant is measured, say by an inertial sensor or as a difference of velocities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Demands
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.instants import Thresholds, respond_at
from modecontrol.thrust.objective import Objective
from modecontrol.validation import as_numbers, as_vector, check_bounds, check_number, check_texts

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel

Left = TypeVar("Left")
"""What an observer keeps: modes, or friction."""


class Observer(Generic[Left]):
    """What observers share: a model, thresholds, measured quantities with the bounds of their errors.

    Parameters
    ----------
    model
        The rigid model that explains the measurements; its friction may be uncertain.
    measured
        Names of accelerations or forces, or linear expressions, in the order in which they are measured.
    noise
        Bound of the error of each measurement, or one for all.
    torque_error
        Bound of the error of each input, or one for all.
    physical
        Constraints that always hold, as for `dynamic_response`.
    v0, gap, leaving
        When a contact counts as at rest, closed, leaving: as for `MaximalThrust`.
    observe
        `(t, q, v) -> (q, v)` or `(q, v, closed)`: turns the measured state into a state of `model`.
    """

    def __init__(
        self,
        model: PlanarModel,
        measured: Sequence[str] | str,
        noise: ArrayLike,
        *,
        torque_error: ArrayLike = 0.0,
        physical: Demands = (),
        v0: ArrayLike = 1e-3,
        gap: float = 1e-3,
        leaving: float = np.inf,
        observe: Callable[..., Any] | None = None,
    ) -> None:
        self.model, self.physical, self.observe = model, physical, observe
        self.measured = (measured,) if isinstance(measured, str) else check_texts(measured, "measured")
        self.noise = check_bounds("noise", noise, len(self.measured))
        self.torque_error = check_bounds("torque_error", torque_error, len(model.inputs))
        self.thresholds = Thresholds.of(len(model.contacts), v0, gap, leaving)
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        raise NotImplementedError

    def __call__(self, t: float, tau: ArrayLike, measurement: Any) -> Left:
        """What is left after one measurement.

        Parameters
        ----------
        t
            Time (s).
        tau
            Inputs that acted.
        measurement
            `(q, v, values)`: the state, and the measured quantities while these inputs acted.
        """
        return self._learn(
            check_number(t, "t", unit="s"), as_vector(tau, self.model.inputs, "tau"), measurement
        )

    def _learn(self, t: float, tau: np.ndarray, measurement: Any) -> Left:
        raise NotImplementedError

    def _respond(self, t: float, measurement: Any, box: Any) -> tuple[DynamicResponse, Band]:
        """All modes that some friction of the box allows, and what was measured."""
        try:
            q, v, values = measurement
        except (TypeError, ValueError):
            raise ValueError(
                f"measurement is {measurement!r}; expected (q, v, values): a state and the measured quantities"
            ) from None
        values = np.atleast_1d(as_numbers(values, "measured values"))
        if values.shape != (len(self.measured),) or not np.all(np.isfinite(values)):
            raise ValueError(f"measured values are {values}; expected {len(self.measured)} finite numbers")
        seen = self.observe(t, q, v) if self.observe is not None else (q, v)
        instant = self.thresholds.read(self.model, *seen)
        snapshot = instant.snapshot if box is None else instant.snapshot.with_friction(box)
        response = respond_at(
            type(instant)(_as_acting(snapshot, self.torque_error), instant.touching, instant.closed),
            self.physical,
        )
        goals = [Objective.of(quantity, response.snapshot) for quantity in self.measured]
        rows, constants = np.array([g.row for g in goals]), np.array([g.constant for g in goals])
        return response, Band(goals, rows, values - constants - self.noise, values - constants + self.noise)

    def _explained(self, mine: ModeResponse, tau: np.ndarray, band: Band) -> bool:
        """Whether a mode has a motion that fits inputs and measurements."""
        inputs = len(tau)
        A, b = [], []
        for goal, low, high in zip(band.goals, band.low, band.high, strict=True):
            on_tau, on_w, constant = goal.within(mine)
            row, shift = np.concatenate([on_tau, on_w]), constant - goal.constant
            slack = tolerances.STRICT * max(
                abs(low), abs(high), mine.problem.size * np.abs(row).max(initial=0.0)
            )
            A += [row, -row]
            b += [high - shift + slack, shift - low + slack]
        hold = np.eye(inputs, mine.domain.n)
        room = self.torque_error + tolerances.STRICT * max(1.0, float(np.abs(tau).max(initial=0.0)))
        fits = Polytope(np.vstack([*A, hold, -hold]), np.concatenate([b, tau + room, room - tau]))
        return not (mine.domain & fits).is_empty


def _as_acting(snapshot: Snapshot, error: np.ndarray) -> Snapshot:
    """The instant with limits of what may act: inputs were asked for within the limits, and err by a bound."""
    if not np.any(error):
        return snapshot
    limits = snapshot.torque_limits + np.outer(error, [-1.0, 1.0])
    arrays = {f.name: getattr(snapshot, f.name) for f in fields(snapshot)}
    return Snapshot.trusted(**{**arrays, "torque_limits": limits})


class Band:
    """Measured quantities between bounds: `low <= rows (qdd, f, tau) <= high`."""

    def __init__(self, goals: list[Objective], rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        self.goals, self.rows, self.low, self.high = goals, rows, low, high


class ModeObserver(Observer[tuple[str, ...]]):
    """Keeps the contact modes that inputs and measurements leave.

    `observer(t, tau, (q, v, values))` returns them; `modes` are the last ones, `history` has a pair of time and
    modes for each call. No mode at all means that a bound is broken: then every mode that the inputs allow is
    returned, and `broken` counts it.

    Parameters
    ----------
    model
        The rigid model that explains the measurements; its friction may be uncertain.
    measured, noise
        Names of what is measured, and a bound of the error of each.
    torque_error, physical, v0, gap, leaving, observe
        As in `modecontrol.thrust.mode_observer.Observer`: errors of the inputs, constraints that always hold, when a contact
        counts as at rest, closed or leaving, and how a measured state is read.

    Examples
    --------
    >>> import modecontrol as mc
    >>> model = mc.load("block", slope=0.3, mu=0.2)
    >>> observer = mc.ModeObserver(model, "x", 0.1)
    >>> response = mc.dynamic_response(model.snapshot(model.start))
    >>> x = response["LL"].acceleration.value([0.0], [])[0]
    >>> observer(0.0, [0.0], (model.start, [0.0, 0.0, 0.0], [x]))
    ('LL',)
    """

    def reset(self) -> None:
        """Forget everything."""
        self.modes: tuple[str, ...] = ()
        self.history: list[tuple[float, tuple[str, ...]]] = []
        self.broken = 0

    def _learn(self, t: float, tau: np.ndarray, measurement: Any) -> tuple[str, ...]:
        response, band = self._respond(t, measurement, getattr(self.model, "friction_box", None))
        left = tuple(mode for mode in response if self._explained(response[mode], tau, band))
        if not left:
            self.broken += 1
            left = tuple(response.modes_at(tau))
        self.modes = left
        self.history.append((t, left))
        return left

    def letters(self, contact: str) -> str:
        """The letters that one contact may have, by the last measurement.

        Parameters
        ----------
        contact
            Name of the contact.
        """
        if contact not in self.model.contacts:
            raise ValueError(
                f"contact {contact!r} is unknown; expected one of {', '.join(self.model.contacts)}"
            )
        place = list(self.model.contacts).index(contact)
        return "".join(sorted({mode[place] for mode in self.modes}))
