"""Five ways to write the contact problem of a step as one complementarity problem; all give the same
velocities.

| name     | unknowns                                     | rows, planar             | rows, in space           |
|----------|----------------------------------------------|--------------------------|--------------------------|
| `nmc`    | body velocities, joints, pins, contacts      | `3n + nb' + nu(nf + 2)`  | `6n + nb' + nu(nf + 2)`  |
| `mc`     | joint velocities, pins, contacts             | `N + nb + nu(nf + 2)`    | the same                 |
| `rmc`    | contacts                                     | `nu(nf + 2)`             | the same                 |
| `os`     | pins, contacts                               | `nb + nu(nf + 2)`        | the same                 |
| `nmc/os` | joints, pins, contacts                       | `nb' + nu(nf + 2)`       | the same                 |

`n` bodies, `N` joint freedoms, `nb` pin equations, `nb' = 3n - N + nb` (in space `6n - N + nb`) with joints
counted, `nu` contacts, `nf` friction directions: 2 in the plane, where they are the whole cone (Jain 2014,
Eqs. (27), (36), (41), (53) and section 8). The simulator steps all of them in the core; here the same problems are
assembled and solved a second time, which user Lagrangians and problems without an answer in the core need, and tests
compare. `mc` and `nmc` take mechanisms with massless links, whose mass matrix cannot be condensed away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import SingularMassError
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.independent_bodies import Bodies, bodies_of
from modecontrol.timestepping.lcp.solve import solve_lcp
from modecontrol.timestepping.medium import joint_braking
from modecontrol.validation import check_count, check_word, shown

FORMULATIONS = ("nmc", "mc", "rmc", "os", "nmc/os")


class StepSolution(NamedTuple):
    """What a formulation answers."""

    v: np.ndarray | None
    """Velocities after the step (n,); None when the problem was not solved."""
    impulse: np.ndarray
    """Contact impulses (2m,), normal first."""
    loop_impulse: np.ndarray
    """Pin impulses (2 per pin)."""
    size: int
    """Rows of the complementarity problem."""
    residual: float
    method: str
    status: str


def solve_problem(problem: ContactProblem, formulation: str = "os") -> StepSolution:
    """Solve one contact problem in a formulation chosen by name.

    Parameters
    ----------
    problem
        The contact problem.
    formulation
        One of `FORMULATIONS`.
    """
    return _SOLVERS[formulation](problem)


def lcp_size(
    formulation: str,
    *,
    bodies: int,
    freedoms: int,
    contacts: int,
    loops: int = 0,
    directions: int = 2,
    spatial: bool = False,
) -> int:
    """How many rows the complementarity problem of a formulation has.

    Parameters
    ----------
    formulation
        One of `FORMULATIONS`.
    bodies
        Number of bodies `n`.
    freedoms
        Joint freedoms `N` of the tree.
    contacts
        Number of contacts `nu`.
    loops
        Loop-closing equations `nb`.
    directions
        Friction directions `nf`: 2 is exact in the plane, the published tables have 4 in space.
    spatial
        Whether a body has six freedoms instead of three.
    """
    check_formulation(formulation)
    given = {
        "bodies": bodies,
        "freedoms": freedoms,
        "contacts": contacts,
        "loops": loops,
        "directions": directions,
    }
    bodies, freedoms, contacts, loops, directions = (
        check_count(value, name, greatest=10**12) for name, value in given.items()
    )
    whole = (6 if spatial else 3) * bodies
    touching = contacts * (directions + 2)
    joints = whole - freedoms + loops
    return {"nmc": whole + joints, "mc": freedoms + loops, "rmc": 0, "os": loops, "nmc/os": joints}[
        formulation
    ] + touching


def check_formulation(formulation: str) -> None:
    """Refuse a name that is not one of `FORMULATIONS`."""
    check_word(formulation, "formulation", FORMULATIONS)


class Motion(NamedTuple):
    """The velocities in which a step is written, of the joints or of all bodies, and what holds them."""

    v: np.ndarray
    """Before the step."""
    r: np.ndarray
    """Impulses of everything but contacts and loops."""
    G: np.ndarray
    """Rows of the joints, if bodies move by themselves, and of the loops."""
    target: np.ndarray
    """`G v+`."""
    J: np.ndarray
    """Rows of the contacts."""
    read: np.ndarray
    """Joint velocities from these."""
    joints: int
    """How many rows of `G` are joints."""


def _of_joints(problem: ContactProblem) -> Motion:
    n = len(problem.v)
    return Motion(problem.v, problem.r, problem.G, problem.target, problem.J, read=np.eye(n), joints=0)


def _of_bodies(problem: ContactProblem, bodies: Bodies) -> Motion:
    joints = len(bodies.joints)
    G = np.vstack((bodies.joints, bodies.loops))
    target = np.concatenate((np.zeros(joints), problem.target))
    return Motion(bodies.v, bodies.r, G, target, bodies.contacts, bodies.read, joints)


# Eq. (36): velocities kept
# ------------------------------------------------------------------------------------


def _mc(problem: ContactProblem) -> StepSolution:
    return _kept(problem, problem.W, _of_joints(problem))


def _nmc(problem: ContactProblem) -> StepSolution:
    bodies = bodies_of(problem)
    return _kept(problem, bodies.mass, _of_bodies(problem, bodies))


def _kept(problem: ContactProblem, W: np.ndarray, motion: Motion) -> StepSolution:
    """`[W -G^T -J^T P; G 0 0; P^T J 0 N] (v+, lam, z) + (-W v - r, -target, c)`, the first two rows equal to
    zero.
    """
    P, N, c = problem.cone
    v, G, J = motion.v, motion.G, motion.J
    n, nb, size = len(v), len(G), len(c)
    A = np.zeros((n + nb + size, n + nb + size))
    A[:n, :n], A[:n, n : n + nb], A[:n, n + nb :] = W, -G.T, -J.T @ P
    A[n : n + nb, :n] = G
    A[n + nb :, :n], A[n + nb :, n + nb :] = P.T @ J, N
    answer = solve_lcp(A, np.concatenate((-W @ v - motion.r, -motion.target, c)), equalities=n + nb)
    z = answer.z
    found = motion.read @ z[:n] if answer.solved else None
    return StepSolution(
        found,
        P @ z[n + nb :],
        z[n + motion.joints : n + nb],
        len(A),
        answer.residual,
        answer.method,
        answer.status,
    )


# Eqs. (41), (47): velocities condensed away
# --------------------------------------------------------------------


def _rmc(problem: ContactProblem) -> StepSolution:
    inverse = _inverse(problem, "rmc")
    G, J = problem.G, problem.J
    P, N, c = problem.cone
    response = inverse @ G.T
    loop = np.linalg.pinv(G @ response, rcond=tolerances.RANK, hermitian=True) if len(G) else np.zeros((0, 0))
    Y = inverse - response @ loop @ response.T
    X = problem.v + Y @ problem.r + response @ (loop @ (problem.target - G @ problem.v))
    A = P.T @ (J @ Y @ J.T) @ P
    A = _stiffer(A, problem) + N
    answer = solve_lcp(A, P.T @ (J @ X) + c)
    p = P @ answer.z
    v = X + Y @ (J.T @ p) if answer.solved else None
    free = problem.v + inverse @ (problem.r + J.T @ p)
    return StepSolution(
        v, p, loop @ (problem.target - G @ free), len(A), answer.residual, answer.method, answer.status
    )


def _os(problem: ContactProblem) -> StepSolution:
    return _condensed(problem, _response(problem), _of_joints(problem))


def _nmc_os(problem: ContactProblem) -> StepSolution:
    b = bodies_of(problem)
    if np.any(np.diag(b.mass) == 0):
        raise SingularMassError(
            f"model {problem.model.name!r} has bodies without mass or inertia, so "
            "formulation 'nmc/os' cannot condense them away; use formulation='nmc' or 'mc', or "
            "give them mass and inertia"
        )
    alone = not problem.added.any() and not len(problem.model.tree.drags)
    inverse = np.diag(1 / np.diag(b.mass)) if alone else np.linalg.inv(b.mass)
    return _condensed(problem, lambda R: inverse @ R, _of_bodies(problem, b))


def _condensed(
    problem: ContactProblem, inverse: Callable[[np.ndarray], np.ndarray], motion: Motion
) -> StepSolution:
    """`[G W^-1 G^T, G W^-1 J^T P; P^T J W^-1 G^T, P^T J W^-1 J^T P + N] (lam, z) + rows of the free motion`."""
    P, N, c = problem.cone
    nb = len(motion.G)
    rows = np.vstack((motion.G, P.T @ motion.J))
    response = inverse(np.column_stack((motion.r, rows.T)))
    free = motion.v + response[:, 0]
    A = rows @ response[:, 1:]
    A[nb:, nb:] = _stiffer(A[nb:, nb:], problem) + N
    answer = solve_lcp(A, rows @ free + np.concatenate((-motion.target, c)), equalities=nb)
    v_plus = motion.read @ (free + response[:, 1:] @ answer.z) if answer.solved else None
    return StepSolution(
        v_plus,
        P @ answer.z[nb:],
        answer.z[motion.joints : nb],
        len(A),
        answer.residual,
        answer.method,
        answer.status,
    )


def _stiffer(A: np.ndarray, problem: ContactProblem) -> np.ndarray:
    return A + problem.eps * np.diag(np.diag(A))


def _response(problem: ContactProblem) -> Callable[[np.ndarray], np.ndarray]:
    """`R -> W^-1 R` by the dynamics that the problem asks for."""
    if problem.dynamics != "dca" or len(problem.model.tree.drags):
        inverse = _inverse(problem, "os")
        return lambda R: inverse @ R
    from modecontrol.dynamics.forward_dynamics import solve

    return lambda R: solve(problem.model, problem.q, R.T, "dca", problem.added).T


def _inverse(problem: ContactProblem, formulation: str) -> np.ndarray:
    """`W^-1`, or the refusal of a singular one."""
    W = problem.W
    root = np.sqrt(np.diag(W))
    if not root.all():
        _refuse(problem, formulation)
    try:
        C = np.linalg.cholesky(W / np.outer(root, root))
    except np.linalg.LinAlgError:
        _refuse(problem, formulation)
    if np.diag(C).min(initial=1.0) < tolerances.LIGHTEST:
        _refuse(problem, formulation)
    half = np.linalg.solve(C, np.diag(1 / root))
    return half.T @ half


def massless(model, q: np.ndarray, v: np.ndarray, h: float = 0.0) -> list[str]:
    """Names of the coordinates in the null space of `M + h D + h^2 K + h B`: those that move nothing that has mass.

    Within a step `h` a spring or damper of a joint, or the drag of a medium, stands for mass.
    """
    nodes = model.tree.nodes
    W = model.snapshot(q, v).mass + np.diag(h * (nodes["damping"] + h * nodes["stiffness"]))
    W = W + h * joint_braking(model.tree, np.asarray(q, float), np.asarray(v, float))
    if not len(W):
        return []
    if not np.isfinite(W).all():
        raise ValueError(
            f"the mass matrix at q = {shown(q.tolist())} is beyond double precision; expected a smaller state"
        )
    root = np.sqrt(np.where(np.diag(W) > 0, np.diag(W), 1.0))
    values, vectors = np.linalg.eigh(W / np.outer(root, root))
    null = np.abs(vectors[:, values <= tolerances.NULL_VALUE * max(values[-1], 1.0)] / root[:, None])
    if null.shape[1] == 0:
        return []
    return [
        name
        for name, part in zip(model.coordinates, null.max(axis=1), strict=True)
        if part > tolerances.NULL_PART * null.max()
    ]


def singular_mass(model, names: list[str], formulation: str) -> SingularMassError:
    """The error that says which coordinates are massless and what to do.

    Parameters
    ----------
    model
        The mechanism.
    names
        The massless coordinates.
    formulation
        What was asked for.
    """
    which = ", ".join(map(repr, names)) or "some combination of coordinates"
    return SingularMassError(
        f"model {model.name!r}: {which} move nothing that has mass, so formulation "
        f"{formulation!r} cannot condense the mass matrix away; use formulation='mc', "
        "which keeps the velocities, or give the links mass"
    )


def _refuse(problem: ContactProblem, formulation: str) -> NoReturn:
    raise singular_mass(problem.model, massless(problem.model, problem.q, problem.v, problem.h), formulation)


_SOLVERS: dict[str, Callable[[ContactProblem], StepSolution]] = {
    "nmc": _nmc,
    "mc": _mc,
    "rmc": _rmc,
    "os": _os,
    "nmc/os": _nmc_os,
}
