"""A catalogue of sets, nasty ones first, each with what is known about it."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from modecontrol.polytopes import Polytope


@dataclass(frozen=True)
class Shape:
    """A set and its facts: dimension, number of vertices, rays, lines and facets, volume in its hull."""

    name: str
    A: object
    b: object
    C: object = None
    d: object = None
    dimension: int = -1
    bounded: bool = True
    vertices: int = 0
    rays: int = 0
    lines: int = 0
    facets: int = 0
    volume: float = 0.0

    @property
    def set(self) -> Polytope:
        """The set, made anew."""
        return Polytope(self.A, self.b, self.C, self.d)

    def __str__(self) -> str:
        return self.name


def _box(low, high):
    n = len(low)
    return np.vstack([np.eye(n), -np.eye(n)]), np.concatenate([high, -np.asarray(low, dtype=float)])


def _stack(*parts):
    return np.vstack([part[0] for part in parts]), np.concatenate([np.atleast_1d(part[1]) for part in parts])


_SQUARE = _box([0, 0], [1, 1])
_CUBE = _box([-1] * 3, [1] * 3)
_SIGNS = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
_UNITS = np.array([1e-6, 1.0, 1e6])
_TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]

SHAPES = [
    # empty
    # ---------------------------------------------------------------------------------------------------
    Shape("empty: two rows", [[1.0], [-1.0]], [0, -1]),
    Shape("empty: row of zeros", [[0.0, 0.0]], [-1]),
    Shape("empty: equality of zeros", np.zeros((0, 2)), [], [[0.0, 0.0]], [1]),
    Shape("empty: equalities disagree", np.zeros((0, 2)), [], [[1.0, 1], [2, 2]], [1, 3]),
    Shape("empty: too many equalities", np.zeros((0, 2)), [], [[1.0, 0], [0, 1], [1, 1]], [1, 1, 3]),
    Shape("empty: triangle turned inside out", [[1.0, 0], [0, 1], [-1, -1]], [0, 0, -1]),
    Shape("empty: equality misses the square", *_SQUARE, [[1.0, 1]], [3]),
    Shape("empty: unbounded rows", [[1.0, -1, 0], [0, 1, -1], [-1, 0, 1]], [-1, 0, 0]),
    Shape("empty: in no variables", np.zeros((1, 0)), [-1]),
    # points
    # --------------------------------------------------------------------------------------------------
    Shape("point: in no variables", np.zeros((0, 0)), [], dimension=0, vertices=1, volume=1),
    Shape("point: vacuous row in no variables", np.zeros((1, 0)), [2], dimension=0, vertices=1, volume=1),
    Shape("point: equalities", np.zeros((0, 2)), [], [[1.0, 1], [1, -1]], [1, 3], 0, True, 1, volume=1),
    Shape(
        "point: three half-planes", [[-1.0, 0], [0, -1], [1, 1]], [0, 0, 0], None, None, 0, True, 1, volume=1
    ),
    Shape(
        "point: too many equalities that agree",
        np.zeros((0, 2)),
        [],
        [[1.0, 0], [0, 1], [1, 1]],
        [1, 1, 2],
        0,
        True,
        1,
        volume=1,
    ),
    Shape(
        "point: corner of a cube", *_stack(_CUBE, ([[-1.0, -1, -1]], -3)), None, None, 0, True, 1, volume=1
    ),
    # flat
    # ----------------------------------------------------------------------------------------------------
    Shape(
        "segment in space",
        *_box([0] * 3, [1] * 3),
        [[1.0, -1, 0], [0, 1, -1]],
        [0, 0],
        1,
        True,
        2,
        facets=2,
        volume=sqrt(3),
    ),
    Shape(
        "segment: hidden in rows",
        *_stack(_SQUARE, ([[1.0, 1], [-1, -1]], [1, -1])),
        None,
        None,
        1,
        True,
        2,
        facets=2,
        volume=sqrt(2),
    ),
    Shape(
        "square with a vacuous row",
        *_stack(_box([0, 0], [1, 1]), ([[0.0, 0]], 1))[:2],
        None,
        None,
        2,
        True,
        4,
        facets=4,
        volume=1,
    ),
    Shape(
        "square at height one",
        np.hstack([_SQUARE[0], np.zeros((4, 1))]),
        _SQUARE[1],
        [[0.0, 0, 1]],
        [1],
        2,
        True,
        4,
        facets=4,
        volume=1,
    ),
    Shape(
        "square hidden in six rows",
        np.vstack([np.eye(3), -np.eye(3)]) @ _TURN,
        [1, 1, 2, 0, 0, -2.0],
        None,
        None,
        2,
        True,
        4,
        facets=4,
        volume=1,
    ),
    Shape("flat half-plane", [[1.0, 0, 0]], [1], [[0.0, 0, 1]], [2], 2, False, 1, 1, 1, 1, inf),
    Shape(
        "facet of a cube", *_stack(_CUBE, ([[-1.0, 0, 0]], -1)), None, None, 2, True, 4, facets=4, volume=4
    ),
    # unbounded
    # -----------------------------------------------------------------------------------------------
    Shape("whole space", np.zeros((0, 3)), [], dimension=3, bounded=False, vertices=1, lines=3, volume=inf),
    Shape("whole line, vacuous row", [[0.0]], [1], None, None, 1, False, 1, 0, 1, 0, inf),
    Shape("half-space", [[1.0, 2, 3]], [4], None, None, 3, False, 1, 1, 2, 1, inf),
    Shape("strip", [[1.0, 1], [-1, -1]], [1, 1], None, None, 2, False, 2, 0, 1, 2, inf),
    Shape("wedge with a line", [[1.0, 1, 0], [1, -1, 0]], [0, 0], None, None, 3, False, 1, 2, 1, 2, inf),
    Shape("cone", -np.eye(3), [0] * 3, None, None, 3, False, 1, 3, 0, 3, inf),
    Shape("friction cone", [[1.0, -0.5], [-1, -0.5]], [0, 0], None, None, 2, False, 1, 2, 0, 2, inf),
    Shape(
        "cone over a square",
        [[1.0, 0, -1], [-1, 0, -1], [0, 1, -1], [0, -1, -1]],
        [0] * 4,
        None,
        None,
        3,
        False,
        1,
        4,
        0,
        4,
        inf,
    ),
    Shape("quadrant shifted", -np.eye(2), [1, 2], None, None, 2, False, 1, 2, 0, 2, inf),
    Shape("half-strip", [[1.0, 0], [-1, 0], [0, -1]], [1, 0, 0], None, None, 2, False, 2, 1, 0, 3, inf),
    Shape("line", np.zeros((0, 2)), [], [[1.0, 1]], [1], 1, False, 1, 0, 1, 0, inf),
    # bounded
    # -------------------------------------------------------------------------------------------------
    Shape("interval", [[2.0], [-4.0]], [3, 2], None, None, 1, True, 2, 0, 0, 2, 2),
    Shape(
        "simplex",
        np.vstack([-np.eye(4), np.ones(4)]),
        [0, 0, 0, 0, 1],
        None,
        None,
        4,
        True,
        5,
        0,
        0,
        5,
        1 / 24,
    ),
    Shape("cube", *_CUBE, None, None, 3, True, 8, 0, 0, 6, 8),
    Shape("cube of dimension six", *_box([0] * 6, [2] * 6), None, None, 6, True, 64, 0, 0, 12, 64),
    Shape("octahedron", _SIGNS, [1.0] * 8, None, None, 3, True, 6, 0, 0, 8, 4 / 3),
    Shape(
        "pyramid",
        [[1.0, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1], [0, 0, -1]],
        [1, 1, 1, 1, 0],
        None,
        None,
        3,
        True,
        5,
        0,
        0,
        5,
        4 / 3,
    ),
    # awkward rows
    # --------------------------------------------------------------------------------------------
    Shape(
        "every row three times",
        *_stack(_SQUARE, _SQUARE, (_SQUARE[0] * 7, _SQUARE[1] * 7)),
        None,
        None,
        2,
        True,
        4,
        0,
        0,
        4,
        1,
    ),
    Shape(
        "rows that only touch",
        *_stack(_SQUARE, ([[1.0, 1], [-1, -1], [2, 1]], [2, 0, 3])),
        None,
        None,
        2,
        True,
        4,
        0,
        0,
        4,
        1,
    ),
    Shape(
        "rows of zeros", *_stack(_SQUARE, ([[0.0, 0], [0, 0]], [0, 5])), None, None, 2, True, 4, 0, 0, 4, 1
    ),
    Shape("equality twice", *_SQUARE, [[1.0, 1], [-3, -3]], [1, -3], 1, True, 2, 0, 0, 2, sqrt(2)),
    Shape(
        "nearly parallel rows",
        *_stack(_box([-2, -2], [2, 2]), ([[1.0, 1], [1, 1 + 1e-7]], [1, 1])),
        None,
        None,
        2,
        True,
        6,
        0,
        0,
        6,
        11.5,
    ),
    Shape(
        "rows from 1e-6 to 1e6",
        _SQUARE[0] * [[1e-6], [1.0], [1e6], [1e3]],
        _SQUARE[1] * [1e-6, 1, 1e6, 1e3],
        None,
        None,
        2,
        True,
        4,
        0,
        0,
        4,
        1,
    ),
    Shape(
        "variables from 1e-6 to 1e6",
        np.vstack([np.eye(3), -np.eye(3)]) / _UNITS,
        [1, 1, 1, 0, 0, 0.0],
        None,
        None,
        3,
        True,
        8,
        0,
        0,
        6,
        1,
    ),
    Shape(
        "sheared, mixed units",
        np.vstack([-np.eye(3), np.ones(3)]) / _UNITS,
        [0, 0, 0, 1.0],
        None,
        None,
        3,
        True,
        4,
        0,
        0,
        4,
        1 / 6,
    ),
    Shape(
        "large right-hand sides", *_box([1e6, 1e6], [1e6 + 1, 1e6 + 2]), None, None, 2, True, 4, 0, 0, 4, 2
    ),
]

NONEMPTY = [shape for shape in SHAPES if shape.dimension >= 0]
