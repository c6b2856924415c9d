"""What flattening knows while it goes through an assembly: the plane, the builder, frames, names and remarks."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from modecontrol.dynamics.builder import Builder
from modecontrol.interop.plane_axes import pair, word
from modecontrol.interop.spatial import Assembly


@dataclass
class Flat:
    """The planar mechanism as far as it is made.

    Parameters
    ----------
    assembly
        What is flattened.
    plane
        What the plane is called.
    axes
        (3, 3): to the right, up, and the normal.
    locked
        Joints that are held.
    builder
        Takes the parts.
    """

    assembly: Assembly
    plane: str
    axes: np.ndarray
    locked: frozenset[str]
    builder: Builder
    frames: dict[str, tuple[str, np.ndarray, float]] = field(
        default_factory=lambda: {"world": ("world", np.zeros(2), 0.0)}
    )
    """By link: name of its body, origin and angle of the body's frame at the reference pose."""
    rigid: dict[str, str] = field(default_factory=lambda: {"world": "world"})
    """By link: the first link of the rigid piece to which it belongs."""
    coordinates: dict[str, str] = field(default_factory=dict)
    """By joint with one freedom: its coordinate."""
    signs: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    words: dict[str, set[str]] = field(default_factory=dict)

    @property
    def flat(self) -> np.ndarray:
        """(2, 3): the axes to the right and up."""
        return self.axes[:2]

    @property
    def normal(self) -> np.ndarray:
        """Normal of the plane, towards the reader."""
        return self.axes[2]

    def local(self, link: str, point: np.ndarray) -> tuple[str, tuple[float, float]]:
        """Body of a link, and a point of the plane in its frame.

        Parameters
        ----------
        link
            Its name, or "world".
        point
            (2,), at the reference pose.
        """
        body, place, angle = self.frames[link]
        return body, pair(point - place, -angle)

    def word(self, kind: str, text: str) -> str:
        """A name that the library takes, used once; coordinates and inputs share theirs.

        Parameters
        ----------
        kind
            What is named.
        text
            Its name in the file.
        """
        taken = self.words.setdefault("coordinate" if kind == "input" else kind, set())
        if kind == "input" and word(kind, text, set(taken)) != word(kind, text, set()):
            text = f"tau_{text}"  # a coordinate has the name of its motor
        return word(kind, text, taken)
