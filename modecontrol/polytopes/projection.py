"""The shadow of a set on some of its variables.

    project(P, keep)  =  {x_keep : there is x_rest with (x_keep, x_rest) in P}

Fourier-Motzkin in the kernel, or cdd's block elimination where many variables go at once. Before the answer
is returned it is checked against the lifted set: every row must be valid and tight there, and both sets must
reach equally far in a fan of directions. cdd's block elimination, which works on generators instead, is the
second method.
"""

from __future__ import annotations

import numpy as np

from modecontrol._kernels import elimination, simplex
from modecontrol.polytopes import labels as naming
from modecontrol.polytopes.errors import UncheckedError
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.reduction import Reduction
from modecontrol.polytopes.scaling import row_size
from modecontrol.tolerances import REDUNDANT

__all__ = ["is_projection", "kept_variables", "project"]

SLACK = 1e3 * REDUNDANT
"""Scaled disagreement of two supports that still counts as rounding: elimination multiplies rows together."""


def kept_variables(keep, n: int) -> np.ndarray:
    """Indices of the variables to keep, from indices or a mask.

    Parameters
    ----------
    keep : array_like of int or bool
        What the user wrote.
    n : int
        Number of variables.

    Returns
    -------
    numpy.ndarray of int
        Distinct indices in the order given.
    """
    chosen = np.asarray(keep)
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise ValueError(f"keep has shape {chosen.shape}; expected ({n},), one bool per variable")
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, dtype=int)
    if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
        raise ValueError(f"keep is {keep!r}; expected a list of variable numbers or of {n} bools")
    if np.any(chosen < -n) or np.any(chosen >= n):
        raise ValueError(f"keep names variable {chosen[(chosen < -n) | (chosen >= n)][0]}; expected 0 to {n - 1}")
    chosen = chosen % n
    if len(set(chosen.tolist())) != len(chosen):
        raise ValueError(f"keep is {keep!r}; expected each variable at most once")
    return chosen


def project(P: Polytope, keep, certify: bool = False) -> Polytope:
    """Projection of `P` on the variables `keep`, minimal and labelled.

    Parameters
    ----------
    P : Polytope
        The set: empty, flat or unbounded.
    keep : array_like of int or bool
        Variables that stay.
    certify : bool
        Confirm in exact arithmetic.

    Returns
    -------
    Polytope
        In the kept variables.
    """
    chosen = kept_variables(keep, P.n)
    if P.is_empty:
        # 0 <= b y + d z < 0: the contradiction itself, with the labels of the rows that make it.
        y, z = P._clash
        words = naming.union(P.labels, y != 0) | naming.union(P.equality_labels, z != 0)
        nothing = np.zeros((0, len(chosen))), np.zeros(0)
        return Polytope._trusted(np.zeros((1, len(chosen))), np.array([-1.0]), *nothing, (words,), ())
    shadow = None
    if _is_too_much_for_elimination(P, len(chosen)):
        from modecontrol.polytopes.vertices import project_by_blocks

        shadow = project_by_blocks(P, chosen)
        if shadow is not None and not is_projection(P, shadow, chosen):
            shadow = None
    if shadow is None:
        shadow = _by_elimination(P, chosen)
        # The kernel has confirmed that every row is valid and tight; the rest is whether there are enough.
        if shadow is None or not is_projection(P, shadow, chosen, rows_are_tight=True):
            shadow = _second_opinion(P, chosen)
    if certify:
        from modecontrol.polytopes.certify import certify_projection

        certify_projection(P, shadow, chosen)
    return shadow


def _is_too_much_for_elimination(P: Polytope, kept: int) -> bool:
    """Whether so many variables go from so many rows that the sets in between have far more rows than both ends."""
    small = P.minimal()
    gone = P.n - kept - len(small.d)
    return gone >= 3 and len(small.b) > (0, 0, 0, 24, 16, 13)[min(gone, 5)]


def _by_elimination(P: Polytope, chosen: np.ndarray) -> Polytope | None:
    """The kernel's answer with labels, None if it declines."""
    mask = np.zeros(P.n, dtype=bool)
    mask[chosen] = True
    order = np.argsort(np.argsort(chosen))  # the kernel answers in the original order
    scale, rows = P._posed
    found = elimination.project(*rows, mask)
    if found.status != simplex.OPTIMAL:
        return None
    inner = np.ones(len(chosen)) if scale is None else scale[mask]
    causes = [naming.union(P.labels + P.equality_labels, row) for row in found.ancestors]
    m = len(found.b)
    shadow = Polytope._trusted(
        (found.A / inner)[:, order],
        found.b,
        (found.C / inner)[:, order],
        found.e,
        tuple(causes[:m]),
        tuple(causes[m:]),
    )
    _mark_minimal(shadow)
    return shadow


def _second_opinion(P: Polytope, chosen: np.ndarray) -> Polytope:
    """By cdd's block elimination, then by the hull of the projected generators."""
    from modecontrol.polytopes import vertices

    for method in (vertices.project_by_blocks, vertices.project_by_generators):
        shadow = method(P, chosen)
        if shadow is not None and is_projection(P, shadow, chosen):
            return shadow
    raise UncheckedError(
        "neither elimination nor generators gave a projection that stands its check",
        A=P.A,
        b=P.b,
        C=P.C,
        d=P.d,
        keep=chosen,
    )


def _mark_minimal(P: Polytope) -> None:
    """Record that the rows are minimal as they stand, so that nobody reduces them again."""
    m, p = len(P.b), len(P.d)
    none = np.zeros(m, dtype=bool)
    P.__dict__.update(_is_minimal=True, _reduction=Reduction(~none, none, np.arange(p)))


def lifted_rows(shadow: Polytope, chosen: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the shadow (inequalities, then equalities both ways) in the variables of the lifted set."""
    rows = np.vstack([shadow.A, shadow.C, -shadow.C])
    level = np.concatenate([shadow.b, shadow.d, -shadow.d])
    size = row_size(rows)
    lifted = np.zeros((len(rows), n))
    lifted[:, chosen] = rows / size[:, None]
    return lifted, level / size


def is_projection(P: Polytope, shadow: Polytope, chosen: np.ndarray, rows_are_tight: bool = False) -> bool:
    """Whether `shadow` passes for the projection of the nonempty `P`.

    Necessary conditions, quick: each row is valid and tight on `P`; along the axes and between neighbouring
    rows of the shadow both sets reach equally far. `certify` asks for the full proof.

    Parameters
    ----------
    P : Polytope
        The lifted set.
    shadow : Polytope
        What claims to be its projection.
    chosen : numpy.ndarray of int
        The kept variables.
    rows_are_tight : bool
        The first condition is known to hold.

    Returns
    -------
    bool
        False: the answer must not be used.
    """
    if not rows_are_tight:
        for row, h in zip(*lifted_rows(shadow, chosen, P.n), strict=True):
            if not abs(P._reach(row).value - h) <= SLACK * max(1.0, abs(h)):
                return False
    for direction in _fan(shadow, P._scale[chosen] if P._posed[0] is not None else np.ones(len(chosen))):
        whole = np.zeros(P.n)
        whole[chosen] = direction
        far, near = P._reach(whole).value, shadow._reach(direction).value
        if far != near and not abs(far - near) <= SLACK * max(1.0, abs(far)):
            return False
    return True


def _fan(shadow: Polytope, scale: np.ndarray) -> np.ndarray:
    """Directions of size one: the axes both ways, and some that point between the rows of the shadow."""
    k = shadow.n
    axes = np.diag(1.0 / scale) if k else np.zeros((0, 0))
    rows = shadow.A / row_size(shadow.A)[:, None]
    between = (rows + np.roll(rows, 1, axis=0))[: 2 * k] if len(rows) > 2 else np.zeros((0, k))
    fan = np.vstack([axes, -axes, between, -between])
    size = np.abs(fan).max(axis=1, initial=0.0)
    return fan[size > SLACK] / size[size > SLACK, None]
