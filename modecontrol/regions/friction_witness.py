"""Which friction explains a mode at one torque, and how far it may change: witnesses, intervals, margins.

    mu_i = abs(f_ti) / f_ni          of a sliding contact, at any point (tau, w) of a domain over intervals

The interval of one coefficient that a mode allows at a torque is a pair of linear-fractional programs, each
one linear program after Charnes and Cooper: with `y = s z`, `f_n = 1` the ratio `abs(f_t)` is linear.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse, hold
from modecontrol.modes.problem import Problem
from modecontrol.modes.raw_system import friction_rows
from modecontrol.polytopes import Polytope


def friction_of(mine: ModeResponse, tau: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Coefficients (k,) that explain a mode's motion at `(tau, w)`; what the motion does not fix is the
    nominal value.
    """
    snapshot = mine.problem.snapshot
    force = mine.force.value(tau, w).reshape(-1, 2)
    low, high = snapshot.friction_low, snapshot.friction_high
    found = np.array(snapshot.friction, float)
    pull = np.zeros(len(low)) if snapshot.laws is None else snapshot.laws.pull
    for i, letter in enumerate(mine.mode):
        normal, tangent = force[i][0] + pull[i], force[i][1]
        if letter in "LR" and normal > tolerances.FEASIBLE * max(1.0, np.abs(force).max()):
            found[i] = min(max(abs(tangent) / normal, low[i]), high[i])
        elif letter == "F":
            found[i] = high[i]
    return found


def witness(mine: ModeResponse, tau: np.ndarray) -> np.ndarray:
    """Coefficients (k,) with which the mode explains `tau`."""
    from modecontrol.regions.fibre import fibre, loosened

    if mine.ambiguity_variables == 0:
        return friction_of(mine, tau, np.zeros(0))
    w_set = fibre(mine, tau)
    w_set = loosened(w_set) if w_set.is_empty else w_set
    point = w_set.maximize(np.zeros(mine.ambiguity_variables)).point
    return friction_of(mine, tau, point) if point is not None else friction_of(mine, *_nearest(mine, tau))


def _nearest(mine: ModeResponse, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The point `(tau, w)` of a domain whose inputs are nearest: on a border rounding may leave no `w` at the
    inputs themselves.
    """
    D, inputs = mine.domain, len(tau)
    rows = np.zeros((2 * inputs, D.n + 1))
    rows[:inputs, :inputs], rows[inputs:, :inputs], rows[:, -1] = np.eye(inputs), -np.eye(inputs), -1.0
    around = D.extend(1) & Polytope(rows, np.concatenate([tau, -tau]))
    point = around.maximize(np.append(np.zeros(D.n), -1.0)).point
    if point is None:
        raise ValueError(
            f"mode {mine.mode} has no inputs near {tau.tolist()}; expected inputs that it explains"
        )
    return point[:inputs], point[inputs:-1]


def friction_range(
    problem: Problem,
    mode: str,
    tau: np.ndarray,
    contact: int,
    *,
    error: np.ndarray | float = 0.0,
    band: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> tuple[float, float] | None:
    """Least and greatest coefficient of one contact with which the mode explains `tau`; None when none does.

    The other contacts keep what is known of their friction. A fixed contact has no greatest coefficient; a
    separating one allows any.

    Parameters
    ----------
    problem, mode, tau
        The instant, a contact mode, inputs.
    contact
        Place of the contact.
    error
        How far each input may be from `tau`.
    band
        `(P, low, high)`: measured quantities `low <= P (qdd, f, tau) <= high`.
    """
    letter = mode[contact]
    if not tells_friction(problem, contact):
        raise ValueError(
            f"contact {problem.names.contacts[contact]!r} has another law than Coulomb's; expected one whose coefficient alone "
            "decides its friction"
        )
    if letter == "S" and band is None and not np.any(error):
        possible = problem.respond_in(mode)
        return (0.0, np.inf) if possible is not None and possible.allows(tau) else None
    rows, equal = _homogeneous(problem, mode, tau, error, band, contact)
    columns = rows.shape[1]
    n = len(problem.names.coordinates)
    normal, tangent = n + 2 * contact, n + 2 * contact + 1
    # a point without force at the contact explains any coefficient
    free = np.vstack([np.eye(1, columns, i) for i in (normal, tangent, columns - 1)])
    unloaded = Polytope(
        rows, np.zeros(len(rows)), np.vstack([equal, free]), np.append(np.zeros(len(equal) + 2), 1.0)
    )
    if not unloaded.is_empty:
        return 0.0, np.inf
    if letter == "S":
        return None
    # unknowns (y, s) with y = s u: rows <= 0, equalities = 0, y_n = 1, s >= 0
    P = Polytope(rows, np.zeros(len(rows)), np.vstack([equal, np.eye(1, columns, normal)]), _last(len(equal)))
    if P.is_empty:
        return None
    along = np.eye(1, columns, tangent)[0]
    if letter == "F":
        beside = np.zeros((len(rows), 1))  # one more unknown, at least abs(f_t)
        higher = np.vstack([np.hstack([rows, beside]), np.append(along, -1.0), np.append(-along, -1.0)])
        lifted = Polytope(
            higher, np.zeros(len(higher)), np.hstack([P.C, np.zeros((len(P.C), 1))]), _last(len(equal))
        )
        return max(0.0, -lifted.support(np.append(np.zeros(columns), -1.0))), np.inf
    sign = -1.0 if letter == "R" else 1.0
    least, greatest = -P.support(-sign * along), P.support(sign * along)
    return (max(0.0, least), greatest) if greatest >= 0.0 else None


def tells_friction(problem: Problem, contact: int) -> bool:
    """Whether forces at a contact say what its coefficient is: Coulomb's law and nothing else."""
    laws = problem.snapshot.laws
    if laws is None:
        return True
    kind, hold, pull, way, *_ = laws.numbers(contact)
    return bool(kind == 0 and pull == 0 and way == 0 and hold <= problem.snapshot.friction_low[contact])


def _last(zeros: int) -> np.ndarray:
    return np.append(np.zeros(zeros), 1.0)


def _homogeneous(
    problem: Problem,
    mode: str,
    tau: np.ndarray,
    error: np.ndarray | float,
    band: tuple[np.ndarray, np.ndarray, np.ndarray] | None,
    contact: int,
) -> tuple[np.ndarray, np.ndarray]:
    """`rows (y, s) <= 0`, `equal (y, s) = 0` of a mode, with `y = s (qdd, f, lam, tau)` and without the
    friction of one contact.
    """
    system = problem.system(mode)
    n, k, t = len(problem.names.coordinates), len(problem.names.contacts), len(tau)
    loose, tied = np.ones(len(system.labels), bool), np.ones(len(system.equality_labels), bool)
    own_loose, own_tied = friction_rows(problem.snapshot, problem.touching, mode, contact)
    loose[own_loose], tied[own_tied] = False, False
    rows = [np.hstack([-system.G[loose], system.E[loose], system.e[loose][:, None]])]
    unknowns = system.A.shape[1]
    inputs = np.hstack([np.zeros((t, unknowns)), np.eye(t)])
    high, low = tau + error, tau - error
    rows += [np.hstack([inputs, -high[:, None]]), np.hstack([-inputs, low[:, None]])]
    if band is not None:
        P, least, greatest = band
        loops = np.zeros((len(P), unknowns - n - 2 * k))
        measured = np.hstack([P[:, : n + 2 * k], loops, P[:, n + 2 * k :]])
        rows += [np.hstack([measured, -greatest[:, None]]), np.hstack([-measured, least[:, None]])]
    rows.append(-np.eye(1, unknowns + t + 1, unknowns + t))
    equal = np.hstack([system.A[tied], -system.B[tied], -system.c[tied][:, None]])
    return np.vstack(rows), equal


def friction_margin(problem: Problem, tau: np.ndarray, most: float = 1.0) -> float:
    """Largest `rho` such that one mode surely happens alone at `tau` for all friction within `mu (1 -+ rho)`;
    0 for none.

    Boxes about the middle of what is known are nested, so bisection finds it.
    """
    from dataclasses import replace

    from modecontrol.modes.surely_possible import box_of
    from modecontrol.regions.friction_cells import FrictionCell

    known = box_of(problem)
    middle = 0.5 * (known.low + known.high)

    def holds(rho: float) -> bool:
        box = replace(known, low=middle * (1.0 - rho), high=middle * (1.0 + rho))
        for small in box.divided(4):
            cell = FrictionCell.of(problem, small)
            there = cell.response.modes_at(tau)
            if len(there) != 1 or not hold(cell.sure_torques(there[0]), tau, problem.input_sizes):
                return False
            if there[0] != first:
                return False
        return True

    exact = FrictionCell.of(problem, replace(known, low=middle, high=middle)).response.modes_at(tau)
    if len(exact) != 1:
        return 0.0
    first = exact[0]
    if holds(most):
        return most
    low, high = 0.0, most
    while high - low > tolerances.FRICTION_MARGIN:
        half = 0.5 * (low + high)
        low, high = (half, high) if holds(half) else (low, half)
    return low
