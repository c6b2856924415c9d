"""A study as a small TOML file, for `modecontrol study FILE`.

    model = "rhex"                              # a model that ships, or a path beside this file
    quantities = ["modes", "thrust", {name = "flip", kind = "blind"}]
    objective = "alpha"
    task = ["body.normal >= 10"]
    out = "results/rhex"                        # beside this file

    [parameters]                                # fixed
    stall = 10

    # a full grid; with `design = "sobol"` or "latin hypercube": ranges, and `points`
    [vary]
    mu_toe = {from = 0.3, to = 0.9, steps = 25}
    alpha = [0.0, 0.1, "pi/8"]

    # contacts closed by moving coordinates; or place = "module:function"
    [place]
    contacts = ["body", "rear", "middle", "front"]
    coordinates = ["z", "phi1", "phi2", "phi3"]

A function of your own is named as `"module:function"`, importable where the study runs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.dynamics.expressions import Expression
from modecontrol.studies.designs import KINDS, Design, grid, latin_hypercube, sobol, table
from modecontrol.studies.placing import Touching
from modecontrol.studies.points import RESPONSE, THRUST
from modecontrol.validation import LARGEST_TEXT, check_readable, did_you_mean

KEYS = (
    "model",
    "quantities",
    "objective",
    "design",
    "points",
    "seed",
    "chunk",
    "out",
    "q",
    "v",
    *RESPONSE,
    *THRUST,
    "parameters",
    "vary",
    "place",
)
AXIS = ("from", "to", "steps")


def read_study(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file says: arguments of `study` that say what is computed, and `out`, `chunk` and `seed` where
    given.

    Parameters
    ----------
    path
        The TOML file.
    """
    file = Path(path)
    check_readable(file, "a study in TOML", LARGEST_TEXT)
    try:
        words = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(f"{file}: cannot be read ({reason}); a study in TOML was expected") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: not valid TOML: {error}") from None
    except RecursionError:
        raise ValueError(f"{file}: nested too deeply; a study in TOML was expected") from None
    try:
        return _read(words, file.parent)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None


def _read(words: Mapping[str, Any], beside: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    from modecontrol.dynamics import load

    for key in words:
        if key not in KEYS:
            raise ValueError(
                f"unknown key {key!r}{did_you_mean(key, KEYS)}; expected some of {', '.join(KEYS)}"
            )
    for key in ("model", "vary"):
        if key not in words:
            raise ValueError(
                f"{key} is missing; expected "
                + ('model = "rhex", say' if key == "model" else "a table [vary]")
            )
    name = str(words["model"])
    local = beside / name
    model = load(local if local.exists() else name, **_table(words, "parameters"))
    asked: dict[str, Any] = {
        "model": model,
        "points": _design(words, model),
        "quantities": [_quantity(one) for one in _list(words.get("quantities", ["modes"]))],
    }
    asked.update({key: words[key] for key in ("objective", "q", "v", *RESPONSE, *THRUST) if key in words})
    if "place" in words:
        asked["place"] = _place(words["place"])
    return asked, {
        "out": beside / words["out"] if "out" in words else None,
        "chunk": words.get("chunk"),
        "seed": words.get("seed", 0),
    }


def _design(words: Mapping[str, Any], model: Any) -> Design:
    vary, kind = _table(words, "vary"), words.get("design", "grid")
    if kind not in KINDS:
        raise ValueError(f"design is {kind!r}{did_you_mean(kind, KINDS)}; expected one of {', '.join(KINDS)}")
    if kind in ("grid", "table"):
        if "points" in words:
            raise ValueError(
                f'found points beside design = "{kind}", whose points are counted by [vary]; leave it out'
            )
        return (grid if kind == "grid" else table)(
            {name: _values(name, value, model) for name, value in vary.items()}
        )
    if "points" not in words:
        raise ValueError(f'points is missing; design = "{kind}" needs the number of points')
    ranges = {name: tuple(_values(name, value, model)) for name, value in vary.items()}
    return (sobol if kind == "sobol" else latin_hypercube)(ranges, words["points"], words.get("seed", 0))


def _values(name: str, value: Any, model: Any) -> np.ndarray:
    """A list of numbers and expressions, or evenly spaced ones; a range is `{from, to}`."""
    if isinstance(value, Mapping):
        for key in value:
            if key not in AXIS:
                raise ValueError(
                    f"[vary] {name}: unknown key {key!r}{did_you_mean(key, AXIS)}; expected {', '.join(AXIS)}"
                )
        if "from" not in value or "to" not in value:
            raise ValueError(
                f"[vary] {name}: expected from and to, such as {{from = 0.2, to = 0.8, steps = 13}}"
            )
        low, high = (_number(f"[vary] {name}", value[key], model) for key in ("from", "to"))
        steps = value.get("steps", 2)
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
            raise ValueError(f"[vary] {name}: steps is {steps!r}; expected a whole number of at least 1")
        if not np.isfinite(high - low):
            raise ValueError(f"[vary] {name}: from {low:g} to {high:g}; expected finite numbers")
        return np.linspace(low, high, steps)
    return np.array([_number(f"[vary] {name}", item, model) for item in _list(value)])


def _number(what: str, value: Any, model: Any) -> float:
    if isinstance(value, str):
        try:
            return Expression(value).evaluate(model.parameters)
        except ValueError as error:
            raise ValueError(f"{what}: {value!r} is no number ({error})") from None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{what} has {value!r}; expected numbers")
    return float(value)


def _quantity(one: Any) -> Any:
    if isinstance(one, Mapping):
        name = _quantity(one.get("name"))
        return dict(one) if isinstance(name, str) else {**one, "name": name}
    return _function(one) if isinstance(one, str) and ":" in one else one


def _place(thing: Any) -> Any:
    if isinstance(thing, Mapping):
        if set(thing) != {"contacts", "coordinates"}:
            raise ValueError(
                f"[place] has {', '.join(thing) or 'nothing'}; expected contacts and coordinates"
            )
        return Touching(thing["contacts"], thing["coordinates"])
    if isinstance(thing, str) and ":" in thing:
        return _function(thing)
    raise ValueError(
        f'place is {thing!r}; expected a table with contacts and coordinates, or "module:function"'
    )


def _function(text: str) -> Any:
    module, _, name = text.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{text!r} cannot be imported ({error}); expected module:function, importable from here"
        ) from None
    return found


def _table(words: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = words.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{key}: found {value!r}; a table headed [{key}] was expected")
    return value


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]
