"""A saved trajectory is believed only after it was checked: sizes before memory is taken, then kinds, shapes, places, header.

Files come from anywhere. Nothing in them is ever executed (no pickles), a head that promises more numbers than
the file has takes no memory, and what is no trajectory is refused with a sentence.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import LETTERS
from modecontrol.validation import shown

LISTS = ("coordinates", "inputs", "contacts", "pins")
CODES = np.frombuffer(LETTERS.encode(), np.uint8)


def read_header(path: Path, arrays: dict[str, np.ndarray], formats: tuple[int, ...]) -> dict[str, Any]:
    """The header of a trajectory: a model, its parameters, names of everything, step and status.

    Parameters
    ----------
    path
        The file, for messages.
    arrays
        What it holds.
    formats
        Those that are understood.
    """
    if "header" not in arrays or arrays["header"].dtype.kind != "U":
        raise ValueError(f"{path} has no header; expected a file written by Trajectory.save")
    try:
        header = json.loads(str(arrays["header"]))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no saved trajectory (its header: {str(error)[:200]})") from None
    kind = header.get("format") if isinstance(header, dict) else None
    if kind not in formats or isinstance(kind, bool):
        raise ValueError(
            f"{path} has format {shown(kind)}; this version reads formats {formats[0]} to {formats[-1]}"
        )
    names = header.get("names")
    sound = (
        isinstance(header.get("model"), str)
        and isinstance(header.get("status"), str)
        and isinstance(header.get("parameters"), dict)
        and isinstance(names, dict)
        and all(isinstance(names.get(what), list) for what in LISTS)
        and all(isinstance(name, str) for what in LISTS for name in names[what])
        and isinstance(step := header.get("step"), int | float)
        and 0 < step < tolerances.LARGEST
        and step is not True
    )
    if not sound:
        raise ValueError(
            f"{path} has a header without model, parameters, names, step or status; expected a file written by Trajectory.save"
        )
    return header


def check_shapes(
    path: Path, arrays: dict[str, np.ndarray], names: dict[str, list[str]], methods: int, step: float
) -> None:
    """Refuse arrays that do not fit together.

    Parameters
    ----------
    path
        The file, for messages.
    arrays
        What it holds, letters as ASCII bytes.
    names
        Names of coordinates, inputs, contacts and pins.
    methods
        Number of methods that steps may have been solved by.
    step
        Of the simulation (s).
    """
    T = len(np.atleast_1d(arrays["time"])) - 1
    n, t, k, p = (len(names[what]) for what in LISTS)
    m = len(np.atleast_1d(arrays["impulse_contact"]))
    expected = {
        "time": (T + 1,),
        "q": (T + 1, n),
        "v": (T + 1, n),
        "torque": (T, t),
        "loop_impulse": (T, 2 * p),
        "letters": (T, k),
        "residual": (T,),
        "method_code": (T,),
        "lcp_size": (T,),
        "impacts": (T,),
        "impulse_start": (T + 1,),
        "impulse_contact": (m,),
        "impulse_value": (m, 2),
        "gap": (T + 1, k),
        "kinetic": (T + 1,),
        "potential": (T + 1,),
    }
    whole = ("letters", "method_code", "lcp_size", "impacts", "impulse_start", "impulse_contact")
    for name, shape in expected.items():
        if name not in arrays:
            continue
        kind = "iu" if name in whole else "f"
        if arrays[name].shape != shape or arrays[name].dtype.kind not in kind:
            raise ValueError(
                f"{path}: {name} is {arrays[name].dtype} of shape {arrays[name].shape}; expected "
                f"{'whole numbers' if name in whole else 'numbers'} of shape {shape}"
            )
    time, start, contact = arrays["time"], arrays["impulse_start"], arrays["impulse_contact"]
    checks = {
        "time does not grow": np.all(np.isfinite(time)) and np.all(np.diff(time) > 0),
        f"time does not grow by whole steps of {step:g} s": np.all(np.diff(time) > 0.5 * step),
        "letters are not S, L, R, F": np.all(np.isin(arrays["letters"], CODES)),
        "method_code names no method": np.all(
            (arrays["method_code"] >= 0) & (arrays["method_code"] < methods)
        ),
        "impulse_start is in disorder": start[0] == 0
        and start[-1] == m
        and np.all(np.diff(start.astype(np.int64)) >= 0),
        "impulse_contact names no contact": np.all((contact >= 0) & (contact < k)),
    }
    for what, good in checks.items():
        if not good:
            raise ValueError(f"{path}: {what}; expected a file written by Trajectory.save")
