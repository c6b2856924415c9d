"""`Trajectory`: what a simulation saw, step by step; read-only, saved as npz with a JSON header."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.engine import METHODS

LETTERS = "SLRF"
_SPELL = np.frombuffer(LETTERS.encode(), np.uint8)
FORMAT = 1
_ARRAYS = ("time", "q", "v", "torque", "impulse", "loop_impulse", "letters", "residual", "method_code", "lcp_size",
           "impacts")
_LAZY = ("gap", "kinetic", "potential")


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """`T` steps of a simulation. States have `T + 1` rows, what happens within a step has `T`.

    Parameters
    ----------
    time
        (T + 1,) s.
    q, v
        States (T + 1, n).
    torque
        Inputs during each step (T, t).
    impulse
        Contact impulses of each step (T, 2k), normal first, N s; divided by the step they are mean forces.
    loop_impulse
        Impulses in the pins (T, 2 per pin), world axes.
    letters
        State of each contact at the end of each step (T, k): 0 S, 1 L, 2 R, 3 F.
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
        The mechanism, a `Model` or a `LagrangianModel`; None when a saved trajectory's model could not be found again.
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    torque: np.ndarray
    impulse: np.ndarray
    loop_impulse: np.ndarray
    letters: np.ndarray
    residual: np.ndarray
    method_code: np.ndarray
    lcp_size: np.ndarray
    impacts: np.ndarray
    step: float
    status: str
    header: Mapping[str, Any]
    model: Any = None
    _stored: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        T = len(self.time) - 1
        for name in _ARRAYS:
            array = getattr(self, name)
            rows = T + 1 if name in ("time", "q", "v") else T
            if len(array) != rows:
                raise ValueError(f"{name} has {len(array)} rows; expected {rows}")
            array.setflags(write=False)

    # What is derived ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.time) - 1

    @property
    def completed(self) -> bool:
        """Whether the simulation ran to the end that was asked for."""
        return self.status == "completed"

    @cached_property
    def modes(self) -> list[str]:
        """Contact mode of each step: one letter per contact, in model order.

        A contact is S when it carries no normal impulse; else F when its tangential speed at the end of the
        step is at most `tolerances.SLIP`, R when it is positive, L when it is negative.
        """
        return [row.tobytes().decode() for row in _SPELL[self.letters]]

    @property
    def method(self) -> list[str]:
        """How the contact problem of each step was solved."""
        return [METHODS[code] for code in self.method_code]

    @property
    def force(self) -> np.ndarray:
        """Mean contact forces of each step (T, 2k), N."""
        return self.impulse / self.step

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Mean accelerations of each step (T, n): differences of the velocities."""
        return np.diff(self.v, axis=0) / self.step

    @cached_property
    def gap(self) -> np.ndarray:
        """Gap of each contact at each state (T + 1, k), m."""
        if "gap" in self._stored:
            return self._stored["gap"]
        from modecontrol._kernels.books import gaps_along

        tree = self._needs_model("gaps").tree
        return _frozen(gaps_along(tree.nodes_i, tree.nodes_f, tree.contacts_i, tree.contacts_f, self.q))

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
        return _frozen(self.kinetic + self.potential)

    @cached_property
    def _energies(self) -> tuple[np.ndarray, np.ndarray]:
        if "kinetic" in self._stored:
            return self._stored["kinetic"], self._stored["potential"]
        from modecontrol._kernels.books import energies_along

        tree = self._needs_model("energies").tree
        parts = energies_along(tree.nodes_i, tree.nodes_f, tree.gravity, self.q, self.v)
        soft = np.flatnonzero(np.isfinite(tree.stiffness))
        pressed = 0.5 * (np.minimum(self.gap[:, soft], 0.0) ** 2 @ tree.stiffness[soft])
        return _frozen(parts[:, 0].copy()), _frozen(parts[:, 1] + parts[:, 2] + pressed)

    def _needs_model(self, what: str) -> Model:
        if self.model is None:
            raise ValueError(f"{what} need the model {self.header['model']!r}, which was not found when this "
                             "trajectory was loaded; pass it: Trajectory.load(path, model=...)")
        return self.model

    # Files ----------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write an npz file with a JSON header; the path gets the ending .npz if it has none.

        Parameters
        ----------
        path
            Where to.
        """
        path = Path(path)
        if path.suffix != ".npz":
            path = path.with_name(path.name + ".npz")
        header = json.dumps({**self.header, "format": FORMAT, "step": self.step, "status": self.status})
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        if self.model is not None or self._stored:
            arrays |= {name: getattr(self, name) for name in _LAZY}
        with path.open("wb") as file:
            np.savez_compressed(file, header=np.array(header), **arrays)
        return path

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
        if Path(path).is_file() and not zipfile.is_zipfile(path):
            raise ValueError(f"{path} is no saved trajectory (no npz archive); expected a file written by Trajectory.save")
        try:
            with np.load(path, allow_pickle=False) as file:
                if "header" not in file:
                    raise ValueError(f"{path} has no header; expected a file written by Trajectory.save")
                header = json.loads(str(file["header"]))
                if header.get("format") != FORMAT:
                    raise ValueError(f"{path} has format {header.get('format')!r}; "
                                     f"this version reads format {FORMAT}")
                arrays = {name: file[name] for name in _ARRAYS}
                stored = {name: _frozen(file[name]) for name in _LAZY if name in file}
        except (OSError, KeyError, json.JSONDecodeError) as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise ValueError(f"{path} is no saved trajectory ({error})") from None
        header = {key: value for key, value in header.items() if key != "format"}
        step, status = header.pop("step"), header.pop("status")
        return cls(**arrays, step=step, status=status, header=header, model=model or _find_model(header),
                   _stored=stored)

    def to_pandas(self):
        """A `pandas.DataFrame` with one row per state; what happens within a step stands where it begins."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_csv(self, path: str | Path) -> Path:
        """Write one line per state, columns as in `to_pandas`; what is not known at the last state stays empty.

        Parameters
        ----------
        path
            Where to.
        """
        path, columns = Path(path), self._columns()
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            for values in zip(*columns.values(), strict=True):
                writer.writerow(["" if isinstance(x, float) and np.isnan(x) else x for x in values])
        return path

    def _columns(self) -> dict[str, Any]:
        names = self.header["names"]
        columns: dict[str, Any] = {"time": self.time.tolist()}
        columns |= {name: self.q[:, i].tolist() for i, name in enumerate(names["coordinates"])}
        columns |= {f"{name}.velocity": self.v[:, i].tolist() for i, name in enumerate(names["coordinates"])}
        columns |= {name: _padded(self.torque[:, i]) for i, name in enumerate(names["inputs"])}
        for i, name in enumerate(names["contacts"]):
            columns[f"{name}.normal"] = _padded(self.force[:, 2 * i])
            columns[f"{name}.tangential"] = _padded(self.force[:, 2 * i + 1])
        if self.model is not None or self._stored:
            columns |= {f"{name}.gap": self.gap[:, i].tolist() for i, name in enumerate(names["contacts"])}
            columns |= {"kinetic": self.kinetic.tolist(), "potential": self.potential.tolist(),
                        "energy": self.energy.tolist()}
        columns |= {"mode": [*self.modes, ""], "impacts": [*self.impacts.tolist(), 0],
                    "residual": _padded(self.residual), "method": [*self.method, ""]}
        return columns

    # Pictures -------------------------------------------------------------------------------------

    def plot(self, ax=None, **options):
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

    def animate(self, path: str | Path, **options):
        """Write a moving picture of the mechanism.

        Parameters
        ----------
        path
            File, such as "flip.gif".
        **options
            Passed on to `modecontrol.view.animation.animate`.
        """
        from modecontrol.view import animation

        return animation.animate(self, path, **options)

    def __repr__(self) -> str:
        return (f"Trajectory({self.header['model']!r}, {len(self)} steps of {self.step:g} s to t = "
                f"{self.time[-1]:g} s, {self.status})")


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


def _padded(values: np.ndarray) -> list[float]:
    return [*values.tolist(), float("nan")]


def _find_model(header: Mapping[str, Any]) -> Model | None:
    from modecontrol.dynamics import load, models

    if header["model"] not in models():
        return None
    try:
        model = load(header["model"], **header["parameters"])
    except (ValueError, TypeError, OSError):
        return None
    return model if list(model.coordinates) == header["names"]["coordinates"] else None
