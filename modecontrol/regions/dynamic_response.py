"""`DynamicResponse`: all contact modes of one instant together, the piecewise affine answer `(qdd, f) =
g(tau, w)`.

snapshot, constraints -> search over modes -> ModeResponse for each -> where they overlap, and where none is
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics import admissible
from modecontrol.dynamics.snapshot import Snapshot, check_snapshot
from modecontrol.modes.constraints import Demands, TorqueLimits
from modecontrol.modes.explanation import Explanation, explain_impossible, explain_possible, strictly_possible
from modecontrol.modes.letters import codes, spell
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.packed import STATUS, Leaves, Packed, unpack
from modecontrol.modes.problem import Problem
from modecontrol.modes.tasks import check_demand
from modecontrol.polytopes import Polytope, Region
from modecontrol.regions.at_inputs import AtInputs
from modecontrol.regions.presentation import Presentation
from modecontrol.validation import check_count, counted, shown

if TYPE_CHECKING:
    from modecontrol.regions.admissible import Admissible, InconsistentRegion
    from modecontrol.regions.critical_friction import CriticalFriction
    from modecontrol.regions.overlaps import Clash
    from modecontrol.regions.sampled import SampledCoverage
    from modecontrol.regions.unambiguous import UnambiguousRegion

MOST_THREADS = 4096
"""Threads that may be asked for."""
AT_ONCE = 256
"""Instants that the threads of `dynamic_responses` are given at a time."""


def dynamic_response(
    snapshot: Snapshot,
    torque_limits: TorqueLimits = None,
    *,
    physical: Demands = (),
    task: Demands = (),
    velocity_tolerance: ArrayLike = tolerances.VELOCITY,
    normal_tolerance: ArrayLike | None = None,
    check_state: bool | float = True,
) -> DynamicResponse:
    """Every contact mode that can happen at one instant, with its response and the inputs that produce it.

    Parameters
    ----------
    snapshot
        The instant: `model.snapshot(q, v)` or `Snapshot(...)` from arrays.
    torque_limits
        One pair (lower, upper) per input (infinite where none), pairs by name for some of them, or a `Polytope` in the
        inputs; None takes the limits that the snapshot carries (a model's box or speed-torque line), which are none for a snapshot
        from arrays.
    physical
        Constraints that always hold: text (`"body.normal >= 0"`), `Constraint`s, or comparisons of `quantity`
        expressions.
    task
        Constraints that are wished for; they never decide what is ambiguous.
    velocity_tolerance
        `v0`, one number or one per contact (m/s): slower contacts count as at rest and keep all their
        letters. Where they move all the same, velocities and drift are settled first: `response.snapshot` has
        them at rest.
    normal_tolerance
        The same for the normal velocity: a contact that rises faster leaves; None takes `velocity_tolerance`.
    check_state
        Whether an impossible state is refused: True allows 1 mm, a number (m) that much, False anything.

    Returns
    -------
    DynamicResponse
        A mapping from mode strings to `ModeResponse`.

    Raises
    ------
    ImpactError
        When a contact approaches (its velocity has to jump first).
    ImpossibleStateError
        When a rigid contact is inside what it touches, or a loop open or opening; `model.settle` gives the
        nearest state.

    """
    check_snapshot(snapshot)
    admissible.check_state(snapshot, check_state)
    problem = Problem.of(snapshot, torque_limits, physical, task, velocity_tolerance, normal_tolerance)
    return DynamicResponse(problem, *problem.respond())


def dynamic_responses(
    snapshots: Iterable[Snapshot],
    torque_limits: TorqueLimits = None,
    *,
    physical: Demands = (),
    task: Demands = (),
    velocity_tolerance: ArrayLike = tolerances.VELOCITY,
    normal_tolerance: ArrayLike | None = None,
    check_state: bool | float = True,
    threads: int = 1,
) -> Iterator[DynamicResponse]:
    """`dynamic_response` of many instants on several threads: the same answers, one after the other.

    Parameters
    ----------
    snapshots
        The instants, in any number; they are taken a few hundred at a time, and so are the answers given.
    torque_limits, physical, task, velocity_tolerance, normal_tolerance, check_state
        As for `dynamic_response`, the same for all.
    threads
        How many threads share the work; the answers do not depend on it.

    Yields
    ------
    DynamicResponse
        In the order of the snapshots.

    """
    from modecontrol._core import modes as core

    threads = check_count(threads, "threads", least=1, greatest=MOST_THREADS)
    try:
        coming = iter(snapshots)
    except TypeError:
        raise TypeError(f"snapshots is {shown(snapshots)}; expected several snapshots") from None

    def answers() -> Iterator[DynamicResponse]:
        while some := list(islice(coming, AT_ONCE)):
            for snapshot in some:
                check_snapshot(snapshot)
                admissible.check_state(snapshot, check_state)
            problems = [
                Problem.of(snapshot, torque_limits, physical, task, velocity_tolerance, normal_tolerance)
                for snapshot in some
            ]
            found = core.respond_many([problem.instant for problem in problems], threads)
            for problem, (root, leaves, packed) in zip(problems, found, strict=True):
                problem.take_root(root)
                yield DynamicResponse(problem, problem.decided(Leaves(*leaves)), Packed(*packed))

    return answers()


@dataclass(frozen=True, eq=False, repr=False)
class DynamicResponse(AtInputs, Presentation, Mapping):
    """All modes with a nonempty domain; made by `dynamic_response`. Each `ModeResponse` is unpacked when
    asked for.

    Attributes
    ----------
    problem
        The instant with everything that constrains it.
    leaves, packed
        What the core found: the modes, and their responses and domains in flat arrays.

    """

    problem: Problem
    leaves: Leaves
    packed: Packed
    _made: dict[str, ModeResponse] = field(default_factory=dict)
    _related: dict[tuple[str, str, bytes], np.ndarray] = field(default_factory=dict)

    # The mapping -------------------------------------------------------------------------------------------

    @cached_property
    def _place(self) -> dict[str, int]:
        found = {spell(letters): i for i, letters in enumerate(self.leaves.letters)}
        for i in np.flatnonzero(self.leaves.doubtful | (self.packed.shape[:, STATUS] != 0)):
            # a question that the core could not settle is asked again in the raw unknowns
            mode = spell(self.leaves.letters[i])
            if not strictly_possible(self.problem, mode):
                del found[mode]
        return dict(sorted(found.items()))

    @property
    def modes(self) -> list[str]:
        """Modes with a nonempty domain, sorted."""
        return list(self._place)

    @property
    def snapshot(self) -> Snapshot:
        """The instant."""
        return self.problem.snapshot

    def __getitem__(self, mode: str) -> ModeResponse:
        key = str(mode)
        if key not in self._place:
            codes(key, self.snapshot.contacts)
            raise KeyError(f"mode {key} cannot happen here; explain({key!r}) says why")
        if key not in self._made:
            self._made[key] = unpack(self.problem, key, self.packed, self._place[key])
        return self._made[key]

    def __contains__(self, mode: object) -> bool:
        return str(mode) in self._place

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)

    def critical_friction(self) -> CriticalFriction:
        """Up to which friction the number of answers at this state is surely the same for every generic load.

        All contacts together: coefficients from 0 up to `scale` times the known ones. Limits, physical rows and tasks
        play no part. Where contacts repeat each other (forces are not determined) the question stays open.

        Returns
        -------
        CriticalFriction
            True when there is an answer; `scale`, `friction`, `mode` and `reason` say it, `matrix` repeats the check.
        """
        from modecontrol.regions.critical_friction import critical_friction

        return critical_friction(self.problem)

    # Regions of the inputs ---------------------------------------------------------------------------------

    @cached_property
    def torque_set(self) -> Polytope:
        """All inputs that the limits allow."""
        return Polytope(*self.problem.torque_set, names=self.problem.names.inputs)

    def unambiguous(self, mode: str, margin: float = 0.0, *, demand: str = "every") -> UnambiguousRegion:
        """`T_c*`: inputs that produce this mode and no other motion (Eq. (34) of Greenfield 2005), then the
        task.

        Parameters
        ----------
        mode
            Contact mode string.
        margin
            Distance (in input units, rows normalised) by which every other mode has to be violated. Without
            one the region is closed, and its `crossings` name the thin rivals that run through it.
        demand
            Whether the task has to hold for "every" `w` or for "some". Without task constraints it plays no
            part.

        """
        from modecontrol.regions.unambiguous import unambiguous_region

        check_demand(demand)
        return unambiguous_region(self, str(mode), margin, demand)

    def ambiguous(self) -> Region:
        """Inputs at which several modes move the mechanism differently; `clashes()` says which, and in what
        they differ.

        Raises
        ------
        TooMuchWorkError
            As `clashes`.
        """
        from modecontrol.regions.input_region import InputRegion

        shared = tuple(clash.torques for clash in self.clashes())
        return InputRegion(shared, len(self.problem.names.inputs), self.problem.input_sizes)

    def clashes(self) -> list[Clash]:
        """Every pair of modes that clash, with their common inputs and what differs there.

        Raises
        ------
        TooMuchWorkError
            At once, when more than a million ordered pairs would have to be compared (beyond a thousand modes): ask
            `answer_at` at single inputs, or `sampled_coverage`.
        """
        from modecontrol.regions.overlaps import find_clashes

        return find_clashes(self)

    @cached_property
    def admissible(self) -> Admissible:
        """Inputs that some mode could explain at all, and why the others are none (a massless leg in the air,
        for one).
        """
        from modecontrol.regions.admissible import admissible_torques

        return admissible_torques(self)

    def inconsistent(self) -> InconsistentRegion:
        """Admissible inputs that no mode explains (Painleve): without an impact the rigid model has no
        answer.

        Raises
        ------
        TooMuchWorkError
            When the region falls into too many pieces (many modes of many inputs): ask `modes_at` at single inputs, or
            `sampled_coverage`.
        """
        from modecontrol.regions.admissible import inconsistent_region

        return inconsistent_region(self)

    def coverage(self) -> dict[str, float]:
        """Measures of the admissible inputs: whole, unambiguous, ambiguous, inconsistent (infinite when
        unlimited).
        """
        from modecontrol.regions.admissible import coverage

        return coverage(self)

    def sampled_coverage(
        self, samples: int = 2000, *, seed: int = 0, progress: Callable[[int, int], None] | None = None
    ) -> SampledCoverage:
        """Shares of the admissible inputs with one answer, several or none, from random inputs: for many modes and inputs,
        where the volumes of `coverage` are out of reach.

        Parameters
        ----------
        samples
            How many inputs.
        seed
            Of the random numbers.
        progress
            Called with the number of inputs that are judged, and of all.

        """
        from modecontrol.regions.sampled import sampled_coverage

        return sampled_coverage(self, samples, seed, progress)

    # In words ----------------------------------------------------------------------------------------------

    def explain(self, mode: str) -> Explanation:
        """Why a mode cannot happen, or what bounds its torques, by constraint name.

        Parameters
        ----------
        mode
            Contact mode string, possible or not.

        """
        mode = str(mode)
        return explain_possible(self[mode]) if mode in self._place else explain_impossible(self.problem, mode)

    def __repr__(self) -> str:
        shown = ", ".join(self.modes[:8]) + (", ..." if len(self) > 8 else "")
        return f"DynamicResponse({counted(len(self), 'mode')}: {shown})"
