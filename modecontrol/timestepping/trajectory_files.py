"""Trajectories in files: npz with a JSON header, and tables with one line per state."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.contact_impulses import ContactImpulses

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
    """Write an npz file; the path gets the ending .npz if it has none.

    Parameters
    ----------
    run
        The trajectory.
    path
        Where to.
    """
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
    """The fields of a trajectory, but for its model, from a file that `write_trajectory` wrote.

    Parameters
    ----------
    path
        The file.
    """
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path} is no saved trajectory (no npz archive); expected a file written by Trajectory.save"
        )
    try:
        with np.load(path, allow_pickle=False) as file:
            if "header" not in file:
                raise ValueError(f"{path} has no header; expected a file written by Trajectory.save")
            header = json.loads(str(file["header"]))
            if header.get("format") not in (1, FORMAT):
                raise ValueError(
                    f"{path} has format {header.get('format')!r}; this version reads formats 1 to {FORMAT}"
                )
            arrays = {name: file[name] for name in ARRAYS}
            if header["format"] == 1:
                arrays["letters"] = _FIRST_CODES[arrays["letters"]]
                impulses = ContactImpulses.of(file["impulse"])
            else:
                impulses = ContactImpulses(
                    **{name: file[f"impulse_{name}"] for name in _SPARSE},
                    contacts=arrays["letters"].shape[1],
                )
            stored = {name: file[name] for name in _LAZY if name in file}
    except (OSError, KeyError, json.JSONDecodeError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path} is no saved trajectory ({error})") from None
    header = {key: value for key, value in header.items() if key != "format"}
    step, status = header.pop("step"), header.pop("status")
    for array in stored.values():
        array.setflags(write=False)
    return {
        **arrays,
        "contact_impulses": impulses,
        "step": step,
        "status": status,
        "header": header,
        "_stored": stored,
    }


def write_csv(run: Trajectory, path: Path) -> Path:
    """Write one line per state; what is not known at the last state stays empty.

    Parameters
    ----------
    run
        The trajectory.
    path
        Where to.
    """
    columns = columns_of(run)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for values in zip(*columns.values(), strict=True):
            writer.writerow(["" if isinstance(x, float) and np.isnan(x) else x for x in values])
    return path


def columns_of(run: Trajectory) -> dict[str, Any]:
    """One column per quantity, one entry per state; forces are called as in constraints.

    Parameters
    ----------
    run
        The trajectory.
    """
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
    return model if list(model.coordinates) == header["names"]["coordinates"] else None
