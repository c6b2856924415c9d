"""`Thrust`: the inputs that were chosen, with everything that follows from them, or the reason why there are
none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.labels import spoken
from modecontrol.regions.ambiguity import Asked, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.objective import Objective

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.thrust.gradient import Gradient


@dataclass(frozen=True, eq=False)
class Thrust:
    """Answer of `maximize`; false when nothing is feasible (`reason` says why).

    Attributes
    ----------
    mode, torque, value
        The contact mode, the inputs, and the objective (its worst case within the mode).
    acceleration, force
        `qdd` and `f` there (at the worst `w`).
    active
        Constraints that hold with equality there, by name.
    ambiguous_mode, ambiguous_value
        Best value when ambiguity within and between modes is ignored, for comparison.
    reason
        A sentence: how the search ended.
    modes, friction, existence, exact
        With uncertain friction or the outcome guarantee: every mode that may happen, the worst friction, by
        which argument an answer surely exists, and whether friction was looked at exactly rather than in
        small cells.
    load
        With a disturbance: the one with which the value is least, by name.
    status
        "optimal", "unbounded", "none" (nothing is guaranteed), "stopped" (the search was given up, with the best promise so far if
        there is one) or "promised" (more might be: some modes could not be projected).

    """

    mode: str | None
    torque: np.ndarray | None
    value: float
    acceleration: np.ndarray | None = None
    force: np.ndarray | None = None
    active: tuple[str, ...] = ()
    ambiguous_mode: str | None = None
    ambiguous_value: float = -np.inf
    reason: str = ""
    _response: DynamicResponse | None = field(default=None, repr=False)
    modes: tuple[str, ...] = ()
    friction: np.ndarray | None = None
    existence: str = ""
    exact: bool = True
    _asked: tuple[Any, float, str] | None = field(default=None, repr=False)
    load: Mapping[str, float] = field(default_factory=dict)
    status: str = ""

    def __post_init__(self) -> None:
        if not self.status:
            found = "optimal" if self else "unbounded" if self.value == np.inf else "none"
            object.__setattr__(self, "status", found)

    @cached_property
    def distance(self) -> float:
        """Distance (input units) to the nearest other mode that could take over; infinite when there is none."""
        if self._response is None or self.mode is None or self.torque is None:
            return np.inf
        problem = self._response.problem
        asked = problem.task.P
        if self._asked is not None:
            asked = Objective.of(self._asked[0], problem.undisturbed.snapshot).asked(problem)
        return distance_to_others(self._response, self.mode, self.torque, asked)

    def gradient(
        self, name: str, *, model: PlanarModel | None = None, place: Callable[..., Any] | None = None
    ) -> Gradient:
        """How the value changes with a parameter, a coordinate or a velocity: exact, by the optimal
        multipliers.

        Contacts count as what they count as; the state stays, unless `place` moves it along.

        Parameters
        ----------
        name
            A parameter of the model (`"l"`), a coordinate (`"alpha"`) or a velocity (`"alpha_d"`).
        model
            The model; None takes the one that made the snapshot.
        place
            `place(model, q) -> q`, as for `mc.study`: keeps feet on the ground, say, when a leg grows.

        Returns
        -------
        Gradient
            `value`, or one-sided derivatives `below` and `above` at a tie; `status` and `reason` say which.
        """
        from modecontrol.thrust.gradient import gradient

        return gradient(self, name, model, place)

    def __bool__(self) -> bool:
        return self.torque is not None

    def __repr__(self) -> str:
        if self.torque is None:
            return f"Thrust({self.status}: {self.reason})"
        at = ", ".join(f"{name} = {value:.6g}{unit}" for name, value, unit in self._inputs())
        limits = f"; limited by {', '.join(self.active)}" if self.active else ""
        how = "" if self.status == "optimal" else f"; {self.reason}"
        return f"Thrust({self.mode}: {self.value:.6g}{f' at {at}' if at else ''}{limits}{how})"

    def _inputs(self) -> list[tuple[str, float, str]]:
        """Name, value and unit (behind a blank) of each input."""
        values = [] if self.torque is None else self.torque.tolist()
        if self._response is None:
            return [(f"input {i + 1}", value, "") for i, value in enumerate(values)]
        names = self._response.problem.names
        units = [f" {unit}" if unit else "" for unit in names.input_units] or [""] * len(values)
        return list(zip(names.inputs, values, units, strict=True))

    def _repr_markdown_(self) -> str:
        """For notebooks: the answer with names and units, and what limits it."""
        if self.torque is None:
            return f"**No guaranteed inputs**: {self.reason}"
        rows = [f"| {name} | {value:.6g}{unit} |" for name, value, unit in self._inputs()]
        limits = ", ".join(self.active) if self.active else "nothing"
        return "\n".join(
            [
                f"**{self.mode}**, value **{self.value:.6g}**, limited by {limits}",
                "",
                "| input | value |",
                "|---|---|",
                *rows,
            ]
        )


def distance_to_others(response: DynamicResponse, mine: str, tau: np.ndarray, asked: Asked) -> float:
    """Distance from `tau` to the nearest mode that counts against this one; infinite when there is none."""
    return min(
        (response[mode].torques.distance(tau) for mode in rivals(response, mine, np.inf, asked)),
        default=np.inf,
    )


def active_rows(mine: ModeResponse, tau: np.ndarray, w: np.ndarray) -> tuple[str, ...]:
    """Names of the constraints of the mode and the task that hold with equality."""
    domain = mine.task_domain if len(mine.problem.task.p) else mine.domain
    gap = domain.b - domain.A @ np.concatenate([tau, w])
    size = np.abs(domain.A) @ np.abs(np.concatenate([tau, w])) + np.abs(domain.b)
    tight = [
        spoken(domain.labels[i])
        for i in np.flatnonzero(gap <= tolerances.SHOWN_TIGHT * np.maximum(size, tolerances.SHOWN_ZERO))
    ]
    return tuple(dict.fromkeys(tight))


def why_nothing(response: DynamicResponse) -> str:
    """Which constraint leaves nothing."""
    if not response.modes:
        return "no contact mode can happen with these torque limits and physical constraints"
    task = response.problem.task
    for label in dict.fromkeys(task.labels):
        alone = np.array([name == label for name in task.labels])
        if not any(_meets(response[mode], alone) for mode in response):
            return f"no contact mode can meet the task {label!r}"
    return f"no contact mode can meet the task constraints together: {', '.join(dict.fromkeys(task.labels))}"


def _meets(mine: ModeResponse, rows: np.ndarray) -> bool:
    A, b, equality, _ = mine.substitute(mine.problem.task)
    loose, tight = rows & ~equality, rows & equality
    return not mine.domain.intersect(Polytope(-A[loose], -b[loose], A[tight], b[tight])).is_empty
