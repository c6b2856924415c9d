"""Derivatives of arrays that belong to a model, with respect to a parameter, a coordinate or a velocity.

    f'(x) = (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3)) / 60 h + O(h^6),        fi = f(x + i h)

The arrays are smooth functions of everything that varies, so this formula with a step of a thousandth knows
them to about 1e-12 of their size; two steps are compared, and the difference is returned with the answer. Where they bend (limits
of a motor at rest), a formula of the same order on one side of the bend takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.validation import did_you_mean, shown

PARAMETER, COORDINATE, VELOCITY = "parameter", "coordinate", "velocity"
STEP = 4e-3
"""First step, in sizes of what varies; each further one is a quarter of the one before."""
STEPS = 8
"""The last is small enough for arrays that jump a millionth of the size away, where a leg leaves the floor, say."""
CENTRAL = ((1, -1, 45.0), (2, -2, -9.0), (3, -3, 1.0))
ONE_SIDED = ((1, 0, 360.0), (2, 0, -450.0), (3, 0, 400.0), (4, 0, -225.0), (5, 0, 72.0), (6, 0, -10.0))
"""Two numbers of steps whose values are compared, and the weight of their difference, times 60."""


class Derivative(NamedTuple):
    """Derivatives of some arrays, and how far two steps differ, relative to the arrays and their derivatives."""

    arrays: tuple[np.ndarray, ...]
    error: float


def differentiate(
    function: Callable[[float], tuple[np.ndarray, ...]], at: float, size: float, side: float = 0.0
) -> Derivative:
    """Derivatives of the arrays that a function of one number returns.

    Parameters
    ----------
    function
        A number in, arrays out; their shapes may not change.
    at
        Where.
    size
        A change over which the arrays change by about as much as they are.
    side
        0 looks at both sides; +1 or -1 at greater or smaller numbers alone.
    """
    middle = function(at)
    best: Derivative | None = None
    before: tuple[np.ndarray, ...] | None = None
    step = STEP * size
    for _ in range(STEPS):
        found = tuple(np.zeros(array.shape) for array in middle)
        for i, j, weight in ONE_SIDED if side else CENTRAL:
            h = (side or 1.0) * step
            for array, up, down in zip(found, function(at + i * h), function(at + j * h), strict=True):
                if up.shape != array.shape:
                    raise ValueError(
                        f"arrays change their shape from {array.shape} to {up.shape}; there is no derivative"
                    )
                array += weight / (60.0 * h) * (up - down)
        if before is not None:
            error = max(
                (_difference(*three, size) for three in zip(found, before, middle, strict=True)), default=0.0
            )
            if best is None or error < best.error:
                best = Derivative(found, error)
            if best.error <= tolerances.DIFFERENCED:
                break
        before, step = found, step / 4
    assert best is not None
    return best


def _difference(one: np.ndarray, other: np.ndarray, values: np.ndarray, size: float) -> float:
    if not one.size:
        return 0.0
    scale = max(float(np.abs(one).max()), float(np.abs(values).max()) / size)
    return float(np.abs(one - other).max()) / scale if scale > 0 else 0.0


def kind_of(model: PlanarModel, name: str) -> str:
    """Whether a name is a parameter, a coordinate (`alpha`) or a velocity (`alpha_d`) of the model, looked up
    in this order.

    Parameters
    ----------
    model
        The model.
    name
        What varies.
    """
    if not isinstance(model, PlanarModel):
        raise TypeError(f"found {shown(model)}; expected a model")
    velocities = [f"{coordinate}_d" for coordinate in model.coordinates]
    if not isinstance(name, str):
        raise TypeError(
            f"the name is {shown(name)}; expected a parameter, coordinate or velocity of the model"
        )
    for kind, known in (
        (PARAMETER, model.parameters),
        (COORDINATE, model.coordinates),
        (VELOCITY, velocities),
    ):
        if name in known:
            return kind
    every = [*model.parameters, *model.coordinates, *velocities]
    raise ValueError(
        f"{shown(name)} is no parameter, coordinate or velocity of {model.name!r}{did_you_mean(name, every)} "
        f"(parameters: {', '.join(model.parameters) or 'none'}; coordinates: {', '.join(model.coordinates)}; "
        f"velocities: {', '.join(velocities)})"
    )


class Path:
    """One name of a model varies, the state with it: `path(x)` is the snapshot where the name has the value
    `x`.

    Parameters
    ----------
    model
        The model.
    name
        A parameter, coordinate or velocity.
    q, v
        The state in the middle.
    place
        `place(model, q) -> q`: how the configuration follows; None leaves it as it is.
    side
        Where derivatives along the path look, as for `differentiate`.
    """

    def __init__(
        self,
        model: PlanarModel,
        name: str,
        q: Any,
        v: Any,
        place: Callable[..., Any] | None = None,
        side: float = 0.0,
    ) -> None:
        if not isinstance(name, str) or not (place is None or callable(place)):
            raise TypeError(
                f"found the name {shown(name)} and place {shown(place)}; expected a text, and None or a function"
            )
        self.model, self.name, self.place, self.side = model, name, place, side
        self.q, self.v = np.array(q, float), np.array(v, float)
        self.kind = kind_of(model, self.name)
        self._seen: dict[float, Any] = {}

    @property
    def middle(self) -> float:
        """The value that the name has."""
        if self.kind == PARAMETER:
            return float(self.model.parameters[self.name])
        place = self.model.coordinates.index(
            self.name.removesuffix("_d") if self.kind == VELOCITY else self.name
        )
        return float((self.v if self.kind == VELOCITY else self.q)[place])

    @property
    def size(self) -> float:
        """A typical change."""
        floor = 0.0 if self.kind == PARAMETER and self.middle else 0.1
        return max(abs(self.middle), floor)

    def __call__(self, x: float) -> Any:
        """The snapshot at a value of the name."""
        if x not in self._seen:
            self._seen[x] = self._at(x)
        return self._seen[x]

    def derivatives(self, function: Callable[[float], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Derivatives, in the middle, of the arrays that a function of the value of the name returns.

        Parameters
        ----------
        function
            A number in, arrays out.
        """
        return differentiate(function, self.middle, self.size, self.side).arrays

    def around(self, x: float, side: float = 0.0) -> Path:
        """The same path with its middle elsewhere.

        Parameters
        ----------
        x, side
            The middle, and where derivatives look.
        """
        model, q, v = self._moved(x)
        return Path(model, self.name, q, v, self.place, side)

    def _moved(self, x: float) -> tuple[Any, np.ndarray, np.ndarray]:
        """Model and state with the value `x`, before the configuration follows."""
        model, q, v = self.model, self.q.copy(), self.v.copy()
        if self.kind == PARAMETER:
            model = model.with_parameters(**{self.name: x})
        elif self.kind == COORDINATE:
            q[model.coordinates.index(self.name)] = x
        else:
            v[model.coordinates.index(self.name.removesuffix("_d"))] = x
        return model, q, v

    def _at(self, x: float) -> Any:
        model, q, v = self._moved(x)
        if self.place is not None:
            q = self.place(model, q)
        return model.snapshot(q, v)
