"""The set `{x : A x <= b, C x = d}` and everything that can be asked of it.

Empty, flat, unbounded, without a vertex, without a row: all are sets, and every operation says what it does
with them. The work is done in the neighbouring files, one idea each; this one is the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from modecontrol.polytopes import checks
from modecontrol.polytopes import labels as naming
from modecontrol.polytopes.frame import Frame, frame_of
from modecontrol.polytopes.labels import Labels
from modecontrol.polytopes.linear_program import Optimum, feasible_point, optimum, rescaled
from modecontrol.polytopes.reduction import (
    Reduction,
    irreducible_clash,
    is_bounded,
    reduce_by_programs,
    reduce_rows,
)
from modecontrol.polytopes.scaling import uneven
from modecontrol.polytopes.units import natural_sizes

if TYPE_CHECKING:
    from modecontrol.polytopes.measure import Ball
    from modecontrol.polytopes.region import Region
    from modecontrol.polytopes.vertices import Generators

__all__ = ["Polytope"]


@dataclass(frozen=True, eq=False, repr=False)
class Polytope:
    """`{x in R^n : A x <= b, C x = d}`, closed and convex: empty, flat and unbounded sets are welcome.

    Parameters
    ----------
    A : array_like, (m, n), or None
        Coefficients of the inequalities; None (with `C` given) for none.
    b : array_like, (m,), or None
        Right-hand sides. `+inf` means "no bound": the row is left out.
    C : array_like, (p, n), optional
        Coefficients of the equalities.
    d : array_like, (p,), optional
        Right-hand sides of the equalities.
    labels : sequence of str, optional
        Why each inequality is there, one entry per row (a string, a set of strings, or None).
    equality_labels : sequence of str, optional
        The same for the equalities.

    Examples
    --------
    >>> triangle = Polytope([[-1, 0], [0, -1], [1, 1]], [0, 0, 1], labels=["left", "floor", "slope"])
    >>> triangle.volume
    0.5
    """

    A: np.ndarray
    b: np.ndarray
    C: np.ndarray = None  # type: ignore[assignment]
    d: np.ndarray = None  # type: ignore[assignment]
    labels: Labels = None  # type: ignore[assignment]
    equality_labels: Labels = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # what may be handed in is wider than what is kept

        def __init__(
            self, A: Any, b: Any, C: Any = None, d: Any = None, labels: Any = None, equality_labels: Any = None
        ) -> None: ...

    def __post_init__(self):
        self.__dict__.update(checks.rows(self.A, self.b, self.C, self.d, self.labels, self.equality_labels))

    def __reduce__(self):
        fields = self.A, self.b, self.C, self.d, self.labels, self.equality_labels
        return Polytope._trusted, fields

    # -- makers ----------------------------------------------------------------------------------------------

    @classmethod
    def _trusted(cls, A, b, C, d, labels: Labels, equality_labels: Labels) -> Polytope:
        """A set from arrays that are known to be float64, finite and of the right shape."""
        self = object.__new__(cls)
        self.__dict__.update(
            A=checks.frozen(A),
            b=checks.frozen(b),
            C=checks.frozen(C),
            d=checks.frozen(d),
            labels=labels,
            equality_labels=equality_labels,
        )
        return self

    @classmethod
    def box(cls, lower, upper, labels=None) -> Polytope:
        """`lower <= x <= upper`; infinite bounds are left out.

        Parameters
        ----------
        lower, upper : array_like, (n,)
            Bounds of each variable.
        labels : sequence of str, optional
            Names of the variables: rows are labelled "name <= upper" and "name >= lower".

        Returns
        -------
        Polytope
            The box, empty if some lower bound exceeds its upper bound.
        """
        return cls(*checks.box_rows(lower, upper, labels))

    @classmethod
    def whole(cls, n: int) -> Polytope:
        """All of R^n: no row at all.

        Parameters
        ----------
        n : int
            Number of variables.

        Returns
        -------
        Polytope
            Without rows.
        """
        return cls(np.zeros((0, n)), np.zeros(0))

    @classmethod
    def empty(cls, n: int) -> Polytope:
        """The empty set in R^n, written `0 x <= -1`.

        Parameters
        ----------
        n : int
            Number of variables.

        Returns
        -------
        Polytope
            With one row that cannot hold.
        """
        return cls(np.zeros((1, n)), np.array([-1.0]))

    @classmethod
    def from_vertices(cls, points, rays=(), lines=()) -> Polytope:
        """Convex hull of points plus the cone of rays plus the span of lines, in minimal form.

        Parameters
        ----------
        points : array_like, (k, n)
            Points; none at all gives the empty set.
        rays : array_like, (r, n)
            Directions in which the set goes on for ever.
        lines : array_like, (l, n)
            Directions in which it goes on both ways.

        Returns
        -------
        Polytope
            Checked: every generator lies in it, and none of its vertices is new.
        """
        from modecontrol.polytopes.hulls import hull_of

        return hull_of(points, rays, lines)

    # -- facts -----------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.A.shape[1]

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """`(A, b, C, d)` as kernels take them: not to be written to."""
        return checks.plain(self.A), checks.plain(self.b), checks.plain(self.C), checks.plain(self.d)

    @cached_property
    def _posed(self) -> tuple[np.ndarray | None, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Sizes of the variables and the rows in variables of that size; None where no scaling is needed."""
        if not uneven(self.A, self.C):
            return None, self.rows
        return self._scale, (self.A * self._scale, self.rows[1], self.C * self._scale, self.rows[3])

    def _reach(self, c: np.ndarray) -> Optimum:
        """`maximize` without looking at c first."""
        scale, rows = self._posed
        if scale is None:
            return optimum(c, *rows)
        return rescaled(optimum(c * scale, *rows), scale)

    @cached_property
    def _reduction(self) -> Reduction:
        found = reduce_rows(*self._posed[1])
        # One verdict about emptiness: at the edge of the tolerance `is_empty` decides.
        return found if (found.certificate is not None) == self.is_empty else reduce_by_programs(*self._posed[1])

    @cached_property
    def _start(self) -> Optimum:
        """A point of the set, or the proof that there is none."""
        scale, rows = self._posed
        return feasible_point(*rows) if scale is None else rescaled(feasible_point(*rows), scale)

    @property
    def is_empty(self) -> bool:
        """Whether no point satisfies all rows (to `FEASIBLE`, rows scaled); `farkas` has the proof."""
        return self._start.status == "infeasible"

    @cached_property
    def is_bounded(self) -> bool:
        """Whether the set fits in a ball; True for the empty set."""
        return self.is_empty or is_bounded(self.A, self.C)

    @cached_property
    def dimension(self) -> int:
        """Affine dimension: -1 empty, 0 a point, 1 a segment, ray or line, ..., n with interior."""
        return -1 if self.is_empty else self.n - len(self._reduction.hull)

    @property
    def implicit(self) -> np.ndarray:
        """Indices of the inequalities that hold with equality everywhere on the set (none if empty)."""
        return np.flatnonzero(self._reduction.implicit)

    def minimal(self, certify: bool = False) -> Polytope:
        """The same set with independent equalities, hidden ones among them, and no redundant inequality.

        Rows keep their numbers and labels; a hidden equality carries the labels of the rows that force it.
        The empty set comes back as its clash: rows that contradict each other and cannot be fewer.

        Parameters
        ----------
        certify : bool
            Confirm every row in exact arithmetic as well (small sets; slow).

        Returns
        -------
        Polytope
            Possibly this one.
        """
        if certify:
            from modecontrol.polytopes.certify import certify_minimal

            certify_minimal(self, self._minimal)
        return self._minimal

    @cached_property
    def _minimal(self) -> Polytope:
        from modecontrol.polytopes.minimal_form import minimal_form

        return self if self.__dict__.get("_is_minimal", False) else minimal_form(self)

    def _select(self, rows, equalities) -> Polytope:
        """Some of the rows, with their labels."""
        return Polytope._trusted(
            self.A[rows],
            self.b[rows],
            self.C[equalities],
            self.d[equalities],
            tuple(self.labels[i] for i in rows),
            tuple(self.equality_labels[i] for i in equalities),
        )

    # -- emptiness -------------------------------------------------------------------------------------------

    def farkas(self, certify: bool = False):
        """The proof of emptiness `(y, z)`: `y >= 0, A' y + C' z = 0, b y + d z < 0`; None if there is a
        point.

        Parameters
        ----------
        certify : bool
            Decide in exact arithmetic; the multipliers are then lists of `Fraction`, and a float answer that
            exact arithmetic contradicts beyond the tolerance raises `UncheckedError`.

        Returns
        -------
        tuple or None
            Multipliers of inequalities and equalities.
        """
        if certify:
            from modecontrol.polytopes.certify import certify_empty

            return certify_empty(self)
        return self._start.certificate if self.is_empty else None

    @cached_property
    def _clash(self) -> tuple[np.ndarray, np.ndarray]:
        return irreducible_clash(*self._posed[1], *self.farkas())

    @property
    def clash(self) -> list[str]:
        """Names of rows that contradict each other, not one too many; [] when the set has a point.

        Unlabelled rows are called "row 3" and "equality 0".
        """
        return naming.names(self.labels, self.equality_labels, *self._clash) if self.is_empty else []

    # -- points ----------------------------------------------------------------------------------------------

    def contains(self, x, margin: float = 0.0):
        """Whether `A x <= b - margin |A_i|` and `C x = d`, to `tolerances.FEASIBLE` after scaling each row.

        Parameters
        ----------
        x : array_like, (n,) or (N, n)
            A point, or one per row.
        margin : float
            Distance (Euclidean) to keep from every inequality; negative lets points be that far outside.

        Returns
        -------
        bool or numpy.ndarray of bool
            One answer per point.
        """
        x = checks.points(x, self.n)
        inside = checks.rows_hold(self.A, self.b, self.C, self.d, np.atleast_2d(x), float(margin))
        return bool(inside[0]) if x.ndim == 1 else inside

    def maximize(self, c) -> Optimum:
        """Maximise `c x` over the set.

        Parameters
        ----------
        c : array_like, (n,)
            Objective.

        Returns
        -------
        Optimum
            Status "optimal" with value and point, "unbounded" with a ray, or "infeasible" with a certificate.
        """
        return self._reach(checks.vector(c, self.n, "the objective c"))

    def support(self, c) -> float:
        """Greatest value of `c x`: `inf` if unbounded, `-inf` if empty.

        Parameters
        ----------
        c : array_like, (n,)
            Direction.

        Returns
        -------
        float
            The support function at c.
        """
        return self.maximize(c).value

    @cached_property
    def bounding_box(self) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and greatest value of each variable (infinite where unbounded; `inf, -inf` if empty)."""
        unit = np.eye(self.n)
        upper = np.array([self.support(e) for e in unit])
        lower = np.array([-self.support(-e) for e in unit])
        return lower, upper

    @cached_property
    def _scale(self) -> np.ndarray:
        return natural_sizes(*self.rows) if uneven(self.A, self.C) else np.ones(self.n)

    @cached_property
    def frame(self) -> Frame:
        """Coordinates on the affine hull: `x = origin + basis u`. An empty set has none (ValueError)."""
        if self.is_empty:
            raise ValueError(f"the empty set has no affine hull (clash: {', '.join(self.clash)})")
        small = self._minimal
        return frame_of(small.C, small.d, self._scale, self._start.point)

    # -- generators and measures -----------------------------------------------------------------------------

    @cached_property
    def generators(self) -> Generators:
        """Vertices, rays and lines: `P = hull(vertices) + cone(rays) + span(lines)`."""
        from modecontrol.polytopes.vertices import generators_of

        return generators_of(self)

    @property
    def vertices(self) -> np.ndarray:
        """Vertices, (k, n). A set with lines has none: these are then the vertices of its pointed part.

        The pointed part is the set cut by the subspace orthogonal (in scaled variables) to its lines, through
        the origin.
        """
        return self.generators.vertices

    @property
    def rays(self) -> np.ndarray:
        """Extreme rays of the (pointed part of the) recession cone, (r, n), largest entry 1."""
        return self.generators.rays

    @property
    def lines(self) -> np.ndarray:
        """Basis of the directions in which the set goes on both ways, (l, n)."""
        return self.generators.lines

    @cached_property
    def volume(self) -> float:
        """Measure in the affine hull: length, area, ...; 1 for a point, 0 if empty, `inf` if unbounded."""
        from modecontrol.polytopes.measure import volume

        return volume(self)

    @cached_property
    def chebyshev(self) -> Ball:
        """Largest ball in the affine hull: `.centre`, `.radius` (0 for a point, -inf if empty)."""
        from modecontrol.polytopes.measure import chebyshev

        return chebyshev(self)

    def sample(self, rng: np.random.Generator, size: int = 1) -> np.ndarray:
        """Points drawn uniformly from a bounded set, (size, n).

        Parameters
        ----------
        rng : numpy.random.Generator
            Where randomness comes from.
        size : int
            How many points.

        Returns
        -------
        numpy.ndarray
            One point per row. Empty and unbounded sets raise ValueError.
        """
        from modecontrol.polytopes.sampling import sample

        return sample(self, rng, size)

    def nearest(self, x) -> np.ndarray:
        """The point of the set nearest to x (Euclidean); ValueError if the set is empty.

        Parameters
        ----------
        x : array_like, (n,)
            A point.

        Returns
        -------
        numpy.ndarray
            Its projection onto the set.
        """
        from modecontrol.polytopes.distance import nearest

        return nearest(self, checks.vector(x, self.n, "the point x"))

    def distance(self, x) -> float:
        """Euclidean distance from x to the set: 0 inside, `inf` if the set is empty.

        Parameters
        ----------
        x : array_like, (n,)
            A point.

        Returns
        -------
        float
            The distance.
        """
        if self.is_empty:
            return np.inf
        return float(np.linalg.norm(self.nearest(x) - checks.vector(x, self.n, "the point x")))

    # -- algebra ---------------------------------------------------------------------------------------------

    @overload
    def intersect(self, other: Polytope) -> Polytope: ...

    @overload
    def intersect(self, other: Region) -> Region: ...

    def intersect(self, other: Polytope | Region) -> Polytope | Region:
        """Points in both sets: the rows of both, with their labels (not reduced).

        Parameters
        ----------
        other : Polytope or Region
            In the same space.

        Returns
        -------
        Polytope or Region
            Of the kind of `other`.
        """
        if not isinstance(other, Polytope):
            return other.intersect(self)
        checks.same_space(self, other)
        return Polytope._trusted(
            np.vstack([self.A, other.A]),
            np.concatenate([self.b, other.b]),
            np.vstack([self.C, other.C]),
            np.concatenate([self.d, other.d]),
            self.labels + other.labels,
            self.equality_labels + other.equality_labels,
        )

    def subtract(self, other: Polytope | Region) -> Region:
        """Closure of the points of this set that are not in the other, as convex pieces without common
        interior.

        Parameters
        ----------
        other : Polytope or Region
            In the same space.

        Returns
        -------
        Region
            Pieces thinner than `tolerances.FLAT` (scaled) within this set's affine hull are left out, so a
            set of lower dimension takes nothing away.
        """
        from modecontrol.polytopes.region import Region

        return Region((self,)).subtract(other)

    def project(self, keep, certify: bool = False) -> Polytope:
        """`{x_keep : some values of the other variables put x in the set}`, minimal.

        Parameters
        ----------
        keep : sequence of int, or of n bools
            Variables that stay. Integers also give the order of the result's variables.
        certify : bool
            Confirm the projection in exact arithmetic as well (small sets; slow).

        Returns
        -------
        Polytope
            Each row labelled with the labels of all rows it was made from.
        """
        from modecontrol.polytopes.projection import project

        return project(self, keep, certify)

    def translate(self, offset) -> Polytope:
        """`{x + offset}`.

        Parameters
        ----------
        offset : array_like, (n,)
            Displacement.

        Returns
        -------
        Polytope
            The moved set.
        """
        from modecontrol.polytopes.transforms import translate

        return translate(self, checks.vector(offset, self.n, "the offset"))

    def scale(self, factor) -> Polytope:
        """`{factor * x}` with one factor for all variables or one for each; zero factors flatten.

        Parameters
        ----------
        factor : float or array_like, (n,)
            Factors of any sign.

        Returns
        -------
        Polytope
            The scaled set.
        """
        from modecontrol.polytopes.transforms import scale

        return scale(self, factor)

    def image(self, matrix, offset=None) -> Polytope:
        """`{matrix x + offset : x in the set}`, in as many variables as the matrix has rows.

        Parameters
        ----------
        matrix : array_like, (k, n)
            Any matrix.
        offset : array_like, (k,), optional
            Zero if not given.

        Returns
        -------
        Polytope
            By substitution if the matrix can be inverted, by projection otherwise.
        """
        from modecontrol.polytopes.transforms import image

        return image(self, matrix, offset)

    def preimage(self, matrix, offset=None) -> Polytope:
        """`{y : matrix y + offset in the set}`.

        Parameters
        ----------
        matrix : array_like, (n, k)
            Any matrix.
        offset : array_like, (n,), optional
            Zero if not given.

        Returns
        -------
        Polytope
            In k variables; rows keep their labels.
        """
        from modecontrol.polytopes.transforms import preimage

        return preimage(self, matrix, offset)

    def __and__(self, other):
        return self.intersect(other)

    def __sub__(self, other):
        return self.subtract(other)

    def __le__(self, other: Polytope) -> bool:
        """Whether every point of this set lies in the other, to `FEASIBLE` after scaling each row."""
        from modecontrol.polytopes.inclusion import is_inside

        return is_inside(self, other)

    def __ge__(self, other: Polytope) -> bool:
        return other <= self

    def __eq__(self, other) -> bool:
        """The same set of points (not the same rows)."""
        if not isinstance(other, Polytope):
            return NotImplemented
        return self is other or (self.n == other.n and self <= other and other <= self)

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, x) -> bool:
        return bool(np.all(self.contains(x)))

    # -- showing ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        from modecontrol.polytopes.show import one_line

        return one_line(self)

    def __str__(self) -> str:
        from modecontrol.polytopes.show import text

        return text(self)

    def _repr_latex_(self) -> str:
        from modecontrol.polytopes.show import latex

        return latex(self)

    def plot(self, ax=None, **style):
        """Draw a set of one, two or three variables.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure if not given.
        **style
            Passed on to matplotlib.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from modecontrol.view import sets

        return sets.plot_polytope(self, ax, **style)
