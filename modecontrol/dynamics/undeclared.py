"""Bodies that pass through each other because no contact between them was declared.

Watched are pairs of bodies of one layer, and bodies and terrain, with convex outlines, that no joint connects, between which no
contact is declared, and which are apart at the start: outlines that overlap there were drawn so.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.mechanism import WORLD, Contact, Mechanism
from modecontrol.dynamics.polygons import why_not_convex
from modecontrol.dynamics.shapes import beside, joined
from modecontrol.dynamics.tree import Tree, tree_of

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

MOST_PAIRS = 400
"""Mechanisms with more pairs are not watched: they are chains and piles, where it would take longer than the rest."""
LOOKS = 200
"""Configurations of a motion that are looked at at most, evenly spread."""
STRIDE = 50
"""Steps of a simulation from one look to the next, at least: what is looked at costs next to nothing then."""


class Passage(NamedTuple):
    """Two sides that nobody declared a contact between, and where one is first seen inside the other."""

    first: str
    second: str
    row: int


class Watch(NamedTuple):
    """The pairs of a mechanism that are watched, and a tree that has a contact for each."""

    pairs: tuple[tuple[str, str], ...]
    tree: Tree | None
    least: np.ndarray


def watch(model: Model) -> Watch:
    """Which pairs to watch; none where all is declared.

    Parameters
    ----------
    model
        The model; its start says which outlines are apart.
    """
    from modecontrol._core import dynamics as core

    numbers = model.numbers
    pairs = _pairs(numbers)
    if not pairs or len(pairs) > MOST_PAIRS:
        return Watch((), None, np.zeros(0))
    bodies = {body.name: body for body in numbers.bodies}
    contacts = tuple(
        Contact(
            name=f"pair{i}",
            kind="polygon",
            body=a,
            shape=bodies[a].outline,
            other=b if b in bodies else WORLD,
            other_shape=bodies[b].outline if b in bodies else (),
            terrain="" if b in bodies else b,
        )
        for i, (a, b) in enumerate(pairs)
    )
    tree = tree_of(replace(numbers, contacts=contacts))
    gap = core.gaps_along(tree.core, np.atleast_2d(model.start))[
        0, : len(pairs)
    ]  # stops of joints stand behind
    if not np.any(gap > 0):
        return Watch((), None, np.zeros(0))
    size = {name: _size(body.outline) for name, body in bodies.items() if body.outline}
    width = np.array([min(size.get(a, np.inf), size.get(b, np.inf)) for a, b in pairs])
    return Watch(tuple(pairs), tree, np.where(gap > 0, -tolerances.PASSED * width, -np.inf))


def passages(watched: Watch, Q: np.ndarray, stride: int | None = None) -> tuple[Passage, ...]:
    """Pairs that are inside each other along a motion, with the first row in which they are seen to be.

    Parameters
    ----------
    watched
        What `watch` returned.
    Q
        Configurations (m, n).
    stride
        Rows from one look to the next; None looks at up to `LOOKS` rows. The last row is always looked at.
    """
    if watched.tree is None or not len(Q):
        return ()
    from modecontrol._core import dynamics as core

    found = core.first_inside(watched.tree.core, Q, stride or -(-len(Q) // LOOKS), watched.least)
    if found.max() < 0:
        return ()
    return tuple(Passage(*pair, int(row)) for pair, row in zip(watched.pairs, found, strict=True) if row >= 0)


def _pairs(numbers: Mechanism) -> list[tuple[str, str]]:
    """Pairs with convex outlines that no joint connects and no contact is declared between."""
    bodies = {body.name: body for body in numbers.bodies}
    solid = [
        name
        for name, body in bodies.items()
        if len(body.outline) > 2 and not why_not_convex(body.outline)  # type: ignore[arg-type]
    ]
    if len(solid) * (len(solid) - 1) // 2 > MOST_PAIRS:
        return []
    declared = {frozenset((c.body, c.terrain or c.other)) for c in numbers.contacts}
    found = [
        (a, b)
        for a, b in combinations(solid, 2)
        if not joined(a, b, bodies) and not beside(a, b, bodies) and frozenset((a, b)) not in declared
    ]
    found += [
        (a, ground.name)
        for a in solid
        for ground in numbers.terrains
        if frozenset((a, ground.name)) not in declared
    ]
    return found


def _size(outline: tuple) -> float:
    points = np.array(outline, dtype=float)
    return float(np.ptp(points, axis=0).min())
