"""Controllers: state in, inputs out, with a compact record of what was seen and why it was done."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.validation import check_number, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel


@dataclass(frozen=True, eq=False)
class Decision:
    """One call of a controller.

    Attributes
    ----------
    time, torque
        When, and the inputs that were returned.
    mode
        Predicted contact mode; None when there was no prediction.
    value
        Predicted value of the objective.
    acceleration
        Predicted `qdd`.
    fallback
        Empty when everything was met; otherwise what was given up, in words.
    ambiguous
        Whether another mode explains the same inputs with another motion.
    """

    time: float
    torque: np.ndarray
    mode: str | None = None
    value: float = float("nan")
    acceleration: np.ndarray | None = None
    fallback: str = ""
    ambiguous: bool = False

    def __repr__(self) -> str:
        at = ", ".join(f"{value:.6g}" for value in self.torque)
        what = f"mode {self.mode}, {self.value:.6g}" if self.mode is not None else "no prediction"
        given_up = f"; {self.fallback}" if self.fallback else ""
        unsure = "; ambiguous" if self.ambiguous else ""
        return f"Decision(t = {self.time:.9g} s, inputs ({at}), {what}{given_up}{unsure})"


class Controller:
    """Base class: override `decide`; `controller(t, q, v)` calls it, checks the inputs and keeps the record.

    Parameters
    ----------
    model
        Anything with `coordinates`, `inputs` and `snapshot(q, v)`.
    """

    def __init__(self, model: PlanarModel) -> None:
        if not all(hasattr(model, name) for name in ("coordinates", "inputs", "snapshot")):
            raise TypeError(
                f"model is {shown(model)}; expected a model: mc.load(name), or anything with coordinates, inputs and "
                "snapshot(q, v)"
            )
        self.model = model
        self.decisions: list[Decision] = []

    def decide(self, t: float, q: np.ndarray, v: np.ndarray) -> Decision:
        """The decision at one state.

        Parameters
        ----------
        t
            Time (s).
        q, v
            Measured state.
        """
        raise NotImplementedError(f"{type(self).__name__} has to override decide(t, q, v)")

    def reset(self) -> None:
        """Forget everything: ready for another run."""
        self.decisions.clear()

    def __call__(self, t: float, q: Any, v: Any) -> np.ndarray:
        """The inputs at one state.

        Parameters
        ----------
        t
            Time (s).
        q, v
            Measured state.
        """
        decision = self.decide(check_number(t, "t", unit="s"), q, v)
        if not np.all(np.isfinite(decision.torque)):
            raise FloatingPointError(
                f"{type(self).__name__} decided for {decision.torque} at t = {t}: not finite"
            )
        self.decisions.append(decision)
        return decision.torque

    # The record as arrays
    # ------------------------------------------------------------------------------------

    @property
    def times(self) -> np.ndarray:
        """Times of all decisions."""
        return np.array([decision.time for decision in self.decisions])

    @property
    def modes(self) -> list[str | None]:
        """Predicted modes of all decisions."""
        return [decision.mode for decision in self.decisions]

    @property
    def values(self) -> np.ndarray:
        """Predicted values of all decisions."""
        return np.array([decision.value for decision in self.decisions])

    @property
    def switches(self) -> int:
        """How often the predicted mode changed."""
        modes = [mode for mode in self.modes if mode is not None]
        return sum(a != b for a, b in pairwise(modes))
