"""Models and responses that the page asked for last, kept for its next request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from modecontrol.page import friction_interval
from modecontrol.page.request import RequestError, Shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.regions.dynamic_response import DynamicResponse

T = TypeVar("T")

REMEMBERED = 24
"""Responses and models that are kept for the next request."""


class KeptAnswers:
    """What a model answers, made once for each state.

    Parameters
    ----------
    model
        A `PlanarModel`.
    settings
        Arguments of `dynamic_response`.
    """

    def __init__(self, model: PlanarModel, settings: Mapping[str, Any]) -> None:
        self.model, self.settings = model, settings
        self._models: OrderedDict[tuple[Any, ...], PlanarModel] = OrderedDict()
        self._responses: OrderedDict[tuple[Any, ...], DynamicResponse] = OrderedDict()

    def model_with(self, parameters: Mapping[str, float]) -> PlanarModel:
        """The model with some parameters changed.

        Parameters
        ----------
        parameters
            New values by name; the others are the model's own.
        """
        changes = {name: value for name, value in parameters.items() if value != self.model.parameters[name]}
        if not changes:
            return self.model
        key = tuple(sorted(changes.items()))
        return _remember(self._models, key, lambda: self.model.with_parameters(**changes))

    def response_at(self, shown: Shown) -> DynamicResponse:
        """The response of a state.

        Parameters
        ----------
        shown
            The state.
        """

        def make() -> DynamicResponse:
            model = self.model_with(shown.parameters)
            if model.coordinates != self.model.coordinates:
                raise RequestError(
                    "these parameters change the mechanism's coordinates; open it anew with --set"
                )
            return self._response(model, shown)

        return _remember(self._responses, shown.instant, make)

    def at_corners(self, shown: Shown) -> list[DynamicResponse]:
        """The responses at the corners of the friction that is shown as intervals.

        Parameters
        ----------
        shown
            The state.
        """
        return [
            self.response_at(replace(shown, parameters={**shown.parameters, **corner}))
            for corner in friction_interval.corners(shown.intervals)
        ]

    def over_intervals(self, shown: Shown) -> DynamicResponse:
        """The response of the uncertain model, for all friction of the intervals at once.

        Parameters
        ----------
        shown
            The state.
        """
        model = self.model_with(shown.parameters)
        if not shown.intervals or not hasattr(model, "uncertain"):
            raise RequestError("no friction of this model is known as an interval")
        key = (*shown.instant, tuple(sorted(shown.intervals.items())))
        return _remember(
            self._responses, key, lambda: self._response(model.uncertain(**shown.intervals), shown)
        )

    def _response(self, model: PlanarModel, shown: Shown) -> DynamicResponse:
        from modecontrol.regions import dynamic_response

        return dynamic_response(model.snapshot(shown.q, shown.v), task=shown.tasks, **self.settings)


def _remember(store: OrderedDict[tuple[Any, ...], T], key: tuple[Any, ...], make: Callable[[], T]) -> T:
    if key in store:
        store.move_to_end(key)
        return store[key]
    store[key] = made = make()
    while len(store) > REMEMBERED:
        store.popitem(last=False)
    return made
