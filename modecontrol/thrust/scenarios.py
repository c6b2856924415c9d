"""Promises for a finite list of scenarios: masses, lengths, slopes and whatever else has no corner theorem.

Friction known as intervals is treated exactly; for everything else give the instants that are to be reckoned with,
say of models with other parameters. What is promised holds for the listed ones, and the result says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.disturbed import DisturbedProblem
from modecontrol.modes.lift import idle_inputs
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.cuts import promised_at
from modecontrol.thrust.maximize import check_disturbance, check_response, maximize
from modecontrol.thrust.objective import LinearGoal, Objective
from modecontrol.thrust.thrust import Thrust
from modecontrol.validation import as_tuple, as_vector


def promised_value(
    response: DynamicResponse,
    objective: LinearGoal,
    tau: ArrayLike,
    *,
    disturbance: Disturbance | None = None,
) -> float:
    """What is promised of an objective at given inputs, whatever friction, mode and `w` turn out to be.

    Parameters
    ----------
    response
        All modes of the instant; its task has to be met.
    objective
        As for `maximize`.
    tau
        Inputs.
    disturbance
        What else may act, as for `maximize`.

    Returns
    -------
    float
        -inf when the task may be missed, or when it is not shown that an answer exists.
    """
    check_response(response)
    check_disturbance(disturbance)
    inputs = as_vector(tau, response.problem.names.inputs, "tau")
    problem, goal = response.problem, Objective.of(objective, response.snapshot)
    if disturbance is not None:
        load = disturbance.at(problem.snapshot, idle_inputs(problem.snapshot, problem.touching))
        if not load.is_nothing:
            problem = DisturbedProblem.under(problem, load, np.where(inputs < 0, -1.0, 1.0))
    return promised_at(problem, goal, inputs)


def maximize_over_scenarios(
    responses: Sequence[DynamicResponse],
    objective: LinearGoal,
    *,
    patience: int | None = 100,
    disturbance: Disturbance | None = None,
) -> Thrust:
    """Inputs with a great value that is promised in every one of the listed instants (`guarantee="outcome"` in each).

    The best inputs of each instant are looked at in all of them, and points between the two best; the greatest least
    value wins.

    Parameters
    ----------
    responses
        All modes of each instant, of models with the same coordinates, inputs and contacts.
    objective, patience, disturbance
        As for `maximize`.

    Examples
    --------
    >>> import modecontrol as mc
    >>> slopes = [mc.load("block", slope=s) for s in (0.0, 0.05)]
    >>> instants = [mc.dynamic_response(m.snapshot(m.start), torque_limits=[(-5, 5)]) for m in slopes]
    >>> mc.maximize_over_scenarios(instants, "x").existence[-27:]
    'for the 2 listed scenarios.'
    """
    responses = as_tuple(responses, "responses", "responses")
    if not responses:
        raise ValueError("no scenarios; expected at least one response")
    for response in responses:
        check_response(response)
        names, first = response.problem.names, responses[0].problem.names
        if (names.coordinates, names.inputs, names.contacts) != (
            first.coordinates,
            first.inputs,
            first.contacts,
        ):
            raise ValueError(
                f"a scenario has contacts {', '.join(names.contacts) or 'none'} and inputs {', '.join(names.inputs) or 'none'}; "
                f"expected those of the first: {', '.join(first.contacts) or 'none'} and {', '.join(first.inputs) or 'none'}"
            )
    options: dict[str, Any] = {"guarantee": "outcome", "patience": patience, "disturbance": disturbance}
    own = [maximize(response, objective, **options) for response in responses]
    torques = [best.torque for best in own if best.torque is not None]
    torques += [np.mean(torques, axis=0)] if len(torques) > 1 else []

    def promised(response: DynamicResponse, tau: np.ndarray) -> float:
        return promised_value(response, objective, tau, disturbance=disturbance)

    found = [min(promised(response, tau) for response in responses) for tau in torques]
    if not found or max(found) == -np.inf:
        bad = next((best for best in own if best.torque is None), None)
        reason = (
            bad.reason
            if bad is not None
            else "no torque that was looked at keeps the promise in every scenario"
        )
        return Thrust(None, None, -np.inf, reason=reason)
    winner = int(np.argmax(found))
    hardest = int(np.argmin([promised(response, torques[winner]) for response in responses]))
    words = (
        "an answer exists for every friction in the intervals"
        + (" and every disturbance" if disturbance is not None else "")
        + f", which is exact, for the {len(responses)} listed scenarios."
    )
    base = (
        own[hardest]
        if own[hardest].torque is not None
        else next(best for best in own if best.torque is not None)
    )
    modes = tuple(sorted({mode for response in responses for mode in response.modes_at(torques[winner])}))
    return replace(
        base,
        torque=torques[winner],
        value=found[winner],
        modes=modes,
        acceleration=None,
        force=None,
        active=(),
        friction=None,
        existence=words,
        exact=False,
    )
