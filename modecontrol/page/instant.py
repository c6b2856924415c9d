"""The page of one instant: a response without a mechanism behind it, in which only the inputs move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from modecontrol.page.code import instant_code
from modecontrol.page.kept_answers import KeptAnswers
from modecontrol.page.request import RequestError, Shown
from modecontrol.page.session import Session

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from modecontrol.dynamics.protocol import PlanarModel, State
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.regions.dynamic_response import DynamicResponse


class ResponseSession(Session):
    """One instant without a mechanism behind it: only the inputs move.

    Parameters
    ----------
    response
        A `DynamicResponse`.
    tau
        Inputs to begin with; None takes the best guaranteed torque, or zero.
    """

    def __init__(self, response: DynamicResponse, tau: ArrayLike | None = None) -> None:
        self._given = response
        super().__init__(cast("PlanarModel", _Instant(response)), tau=tau)
        self.description["fixed"] = True

    def _answers(self) -> KeptAnswers:
        return _OneAnswer(self.model, self._given)

    def _changed(self, shown: Shown, change: Any, notes: list[str]) -> Shown:
        raise RequestError("this page shows one instant; only its inputs can be moved")

    def _python(self, table: dict[str, Any]) -> dict[str, Any]:
        shown = self.read(table)
        return {"code": instant_code(shown, self.model.inputs)}


class _OneAnswer(KeptAnswers):
    """The one response there is, whatever the state."""

    def __init__(self, model: PlanarModel, response: DynamicResponse) -> None:
        super().__init__(model, {})
        self._given = response

    def response_at(self, shown: Shown) -> DynamicResponse:
        """The response.

        Parameters
        ----------
        shown
            The state, which plays no part.
        """
        return self._given


class _Instant:
    """The names of a response, as a model has them."""

    def __init__(self, response: DynamicResponse) -> None:
        self.names = names = response.problem.names
        self.name = "one instant"
        self.coordinates, self.inputs, self.contacts = names.coordinates, names.inputs, names.contacts
        self.parameters: dict[str, float] = {}
        self._snapshot = response.snapshot
        self.laws = response.snapshot.laws
        self.start = np.zeros(len(self.coordinates)) if self._snapshot.q is None else self._snapshot.q

    def snapshot(self, q: State | None, v: State | None = None) -> Snapshot:
        """The instant, whatever the state.

        Parameters
        ----------
        q, v
            Play no part.
        """
        return self._snapshot
