"""`Trajectory`: what a simulation saw, step by step; read-only, saved as npz with a JSON header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.contact_impulses import ContactImpulses
from modecontrol.timestepping.engine import METHODS
from modecontrol.timestepping.events import Collision, Event
from modecontrol.timestepping.trajectory_files import (
    ARRAYS,
    columns_of,
    find_model,
    read_trajectory,
    write_csv,
    write_trajectory,
)
from modecontrol.validation import as_path, counted, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.dynamics.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """`T` steps of a simulation. States have `T + 1` rows, what happens within a step has `T`.

    With `record_every` a row stands for several steps: impulses are their sums, torques their means,
    residuals the largest, letters those at the end.

    Parameters
    ----------
    time
        (T + 1,) s.
    q, v
        States (T + 1, n).
    torque
        Inputs during each step (T, t).
    contact_impulses
        Impulses of the contacts, kept where there were any; `impulse` has all of them.
    loop_impulse
        Impulses of the loop closures (T, rows): two per pin in world axes, then other closures and drives;
        `header["names"]["loops"]` has the names of the rows.
    letters
        State of each contact at the end of each step (T, k): the letters S, L, R, F as ASCII bytes.
    residual
        Largest relative row error of the complementarity problems of each step (T,).
    method_code
        How they were solved (T,): places in `modecontrol.timestepping.engine.METHODS`.
    lcp_size
        Rows of the largest complementarity problem of each step (T,).
    impacts
        Number of collisions in each step (T,).
    step
        Step size (s).
    status
        How the simulation ended, in a sentence.
    header
        Name and parameters of the model, names of everything, settings of the run.
    model
        The mechanism, a `Model` or a `LagrangianModel`; None when a saved trajectory's model could not be
        found again.
    events
        Events that were asked for, in the order of time: name, time, q, v. They are not saved.
    collisions
        Collisions with their times, located within the steps: contact, time, impulse. They are not saved.
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    torque: np.ndarray
    contact_impulses: ContactImpulses
    loop_impulse: np.ndarray
    letters: np.ndarray
    residual: np.ndarray
    method_code: np.ndarray
    lcp_size: np.ndarray
    impacts: np.ndarray
    step: float
    status: str
    header: Mapping[str, Any]
    model: PlanarModel | None = None
    events: tuple[Event, ...] = ()
    collisions: tuple[Collision, ...] = ()
    _stored: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        T = len(self.time) - 1
        if len(self.contact_impulses) != T:
            raise ValueError(
                f"contact_impulses has {counted(len(self.contact_impulses), 'row')}; expected {T}"
            )
        for name in ARRAYS:
            array = getattr(self, name)
            rows = T + 1 if name in ("time", "q", "v") else T
            if len(array) != rows:
                raise ValueError(f"{name} has {counted(len(array), 'row')}; expected {rows}")
            array.setflags(write=False)

    # What is derived ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.time) - 1

    def __bool__(self) -> bool:
        return self.completed

    @property
    def completed(self) -> bool:
        """Whether the simulation ran to the end that was asked for."""
        return self.status == "completed"

    @property
    def reason(self) -> str:
        """How the simulation ended, in a sentence."""
        return f"ran to the end, t = {self.time[-1]:.9g} s" if self.completed else self.status

    @property
    def gained(self) -> float:
        """Energy (J) that appeared from nothing, at most since any earlier time.

        It comes from the drift of the scheme and from recovery of penetration. By the energy book of the run, which
        knows the work of inputs, pushes, drives and moving surfaces; NaN in files of earlier versions.
        """
        return float(self.header.get("gained", np.nan))

    @cached_property
    def modes(self) -> list[str]:
        """Contact mode of each step: one letter per contact, in model order.

        A contact is S when it carries no normal impulse; else F when its tangential speed at the end of the
        step is at most `tolerances.SLIP`, R when it is positive, L when it is negative.
        """
        return [row.tobytes().decode() for row in self.letters]

    @property
    def method(self) -> list[str]:
        """How the contact problem of each step was solved."""
        return [METHODS[code] for code in self.method_code]

    @cached_property
    def impulse(self) -> np.ndarray:
        """Contact impulses of each step (T, 2k), normal first, N s; divided by the step they are mean forces."""
        return _frozen(self.contact_impulses.dense())

    @cached_property
    def _span(self) -> np.ndarray:
        """Time that each row stands for (T, 1), s: a step, or several."""
        return self.step * np.rint(np.diff(self.time) / self.step)[:, None]

    @property
    def force(self) -> np.ndarray:
        """Mean contact forces of each step (T, 2k), N."""
        with np.errstate(over="ignore"):  # a run that left the range of double precision may be looked at
            return self.impulse / self._span

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Mean accelerations of each step (T, n): differences of the velocities."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.diff(self.v, axis=0) / self._span

    @cached_property
    def gap(self) -> np.ndarray:
        """Gap of each contact at each state (T + 1, k), m."""
        if "gap" in self._stored:
            return self._stored["gap"]
        from modecontrol._core import dynamics as core

        return _frozen(core.gaps_along(self._needs_tree("gaps").core, self.q))

    @cached_property
    def kinetic(self) -> np.ndarray:
        """Kinetic energy at each state (T + 1,), J."""
        return self._energies[0]

    @cached_property
    def potential(self) -> np.ndarray:
        """Potential energy at each state (T + 1,), J: gravity, joint springs, compliant contacts."""
        return self._energies[1]

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy together at each state (T + 1,), J."""
        with np.errstate(over="ignore", invalid="ignore"):
            return _frozen(self.kinetic + self.potential)

    @cached_property
    def _energies(self) -> tuple[np.ndarray, np.ndarray]:
        if "kinetic" in self._stored:
            return self._stored["kinetic"], self._stored["potential"]
        from modecontrol._core import dynamics as core

        tree = self._needs_tree("energies")
        parts = core.energies_along(tree.core, self.q, self.v)
        soft = np.flatnonzero(np.isfinite(tree.stiffness))
        pressed = 0.5 * (np.minimum(self.gap[:, soft], 0.0) ** 2 @ tree.stiffness[soft])
        return _frozen(parts[:, 0].copy()), _frozen(parts[:, 1] + parts[:, 2] + pressed)

    def _needs_tree(self, what: str) -> Tree:
        tree = self._needs_model(what).tree
        assert tree is not None, "runs of models without bodies keep gaps and energies"
        return tree

    def _needs_model(self, what: str) -> PlanarModel:
        if self.model is None:
            raise ValueError(
                f"{what} need the model {self.header['model']!r}, which was not found when this "
                "trajectory was loaded; pass it: Trajectory.load(path, model=...)"
            )
        return self.model

    # Files ----------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write an npz file with a JSON header; the path gets the ending .npz if it has none.

        Parameters
        ----------
        path
            Where to.
        """
        return write_trajectory(self, as_path(path))

    @classmethod
    def load(cls, path: str | Path, model: Model | None = None) -> Trajectory:
        """Read what `save` wrote.

        Parameters
        ----------
        path
            The file.
        model
            The mechanism; None means to look for it among the models that ship, by name and parameters.
        """
        if model is not None and not hasattr(model, "snapshot"):
            raise TypeError(f"model is {shown(model)}; expected the model of the run, or None to look for it")
        found = read_trajectory(as_path(path))
        return cls(**found, model=find_model(found["header"]) if model is None else model)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with one row per state; what happens within a step stands where it begins."""
        import pandas

        return pandas.DataFrame(columns_of(self))

    def to_csv(self, path: str | Path) -> Path:
        """Write one line per state, columns as in `to_pandas`; what is not known at the last state stays
        empty.

        Parameters
        ----------
        path
            Where to.
        """
        return write_csv(self, as_path(path))

    # Pictures -------------------------------------------------------------------------------------

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw coordinates, torques and modes over time; returns the axes.

        Parameters
        ----------
        ax
            Matplotlib axes to draw into; None makes new ones.
        **options
            Passed on to `modecontrol.view.trajectory.plot_trajectory`.
        """
        from modecontrol.view import trajectory

        return trajectory.plot_trajectory(self, ax, **options)

    def animate(self, path: str | Path | None = None, **options: Any) -> Any:
        """A moving picture of the mechanism, in a file or in a notebook.

        Parameters
        ----------
        path
            File, such as "flip.gif"; None gives a film that a notebook shows.
        **options
            Passed on to `modecontrol.view.animation.animate`.
        """
        from modecontrol.view import animation

        if path is None:
            return animation.inline_film(self, **options)
        return animation.animate(self, path, **options)

    def explore(self, **options: Any) -> Any:
        """The run as a page to scrub through: a widget in a notebook, otherwise a page of this machine.

        Parameters
        ----------
        **options
            As in `modecontrol.page.explore_trajectory`: `title`, `port`, `browser`.
        """
        from modecontrol.page import explore_trajectory

        return explore_trajectory(self, **options)

    def __repr__(self) -> str:
        steps = round((self.time[-1] - self.time[0]) / self.step)
        rows = "" if steps == len(self) else f" in {counted(len(self), 'row')}"
        return (
            f"Trajectory({self.header['model']!r}, {counted(steps, 'step')} of {self.step:g} s{rows} to t = "
            f"{self.time[-1]:g} s, {self.status})"
        )

    def _repr_markdown_(self) -> str:
        """For notebooks: what was simulated, how it ended, and the contact modes with their times."""
        story = [
            (time, mode)
            for time, mode, before in zip(self.time, self.modes, ("", *self.modes), strict=False)
            if mode != before
        ]
        shown = ", ".join(f"{mode} from {time:.4g} s" for time, mode in story[:12])
        more = f", and {len(story) - 12} more" if len(story) > 12 else ""
        return "\n".join(
            [
                f"**{self.header['model']}**, {self.time[-1]:g} s in steps of {self.step:g} s: {self.status}",
                "",
                f"Contact modes: {shown or 'none'}{more}",
            ]
        )


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
