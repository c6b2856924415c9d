"""From the tree to the equations of motion, as sums over bodies.

With `m_b, I_b` mass and inertia of body b, `p_b(q)` its centre of mass and `theta_b(q)` its angle,

    M = sum_b m_b Jp_b^T Jp_b + I_b Jtheta_b^T Jtheta_b
    C v = sum_b m_b Jp_b^T (Jpdot_b v)              (angles are linear in q, so they contribute nothing)
    V = -sum_b m_b gravity . p_b

The centres are chains of segments (`segments.py`), so the sum over bodies can be taken first: a pair of
segments counts with the mass of all bodies whose chains contain both, which is the mass beyond the outer one.
"""

from __future__ import annotations

from typing import Any

from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.couplings import loop_names, loop_rows
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.dynamics.symbols.contact_kinematics import (
    acceleration,
    component,
    derivative_rates,
    pin_rows,
    slope,
)
from modecontrol.dynamics.symbols.coupling_kinematics import Row, closure_rows, push_force, spring_force
from modecontrol.dynamics.symbols.drag_kinematics import drag_force
from modecontrol.dynamics.symbols.entry_kinematics import entry_rows
from modecontrol.dynamics.symbols.equations import Equations, column_of, matrix_of
from modecontrol.dynamics.symbols.segments import (
    Frame,
    Segment,
    Symbols,
    frames_of,
    inner,
    point_of,
)

Pairs = list[tuple[Any, Segment, Segment]]
"""`(mass, inner segment, outer segment)` for every pair on a chain, each unordered pair once."""
Inertias = list[tuple[tuple[int, ...], Any]]
"""The coordinates that turn a body, and its inertia."""


def derive(mechanism: Mechanism) -> Equations:
    """The equations of a mechanism; see `equations_of`."""
    import sympy as sp

    symbols = Symbols.of(mechanism)
    frames = frames_of(mechanism, symbols)
    n, v = len(symbols.coordinates), symbols.velocities
    pairs = _loaded_pairs(mechanism, frames, symbols)
    M = _mass(pairs, _inertias(mechanism, frames, symbols), n) + _armature(mechanism, symbols)
    gravity, weight = _gravity(pairs, mechanism, symbols)
    passive, stored = _springs(mechanism, frames, symbols)
    letters = entries(mechanism)
    contacts = [entry_rows(entry, frames, symbols) for entry in letters]
    loops = _loops(mechanism, frames, symbols)
    kinetic = sp.Add(
        *(M[i, i] * v[i] ** 2 / 2 for i in range(n)),
        *(M[i, j] * v[i] * v[j] for i in range(n) for j in range(i + 1, n)),
    )
    return Equations(
        name=mechanism.name,
        coordinates=symbols.coordinates,
        velocities=v,
        inputs=tuple(i.name for i in mechanism.inputs),
        contacts=tuple(entry.name for entry in letters),
        pins=loop_names(mechanism),
        loop_rows=loop_rows(mechanism),
        values={symbol: float(mechanism.parameters[name]) for name, symbol in symbols.parameters.items()},
        mass=M,
        coriolis=column_of(_coriolis(pairs, symbols)),
        gravity=column_of(gravity),
        passive=column_of(passive),
        actuation=_actuation(mechanism, symbols),
        contact_position=column_of([x for rows in contacts for x in rows.position]),
        contact_jacobian=matrix_of([row for rows in contacts for row in rows.jacobian], n),
        contact_drift=column_of([x for rows in contacts for x in rows.drift]),
        friction=column_of(
            [symbols.scalar(entry.part.mu if entry.kind == "contact" else 0.0) for entry in letters]
        ),
        loop=column_of([position for position, _, _ in loops]),
        loop_jacobian=matrix_of([row for _, row, _ in loops], n),
        loop_drift=column_of([drift for _, _, drift in loops]),
        kinetic_energy=kinetic,
        potential_energy=weight + stored,
        coriolis_source=lambda: _coriolis_matrix(pairs, symbols),
    )


def _loaded_pairs(mechanism: Mechanism, frames: dict[str, Frame], symbols: Symbols) -> Pairs:
    """Pairs of segments with the mass that both carry."""
    import sympy as sp

    own = {body.name: symbols.scalar(body.mass) for body in mechanism.bodies}
    beyond = {name: [mass] for name, mass in own.items()}
    for body in reversed(mechanism.bodies):
        if body.parent in beyond:
            beyond[body.parent].extend(beyond[body.name])
    pairs: Pairs = []
    for body in mechanism.bodies:
        frame = frames[body.name]
        inherited = len(frames[body.parent].path)
        chain = point_of(frame, symbols.vector(body.com))
        for end in range(inherited, len(chain)):
            mass = sp.Add(*beyond[body.name]) if end < len(frame.path) else own[body.name]
            if mass != 0:
                pairs.extend((mass, start, chain[end]) for start in chain[: end + 1])
    return pairs


def _inertias(mechanism: Mechanism, frames: dict[str, Frame], symbols: Symbols) -> Inertias:
    return [
        (frames[body.name].turns, symbols.scalar(body.inertia))
        for body in mechanism.bodies
        if symbols.scalar(body.inertia) != 0
    ]


def _mass(pairs: Pairs, inertias: Inertias, n: int) -> Any:
    """`M`, from the upper triangle."""
    import sympy as sp

    terms: dict[tuple[int, int], list[Any]] = {(i, j): [] for i in range(n) for j in range(i, n)}
    for turns, inertia in inertias:
        for i in turns:
            for j in turns:
                if i <= j:
                    terms[i, j].append(inertia)
    for mass, a, b in pairs:
        for rows, left in a.derivatives():
            for columns, right in b.derivatives():
                value = mass * inner(left, a.angle, right, b.angle)
                if value == 0:
                    continue
                for i in rows:
                    for j in columns:
                        if i <= j:
                            terms[i, j].append(value)
                        if a is not b and j <= i:
                            terms[j, i].append(value)
    upper = {place: sp.Add(*values) for place, values in terms.items()}
    return sp.ImmutableMatrix(n, n, lambda i, j: upper[min(i, j), max(i, j)])


def _armature(mechanism: Mechanism, symbols: Symbols) -> Any:
    """Inertia that moves with one coordinate alone, as a diagonal matrix."""
    import sympy as sp

    joints = [body.joint for body in mechanism.bodies]
    return sp.ImmutableMatrix(
        sp.diag(*(symbols.scalar(joint.armature) for joint in joints for _ in joint.coordinates))
    )


def _coriolis(pairs: Pairs, symbols: Symbols) -> list[Any]:
    """`sum m dp_a/dq . pdd_b`, over the ordered pairs."""
    import sympy as sp

    accelerations = {s: acceleration(s, symbols) for _, a, b in pairs for s in (a, b)}
    terms: list[list[Any]] = [[] for _ in symbols.coordinates]
    for mass, a, b in pairs:
        for pushed, other in ((a, b), (b, a))[: 1 if a is b else 2]:
            for rows, direction in pushed.derivatives():
                value = mass * inner(direction, pushed.angle, accelerations[other], other.angle)
                if value != 0:
                    for i in rows:
                        terms[i].append(value)
    return [sp.Add(*values) for values in terms]


def _coriolis_matrix(pairs: Pairs, symbols: Symbols) -> Any:
    """`sum m Jp^T Jpdot`, which is Christoffel's: `dp/dq_i . d2p/dq_j dq_k` is symmetric in j and k."""
    import sympy as sp

    n = len(symbols.coordinates)
    rates = {s: derivative_rates(s, symbols) for _, a, b in pairs for s in (a, b)}
    terms: list[list[list[Any]]] = [[[] for _ in range(n)] for _ in range(n)]
    for mass, a, b in pairs:
        for pushed, other in ((a, b), (b, a))[: 1 if a is b else 2]:
            for rows, direction in pushed.derivatives():
                for columns, rate in rates[other]:
                    value = mass * inner(direction, pushed.angle, rate, other.angle)
                    if value != 0:
                        for i in rows:
                            for j in columns:
                                terms[i][j].append(value)
    return sp.ImmutableMatrix(n, n, lambda i, j: sp.Add(*terms[i][j]))


def _gravity(pairs: Pairs, mechanism: Mechanism, symbols: Symbols) -> tuple[list[Any], Any]:
    """`g(q) = dV/dq` and `V = -sum m gravity . p`; a segment carries the mass beyond it."""
    import sympy as sp

    down = symbols.vector(mechanism.gravity)
    loaded = [(mass, (a,)) for mass, a, b in pairs if a is b]
    slopes = [(mass, slope(down, 0, path, symbols)) for mass, path in loaded]
    forces = [sp.Add(*(-mass * row[j] for mass, row in slopes)) for j in range(len(symbols.coordinates))]
    return forces, sp.Add(*(-mass * component(down, 0, path) for mass, path in loaded))


def _loops(mechanism: Mechanism, frames: dict[str, Frame], symbols: Symbols) -> list[Row]:
    """Rows of pins, then of the other closures."""
    found: list[Row] = []
    for pin in mechanism.pins:
        rows = pin_rows(pin, frames, symbols)
        found += zip(rows.position, rows.jacobian, rows.drift, strict=True)
    for closure in mechanism.closures:
        found += closure_rows(closure, frames, symbols)
    return found


def _springs(mechanism: Mechanism, frames: dict[str, Frame], symbols: Symbols) -> tuple[list[Any], Any]:
    """Generalised forces `-stiffness (q - rest) - damping v` of the joints, of springs between bodies, of pushes and of the
    medium, and the energy of the springs.
    """
    import sympy as sp

    forces, stored = [], []
    names = iter(zip(symbols.coordinates, symbols.velocities, strict=True))
    for body in mechanism.bodies:
        k, d = symbols.scalar(body.joint.stiffness), symbols.scalar(body.joint.damping)
        for _ in body.joint.coordinates:
            q, v = next(names)
            stretch = q - symbols.scalar(body.joint.rest)
            forces.append(-k * stretch - d * v)
            stored.append(k * stretch**2 / 2)
    added = [push_force(push, frames, symbols) for push in mechanism.pushes]
    for body in mechanism.bodies:
        for drag in body.drag:
            added.append(drag_force(body, drag, mechanism.wind, frames[body.name], symbols))
    for spring in mechanism.springs:
        pull, energy = spring_force(spring, frames, symbols)
        added.append(pull)
        stored.append(energy)
    forces = [sp.Add(*terms) for terms in zip(forces, *added, strict=True)]
    return forces, sp.Add(*stored)


def _actuation(mechanism: Mechanism, symbols: Symbols) -> Any:
    """`S`: column i says on which coordinates input i acts."""
    import sympy as sp

    names = mechanism.coordinates
    S = sp.zeros(len(names), len(mechanism.inputs))
    for column, actuator in enumerate(mechanism.inputs):
        for coordinate, gain in zip(actuator.coordinates, actuator.gains, strict=True):
            S[names.index(coordinate), column] += symbols.scalar(gain)
    return sp.ImmutableMatrix(S)
