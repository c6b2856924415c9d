"""States that can be: nothing inside anything else, loops closed and staying closed; and the nearest one that
can.

| asked of the state                                 | unless                               |
|----------------------------------------------------|--------------------------------------|
| `gap >= 0` of every rigid contact                  | the contact has a finite stiffness   |
| openings of the loops `= 0`                        |                                      |
| rates of the loops `G v = 0`                       | the velocity is not known            |

Snapshots may be taken anywhere; `dynamic_response`, `kinematic_modes` and `simulate` ask here before they
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.contact_entries import CONTACT, kind_of, too_deep
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.state import check_number, read_state
from modecontrol.errors import ImpossibleStateError
from modecontrol.validation import check_texts, did_you_mean

STEPS = 60
"""Newton steps towards a state that fits."""
HALVINGS = 12
"""How often a Newton step that makes matters worse is halved."""


class Settled(NamedTuple):
    """A state that fits."""

    q: np.ndarray
    """Configuration (n,)."""
    v: np.ndarray
    """Velocity (n,)."""


@dataclass(frozen=True)
class Misfit:
    """By how much a state is impossible; false when it is not.

    Attributes
    ----------
    contacts
        How deep rigid contacts are inside what they touch, by name (m).
    loops
        How far loops are open, by name (m).
    rates
        How quickly loops open, by name (m/s).
    kinds
        What those of the first are: contact, stop or cable.
    """

    contacts: dict[str, float]
    loops: dict[str, float]
    rates: dict[str, float]
    kinds: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.contacts or self.loops or self.rates)

    def __str__(self) -> str:
        said = [
            too_deep(name, self.kinds.get(name, CONTACT), f"{depth:.4g}")
            for name, depth in self.contacts.items()
        ]
        said += [f"loop {name!r} is open by {far:.4g} m" for name, far in self.loops.items()]
        said += [f"loop {name!r} opens at {rate:.4g} m/s" for name, rate in self.rates.items()]
        return ", ".join(said)


def misfit(snapshot: Snapshot, allowed: float = tolerances.MISFIT) -> Misfit:
    """What of a state is impossible, the worst first.

    Parameters
    ----------
    snapshot
        The state.
    allowed
        Depths and openings (m) and rates (m/s) up to this are rounding; so are rates up to the part
        `tolerances.LOOP_RATE` of the speeds of which they are sums.
    """
    G, loops = snapshot.loop_jacobian, _loop_names(snapshot)
    v = np.zeros(G.shape[1]) if snapshot.v is None else snapshot.v
    speeds = np.abs(G) @ np.abs(v)
    deep = _worst(snapshot.names.contacts, _depth(snapshot), allowed)
    return Misfit(
        deep,
        _worst(loops, _opening(snapshot), allowed),
        _worst(loops, G @ v, np.maximum(allowed, tolerances.LOOP_RATE * speeds)),
        {
            name: kind_of(name, snapshot.laws, i)
            for i, name in enumerate(snapshot.names.contacts if deep else ())
            if name in deep
        },
    )


def check_state(snapshot: Snapshot, check: bool | float = True, allowed: float = tolerances.MISFIT) -> None:
    """Refuse an impossible state, saying how far off it is.

    Parameters
    ----------
    snapshot
        The state.
    check
        True allows what `allowed` says, a number (m and m/s) that much, False anything.
    allowed
        As in `misfit`.

    Raises
    ------
    ImpossibleStateError
        With the amounts by name.
    """
    if check is False:
        return
    if check is not True:
        check_number("check_state", check, "True, False, or how far a state may be off (m)")
        if not check >= 0:
            raise ValueError(
                f"check_state is {check!r}; expected True, False, or how far a state may be off (m)"
            )
        allowed = float(check)
    found = misfit(snapshot, allowed)
    if found:
        raise ImpossibleStateError(
            f"this state cannot be: {found}; model.settle(q, v) gives the nearest that can, "
            "check_state=False goes on regardless",
            found,
        )


def nearest_state(model: Any, q: Any, v: Any = None, closed: Iterable[str] = ()) -> Settled:
    """The state that fits, by Newton steps that are each the least change in the metric of kinetic energy.

    A contact that is inside what it touches ends up touching it, at a velocity that does not approach.

    Parameters
    ----------
    model
        A `PlanarModel`.
    q, v
        The state to begin with; None for `v` means at rest.
    closed
        Names of contacts that shall touch (gap and normal velocity zero) in any case.

    Raises
    ------
    ImpossibleStateError
        No such state was found.
    """
    q = read_state(q, model.coordinates, "q")
    v = np.zeros(len(q)) if v is None else read_state(v, model.coordinates, "v")
    held = np.zeros(len(model.contacts), dtype=bool)
    for name in check_texts(closed, "closed"):
        if name not in model.contacts:
            raise ValueError(
                f"closed names the unknown contact {name!r}{did_you_mean(name, model.contacts)} "
                f"(contacts: {', '.join(model.contacts) or 'none'})"
            )
        held[model.contacts.index(name)] = True
    return Settled(q := _placed(model, q, held.copy()), _slowed(model, q, v, held))


def _placed(model: Any, q: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """The nearest configuration at which nothing is inside, the gaps of closed contacts are zero and loops
    closed.
    """
    # what has no mass moves first; where that leads nowhere (a leg cannot lift a body), it resists as if it
    # had
    for heavier in (1.0, 1.0 / tolerances.LIGHT):
        snap, held = _newton(model, model.snapshot(q), closed, heavier)
        if _missed(snap, held) <= tolerances.TOUCH:
            return np.array(snap.q)
    found = misfit(snap, tolerances.TOUCH)
    apart = [
        f"contact {name!r} is {gap:.4g} m apart"
        for name, gap, hold in zip(model.contacts, snap.gap, closed, strict=True)
        if hold and gap > tolerances.TOUCH
    ]
    raise ImpossibleStateError(
        "no state that fits was found near this one: where the Newton steps end "
        f"{', '.join([str(found)] * bool(found) + apart)}; begin elsewhere, or check the lengths",
        found,
    )


def _newton(model: Any, snap: Snapshot, closed: np.ndarray, heavier: float) -> tuple[Snapshot, np.ndarray]:
    """Where the steps end, and the contacts whose gaps should be zero there."""
    held = closed
    for _ in range(STEPS):
        inside = closed | (_depth(snap) > tolerances.TOUCH)
        held = held | inside
        missed = _missed(snap, held)
        if missed <= tolerances.SETTLED:
            break
        rows = np.flatnonzero(held)
        A = np.vstack((snap.jacobian[2 * rows], snap.loop_jacobian))
        step = _nearest(model, snap, A, -np.concatenate((snap.gap[rows], _opening(snap))), heavier=heavier)
        trials = (model.snapshot(np.asarray(snap.q) + step * 0.5**halving) for halving in range(HALVINGS))
        better = next((trial for trial in trials if _missed(trial, held) < missed), None)
        if better is not None:
            snap = better
        elif (held != inside).any():  # contacts that were inside before may leave
            held = inside
        else:  # rounding, or nowhere to go
            break
    return snap, held


def _slowed(model: Any, q: np.ndarray, v: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The nearest velocity at which loops stay closed, held contacts neither approach nor leave and others do
    not approach.
    """
    snap = model.snapshot(q, v)
    touching, G = snap.gap <= tolerances.GAP, snap.loop_jacobian
    moving = np.abs(np.concatenate((snap.velocity[0::2][held], G @ v))).max(initial=0.0) > tolerances.VELOCITY
    settled = v
    while True:
        approaching = touching & ~held & (snap.velocity[0::2] < -tolerances.VELOCITY)
        if not moving and not approaching.any():
            return settled
        moving, held = False, held | approaching
        A = np.vstack((snap.jacobian[2 * np.flatnonzero(held)], G))
        settled = _nearest(model, snap, A, np.zeros(len(A)), v)
        snap = model.snapshot(q, settled)


def _nearest(
    model: Any,
    snap: Snapshot,
    A: np.ndarray,
    right: np.ndarray,
    v: np.ndarray | None = None,
    heavier: float = 1.0,
) -> np.ndarray:
    """The nearest to `v` (zero) with `A v = right`."""
    from modecontrol._core import dynamics as core

    v = np.zeros(len(snap.mass)) if v is None else v
    return core.nearest_velocity(snap.mass, snap.jacobian, A, v, right, heavier * model.mass_scale(snap))


def _missed(snap: Snapshot, held: np.ndarray) -> float:
    """The worst gap that should be zero, or depth, or opening (m)."""
    gaps = np.where(held, np.abs(snap.gap), np.where(_depth(snap) > tolerances.TOUCH, -snap.gap, 0.0))
    return float(max(gaps.max(initial=0.0), np.abs(_opening(snap)).max(initial=0.0)))


def _opening(snap: Snapshot) -> np.ndarray:
    return np.zeros(len(snap.loop_drift)) if snap.loop_opening is None else snap.loop_opening


def _depth(snap: Snapshot) -> np.ndarray:
    """How deep each rigid contact is inside what it touches."""
    rigid = True if snap.stiffness is None else np.isinf(snap.stiffness)
    return np.where(rigid, np.maximum(-snap.gap, 0.0), 0.0)


def _loop_names(snapshot: Snapshot) -> tuple[str, ...]:
    """A name for each row: that of its closure, two rows making a pin where nothing else is known."""
    pins, rows = snapshot.names.pins, len(snapshot.loop_drift)
    if len(snapshot.names.loop_rows) == rows:
        return tuple(name.partition(".")[0] for name in snapshot.names.loop_rows)
    return tuple(pins[i // 2] if 2 * len(pins) == rows else f"loop{i + 1}" for i in range(rows))


def _worst(names: tuple[str, ...], amounts: np.ndarray, allowed: np.ndarray | float) -> dict[str, float]:
    """Amounts beyond what is allowed by name, rows of the same name together, the worst first."""
    sizes: dict[str, float] = {}
    for name, amount in zip(names, np.where(np.abs(amounts) > allowed, amounts, 0.0).tolist(), strict=True):
        if amount:
            sizes[name] = float(np.hypot(sizes.get(name, 0.0), amount))
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))
