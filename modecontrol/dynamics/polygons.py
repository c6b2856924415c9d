"""Plane geometry of corners, as the checks of a mechanism need it: turning sense, convexity, hull, crossings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from modecontrol import tolerances

Corner = tuple[float, ...]


def turn(a: Corner, b: Corner, c: Corner) -> float:
    """Twice the area of the triangle, positive when it turns to the left.

    Parameters
    ----------
    a, b, c
        Corners in order.
    """
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def area(corners: Sequence[Corner]) -> float:
    """Signed area, positive when the corners run counter-clockwise.

    Parameters
    ----------
    corners
        Of a closed polygon.
    """
    origin = corners[0]
    return 0.5 * sum(turn(origin, a, b) for a, b in itertools.pairwise(corners[1:]))


def counter_clockwise(corners: Sequence[Corner]) -> tuple[Corner, ...]:
    """The corners of a polygon in counter-clockwise order; fewer than three are returned as they are.

    Parameters
    ----------
    corners
        In either order.
    """
    if len(corners) < 3 or area(corners) > 0:
        return tuple(corners)
    return tuple(reversed(corners))


def why_not_convex(corners: Sequence[Corner]) -> str:
    """What is wrong with a polygon that shall be convex, or an empty text.

    Parameters
    ----------
    corners
        Three or more, in either order.
    """
    size = max(abs(x - y) for axis in zip(*corners, strict=True) for x in axis for y in axis)
    if size == 0.0:
        return "all corners are the same point"
    least = tolerances.CORNER * size * size
    ordered = counter_clockwise(corners)
    n = len(ordered)
    if abs(area(ordered)) <= least:
        around = [ordered[i] for i in hull(ordered)]
        return "its sides cross" if len(around) > 2 and area(around) > least else "its area is zero"
    for i in range(n):
        a, b, c = ordered[i - 1], ordered[i], ordered[(i + 1) % n]
        if max(abs(b[0] - a[0]), abs(b[1] - a[1])) <= tolerances.CORNER * size:
            return f"corner {_shown(b)} is given twice"
        if turn(a, b, c) < -least:
            return f"it is not convex at corner {_shown(b)}"
        if turn(a, b, c) <= least and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0:
            return f"it turns back at corner {_shown(b)}"
    if any(turn(ordered[0], ordered[i], ordered[i + 1]) < -least for i in range(1, n - 1)):
        return "its sides cross"
    return ""


def hull(corners: Sequence[Corner]) -> list[int]:
    """Numbers of the corners of the convex hull, counter-clockwise.

    Parameters
    ----------
    corners
        Points in any order.
    """
    order = sorted(range(len(corners)), key=lambda i: corners[i])

    def half(numbers: Sequence[int]) -> list[int]:
        kept: list[int] = []
        for i in numbers:
            while len(kept) > 1 and turn(corners[kept[-2]], corners[kept[-1]], corners[i]) <= 0:
                kept.pop()
            kept.append(i)
        return kept

    lower, upper = half(order), half(order[::-1])
    return lower[:-1] + upper[:-1]


def crossing(line: Sequence[Corner]) -> tuple[int, int] | None:
    """The first two segments of a polyline that meet elsewhere than in a common corner, or None.

    Parameters
    ----------
    line
        Its corners; segment `i` goes from corner `i` to the next.
    """
    for i in range(len(line) - 1):
        for j in range(i + 1, len(line) - 1):
            a, b, c, d = line[i], line[i + 1], line[j], line[j + 1]
            if j == i + 1:
                back = (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1]) < 0
                if turn(a, b, d) == 0 and back:
                    return i, j
            elif _meet(a, b, c, d):
                return i, j
    return None


def ends_crossing(line: Sequence[Corner]) -> tuple[int, int] | None:
    """Two segments that meet because the first and the last one go on for ever, or None.

    Parameters
    ----------
    line
        Corners of a polyline that does not cross itself otherwise.
    """
    last = len(line) - 2
    for i, (start, through), others in (
        (0, (line[1], line[0]), range(2, last + 1)),
        (last, (line[-2], line[-1]), range(last - 1)),
    ):
        way = through[0] - start[0], through[1] - start[1]
        for j in others:
            a, b = (line[1], line[0]) if j == 0 else (line[j], line[j + 1])
            along = b[0] - a[0], b[1] - a[1]
            across = way[0] * along[1] - way[1] * along[0]
            if across == 0.0:
                continue
            apart = a[0] - start[0], a[1] - start[1]
            far = (apart[0] * along[1] - apart[1] * along[0]) / across
            part = (apart[0] * way[1] - apart[1] * way[0]) / across
            if far >= 0.0 and part >= 0.0 and (part <= 1.0 or j in (0, last)):
                return min(i, j), max(i, j)
    return None


def _meet(a: Corner, b: Corner, c: Corner, d: Corner) -> bool:
    sides = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        return True

    def on(p: Corner, q: Corner, x: Corner) -> bool:
        return all(min(p[k], q[k]) <= x[k] <= max(p[k], q[k]) for k in (0, 1))

    touching = ((sides[0], (a, b, c)), (sides[1], (a, b, d)), (sides[2], (c, d, a)), (sides[3], (c, d, b)))
    return any(side == 0 and on(*points) for side, points in touching)


def _shown(corner: Corner) -> str:
    return f"({corner[0]:g}, {corner[1]:g})"
