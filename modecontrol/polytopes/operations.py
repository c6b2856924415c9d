"""New sets from a set: parts, sums, projections, slices and images.

The second half of what `Polytope` can be asked; each answer is computed in a file of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, overload

from numpy.typing import ArrayLike

from modecontrol.polytopes import checks
from modecontrol.polytopes.variables import Values

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.polytopes.region import Region

__all__ = ["Operations"]


class Operations:
    """Sets made from a `Polytope`."""

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
        from modecontrol.polytopes.transforms import intersection

        checks.a_set(other)
        mine = cast("Polytope", self)
        return other.intersect(mine) if hasattr(other, "pieces") else intersection(mine, other)

    def project(self, keep: Any, certify: bool = False) -> Polytope:
        """`{x_keep : some values of the other variables put x in the set}`, minimal.

        Parameters
        ----------
        keep : sequence of int or str, or of n bools
            Variables that stay. Numbers and names also give the order of the result's variables.
        certify : bool
            Confirm the projection in exact arithmetic as well (small sets; slow).

        Returns
        -------
        Polytope
            Each row labelled with the labels of all rows it was made from.
        """
        from modecontrol.polytopes.projection import project

        return project(cast("Polytope", self), keep, certify)

    def slice(self, values: Values) -> Polytope:
        """`{the other variables : x in the set with these values}`.

        Parameters
        ----------
        values : mapping
            Values of some variables, by name or number: `{"tau_front": 0.5}`, `{0: 0.25}`.

        Returns
        -------
        Polytope
            In the variables that are not named; rows keep their labels.
        """
        from modecontrol.polytopes.transforms import slice_at

        return slice_at(cast("Polytope", self), values)

    def extend(self, k: int, names: Sequence[str] | None = None) -> Polytope:
        """The set with `k` more variables at its end, which may have any value.

        Parameters
        ----------
        k : int
            How many.
        names : sequence of str, optional
            Their names.

        Returns
        -------
        Polytope
            Its projection on the first n variables is the set, and so is any slice at the last k.
        """
        from modecontrol.polytopes.transforms import extended

        return extended(cast("Polytope", self), k, names)

    def translate(self, offset: ArrayLike) -> Polytope:
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

        return translate(
            cast("Polytope", self), checks.vector(offset, cast("Polytope", self).n, "the offset")
        )

    def scale(self, factor: ArrayLike) -> Polytope:
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

        return scale(cast("Polytope", self), factor)

    def image(self, matrix: ArrayLike, offset: ArrayLike | None = None) -> Polytope:
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

        return image(cast("Polytope", self), matrix, offset)

    def preimage(self, matrix: ArrayLike, offset: ArrayLike | None = None) -> Polytope:
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

        return preimage(cast("Polytope", self), matrix, offset)
