"""A finite union of polytopes: what is left when sets are taken away from each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes import checks
from modecontrol.polytopes.linear_program import Optimum
from modecontrol.polytopes.operators import Operators, others
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.variables import Names, Values
from modecontrol.validation import as_tuple, shown

__all__ = ["Region"]


@dataclass(frozen=True, eq=False, repr=False)
class Region(Operators):
    """`P_1 or P_2 or ...`, pieces closed, convex, possibly overlapping; empty ones are left out.

    Parameters
    ----------
    pieces : iterable of Polytope
        Sets in the same space.
    n : int, optional
        Number of variables; needed only when there is no piece.
    """

    pieces: tuple[Polytope, ...]
    n: int = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # what may be handed in is wider than what is kept

        def __init__(self, pieces: Any, n: int | None = None) -> None: ...

    def __post_init__(self) -> None:
        pieces = (
            (self.pieces,)
            if isinstance(self.pieces, Polytope)
            else as_tuple(self.pieces, "pieces", "polytopes")
        )
        if not all(isinstance(piece, Polytope) for piece in pieces):
            raise TypeError(f"pieces is {shown(self.pieces)}; expected polytopes")
        if self.n is not None:
            self.__dict__["n"] = checks.variables(self.n)
        sizes = {piece.n for piece in pieces} | ({self.n} if self.n is not None else set())
        if len(sizes) != 1:
            found = "no piece and no n" if not sizes else f"{sorted(sizes)} variables"
            raise ValueError(f"a region of {found}; expected pieces in one space, or n for an empty region")
        self.__dict__.update(pieces=tuple(p for p in pieces if not p.is_empty), n=sizes.pop())

    def __iter__(self) -> Iterator[Polytope]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    # -- facts -----------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether there is no point."""
        return not self.pieces

    @property
    def is_bounded(self) -> bool:
        """Whether every piece is bounded."""
        return all(piece.is_bounded for piece in self.pieces)

    @property
    def dimension(self) -> int:
        """Largest dimension of a piece, -1 if empty."""
        return max((piece.dimension for piece in self.pieces), default=-1)

    @property
    def names(self) -> Names:
        """Names of the variables: those of the pieces, None where they have none."""
        named = [piece.names for piece in self.pieces if piece.names is not None]
        return named[0] if named else None

    @property
    def bounding_box(self) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and greatest value of each variable (infinite where unbounded; `inf, -inf` if empty)."""
        boxes = [piece.bounding_box for piece in self.pieces]
        lower = np.min([low for low, _ in boxes], axis=0) if boxes else np.full(self.n, np.inf)
        upper = np.max([high for _, high in boxes], axis=0) if boxes else np.full(self.n, -np.inf)
        return lower, upper

    def slice(self, values: Values) -> Region:
        """`{the other variables : x in the region with these values}`.

        Parameters
        ----------
        values : mapping
            Values of some variables, by name or number.

        Returns
        -------
        Region
            The slices of the pieces.
        """
        empty = Polytope.empty(self.n).slice(values)  # says what is wrong with the values
        return Region(tuple(piece.slice(values) for piece in self.pieces), empty.n)

    def contains(self, x: Any, margin: float = 0.0) -> Any:
        """Whether some piece contains x.

        Parameters
        ----------
        x : array_like, (n,) or (N, n)
            A point, or one per row.
        margin : float
            Distance to keep from the inequalities of the piece.

        Returns
        -------
        bool or numpy.ndarray of bool
            One answer per point.
        """
        x = checks.points(x, self.n)
        inside = np.zeros(len(np.atleast_2d(x)), dtype=bool)
        for piece in self.pieces:
            inside |= np.atleast_1d(piece.contains(x, margin))
        return bool(inside[0]) if x.ndim == 1 else inside

    def maximize(self, c: ArrayLike) -> Optimum:
        """Maximise `c x` over all pieces; `piece` of the answer says where.

        Parameters
        ----------
        c : array_like, (n,)
            Objective.

        Returns
        -------
        Optimum
            The best of the pieces; "infeasible" if the region is empty.
        """
        best = Optimum("infeasible", -np.inf)
        for i, piece in enumerate(self.pieces):
            found = piece.maximize(c)
            if best.piece is None or found.value > best.value:
                best = replace(found, piece=i)
        return best

    def distance(self, x: ArrayLike) -> float:
        """Euclidean distance from x to the region, `inf` if it is empty.

        Parameters
        ----------
        x
            Point (n,).
        """
        return min((piece.distance(x) for piece in self.pieces), default=np.inf)

    @cached_property
    def volume(self) -> float:
        """Measure of the union in its own dimension: overlaps count once, thinner pieces nothing."""
        return float(sum(p.volume for p in self.disjoint() if p.dimension == self.dimension))

    # -- algebra ---------------------------------------------------------------------------------------------

    def intersect(self, other: Polytope | Region) -> Region:
        """Points in both.

        Parameters
        ----------
        other : Polytope or Region
            In the same space.

        Returns
        -------
        Region
            Pairwise intersections that are not empty, in minimal form.
        """
        pairs = (p.intersect(q) for p in self.pieces for q in others(self, other))
        return Region(tuple(p.minimal() for p in pairs if isinstance(p, Polytope) and not p.is_empty), self.n)

    def disjoint(self) -> Region:
        """The same points as pieces without common interior; larger dimensions come first."""
        ordered = sorted(self.pieces, key=lambda p: -p.dimension)
        made: list[Polytope] = []
        for i, piece in enumerate(ordered):
            made += Region((piece,)).subtract(Region(tuple(ordered[:i]), self.n)).pieces
        return Region(tuple(made), self.n)

    def merge(self) -> Region:
        """The same points in fewer pieces: pairs with a convex union become one, contained pieces go."""
        from modecontrol.polytopes.merging import merged

        return Region(tuple(merged(list(self.pieces))), self.n)

    def __eq__(self, other: object) -> bool:
        """The same points, apart from sets thinner than the pieces they are taken from."""
        if isinstance(other, Polytope):
            other = Region((other,))
        if not isinstance(other, Region):
            return NotImplemented
        return self is other or (self.n == other.n and (self - other).is_empty and (other - self).is_empty)

    __hash__ = None  # type: ignore[assignment]

    # -- showing ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        word = "piece" if len(self.pieces) == 1 else "pieces"
        return f"<Region in R^{self.n}: {len(self.pieces)} {word}, dimension {self.dimension}>"

    def __str__(self) -> str:
        if not self.pieces:
            return f"the empty region in R^{self.n}"
        return "\nor\n".join(str(piece) for piece in self.pieces)

    def _repr_latex_(self) -> str:
        from modecontrol.polytopes.printing import latex

        if not self.pieces:
            return r"$\emptyset$"
        return r"$" + r" \;\cup\; ".join(latex(piece).strip("$") for piece in self.pieces) + r"$"
