"""How the facets of a mode's torque set move with a parameter, a coordinate or a velocity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import Path
from modecontrol.modes.problem import Problem
from modecontrol.modes.raw_derivatives import FacetRate, Moving, Raw, facet_rate, raw_rows, units_of

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.modes.mode_response import ModeResponse


@dataclass(frozen=True, eq=False)
class FacetGradients:
    """`T_c = {tau : A tau <= b}` with rows of unit length, and the derivatives of the rows.

    Attributes
    ----------
    name
        What varies.
    A, b
        Facets, in the order of `torques.minimal()`, divided by the length of their normals.
    dA, db
        Their derivatives; NaN where a facet has none.
    unique
        Whether a facet has one derivative; where it has not, other rows will carry it on one side of the
        value.
    labels
        Physical cause of each facet.
    """

    name: str
    A: np.ndarray
    b: np.ndarray
    dA: np.ndarray  # noqa: N815
    db: np.ndarray
    unique: np.ndarray
    labels: tuple[Any, ...]


def facet_gradients(
    mine: ModeResponse, name: str, model: PlanarModel | None = None, place: Callable[..., Any] | None = None
) -> FacetGradients:
    """Derivatives of the facets of `T_c`; contacts count as what they count as.

    Parameters
    ----------
    mine
        One mode of a response.
    name
        A parameter, a coordinate (`alpha`) or a velocity (`alpha_d`).
    model
        The model; None takes the one that made the snapshot.
    place
        `place(model, q) -> q`: how the configuration follows; None leaves it as it is.
    """
    path = path_of(mine.problem, name, model, place)
    units = units_of(mine.problem)
    moving = moving_rows(mine.problem, mine.mode, path, units)
    T = mine.torques.minimal()
    inputs = T.n
    A, b = np.array(T.A), np.array(T.b)
    length = np.linalg.norm(A, axis=1)
    dA, db, unique = np.full(A.shape, np.nan), np.full(len(b), np.nan), np.zeros(len(b), bool)
    for i in range(len(b)):
        found = rate_of_facet(mine, moving, A[i], units)
        if found is not None:
            dn = found.dn / units[-inputs:]
            along = A[i] @ dn / length[i] ** 2
            dA[i], db[i], unique[i] = dn - along * A[i], found.de - along * b[i], found.unique
    return FacetGradients(
        str(name), A / length[:, None], b / length, dA / length[:, None], db / length, unique, T.labels
    )


def rate_of_facet(
    mine: ModeResponse, moving: Moving, normal: np.ndarray, units: np.ndarray
) -> FacetRate | None:
    """Derivative of one facet of `T_c`, in natural units.

    Parameters
    ----------
    mine
        The mode.
    moving
        Its rows with their derivatives.
    normal
        Of the facet, in true units.
    units
        Natural size of each unknown.
    """
    inputs = len(normal)
    top = mine.domain.maximize(np.concatenate([normal, np.zeros(mine.domain.n - inputs)]))
    if top.status != "optimal":
        return None
    assert top.point is not None
    tau, w = top.point[:inputs], top.point[inputs:]
    y = np.concatenate([mine.constant + mine.U @ tau + mine.W @ w, tau]) / units
    T = mine.torques.minimal()
    return facet_rate(moving, normal * units[-inputs:], y, np.column_stack([T.C * units[-inputs:], T.d]))


def path_of(problem: Problem, name: str, model: PlanarModel | None, place: Callable[..., Any] | None) -> Path:
    """How the instant of a problem moves when one name varies.

    Parameters
    ----------
    problem
        The instant.
    name, model, place
        As for `facet_gradients`.
    """
    snapshot = problem.snapshot
    model = snapshot.source if model is None else model
    if model is None or snapshot.q is None or snapshot.v is None:
        raise ValueError(
            "this instant does not say which model and state it belongs to; give model=..., and make the snapshot with "
            "model.snapshot(q, v)"
        )
    path = Path(model, name, snapshot.q, snapshot.v, place)
    if place is not None:
        moved = np.abs(np.asarray(path(path.middle).q) - path.q).max(initial=0.0)
        if moved > tolerances.MOVED:
            raise ValueError(
                f"place moves the present configuration by {moved:.3g}; expected the configuration that it makes"
            )
    return path


def moving_rows(
    problem: Problem, mode: str, path: Path, units: np.ndarray, task: Sequence[int] = ()
) -> Moving:
    """Raw rows of a mode with their derivatives along a path, scaled.

    Parameters
    ----------
    problem, mode
        The instant and the mode.
    path
        What varies.
    units
        Natural size of each unknown.
    task
        Which rows of the task are wanted.
    """

    def rows(x: float) -> Raw:
        return raw_rows(problem if x == path.middle else problem.at(path(x)), mode, task)

    return Moving.of(rows(path.middle), Raw(*path.derivatives(rows)), units)
