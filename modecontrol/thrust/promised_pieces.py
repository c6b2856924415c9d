"""What the search for promises works on, and what it gives: pieces of the input space, and the inputs that were found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modecontrol.polytopes import Polytope
from modecontrol.thrust.aims import AnyPlayer


@dataclass(order=True)
class Piece:
    """A part of the input space with the caps of its value and what has been shown of it."""

    bound: float
    order: int
    inputs: Polytope = field(compare=False)
    caps: list[Any] = field(compare=False)
    counted: frozenset[int] = field(compare=False)
    """Players whose worst value is among the caps."""
    shown: int = field(compare=False)
    """Cells, from the first on, for which an answer surely exists on the whole piece."""
    tau: np.ndarray | None = field(compare=False, default=None)
    whole: str = field(compare=False, default="")
    """A mode whose sure set the piece stands for until it comes up."""


@dataclass(frozen=True, eq=False)
class Guaranteed:
    """What the search found: inputs, value, the players present there; `status` says how it ended."""

    status: str
    tau: np.ndarray | None = None
    value: float = -np.inf
    present: tuple[AnyPlayer, ...] = ()
    worst: AnyPlayer | None = None
    existence: str = ""
    pieces: int = 0
