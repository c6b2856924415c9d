"""Vertices, rays and lines; the only module that uses cdd.

    P  =  hull(vertices) + cone(rays) + span(lines)

The set is first reduced, written in coordinates of its affine hull and cut across its lines, so that a
pointed set with interior remains. cdd then converts it; its matrices are `[b, -A]` for `b - A x >= 0`, and
`[1, v]`, `[0, r]` for vertices and rays. cdd computes in floats here and can be silently wrong on nearly
parallel rows, so no answer of it is used before `generators_check` has confirmed it with qhull, which works
the other way round. Otherwise exact double description decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import labels as naming
from modecontrol.polytopes.exact.cones import extreme_rays
from modecontrol.polytopes.generators_check import are_generators, tidied
from modecontrol.polytopes.linear_program import optimum
from modecontrol.polytopes.scaling import column_scale, null_space, row_size

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope

_CDD_GAVE_UP = (RuntimeError, MemoryError, ValueError)
"""What cdd raises when it finds its own numbers inconsistent (a null pointer counts as no memory)."""

__all__ = ["Generators", "generators_of", "inequalities_by_cdd", "project_by_blocks", "project_by_generators"]


@dataclass(frozen=True, eq=False)
class Generators:
    """`hull(vertices) + cone(rays) + span(lines)`, each an array with one generator per row.

    Parameters
    ----------
    vertices, rays, lines : numpy.ndarray
        Shapes (k, n), (r, n), (l, n); read-only.
    """

    vertices: np.ndarray
    rays: np.ndarray
    lines: np.ndarray

    def __post_init__(self):
        for array in (self.vertices, self.rays, self.lines):
            array.flags.writeable = False


def generators_of(P: Polytope) -> Generators:
    """Generators of any polyhedron; the empty set has none.

    Returns
    -------
    Generators
        Checked, in lexicographic order.
    """
    n = P.n
    if P.is_empty:
        return Generators(np.zeros((0, n)), np.zeros((0, n)), np.zeros((0, n)))
    small, frame, scale = P.minimal(), P.frame, P._scale
    G, h = frame.rows(small.A, small.b)
    across = null_space(G)
    along = null_space(across.T) if across.shape[1] else np.eye(frame.k)
    V, R = _pointed(G @ along, h, P)
    into = frame.basis @ along
    vertices, rays, lines = frame.origin + V @ into.T, R @ into.T, (frame.basis @ across).T
    if len(lines):  # the pointed part goes through the origin, square to the lines in scaled variables
        unit = np.linalg.qr((lines / scale).T)[0]
        vertices = vertices - ((vertices / scale) @ unit @ unit.T) * scale
        rays = rays - ((rays / scale) @ unit @ unit.T) * scale
    rounding = tolerances.PRODUCT * (np.abs(frame.origin) + (np.abs(V) @ np.abs(into).T).max(axis=0))
    cone = not (np.any(small.b) or np.any(small.d))  # its only vertex is the origin
    vertices = np.where(cone | (np.abs(vertices) <= rounding), 0.0, vertices)
    return Generators(_sorted(vertices), _sorted(_unit(rays)), _echelon(lines))


def _unit(directions: np.ndarray) -> np.ndarray:
    """Directions with largest entry 1 and rounding dust wiped off."""
    directions = directions / row_size(directions)[:, None]
    return np.where(np.abs(directions) <= tolerances.PRODUCT, 0.0, directions)


def _echelon(lines: np.ndarray) -> np.ndarray:
    """The same span in reduced row echelon form: few nonzero entries, the same whatever the basis was."""
    lines, done = _unit(lines).copy(), 0
    for column in range(lines.shape[1]):
        if done == len(lines):
            break
        pivot = done + int(np.argmax(np.abs(lines[done:, column])))
        if abs(lines[pivot, column]) <= tolerances.RANK:
            lines[done:, column] = 0.0
            continue
        lines[[done, pivot]] = lines[[pivot, done]]
        lines[done] /= lines[done, column]
        others = np.arange(len(lines)) != done
        lines[others] -= np.outer(lines[others, column], lines[done])
        done += 1
    return _unit(lines)


def _sorted(rows: np.ndarray) -> np.ndarray:
    size = np.abs(rows).max(axis=0, initial=0.0)
    size[size == 0] = 1.0
    return np.ascontiguousarray(rows[np.lexsort(np.round(rows / size, 9).T[::-1])]) if rows.size else rows


def _pointed(G: np.ndarray, h: np.ndarray, P: Polytope) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and rays of the pointed set with interior `{w : G w <= h}` (rows minimal, size one)."""
    k = G.shape[1]
    if k == 0:
        return np.zeros((1, 0)), np.zeros((0, 0))
    if k == 1:
        ends = h / G[:, 0]
        rays = [] if len(ends) == 2 else [[-np.sign(G[0, 0])]]
        return np.sort(ends)[:, None], np.array(rays).reshape(-1, 1)
    centre, size = _middle(G, h)
    A = G * size
    rows = row_size(A)
    A, b = A / rows[:, None], (h - G @ centre) / rows
    for method in (_by_cdd, _by_exact_cone):
        found = method(A, b)
        if found is None:
            continue
        V, R, changed = tidied(A, b, *found)
        if are_generators(A, b, V, R, complete=method is _by_exact_cone and not changed):
            return centre + V * size, R * size
    raise UncheckedError(
        "neither cdd nor exact double description gave generators that stand their check",
        **P.data,
    )


def _middle(G: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An interior point and the extent of the set along each axis; where it is infinite, that of some
    vertices.
    """
    k = G.shape[1]
    none = np.zeros((0, k)), np.zeros(0)
    size, endless, ends = np.ones(k), np.ones(k, bool), []
    for j in range(k):
        for sign in (1.0, -1.0):
            unit = np.zeros(k)
            unit[j] = sign
            reach = optimum(unit, G, h, *none)
            assert reach.point is not None, "a set with interior has points"
            ends.append(reach.point)
            if sign > 0:
                top = reach.value
            elif np.isfinite(top) and np.isfinite(reach.value):
                size[j], endless[j] = max((top + reach.value) / 2, tolerances.SMALLEST_AXIS), False
    # The mean of points that touch the set's bounding box lies inside whenever they do not share a facet.
    centre = np.mean(ends, axis=0)
    spread, reach_out = np.abs(ends - centre).max(axis=0), np.abs(ends).max(axis=0)
    known = (
        endless
        & (spread > tolerances.AXIS_SPREAD * reach_out)
        & (spread > tolerances.SMALLEST_AXIS * max(1.0, reach_out.max()))
    )  # not rounding
    size[known] = spread[known]
    if np.min((h - G @ centre) / np.linalg.norm(G * size, axis=1)) <= tolerances.CENTRAL:
        ball = np.hstack([G * size, np.linalg.norm(G * size, axis=1)[:, None]])
        ball = np.ascontiguousarray(np.vstack([ball, np.append(np.zeros(k), 1.0)]))
        best = optimum(
            np.append(np.zeros(k), 1.0), ball, np.append(h, 1.0), np.zeros((0, k + 1)), np.zeros(0)
        )
        assert best.point is not None, "a set with interior has points"
        centre = best.point[:k] * size
    return centre, np.exp2(np.round(np.log2(size)))


def _split(generators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`[t, w]` rows into vertices `w / t` and rays."""
    finite = generators[:, 0] > 0
    return generators[finite, 1:] / generators[finite, :1], generators[~finite, 1:]


def _by_cdd(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Cdd's answer, None if it failed or reports a line (there is none)."""
    import cdd

    try:
        matrix = cdd.matrix_from_array(np.hstack([b[:, None], -A]).tolist(), rep_type=cdd.RepType.INEQUALITY)
        found = cdd.copy_generators(cdd.polyhedron_from_matrix(matrix))
    except _CDD_GAVE_UP:
        return None
    if found.lin_set or not len(found.array):
        return None
    return _split(np.array(found.array, dtype=float))


def _by_exact_cone(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Exact rays of the cone `{(t, w) : b t - A w >= 0, t >= 0}`."""
    k = A.shape[1]
    found = extreme_rays(np.vstack([np.hstack([b[:, None], -A]), np.eye(1, k + 1)]))
    if found is None:
        return None
    size = np.array([max(map(abs, row)) if row[0] == 0 else row[0] for row in found], dtype=object)
    return _split(np.array([[float(_ratio(v, s)) for v in row] for row, s in zip(found, size, strict=True)]))


def _ratio(v: int, s: int):
    from fractions import Fraction

    return Fraction(v, s)


def inequalities_by_cdd(points: np.ndarray, rays: np.ndarray, lines: np.ndarray):
    """Rows `(A, b, C, d)` of `hull(points) + cone(rays) + span(lines)`, unchecked; None if cdd failed.

    Parameters
    ----------
    points, rays, lines : numpy.ndarray
        Generators, one per row, well scaled.

    Returns
    -------
    tuple of four numpy.ndarray, or None
        Inequalities and equalities.
    """
    import cdd

    first = np.concatenate([np.ones(len(points)), np.zeros(len(rays) + len(lines))])
    table = np.hstack([first[:, None], np.vstack([points, rays, lines])])
    linear = range(len(points) + len(rays), len(table))
    try:
        matrix = cdd.matrix_from_array(table.tolist(), rep_type=cdd.RepType.GENERATOR, lin_set=set(linear))
        found = cdd.copy_inequalities(cdd.polyhedron_from_matrix(matrix))
    except _CDD_GAVE_UP:
        return None
    return _rows_of(found, points.shape[1])


def _rows_of(matrix, n: int):
    """Cdd's `[b, -A]` rows, with its linear rows as equalities."""
    table = np.array(matrix.array, dtype=float).reshape(-1, n + 1)
    equal = np.zeros(len(table), dtype=bool)
    equal[list(matrix.lin_set)] = True
    return -table[~equal, 1:], table[~equal, 0], -table[equal, 1:], table[equal, 0]


def project_by_blocks(P: Polytope, chosen: np.ndarray) -> Polytope | None:
    """Projection by cdd's block elimination (generators of the multipliers' cone), unchecked but minimal.

    Labels come from the multipliers that prove each row on the lifted set, which is not empty. None if cdd failed.
    """
    import cdd

    from modecontrol.polytopes.polytope import Polytope

    small = P.minimal()
    scale = column_scale(small.A, small.C)
    rows, level = np.vstack([small.C, small.A]) * scale, np.concatenate([small.d, small.b])
    size = row_size(rows)
    table = np.hstack([(level / size)[:, None], -rows / size[:, None]])
    drop = set(range(1, P.n + 1)) - {int(j) + 1 for j in chosen}
    if not len(table):
        return Polytope.whole(len(chosen))
    try:
        matrix = cdd.matrix_from_array(
            table.tolist(), rep_type=cdd.RepType.INEQUALITY, lin_set=set(range(len(small.d)))
        )
        found = cdd.block_elimination(matrix, drop)
    except _CDD_GAVE_UP:
        return None
    order = np.argsort(np.argsort(chosen))
    A, b, C, d = _rows_of(found, len(chosen))
    inner = scale[np.sort(chosen)]
    made = Polytope((A / inner)[:, order], b, (C / inner)[:, order], d).minimal()
    return _named(made, P, chosen)


def project_by_generators(P: Polytope, chosen: np.ndarray) -> Polytope | None:
    """Projection as the hull of the projected vertices, rays and lines of a set that is not empty.

    None if the generators or their hull could not be vouched for.
    """
    from modecontrol.polytopes.hulls import hull_of

    try:
        return _named(hull_of(P.vertices[:, chosen], P.rays[:, chosen], P.lines[:, chosen]), P, chosen)
    except UncheckedError:
        return None


def _named(projection: Polytope, P: Polytope, chosen: np.ndarray) -> Polytope:
    """The projection with labels: those of the rows whose multipliers prove each row of it on P."""
    from modecontrol.polytopes.polytope import Polytope

    words = []
    for row in np.vstack([projection.A, projection.C]):
        lifted = np.zeros(P.n)
        lifted[chosen] = row
        proof = P._reach(lifted).certificate
        words.append(
            frozenset()
            if proof is None
            else naming.union(P.labels, proof[0] != 0) | naming.union(P.equality_labels, proof[1] != 0)
        )
    m = len(projection.b)
    return Polytope(*projection.rows, tuple(words[:m]), tuple(words[m:])).minimal()
