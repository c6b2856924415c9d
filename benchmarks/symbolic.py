"""Symbolic n-link pendulum: this library against `sympy.physics.mechanics.LagrangesMethod`, in one run.

Both get rigid links with masses, inertias, lengths and centre offsets as symbols, relative joint angles and
gravity, and deliver the mass matrix and the remaining terms. CPU times, without imports; sympy's cache is
emptied before every run. The peer's time grows quickly, so each of its runs has a limit of wall-clock time.

    python benchmarks/symbolic.py [largest n, default 6] [limit in seconds, default 300]
"""

import sys
import time
from multiprocessing import get_context

import sympy as sp
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Body, Joint, Mechanism
from modecontrol.dynamics.symbols.equations import Equations, equations_of


def pendulum(n: int) -> Mechanism:
    bodies, parameters = [], {"g": 9.81}
    for i in range(1, n + 1):
        parameters |= {f"m{i}": 1.0, f"I{i}": 0.1, f"l{i}": 1.0, f"c{i}": 0.5}
        joint = Joint("revolute", (f"q{i}",), at=(Expression(f"l{i - 1}") if i > 1 else 0.0, 0.0))
        bodies.append(
            Body(
                f"link{i}",
                f"link{i - 1}" if i > 1 else "world",
                joint,
                Expression(f"m{i}"),
                Expression(f"I{i}"),
                (Expression(f"c{i}"), 0.0),
            )
        )
    return Mechanism(
        f"{n}-link pendulum", tuple(bodies), gravity=(0.0, Expression("-g")), parameters=parameters
    )


def ours(n: int) -> Equations:
    return equations_of(pendulum(n))


def theirs(n: int) -> tuple[sp.Matrix, sp.Matrix]:
    """`M` and `-(C v + g)` by Lagrange's method from the same energies."""
    q = dynamicsymbols(f"q1:{n + 1}")
    t, g = dynamicsymbols._t, sp.Symbol("g")
    end, angle, T, V = sp.zeros(2, 1), sp.S.Zero, sp.S.Zero, sp.S.Zero
    for i in range(1, n + 1):
        m, inertia, length, centre = sp.symbols(f"m{i} I{i} l{i} c{i}")
        angle = angle + q[i - 1]
        direction = sp.Matrix([sp.cos(angle), sp.sin(angle)])
        velocity = (end + centre * direction).diff(t)
        T += (m * velocity.dot(velocity) + inertia * angle.diff(t) ** 2) / 2
        V += m * g * (end + centre * direction)[1]
        end = end + length * direction
    method = LagrangesMethod(T - V, q)
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing


def timed(function, n: int) -> float:
    clear_cache()
    start = time.process_time()
    function(n)
    return time.process_time() - start


def _peer(n: int, pipe) -> None:
    pipe.send(timed(theirs, n))


def peer_time(n: int, limit: float) -> float | None:
    """CPU seconds of the peer, or None when it has not finished within the limit."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_peer, args=(n, sender))
    process.start()
    seconds = receiver.recv() if receiver.poll(limit) else None
    process.terminate()
    process.join()
    return seconds


def same_numbers(n: int) -> float:
    """Largest relative difference of M and bias between the two at one state: they solve the same problem."""
    e, (M, forcing) = ours(n), theirs(n)
    q, t = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols._t
    state = {c: 0.3 * (i + 1) for i, c in enumerate(e.coordinates)}
    state |= {v: 1.0 - 0.4 * i for i, v in enumerate(e.velocities)}
    rates = {a.diff(t): sp.Float(state[v]) for a, v in zip(q, e.velocities, strict=True)}
    places = {a: sp.Float(state[c]) for a, c in zip(q, e.coordinates, strict=True)}
    values = {symbol: sp.Float(value) for symbol, value in e.values.items()}
    found = e.evaluate([state[c] for c in e.coordinates], [state[v] for v in e.velocities])
    worst = 0.0
    for mine, other in ((found["mass"].ravel(), M), (-found["bias"], forcing)):
        peer = [float(x.xreplace(rates).xreplace(places).xreplace(values)) for x in other]
        worst = max(worst, max(abs(a - b) for a, b in zip(mine, peer, strict=True)) / max(map(abs, mine)))
    return worst


if __name__ == "__main__":
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
    print(f"same numbers at n = 3: largest relative difference {same_numbers(3):.1e}")
    print("links   ours (s)   LagrangesMethod (s)   ratio")
    for n in range(4, largest + 1):
        mine = min(timed(ours, n) for _ in range(3))
        peer = peer_time(n, limit)
        if peer is None:
            print(f"{n:5}   {mine:8.3f}   more than {limit:9.0f}   more than {limit / mine:.0f}")
        else:
            print(f"{n:5}   {mine:8.3f}   {peer:19.2f}   {peer / mine:.0f}")
