"""Trajectories in files: npz with a JSON header, and tables with one line per state."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.archives import read_archive
from modecontrol.dynamics.model import Model
from modecontrol.timestepping.contact_impulses import ContactImpulses
from modecontrol.timestepping.saved_arrays import check_shapes, read_header

if TYPE_CHECKING:
    from modecontrol.timestepping.trajectory import Trajectory

FORMAT = 2
"""Of the files that are written; those of format 1, with letters as 0 S, 1 L, 2 R, 3 F and all impulses, are
read too.
"""
_FIRST_CODES = np.frombuffer(b"SLRF", np.uint8)
ARRAYS = (
    "time",
    "q",
    "v",
    "torque",
    "loop_impulse",
    "letters",
    "residual",
    "method_code",
    "lcp_size",
    "impacts",
)
_SPARSE = ("start", "contact", "value")
_LAZY = ("gap", "kinetic", "potential")


def write_trajectory(run: Trajectory, path: Path) -> Path:
    """Write an npz file; the path gets the ending .npz if it has none."""
    if not path.name:
        raise ValueError(f"path is {str(path)!r}; expected the name of a file")
    if path.suffix != ".npz":
        path = path.with_name(path.name + ".npz")
    header = json.dumps({**run.header, "format": FORMAT, "step": run.step, "status": run.status})
    arrays = {name: getattr(run, name) for name in ARRAYS}
    arrays |= {f"impulse_{name}": getattr(run.contact_impulses, name) for name in _SPARSE}
    if run.model is not None or run._stored:
        arrays |= {name: getattr(run, name) for name in _LAZY}
    with path.open("wb") as file:
        np.savez_compressed(file, header=np.array(header), **arrays)
    return path


def read_trajectory(path: Path) -> dict[str, Any]:
    """The fields of a trajectory, but for its model, from a file that `write_trajectory` wrote."""
    from modecontrol.timestepping.engine import METHODS

    arrays = read_archive(path, "saved trajectory", "a file written by Trajectory.save")
    header = read_header(path, arrays, (1, FORMAT))
    contacts = len(header["names"]["contacts"])
    if header["format"] == 1:
        arrays = _modern(path, arrays, contacts)
    missing = [name for name in (*ARRAYS, *(f"impulse_{part}" for part in _SPARSE)) if name not in arrays]
    if missing:
        raise ValueError(f"{path} is no saved trajectory ({', '.join(missing)} is missing)")
    check_shapes(path, arrays, header["names"], len(METHODS), header["step"])
    impulses = ContactImpulses(**{part: arrays[f"impulse_{part}"] for part in _SPARSE}, contacts=contacts)
    stored = {name: arrays[name] for name in _LAZY} if all(name in arrays for name in _LAZY) else {}
    header = {key: value for key, value in header.items() if key != "format"}
    step, status = header.pop("step"), header.pop("status")
    for array in stored.values():
        array.setflags(write=False)
    return {
        **{name: arrays[name] for name in ARRAYS},
        "contact_impulses": impulses,
        "step": step,
        "status": status,
        "header": header,
        "_stored": stored,
    }


def _modern(path: Path, arrays: dict[str, np.ndarray], contacts: int) -> dict[str, np.ndarray]:
    """The arrays of a file of format 1 as those of the present one."""
    letters, full = arrays.get("letters"), arrays.get("impulse")
    if (
        letters is None
        or full is None
        or letters.dtype.kind not in "iu"
        or np.any((letters < 0) | (letters > 3))
    ):
        raise ValueError(f"{path} is no saved trajectory (letters or impulse are missing, or no codes)")
    if full.dtype.kind != "f" or full.ndim != 2 or full.shape[1] != 2 * contacts:
        raise ValueError(f"{path}: impulse has shape {full.shape}; expected rows of {2 * contacts} numbers")
    sparse = ContactImpulses.of(full)
    parts = {f"impulse_{part}": getattr(sparse, part) for part in _SPARSE}
    return {**arrays, "letters": _FIRST_CODES[letters], **parts}


def write_csv(run: Trajectory, path: Path) -> Path:
    """Write one line per state; what is not known at the last state stays empty."""
    columns = columns_of(run)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for values in zip(*columns.values(), strict=True):
            writer.writerow(["" if isinstance(x, float) and np.isnan(x) else x for x in values])
    return path


def columns_of(run: Trajectory) -> dict[str, Any]:
    """One column per quantity, one entry per state; forces are called as in constraints."""
    names = run.header["names"]
    columns: dict[str, Any] = {"time": run.time.tolist()}
    columns |= {name: run.q[:, i].tolist() for i, name in enumerate(names["coordinates"])}
    columns |= {f"{name}.velocity": run.v[:, i].tolist() for i, name in enumerate(names["coordinates"])}
    columns |= {name: _padded(run.torque[:, i]) for i, name in enumerate(names["inputs"])}
    for i, name in enumerate(names["contacts"]):
        columns[f"{name}.normal"] = _padded(run.force[:, 2 * i])
        columns[f"{name}.tangent"] = _padded(run.force[:, 2 * i + 1])
    if run.model is not None or run._stored:
        columns |= {f"{name}.gap": run.gap[:, i].tolist() for i, name in enumerate(names["contacts"])}
        columns |= {
            "kinetic": run.kinetic.tolist(),
            "potential": run.potential.tolist(),
            "energy": run.energy.tolist(),
        }
    columns |= {
        "mode": [*run.modes, ""],
        "impacts": [*run.impacts.tolist(), 0],
        "residual": _padded(run.residual),
        "method": [*run.method, ""],
    }
    return columns


def _padded(values: np.ndarray) -> list[float]:
    return [*values.tolist(), float("nan")]


def find_model(header: Mapping[str, Any]) -> Model | None:
    """The model that ships under the name and with the parameters of a header; None when there is none.

    Parameters
    ----------
    header
        As in `Trajectory.header`.
    """
    from modecontrol.dynamics import load, models

    if header["model"] not in models():
        return None
    try:
        model = load(header["model"], **header["parameters"])
    except (ValueError, TypeError, OSError):
        return None
    names = {what: list(getattr(model, what)) for what in ("coordinates", "inputs", "contacts")}
    return model if all(header["names"][what] == known for what, known in names.items()) else None
