"""Operators of sets: `x in P`, `bool(P)`, `P & Q`, `P | Q`, `P - Q`, `P <= Q`, for `Polytope` and `Region` alike.

An operator is another way to write a method (`intersect`, `union`, `subtract`, `contains`), and both operands
may be of either kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.polytopes.region import Region

__all__ = ["Operators"]


class Operators:
    """What can be written with an operator."""

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
        return other <= self if is_set(other) else NotImplemented


def is_set(other: Any) -> bool:
    """Whether something is a `Polytope` or a `Region`."""
    return isinstance(other, Operators)


def pieces_of(a_set: Any) -> tuple[Polytope, ...]:
    """The convex sets that a set is the union of: itself, or its pieces."""
    return a_set.pieces if hasattr(a_set, "pieces") else (a_set,)
