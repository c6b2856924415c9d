"""Random piles of discs in a box, as contact problems: hyperstatic, nearly straight rows between walls, all
scales at once.

No simulation is run: discs are put into rows that fill the box exactly, or one after the other into hollows,
then moved by noise of any size down to rounding. Rows that are straight but for the noise resist like a
toggle, with impulses that grow as its inverse. `pile` makes the family "piles" of `campaigns/lcp.py`.
"""

import numpy as np

RADIUS = 0.1
STEP = 1e-3
GRAVITY = 9.81


def rows_between_walls(rng, n):
    """Centres of discs in hexagonal rows, every other of which fills the box exactly; the width of the box."""
    across = int(rng.integers(2, 7))
    width, centres, row = 2 * RADIUS * across, [], 0
    while len(centres) < n:
        for i in range(across - row % 2):
            centres.append((-width / 2 + RADIUS * (1 + row % 2 + 2 * i), RADIUS * (1 + row * np.sqrt(3))))
        row += 1
    return np.array(centres[:n]), width


def hollows(centres, low, high):
    """Places where a disc touches two of: discs, floor, walls at `low` and `high` (already for centres)."""
    places = [(low, RADIUS), (high, RADIUS)]
    for i, (x, y) in enumerate(centres):
        if y < 3 * RADIUS:
            reach = np.sqrt(4 * RADIUS**2 - (y - RADIUS) ** 2)
            places += [(x - reach, RADIUS), (x + reach, RADIUS)]
        places += [
            (wall, y + np.sqrt(4 * RADIUS**2 - (wall - x) ** 2))
            for wall in (low, high)
            if abs(wall - x) < 2 * RADIUS
        ]
        for a, b in centres[:i]:
            apart = np.hypot(a - x, b - y)
            if apart < 4 * RADIUS and abs(a - x) > 0.05 * apart:
                up = np.sqrt(4 * RADIUS**2 - apart**2 / 4) * np.array([y - b, a - x]) / apart * np.sign(a - x)
                places.append(((a + x) / 2 + up[0], (b + y) / 2 + up[1]))
    return places


def dropped(rng, n):
    """Centres of discs put one after the other into a low hollow near a random place; the width of the box."""
    width = float(rng.choice([1.2, rng.uniform(0.5, 1.5)]))
    low, high = RADIUS - width / 2, width / 2 - RADIUS
    centres = []
    for _ in range(n):
        aim, taken = rng.uniform(low, high), np.array(centres).reshape(-1, 2)
        free = [
            (x, y)
            for x, y in [*hollows(centres, low, high), (aim, RADIUS)]
            if low - 1e-12 <= x <= high + 1e-12 and (np.hypot(*(taken - (x, y)).T) > 2 * RADIUS - 1e-9).all()
        ]
        centres.append(min(free, key=lambda place: place[1] + 0.5 * abs(place[0] - aim)))
    return np.array(centres), width


def touching(centres, width, slack):
    """`(gap, disc, other disc or -1, normal)` of everything closer than `slack`."""
    found = []
    for i, (x, y) in enumerate(centres):
        sides = (
            (y - RADIUS, (0.0, 1.0)),
            (x - RADIUS + width / 2, (1.0, 0.0)),
            (width / 2 - x - RADIUS, (-1.0, 0.0)),
        )
        found += [(gap, i, -1, normal) for gap, normal in sides if gap < slack]
        for j in range(i):
            way = centres[i] - centres[j]
            apart = np.hypot(*way)
            if apart - 2 * RADIUS < slack:
                found.append((apart - 2 * RADIUS, i, j, tuple(way / apart)))
    return found


def velocities(rng, n):
    """Rest, or noise, one quick disc and spins of any size, and one step of gravity (n, 3)."""
    v, kind = np.zeros((n, 3)), rng.integers(4)
    v[:, 1] -= GRAVITY * STEP
    if kind >= 1:
        v += 10.0 ** rng.uniform(-12, -1) * rng.normal(size=v.shape)
    if kind >= 2:
        v[rng.integers(n)] += 10.0 ** rng.uniform(-3, 0.5) * rng.normal(size=3)
    if kind == 3:
        v[:, 2] += 10.0 ** rng.uniform(-6, 1) * rng.normal(size=n)
    return v


def pile(rng):
    """`(mass, Jn, Jt, mu, v, offset)` of a pile of 2 to 20 discs."""
    n = int(rng.integers(2, 21))
    centres, width = rows_between_walls(rng, n) if rng.random() < 1 / 3 else dropped(rng, n)
    noise = 10.0 ** rng.uniform(-13, -3) * (rng.random() < 0.8)
    found = touching(centres + noise * rng.normal(size=centres.shape), width, 1e-9 + 4 * noise)
    Jn, Jt, offset = np.zeros((len(found), 3 * n)), np.zeros((len(found), 3 * n)), np.zeros(len(found))
    for c, (gap, i, j, (x, y)) in enumerate(found):
        Jn[c, 3 * i : 3 * i + 2], Jt[c, 3 * i : 3 * i + 3] = (x, y), (y, -x, RADIUS)
        if j >= 0:
            Jn[c, 3 * j : 3 * j + 2], Jt[c, 3 * j : 3 * j + 3] = (-x, -y), (-y, x, RADIUS)
        offset[c] = max(gap, 0.0) / STEP * (rng.random() < 0.5)
    mu = rng.uniform(0, 1) * np.ones(len(found)) if rng.random() < 0.7 else rng.uniform(0, 1, len(found))
    mass = np.diag(np.tile([1.0, 1.0, RADIUS**2 / 2], n))
    return mass, Jn, Jt, mu, velocities(rng, n).ravel(), offset
