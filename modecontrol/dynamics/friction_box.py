"""Friction that is known as intervals: a box of parameters, and what each contact may have.

    mu_i = base_i + sum_j slope_ij p_j,        low_j <= p_j <= high_j

Contacts that share a parameter share its value, so the box lives in the space of parameters, not in that of
contacts. The interval of one contact alone is exact; the product of the intervals is larger than the box of
shared values, and the smaller the box the closer the two: `halves` and `divided` cut along the parameters
that several contacts share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.validation import as_numbers, meant, shown

TELLS_NOTHING = frozenset({"name", "parameters", "within", "groups", "about", "source"})
"""Fields of a `Mechanism` in which no quantity of it stands."""


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
        least, most = np.minimum(*ends).sum(axis=1), np.maximum(*ends).sum(axis=1)
        return np.maximum([self.base + least, self.base + most], 0.0)

    @property
    def middle(self) -> np.ndarray:
        """Coefficients (k,) in the middle of the box."""
        return self.at(0.5 * (self.low + self.high))

    def at(self, values: np.ndarray) -> np.ndarray:
        """Coefficients (k,) of the contacts at one point of the box; none is below zero."""
        return np.maximum(self.base + self.slope @ values, 0.0)

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
        if not 0.0 <= low <= high <= tolerances.LARGEST:
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
    least = base + np.minimum(slope * low, slope * high).sum(axis=1)
    size = np.abs(base) + np.abs(slope) @ high
    for contact, coefficient, whole in zip(mechanism.contacts, least, size, strict=False):
        if coefficient < -tolerances.CANCELLED * whole:
            raise ValueError(
                f"uncertain {', '.join(names)} lets the friction of contact {contact.name!r} ({contact.mu}) fall to "
                f"{coefficient:g}; expected intervals that keep it >= 0"
            )
    return FrictionBox(names, low, high, base, slope)


def check_alone(mechanism: Mechanism, moved: Mechanism, name: str) -> None:
    """A parameter decides nothing before expressions are evaluated: no other parameter, no number in braces.

    Parameters
    ----------
    mechanism, moved
        As read with two values of the parameter.
    name
        The parameter.
    """
    others = [
        other
        for other, value in moved.parameters.items()
        if other != name and value != mechanism.parameters[other] and _is_used(mechanism, other)
    ]
    if others:
        raise ValueError(
            f"uncertain {name} decides the parameter {others[0]!r}; expected a parameter that stands in coefficients of friction "
            f"themselves: write {others[0]!r} out there"
        )
    if replace(moved, parameters=mechanism.parameters, within=mechanism.within) != mechanism:
        raise ValueError(
            f"uncertain {name} decides how many entries there are, or stands in braces; expected a parameter that only "
            "coefficients of friction depend on"
        )


def another(mechanism: Mechanism, name: str, pair: tuple[float, float]) -> float | None:
    """A value in an interval that is not the present one of the parameter; None when there is none.

    Parameters
    ----------
    mechanism
        With the present values.
    name
        The parameter.
    pair
        Its interval.
    """
    return next((value for value in pair if value != mechanism.parameters[name]), None)


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
    for part in fields(mechanism):
        things = getattr(mechanism, part.name)
        if part.name in TELLS_NOTHING:
            continue
        if not isinstance(things, tuple) or not all(hasattr(thing, "name") for thing in things):
            found += [part.name.replace("_", " ")] if name in _names(things) else []
            continue
        bare = [replace(thing, mu=0.0) for thing in things] if part.name == "contacts" else things
        found += [f"{thing.name!r}" for thing in bare if name in _names(thing)]
    return found


def _is_used(mechanism: Mechanism, name: str) -> bool:
    """Whether anything feels a parameter."""
    return name in _coefficients(mechanism) or bool(_users(mechanism, name))


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
