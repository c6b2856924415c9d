"""The projection of a set on some of its variables.

    project(P, keep)  =  {x_keep : there is x_rest with (x_keep, x_rest) in P}

The core eliminates variables (Fourier-Motzkin) or, where that is too much work, finds the rows one after the
other by cuts. Before the answer is returned it is checked against the lifted set: every row must be valid and
tight there, and both sets must reach equally far in a fan of directions. Small sets have cdd's block
elimination, which works on generators instead, as one more opinion.
"""

from __future__ import annotations

import numpy as np

from modecontrol._core import polytopes as core
from modecontrol._core.layout import OPTIMAL, WORK_LIMIT
from modecontrol.errors import TooMuchWorkError, UncheckedError
from modecontrol.polytopes import labels as naming
from modecontrol.polytopes import variables
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.reduction import Reduction
from modecontrol.polytopes.scaling import row_size
from modecontrol.tolerances import REDUNDANT
from modecontrol.validation import check_flag, shown

__all__ = ["is_projection", "kept_variables", "project"]

SLACK = 1e3 * REDUNDANT
"""Scaled disagreement of two supports that still counts as rounding: elimination multiplies rows together."""


def kept_variables(keep, n: int) -> np.ndarray:
    """Indices of the variables to keep, from indices or a mask.

    Returns
    -------
    numpy.ndarray of int
        Distinct indices in the order given.
    """
    try:
        chosen = np.asarray(keep)
    except ValueError:
        raise ValueError(
            f"keep is {shown(keep)}; expected a list of variable numbers or of {n} bools"
        ) from None
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise ValueError(f"keep has shape {chosen.shape}; expected ({n},), one bool per variable")
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, dtype=int)
    if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
        raise ValueError(f"keep is {shown(keep)}; expected a list of variable numbers or of {n} bools")
    if np.any(chosen < -n) or np.any(chosen >= n):
        raise ValueError(
            f"keep names variable {chosen[(chosen < -n) | (chosen >= n)][0]}; expected 0 to {n - 1}"
        )
    chosen = chosen % n
    if len(set(chosen.tolist())) != len(chosen):
        raise ValueError(f"keep is {shown(keep)}; expected each variable at most once")
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
    chosen = kept_variables(variables.indices(keep, P.names, P.n), P.n)
    names = variables.some(P.names, chosen)
    if P.is_empty:
        # 0 <= b y + d z < 0: the contradiction itself, with the labels of the rows that make it.
        y, z = P._clash
        words = naming.union(P.labels, y != 0) | naming.union(P.equality_labels, z != 0)
        nothing = np.zeros((0, len(chosen))), np.zeros(0)
        return Polytope._trusted(
            np.zeros((1, len(chosen))), np.array([-1.0]), *nothing, (words,), (), names=names
        )
    found = _by_the_core(P, chosen)
    if found is None:
        found = _second_opinion(P, chosen)
    if check_flag(certify, "certify"):
        from modecontrol.polytopes.exact.certify import certify_projection

        certify_projection(P, found, chosen)
    found.__dict__["names"] = names
    return found


CDD_ROWS, CDD_VARIABLES = 20, 10
"""cdd cannot be interrupted or bounded; it is asked about sets up to this size."""


def _by_the_core(P: Polytope, chosen: np.ndarray) -> Polytope | None:
    """The first answer of the core that passes its check; None if there is none.

    The set is posed in units of its own, then as it came, then without elimination.
    """
    scale, posed = P._posed
    statuses: list[int] = []
    for rows, size, eliminate in ((posed, scale, True), (P.rows, None, True), (P.rows, None, False)):
        if rows is P.rows and scale is None and eliminate and statuses:
            continue  # the same question as before
        status, found = _asked(P, chosen, rows, size, eliminate)
        statuses.append(status)
        # The core has confirmed that every row is valid and tight; the rest is whether there are enough.
        if found is not None and is_projection(P, found, chosen, rows_are_tight=True):
            return found
    if WORK_LIMIT in statuses:
        raise TooMuchWorkError(
            f"the projection of {len(P.b)} inequalities in {P.n} variables on {len(chosen)} of them is too much work: it has too"
            " many facets, or too many on the way; keep fewer variables, or ask the set itself (maximize, contains)",
            **P.data,
            keep=chosen,
        )
    return None


def _asked(P: Polytope, chosen: np.ndarray, rows, scale, eliminate: bool) -> tuple[int, Polytope | None]:
    """The core's status, and its answer with labels if it has one."""
    mask = np.zeros(P.n, dtype=bool)
    mask[chosen] = True
    order = np.argsort(np.argsort(chosen))  # the core answers in the original order
    found = core.project(*rows, mask, eliminate=eliminate)
    if found.status != OPTIMAL:
        return found.status, None
    inner = np.ones(len(chosen)) if scale is None else scale[mask]
    causes = [naming.union(P.labels + P.equality_labels, row) for row in found.ancestors]
    m = len(found.b)
    made = Polytope._trusted(
        (found.A / inner)[:, order],
        found.b,
        (found.C / inner)[:, order],
        found.e,
        tuple(causes[:m]),
        tuple(causes[m:]),
    )
    _mark_minimal(made)
    return found.status, made


def _second_opinion(P: Polytope, chosen: np.ndarray) -> Polytope:
    """By cdd's block elimination, then by the hull of the projected generators: for small sets."""
    from modecontrol.polytopes import vertices

    small = len(P.b) + len(P.d) <= CDD_ROWS and P.n <= CDD_VARIABLES
    for method in (vertices.project_by_blocks, vertices.project_by_generators) if small else ():
        found = method(P, chosen)
        if found is not None and is_projection(P, found, chosen):
            return found
    raise UncheckedError(
        "neither elimination nor cuts nor generators gave a projection that passes its check",
        **P.data,
        keep=chosen,
    )


def _mark_minimal(P: Polytope) -> None:
    """Record that the rows are minimal as they stand, so that nobody reduces them again."""
    m, p = len(P.b), len(P.d)
    none = np.zeros(m, dtype=bool)
    P.__dict__.update(_is_minimal=True, _reduction=Reduction(~none, none, np.arange(p)))


def lifted_rows(projection: Polytope, chosen: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the projection (inequalities, then equalities both ways) in the variables of the lifted set."""
    rows = np.vstack([projection.A, projection.C, -projection.C])
    level = np.concatenate([projection.b, projection.d, -projection.d])
    size = row_size(rows)
    lifted = np.zeros((len(rows), n))
    lifted[:, chosen] = rows / size[:, None]
    return lifted, level / size


def is_projection(
    P: Polytope, projection: Polytope, chosen: np.ndarray, rows_are_tight: bool = False
) -> bool:
    """Whether `projection` passes for the projection of the nonempty `P`.

    Necessary conditions, quick: each row is valid and tight on `P`; along the axes and between neighbouring
    rows of the projection both sets reach equally far. `certify` asks for the full proof.

    Parameters
    ----------
    P : Polytope
        The lifted set.
    projection : Polytope
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
        for row, h in zip(*lifted_rows(projection, chosen, P.n), strict=True):
            if not abs(P._reach(row).value - h) <= SLACK * max(float(np.abs(row * P._scale).max()), abs(h)):
                return False
    for direction in _fan(projection, P._scale[chosen]):
        whole = np.zeros(P.n)
        whole[chosen] = direction
        far, near = P._reach(whole).value, projection._reach(direction).value
        if far != near and not abs(far - near) <= SLACK * max(
            float(np.abs(whole * P._scale).max()), abs(far)
        ):
            return False
    return True


def _fan(projection: Polytope, scale: np.ndarray) -> np.ndarray:
    """Directions of size one: the axes both ways, and some that point between the rows of the projection."""
    k = projection.n
    axes = np.diag(1.0 / scale) if k else np.zeros((0, 0))
    rows = projection.A / row_size(projection.A)[:, None]
    between = (rows + np.roll(rows, 1, axis=0))[: 2 * k] if len(rows) > 2 else np.zeros((0, k))
    fan = np.vstack([axes, -axes, between, -between])
    size = np.abs(fan).max(axis=1, initial=0.0)
    return fan[size > SLACK] / size[size > SLACK, None]
