"""Closest features of plane shapes by trying all of them; shares no code with the package."""

import math
from itertools import pairwise

import numpy as np

FAR = 1e3
"""How far the ends of a line are drawn out (m)."""


def placed(shape, pose):
    """Corners in the world of a shape in the frame `(x, y, angle)`."""
    x, y, a = pose
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    return np.asarray(shape, float) @ turn.T + [x, y]


def sides(corners):
    """Pairs of corners, counter-clockwise; none for one corner."""
    return [] if len(corners) == 1 else list(zip(corners, np.roll(corners, -1, axis=0), strict=True))


def to_segment(p, a, b):
    """Distance of a point from a segment, and the nearest point."""
    d = b - a
    s = min(1.0, max(0.0, float((p - a) @ d) / float(d @ d)))
    near = a + s * d
    return float(np.hypot(*(p - near))), near


def separations(here, there):
    """For each side of a shape how far the other one is beyond its line."""
    found = []
    for a, b in sides(here):
        along = (b - a) / np.hypot(*(b - a))
        normal = np.array([along[1], -along[0]])
        found.append(min(float((p - a) @ normal) for p in there))
    return found


def signed_gap(here, radius, there, other_radius):
    """Distance of two rounded convex shapes, or less than zero how deep they are in each other."""
    deepest = max([*separations(here, there), *separations(there, here)], default=math.inf)
    if deepest <= 0.0 and len(here) > 2 - (radius > 0) and len(there) > 2 - (other_radius > 0):
        return deepest - radius - other_radius
    candidates = [float(np.hypot(*(p - q))) for p in here for q in there]
    for first, second in ((here, there), (there, here)):
        candidates += [to_segment(p, a, b)[0] for p in first for a, b in sides(second)]
    return min(candidates) - radius - other_radius


def drawn_out(line):
    """Segments of a line, the first and the last long."""
    line = [np.asarray(p, float) for p in line]
    first, last = line[0] - line[1], line[-1] - line[-2]
    line[0] = line[0] + FAR * first / np.hypot(*first)
    line[-1] = line[-1] + FAR * last / np.hypot(*last)
    return list(pairwise(line))


def inside(p, line):
    """Whether a point is in the solid of a line: to the right of it, closed far away on that side."""
    segments = drawn_out(line)
    # the way from the point to a far point of the free side crosses the line an odd number of times if the point is solid
    a, b = segments[0]
    along = (b - a) / np.hypot(*(b - a))
    target = (a + 0.37 * (b - a)) + 1e-3 * np.array([-along[1], along[0]])
    crossings = 0
    for u, v in segments:
        d, e, w = target - p, v - u, u - p
        det = d[0] * e[1] - d[1] * e[0]
        if det == 0.0:
            continue
        s, t = (w[0] * e[1] - w[1] * e[0]) / det, (w[0] * d[1] - w[1] * d[0]) / det
        crossings += 0.0 < s < 1.0 and 0.0 <= t < 1.0
    return crossings % 2 == 1


def terrain_gap(corners, radius, line):
    """Distance of a rounded convex shape from a line; None where one of them is inside the other."""
    segments = drawn_out(line)
    if any(inside(p, line) for p in corners):
        return None
    candidates = [to_segment(p, a, b)[0] for p in corners for a, b in segments]
    for p in line[1:-1]:
        p = np.asarray(p, float)
        if len(corners) > 2 and max(separations(corners, [p])) <= 0:
            return None
        candidates += [to_segment(p, a, b)[0] for a, b in sides(corners)]
    return min(candidates) - radius


def random_polygon(rng, corners=None, size=1.0):
    """A convex polygon: points on an ellipse, turned."""
    n = int(rng.integers(3, 8)) if corners is None else corners
    while True:
        angles = np.sort(rng.uniform(0, 2 * math.pi, n))
        gaps = np.diff(np.append(angles, angles[0] + 2 * math.pi))
        if gaps.min() > 0.15 and gaps.max() < 2.9:
            break
    points = np.column_stack([np.cos(angles) * rng.uniform(0.5, 1.0), np.sin(angles) * rng.uniform(0.5, 1.0)])
    return placed(size * points, (*(0.2 * size * rng.normal(size=2)), rng.uniform(0, 6)))


def random_line(rng, corners=5):
    """A line from left to right, with edges and valleys, that does not cross itself."""
    x = np.cumsum(rng.uniform(0.4, 1.5, corners))
    y = rng.normal(size=corners) * 0.5
    if rng.random() < 0.5:  # stairs
        x, y = np.repeat(x, 2), np.repeat(np.cumsum(rng.uniform(-0.4, 0.4, corners)), 2)
        return np.column_stack([x[1:], y[:-1]])
    return np.column_stack([x, y])
