"""Mechanism -> `Tree`: tables of numbers for the compiled core, one node per degree of freedom, welds merged."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.contact_laws import ContactLaws
from modecontrol.dynamics.contact_tables import CONTACT, contact_row, entry_row
from modecontrol.dynamics.coupling_tables import (
    CLOSURE,
    PUSH,
    SPRING,
    closure_row,
    pin_row,
    push_row,
    spring_row,
)
from modecontrol.dynamics.drag import drag_table
from modecontrol.dynamics.mechanism import WORLD, Mechanism
from modecontrol.dynamics.node_tables import NODE, hang, load
from modecontrol.dynamics.places import Place, Places, find, table
from modecontrol.dynamics.shape_tables import ShapeCollector, ShapeTables

if TYPE_CHECKING:
    from modecontrol._core.compiled import dynamics as core

INPUT = np.dtype(
    [("coordinate", np.int64), ("lower", float), ("upper", float), ("stall", float), ("no_load", float)]
)


@dataclass(frozen=True, eq=False)
class Tree:
    """The numbers of a mechanism as read-only tables.

    Parameters
    ----------
    nodes
        One row per degree of freedom (columns of `NODE`).
    contacts
        One row per contact (`CONTACT`).
    closures
        One row per loop closure, pins first (`CLOSURE`).
    inputs
        One row per input (`INPUT`).
    gravity
        Acceleration of gravity (2,).
    actuation
        `S` (n, t).
    springs
        One row per spring between bodies (`SPRING`).
    pushes
        One row per push (`PUSH`).
    drags
        One row per drag of a body (`DRAG`).
    wind
        Velocity of the medium (2,).
    shapes
        Shapes of contacts, and terrain.
    bodies
        `(node, x, y, angle)` of each body's frame in the frame of its node; node -1 is the world.
    """

    nodes: np.ndarray
    contacts: np.ndarray
    closures: np.ndarray
    inputs: np.ndarray
    gravity: np.ndarray
    actuation: np.ndarray
    springs: np.ndarray
    pushes: np.ndarray
    drags: np.ndarray
    wind: np.ndarray
    shapes: ShapeTables
    bodies: tuple[Place, ...] = field(repr=False, default=())

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                for column in value.dtype.names or (None,):
                    numbers = value if column is None else value[column]
                    if numbers.dtype == np.float64 and np.isnan(numbers).any():
                        where = name if column is None else f"{column} of {name}"
                        place = np.argwhere(np.isnan(numbers))[0].tolist()
                        raise ValueError(f"the mechanism's {where} is NaN at {place}; expected numbers")
                value.setflags(write=False)

    @cached_property
    def core(self) -> core.Mechanism:
        """The same numbers in the compiled core."""
        return self.core_with(self.closures)

    def core_with(self, closures: np.ndarray) -> Any:
        """The same numbers in the compiled core, with other loop closures.

        Parameters
        ----------
        closures
            A table with the columns of `CLOSURE`.
        """
        from modecontrol._core import dynamics

        return dynamics.Mechanism(
            self.nodes,
            self.contacts,
            closures,
            self.inputs,
            self.gravity,
            self.springs,
            self.pushes,
            *self.shapes.all,
            self.drags,
            self.wind,
        )

    @cached_property
    def friction(self) -> np.ndarray:
        """Coulomb coefficient of each contact (k,)."""
        return self._of_contacts("friction")

    @cached_property
    def laws(self) -> ContactLaws | None:
        """What is not Coulomb's law alone; None where everything is."""
        c = self.contacts
        special = (c["entry"], c["pull"], c["way"], c["speed"], c["hold"] > c["friction"])
        if not any(column.any() for column in special):
            return None
        entry = c["entry"]
        kind = np.select(
            [entry == 0, (entry == 2) | (entry == 3), entry == 4, entry == 6], [0, 1, 2, 4], default=3
        )
        return ContactLaws(kind, c["hold"], c["pull"], c["way"], c["least"], c["most"], c["host"])

    @cached_property
    def restitution(self) -> np.ndarray:
        """Coefficient of restitution of each contact (k,)."""
        return self._of_contacts("restitution")

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Stiffness of each contact (k,), infinite for a rigid one."""
        return self._of_contacts("stiffness")

    @cached_property
    def damping(self) -> np.ndarray:
        """Damping of each contact (k,)."""
        return self._of_contacts("damping")

    def _of_contacts(self, name: str) -> np.ndarray:
        column = self.contacts[name].copy()
        column.setflags(write=False)
        return column


def tree_of(mechanism: Mechanism) -> Tree:
    """Flatten an evaluated mechanism (parents before children).

    Parameters
    ----------
    mechanism
        From `Mechanism.evaluated()`: every entry a number.
    """
    nodes: list[dict[str, Any]] = []
    places: Places = {WORLD: (-1, 0.0, 0.0, 0.0)}
    for body in mechanism.bodies:
        if body.parent not in places:
            raise ValueError(f"body {body.name!r} hangs on {body.parent!r}, which does not stand before it")
        places[body.name] = hang(body, places[body.parent], nodes)
        load(body, places[body.name], nodes)
    coordinates = {name: i for i, name in enumerate(mechanism.coordinates)}
    actuation = np.zeros((len(coordinates), len(mechanism.inputs)))
    for column, item in enumerate(mechanism.inputs):
        for name, gain in zip(item.coordinates, item.gains, strict=True):
            actuation[find(coordinates, name, f"input {item.name!r}"), column] += gain
    collected = ShapeCollector(places, {ground.name: i for i, ground in enumerate(mechanism.terrains)})
    hosts = {contact.name: i for i, contact in enumerate(mechanism.contacts)}
    contacts = [
        {**contact_row(each.part, places), **collected.columns(each.part)}
        if each.kind == "contact"
        else entry_row(each, places, coordinates, hosts)
        for each in entries(mechanism)
    ]
    return Tree(
        nodes=table(NODE, nodes),
        contacts=table(CONTACT, contacts),
        closures=table(
            CLOSURE,
            [pin_row(p, places) for p in mechanism.pins]
            + [closure_row(c, places, coordinates) for c in mechanism.closures],
        ),
        inputs=table(
            INPUT,
            [
                {
                    "coordinate": coordinates[i.coordinates[0]],
                    "lower": i.lower,
                    "upper": i.upper,
                    "stall": i.stall,
                    "no_load": i.no_load,
                }
                for i in mechanism.inputs
            ],
        ),
        gravity=np.array(mechanism.gravity, dtype=float),
        actuation=actuation,
        springs=table(SPRING, [spring_row(s, places) for s in mechanism.springs]),
        pushes=table(PUSH, [push_row(p, places) for p in mechanism.pushes]),
        drags=drag_table(mechanism, places),
        wind=np.array(mechanism.wind, dtype=float),
        shapes=collected.tables(mechanism),
        bodies=tuple(places[body.name] for body in mechanism.bodies),
    )
