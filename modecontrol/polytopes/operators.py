"""What `Polytope` and `Region` have in common: union, difference, support, pictures, and the operators
`x in P`, `bool(P)`, `P & Q`, `P | Q`, `P - Q`, `P <= Q`.

An operator is another way to write a method (`intersect`, `union`, `subtract`, `contains`), and both operands
may be of either kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes import checks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.polytopes.region import Region

__all__ = ["Operators"]


class Operators:
    """What every set can be asked, and what can be written with an operator."""

    def union(self, other: Polytope | Region) -> Region:
        """Points in either set.

        Parameters
        ----------
        other : Polytope or Region
            In the same space.

        Returns
        -------
        Region
            The pieces of both, which may overlap (`merge` joins those with a convex union).
        """
        from modecontrol.polytopes.region import Region

        return Region(pieces_of(self) + others(self, other), cast("Polytope", self).n)

    def subtract(self, other: Polytope | Region) -> Region:
        """Closure of the points of this set that are not in the other, as convex pieces.

        Parameters
        ----------
        other : Polytope or Region
            In the same space.

        Returns
        -------
        Region
            Pieces that come from one convex set have no common interior. Pieces thinner than `tolerances.FLAT`
            (scaled) within its affine hull are left out, so a set of lower dimension takes nothing away.
        """
        from modecontrol.polytopes.difference import difference
        from modecontrol.polytopes.region import Region

        left = list(pieces_of(self))
        for taken in others(self, other):
            left = [piece for P in left for piece in difference(P, taken)]
        return Region(tuple(left), cast("Polytope", self).n)

    def support(self, c: ArrayLike) -> float:
        """Greatest value of `c x`, the support function: `inf` if unbounded, `-inf` if empty.

        Parameters
        ----------
        c : array_like, (n,)
            Direction.
        """
        return cast("Polytope", self).maximize(c).value

    def plot(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draw a set of one, two or three variables.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure if not given.
        **style
            `window`, `names`, `slice`, `project` (see `modecontrol.view.sets.plot_set`), and words of matplotlib.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from modecontrol.view import sets

        return sets.plot_set(cast("Polytope", self), ax, **style)

    def __bool__(self) -> bool:
        """Whether the set has a point."""
        return not cast("Polytope", self).is_empty

    def __contains__(self, x: Any) -> bool:
        """Whether the point x (all points, if there is one per row) lies in the set."""
        if isinstance(x, Operators):
            raise TypeError(
                f"found a {type(x).__name__} before `in`; expected a point (sets are compared with <=)"
            )
        return bool(np.all(cast("Polytope", self).contains(x)))

    def __and__(self, other: Any) -> Any:
        return cast("Polytope", self).intersect(other) if is_set(other) else NotImplemented

    def __or__(self, other: Any) -> Region:
        return cast("Polytope", self).union(other) if is_set(other) else NotImplemented

    def __sub__(self, other: Any) -> Region:
        return cast("Polytope", self).subtract(other) if is_set(other) else NotImplemented

    def __le__(self, other: Any) -> bool:
        """Whether every point of this set lies in the other, to `FEASIBLE` of the size of this one.

        In a union of sets: whether nothing is left when it is taken away, sets thinner than this one apart.
        """
        from modecontrol.polytopes.inclusion import is_within

        return is_within(cast("Polytope", self), other) if is_set(other) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return other.__le__(self) if is_set(other) else NotImplemented


def is_set(other: Any) -> bool:
    """Whether something is a `Polytope` or a `Region`."""
    return isinstance(other, Operators)


def pieces_of(a_set: Any) -> tuple[Polytope, ...]:
    """The convex sets that a set is the union of: itself, or its pieces."""
    return a_set.pieces if hasattr(a_set, "pieces") else (a_set,)


def others(mine: Any, other: Any) -> tuple[Polytope, ...]:
    """The pieces of another set, which must be one and lie in the same space."""
    checks.a_set(other)
    checks.same_space(mine, other)
    return pieces_of(other)
