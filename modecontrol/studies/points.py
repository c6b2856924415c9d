"""One point of a study: the model with its parameters, the state, and what is computed there when somebody
asks.

    values by name  ->  model with parameters, q, v  ->  snapshot  ->  response  ->  best inputs

A name is a parameter of the model, a coordinate (`alpha`) or a velocity (`alpha_d`), looked up in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.derivatives import COORDINATE, PARAMETER, VELOCITY
from modecontrol.errors import ModeControlError
from modecontrol.thrust.objective import LinearGoal

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel, State
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.regions import DynamicResponse
    from modecontrol.studies.quantities import Quantity
    from modecontrol.thrust import Thrust

RESPONSE = ("torque_limits", "physical", "task", "velocity_tolerance")
"""Options that `dynamic_response` understands."""
THRUST = ("margin", "guarantee")
"""Options that `maximize` understands."""


class NoAnswerError(ModeControlError, ValueError):
    """A quantity has no value at a point, for a reason that belongs to the mechanics; the message says which."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """How a point becomes numbers: everything that all points of a study share. It travels to the workers.

    Attributes
    ----------
    model
        The model whose parameters vary.
    names, kinds
        What varies, and what each name is: "parameter", "coordinate" or "velocity".
    quantities
        What is computed (`modecontrol.studies.quantities.Quantity`).
    q, v
        State before coordinates and velocities vary; None for the start of each model made.
    place
        `place(model, q) -> q`, called last, or None.
    objective
        What is maximised.
    options
        For `dynamic_response` and `maximize`.
    seed
        Seed of `Point.rng`.
    """

    model: PlanarModel
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    q: State | None = None
    v: State | None = None
    place: Callable[..., Any] | None = None
    objective: LinearGoal | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


@dataclass(eq=False)
class Point:
    """One point of a study, as quantities see it. What is asked for twice is computed once.

    Attributes
    ----------
    recipe
        What all points share.
    values
        Value of each name that varies.
    index
        Place of the point in the study.
    model
        The model with this point's parameters.
    remarks
        What quantities say of values that they do return; kept beside the reasons of those that they do not.
    """

    recipe: Recipe
    values: dict[str, float]
    index: int
    model: PlanarModel
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def q(self) -> np.ndarray:
        """Configuration, after `place`."""
        recipe, model = self.recipe, self.model
        q = np.array(model.start if recipe.q is None else model.snapshot(recipe.q).q)
        for name, kind in zip(recipe.names, recipe.kinds, strict=True):
            if kind == COORDINATE:
                q[model.coordinates.index(name)] = self.values[name]
        return q if recipe.place is None else np.asarray(recipe.place(model, q), float)

    @cached_property
    def v(self) -> np.ndarray:
        """Velocity."""
        recipe, model = self.recipe, self.model
        if recipe.v is not None:
            v = np.array(model.snapshot(self.q, recipe.v).v)
        else:
            v = np.array(model.start_velocity) if recipe.q is None else np.zeros(len(model.coordinates))
        for name, kind in zip(recipe.names, recipe.kinds, strict=True):
            if kind == VELOCITY:
                v[model.coordinates.index(name.removesuffix("_d"))] = self.values[name]
        return v

    @cached_property
    def snapshot(self) -> Snapshot:
        """`M, b, S, J, ...` at the state."""
        return self.model.snapshot(self.q, self.v)

    @cached_property
    def response(self) -> DynamicResponse:
        """All contact modes: `mc.dynamic_response` with the options of the study."""
        from modecontrol.regions import dynamic_response

        return dynamic_response(self.snapshot, **self.chosen(RESPONSE))

    @property
    def objective(self) -> LinearGoal:
        """What the study maximises."""
        if self.recipe.objective is None:
            raise ValueError(
                "the study has no objective, and a quantity asks for its best inputs; expected one, such as "
                f"objective={self.model.coordinates[-1]!r}"
            )
        return self.recipe.objective

    @cached_property
    def best(self) -> Thrust:
        """`mc.maximize` of the study's objective; false when there is no answer."""
        from modecontrol.thrust import maximize

        return maximize(self.response, self.objective, **self.chosen(THRUST))

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers of this point alone: they depend on the study's seed and the point's place, on
        nothing else.
        """
        return np.random.default_rng([self.recipe.seed, self.index])

    def chosen(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Those options of the study that a function understands.

        Parameters
        ----------
        names
            What it understands.
        """
        return {name: value for name, value in self.recipe.options.items() if name in names}


class Points:
    """Makes points from rows of a design; neighbours with the same parameters share their model.

    Parameters
    ----------
    recipe
        What all points share.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._last: tuple[dict[str, float], Any] = ({}, recipe.model)

    def at(self, index: int, row: np.ndarray) -> Point:
        """The point of one row.

        Parameters
        ----------
        index
            Its place in the study.
        row
            A value per name.
        """
        recipe = self.recipe
        values = dict(zip(recipe.names, map(float, row), strict=True))
        changes = {
            name: values[name]
            for name, kind in zip(recipe.names, recipe.kinds, strict=True)
            if kind == PARAMETER
        }
        if changes != self._last[0]:
            self._last = changes, recipe.model.with_parameters(**changes)
        return Point(recipe, values, index, self._last[1])
