"""`Disturbance`: what acts on the mechanism besides the inputs that were asked for, known by its bounds alone.

    M qdd + b = S (tau + e) + B g + J^T f,      abs(e_i) <= a_i + rho_i abs(tau_i),      g in a polytope

`a` are additive and `rho` relative errors of the inputs, `g` additive forces. What may happen is found with `e` and `g`
among the unknowns; what surely happens is decided at the vertices of their set, since the disturbances that leave a mode
possible are a convex set. Both are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.polytopes import Polytope
from modecontrol.validation import as_numbers, check_bounds, coefficients, did_you_mean, shown

MOST_VERTICES = 4096
"""Vertices of a set of disturbances, at most: each is looked at."""


@dataclass(frozen=True, eq=False)
class Disturbance:
    """Bounds of what is not known of the loads; promises hold for all of it.

    Parameters
    ----------
    torque_error
        How far the inputs that act may be from those that were asked for, in input units: one bound or one for each.
    relative_torque_error
        The same as parts of each input, from 0 to 1: 0.05 for five per cent. It comes on top of `torque_error`.
    forces
        Additive generalised forces: `{"x": (-2, 2)}`, an interval for some coordinates (N, or N m), or a bounded `Polytope`.
    along
        For a `Polytope`: `B` (n, m), generalised forces along each of its variables; None when they are the coordinates.

    Examples
    --------
    >>> import modecontrol as mc
    >>> model = mc.load("rhex")
    >>> resp = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    >>> round(mc.maximize(resp, "alpha").value, 2)
    86.26
    >>> off = mc.Disturbance(torque_error=0.2, forces={"y": (-1, 1)})
    >>> round(mc.maximize(resp, "alpha", disturbance=off).value, 2)
    84.1
    """

    torque_error: Any = 0.0
    relative_torque_error: Any = 0.0
    forces: Mapping[str, Any] | Polytope | None = None
    along: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.forces, Mapping | Polytope | None):
            raise TypeError(
                f"forces is {shown(self.forces)}; expected intervals by coordinate, {{'x': (-2, 2)}}, or a Polytope"
            )
        if self.along is not None and not isinstance(self.forces, Polytope):
            raise ValueError("along goes with forces as a Polytope, and only with it")
        for name in ("torque_error", "relative_torque_error"):
            given = as_numbers(getattr(self, name), name)
            check_bounds(name, given, given.size)
        if np.max(self.relative_torque_error, initial=0.0) > 1.0:
            raise ValueError(
                f"relative_torque_error is {shown(self.relative_torque_error)}; expected parts from 0 to 1"
            )
        if isinstance(self.forces, Polytope):
            _check_bounded(self.forces)

    def at(self, snapshot: Snapshot, idle: np.ndarray | None = None) -> Load:
        """What may act at an instant.

        Parameters
        ----------
        snapshot
            The instant, for names and shapes.
        idle
            Inputs (t,) whose error moves nothing: those of massless links in the air.
        """
        t = snapshot.actuation.shape[1]
        added = check_bounds("torque_error", self.torque_error, t)
        part = check_bounds("relative_torque_error", self.relative_torque_error, t)
        if idle is not None:
            added, part = np.where(idle, 0.0, added), np.where(idle, 0.0, part)
        B, forces, sides = self._forces(snapshot)
        known = self.forces if isinstance(self.forces, Mapping) else range(1, B.shape[1] + 1)
        kind = "force on" if isinstance(self.forces, Mapping) else "additive force"
        names = tuple(f"{kind} {name}" for name in known)
        return Load(snapshot.actuation, added, part, B, forces, sides, names)

    def _forces(self, snapshot: Snapshot) -> tuple[np.ndarray, Polytope | None, np.ndarray | None]:
        """`B` (n, m), the polytope of `g` (m,), and its sides where it is a box."""
        names = snapshot.names.coordinates
        n = len(names)
        if self.forces is None:
            return np.zeros((n, 0)), None, None
        if isinstance(self.forces, Polytope):
            B = np.eye(n) if self.along is None else coefficients(self.along, "along")
            if B.shape != (n, self.forces.n):
                hint = "" if self.along is not None else ": say `along` which forces its variables are"
                raise ValueError(
                    f"forces has {self.forces.n} variables along {B.shape[0]} coordinates; expected {B.shape[1]} "
                    f"along {n}{hint}"
                )
            return B, self.forces, None
        pairs = []
        for name, given in self.forces.items():
            if name not in names:
                raise ValueError(
                    f"forces names the coordinate {name!r}{did_you_mean(str(name), names)}; expected some of {', '.join(names)}"
                )
            pairs.append(_interval(name, given))
        columns = np.eye(n)[:, [names.index(name) for name in self.forces]]
        sides = np.array(pairs, float).reshape(-1, 2).T
        return (columns, Polytope.box(*sides), sides) if pairs else (columns, None, None)


def _interval(name: str, given: Any) -> tuple[float, float]:
    try:
        low, high = map(float, as_numbers(given, f"forces[{name!r}]"))
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not (-np.inf < low <= high < np.inf):
        raise ValueError(
            f"forces[{name!r}] is {shown(given)}; expected a pair (least, greatest) of finite numbers"
        )
    return low, high


def _check_bounded(forces: Polytope) -> None:
    if forces.is_empty:
        raise ValueError("forces is an empty set; expected a bounded polytope with at least one point")
    for axis in np.eye(forces.n):
        for sign in (1.0, -1.0):
            if not np.isfinite(forces.support(sign * axis)):
                raise ValueError(
                    f"forces is unbounded (along {(sign * axis).tolist()}); expected a bounded polytope: give every variable limits"
                )


def _check_count(count: int) -> None:
    if count > MOST_VERTICES:
        raise ValueError(
            f"the disturbance has {count} vertices; expected at most {MOST_VERTICES}: fewer errors or simpler forces"
        )


@dataclass(frozen=True, eq=False)
class Load:
    """A disturbance at one instant.

    Attributes
    ----------
    actuation
        `S` (n, t).
    added, part
        Additive and relative error of each input (t,).
    along, forces
        `B` (n, m) and the polytope of the additive forces; None when there are none.
    sides
        (2, m): least and greatest forces where the polytope is a box.
    names
        What each of the additive forces is called.
    """

    actuation: np.ndarray
    added: np.ndarray
    part: np.ndarray
    along: np.ndarray
    forces: Polytope | None
    sides: np.ndarray | None = None
    names: tuple[str, ...] = ()

    @cached_property
    def erring(self) -> np.ndarray:
        """Inputs with an additive error."""
        return np.flatnonzero(self.added > 0)

    @cached_property
    def scaled(self) -> np.ndarray:
        """Inputs with a relative error."""
        return np.flatnonzero(self.part > 0)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is disturbed."""
        return len(self.erring) + len(self.scaled) == 0 and self.forces is None

    @cached_property
    def pushes(self) -> np.ndarray:
        """Values (p, m) of the additive forces at the vertices of their set; one row without forces."""
        if self.forces is None:
            return np.zeros((1, 0))
        if self.sides is not None:
            _check_count(2 ** int(np.sum(self.sides[0] < self.sides[1])))
            return np.array([*product(*(sorted({*pair}) for pair in self.sides.T))], float)
        return np.asarray(self.forces.vertices, float).reshape(-1, self.forces.n)

    @cached_property
    def middle(self) -> np.ndarray:
        """The generalised force (n,) in the middle of the additive forces: what acts when nothing errs."""
        return self.along @ self.pushes.mean(axis=0)

    @cached_property
    def vertices(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """`(way, g)` of each vertex: the errors of the inputs are `way (a + rho abs(tau))`, the forces `g`."""
        both = (self.added > 0) | (self.part > 0)
        _check_count(2 ** int(both.sum()) * len(self.pushes))
        ways = [(-1.0, 1.0) if errs else (0.0,) for errs in both]
        return [(np.array(way), g) for way in product(*ways) for g in self.pushes]
