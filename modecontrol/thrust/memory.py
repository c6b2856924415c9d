"""What a controller remembers from one call to the next; its twin in the core keeps the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Memory:
    """State of a controller between two calls.

    Attributes
    ----------
    over
        Whether the thrust has ended.
    held
        Angle at lift-off of each input whose link has lifted, by the input's number.
    stage
        Which of the assumed modes it thrusts in.
    filtered
        Filtered difference between the measured and the predicted objective.
    last
        Time, measured rate and prediction of the last call; None where nothing was predicted.
    """

    over: bool = False
    held: dict[int, float] = field(default_factory=dict)
    stage: int = 0
    filtered: float = 0.0
    last: tuple[float, float, float] | None = None

    def as_asked(self, links: Iterable[int]) -> Mapping[str, Any]:
        """As the core takes it, for the inputs whose links can lift."""
        held = [self.held.get(i) for i in links]
        return {
            "over": self.over,
            "held": [angle is not None for angle in held],
            "angle": [0.0 if angle is None else angle for angle in held],
            "stage": self.stage,
            "filtered": self.filtered,
            "has_last": self.last is not None,
            "last": list(self.last or (0.0, 0.0, 0.0)),
        }

    def take(self, links: Iterable[int], kept: tuple[Any, ...]) -> None:
        """Remember what the core kept."""
        self.over, held, angles, self.stage, self.filtered, has_last, last = kept
        self.held = {i: angle for i, angle, is_held in zip(links, angles, held, strict=True) if is_held}
        self.last = last if has_last else None
