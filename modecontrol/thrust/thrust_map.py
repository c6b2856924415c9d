"""Off-line map: torque and mode over a grid of states, stored and interpolated.

    torque(x) = sum over the corners of the cell  weight(x) torque(corner)      where all corners have one mode
              = torque of the nearest corner                                    where they do not

Inputs jump where the best mode changes, and a mean of the inputs of two modes belongs to neither; hence the
second line. How far the map is from the controller it was made of is measured, not assumed:
`ThrustMap.error`. `studies/thrust_maps.py` makes one, `mapped_thrust.py` uses it as a controller.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from os import PathLike
from typing import Any

import numpy as np

from modecontrol.thrust.controller import Controller, Decision
from modecontrol.thrust.stored_map import FORMAT, axis_of, measured, stored, texts_of
from modecontrol.validation import (
    as_numbers,
    as_path,
    as_tuple,
    as_vector,
    check_count,
    check_texts,
    real_array,
)

OUTSIDE = "outside the map"
NO_MODE = ""


def ask(controller: Controller, q: np.ndarray, v: np.ndarray) -> Decision:
    """One decision without history."""
    controller.reset()
    return controller.decide(0.0, q, v)


@dataclass(frozen=True)
class MapError:
    """Greatest difference of any input between map and exact controller, over random states (input units).

    Attributes
    ----------
    median, p90, greatest
        Of the difference, over all states.
    within
        Greatest difference over the states whose cell has one mode (interpolated, not nearest).
    same_mode
        Part of the states at which the map names the mode of the exact controller.
    states
        How many were asked.
    """

    median: float
    p90: float
    greatest: float
    within: float
    same_mode: float
    states: int

    def __str__(self) -> str:
        return (
            f"difference to the exact controller over {self.states} states: median {self.median:.3g}, 90 % below "
            f"{self.p90:.3g}, greatest {self.greatest:.3g} ({self.within:.3g} inside one mode); same mode at "
            f"{self.same_mode:.0%}"
        )


@dataclass(frozen=True, eq=False)
class ThrustMap:
    """Decisions of a controller over a grid; made by `modecontrol.studies.map_thrust`.

    Attributes
    ----------
    axes
        `(kind, name, values)` of each axis: kind "q" or "v", coordinate name, ascending grid values.
    coordinates
        Names of the coordinates of a full state.
    base_q, base_v
        The state that the axes vary.
    torque, value, mode, fallback
        Arrays over the grid (torque has one more axis, the inputs); an empty mode means that there was no
        prediction.
    """

    axes: tuple[tuple[str, str, np.ndarray], ...]
    coordinates: tuple[str, ...]
    base_q: np.ndarray
    base_v: np.ndarray
    torque: np.ndarray
    value: np.ndarray
    mode: np.ndarray
    fallback: np.ndarray
    _places: tuple[tuple[str, int], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        names = check_texts(self.coordinates, "coordinates")
        axes = tuple(axis_of(axis, names) for axis in as_tuple(self.axes, "axes", "(kind, name, values)"))
        made: dict[str, Any] = {"coordinates": names, "axes": axes}
        for name in ("base_q", "base_v"):
            made[name] = as_vector(getattr(self, name), names, name)
        shape = tuple(len(values) for _, _, values in axes)
        made["torque"] = real_array(self.torque, "torque", len(shape) + 1)
        made["value"] = as_numbers(self.value, "value")
        for name in ("mode", "fallback"):
            made[name] = texts_of(getattr(self, name), name)
        for name in ("torque", "value", "mode", "fallback"):
            if made[name].shape[: len(shape)] != shape or made[name].ndim > len(shape) + (name == "torque"):
                raise ValueError(f"{name} has shape {made[name].shape}; expected {shape}, that of the grid")
        for name, value in made.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_places", tuple((kind, names.index(name)) for kind, name, _ in axes))

    # Reading
    # -------------------------------------------------------------------------------------------------

    def state(self, point: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """Full state `(q, v)` of one value per axis."""
        q, v = self.base_q.copy(), self.base_v.copy()
        for (kind, place), x in zip(self._places, self._values(point), strict=True):
            (q if kind == "q" else v)[place] = x
        return q, v

    def point(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """One value per axis, read from a state that begins with the map's coordinates."""
        n = len(self.coordinates)
        q, v = (measured(x, what, n) for what, x in (("q", q), ("v", v)))
        return np.array([(q if kind == "q" else v)[place] for kind, place in self._places], dtype=float)

    def __call__(self, point: Sequence[float] | np.ndarray) -> Decision:
        """Interpolate at one value per axis; points outside are moved to the border and say so."""
        low = np.empty(len(self.axes), dtype=int)
        part = np.empty(len(self.axes))
        outside = False
        for i, ((_, _, values), x) in enumerate(zip(self.axes, self._values(point), strict=True)):
            inside = min(max(float(x), values[0]), values[-1])
            outside |= inside != x
            low[i] = min(
                max(int(np.searchsorted(values, inside, side="right")) - 1, 0), max(len(values) - 2, 0)
            )
            width = values[low[i] + 1] - values[low[i]] if len(values) > 1 else 1.0
            part[i] = (inside - values[low[i]]) / width
        corners = list(product(*((0,) if p == 0 else (1,) if p == 1 else (0, 1) for p in part)))
        places = [tuple(low + corner) for corner in corners]
        nearest = tuple(low + (part > 0.5))
        if len({self.mode[place] for place in places}) > 1:
            torque, value = self.torque[nearest].copy(), float(self.value[nearest])
        else:
            weights = [float(np.prod(np.where(corner, part, 1.0 - part))) for corner in corners]
            torque = sum(
                (w * self.torque[p] for w, p in zip(weights, places, strict=True)),
                np.zeros(self.torque.shape[-1]),
            )
            value = sum(w * float(self.value[p]) for w, p in zip(weights, places, strict=True))
        words = [str(self.fallback[nearest])] if self.fallback[nearest] else []
        mode = str(self.mode[nearest]) or None
        return Decision(
            0.0, torque, mode, value, None, ", ".join([*words, *([OUTSIDE] if outside else [])]), False
        )

    def one_mode(self, point: Sequence[float]) -> bool:
        """Whether all corners of the point's cell have the same mode."""
        cell = []
        for (_, _, values), x in zip(self.axes, self._values(point), strict=True):
            low = min(max(int(np.searchsorted(values, x, side="right")) - 1, 0), max(len(values) - 2, 0))
            cell.append(slice(low, low + 2))
        return len(np.unique(self.mode[tuple(cell)])) == 1

    def _values(self, point: Any) -> np.ndarray:
        """A point of the map."""
        return as_vector(point, [name for _, name, _ in self.axes], "point")

    # Judging
    # -------------------------------------------------------------------------------------------------

    def error(self, controller: Controller, rng: np.random.Generator, states: int = 200) -> MapError:
        """Compare with the exact controller at random states between the grid points.

        Parameters
        ----------
        controller
            The controller that the map was made of; it is reset before every state.
        rng
            Where randomness comes from.
        states
            How many states to ask.
        """
        states = check_count(states, "states", least=1)
        differences, inside, same = [], [], []
        for _ in range(states):
            point = [rng.uniform(values[0], values[-1]) for _, _, values in self.axes]
            exact, found = ask(controller, *self.state(point)), self(point)
            differences.append(float(np.abs(exact.torque - found.torque).max(initial=0.0)))
            same.append(exact.mode == found.mode)
            if self.one_mode(point) and same[-1]:
                inside.append(differences[-1])
        return MapError(
            float(np.median(differences)),
            float(np.quantile(differences, 0.9)),
            max(differences),
            max(inside, default=0.0),
            float(np.mean(same)),
            states,
        )

    # Storing
    # -------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write an npz file: arrays and a JSON header.

        Parameters
        ----------
        path
            File to write.
        """
        header = {"format": FORMAT, "coordinates": self.coordinates, "axes": [axis[:2] for axis in self.axes]}
        with open(as_path(path), "wb") as file:
            arrays: dict[str, Any] = {f"axis{i}": values for i, (_, _, values) in enumerate(self.axes)}
            np.savez_compressed(
                file,
                header=np.array(json.dumps(header)),
                base_q=self.base_q,
                base_v=self.base_v,
                torque=self.torque,
                value=self.value,
                mode=self.mode.astype(str),
                fallback=self.fallback.astype(str),
                **arrays,
            )

    @staticmethod
    def load(path: str | PathLike[str]) -> ThrustMap:
        """Read a file that `save` wrote.

        Parameters
        ----------
        path
            File to read.
        """
        return ThrustMap(*stored(as_path(path)))
