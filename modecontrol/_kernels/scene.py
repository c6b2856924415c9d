"""What a simulation kernel reads and writes, as named tuples of arrays.

`Scene` is the mechanism (read only), `Options` the choices of one run, `Bench` the work space with the present
state, `Record` what is kept of each step. Rows of a contact problem come pins first (x, y each), then the near
contacts (normal, tangential each):  R = 2 pins + 2 near.
"""

from typing import NamedTuple

import numpy as np

DENSE, ABA, DCA = 0, 1, 2
VELOCITY, POSITION = 0, 1
EULER, RK4 = 0, 1

REMAINING = 0                                             # clock
STAGE, EVENTS, HITS, NEAR, LCP_SIZE, METHOD = range(6)    # count


class Scene(NamedTuple):
    """The tables of `modecontrol.dynamics.tree.Tree` and the plan of divide and conquer."""

    nodes_i: np.ndarray
    nodes_f: np.ndarray
    contacts_i: np.ndarray
    contacts_f: np.ndarray
    pins_i: np.ndarray
    pins_f: np.ndarray
    gravity: np.ndarray
    mu: np.ndarray
    restitution: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    common: np.ndarray
    groups: np.ndarray
    members: np.ndarray
    articles: np.ndarray
    handles: np.ndarray
    ops: np.ndarray


class Options(NamedTuple):
    """Choices of one run."""

    h: float
    impact_speed: float
    """A closed contact that approaches faster has an impact; a slower one comes to rest within the step."""
    slack: float
    """A slower contact with a gap below this is at rest."""
    g_eps: float
    """Penetration (m, not positive) that one step may recover at most."""
    correction: float
    """Part of the opening of a pin that one step recovers."""
    eps: float
    scaling: float
    """Factor of the friction rows and columns (1: none)."""
    reach: float
    """Largest distance of a contact's centre from the origin of its node."""
    dynamics: int
    external: int
    """1: the contact problem of each step is solved by the caller."""
    level: int
    integrator: int


class Bench(NamedTuple):
    """Work space; `q`, `v`, `clock`, `count` are the present state of the run."""

    q: np.ndarray
    v: np.ndarray
    clock: np.ndarray
    count: np.ndarray
    tau: np.ndarray
    """Generalised forces `S tau` (n,)."""
    v_free: np.ndarray
    v_plus: np.ndarray
    x: np.ndarray
    r: np.ndarray
    b: np.ndarray
    added: np.ndarray
    trial: np.ndarray
    stages: np.ndarray
    # articulated bodies
    pose: np.ndarray
    pose_trial: np.ndarray
    motion: np.ndarray
    inertia: np.ndarray
    U: np.ndarray
    D: np.ndarray
    force: np.ndarray
    accel: np.ndarray
    Y: np.ndarray
    W: np.ndarray
    # dense, divide and conquer
    M: np.ndarray
    C: np.ndarray
    J: np.ndarray
    Z: np.ndarray
    drift: np.ndarray
    phi: np.ndarray
    base: np.ndarray
    lock: np.ndarray
    YJ: np.ndarray
    PJ: np.ndarray
    EJ: np.ndarray
    gJ: np.ndarray
    betaJ: np.ndarray
    bJ: np.ndarray
    fJ: np.ndarray
    # rows of the contact problem
    frame: np.ndarray
    row_node: np.ndarray
    row_force: np.ndarray
    L: np.ndarray
    u: np.ndarray
    p: np.ndarray
    push: np.ndarray
    target: np.ndarray
    offset: np.ndarray
    softness: np.ndarray
    near: np.ndarray
    gap: np.ndarray
    budget: np.ndarray
    # pins
    chol: np.ndarray
    T: np.ndarray
    # complementarity problem
    A: np.ndarray
    a: np.ndarray
    z: np.ndarray
    w: np.ndarray
    active: np.ndarray
    memory: np.ndarray
    tableau: np.ndarray
    order: np.ndarray
    rows: np.ndarray
    numbers: np.ndarray
    """Residual of the last complementarity problem."""


class Record(NamedTuple):
    """What is kept of each step."""

    q: np.ndarray
    v: np.ndarray
    impulse: np.ndarray
    loop_impulse: np.ndarray
    letters: np.ndarray
    residual: np.ndarray
    method: np.ndarray
    size: np.ndarray
    impacts: np.ndarray


def make_bench(n, k, pins, capacity, plan, memory=None):
    """Work space for `n` coordinates, `k` contacts of which up to `capacity` are near, and `pins` pins.

    `plan` is `(bodies, joins, handles, entries)` of divide and conquer, zeros where it is not used.
    """
    R, N = 2 * pins + 2 * capacity, 4 * capacity
    bodies, joins, handles, entries = plan
    f = np.zeros
    return Bench(
        q=f(n), v=f(n), clock=f(1), count=f(6, np.int64), tau=f(n), v_free=f(n), v_plus=f(n), x=f(n), r=f(n), b=f(n),
        added=f(n), trial=f(n), stages=f((10, n)), pose=f((n, 9)), pose_trial=f((n, 9)), motion=f((n, 5)),
        inertia=f((n, 10)), U=f((n, 3)), D=f(n), force=f((n, 3)), accel=f((n, 3)), Y=f((n, 6)), W=f((R, 2, n, 3)),
        M=f((n, n)), C=f((n, n)), J=f((R, n)), Z=f((R, n)), drift=f((3, R)),
        phi=f(entries), base=f((bodies, 3, 3)), lock=f((bodies, 2, 3)), YJ=f((joins, 3, 3)), PJ=f((joins, 3, 3)),
        EJ=f((handles, 3, 3)), gJ=f((joins, 3)), betaJ=f((joins, 3)), bJ=f((handles, 3)), fJ=f((handles, 3)),
        frame=f(8), row_node=f((R, 2), np.int64), row_force=f((R, 2, 3)), L=f((R, R)), u=f(R), p=f(R), push=f(R),
        target=f(2 * pins), offset=f(capacity), softness=f(capacity), near=f(capacity, np.int64), gap=f(k),
        budget=f(k), chol=f((2 * pins, 2 * pins)), T=f((2 * pins, 2 * capacity + 1)),
        A=f((N, N)), a=f(N), z=f(N), w=f(N), active=f(N, np.bool_),
        memory=f((k, 4), np.bool_) if memory is None else memory,
        tableau=f((N, N + 2)), order=f((6, 2 * N + 1), np.int64), rows=f((5, N + 2)), numbers=f(1),
    )


def make_record(steps, n, k, pins):
    """Room for `steps` steps; pages that are never written cost nothing."""
    f = np.zeros
    return Record(q=f((steps + 1, n)), v=f((steps + 1, n)), impulse=f((steps, 2 * k)), loop_impulse=f((steps, 2 * pins)),
                  letters=f((steps, k), np.int8), residual=f(steps), method=f(steps, np.int8), size=f(steps, np.int64),
                  impacts=f(steps, np.int64))
