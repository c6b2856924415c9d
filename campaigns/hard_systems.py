"""Random instants of the kinds that break promises: exact ties, massless parts in number, sets without width.

| kind | what makes it hard |
|---|---|
| massless legs | two or three massless legs at once, each with an input of its own sign |
| massless chain | two massless links in a row, an input at each joint, one foot |
| one side lifted | massless legs of which the last ones are in the air, by velocity or by gap |
| friction limit | loads exactly on the edge of the friction cone of every contact |
| smooth and rough | friction 0 beside friction 1000 |
| duplicates | the same contact twice or three times, also with other friction |
| massless loops | loop closures that hold massless coordinates |
| physical equality | an equality that always holds between inputs, forces or accelerations |
| equality task | a task that leaves a slice |
| pinned inputs | some limits with lower = upper |
| along a facet | goals that are parallel to a facet of a torque set |
| wide margin | margins near the size of the torque set |
| nearly at rest | contacts below the threshold that do not fit together |
| no width | friction known as an interval of zero width |

Entries are small whole numbers or decimals, so that ties are ties.
"""

from dataclasses import dataclass

import numpy as np

KINDS = (
    "massless legs",
    "massless chain",
    "one side lifted",
    "friction limit",
    "smooth and rough",
    "duplicates",
    "massless loops",
    "physical equality",
    "equality task",
    "pinned inputs",
    "along a facet",
    "wide margin",
    "nearly at rest",
    "no width",
)
LIMIT = 8.0


@dataclass
class Case:
    """An instant, its limits and what is asked of it; `physical` and `task` are rules as text."""

    s: dict
    box: list
    physical: tuple = ()
    task: tuple = ()
    margin: float = 0.0
    facet: bool = False
    no_width: bool = False
    velocity_tolerance: float = 1e-9


def case(rng, kind):
    """A random instant of one kind."""
    makers = {
        "massless legs": lambda: legs(rng, int(rng.integers(2, 4)), 0),
        "massless chain": lambda: chain(rng),
        "one side lifted": lambda: legs(rng, int(rng.integers(2, 4)), int(rng.integers(1, 3))),
        "nearly at rest": lambda: creeping(rng),
    }
    made = makers.get(kind, lambda: body(rng, int(rng.integers(1, 3 if kind == "duplicates" else 4))))()
    k, t = len(made.s["friction"]), len(made.box)
    change = _CHANGES.get(kind)
    if change is not None:
        change(made, rng, k, t)
    if kind != "wide margin" and rng.random() < 0.3:
        made.margin = float(rng.choice([1e-3, 0.1, 0.5]))
    if kind not in ("equality task",) and k and rng.random() < 0.3:
        made.task = (str(rng.choice(["c1.normal >= 0.5", "q1 >= 0", "q1 <= 1"])),)
    return made


def _empty(n, k):
    return dict(
        drift=np.zeros(2 * k),
        velocity=np.zeros(2 * k),
        gap=np.zeros(k),
        loop_jacobian=np.zeros((0, n)),
        loop_drift=np.zeros(0),
    )


def _limits(rng, t):
    side = [(-LIMIT, 0.0), (0.0, LIMIT), (-LIMIT, LIMIT)]
    return [side[rng.integers(3)] for _ in range(t)]


def _on_plane(rng, k):
    """Rows of points of one body: on a floor, or on walls in right angles to each other."""
    rows = np.zeros((2 * k, 3))
    for i in range(k):
        x, y = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0]), rng.choice([-0.5, 0.5])
        if rng.random() < 0.7:
            rows[2 * i], rows[2 * i + 1] = (0, 1, x), (1, 0, 0.5)
        else:
            side = rng.choice([-1.0, 1.0])
            rows[2 * i], rows[2 * i + 1] = (side, 0, -side * y), (0, -side, -side * x)
    return rows


def body(rng, k):
    """One body, perhaps with an arm, on some contacts."""
    arm = int(rng.random() < 0.4)
    n = 3 + arm
    mass = np.diag([2.0, 2.0, float(rng.choice([0.25, 0.5, 1.0])), *([0.5] * arm)])
    jacobian = np.zeros((2 * k, n))
    jacobian[:, :3] = _on_plane(rng, k)
    if arm:
        mass[2, 3] = mass[3, 2] = 0.25
        jacobian[-2:, 3] = rng.choice([-1.0, 0.0, 1.0], size=2)
    bias = np.concatenate([rng.choice([-4.0, 0.0, 4.0], 1), [20.0], rng.choice([-2.0, 0.0, 2.0], 1 + arm)])
    t = int(rng.integers(1, 4))
    s = dict(
        mass=mass,
        bias=bias,
        actuation=rng.choice([-1.0, 0.0, 0.0, 1.0], size=(n, t)) + np.eye(n)[:, rng.permutation(n)[:t]],
        jacobian=jacobian,
        friction=rng.choice([0.0, 0.25, 0.5, 1.0, 2.0], size=k),
        **_empty(n, k),
    )
    if rng.random() < 0.3:
        s["velocity"][1::2] = rng.choice([-1.0, 0.0, 1.0], size=k)
        s["drift"] = rng.choice([-1.0, 0.0, 0.0, 1.0], size=2 * k)
    return Case(s, _limits(rng, t) if rng.random() < 0.5 else [(-LIMIT, LIMIT)] * t)


def legs(rng, count, lifted):
    """A body with a contact of its own and massless legs, each with an input; the last ones may be in the air."""
    n, own = 3 + count, int(rng.random() < 0.7)
    k = own + count
    jacobian = np.zeros((2 * k, n))
    jacobian[:, :3] = _on_plane(rng, k)
    for i in range(count):
        row = 2 * (own + i)
        jacobian[row : row + 2, 3 + i] = rng.choice([-1.0, -0.5, 0.5, 1.0], size=2)
    mass = np.zeros((n, n))
    mass[:3, :3] = np.diag([2.0, 2.0, 0.5])
    s = dict(
        mass=mass,
        bias=np.concatenate(
            [rng.choice([-4.0, 0.0, 4.0], 1), [20.0], rng.choice([-2.0, 0.0, 2.0], 1), np.zeros(count)]
        ),
        actuation=np.eye(n)[:, 3:],
        jacobian=jacobian,
        friction=rng.choice([0.0, 0.25, 0.5, 1.0], size=k),
        **_empty(n, k),
    )
    for i in range(k - min(lifted, count), k):
        if rng.random() < 0.5:
            s["velocity"][2 * i] = 1.0
        else:
            s["gap"][i] = 0.1
    return Case(s, _limits(rng, count))


def chain(rng):
    """Two massless links in a row under a body with perhaps a contact of its own."""
    n, own = 5, int(rng.random() < 0.6)
    k = 1 + own
    jacobian = np.zeros((2 * k, n))
    jacobian[:, :3] = _on_plane(rng, k)
    jacobian[-2:, 3:] = rng.choice([-1.0, -0.5, 0.5, 1.0], size=(2, 2))
    mass = np.zeros((n, n))
    mass[:3, :3] = np.diag([2.0, 2.0, 0.5])
    s = dict(
        mass=mass,
        bias=np.array([rng.choice([-4.0, 0.0, 4.0]), 20.0, rng.choice([-2.0, 0.0, 2.0]), 0.0, 0.0]),
        actuation=np.eye(n)[:, 3:],
        jacobian=jacobian,
        friction=rng.choice([0.0, 0.5, 1.0], size=k),
        **_empty(n, k),
    )
    return Case(s, [(-LIMIT, LIMIT)] * 2)


def creeping(rng):
    """One body on two or three floor contacts slower than the threshold, whose velocities and drifts do not fit together."""
    made = body(rng, int(rng.integers(2, 4)))
    k = len(made.s["friction"])
    made.s["velocity"] = rng.uniform(-1, 1, size=2 * k) * 10.0 ** rng.uniform(-8, -3.1)
    made.s["drift"] = rng.normal(size=2 * k) * 10.0 ** rng.uniform(-9, -5)
    made.velocity_tolerance = 1e-3
    return made


def _friction_limit(made, rng, k, t):
    made.s["velocity"][:] = 0.0
    made.s["drift"][:] = 0.0
    mu = float(rng.choice([0.25, 0.5, 1.0]))
    made.s["friction"][:] = mu
    made.s["bias"][0] = rng.choice([-1.0, 1.0]) * mu * made.s["bias"][1]


def _smooth_and_rough(made, rng, k, t):
    made.s["friction"] = rng.choice([0.0, 1e3], size=k)


def _duplicates(made, rng, k, t):
    i, times, s = int(rng.integers(k)), int(rng.integers(1, 3)), made.s
    for _ in range(times):
        s["jacobian"] = np.vstack([s["jacobian"], s["jacobian"][2 * i : 2 * i + 2]])
        for name in ("drift", "velocity"):
            s[name] = np.concatenate([s[name], s[name][2 * i : 2 * i + 2]])
        s["gap"] = np.append(s["gap"], s["gap"][i])
        mu = s["friction"][i] if rng.random() < 0.6 else rng.choice([0.0, 0.5, 1.0])
        s["friction"] = np.append(s["friction"], mu)


def _massless_loops(made, rng, k, t):
    s, extra = made.s, int(rng.integers(1, 3))
    n = len(s["bias"])
    mass = np.zeros((n + extra, n + extra))
    mass[:n, :n] = s["mass"]
    s["mass"] = mass
    s["bias"] = np.append(s["bias"], np.zeros(extra))
    driven = rng.random() < 0.5
    push = np.zeros((extra, t))
    if driven:
        push[:, 0] = rng.choice([-1.0, 0.0, 1.0], size=extra)
    s["actuation"] = np.vstack([s["actuation"], push])
    seen = rng.choice([-1.0, 0.0, 1.0], size=(len(s["jacobian"]), extra))
    s["jacobian"] = np.hstack([s["jacobian"], seen if rng.random() < 0.5 else 0.0 * seen])
    loops = int(rng.integers(1, extra + 1))
    s["loop_jacobian"] = np.hstack(
        [
            rng.choice([-1.0, 0.0, 1.0], size=(loops, n)),
            np.eye(extra)[:loops] + (rng.random() < 0.3) * rng.choice([-1.0, 0.0], size=(loops, extra)),
        ]
    )
    s["loop_drift"] = rng.choice([0.0, 0.0, 1.0], size=loops)


def _physical_equality(made, rng, k, t):
    rules = ["q1 == 0", "c1.normal == 10", "tau1 == 1", "q1 - q2 == 0", "c1.tangent == 0"]
    if t > 1:
        rules.append("tau1 - tau2 == 0.5")
    made.physical = (rules[rng.integers(len(rules))],)


def _equality_task(made, rng, k, t):
    rules = ["q1 == 0", "q1 == 1", "c1.normal == 5", "tau1 == 1", "c1.tangent == 0"]
    if t > 1:
        rules.append("tau1 - tau2 == 0.5")
    made.task = (rules[rng.integers(len(rules))],)


def _pinned(made, rng, k, t):
    for j in rng.permutation(t)[: int(rng.integers(1, t + 1))]:
        value = float(rng.choice([0.0, 1.5, -3.0]))
        made.box[j] = (value, value)


def _along_a_facet(made, rng, k, t):
    made.facet = True


def _wide_margin(made, rng, k, t):
    made.margin = float(rng.choice([1.97, 4.03, 7.93, 8.11, 15.97, 30.0]))


def _no_width(made, rng, k, t):
    made.no_width = True


_CHANGES = {
    "friction limit": _friction_limit,
    "smooth and rough": _smooth_and_rough,
    "duplicates": _duplicates,
    "massless loops": _massless_loops,
    "physical equality": _physical_equality,
    "equality task": _equality_task,
    "pinned inputs": _pinned,
    "along a facet": _along_a_facet,
    "wide margin": _wide_margin,
    "no width": _no_width,
}
