"""What the core found, as arrays: the modes, and their responses laid end to end; one cut out, with the
causes of its rows.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope

if TYPE_CHECKING:
    from modecontrol.modes.problem import Problem

DYNAMICS = frozenset({"dynamics"})
"""Label of the equalities that the equations of motion put on the inputs."""
STATUS = 5
"""Column of `Packed.shape` that is not zero where the core could not vouch for a domain or its projection."""


class Leaves(NamedTuple):
    """The modes that the search found.

    `letters` (N, k) are bytes; `doubtful` marks modes whose own program stayed undecided, so that another
    method has to be asked; `programs` and `undecided` count the linear programs of the search.
    """

    letters: np.ndarray
    doubtful: np.ndarray
    programs: int
    undecided: int


class Packed(NamedTuple):
    """Responses of all modes, ragged arrays laid end to end; `unpack` cuts one out.

    `shape` (N, 7): w, domain rows, domain equalities, torque rows, torque equalities, status, admissible
    torque directions. `numbers` holds what `core.read_mode` reads; `causes` the cause of each domain row;
    `ancestry` a boolean matrix (torque rows + equalities) x (domain rows + equalities) for each mode.
    """

    shape: np.ndarray
    numbers: np.ndarray
    number_start: np.ndarray
    causes: np.ndarray
    cause_start: np.ndarray
    ancestry: np.ndarray
    ancestry_start: np.ndarray


def unpack(problem: Problem, mode: str, packed: Packed, index: int) -> ModeResponse:
    """The `ModeResponse` number `index` of a packed response.

    A domain that the core could not vouch for keeps all its rows unless `Polytope`, which asks other methods,
    makes it minimal; its projection is left for later: one mode that is hard to project takes nothing from
    the others.
    """
    from modecontrol._core import modes as core

    _, m, p, torque_rows, torque_equalities, status, admissible = map(int, packed.shape[index])
    inputs = problem.snapshot.actuation.shape[1]
    unknowns = problem.root.layout.tau
    constant, U, W, A, b, C, e, T, t, H, h = core.read_mode(
        packed.shape, packed.numbers, packed.number_start, unknowns, inputs, index
    )
    codes = packed.causes[packed.cause_start[index] : packed.cause_start[index + 1]]
    causes = [problem.cause_set(code) for code in codes.tolist()]
    hidden = len(causes) - m
    labels = tuple(causes[:m])
    equality_labels = (DYNAMICS,) * (p - hidden) + tuple(causes[m:])
    names = problem.names.inputs
    free = tuple(f"w{i + 1}" for i in range(W.shape[1]))
    domain = Polytope._trusted(A, b, C, e, labels, equality_labels, names=names + free)
    torques = None
    if status != 0:
        with suppress(UncheckedError):
            domain = domain.minimal()
    else:
        ancestry = packed.ancestry[packed.ancestry_start[index] : packed.ancestry_start[index + 1]]
        ancestry = ancestry.reshape(torque_rows + torque_equalities, m + p)
        every = (*labels, *equality_labels)
        made_of: list[list[frozenset[str]]] = [[] for _ in ancestry]
        for row, column in zip(*(places.tolist() for places in np.nonzero(ancestry)), strict=True):
            made_of[row].append(every[column])
        words = [sets[0] if len(sets) == 1 else frozenset().union(*sets) for sets in made_of]
        torques = Polytope._trusted(
            T, t, H, h, tuple(words[:torque_rows]), tuple(words[torque_rows:]), names=names
        )
        domain.__dict__["_is_minimal"] = torques.__dict__["_is_minimal"] = True
    return ModeResponse(mode, domain, torques, constant, U, W, admissible, problem)
