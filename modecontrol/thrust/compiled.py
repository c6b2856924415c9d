"""The library's own controllers as the core runs them: their plan, their memory, their decisions.

| part of the controller         | known to the core                                    |
|--------------------------------|------------------------------------------------------|
| class                          | `MaximalThrust`, `BlindThrust`; no class made of them |
| guarantee                      | "mode", "none"                                       |
| model                          | a tree of bodies with friction known exactly         |
| objective, task, physical      | all but those that speak of contact accelerations    |
| observe                        | None, or a function with `into_core(plan)`           |
| end                            | None, or `Passes`                                    |
| rest                           | None, inputs, or a function with `into_core(plan)`   |
| measure (`BlindThrust`)        | None                                                 |

Everything else runs in Python, with the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.modes.letters import codes
from modecontrol.thrust.blind_thrust import BlindThrust
from modecontrol.thrust.controller import Decision
from modecontrol.thrust.feedback import Damping, Passes
from modecontrol.thrust.instants import Thresholds
from modecontrol.thrust.maximal_thrust import AMBIGUOUS, DROPPED, NO_MODE, NOT_BEST, SPENT, MaximalThrust

if TYPE_CHECKING:
    from modecontrol._core.compiled import closed_loop as core
    from modecontrol.dynamics.protocol import PlanarModel

FALLBACKS = ("", NOT_BEST, AMBIGUOUS, DROPPED, NO_MODE, SPENT)
"""Words of the codes in `_core/closed_loop/decision_log.hpp`."""


OVERRIDDEN = {"decide", "choose"}
"""Methods that a user may have replaced on one controller: it then runs in Python."""


def plan_of(controller: Any) -> core.ThrustPlan | None:
    """What the core needs to know of a controller; None when it has to run in Python.

    Parameters
    ----------
    controller
        Anything that is called as `(t, q, v)`.
    """
    if type(controller) not in (MaximalThrust, BlindThrust) or not _is_known(controller):
        return None
    from modecontrol._core import closed_loop

    model, prepared, thresholds = controller.model, controller._prepared, controller.thresholds
    rows = prepared._fixed
    plan = closed_loop.ThrustPlan(
        model.tree.core,
        model.tree.actuation,
        model.tree.friction,
        rows.with_task,
        rows.without,
        bool(prepared._task),
    )
    plan.ignores_ambiguity = controller.guarantee == "none"
    plan.margin, plan.patience = controller.margin, controller.patience
    plan.judge(np.ascontiguousarray(thresholds.v0), thresholds.gap, thresholds.leaving)
    if controller.observe is not None:
        controller.observe.into_core(plan)
    if controller.end is not None:
        plan.end_beyond(controller.end.coordinate, controller.end.level)
    if callable(controller.rest):
        controller.rest.into_core(plan)
    elif controller.rest is not None:
        plan.rest_with(np.ascontiguousarray(controller.rest))
    if controller.lifted is not None:
        plan.hold_lifted(*controller.lifted)
    for i, (coordinate, contacts) in controller._links.items():
        plan.add_link(i, coordinate, contacts.tolist())
    if isinstance(controller, BlindThrust):
        k = len(model.contacts)
        plan.assume(
            [codes(mode, k).tolist() for mode in controller.assumed],
            controller.filter_time,
            controller.threshold,
            controller.ignore,
            model.coordinates.index(controller.objective),
        )
    return plan


def _is_known(controller: MaximalThrust) -> bool:
    model, rest = controller.model, controller.rest
    if getattr(model, "tree", None) is None or getattr(model, "intervals", None):
        return False
    if OVERRIDDEN & vars(controller).keys() or type(controller.thresholds) is not Thresholds:
        return False
    if controller.guarantee == "outcome" or controller.friction is not None:
        return False
    if controller._prepared._moving or getattr(controller, "measure", None) is not None:
        return False
    n, t = len(model.coordinates), len(model.inputs)
    if isinstance(rest, Damping) and (rest.count != t or not 0 <= rest.first <= n - t):
        return False
    end = controller.end
    return (
        (controller.observe is None or hasattr(controller.observe, "into_core"))
        and (end is None or (type(end) is Passes and 0 <= end.coordinate < n))
        and (not callable(rest) or hasattr(rest, "into_core"))
    )


def remember(controller: MaximalThrust, compiled: core.ThrustController) -> None:
    """Give its twin in the core what the controller remembers of its calls so far."""
    compiled.remember(**controller.memory.as_asked(controller._links))


def recall(controller: MaximalThrust, compiled: core.ThrustController, decisions: tuple[Any, ...]) -> None:
    """Let the controller remember what its twin did: with the columns of the core's record it has that of a run in Python."""
    *kept, switches = compiled.memory
    controller.memory.take(controller._links, tuple(kept))
    if isinstance(controller, BlindThrust):
        controller.switch_times.extend(switches)
    controller.decisions.extend(_decisions(controller.model, decisions))


def decisions_at(
    plan: core.ThrustPlan, q: np.ndarray, v: np.ndarray, threads: int
) -> list[tuple[np.ndarray, float, str, str]]:
    """Inputs, value, mode (empty: none) and fallback at many states, each as if asked for the first time.

    Parameters
    ----------
    plan
        Of the controller.
    q, v
        States, one per row.
    threads
        How many may work.
    """
    from modecontrol._core import closed_loop

    torque, value, letters, fallback = closed_loop.ask_everywhere(plan, q, v, threads)
    return [
        (inputs, worth, row.tobytes().decode() if row.all() else "", FALLBACKS[gave_up])
        for inputs, worth, row, gave_up in zip(torque, value.tolist(), letters, fallback, strict=True)
    ]


def _decisions(model: PlanarModel, log: tuple[Any, ...]) -> Iterator[Decision]:
    """The core's log of decisions, one by one."""
    time, torque, predicted, letters, value, acceleration, fallback, ambiguous = log
    k, n, t = len(model.contacts), len(model.coordinates), len(model.inputs)
    modes, torque = letters.tobytes().decode("latin-1"), torque.reshape(-1, t)
    acceleration = acceleration.reshape(-1, n)
    columns = (time.tolist(), predicted.tolist(), value.tolist(), fallback.tolist(), ambiguous.tolist())
    for i, (at, made, worth, gave_up, unclear) in enumerate(zip(*columns, strict=True)):
        yield Decision(
            at,
            torque[i],
            modes[k * i : k * (i + 1)] if made else None,
            worth,
            acceleration[i] if made else None,
            FALLBACKS[gave_up],
            bool(unclear),
        )
