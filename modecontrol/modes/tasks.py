"""Tasks within one mode: constraint rows in `(tau, w)`, and the inputs for which they hold for some `w` or
for every `w`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.constraints import Rows
from modecontrol.polytopes import Polytope, Region
from modecontrol.validation import shown

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse


def check_demand(demand: str) -> None:
    """A task is asked of some `w` or of every `w`."""
    if not isinstance(demand, str) or demand not in ("some", "every"):
        raise ValueError(
            f"demand is {shown(demand)}; expected 'some' or 'every' (of the ambiguity variables w)"
        )


def substituted(
    response: ModeResponse, rows: Rows
) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Rows on `(qdd, f, tau)` as `A (tau, w) >= b` of a mode, with their equalities and labels."""
    if not isinstance(rows, Rows):
        raise TypeError(f"found {shown(rows)}; expected rows: Constraint(...).rows(snapshot) makes them")
    U, W, constant = response.U, response.W, response.constant
    unknowns = rows.P.shape[1] - U.shape[1]
    on_u, on_tau = rows.P[:, :unknowns], rows.P[:, unknowns:]
    size = np.abs(on_u)
    # what cancels down to rounding is zero: a task that the mode meets by itself must not become a random row
    A = _clean(
        np.hstack([on_u @ U[:unknowns] + on_tau, on_u @ W[:unknowns]]),
        np.hstack([size @ np.abs(U[:unknowns]) + np.abs(on_tau), size @ np.abs(W[:unknowns])]),
    )
    b = _clean(rows.p - on_u @ constant[:unknowns], np.abs(rows.p) + size @ np.abs(constant[:unknowns]))
    return A, b, rows.equality, rows.labels


def _clean(values: np.ndarray, size: np.ndarray) -> np.ndarray:
    return np.where(np.abs(values) > tolerances.PIVOT * size, values, 0.0)


def sure_task_torques(response: ModeResponse) -> Region:
    """`T_c` with the task for every `w`: rows free of `w` cut, rows with `w` take away the inputs at which
    some `w` misses them.
    """
    inputs = response.U.shape[1]
    A, b, equality, labels = response.substitute(response.problem.task)
    tied = np.concatenate([equality, equality[equality]])
    A = np.vstack([A, -A[equality]])
    b = np.concatenate([b, -b[equality]])
    labels = (*labels, *(label for label, e in zip(labels, equality, strict=True) if e))
    doubtful = np.any(A[:, inputs:], axis=1)
    sure = response.torques.intersect(
        Polytope(
            -A[~doubtful, :inputs],
            -b[~doubtful],
            labels=[x for x, d in zip(labels, doubtful, strict=True) if not d],
        )
    )
    region = Region([sure], n=inputs)
    root = response.problem.root
    units = np.concatenate([root.units[root.layout.tau :], np.ones(A.shape[1] - inputs)]) * root.size
    for row, bound, thin in zip(A[doubtful], b[doubtful], tied[doubtful], strict=True):
        slack = tolerances.FEASIBLE * max(abs(bound), float(np.abs(row * units).max()))
        if response.domain.intersect(Polytope(row[None, :], [bound - 2.0 * slack])).is_empty:
            continue  # twice the slack: a set that is empty by no more than the slack is neither there nor not
        # the border of what is taken away stays, and there the task is just met; of an equality only a slab
        # of the slack is left
        missing = response.domain.intersect(Polytope(row[None, :], [bound - slack if thin else bound]))
        region = region.subtract(missing.project(range(inputs)))
    return region
