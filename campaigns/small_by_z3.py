"""Small instants with uncertain friction, decided by z3 and by the library.

    python campaigns/small_by_z3.py --instances 2000 --seed 1

One or two contacts, small whole numbers as data, friction in a box, one torque and one mode. Two questions, each
put to z3 as a formula over the reals that has only "there is" in front (products of a coefficient and an unknown
make it nonlinear):

    possible:    there are mu in the box and z with all rows of the mode
    not sure:    there are mu in the box and multipliers y with  y A(mu) = 0, y b < 0  (Farkas: no z has all rows)

The library answers from `torques` (T1) and `sure_torques` (T2). Torques are whole numbers too, so some lie exactly
on borders of a set or are all of it: z3 is asked with the torque nudged both ways, too, and an answer that depends on
it is counted apart.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import z3

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.surely_possible import sure_torques

NUDGE = Fraction(1, 10**6)


def instant(rng):
    """Whole numbers: mass, bias, Jacobian; a box of friction; contacts at rest or sliding."""
    n, k = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    root = rng.integers(-1, 2, size=(n, n))
    mass = root @ root.T + np.eye(n, dtype=int) * int(rng.integers(1, 3))
    velocity = np.zeros(2 * k)
    for i in range(k):
        velocity[2 * i + 1] = rng.choice([0.0, 0.0, 1.0, -1.0])
    s = dict(
        mass=mass.astype(float),
        bias=rng.integers(-5, 6, size=n).astype(float),
        actuation=np.eye(n)[:, :1],
        jacobian=rng.integers(-2, 3, size=(2 * k, n)).astype(float),
        drift=np.zeros(2 * k),
        velocity=velocity,
    )
    low = rng.choice([0, 1, 2], size=k) / 4
    high = low + rng.choice([0, 1, 2], size=k) / 4
    return s, FrictionBox.of_contacts(np.array([low, high]), tuple(f"c{i + 1}" for i in range(k)))


def rows(s, mode, mu):
    """`(equalities, inequalities)` of a closed mode over `z = (qdd, f)`: pairs (coefficients, right-hand side);
    equal, or at most. Coefficients are numbers or terms of z3.
    """
    n, k = len(s["bias"]), len(mu)
    J, d = s["jacobian"], s["drift"]
    whole = [Fraction(0)] * (n + 2 * k)

    def row(**parts):
        out = list(whole)
        for j, x in enumerate(parts.get("qdd", ())):
            out[j] = Fraction(x)
        for place, x in parts.get("force", ()):
            out[n + place] = x
        return out

    equal, below = [], []
    for i, letter in enumerate(mode):
        normal, tangent = 2 * i, 2 * i + 1
        one = Fraction(1)
        if letter == "S":
            equal += [(row(force=[(normal, one)]), 0), (row(force=[(tangent, one)]), 0)]
            below.append((row(qdd=-J[normal]), Fraction(d[normal])))
            continue
        equal.append((row(qdd=J[normal]), -Fraction(d[normal])))
        below.append((row(force=[(normal, -one)]), 0))
        if letter == "F":
            equal.append((row(qdd=J[tangent]), -Fraction(d[tangent])))
            below += [(row(force=[(tangent, sign * one), (normal, -mu[i])]), 0) for sign in (1, -1)]
        else:
            way = 1 if letter == "R" else -1
            equal.append((row(force=[(tangent, one), (normal, way * mu[i])]), 0))
            if s["velocity"][tangent] == 0:
                below.append((row(qdd=-way * J[tangent]), way * Fraction(d[tangent])))
    return equal, below


def dynamics(s, tau):
    """`M qdd - J^T f = S tau - b`, as equalities over `(qdd, f)`."""
    M, J = s["mass"], s["jacobian"]
    load = [sum(Fraction(x) * t for x, t in zip(line, tau, strict=True)) for line in s["actuation"]]
    return [
        ([*(Fraction(x) for x in M[j]), *(-Fraction(x) for x in J[:, j])], load[j] - Fraction(s["bias"][j]))
        for j in range(len(M))
    ]


def number(x):
    """A rational, or a term, as z3 has it."""
    return (
        z3.RealVal(f"{x.numerator}/{x.denominator}")
        if isinstance(x, Fraction)
        else z3.RealVal(x)
        if isinstance(x, int)
        else x
    )


def product(row, unknowns):
    """`row . unknowns`, zeros left out."""
    terms = [
        number(a) * x for a, x in zip(row, unknowns, strict=True) if not (isinstance(a, Fraction) and a == 0)
    ]
    return z3.Sum(terms) if terms else z3.RealVal(0)


def ask(s, box, mode, tau, farkas, milliseconds):
    """Whether there is a friction with (or, by Farkas, without) an answer; None when z3 does not say."""
    k = len(box.names)
    mu = [z3.Real(f"mu{i}") for i in range(k)]
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", milliseconds)
    for i in range(k):
        solver.add(mu[i] >= number(Fraction(box.low[i])), mu[i] <= number(Fraction(box.high[i])))
    equal, below = rows(s, mode, mu)
    equal = dynamics(s, tau) + equal
    size = len(equal[0][0])
    if not farkas:
        z = [z3.Real(f"z{j}") for j in range(size)]
        solver.add(*(product(row, z) == number(right) for row, right in equal))
        solver.add(*(product(row, z) <= number(right) for row, right in below))
    else:
        y = [z3.Real(f"y{j}") for j in range(len(equal) + len(below))]
        every = equal + below
        solver.add(*(x >= 0 for x in y[len(equal) :]))
        for j in range(size):
            solver.add(product([row[j] for row, _ in every], y) == 0)
        solver.add(product([Fraction(right) for _, right in every], y) == -1)
    found = solver.check()
    return True if found == z3.sat else False if found == z3.unsat else None


def main():
    """Ask both; exit code 1 when they disagree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after this time")
    parser.add_argument("--milliseconds", type=int, default=2000, help="that z3 may take for one question")
    args = parser.parse_args()
    counts, wrong, begin = Counter(), [], time.monotonic()
    for number_of in range(args.instances):
        if time.monotonic() - begin > args.seconds:
            break
        rng = np.random.default_rng([args.seed, number_of])
        s, box = instant(rng)
        response = mc.dynamic_response(mc.Snapshot(**s, friction=box.middle).with_friction(box))
        counts["instances"] += 1
        if not response.modes:
            continue
        mode = str(rng.choice(response.modes))
        tau = int(rng.integers(-12, 13))
        answers = {
            "possible": (bool(response[mode].torques.contains([float(tau)])), False, False),
            "sure": (bool(sure_torques(response.problem, mode).contains([float(tau)])), True, True),
        }
        for name, (ours, farkas, negated) in answers.items():
            theirs = [
                ask(s, box, mode, [Fraction(tau) + shift], farkas, args.milliseconds)
                for shift in (0, NUDGE, -NUDGE)
            ]
            if None in theirs:
                counts[f"{name}: z3 does not say"] += 1
            elif len(set(theirs)) > 1:
                agrees = ours == (theirs[0] != negated)
                counts[f"{name}: on a border, {'the same' if agrees else 'other'} answer"] += 1
            else:
                counts[f"{name}: {'yes' if ours else 'no'}"] += 1
                if ours != (theirs[0] != negated):
                    wrong.append((number_of, name, mode, tau, ours))
                    print(
                        f"instance {number_of}: {name} of {mode} at {tau}: the library says {ours}",
                        flush=True,
                    )
    for name, amount in sorted(counts.items()):
        print(f"{name:45s} {amount:9d}")
    decided = sum(counts[f"{a}: {b}"] for a in ("possible", "sure") for b in ("yes", "no"))
    print(f"{counts['instances']} instances, {decided} answers decided by z3, {len(wrong)} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
