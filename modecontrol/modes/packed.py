"""What the core found, as arrays: the modes, and their responses laid end to end; one cut out, with the
causes of its rows.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope

if TYPE_CHECKING:
    from modecontrol.modes.problem import Problem
    from modecontrol.polytopes.labels import Labels

DYNAMICS = frozenset({"dynamics"})
"""Label of the equalities that the equations of motion put on the inputs."""
BY_DYNAMICS = -1
"""Their code among the causes of rows."""
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

    `shape` (N, 8): w, domain rows, domain equalities, torque rows, torque equalities, status, admissible
    torque directions, whether the domain is thin. `numbers` holds what `core.read_mode` reads; `causes` the
    cause of each domain row; `ancestry` a boolean matrix (torque rows + equalities) x (domain rows + equalities) for each mode.
    """

    shape: np.ndarray
    numbers: np.ndarray
    number_start: np.ndarray
    causes: np.ndarray
    cause_start: np.ndarray
    ancestry: np.ndarray
    ancestry_start: np.ndarray


class _Causes(NamedTuple):
    """Why the rows of a set are there: codes of the causes of a domain's rows (inequalities, then hidden equalities; the
    equations of motion, which have none, stand between them), and which of the rows each row was made of; None for the domain.
    """

    problem: Problem
    codes: np.ndarray
    inequalities: int
    equalities: int
    made_of: np.ndarray | None

    def words(self) -> tuple[frozenset[str], ...]:
        """The causes of each row, inequalities first."""
        m = self.inequalities
        given = [BY_DYNAMICS] * (m + self.equalities - len(self.codes))
        every = np.concatenate([self.codes[:m], np.array(given, dtype=self.codes.dtype), self.codes[m:]])
        if self.made_of is None:
            return tuple(self.problem.cause_set((code,)) for code in every.tolist())
        codes = every[np.nonzero(self.made_of)[1]].tolist()  # row after row
        ends = self.made_of.sum(axis=1).cumsum().tolist()
        return tuple(self.problem.cause_set(tuple(codes[start:end])) for start, end in pairwise([0, *ends]))


class UnpackedSet(Polytope):
    """A set that the core made: its causes are put into words when somebody asks, which for most of many modes nobody does."""

    _causes: _Causes

    @classmethod
    def of(
        cls, arrays: tuple[np.ndarray, ...], names: tuple[str, ...], causes: _Causes, minimal: bool
    ) -> UnpackedSet:
        """From arrays `A, b, C, d` that are read-only already, and whether the core vouches that no row is one too many."""
        self = object.__new__(cls)
        self.__dict__.update(
            zip("AbCd", arrays, strict=True), names=names, _causes=causes, _is_minimal=minimal
        )
        return self

    @cached_property
    def labels(self) -> Labels:  # type: ignore[override]
        """Why each inequality is there."""
        return self._causes.words()[: len(self.b)]

    @cached_property
    def equality_labels(self) -> Labels:  # type: ignore[override]
        """The same for the equalities."""
        return self._causes.words()[len(self.b) :]


def unpack(problem: Problem, mode: str, packed: Packed, index: int) -> ModeResponse:
    """The `ModeResponse` number `index` of a packed response.

    A domain that the core could not vouch for keeps all its rows unless `Polytope`, which asks other methods,
    makes it minimal; its projection is left for later: one mode that is hard to project takes nothing from
    the others.
    """
    from modecontrol._core import modes as core

    _, m, p, torque_rows, torque_equalities, status, admissible, thin = packed.shape[index].tolist()
    inputs = problem.snapshot.actuation.shape[1]
    unknowns = problem.root.layout.tau
    constant, U, W, A, b, C, e, T, t, H, h = core.read_mode(
        packed.shape, packed.numbers, packed.number_start, unknowns, inputs, index
    )
    codes = packed.causes[packed.cause_start[index] : packed.cause_start[index + 1]]
    names = problem.names.inputs
    free = tuple(f"w{i + 1}" for i in range(W.shape[1]))
    domain: Polytope = UnpackedSet.of(
        (A, b, C, e), names + free, _Causes(problem, codes, m, p, None), status == 0
    )
    torques = None
    if status != 0:
        with suppress(UncheckedError):
            domain = domain.minimal()
    else:
        ancestry = packed.ancestry[packed.ancestry_start[index] : packed.ancestry_start[index + 1]]
        ancestry = ancestry.reshape(torque_rows + torque_equalities, m + p)
        torques = UnpackedSet.of((T, t, H, h), names, _Causes(problem, codes, m, p, ancestry), True)
    return ModeResponse(mode, domain, torques, constant, U, W, admissible, problem, bool(thin))
