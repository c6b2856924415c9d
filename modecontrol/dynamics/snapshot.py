"""One instant of a mechanism: the arrays from which all contact modes follow (read-only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.validation import as_tuple, as_vector, check_count, coefficients, real_array, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.friction_box import FrictionBox

KINDS = ("coordinates", "inputs", "contacts")


@dataclass(frozen=True)
class Names:
    """Names of coordinates, inputs, contacts and loop-closing pins, in order.

    Parameters
    ----------
    coordinates, inputs, contacts, pins
        Sequences of names; each may stand once in its sequence.
    input_units
        Unit of each input, for pictures; empty where they are not known.
    loop_rows
        Names of the loop-closing equations ("hinge.x"); empty where they are not known.
    """

    coordinates: tuple[str, ...]
    inputs: tuple[str, ...]
    contacts: tuple[str, ...]
    pins: tuple[str, ...] = ()
    input_units: tuple[str, ...] = ()
    loop_rows: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for f in fields(self):
            names = getattr(self, f.name)
            if isinstance(names, str):
                raise ValueError(f"names: {f.name} is the string {names!r}; expected a sequence of names")
            names = tuple(map(str, as_tuple(names, f"names: {f.name}", "names")))
            if f.name != "input_units" and len(set(names)) != len(names):
                raise ValueError(f"names: {f.name} {names} repeat; every name may stand once")
            object.__setattr__(self, f.name, names)

    @classmethod
    def default(cls, n: int, t: int, k: int, loops: int = 0) -> Names:
        """`q1.., tau1.., c1.., pin1..`.

        Parameters
        ----------
        n, t, k
            Numbers of coordinates, inputs and contacts.
        loops
            Number of pins.
        """
        return cls(
            *(
                tuple(f"{letter}{i + 1}" for i in range(check_count(count, f"the number of {letter}")))
                for letter, count in (("q", n), ("tau", t), ("c", k), ("pin", loops))
            )
        )


@dataclass(frozen=True, eq=False)
class Snapshot:
    """`M qdd + b = S tau + J^T f + G^T lam`, `xdd = J qdd + d`, `G qdd + e = 0`: theory of one instant.

    Parameters
    ----------
    mass
        `M` (n, n), symmetric and positive semidefinite; singular when links are massless.
    bias
        `b = C v + g` (n,): centrifugal, gravity, spring and damper forces moved to the left-hand side.
    actuation
        `S` (n, t): on which coordinates the inputs act.
    jacobian
        `J` (2k, n), rows normal first: `(n1, t1, n2, t2, ...)`.
    drift
        `d = Jdot v` (2k,).
    friction
        Coulomb coefficient of each contact (k,), or one number for all; or intervals `(lo, hi)`, two arrays
        (k,): then `friction` is the middle of each, and the analysis answers for every coefficient in the
        interval.
    velocity
        `xd = J v` (2k,): velocity of each contact point in its frame; or intervals `(lo, hi)`, two arrays (2k,):
        then `velocity` is the middle. Normal velocities have to be known; a tangential one of either sign leaves
        all letters, and its acceleration says nothing about them.
    gap
        Distance of each contact (k,); None means that all touch. A contact with an open gap can only
        separate.
    names
        `Names`, or a mapping or tuple with `coordinates`, `inputs`, `contacts`; default `q1.., tau1.., c1..`.
    loop_jacobian, loop_drift
        `G` (l, n) and `e = Gdot v` (l,): loop closures and other bilateral constraints.
    torque_limits
        (t, 2) box of the inputs at this instant; None means unlimited.
    q, v
        The state that the arrays belong to, where it is known.
    friction_interval
        (2, k): least and greatest coefficient of each contact, where they are known as intervals.
    friction_box
        Which contacts share an uncertain parameter; None where every contact has an interval of its own.
    velocity_interval
        (2, 2k): least and greatest contact velocities, where they are known as intervals.
    loop_opening
        (l,): how far the loops are open, the quantities whose rates are `G v`; None means closed.
    stiffness
        Stiffness of each contact (k,); None means that all are rigid. One that yields may be inside what it
        touches.
    source
        The model that made the snapshot, where it is known; it stays behind when a snapshot is pickled.
    """

    mass: np.ndarray
    bias: np.ndarray
    actuation: np.ndarray
    jacobian: np.ndarray
    drift: np.ndarray
    friction: np.ndarray
    velocity: np.ndarray
    # None is accepted and replaced on construction, so readers need not think of it
    gap: np.ndarray = None  # type: ignore[assignment]
    names: Names = None  # type: ignore[assignment]
    loop_jacobian: np.ndarray = None  # type: ignore[assignment]
    loop_drift: np.ndarray = None  # type: ignore[assignment]
    torque_limits: np.ndarray = None  # type: ignore[assignment]
    q: np.ndarray | None = field(default=None, repr=False)
    v: np.ndarray | None = field(default=None, repr=False)
    friction_interval: np.ndarray | None = field(default=None, repr=False)
    friction_box: FrictionBox | None = field(default=None, repr=False)
    velocity_interval: np.ndarray | None = field(default=None, repr=False)
    loop_opening: np.ndarray | None = field(default=None, repr=False)
    stiffness: np.ndarray | None = field(default=None, repr=False)
    source: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        M = _array("mass", self.mass, 2)
        n = M.shape[0]
        if M.shape != (n, n):
            raise ValueError(f"mass has shape {M.shape}; expected a square matrix")
        _check_mass(M)
        S = _array("actuation", self.actuation, 2)
        J = _array("jacobian", self.jacobian, 2)
        if J.shape[0] % 2:
            raise ValueError(
                f"jacobian has {J.shape[0]} rows; expected two per contact, normal first: n1, t1, n2, t2, ..."
            )
        k = J.shape[0] // 2
        mu = _numbers("friction", self.friction)
        interval = self.friction_interval
        if mu.ndim == 2:
            interval = mu
            mu = mu.mean(axis=0) if mu.shape == (2, k) else mu
        velocity, between = _velocity(self.velocity, self.velocity_interval, k)
        G = np.zeros((0, n)) if self.loop_jacobian is None else _array("loop_jacobian", self.loop_jacobian, 2)
        loops = G.shape[0]
        arrays = {
            "mass": M,
            "bias": _array("bias", self.bias, 1),
            "actuation": S,
            "jacobian": J,
            "drift": _array("drift", self.drift, 1),
            "friction": _array("friction", np.full(k, mu) if mu.ndim == 0 else mu, 1),
            "velocity": _array("velocity", velocity, 1),
            "gap": np.zeros(k) if self.gap is None else _array("gap", self.gap, 1),
            "loop_jacobian": G,
            "loop_drift": (
                np.zeros(loops) if self.loop_drift is None else _array("loop_drift", self.loop_drift, 1)
            ),
        }
        expected = {
            "bias": (n,),
            "actuation": (n, S.shape[1]),
            "jacobian": (2 * k, n),
            "drift": (2 * k,),
            "friction": (k,),
            "velocity": (2 * k,),
            "gap": (k,),
            "loop_jacobian": (loops, n),
            "loop_drift": (loops,),
        }
        for name, shape in expected.items():
            if arrays[name].shape != shape:
                raise ValueError(
                    f"{name} has shape {arrays[name].shape}; expected {shape} "
                    f"for {n} coordinates and {k} contacts"
                )
        names = _names(self.names, n, S.shape[1], k, loops // 2)
        if np.any(arrays["friction"] < 0):
            bad = int(np.argmin(arrays["friction"]))
            raise ValueError(
                f"friction of contact {names.contacts[bad]!r} is {arrays['friction'][bad]}; "
                "expected a coefficient >= 0"
            )
        if interval is not None:
            arrays["friction_interval"] = _interval(interval, arrays["friction"], names.contacts)
        if between is not None:
            arrays["velocity_interval"] = between
        arrays["torque_limits"] = _limits(self.torque_limits, S.shape[1])
        for optional in ("q", "v"):
            if getattr(self, optional) is not None:
                arrays[optional] = _array(optional, getattr(self, optional), 1)
        for optional, count in (("loop_opening", loops), ("stiffness", k)):
            if getattr(self, optional) is not None:
                arrays[optional] = _sized(optional, _numbers(optional, getattr(self, optional)), count)
        for name, value in arrays.items():
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "names", names)

    @classmethod
    def trusted(cls, **arrays: Any) -> Snapshot:
        """From arrays that are known to be sound (all fields given): no checks, for the control loop.

        Parameters
        ----------
        **arrays
            Every field by name.
        """
        self = object.__new__(cls)
        self.__dict__.update(arrays)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """For process pools: the arrays alone."""
        return {name: value for name, value in self.__dict__.items() if name != "source"}

    def with_friction(self, friction: FrictionBox | np.ndarray) -> Snapshot:
        """The same instant with other friction, without new checks.

        Parameters
        ----------
        friction
            A box of coefficients, or exact ones (k,).
        """
        changes: dict[str, Any]
        if not hasattr(friction, "intervals"):
            friction = as_vector(friction, self.names.contacts, "friction")
            if np.any(friction < 0):
                raise ValueError(f"friction is {friction.tolist()}; expected coefficients >= 0")
            changes = {"friction": friction, "friction_interval": None, "friction_box": None}
        else:
            low, high = friction.intervals
            changes = {
                "friction": np.clip(self.friction, low, high),
                "friction_interval": friction.intervals,
                "friction_box": friction,
            }
        return Snapshot.trusted(**{f.name: changes.get(f.name, getattr(self, f.name)) for f in fields(self)})

    @cached_property
    def uncertainty(self) -> FrictionBox | None:
        """What is known of friction, as a box of parameters; None when it is known exactly."""
        from modecontrol.dynamics.friction_box import FrictionBox

        if self.friction_box is not None:
            return self.friction_box
        if self.friction_interval is not None:
            return FrictionBox.of_contacts(self.friction_interval, self.names.contacts)
        return None

    @property
    def friction_low(self) -> np.ndarray:
        """Least coefficient of each contact."""
        return self.friction if self.friction_interval is None else self.friction_interval[0]

    @property
    def friction_high(self) -> np.ndarray:
        """Greatest coefficient of each contact."""
        return self.friction if self.friction_interval is None else self.friction_interval[1]

    @cached_property
    def contacts(self) -> int:
        """Number of contacts k."""
        return len(self.friction)

    def __repr__(self) -> str:
        n, t = self.actuation.shape
        return (
            f"Snapshot({n} coordinates, {t} inputs, {self.contacts} contacts: "
            f"{', '.join(self.names.contacts) or 'none'})"
        )


def check_snapshot(thing: object) -> None:
    """Refuse what is no snapshot: a model is the likely mistake.

    Parameters
    ----------
    thing
        What was given in place of a snapshot.
    """
    if not isinstance(thing, Snapshot):
        hint = (
            "model.snapshot(q, v) makes one"
            if hasattr(thing, "snapshot")
            else "model.snapshot(q, v) or Snapshot(...)"
        )
        raise TypeError(f"found {shown(thing)}; expected a Snapshot, one instant of a mechanism: {hint}")


def _numbers(name: str, value: ArrayLike) -> np.ndarray:
    return real_array(value, name, infinite=True)


def _array(name: str, value: ArrayLike, ndim: int) -> np.ndarray:
    return coefficients(value, name) if ndim == 2 else real_array(value, name, ndim)


def _interval(interval: ArrayLike, mu: np.ndarray, contacts: tuple[str, ...]) -> np.ndarray:
    """Intervals of friction, `0 <= lo <= mu <= hi` for every contact."""
    found = _array("friction_interval", interval, 2)
    if found.shape != (2, len(mu)):
        raise ValueError(
            f"friction_interval has shape {found.shape}; expected (2, {len(mu)}): least and greatest coefficients"
        )
    bad = ~((found[0] >= 0) & (found[0] <= mu) & (mu <= found[1]))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(
            f"friction of contact {contacts[i]!r} is {mu[i]} in [{found[0, i]}, {found[1, i]}]; "
            "expected 0 <= lo <= friction <= hi"
        )
    return found


def _velocity(velocity: Any, interval: Any, k: int) -> tuple[Any, np.ndarray | None]:
    """Contact velocities, and their intervals where they are known as such."""
    given = _numbers("velocity", velocity)
    if given.ndim == 2:
        interval = given
    if interval is None:
        return velocity, None
    between = _array("velocity", interval, 2)
    if between.shape != (2, 2 * k):
        raise ValueError(
            f"velocity has shape {between.shape}; expected {(2 * k,)}, or {(2, 2 * k)}: (lo, hi)"
        )
    if np.any(between[0] > between[1]):
        i = int(np.argmax(between[0] > between[1]))
        raise ValueError(f"velocity[{i}] lies in [{between[0, i]}, {between[1, i]}]; expected lo <= hi")
    if np.any(between[0, 0::2] != between[1, 0::2]):
        i = int(np.argmax(between[0, 0::2] != between[1, 0::2]))
        raise ValueError(
            f"velocity of contact {i + 1} along its normal lies in [{between[0, 2 * i]}, {between[1, 2 * i]}]; "
            "expected one number: only tangential velocities may be intervals"
        )
    return between.mean(axis=0), between


def _sized(name: str, array: np.ndarray, count: int) -> np.ndarray:
    if array.shape != (count,) or np.isnan(array).any():
        raise ValueError(f"{name} is {array.tolist()}; expected {count} numbers")
    return array


def _check_mass(M: np.ndarray) -> None:
    scale = np.abs(M).max(initial=0.0)
    asymmetry = np.abs(M - M.T)
    if asymmetry.max(initial=0.0) > tolerances.SYMMETRIC * scale:
        i, j = map(int, np.unravel_index(np.argmax(asymmetry), M.shape))
        raise ValueError(f"mass is not symmetric: mass[{i}, {j}] = {M[i, j]} but mass[{j}, {i}] = {M[j, i]}")
    if M.size:
        root = np.sqrt(np.abs(np.diag(M)))
        root[root == 0] = 1.0
        least = np.linalg.eigvalsh(M / np.outer(root, root))[0]
        if least < -tolerances.SYMMETRIC * len(M):
            raise ValueError(
                "mass is indefinite: scaled to a unit diagonal its least eigenvalue is "
                f"{least:.3g}; expected a positive semidefinite matrix"
            )


def _limits(given: Any, count: int) -> np.ndarray:
    """(t, 2) box of the inputs; None is unlimited."""
    limits = np.full((count, 2), (-np.inf, np.inf)) if given is None else _numbers("torque_limits", given)
    if limits.shape != (count, 2) or not np.all(
        (limits[:, 0] <= limits[:, 1]) & (limits[:, 0] < np.inf) & (limits[:, 1] > -np.inf)
    ):
        raise ValueError(
            f"torque_limits is {limits.tolist()}; expected {count} pairs (lower, upper), lower <= upper"
        )
    return limits


def _names(names: Any, n: int, t: int, k: int, pins: int) -> Names:
    default = Names.default(n, t, k, pins)
    if names is None:
        return default
    if not isinstance(names, Names):
        pairs = (
            names
            if isinstance(names, Mapping)
            else zip(KINDS, as_tuple(names, "names", "names"), strict=False)
        )
        given = dict(pairs)
        unknown = set(given) - {f.name for f in fields(Names)}
        if unknown:
            raise ValueError(
                f"names has unknown keys {sorted(map(str, unknown))}; expected {', '.join(KINDS)}"
            )
        names = Names(**{f.name: given.get(f.name, getattr(default, f.name)) for f in fields(Names)})
    for kind, count in zip(KINDS, (n, t, k), strict=True):
        found = getattr(names, kind)
        if len(found) != count:
            raise ValueError(f"names.{kind} has {len(found)} entries {found}; expected {count}")
    return names
