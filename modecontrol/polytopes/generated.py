"""What a set is seen from its generators and its points: vertices, rays, volume, the largest ball, nearest points.

The first half of what `Polytope` can be asked; each answer is computed in a file of its own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from modecontrol.polytopes import checks

if TYPE_CHECKING:
    from modecontrol.polytopes.measure import Ball
    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.polytopes.vertices import Generators

__all__ = ["Generated"]


class Generated:
    """Generators and measures of a `Polytope`."""

    @cached_property
    def generators(self) -> Generators:
        """Vertices, rays and lines: `P = hull(vertices) + cone(rays) + span(lines)`."""
        from modecontrol.polytopes.vertices import generators_of

        return generators_of(cast("Polytope", self))

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

        return volume(cast("Polytope", self))

    @cached_property
    def chebyshev(self) -> Ball:
        """Largest ball in the affine hull: `.centre`, `.radius` (0 for a point, -inf if empty)."""
        from modecontrol.polytopes.measure import chebyshev

        return chebyshev(cast("Polytope", self))

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

        return sample(cast("Polytope", self), rng, size)

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

        return nearest(cast("Polytope", self), checks.vector(x, cast("Polytope", self).n, "the point x"))

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
        if cast("Polytope", self).is_empty:
            return np.inf
        return float(
            np.linalg.norm(self.nearest(x) - checks.vector(x, cast("Polytope", self).n, "the point x"))
        )
