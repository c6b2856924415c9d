"""`Session`: one model behind the page. Requests in, plain data out; the server and the widget only carry
them.

request -> state checked -> moved, contacts kept closed -> response (remembered) -> drawing, sets, answer,
best torque
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.page import friction_interval
from modecontrol.page.answer import at_torque, best_torque
from modecontrol.page.code import python
from modecontrol.page.description import describe, friction_of, sizes, start_of
from modecontrol.page.kept_answers import KeptAnswers
from modecontrol.page.laws import CLOSABLE, impossible
from modecontrol.page.moving import moved
from modecontrol.page.request import RequestError, Shown, mapping, read_shown, text
from modecontrol.page.scene import geometry, scene
from modecontrol.page.sets import Causes, forced_inputs, input_ranges, mode_sets, quick_modes, rows_of
from modecontrol.validation import as_tuple, as_vector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from modecontrol.dynamics.protocol import PlanarModel, State
    from modecontrol.regions.dynamic_response import DynamicResponse

LONGER = 10
"""How many times the usual patience the search for the best torque gets when it is asked to go on."""
MARGIN = 0.001
"""Distance to other modes with which the page begins (input units)."""
TROUBLE = (ValueError, ArithmeticError, KeyError, RuntimeError, np.linalg.LinAlgError)
"""What the library raises on a state that has no answer; the page shows its text."""


class Session:
    """A model and what the page was opened with.

    Parameters
    ----------
    model
        A `PlanarModel`.
    q, v
        State to begin with; None takes the model's start.
    tau
        Inputs to begin with; None takes the best guaranteed torque, or zero.
    **settings
        Further arguments of `dynamic_response`: `torque_limits`, `physical`, `task`, `velocity_tolerance`.
    """

    def __init__(
        self,
        model: PlanarModel,
        q: State | None = None,
        v: State | None = None,
        tau: ArrayLike | None = None,
        **settings: Any,
    ) -> None:
        self.model = model
        self.task = _several(settings.pop("task", ()))
        self.settings = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in settings.items()
            if value is not None
        }
        self._lock = Lock()
        self.kept = self._answers()
        self.scale = sizes(model)
        self.friction = sorted(
            {name for names in friction_of(model).values() for name in names} & set(model.parameters)
        )
        self.description = describe(model)
        self.start = self._first(q, v, tau)
        self.description["start"] = self.start.to_dict()
        self.description["tasks"] += [
            {"name": task, "text": task}
            for task in self.task
            if task not in {known["text"] for known in self.description["tasks"]}
        ]

    def _answers(self) -> KeptAnswers:
        return KeptAnswers(self.model, self.settings)

    def _first(self, q: State | None, v: State | None, tau: ArrayLike | None) -> Shown:
        model = self.model
        if q is None:
            q = start_of(model)
            v = getattr(model, "start_velocity", np.zeros(len(q))) if v is None else v
        snap = model.snapshot(q, v)
        near = tolerances.MEANT_CLOSED * self.scale.max(initial=1.0)
        kinds = [entry["kind"] for entry in self.description["contacts"]]
        closed = tuple(
            name
            for name, gap, kind in zip(model.contacts, snap.gap, kinds, strict=True)
            if gap <= near and kind in CLOSABLE
        )
        objective = self.description["objectives"]
        first = Shown(
            {},
            {},
            _floats(start_of(model) if snap.q is None else snap.q),
            _floats(0 * start_of(model) if snap.v is None else snap.v),
            (0.0,) * len(model.inputs),
            tuple(model.inputs[:3]),
            closed,
            objective[0]["text"] if objective else "",
            self.task,
            MARGIN,
        )
        if tau is not None:
            return replace(first, tau=_floats(as_vector(tau, model.inputs, "tau")))
        try:
            best = best_torque(self.kept.response_at(first), first.objective, first.margin)["torque"]
        except TROUBLE:
            best = None
        return first if best is None else replace(first, tau=tuple(best))

    # Requests
    # ------------------------------------------------------------------------------------------------

    def answer(self, request: Any) -> dict[str, Any]:
        """The answer to one request, `{"ask": ..., "state": ..., ...}`.

        Parameters
        ----------
        request
            Parsed JSON; `ask` is one of `describe`, `show`, `at`, `explain`, `python`, `sure`, `best`.

        Returns
        -------
        dict
            Plain data; a request that makes no sense gives `{"error": sentence}`.
        """
        began = time.perf_counter()
        try:
            table = mapping(request, "the request", ("ask", "state", "change", "mode", "slow"))
            asks: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
                "describe": lambda table: self.description,
                "show": self._show,
                "at": self._at,
                "explain": self._explain,
                "python": self._python,
                "sure": self._sure,
                "best": self._best,
            }
            ask = table.get("ask")
            if not isinstance(ask, str) or ask not in asks:
                raise RequestError(f"the request asks {str(ask)[:40]!r}; expected one of {', '.join(asks)}")
            with self._lock:
                found = asks[ask](table)
        except TROUBLE as error:
            return {"error": _sentence(error)}
        return {**found, "milliseconds": 1e3 * (time.perf_counter() - began)}

    def _show(self, table: dict[str, Any]) -> dict[str, Any]:
        shown = self.read(table)
        notes: list[str] = []
        if table.get("change") is not None:
            shown = self._changed(shown, table["change"], notes)
        model = self.kept.model_with(shown.parameters)
        found: dict[str, Any] = {
            "state": shown.to_dict(),
            "notes": notes,
            "geometry": geometry(model),
            "scene": scene(model, np.array(shown.q)),
            "trouble": None,
        }
        try:
            found |= self._sets(model, shown)
        except TROUBLE as error:
            found |= {
                "trouble": impossible(model, error) or _sentence(error),
                "modes": [],
                "causes": [],
                "at": None,
                "best": None,
                "interval": None,
                "limits": None,
                "undecided": [],
                "forced": {},
                "input_ranges": None,
            }
        return found

    def _sets(self, model: PlanarModel, shown: Shown) -> dict[str, Any]:
        response = self.kept.response_at(shown)
        quick, slow = quick_modes(response)
        forced = forced_inputs(response, quick)
        shown = _with_forced(shown, model, forced)
        tau, causes = np.array(shown.tau), Causes()
        axes = [model.inputs.index(name) for name in shown.axes]
        modes = mode_sets(response, axes, tau, causes)
        limits = rows_of(response.torque_set, axes, tau, causes)
        interval = None
        if shown.intervals:
            corners = self.kept.at_corners(shown)
            interval = friction_interval.interval_sets(response, corners, axes, tau, causes)
        best = best_torque(response, shown.objective, shown.margin)
        if interval is not None and best["torque"] is not None:
            best["surely"] = friction_interval.surely(corners, np.array(best["torque"]), best["mode"])
        return {
            "modes": modes,
            "causes": list(causes.numbers),
            "limits": limits,
            "interval": interval,
            "best": best,
            "at": self._torque(response, shown, model),
            "undecided": slow,
            "forced": forced,
            "input_ranges": input_ranges(response, quick),
        }

    def _torque(
        self, response: DynamicResponse, shown: Shown, model: PlanarModel, slow: bool = False
    ) -> dict[str, Any]:
        tau = np.array(shown.tau)
        found = at_torque(response, tau, model, slow)
        if shown.intervals:
            found["over"] = friction_interval.modes_over([response, *self.kept.at_corners(shown)], tau)
        return found

    def _at(self, table: dict[str, Any]) -> dict[str, Any]:
        shown = self.read(table)
        model = self.kept.model_with(shown.parameters)
        response = self.kept.response_at(shown)
        shown = _with_forced(shown, model, forced_inputs(response, quick_modes(response)[0]))
        return {"at": self._torque(response, shown, model, table.get("slow") is True)}

    def _sure(self, table: dict[str, Any]) -> dict[str, Any]:
        """What is sure over the intervals of friction, proven by the uncertain model; takes its time."""
        shown = self.read(table)
        response = self.kept.over_intervals(shown)
        model = self.kept.model_with(shown.parameters)
        shown = _with_forced(shown, model, forced_inputs(response, quick_modes(response)[0]))
        causes = Causes()
        axes = [model.inputs.index(name) for name in shown.axes]
        interval = friction_interval.proven_sets(response, axes, np.array(shown.tau), causes)
        best = best_torque(response, shown.objective, shown.margin)
        return {"interval": interval, "causes": list(causes.numbers), "best": {**best, "surely": True}}

    def _best(self, table: dict[str, Any]) -> dict[str, Any]:
        """The best guaranteed torque with more patience than a moving page has."""
        shown = self.read(table)
        return {"best": best_torque(self.kept.response_at(shown), shown.objective, shown.margin, LONGER)}

    def _explain(self, table: dict[str, Any]) -> dict[str, Any]:
        shown = self.read(table)
        mode = text(table.get("mode"), "mode")
        said = self.kept.response_at(shown).explain(mode)
        return {
            "mode": mode,
            "possible": said.possible,
            "stage": said.stage,
            "causes": list(said.causes),
            "text": said.text,
        }

    def _python(self, table: dict[str, Any]) -> dict[str, Any]:
        return {"code": python(self.model, self.read(table), self.settings)}

    def read(self, table: dict[str, Any]) -> Shown:
        """The state in a request.

        Parameters
        ----------
        table
            The request.
        """
        return read_shown(table.get("state", {}), self.start, self.model, self.friction)

    def _changed(self, shown: Shown, change: Any, notes: list[str]) -> Shown:
        """The state after one slider or one pull."""
        return moved(self, shown, change, notes)


def _with_forced(shown: Shown, model: PlanarModel, forced: Mapping[str, float]) -> Shown:
    return replace(
        shown, tau=tuple(forced.get(name, value) for name, value in zip(model.inputs, shown.tau, strict=True))
    )


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _several(rules: Any) -> tuple[str, ...]:
    return (rules,) if isinstance(rules, str) else tuple(map(str, as_tuple(rules, "task", "rules")))


def _sentence(error: BaseException) -> str:
    words = error.args[0] if isinstance(error, KeyError) and error.args else error
    return " ".join(str(words).split()) or type(error).__name__
