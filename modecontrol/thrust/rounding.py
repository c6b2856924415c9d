"""What rounding leaves open of a mode at given inputs: which `w` may go with them, and whether that matters to a promise.

A row `a tau + s w <= b` of a mode whose equations are all but singular has a tiny `s`: inputs within rounding of its border allow
`w` of any size, and at the inputs themselves the row seems to leave one `w`. Inputs count for a mode to `tolerances.PRESENT` of
their natural size; so does every row here, moved out by as much:

    W(tau) = { w : a tau + s w <= b + PRESENT max(|a| sizes, |s| size, |b|) }

What is promised has to hold for all of them. Where the least value over `W(tau)` is clearly below that over the fibre itself, the
promise hangs on digits that the data do not have: such inputs are kept off.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.fibre import loosened
from modecontrol.thrust.players import fibre_at
from modecontrol.thrust.promised_sets import task_rows


def row_slack(mine: ModeResponse, rows: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """What rows on `(tau, w)` are moved out by."""
    sizes = np.concatenate([mine.problem.input_sizes, np.full(mine.ambiguity_variables, mine.problem.size)])
    return tolerances.PRESENT * np.maximum(np.abs(rows * sizes).max(axis=1, initial=0.0), np.abs(levels))


def open_fibre(mine: ModeResponse, tau: np.ndarray) -> Polytope:
    """`W(tau)`, all rows as inequalities."""
    D, inputs = mine.domain, len(tau)
    rows = np.vstack([D.A, D.C, -D.C])
    levels = np.concatenate([D.b, D.d, -D.d])
    felt = np.any(rows[:, inputs:], axis=1)
    rows, levels = rows[felt], levels[felt]
    slack = row_slack(mine, rows, levels)
    wide = Polytope(rows[:, inputs:], levels - rows[:, :inputs] @ tau + slack)
    if not wide.is_empty:
        return wide
    met = loosened(wide)
    return Polytope(met.A, met.b + slack)


def undecided(mine: ModeResponse, tau: np.ndarray, goals: np.ndarray, near: float) -> Polytope | None:
    """What to keep off so that rounding does not decide the worst case of goals or of the task; None where it does not."""
    inputs = len(tau)
    for on_w in (*np.atleast_2d(goals), *(row[inputs:] for row, _ in task_rows(mine))):
        place = _undecided_row(mine, tau, on_w, near)
        if place is not None:
            return place
    return None


def _undecided_row(mine: ModeResponse, tau: np.ndarray, on_w: np.ndarray, near: float) -> Polytope | None:
    """The inputs to keep off when the least `on_w w` of a mode hangs on rounding at `tau`, all inputs where no row says which;
    None when it does not.
    """
    if not np.any(on_w):
        return None
    wide = open_fibre(mine, tau)
    reached = wide.maximize(-on_w)
    sure = fibre_at(mine, tau).maximize(-on_w)
    if sure.status != "optimal":
        return None  # without an end either way: nothing is promised of it
    natural = max(abs(float(sure.value)), float(np.abs(on_w).max()) * mine.problem.size)
    if reached.status == "optimal" and reached.value - sure.value <= tolerances.OPEN_VALUE * natural:
        return None
    return _steep_place(mine, tau, reached.point, near)


def _steep_place(mine: ModeResponse, tau: np.ndarray, w: np.ndarray | None, near: float) -> Polytope:
    """A slab about the inputs at which the row that feels `w` least, beside the inputs, of those that limit it begins to bind."""
    D, inputs = mine.domain, len(tau)
    everywhere = Polytope(np.zeros((0, inputs)), np.zeros(0))
    rows, levels = np.vstack([D.A, D.C]), np.concatenate([D.b, D.d])
    sizes = mine.problem.input_sizes
    on_inputs = np.abs(rows[:, :inputs] * sizes).max(axis=1, initial=0.0)
    on_w = np.abs(rows[:, inputs:] * mine.problem.size).max(axis=1, initial=0.0)
    limits = (on_w > 0) & (on_inputs > 0)
    if w is not None:
        limits &= rows @ np.concatenate([tau, w]) - levels > -2.0 * row_slack(mine, rows, levels)
    if not np.any(limits):
        return everywhere
    i = int(np.argmin(np.where(limits, on_w / np.maximum(on_inputs, tolerances.TINY), np.inf)))
    row = rows[i, :inputs]
    half = near * float(np.abs(row).max()) + 10.0 * float(row_slack(mine, rows[[i]], levels[[i]])[0])
    at = float(row @ tau)
    return Polytope(np.vstack([row, -row]), [at + half, half - at])
