"""`DynamicResponse`: all contact modes of one instant together, the piecewise affine answer `(qdd, f) = g(tau, w)`.

snapshot, constraints -> search over modes -> ModeResponse for each -> where they overlap, and where none is
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.explanation import Explanation, explain_impossible, explain_possible, strictly_possible
from modecontrol.modes.letters import codes, spell
from modecontrol.modes.problem import Problem
from modecontrol.modes.response import ModeResponse, check_demand
from modecontrol.modes.unpacking import STATUS, unpack
from modecontrol.polytopes import Polytope, Region


def dynamic_response(snapshot: Snapshot, torque_limits: Any = None, physical: Any = (), task: Any = (),
                     velocity_tolerance: ArrayLike = tolerances.VELOCITY) -> DynamicResponse:
    """Every contact mode that can happen at one instant, with its response and the inputs that produce it.

    Parameters
    ----------
    snapshot
        The instant: `model.snapshot(q, v)` or `Snapshot(...)` from arrays.
    torque_limits
        One pair (lower, upper) per input (infinite where none) or a `Polytope` in the inputs; None takes the limits that the
        snapshot carries (a model's box or speed-torque line), which are none for a snapshot from arrays.
    physical
        Constraints that always hold: text (`"body.normal >= 0"`), `Constraint`s, or comparisons of `quantity` expressions.
    task
        Constraints that are wished for; they never decide what is ambiguous.
    velocity_tolerance
        `v0`, one number or one per contact (m/s): slower contacts count as at rest and keep all their letters.

    Returns
    -------
    DynamicResponse
        A mapping from mode strings to `ModeResponse`.

    Raises
    ------
    ImpactError
        When a contact approaches (its velocity has to jump first).

    """
    problem = Problem.of(snapshot, torque_limits, physical, task, velocity_tolerance)
    leaves = problem.search()
    return DynamicResponse(problem, leaves, problem.respond(leaves))


@dataclass(frozen=True, eq=False, repr=False)
class DynamicResponse(Mapping):
    """All modes with a nonempty domain; made by `dynamic_response`. Each `ModeResponse` is unpacked when asked for.

    Attributes
    ----------
    problem
        The instant with everything that constrains it.
    leaves, packed
        What the kernels found: the modes, and their responses and domains in flat arrays.

    """

    problem: Problem
    leaves: Any
    packed: Any
    _made: dict[str, ModeResponse] = field(default_factory=dict)

    # The mapping -------------------------------------------------------------------------------------------

    @cached_property
    def _place(self) -> dict[str, int]:
        found = {spell(letters): i for i, letters in enumerate(self.leaves.letters)}
        for i in np.flatnonzero(self.leaves.doubtful | (self.packed.shape[:, STATUS] != 0)):
            # a question that the kernels could not settle is asked again in the raw unknowns
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
        """Every mode that `tau` can produce, sorted; an empty list means that no answer exists (inconsistent).

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        tau = self._inputs(tau)
        return [mode for mode in self if self[mode].torques.contains(tau)]

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
        from modecontrol.regions.ranges import ranges_at

        tau = self._inputs(tau)
        return {mode: ranges_at(self[mode], getattr(self[mode], what), tau) for mode in self.modes_at(tau)}

    def _inputs(self, tau: ArrayLike) -> np.ndarray:
        inputs = self.problem.names.inputs
        try:
            values = np.asarray(tau, dtype=float)
        except (TypeError, ValueError):
            values = np.array(np.nan)
        if values.shape != (len(inputs),) or not np.all(np.isfinite(values)):
            raise ValueError(f"tau is {tau!r}; expected {len(inputs)} finite numbers ({', '.join(inputs) or 'no inputs'})")
        return values

    # Regions of the inputs ---------------------------------------------------------------------------------

    @cached_property
    def torque_set(self) -> Polytope:
        """All inputs that the limits allow."""
        return Polytope(*self.problem.torque_set)

    def unambiguous(self, mode: str, margin: float = 0.0, demand: str = "every") -> Region:
        """`T_c*`: inputs that produce this mode and no other (Eq. (34) of Greenfield 2005), then the task.

        Parameters
        ----------
        mode
            Contact mode string.
        margin
            Distance (in input units, rows normalised) by which every other mode has to be violated.
        demand
            Whether the task has to hold for "every" `w` or for "some". Without task constraints it plays no part.

        """
        from modecontrol.regions.unambiguous import unambiguous_region

        check_demand(demand)
        return unambiguous_region(self, str(mode), margin, demand)

    def ambiguous(self) -> Region:
        """Inputs that more than one mode explains; `clashes()` says which modes and in what they differ."""
        return Region([clash.torques for clash in self.clashes()], n=len(self.problem.names.inputs))

    def clashes(self):
        """Every pair of modes that share inputs, with their overlap and what differs in it (list of `Clash`)."""
        from modecontrol.regions.clashes import find_clashes

        return find_clashes(self)

    def inconsistent(self) -> Region:
        """Allowed inputs that no mode explains (Painleve): without an impact the rigid model has no answer."""
        from modecontrol.regions.unambiguous import inconsistent_region

        return inconsistent_region(self)

    def coverage(self) -> dict[str, float]:
        """Volumes of the torque set: whole, unambiguous, ambiguous, inconsistent (infinite when unlimited)."""
        from modecontrol.regions.unambiguous import coverage

        return coverage(self)

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
        from modecontrol.regions.table import records

        return records(self)

    def summary(self) -> str:
        """A table of the modes as text."""
        from modecontrol.regions.table import summary

        return summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain lists and numbers (infinite bounds never appear), ready for JSON."""
        from modecontrol.regions.table import to_dict

        return to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON text.

        Parameters
        ----------
        indent
            Spaces by which nested lines are moved in; None writes one line.

        """
        import json

        return json.dumps(self.to_dict(), indent=indent)

    def plot(self, ax=None, **options):
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

    def __repr__(self) -> str:
        shown = ", ".join(self.modes[:8]) + (", ..." if len(self) > 8 else "")
        return f"DynamicResponse({len(self)} modes: {shown})"

    def _repr_html_(self) -> str:
        from modecontrol.regions.table import html

        return html(self)
