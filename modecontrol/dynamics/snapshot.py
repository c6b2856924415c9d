"""One instant of a mechanism: the arrays from which all contact modes follow (read-only)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.names import Names, read_names
from modecontrol.dynamics.snapshot_checks import (
    array,
    check_mass,
    contact_velocity,
    friction_interval,
    input_limits,
    numbers,
    sized,
)
from modecontrol.validation import as_vector, check_number, counted, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.contact_laws import ContactLaws
    from modecontrol.dynamics.friction_box import FrictionBox


@dataclass(frozen=True, eq=False)
class Snapshot:
    """`M qdd + b = S tau + J^T f + G^T lam`, `xdd = J qdd + d`, `G qdd + e = 0`: theory of one instant.

    Parameters
    ----------
    mass
        `M` (n, n), symmetric and positive semidefinite; singular when links are massless.
    bias
        `b = C v + g - Q` (n,): centrifugal, gravity, spring, damper and drag forces moved to the left-hand side.
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
    laws
        What is not Coulomb's law alone: stops, cables, dry and prescribed joints, adhesion, static friction, claws
        (`ContactLaws`); None means that all contacts have Coulomb's.
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
    laws: ContactLaws | None = field(default=None, repr=False)
    source: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        M = array("mass", self.mass, 2)
        n = M.shape[0]
        if M.shape != (n, n):
            raise ValueError(f"mass has shape {M.shape}; expected a square matrix")
        check_mass(M)
        S = array("actuation", self.actuation, 2)
        J = array("jacobian", self.jacobian, 2)
        if J.shape[0] % 2:
            raise ValueError(
                f"jacobian has {counted(J.shape[0], 'row')}; expected two per contact, normal first: n1, t1, n2, t2, ..."
            )
        k = J.shape[0] // 2
        mu = numbers("friction", self.friction)
        interval = self.friction_interval
        if mu.ndim == 2:
            interval = mu
            mu = mu.mean(axis=0) if mu.shape == (2, k) else mu
        velocity, between = contact_velocity(self.velocity, self.velocity_interval, k)
        G = np.zeros((0, n)) if self.loop_jacobian is None else array("loop_jacobian", self.loop_jacobian, 2)
        loops = G.shape[0]
        arrays = {
            "mass": M,
            "bias": array("bias", self.bias, 1),
            "actuation": S,
            "jacobian": J,
            "drift": array("drift", self.drift, 1),
            "friction": array("friction", np.full(k, mu) if mu.ndim == 0 else mu, 1),
            "velocity": array("velocity", velocity, 1),
            "gap": np.zeros(k) if self.gap is None else array("gap", self.gap, 1),
            "loop_jacobian": G,
            "loop_drift": (
                np.zeros(loops) if self.loop_drift is None else array("loop_drift", self.loop_drift, 1)
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
                    f"for {counted(n, 'coordinate')} and {counted(k, 'contact')}"
                )
        names = read_names(self.names, n, S.shape[1], k, loops // 2)
        if np.any(arrays["friction"] < 0):
            bad = int(np.argmin(arrays["friction"]))
            raise ValueError(
                f"friction of contact {names.contacts[bad]!r} is {arrays['friction'][bad]}; "
                "expected a coefficient >= 0"
            )
        if interval is not None:
            arrays["friction_interval"] = friction_interval(interval, arrays["friction"], names.contacts)
        if between is not None:
            arrays["velocity_interval"] = between
        arrays["torque_limits"] = input_limits(self.torque_limits, S.shape[1])
        for optional in ("q", "v"):
            if getattr(self, optional) is not None:
                arrays[optional] = array(optional, getattr(self, optional), 1)
        for optional, count in (("loop_opening", loops), ("stiffness", k)):
            if getattr(self, optional) is not None:
                arrays[optional] = sized(optional, numbers(optional, getattr(self, optional)), count)
        if self.laws is not None and not hasattr(self.laws, "kind"):
            raise ValueError(
                f"laws is {shown(self.laws)}; expected ContactLaws, such as ContactLaws.of({k}, pull=5.0)"
            )
        if self.laws is not None and len(self.laws.kind) != k:
            raise ValueError(f"laws are those of {counted(len(self.laws.kind), 'contact')}; expected {k}")
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

    def driven(self, **accelerations: float) -> Snapshot:
        """The same instant with other accelerations of its prescribed joints; those not named stay as they are, at first zero.

        Parameters
        ----------
        **accelerations
            By coordinate name.
        """
        drift = self.drift.copy()
        for name, value in accelerations.items():
            entry = f"{name}.drive"
            if entry not in self.names.contacts:
                known = [
                    other.removesuffix(".drive") for other in self.names.contacts if other.endswith(".drive")
                ]
                raise ValueError(
                    f"{name!r} is no prescribed joint; expected one of {', '.join(known) or 'none: this mechanism has none'}"
                )
            drift[2 * self.names.contacts.index(entry) + 1] = -check_number(value, f"acceleration of {name}")
        drift.setflags(write=False)
        return Snapshot.trusted(**{**{f.name: getattr(self, f.name) for f in fields(self)}, "drift": drift})

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
            f"Snapshot({counted(n, 'coordinate')}, {counted(t, 'input')}, {counted(self.contacts, 'contact')}: "
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
