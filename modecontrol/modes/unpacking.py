"""Cut one mode out of the kernel's ragged arrays and give its rows their causes."""

from __future__ import annotations

import numpy as np

from modecontrol.modes.problem import Problem
from modecontrol.modes.response import ModeResponse
from modecontrol.polytopes import Polytope

DYNAMICS = frozenset({"dynamics"})
"""Label of the equalities that the equations of motion put on the inputs."""
STATUS = 5
"""Column of `Responses.shape` that is not zero where the kernels could not vouch for a domain or its projection."""


def unpack(problem: Problem, mode: str, packed, index: int) -> ModeResponse:
    """The `ModeResponse` number `index` of a kernel `Responses`.

    A domain or projection that the kernel could not vouch for is computed again by `Polytope`, which asks other methods
    and raises when none agrees.
    """
    w, m, p, torque_rows, torque_equalities, status, admissible = map(int, packed.shape[index])
    inputs = problem.snapshot.actuation.shape[1]
    unknowns = problem.root.layout.tau
    take = _reader(packed.numbers, packed.number_start[index])
    constant, U, W = take(unknowns), take(unknowns, inputs), take(unknowns, w)
    domain_rows = take(m, inputs + w), take(m), take(p, inputs + w), take(p)
    torque = take(torque_rows, inputs), take(torque_rows), take(torque_equalities, inputs), take(torque_equalities)

    codes = packed.causes[packed.cause_start[index]:packed.cause_start[index + 1]]
    causes = [frozenset({problem.cause(code)}) for code in codes]
    hidden = len(causes) - m
    labels = tuple(causes[:m])
    equality_labels = (DYNAMICS,) * (p - hidden) + tuple(causes[m:])
    domain = Polytope._trusted(*domain_rows, labels, equality_labels)
    if status != 0:
        domain = domain.minimal()
        torques = domain.project(range(inputs))
    else:
        ancestry = packed.ancestry[packed.ancestry_start[index]:packed.ancestry_start[index + 1]]
        ancestry = ancestry.reshape(torque_rows + torque_equalities, m + p)
        every = (*labels, *equality_labels)
        words = [frozenset().union(*(every[j] for j in np.flatnonzero(row))) for row in ancestry]
        torques = Polytope._trusted(*torque, tuple(words[:torque_rows]), tuple(words[torque_rows:]))
        domain.__dict__["_is_minimal"] = torques.__dict__["_is_minimal"] = True
    return ModeResponse(mode, domain, torques, constant, U, W, admissible, problem)


def _reader(numbers: np.ndarray, start: int):
    at = int(start)

    def take(*shape: int) -> np.ndarray:
        nonlocal at
        size = int(np.prod(shape))
        block = numbers[at:at + size].reshape(shape)
        at += size
        return block

    return take
