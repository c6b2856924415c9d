"""Random instants at the edges of what is sure: where sets of inputs are flat, tie, or are all but empty.

| kind | what makes it an edge |
|---|---|
| thin rival | massless legs with an input each: where an input is zero its foot may lift, on a slice of the inputs |
| lifted leg | the same with a leg in the air: all inputs but those with zero on it are inadmissible |
| nearly at rest | repeated contacts that creep, and a drift of 1e-9 to 1e-6 that they cannot share |
| flat torques | inputs that are tied to each other by an equality |
| degenerate limits | inputs whose lower and upper limits are equal |
| no contacts, no input | nothing to choose between, nothing to choose |
"""

from dataclasses import dataclass

import numpy as np

EDGES = (
    "thin rival",
    "lifted leg",
    "nearly at rest",
    "flat torques",
    "degenerate limits",
    "no contacts",
    "no input",
)
LIMIT = 20.0


@dataclass(frozen=True)
class Edge:
    """An instant with its limits: a box, perhaps with one equality `row tau = level`; `zeros` are inputs worth setting to zero."""

    s: dict
    box: list
    tie: tuple | None = None
    zeros: tuple = ()
    velocity_tolerance: float = 1e-9

    @property
    def limits(self):
        """As `dynamic_response` takes them."""
        if self.tie is None:
            return self.box
        import modecontrol as mc

        low, high = np.array(self.box).T
        inside = mc.Polytope.box(low, high)
        row, level = self.tie
        return inside.intersect(mc.Polytope(np.zeros((0, len(row))), [], row[None, :], [level]))

    def draw(self, rng):
        """Random inputs within the limits."""
        low, high = np.array(self.box).reshape(-1, 2).T
        tau = low + (high - low) * rng.uniform(0.02, 0.98, size=len(low))
        for j in self.zeros:
            if rng.random() < 0.5 and low[j] <= 0.0 <= high[j]:
                tau[j] = 0.0
        if self.tie is not None:
            row, level = self.tie
            for _ in range(50):
                tau = tau + (level - row @ tau) / (row @ row) * row
                if np.all((tau > low) & (tau < high)):
                    break
                tau = np.clip(tau, low + 0.02 * (high - low), high - 0.02 * (high - low))
            else:
                return None
        return tau


def edge(rng, kind, plain):
    """A random instant of one kind; `plain(rng)` makes the instants that limits alone turn into edges."""
    if kind in ("thin rival", "lifted leg"):
        return legs(rng, kind == "lifted leg")
    if kind == "nearly at rest":
        return creeping(rng)
    s = plain(rng)
    n, t = s["actuation"].shape
    if kind == "no contacts":
        s.update(jacobian=np.zeros((0, n)), drift=np.zeros(0), friction=np.zeros(0), velocity=np.zeros(0))
        return Edge(s, [(-LIMIT, LIMIT)] * t)
    if kind == "no input":
        s["actuation"] = np.zeros((n, 0))
        return Edge(s, [])
    if kind == "flat torques" and t > 1:
        return Edge(
            s, [(-LIMIT, LIMIT)] * t, (np.round(rng.normal(size=t), 1) + 0.05, float(rng.uniform(-3, 3)))
        )
    box = [(-LIMIT, LIMIT)] * t
    for j in rng.permutation(t)[: max(1, t - 1)]:
        value = float(rng.choice([0.0, 1.5, -3.0]))
        box[j] = (value, value)
    return Edge(s, box)


def legs(rng, lifted):
    """A body with a contact of its own and one or two massless legs, each with an input; legs may only push."""
    count = int(rng.integers(1, 3))
    n, k = 3 + count, 1 + count
    root = rng.normal(size=(3, 3))
    mass = np.zeros((n, n))
    mass[:3, :3] = root @ root.T + 0.2 * np.eye(3)
    jacobian = np.zeros((2 * k, n))
    jacobian[:, :3] = rng.normal(size=(2 * k, 3))
    for i in range(count):
        jacobian[2 * (i + 1) : 2 * (i + 1) + 2, 3 + i] = rng.normal(size=2)
    velocity = np.zeros(2 * k)
    if lifted:
        jacobian[-2:] = 0.0
        velocity[-2] = 1.0
    bias = np.concatenate([3 * rng.normal(size=3), np.zeros(count)])
    s = dict(
        mass=mass,
        bias=bias,
        actuation=np.eye(n)[:, 3:],
        jacobian=jacobian,
        drift=np.zeros(2 * k),
        friction=rng.choice([0.3, 0.5, 0.9], size=k),
        velocity=velocity,
    )
    side = [(-LIMIT, 0.0), (0.0, LIMIT), (-LIMIT, LIMIT)]
    return Edge(s, [side[rng.integers(3)] for _ in range(count)], zeros=tuple(range(count)))


def creeping(rng):
    """One body on contacts that repeat each other, slower than the threshold; their drift does not fit together."""
    k = int(rng.integers(2, 4))
    x = np.round(rng.uniform(-1, 1, size=k), 1)
    jacobian = np.zeros((2 * k, 3))
    jacobian[0::2] = np.column_stack([np.zeros(k), np.ones(k), x])
    jacobian[1::2] = np.column_stack([np.ones(k), np.zeros(k), np.full(k, 0.4)])
    t = int(rng.integers(1, 4))
    s = dict(
        mass=np.diag([1.0, 1.0, rng.uniform(0.05, 0.5)]) * rng.uniform(0.3, 3),
        bias=np.array([rng.normal(), 9.81 * rng.uniform(0.3, 3), rng.normal()]),
        actuation=rng.normal(size=(3, t)),
        jacobian=jacobian,
        drift=rng.normal(size=2 * k) * 10.0 ** rng.uniform(-9, -6),
        friction=rng.choice([0.2, 0.5, 0.9], size=k),
        velocity=rng.uniform(-1, 1, size=2 * k) * 10.0 ** rng.uniform(-8, -3.1),
    )
    return Edge(s, [(-LIMIT, LIMIT)] * t, velocity_tolerance=1e-3)
