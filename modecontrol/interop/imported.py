"""What an import gives back, and names that are chosen by patterns."""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.mechanism import WORLD
from modecontrol.dynamics.model import Model
from modecontrol.validation import check_texts


@dataclass(frozen=True, eq=False)
class Imported:
    """A planar mechanism that was read from a file, and what became of the parts of the file.

    Attributes
    ----------
    builder
        The mechanism, to which contacts, constraints or outputs can be added before `builder.build()`.
    signs
        By coordinate: 1, or -1 where the file counts clockwise in the plane; coordinate = sign * value in the
        file.
    ranges
        By coordinate: lower and upper end of its range in the file, which are its stops.
    left_out
        What the file has and the mechanism has not, in sentences; empty when nothing was lost.
    replaced
        What the file has and the mechanism has in another form, in sentences.
    plane
        The plane of the motion: two axes of the file, or the normal.
    """

    builder: Builder
    signs: Mapping[str, int]
    ranges: Mapping[str, tuple[float, float]]
    left_out: tuple[str, ...]
    replaced: tuple[str, ...] = ()
    plane: str = "xz"

    @cached_property
    def model(self) -> Model:
        """The model; what was left out is logged as a warning."""
        log = logging.getLogger("modecontrol.interop")
        for sentence in self.left_out:
            log.warning("%s: left out: %s", self.builder.name, sentence)
        for sentence in self.replaced:
            log.info("%s: %s", self.builder.name, sentence)
        return self.builder.build()

    def standing(self) -> np.ndarray:
        """The start of the model, lifted or lowered until its lowest contact touches what stands still (n,).

        Raises
        ------
        ValueError
            Nothing can touch, or no coordinate lifts the robot as a whole.
        """
        model = self.model
        snap = model.snapshot(model.start)
        walls = [
            i
            for i, contact in enumerate(model.mechanism.contacts)
            if contact.other == WORLD and contact.kind in ("point", "disc")
        ]
        if not walls:
            raise ValueError(f"{model.name}: no contact with a wall; expected a floor to stand on")
        rows = snap.jacobian[[2 * i for i in walls]]
        lifting = np.flatnonzero(np.all(np.abs(np.abs(rows) - 1.0) <= tolerances.ALIGNED, axis=0))
        if not len(lifting):
            raise ValueError(
                f"{model.name}: no coordinate lifts the robot as a whole; expected a floating base or a slide along the normal"
            )
        q, column = model.start.copy(), int(lifting[0])
        q[column] -= snap.gap[walls].min() / rows[0, column]
        return q


def chosen(patterns: Iterable[str], known: Iterable[str], what: str) -> frozenset[str]:
    """The names that are listed or match a pattern such as `"*_hip"`.

    Parameters
    ----------
    patterns
        Names and patterns; one text counts as a list of one.
    known
        All names there are.
    what
        Beginning of the message when something matches none of them.
    """
    found: set[str] = set()
    known = sorted(known)
    for pattern in check_texts(patterns, "the list of names and patterns"):
        matching = fnmatch.filter(known, pattern)
        if not matching:
            raise ValueError(
                f"{what} {pattern!r}; expected names or patterns of: {', '.join(known) or 'none'}"
            )
        found.update(matching)
    return frozenset(found)
