"""Constraints on accelerations, forces and inputs beyond the contacts' own (Eqs. (11) to (18) of Greenfield
2005).

    P_q qdd + P_f f + P_tau tau >= p      or      = p

**Physical** constraints always hold; **task** constraints are wished for. They stay apart to the end, because
ambiguity is judged by what is physical.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.linear import Rule, rules
from modecontrol.polytopes.polytope import Polytope
from modecontrol.tolerances import LARGEST
from modecontrol.validation import did_you_mean, real_array, shown


@dataclass(frozen=True, eq=False)
class Rows:
    """Constraint rows at one instant over the columns `(qdd, f, tau)`: `P x >= p`, or `P x = p` where
    `equality`.
    """

    P: np.ndarray
    p: np.ndarray
    equality: np.ndarray
    labels: tuple[str, ...]

    @staticmethod
    @cache
    def none(columns: int) -> Rows:
        """No rows."""
        return Rows(np.zeros((0, columns)), np.zeros(0), np.zeros(0, bool), ())

    def where(self, marks: np.ndarray) -> Rows:
        """The marked rows."""
        if marks.all():
            return self
        return Rows(
            self.P[marks],
            self.p[marks],
            self.equality[marks],
            tuple(label for label, mark in zip(self.labels, marks, strict=True) if mark),
        )

    @staticmethod
    def stack(parts: Sequence[Rows], columns: int) -> Rows:
        """One after the other."""
        parts = [part for part in parts if len(part.p)]
        if len(parts) < 2:
            return parts[0] if parts else Rows.none(columns)
        return Rows(
            np.vstack([r.P for r in parts]),
            np.concatenate([r.p for r in parts]),
            np.concatenate([r.equality for r in parts]),
            tuple(label for r in parts for label in r.labels),
        )


class Constraint:
    """Linear constraints by name, by expression or by matrix.

    Parameters
    ----------
    rule
        Text (`"body.normal >= 20"`, `"1 <= tau1 <= 2"`, `"alpha == 0"`) or a comparison of `mc.quantity`
        expressions.
    acceleration, force, torque
        Coefficients `P_q` (m, n), `P_f` (m, 2k), `P_tau` (m, t) instead of a rule; what is left out is zero.
    at_least, equal
        `p` (m,) for the matrix form: `>= p` or `= p`.
    name
        What explanations call it; default the rule's own text.

    """

    def __init__(
        self,
        rule: str | Rule | None = None,
        *,
        acceleration: ArrayLike | None = None,
        force: ArrayLike | None = None,
        torque: ArrayLike | None = None,
        at_least: ArrayLike | None = None,
        equal: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        blocks = (acceleration, force, torque)
        if rule is not None and any(part is not None for part in (*blocks, at_least, equal)):
            raise ValueError("a Constraint is given by a rule or by matrices, not by both")
        if rule is None and (all(block is None for block in blocks) or (at_least is None) == (equal is None)):
            raise ValueError(
                "a Constraint by matrix needs acceleration, force or torque coefficients and exactly one of "
                "at_least, equal; or give a rule such as 'body.normal >= 20'"
            )
        self.rules = tuple(rules(rule)) if isinstance(rule, str) else () if rule is None else (rule,)
        if not all(isinstance(item, Rule) for item in self.rules):
            hint = " (for an equality write q.equals(value) or text)" if isinstance(rule, bool) else ""
            raise TypeError(f"a rule is text or a comparison of quantities, not {type(rule).__name__}{hint}")
        self._blocks = blocks
        self._bound = at_least if equal is None else equal
        self._equality = equal is not None
        if not isinstance(name, str | None):
            raise TypeError(f"the name of a constraint is {shown(name)}; expected a text")
        self.name = name or (
            rule if isinstance(rule, str) else str(rule) if rule is not None else "constraint"
        )

    def __repr__(self) -> str:
        return f"Constraint({self.name!r})"

    def rows(self, snapshot: Snapshot) -> Rows:
        """The rows at one instant.

        Parameters
        ----------
        snapshot
            The instant; it has the names that the constraint uses.
        """
        n, t = snapshot.actuation.shape
        widths = (n, 2 * snapshot.contacts, t)
        if self.rules:
            parts = [rule.expression.row(snapshot) for rule in self.rules]
            P = np.array([np.concatenate(part[:3]) for part in parts])
            p = np.array([-part[3] for part in parts])
            equality = np.array([rule.sense == "=" for rule in self.rules])
        else:
            p = np.atleast_1d(real_array(self._bound, f"the bound of {self.name!r}"))
            P = np.hstack(
                [
                    self._block(block, len(p), width, what)
                    for block, width, what in zip(
                        self._blocks, widths, ("acceleration", "force", "torque"), strict=True
                    )
                ]
            )
            equality = np.full(len(p), self._equality)
        if not (np.all(np.abs(P) <= LARGEST) and np.all(np.abs(p) <= LARGEST)):
            raise ValueError(
                f"constraint {self.name!r} has coefficients that are not finite numbers up to {LARGEST:g}"
            )
        labels = (self.name,) if len(p) == 1 else tuple(f"{self.name} [{i + 1}]" for i in range(len(p)))
        return Rows(P, p, equality, labels)

    def _block(self, block: ArrayLike | None, rows: int, width: int, what: str) -> np.ndarray:
        if block is None:
            return np.zeros((rows, width))
        matrix = np.atleast_2d(real_array(block, f"{what} of {self.name!r}"))
        if matrix.shape != (rows, width):
            raise ValueError(
                f"constraint {self.name!r}: {what} has shape {matrix.shape}; expected {(rows, width)}"
            )
        return matrix


Demands = Constraint | Rule | str | Iterable[Constraint | Rule | str]
"""Constraints as they are given: one or several, each a `Constraint`, its text, or a comparison of quantities."""
TorqueLimits = ArrayLike | Mapping[str, ArrayLike] | Polytope | None
"""Limits of the inputs as they are given: pairs (lower, upper), some of them by name, a set, or None for the
snapshot's own."""


def stack(constraints: Demands, snapshot: Snapshot) -> Rows:
    """Rows of many constraints; each may be a `Constraint`, its text, or a comparison of quantities."""
    if isinstance(constraints, str | Constraint | Rule):
        constraints = (constraints,)
    if not isinstance(constraints, Iterable) or (
        isinstance(constraints, np.ndarray) and not constraints.ndim
    ):
        raise TypeError(
            f"found {shown(constraints)}; expected constraints: text, Constraint objects or comparisons of quantities"
        )
    n, t = snapshot.actuation.shape
    if isinstance(constraints, tuple | list) and not constraints:
        return Rows.none(n + 2 * snapshot.contacts + t)
    made = [item if isinstance(item, Constraint) else Constraint(item) for item in constraints]
    return Rows.stack([item.rows(snapshot) for item in made], n + 2 * snapshot.contacts + t)


def _by_name(limits: TorqueLimits, snapshot: Snapshot) -> Any:
    """Limits of some inputs by name as a box of all: the others keep their own. Anything else is handed on."""
    inputs = snapshot.names.inputs
    if not isinstance(limits, Mapping):
        return limits
    for name in limits:
        if name not in inputs:
            raise ValueError(
                f"torque_limits names the unknown input {name!r}{did_you_mean(str(name), inputs)} "
                f"(inputs: {', '.join(inputs) or 'none'})"
            )
    return [limits.get(name, own) for name, own in zip(inputs, snapshot.torque_limits, strict=True)]


def _box(limits: Any, inputs: tuple[str, ...]) -> np.ndarray:
    """(t, 2) bounds with `lower <= upper`, no lower bound of +inf and no upper one of -inf."""
    try:
        box = real_array(limits, "torque_limits", infinite=True)
    except ValueError:
        box = np.zeros(0)
    if box.size == 0 and not inputs:
        return np.zeros((0, 2))
    if box.shape != (len(inputs), 2) or not np.all(
        (box[:, 0] <= box[:, 1]) & (box[:, 0] < np.inf) & (box[:, 1] > -np.inf)
    ):
        pairs = "1 pair" if len(inputs) == 1 else f"{len(inputs)} pairs"
        raise ValueError(
            f"torque_limits is {shown(limits)}; expected {pairs} (lower, upper) with lower <= upper, one per input "
            f"({', '.join(inputs) or 'there is none'}), a dict of some by name, or a Polytope"
        )
    return box


def torque_rows(limits: TorqueLimits, snapshot: Snapshot) -> Rows:
    """Torque limits as rows: a box (t pairs; infinite where there is none), or a `Polytope`.

    None takes the snapshot's own limits (a model's box or speed-torque line at the present speed).
    """
    n, t = snapshot.actuation.shape
    names = snapshot.names
    assert names is not None
    lead = n + 2 * snapshot.contacts
    if isinstance(limits, Polytope):
        if limits.A.shape[1] != t:
            raise ValueError(
                f"torque_limits is a polytope in {limits.A.shape[1]} variables; expected {t} (the inputs)"
            )
        N = np.vstack([-limits.A, limits.C])
        p = np.concatenate([-limits.b, limits.d])
        equality = np.repeat([False, True], [len(limits.b), len(limits.d)])
        return Rows(
            np.hstack([np.zeros((len(p), lead)), N]),
            p,
            equality,
            tuple(f"torque limit [{i + 1}]" for i in range(len(p))),
        )
    box = snapshot.torque_limits if limits is None else _box(_by_name(limits, snapshot), names.inputs)
    # most callers have the same limits time and again: all but the bounds is kept
    bounded = np.isfinite(box).ravel()
    P, sign, labels = _box_rows(lead, names.inputs, tuple(bounded.tolist()))
    return Rows(P, sign * box.ravel()[bounded], np.zeros(len(sign), bool), labels)


@lru_cache(maxsize=64)
def _box_rows(
    lead: int, inputs: tuple[str, ...], bounded: tuple[bool, ...]
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Coefficients, signs and labels of the bounds of a box (lower and upper of each input) that are there."""
    places = [(i, side) for i in range(len(inputs)) for side in (0, 1) if bounded[2 * i + side]]
    sign = np.array([1.0 - 2.0 * side for _, side in places])
    P = np.zeros((len(places), lead + len(inputs)))
    P[np.arange(len(places)), [lead + i for i, _ in places]] = sign
    for array in (P, sign):
        array.setflags(write=False)
    return P, sign, tuple(f"{inputs[i]} {('lower', 'upper')[side]} limit" for i, side in places)
