"""What the simulation kernels read and write, as named tuples of arrays.

`Scene` is the mechanism (read only), `Options` the choices of one run, `Bench` the work space with the present
state, `Record` what is kept of each step. The bench has parts, so that a kernel gets only what it needs (and
compiles the quicker): `Arms` for the articulated bodies, `Rows` for the rows of the contact problem, `Basis` for
the complementarity problem. Rows come pins first (x, y each), then the near contacts (normal, tangential each):
R = 2 pins + 2 near.
"""

from typing import NamedTuple

import numpy as np

VELOCITY, POSITION = 0, 1

REMAINING, RESIDUAL, BEFORE, PART, LOW, HIGH, LOSS, GAIN = range(8)    # clock
STAGE, EVENTS, HITS, NEAR, LCP_SIZE, METHOD, CUTS = range(7)           # tally
MU, RESTITUTION, CONTACT_STIFFNESS, CONTACT_DAMPING = range(4)    # laws


class Scene(NamedTuple):
    """The tables of `modecontrol.dynamics.tree.Tree`; `laws` (k, 4) as the constants above say."""

    nodes_i: np.ndarray
    nodes_f: np.ndarray
    contacts_i: np.ndarray
    contacts_f: np.ndarray
    pins_i: np.ndarray
    pins_f: np.ndarray
    gravity: np.ndarray
    laws: np.ndarray
    common: np.ndarray


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
    external: int
    """1: the contact problem of each step is solved by the caller."""
    level: int


class Arms(NamedTuple):
    """Articulated bodies: see `articulated.py` and `compliance.py`; the last ones are vectors (n,)."""

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
    x: np.ndarray
    r: np.ndarray
    b: np.ndarray
    added: np.ndarray


class Rows(NamedTuple):
    """Rows of the contact problem."""

    near: np.ndarray
    offset: np.ndarray
    softness: np.ndarray
    frame: np.ndarray
    row_node: np.ndarray
    row_force: np.ndarray
    L: np.ndarray
    u: np.ndarray
    p: np.ndarray
    push: np.ndarray
    target: np.ndarray
    chol: np.ndarray
    T: np.ndarray


class Basis(NamedTuple):
    """The complementarity problem and the basis remembered for each contact."""

    A: np.ndarray
    a: np.ndarray
    z: np.ndarray
    w: np.ndarray
    active: np.ndarray
    memory: np.ndarray
    tableau: np.ndarray
    order: np.ndarray
    rows: np.ndarray


class Bench(NamedTuple):
    """Work space; `q`, `v`, `clock`, `tally` are the present state of the run, `tau` generalised forces."""

    arms: Arms
    rows: Rows
    basis: Basis
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    v_free: np.ndarray
    v_plus: np.ndarray
    trial: np.ndarray
    gap: np.ndarray
    budget: np.ndarray
    loaded: np.ndarray
    """Contacts that carried load when last solved for: they stay in contact and have no impacts."""
    clock: np.ndarray
    tally: np.ndarray


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


def make_bench(n, k, pins, capacity, memory=None):
    """Work space for `n` coordinates, `k` contacts of which up to `capacity` are near, and `pins` pins."""
    f = np.zeros
    R, N = 2 * pins + 2 * capacity, 4 * capacity
    arms = Arms(pose=f((n, 9)), pose_trial=f((n, 9)), motion=f((n, 5)), inertia=f((n, 10)), U=f((n, 3)), D=f(n),
                force=f((n, 3)), accel=f((n, 3)), Y=f((n, 6)), W=f((R, 2, n, 3)), x=f(n), r=f(n), b=f(n), added=f(n))
    rows = Rows(near=f(capacity, np.int64), offset=f(capacity), softness=f(capacity), frame=f(8),
                row_node=f((R, 2), np.int64), row_force=f((R, 2, 3)), L=f((R, R)), u=f(R), p=f(R), push=f(R),
                target=f(2 * pins), chol=f((2 * pins, 2 * pins)), T=f((2 * pins, 2 * capacity + 1)))
    basis = Basis(A=f((N, N)), a=f(N), z=f(N), w=f(N), active=f(N, np.bool_),
                  memory=f((k, 4), np.bool_) if memory is None else memory, tableau=f((N, N + 2)),
                  order=f((6, 2 * N + 1), np.int64), rows=f((5, N + 2)))
    return Bench(arms, rows, basis, q=f(n), v=f(n), tau=f(n), v_free=f(n), v_plus=f(n), trial=f(n), gap=f(k),
                 budget=f(k), loaded=f(k, np.bool_), clock=f(8), tally=f(7, np.int64))


def make_record(steps, n, k, pins):
    """Room for `steps` steps; pages that are never written cost nothing."""
    f = np.zeros
    return Record(q=f((steps + 1, n)), v=f((steps + 1, n)), impulse=f((steps, 2 * k)), loop_impulse=f((steps,
                  2 * pins)), letters=f((steps, k), np.int8), residual=f(steps), method=f(steps, np.int8),
                  size=f(steps, np.int64), impacts=f(steps, np.int64))
