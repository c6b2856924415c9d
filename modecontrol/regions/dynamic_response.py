"""`DynamicResponse`: all contact modes of one instant together, the piecewise affine answer `(qdd, f) =
g(tau, w)`.

snapshot, constraints -> search over modes -> ModeResponse for each -> where they overlap, and where none is
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics import admissible
from modecontrol.dynamics.snapshot import Snapshot, check_snapshot
from modecontrol.modes.explanation import Explanation, explain_impossible, explain_possible, strictly_possible
from modecontrol.modes.letters import codes, spell
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.packed import STATUS, Leaves, Packed, unpack
from modecontrol.modes.problem import Problem
from modecontrol.modes.tasks import check_demand
from modecontrol.polytopes import Polytope, Region
from modecontrol.validation import as_vector, check_count, check_word, shown

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
    torque_limits: Any = None,
    *,
    physical: Any = (),
    task: Any = (),
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
        One pair (lower, upper) per input (infinite where none) or a `Polytope` in the inputs; None takes the
        limits that the snapshot carries (a model's box or speed-torque line), which are none for a snapshot
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
    torque_limits: Any = None,
    *,
    physical: Any = (),
    task: Any = (),
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
    if not isinstance(snapshots, Iterable):
        raise TypeError(f"snapshots is {shown(snapshots)}; expected several snapshots")
    coming = iter(snapshots)

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
                problem.__dict__["root"] = root
                yield DynamicResponse(problem, Leaves(*leaves), Packed(*packed))

    return answers()


@dataclass(frozen=True, eq=False, repr=False)
class DynamicResponse(Mapping):
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
    _related: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

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

    # At one torque -----------------------------------------------------------------------------------------

    def modes_at(self, tau: ArrayLike) -> list[str]:
        """Every mode that `tau` can produce, sorted; an empty list means that no answer exists
        (inconsistent).

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        tau = self._inputs(tau)
        return [mode for mode in self if self[mode].allows(tau)]

    def accelerations_at(self, tau: ArrayLike) -> dict[str, dict[str, tuple[float, float]]]:
        """For each mode that `tau` can produce: least and greatest value of every acceleration over `w`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        return self._ranges(tau, "acceleration")

    def forces_at(self, tau: ArrayLike) -> dict[str, dict[str, tuple[float, float]]]:
        """For each mode that `tau` can produce: least and greatest value of every contact force over `w`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        return self._ranges(tau, "force")

    def _ranges(self, tau: ArrayLike, what: str) -> dict[str, dict[str, tuple[float, float]]]:
        from modecontrol.regions.fibre import ranges_at

        tau = self._inputs(tau)
        return {mode: ranges_at(self[mode], getattr(self[mode], what), tau) for mode in self.modes_at(tau)}

    def _inputs(self, tau: ArrayLike) -> np.ndarray:
        return as_vector(tau, self.problem.names.inputs, "tau")

    # Friction at one torque --------------------------------------------------------------------------------

    def friction_interval(self, tau: ArrayLike, mode: str, contact: str) -> tuple[float, float] | None:
        """Least and greatest friction of one contact with which a mode explains `tau`; None when none does.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.
        mode
            Contact mode string.
        contact
            Name of a contact; the others keep what is known of their friction.

        """
        from modecontrol.regions.friction_witness import friction_range

        names = self.problem.names.contacts
        codes(str(mode), len(names))
        check_word(contact, "contact", names)
        return friction_range(self.problem, str(mode), self._inputs(tau), names.index(contact))

    def witnesses_at(self, tau: ArrayLike) -> dict[str, np.ndarray]:
        """For each mode that `tau` can produce: coefficients (k,) with which it does, contacts taken one by one.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.friction_witness import witness

        tau = self._inputs(tau)
        return {mode: witness(self[mode], tau) for mode in self.modes_at(tau)}

    def friction_margin(self, tau: ArrayLike) -> float:
        """Largest `rho` up to 1 such that one mode surely happens alone at `tau` for all friction within `mu
        (1 -+ rho)`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.friction_witness import friction_margin

        return friction_margin(self.problem, self._inputs(tau))

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
        return Polytope(*self.problem.torque_set)

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

    def answer_at(self, tau: ArrayLike) -> str | None:
        """The mode whose motions are all that `tau` can produce; None when there is no answer, or more than
        one.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.ambiguity import only_answer

        return only_answer(self, self.modes_at(tau))

    def ambiguous(self) -> Region:
        """Inputs at which several modes move the mechanism differently; `clashes()` says which, and in what
        they differ.
        """
        from modecontrol.regions.input_region import InputRegion

        shared = tuple(clash.torques for clash in self.clashes())
        return InputRegion(shared, len(self.problem.names.inputs), self.problem.input_sizes)

    def clashes(self) -> list[Clash]:
        """Every pair of modes that clash, with their common inputs and what differs there."""
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

    def rows(self) -> list[dict[str, Any]]:
        """One flat record per mode, ready for `pandas.DataFrame`."""
        from modecontrol.regions.export import records

        return records(self)

    def summary(self) -> str:
        """A table of the modes as text."""
        from modecontrol.regions.export import summary

        return summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain lists and numbers (infinite bounds never appear), ready for JSON."""
        from modecontrol.regions.export import to_dict

        return to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON text.

        Parameters
        ----------
        indent
            Spaces by which nested lines are moved in; None writes one line.

        """
        import json

        indent = None if indent is None else check_count(indent, "indent", greatest=100)
        return json.dumps(self.to_dict(), indent=indent)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the torque sets of all modes; returns the axes.

        Parameters
        ----------
        ax
            Matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.torques.plot_response`: `slice`, `project`, `window`, ...

        """
        from modecontrol.view import torques

        return torques.plot_response(self, ax, **options)

    def plot_ambiguity(self, ax: Any = None, **options: Any) -> Any:
        """Draw where one mode answers, where several do and where none does; returns the axes.

        Parameters
        ----------
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.ambiguity.plot_ambiguity`: `slice`, `window`, `legend`, `labels`.

        """
        from modecontrol.view import ambiguity

        return ambiguity.plot_ambiguity(self, ax, **options)

    def plot_sure(self, mode: str, ax: Any = None, **options: Any) -> Any:
        """Draw the inputs that surely, possibly and never produce a mode; returns the axes.

        Parameters
        ----------
        mode
            Contact mode string.
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.uncertainty.plot_sure`: `slice`, `window`.

        """
        from modecontrol.view import uncertainty

        return uncertainty.plot_sure(self, mode, ax, **options)

    def plot_friction(self, tau: ArrayLike, ax: Any = None, **options: Any) -> Any:
        """Draw which modes happen at one torque, over the uncertain parameters of friction; returns the axes.

        Parameters
        ----------
        tau
            Inputs.
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.uncertainty.plot_friction_map`: `points`.

        """
        from modecontrol.view import uncertainty

        return uncertainty.plot_friction_map(self, tau, ax, **options)

    def explore(self, tau: ArrayLike | None = None, **options: Any) -> Any:
        """The torque sets as a live page: a widget in a notebook, otherwise a page of this machine.

        Parameters
        ----------
        tau
            Inputs to begin with; None takes the best sure torque.
        **options
            As in `modecontrol.page.explore_response`: `port` and `browser`.

        """
        from modecontrol.page import explore_response

        return explore_response(self, tau, **options)

    def __repr__(self) -> str:
        shown = ", ".join(self.modes[:8]) + (", ..." if len(self) > 8 else "")
        return f"DynamicResponse({len(self)} modes: {shown})"

    def _repr_html_(self) -> str:
        from modecontrol.regions.export import html

        return html(self)
