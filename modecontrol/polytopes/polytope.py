"""The set `{x : A x <= b, C x = d}` and everything that can be asked of it.

Empty, flat, unbounded, without a vertex, without a row: all are sets, and every operation says what it does
with them. The work is done in the neighbouring files, one idea each; this one is the list.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes import checks
from modecontrol.polytopes.decided import Decided
from modecontrol.polytopes.generated import Generated
from modecontrol.polytopes.labels import Labels
from modecontrol.polytopes.linear_program import Optimum
from modecontrol.polytopes.operations import Operations
from modecontrol.polytopes.operators import Operators
from modecontrol.polytopes.variables import Names, as_names
from modecontrol.validation import check_number

__all__ = ["Polytope"]


@dataclass(frozen=True, eq=False, repr=False)
class Polytope(Operators, Operations, Generated, Decided):
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
    names : sequence of str, optional
        Names of the variables.

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
    _: KW_ONLY
    names: Names = None

    if TYPE_CHECKING:  # what may be handed in is wider than what is kept

        def __init__(
            self,
            A: Any,
            b: Any,
            C: Any = None,
            d: Any = None,
            labels: Any = None,
            equality_labels: Any = None,
            *,
            names: Any = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        self.__dict__.update(checks.rows(self.A, self.b, self.C, self.d, self.labels, self.equality_labels))
        self.__dict__["names"] = as_names(self.names, self.n)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.A, self.b, self.C, self.d, self.labels, self.equality_labels
        return partial(Polytope._trusted, names=self.names), fields

    # -- makers ----------------------------------------------------------------------------------------------

    @classmethod
    def _trusted(
        cls, A: Any, b: Any, C: Any, d: Any, labels: Labels, equality_labels: Labels, *, names: Names = None
    ) -> Polytope:
        """A set from arrays that are known to be float64, finite and of the right shape."""
        self = object.__new__(cls)
        self.__dict__.update(
            A=checks.frozen(A),
            b=checks.frozen(b),
            C=checks.frozen(C),
            d=checks.frozen(d),
            labels=labels,
            equality_labels=equality_labels,
            names=names,
        )
        return self

    @classmethod
    def box(cls, lower: ArrayLike, upper: ArrayLike, labels: Any = None) -> Polytope:
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
        A, b, words = checks.box_rows(lower, upper, labels)
        return cls(A, b, labels=words, names=labels)

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
        return cls(np.zeros((0, checks.variables(n))), np.zeros(0))

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
        return cls(np.zeros((1, checks.variables(n))), np.array([-1.0]))

    @classmethod
    def from_vertices(cls, points: ArrayLike, rays: ArrayLike = (), lines: ArrayLike = ()) -> Polytope:
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

    @property
    def data(self) -> dict[str, np.ndarray]:
        """The rows by their letters, as errors carry them."""
        return {"A": self.A, "b": self.b, "C": self.C, "d": self.d}

    def _select(self, rows: Any, equalities: Any) -> Polytope:
        """Some of the rows, with their labels."""
        return Polytope._trusted(
            self.A[rows],
            self.b[rows],
            self.C[equalities],
            self.d[equalities],
            tuple(self.labels[i] for i in rows),
            tuple(self.equality_labels[i] for i in equalities),
            names=self.names,
        )

    # -- points ----------------------------------------------------------------------------------------------

    def contains(self, x: Any, margin: float = 0.0) -> Any:
        """Whether `A x <= b - margin |A_i|` and `C x = d`, to `tolerances.FEASIBLE` of the size of the set.

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
        inside = checks.rows_hold(
            self._posed[1], np.atleast_2d(x) / self._scale, check_number(margin, "margin") * self._stretch
        )
        return bool(inside[0]) if x.ndim == 1 else inside

    @cached_property
    def _stretch(self) -> np.ndarray:
        """What a distance of one takes from the right-hand side of each inequality, as posed."""
        return np.linalg.norm(self.A, axis=1) / self._units[1]

    def maximize(self, c: ArrayLike) -> Optimum:
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

    @cached_property
    def bounding_box(self) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and greatest value of each variable (infinite where unbounded; `inf, -inf` if empty)."""
        unit = np.eye(self.n)
        upper = np.array([self.support(e) for e in unit])
        lower = np.array([-self.support(-e) for e in unit])
        return lower, upper

    def __eq__(self, other: object) -> bool:
        """The same set of points (not the same rows)."""
        if not isinstance(other, Polytope):
            return NotImplemented
        return self is other or (self.n == other.n and self <= other and other <= self)

    __hash__ = None  # type: ignore[assignment]

    # -- showing ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        from modecontrol.polytopes.printing import one_line

        return one_line(self)

    def __str__(self) -> str:
        from modecontrol.polytopes.printing import text

        return text(self)

    def _repr_latex_(self) -> str:
        from modecontrol.polytopes.printing import latex

        return latex(self)
