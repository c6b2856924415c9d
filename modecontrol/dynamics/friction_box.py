"""Friction that is known as intervals: a box of parameters, and what each contact may have.

    mu_i = base_i + sum_j slope_ij p_j,        low_j <= p_j <= high_j

Contacts that share a parameter share its value, so the box lives in the space of parameters, not in that of
contacts. The interval of one contact alone is exact; the product of the intervals is larger than the box of
shared values, and the smaller the box the closer the two: `halves` and `divided` cut along the parameters
that several contacts share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.expressions import Expression, meant
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.tolerances import LARGEST
from modecontrol.validation import as_numbers, shown


@dataclass(frozen=True, eq=False)
class FrictionBox:
    """Coefficients `base + slope p` of the contacts over a box of parameters `p`.

    Parameters
    ----------
    names
        Names of the parameters.
    low, high
        Their least and greatest values (p,).
    base, slope
        Coefficient of each contact (k,) at zero parameters, and what each parameter adds (k, p).
    """

    names: tuple[str, ...]
    low: np.ndarray
    high: np.ndarray
    base: np.ndarray
    slope: np.ndarray

    @staticmethod
    def of_contacts(interval: np.ndarray, contacts: tuple[str, ...]) -> FrictionBox:
        """Every contact with a coefficient of its own, in `interval` (2, k)."""
        return FrictionBox(contacts, interval[0], interval[1], np.zeros(len(contacts)), np.eye(len(contacts)))

    @cached_property
    def intervals(self) -> np.ndarray:
        """(2, k): least and greatest coefficient of each contact alone."""
        ends = self.slope * self.low, self.slope * self.high
        return np.array(
            [self.base + np.minimum(*ends).sum(axis=1), self.base + np.maximum(*ends).sum(axis=1)]
        )

    @property
    def middle(self) -> np.ndarray:
        """Coefficients (k,) in the middle of the box."""
        return self.at(0.5 * (self.low + self.high))

    def at(self, values: np.ndarray) -> np.ndarray:
        """Coefficients (k,) of the contacts at one point of the box."""
        return self.base + self.slope @ values

    @cached_property
    def shared(self) -> tuple[int, ...]:
        """Parameters that are not known exactly and that more than one contact feels."""
        felt = (np.abs(self.slope) > 0).sum(axis=0)
        return tuple(np.flatnonzero((felt > 1) & (self.high > self.low)))

    @property
    def is_exact(self) -> bool:
        """Whether every coefficient is known exactly."""
        return bool(np.all(self.low == self.high))

    def corners(self) -> list[np.ndarray]:
        """Values of the parameters at the corners of the box."""
        ends = [(a,) if a == b else (a, b) for a, b in zip(self.low, self.high, strict=True)]
        return [np.array(corner) for corner in product(*ends)]

    def within(self, scale: float) -> FrictionBox:
        """The box about the same middle with `scale` times the width."""
        centre, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        return replace(self, low=centre - scale * half, high=centre + scale * half)

    def divided(self, parts: int, everywhere: bool = False) -> list[FrictionBox]:
        """Boxes that cover this one, each shared (or every uncertain) parameter cut into `parts` equal
        intervals.
        """
        cut_up = set(np.flatnonzero(self.high > self.low)) if everywhere else set(self.shared)
        cuts = [
            np.linspace(self.low[j], self.high[j], parts + 1) if j in cut_up else (self.low[j], self.high[j])
            for j in range(len(self.names))
        ]
        pieces = [list(pairwise(cut)) for cut in cuts]
        return [
            replace(self, low=np.array([a for a, _ in chosen]), high=np.array([b for _, b in chosen]))
            for chosen in product(*pieces)
        ]

    def halves(self) -> list[FrictionBox]:
        """The box cut in two along its widest shared parameter; itself when there is none."""
        if not self.shared:
            return [self]
        widths = (self.high - self.low)[list(self.shared)]
        j = self.shared[int(np.argmax(widths))]
        cut = 0.5 * (self.low[j] + self.high[j])
        left, right = self.high.copy(), self.low.copy()
        left[j] = right[j] = cut
        return [replace(self, high=left), replace(self, low=right)]

    def contains(self, values: Iterable[float]) -> bool:
        """Whether a point of parameter space lies in the box."""
        values = np.asarray(list(values), float)
        return bool(np.all((values >= self.low) & (values <= self.high)))

    def __repr__(self) -> str:
        words = ", ".join(
            f"{name} {low:g} to {high:g}"
            for name, low, high in zip(self.names, self.low, self.high, strict=True)
        )
        return f"FrictionBox({words})"


def read_intervals(mechanism: Mechanism, intervals: Mapping[str, Any]) -> Mapping[str, tuple[float, float]]:
    """Check what a user says of uncertain parameters: names, pairs, and that they are friction and nothing
    else.
    """
    found = {}
    for name, pair in intervals.items():
        if name not in mechanism.parameters:
            raise ValueError(
                f"model {mechanism.name!r} has no parameter {name!r}{meant(name, mechanism.parameters)}; "
                f"expected one of {', '.join(mechanism.parameters) or 'none'}"
            )
        try:
            low, high = map(float, as_numbers(pair, f"uncertain {name}"))
        except (ValueError, TypeError):
            raise ValueError(
                f"uncertain {name} is {shown(pair)}; expected a pair (least, greatest)"
            ) from None
        if not 0.0 <= low <= high <= LARGEST:
            raise ValueError(
                f"uncertain {name} is ({low:g}, {high:g}); expected 0 <= least <= greatest, both finite"
            )
        found[name] = (float(low), float(high))
        _check_is_friction(mechanism, name, tuple(intervals))
    return found


def friction_box(mechanism: Mechanism, intervals: Mapping[str, tuple[float, float]]) -> FrictionBox:
    """The box of a mechanism whose contacts have coefficients affine in the uncertain parameters."""
    names = tuple(intervals)
    values = dict(mechanism.parameters)
    count = len(entries(mechanism))  # what is no contact of bodies has no coefficient
    base, slope = np.zeros(count), np.zeros((count, len(names)))
    for i, contact in enumerate(mechanism.contacts):
        base[i] = _value(contact.mu, {**values, **dict.fromkeys(names, 0.0)})
        for j, name in enumerate(names):
            unit = {**values, **dict.fromkeys(names, 0.0), name: 1.0}
            slope[i, j] = _value(contact.mu, unit) - base[i]
    low, high = (np.array([intervals[name][end] for name in names]) for end in (0, 1))
    return FrictionBox(names, low, high, base, slope)


def _value(scalar: Any, values: Mapping[str, float]) -> float:
    return scalar.evaluate(values) if isinstance(scalar, Expression) else float(scalar)


def _check_is_friction(mechanism: Mechanism, name: str, uncertain: tuple[str, ...]) -> None:
    """Corners and intervals are exact for coefficients of friction alone (`mu`, linear in the parameter)."""
    elsewhere = _users(mechanism, name)
    if elsewhere:
        raise ValueError(
            f"uncertain {name} is used by {elsewhere[0]}; expected a parameter that only coefficients of friction "
            "depend on (for masses, lengths and slopes give a list of scenarios)"
        )
    felt = [
        contact
        for contact in mechanism.contacts
        if isinstance(contact.mu, Expression) and name in contact.mu.names
    ]
    if not felt:
        raise ValueError(
            f"uncertain {name} is the friction of no contact; expected one of "
            f"{', '.join(sorted(_coefficients(mechanism))) or 'no parameter: no contact has one'}"
        )
    for contact in felt:
        assert isinstance(contact.mu, Expression)
        if not contact.mu.is_linear_in(uncertain):
            raise ValueError(
                f"uncertain {name} enters the friction of contact {contact.name!r} as {contact.mu}; "
                "expected a linear expression"
            )


def _coefficients(mechanism: Mechanism) -> set[str]:
    return {
        name
        for contact in mechanism.contacts
        if isinstance(contact.mu, Expression)
        for name in contact.mu.names
    }


def _users(mechanism: Mechanism, name: str) -> list[str]:
    """What feels a parameter besides coefficients of friction, in words."""
    found = []
    for kind in ("bodies", "inputs", "contacts", "pins", "closures", "springs", "pushes"):
        for thing in getattr(mechanism, kind):
            bare = replace(thing, mu=0.0) if kind == "contacts" else thing
            if name in _names(bare):
                found.append(f"{thing.name!r}")
    for kind in ("gravity", "start", "start_velocity"):
        if name in _names(getattr(mechanism, kind)):
            found.append(kind)
    return found


def _names(thing: Any) -> set[str]:
    if isinstance(thing, Expression):
        return set(thing.names)
    if isinstance(thing, Mapping):
        return set().union(*map(_names, thing.values())) if thing else set()
    if isinstance(thing, tuple | list):
        return set().union(*map(_names, thing)) if thing else set()
    if hasattr(thing, "__dataclass_fields__"):
        return set().union(*(_names(getattr(thing, name)) for name in thing.__dataclass_fields__))
    return set()
