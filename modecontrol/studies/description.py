"""What a study is, as plain data: two studies with equal descriptions give equal results.

Numbers and texts stand for themselves, arrays and models as a digest of their contents, functions by their
name and a digest of their source, so that a study is not resumed with a function that has changed.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from modecontrol import __version__
from modecontrol.studies.designs import Design
from modecontrol.studies.points import Recipe

FORMAT = "modecontrol study 1"
LONGEST = 64
"""Arrays with more entries than this are described by a digest."""


def describe(recipe: Recipe, design: Design, chunk: int) -> dict[str, Any]:
    """Everything that decides the files of a study.

    Parameters
    ----------
    recipe, design
        What is computed, and where.
    chunk
        Points in a file.
    """
    model = recipe.model
    return {
        "format": FORMAT,
        "version": __version__,
        "model": {
            "name": model.name,
            "parameters": plain(dict(model.parameters)),
            "digest": digest_of_model(model),
        },
        "design": {
            "kind": design.kind,
            "names": list(design.names),
            "kinds": list(recipe.kinds),
            "shape": list(design.shape),
            "axes": [axis.tolist() for axis in design.axes],
            "digest": None if design.rows is None else digest(design.rows.tobytes()),
        },
        "quantities": [
            {"name": one.name, "function": plain(one.function), "settings": plain(one.settings)}
            for one in recipe.quantities
        ],
        "columns": [
            {"name": name, "type": kind, "quantity": one.name}
            for one in recipe.quantities
            for name, kind in one.columns.items()
        ],
        "objective": plain(recipe.objective),
        "state": {"q": plain(recipe.q), "v": plain(recipe.v), "place": plain(recipe.place)},
        "options": plain(recipe.options),
        "seed": recipe.seed,
        "points": len(design),
        "chunk": chunk,
    }


def fingerprint(description: Mapping[str, Any]) -> str:
    """A short name of a description: equal descriptions, and no others, have the same.

    Parameters
    ----------
    description
        From `describe`.
    """
    return digest(json.dumps(description, sort_keys=True).encode())


def differences(mine: Any, other: Any, where: str = "") -> list[str]:
    """Where two descriptions differ, as `"model.name is 'rod', there it is 'block'"`.

    Parameters
    ----------
    mine, other
        Descriptions, or parts of them.
    where
        Name of the part.
    """
    if isinstance(mine, dict) and isinstance(other, dict):
        found = []
        for key in dict.fromkeys([*mine, *other]):
            found += differences(mine.get(key), other.get(key), f"{where}.{key}" if where else str(key))
        return found
    if isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        return [
            text
            for i, (a, b) in enumerate(zip(mine, other, strict=True), 1)
            for text in differences(a, b, f"{where} {i}")
        ]
    return [] if mine == other else [f"{where} is {_short(mine)}, there it is {_short(other)}"]


def plain(thing: Any) -> Any:
    """Only what JSON knows, the same in every process.

    Parameters
    ----------
    thing
        Options, constraints, arrays, functions.
    """
    if thing is None or isinstance(thing, bool | int | str):
        return thing
    if isinstance(thing, float | np.floating):
        return float(thing) if np.isfinite(thing) else repr(float(thing))
    if isinstance(thing, np.generic):
        return plain(thing.item())
    if isinstance(thing, Mapping):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [plain(item) for item in thing]
    if isinstance(thing, np.ndarray):
        return (
            plain(thing.tolist())
            if thing.size <= LONGEST
            else {"shape": list(thing.shape), "digest": digest(thing.tobytes())}
        )
    if isinstance(thing, functools.partial):
        return {
            "partial": plain(thing.func),
            "arguments": plain(thing.args),
            "settings": plain(thing.keywords),
        }
    if inspect.isroutine(thing):
        return _function(thing)
    if is_dataclass(thing) and not isinstance(thing, type):
        return {"type": _name(type(thing)), **{f.name: plain(getattr(thing, f.name)) for f in fields(thing)}}
    try:
        return {"type": _name(type(thing)), "digest": digest(pickle.dumps(thing, protocol=5))}
    except Exception:
        return {"type": _name(type(thing))}


def digest_of_model(model: Any) -> str:
    """A digest of what a model computes with: the tables of its mechanism, or its pickled self."""
    tree = getattr(model, "tree", None)
    if tree is None:
        return digest(pickle.dumps(model, protocol=5))
    parts = [repr((model.coordinates, model.inputs, model.contacts)).encode()]
    tables = (
        *(tree.nodes, tree.contacts, tree.closures, tree.springs, tree.pushes, *tree.shapes.all),
        *(tree.inputs, tree.gravity, tree.actuation),
        *((tree.drags, tree.wind) if len(tree.drags) else ()),
    )
    # As lists: the records of a table have padding bytes, which differ from run to run.
    parts += [
        repr(np.asarray(array).tolist()).encode() for array in (*tables, model.start, model.start_velocity)
    ]
    return digest(b"".join(parts))


def digest(data: bytes) -> str:
    """The first half of SHA-256.

    Parameters
    ----------
    data
        Bytes.
    """
    return hashlib.sha256(data).hexdigest()[:32]


def _function(function: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"function": _name(function)}
    if not str(getattr(function, "__module__", "")).startswith("modecontrol."):
        code = getattr(function, "__code__", None)
        try:
            found["source"] = digest(inspect.getsource(function).encode())
        except (OSError, TypeError):
            found["source"] = None if code is None else digest(code.co_code + repr(code.co_names).encode())
    return found


def _name(thing: Any) -> str:
    return f"{getattr(thing, '__module__', '')}:{getattr(thing, '__qualname__', repr(thing))}"


def _short(thing: Any) -> str:
    text = "missing" if thing is None else json.dumps(thing)
    return text if len(text) <= 80 else text[:77] + "..."
