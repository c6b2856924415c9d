"""What linear programs decide about a set: whether it is empty or bounded, its dimension, its minimal rows.

All are asked in variables of the set's own size, so that units decide nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

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
from modecontrol.polytopes.units import own_units
from modecontrol.validation import check_flag

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope

__all__ = ["Decided"]


class Decided:
    """Emptiness, boundedness, dimension and minimal rows of a `Polytope`."""

    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    d: np.ndarray
    labels: Labels
    equality_labels: Labels
    n: Any
    rows: Any

    @cached_property
    def _units(self) -> tuple[np.ndarray | None, float]:
        """Sizes of the variables beside each other (None: alike), and the size of the set in them."""
        return own_units(*self.rows)

    @cached_property
    def _posed(self) -> tuple[np.ndarray | None, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Sizes of the variables and the rows in variables of that size; None where no scaling is needed."""
        beside, size = self._units
        if beside is None and size == 1.0:
            return None, self.rows
        A, b, C, d = self.rows
        return self._scale, (A, b / size, C, d / size) if beside is None else (
            A * beside,
            b / size,
            C * beside,
            d / size,
        )

    @cached_property
    def _scale(self) -> np.ndarray:
        """The size of each variable: tolerances are relative to it."""
        beside, size = self._units
        return np.full(self.n, size) if beside is None else beside * size

    def _reach(self, c: np.ndarray) -> Optimum:
        """`maximize` without looking at c first."""
        scale, rows = self._posed
        if scale is None:
            return optimum(c, *rows)
        return rescaled(optimum(c * scale, *rows), scale, self._units[1])

    @cached_property
    def _reduction(self) -> Reduction:
        found = reduce_rows(*self._posed[1])
        # One verdict about emptiness: at the edge of the tolerance `is_empty` decides.
        return (
            found if (found.certificate is not None) == self.is_empty else reduce_by_programs(*self._posed[1])
        )

    @cached_property
    def _start(self) -> Optimum:
        """A point of the set, or the proof that there is none."""
        scale, rows = self._posed
        return (
            feasible_point(*rows) if scale is None else rescaled(feasible_point(*rows), scale, self._units[1])
        )

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
        if check_flag(certify, "certify"):
            from modecontrol.polytopes.exact.certify import certify_minimal

            certify_minimal(cast("Polytope", self), self._minimal)
        return self._minimal

    @cached_property
    def _minimal(self) -> Polytope:
        from modecontrol.polytopes.minimal_form import minimal_form

        mine = cast("Polytope", self)
        return mine if self.__dict__.get("_is_minimal", False) else minimal_form(mine)

    def farkas(self, certify: bool = False) -> tuple[Any, Any] | None:
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
        if check_flag(certify, "certify"):
            from modecontrol.polytopes.exact.certify import certify_empty

            return certify_empty(cast("Polytope", self))
        return self._start.certificate if self.is_empty else None

    @cached_property
    def _clash(self) -> tuple[np.ndarray, np.ndarray]:
        certificate = self.farkas()
        assert certificate is not None, "only empty sets clash"
        return irreducible_clash(*self._posed[1], *certificate)

    @property
    def clash(self) -> list[str]:
        """Names of rows that contradict each other, not one too many; [] when the set has a point.

        Unlabelled rows are called "row 3" and "equality 0".
        """
        return naming.names(self.labels, self.equality_labels, *self._clash) if self.is_empty else []

    @cached_property
    def frame(self) -> Frame:
        """Coordinates on the affine hull: `x = origin + basis u`. An empty set has none (ValueError)."""
        if self.is_empty:
            raise ValueError(f"the empty set has no affine hull (clash: {', '.join(self.clash)})")
        small = self._minimal
        return frame_of(small.C, small.d, self._scale, self._start.point)
