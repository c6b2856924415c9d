"""`Model`: a planar mechanism ready to be evaluated, `q, v -> Snapshot`, with names for everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from modecontrol.dynamics.assembly import Plan, plan_of
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.dynamics.snapshot import Names, Snapshot
from modecontrol.dynamics.state import read_state
from modecontrol.dynamics.tree import Tree, tree_of

State = Any
"""A sequence with one number per coordinate, or a mapping from coordinate names to numbers (others zero)."""


class ContactPoints(NamedTuple):
    """Where each contact is: material point of the body nearest to its environment, frame and gap."""

    position: np.ndarray
    t: np.ndarray
    n: np.ndarray
    gap: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """`M(q) qdd + b(q, v) = S tau + J(q)^T f + G(q)^T lam` of a mechanism, by recursion over its tree.

    Parameters
    ----------
    mechanism
        The description; expressions in it are evaluated with `mechanism.parameters`.
    reload
        How to make the model again with changed parameters: called as `reload(**changes)`, returns a `Model`.
        A model that was read from a file has one, because some parameters change its structure (the number of
        links).

    Examples
    --------
    >>> model = Model(mechanism)                                            # doctest: +SKIP
    >>> model.snapshot({"alpha": 0.1}, {}).mass                             # doctest: +SKIP
    """

    mechanism: Mechanism
    reload: Callable[..., Model] | None = None

    def __post_init__(self) -> None:
        _ = self.tree  # complains now rather than at the first snapshot

    # What it is -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self.mechanism.name

    @cached_property
    def names(self) -> Names:
        """Names of coordinates, inputs, contacts and pins."""
        m = self.mechanism
        return Names(m.coordinates, tuple(i.name for i in m.inputs), tuple(c.name for c in m.contacts),
                     tuple(p.name for p in m.pins))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the generalised coordinates, in order."""
        return self.names.coordinates

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in order."""
        return self.names.inputs

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts, in the order of the letters of a mode."""
        return self.names.contacts

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
        return MappingProxyType(dict(self.mechanism.parameters))

    @cached_property
    def numbers(self) -> Mechanism:
        """The mechanism with every expression replaced by its value."""
        return self.mechanism.evaluated()

    @cached_property
    def tree(self) -> Tree:
        """Flat tables for the kernels."""
        return tree_of(self.numbers)

    @cached_property
    def plan(self) -> Plan:
        """Which bodies divide and conquer joins with which (`modecontrol/_kernels/divide_conquer.py`)."""
        return plan_of(self.tree, self.coordinates)

    @cached_property
    def start(self) -> np.ndarray:
        """A sensible configuration to look at first (n,)."""
        q = read_state(dict(self.numbers.start), self.coordinates, "start")
        q.setflags(write=False)
        return q

    @cached_property
    def start_velocity(self) -> np.ndarray:
        """The velocity that goes with `start` (n,)."""
        v = read_state(dict(self.numbers.start_velocity), self.coordinates, "start_velocity")
        v.setflags(write=False)
        return v

    @cached_property
    def equations(self):
        """The same equations in symbols (`modecontrol.dynamics.equations.Equations`)."""
        from modecontrol.dynamics.equations import equations_of

        return equations_of(self.mechanism)

    def with_parameters(self, **changes: float) -> Model:
        """The same mechanism with other parameters.

        Parameters
        ----------
        **changes
            New values by parameter name; the others stay.
        """
        for name in changes:
            if name not in self.mechanism.parameters:
                close = get_close_matches(name, self.mechanism.parameters, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"model {self.name!r} has no parameter {name!r}{hint} "
                                 f"(parameters: {', '.join(self.mechanism.parameters) or 'none'})")
        if self.reload is not None:
            return self.reload(**changes)
        values = MappingProxyType({**self.mechanism.parameters, **changes})
        return Model(replace(self.mechanism, parameters=values))

    # Numbers at one instant -----------------------------------------------------------------------

    @cached_property
    def _snapshot_arrays(self) -> Callable[..., tuple[np.ndarray, ...]]:
        from modecontrol._kernels.contacts import snapshot_arrays

        return snapshot_arrays

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        return self.tree.arrays

    def snapshot(self, q: State, v: State = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q
            Configuration: one number per coordinate, or a dict by coordinate name (others zero).
        v
            Velocity, likewise; None means at rest.
        """
        names = self.names
        q = read_state(q, names.coordinates, "q")
        v = np.zeros(len(q)) if v is None else read_state(v, names.coordinates, "v")
        M, b, J, d, xd, gap, G, e, _, limits = self._snapshot_arrays(*self._arrays, q, v)
        for array in (q, v, M, b, J, d, xd, gap, G, e, limits):
            array.setflags(write=False)
        tree = self.tree
        return Snapshot.trusted(mass=M, bias=b, actuation=tree.actuation, jacobian=J, drift=d,
                                friction=tree.friction, velocity=xd, gap=gap, names=names, loop_jacobian=G,
                                loop_drift=e, torque_limits=limits, q=q, v=v)

    def torque_limits(self, v: State) -> np.ndarray:
        """(t, 2): the box of each input, within `abs(tau) <= stall (1 - abs(v) / no_load)`, never below zero.

        Parameters
        ----------
        v
            Velocity; the speed of the first coordinate of each input counts.
        """
        from modecontrol._kernels.tree import torque_box

        limits = np.empty((len(self.inputs), 2))
        torque_box(self.tree.inputs_i, self.tree.inputs_f, read_state(v, self.coordinates, "v"), limits)
        return limits

    def kinetic_energy(self, q: State, v: State) -> float:
        """`T = sum (m v_c^2 + I w^2) / 2` over the bodies (J).

        Parameters
        ----------
        q, v
            State.
        """
        return self._energies(q, v)[0]

    def potential_energy(self, q: State) -> float:
        """`V = -sum m g.c + sum k (q - rest)^2 / 2`: gravity (zero at the world's origin) and springs (J).

        Parameters
        ----------
        q
            Configuration.
        """
        _, weight, spring = self._energies(q, np.zeros(len(self.coordinates)))
        return weight + spring

    def _energies(self, q: State, v: State) -> tuple[float, float, float]:
        from modecontrol._kernels.tree import energies

        return energies(self.tree.nodes_i, self.tree.nodes_f, self.tree.gravity,
                        read_state(q, self.coordinates, "q"), read_state(v, self.coordinates, "v"))

    # Where things are -----------------------------------------------------------------------------

    def frames(self, q: State) -> np.ndarray:
        """(bodies, 3): x, y and angle of each body's frame in the world, in the order of `mechanism.bodies`.

        Parameters
        ----------
        q
            Configuration.
        """
        from modecontrol._kernels.tree import poses

        pose = poses(self.tree.nodes_i, self.tree.nodes_f, read_state(q, self.coordinates, "q"))
        found = np.empty((len(self.tree.bodies), 3))
        for i, (node, x, y, angle) in enumerate(self.tree.bodies):
            ox, oy, _, _, c, s, theta = pose[node, :7] if node >= 0 else (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            found[i] = ox + c * x - s * y, oy + s * x + c * y, theta + angle
        return found

    def contact_points(self, q: State) -> ContactPoints:
        """World position of each contact's material point `c - r n`, tangents `t`, normals `n` (k, 2) and
        gaps (k,).

        Parameters
        ----------
        q
            Configuration.
        """
        from modecontrol._kernels.contacts import contact_points

        tree = self.tree
        found = contact_points(tree.nodes_i, tree.nodes_f, tree.contacts_i, tree.contacts_f,
                               read_state(q, self.coordinates, "q"))
        t = found[:, 2:4].copy()
        return ContactPoints(found[:, :2].copy(), t, np.column_stack((-t[:, 1], t[:, 0])), found[:, 4].copy())

    def loop_residual(self, q: State) -> np.ndarray:
        """`p_body - p_other` of each pin in world axes (2 per pin): zero where the loops are closed.

        Parameters
        ----------
        q
            Configuration.
        """
        q = read_state(q, self.coordinates, "q")
        return self._snapshot_arrays(*self._arrays, q, np.zeros(len(q)))[8]

    def settle(self, q: State, v: State, zero_normal: Iterable[str] = (), zero_tangential: Iterable[str] = ()
               ) -> np.ndarray:
        """`argmin (v' - v)^T W (v' - v)` with the chosen rows of `J v'`, and `G v'`, zero.

        A contact that a threshold treats as resting should really rest, or its `Jdot v` invents forces. The
        metric is kinetic energy, `W = M + 1e-6 diag(m r_i^2 + M_ii)`, with the total mass `m` and the speed `r_i`
        that a unit velocity of coordinate `i` gives the contacts: what has mass keeps its momentum as nearly
        as it can, massless links give way first, and the result does not depend on units. Redundant rows do
        no harm.

        Parameters
        ----------
        q, v
            State.
        zero_normal, zero_tangential
            Names of the contacts whose normal and tangential velocities shall vanish.
        """
        from modecontrol._kernels.instant import nearest_velocity

        snap = self.snapshot(q, v)
        rows = [2 * self._contact(name) + side for side, names in enumerate((zero_normal, zero_tangential))
                for name in ((names,) if isinstance(names, str) else names)]
        A = np.vstack((snap.jacobian[rows], snap.loop_jacobian))
        mass = self.tree.nodes_f[:, 5].sum()
        return nearest_velocity(snap.mass, snap.jacobian, A, np.asarray(snap.v), mass)

    def _contact(self, name: str) -> int:
        if name not in self.contacts:
            close = get_close_matches(str(name), self.contacts, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"model {self.name!r} has no contact {name!r}{hint} "
                             f"(contacts: {', '.join(self.contacts) or 'none'})")
        return self.contacts.index(name)

    # Representation -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return (f"Model({self.name!r}: coordinates {', '.join(self.coordinates) or 'none'}; "
                f"inputs {', '.join(self.inputs) or 'none'}; contacts {', '.join(self.contacts) or 'none'})")

    def _repr_html_(self) -> str:
        from html import escape

        rows = [("coordinates", ", ".join(self.coordinates)), ("inputs", ", ".join(self.inputs)),
                ("contacts", ", ".join(self.contacts)), ("pins", ", ".join(self.names.pins)),
                ("parameters", ", ".join(f"{k} = {v:g}" for k, v in self.parameters.items()))]
        left = "style='text-align:left'"
        body = "".join(f"<tr><th {left}>{escape(head)}</th><td {left}>{escape(text)}</td></tr>"
                       for head, text in rows if text)
        return f"<b>{escape(self.name)}</b> {escape(self.mechanism.about)}<table>{body}</table>"

    def __getstate__(self) -> dict[str, Any]:
        """For process pools: read-only mappings cannot be pickled, and caches need not be."""
        return {"reload": self.reload, "mechanism": _mappings(self.mechanism, dict)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        mechanism = _mappings(state["mechanism"], MappingProxyType)
        self.__dict__.update(reload=state["reload"], mechanism=mechanism)


def _mappings(mechanism: Mechanism, make: Callable[[Mapping], Any]) -> Mechanism:
    """The mechanism with `make(mapping)` for each of its mappings."""
    values = {f.name: getattr(mechanism, f.name) for f in fields(mechanism)}
    return replace(mechanism, **{name: make(value) for name, value in values.items()
                                 if isinstance(value, Mapping)})
