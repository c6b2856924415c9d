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

from modecontrol.modes.problem import core_instant
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.maximize import check_response, maximize
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.prepared_rows import core_friction
from modecontrol.thrust.thrust import Thrust

PROGRAMS, CELLS = 20_000, 64
"""What looking at one torque may cost, and how finely it covers friction."""


def promised_value(response: DynamicResponse, objective: Any, tau: ArrayLike) -> float:
    """What is promised of an objective at given inputs, whatever friction, mode and `w` turn out to be.

    Parameters
    ----------
    response
        All modes of the instant; its task has to be met.
    objective
        As for `maximize`.
    tau
        Inputs.

    Returns
    -------
    float
        -inf when the task may be missed, or when it is not shown that an answer exists.
    """
    from modecontrol._core import thrust

    check_response(response)
    problem = response.problem
    inputs = np.asarray(tau, float)
    if inputs.shape != (len(problem.names.inputs),) or not np.all(np.isfinite(inputs)):
        raise ValueError(f"tau is {tau!r}; expected {len(problem.names.inputs)} finite numbers")
    rows = Objective.of(objective, response.snapshot).below(problem.physical, problem.task)
    instant = core_instant(response.snapshot, problem.touching, rows)
    return float(
        thrust.PromisedInputs().promise(
            instant, problem.touching.states, core_friction(response.snapshot), inputs, (PROGRAMS, CELLS)
        )
    )


def maximize_over_scenarios(
    responses: Sequence[DynamicResponse], objective: Any, *, patience: int | None = 100
) -> Thrust:
    """Inputs with a great value that is promised in every one of the listed instants (`guarantee="outcome"` in each).

    The best inputs of each instant are looked at in all of them, and points between the two best; the greatest least
    value wins.

    Parameters
    ----------
    responses
        All modes of each instant, of models with the same coordinates, inputs and contacts.
    objective, patience
        As for `maximize`.

    Examples
    --------
    >>> import modecontrol as mc
    >>> slopes = [mc.load("block", slope=s) for s in (0.0, 0.05)]
    >>> instants = [mc.dynamic_response(m.snapshot(m.start), torque_limits=[(-5, 5)]) for m in slopes]
    >>> mc.maximize_over_scenarios(instants, "x").existence[-27:]
    'for the 2 listed scenarios.'
    """
    responses = list(responses)
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
    own = [maximize(response, objective, guarantee="outcome", patience=patience) for response in responses]
    torques = [best.torque for best in own if best.torque is not None]
    torques += [np.mean(torques, axis=0)] if len(torques) > 1 else []
    found = [min(promised_value(response, objective, tau) for response in responses) for tau in torques]
    if not found or max(found) == -np.inf:
        bad = next((best for best in own if best.torque is None), None)
        reason = (
            bad.reason
            if bad is not None
            else "no torque that was looked at keeps the promise in every scenario"
        )
        return Thrust(None, None, -np.inf, reason=reason)
    winner = int(np.argmax(found))
    hardest = int(np.argmin([promised_value(response, objective, torques[winner]) for response in responses]))
    words = (
        f"an answer exists for every friction in the intervals, for the {len(responses)} listed scenarios."
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
