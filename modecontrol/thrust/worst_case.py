"""The best inputs of a set when the objective depends on `w`: the worst case over `w` counts."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.fibre import fibre
from modecontrol.thrust.objective import Objective


def worst_case_optimum(
    mine: ModeResponse, goal: Objective, piece: Polytope
) -> tuple[float, np.ndarray | None, np.ndarray | None]:
    """`max over tau in piece of min over w`: `(value, tau, w)`; `tau` None when unbounded, value -inf when
    none.
    """
    on_tau, on_w, constant = goal.within(mine)
    inputs = len(on_tau)
    D = mine.domain
    lifted = D & piece.extend(D.n - inputs)
    if not depends_on_w(mine, on_w):
        answer = lifted.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "optimal":
            assert answer.point is not None
            return float(answer.value) + constant, answer.point[:inputs], answer.point[inputs:]
        return (np.inf, None, None) if answer.status == "unbounded" else (-np.inf, None, None)
    # a convex function of tau: its greatest value is at a vertex, or grows for ever along a ray
    for ray in (*piece.rays, *piece.lines, *(-line for line in piece.lines)):
        cone = Polytope(D.A, np.zeros(len(D.b)), D.C, np.zeros(len(D.d)))
        at_ray = fibre_of(cone, ray)
        if on_tau @ ray - at_ray.support(-on_w) > tolerances.STRICT * np.abs(on_tau).max(
            initial=tolerances.TINY
        ):
            return np.inf, None, None
    best: tuple[float, np.ndarray | None, np.ndarray | None] = (-np.inf, None, None)
    for tau in piece.vertices:
        least = fibre(mine, tau).maximize(-on_w)
        if least.status == "optimal" and (value := on_tau @ tau - least.value + constant) > best[0]:
            best = float(value), tau, least.point
    return best


def fibre_of(domain: Polytope, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in domain}`."""
    return domain.slice(dict(enumerate(tau)))


def depends_on_w(mine: ModeResponse, on_w: np.ndarray) -> bool:
    """Whether `on_w . w` takes several values at some inputs of the mode (the two-copy program)."""
    from modecontrol.modes.within_mode import two_copies

    if not np.abs(on_w).max(initial=0.0) > 0:
        return False
    inputs = mine.U.shape[1]
    pairs = two_copies(mine.domain, mine.domain, inputs)
    spread = pairs.support(np.concatenate([np.zeros(inputs), on_w, -on_w]))
    return spread > tolerances.STRICT * mine.problem.size * np.abs(on_w).max()
