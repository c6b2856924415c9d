"""A `model.toml` becomes a `Mechanism`; the vocabulary is described in docs/model_files.md.

Nothing in a file is ever executed: TOML is data, expressions go through `expressions.Expression`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from modecontrol.dynamics import contact_words, couplings, repetition, shapes, vocabulary, words
from modecontrol.dynamics.checks import check, parents_first
from modecontrol.dynamics.expressions import Expression, number, shown
from modecontrol.dynamics.friction_box import another, check_alone, friction_box, read_intervals
from modecontrol.dynamics.mechanism import Mechanism, Scalar
from modecontrol.dynamics.name_checks import INDICES
from modecontrol.errors import ModelFileError
from modecontrol.validation import LARGEST_TEXT, check_readable, is_number, meant

KEYS = (
    "name",
    "about",
    "source",
    "gravity",
    "wind",
    "parameters",
    "body",
    "input",
    "contact",
    "contacts",
    "terrain",
    "groups",
    "pin",
    "closure",
    "spring",
    "push",
    "cable",
    "constraints",
    "outputs",
    "start",
    "assumed",
)
GRAVITY = (0.0, -9.81)
STILL = (0.0, 0.0)


def read(path: str | Path, /, **parameters: float | str) -> Mechanism:
    """The mechanism that a model file describes.

    Parameters
    ----------
    path
        A `.toml` file, or a folder with a `model.toml`.
    **parameters
        Values that replace the file's defaults.

    Raises
    ------
    ModelFileError
        If the file cannot be read or does not describe a mechanism, or a parameter is unknown.

    """
    file = Path(path)
    if file.is_dir():
        file = file / "model.toml"
    try:
        check_readable(file, "a model.toml", LARGEST_TEXT)
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ModelFileError(f"{file}: cannot be read ({reason}); a model.toml was expected") from None
    except ValueError as error:
        raise ModelFileError(str(error)) from None
    name = file.resolve().parent.name if file.name == "model.toml" else file.stem
    return parse(text, parameters, where=str(file), name=name)


def parse(
    text: str,
    parameters: Mapping[str, float | str] | None = None,
    *,
    where: str = "model.toml",
    name: str = "model",
) -> Mechanism:
    """The mechanism that the text of a model file describes.

    Parameters
    ----------
    text
        TOML.
    parameters
        Values that replace the text's defaults.
    where
        What error messages call the text.
    name
        Name of the mechanism if the text has none.

    Raises
    ------
    ModelFileError
        If the text does not describe a mechanism, or a parameter is unknown.

    """
    try:
        table = _toml(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelFileError(f"{where}: not valid TOML: {error}") from None
    except RecursionError:
        raise ModelFileError(f"{where}: nested too deeply; a model.toml was expected") from None
    try:
        return _with_intervals(_mechanism(table, name, parameters or {}), table, name, parameters or {})
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None


@lru_cache(maxsize=32)
def _toml(text: str) -> dict[str, Any]:
    """The text as a table, read once for the many models that a study makes of it; nobody changes it."""
    return tomllib.loads(text)


def _mechanism(table: dict[str, Any], name: str, overrides: Mapping[str, float | str]) -> Mechanism:
    words.known(table, KEYS)
    described = _table(table, "parameters")
    values = _parameters({name: _value(name, text) for name, text in described.items()}, overrides)
    start: dict[str, Scalar] = {}
    speed: dict[str, Scalar] = {}

    def body(entry: dict[str, Any]) -> Any:
        made = vocabulary.body(entry)
        start.update(vocabulary.starts(entry["joint"], "start"))
        speed.update(vocabulary.starts(entry["joint"], "speed"))
        return made

    bodies = tuple(_entries(table, "body", body, values))
    _unique("body", bodies)
    for key, value in _table(table, "start").items():
        start[key] = words.scalar(f"[start] {key}", value)
    mechanism = Mechanism(
        name=words.text("name", table.get("name", name)),
        bodies=parents_first(bodies),
        inputs=tuple(_entries(table, "input", vocabulary.actuator, values)),
        contacts=tuple(_entries(table, "contact", contact_words.contact, values)),
        pins=tuple(_entries(table, "pin", vocabulary.pin, values)),
        closures=tuple(_entries(table, "closure", couplings.closure, values)),
        springs=tuple(_entries(table, "spring", couplings.spring, values)),
        pushes=tuple(_entries(table, "push", couplings.push, values)),
        terrains=tuple(_entries(table, "terrain", shapes.terrain, values)),
        groups=MappingProxyType(shapes.groups(_table(table, "groups"))),
        cables=tuple(_entries(table, "cable", vocabulary.cable, values)),
        gravity=words.point("gravity", table.get("gravity", GRAVITY)),
        wind=words.point("wind", table.get("wind", STILL)),
        parameters=MappingProxyType(values),
        within=MappingProxyType(_intervals(described, overrides)),
        constraints=_texts(table, "constraints"),
        outputs=_texts(table, "outputs"),
        start=MappingProxyType(start),
        start_velocity=MappingProxyType(speed),
        assumed=tuple(
            words.text("assumed", mode) for mode in words.listed("assumed", table.get("assumed", []))
        ),
        about=_optional_text(table, "about"),
        source=_optional_text(table, "source"),
    )
    mechanism = shapes.with_shapes(mechanism, tuple(_entries(table, "contacts", shapes.pairs, values)))
    check(mechanism)
    return mechanism


def _with_intervals(
    mechanism: Mechanism, table: dict[str, Any], name: str, overrides: Mapping[str, float | str]
) -> Mechanism:
    """The mechanism, its uncertain parameters checked: each is friction and nothing else."""
    for uncertain, pair in read_intervals(mechanism, mechanism.within).items():
        value = another(mechanism, uncertain, pair)
        if value is not None:
            check_alone(mechanism, _mechanism(table, name, {**overrides, uncertain: value}), uncertain)
    if mechanism.within:
        friction_box(mechanism, mechanism.within)
    return mechanism


def _value(name: str, described: Any) -> Any:
    """The value of a parameter that is given alone, or as `{value = 0.6, within = [0.45, 0.75]}`."""
    if not isinstance(described, Mapping):
        return described
    if set(described) != {"value", "within"}:
        raise ValueError(
            f"[parameters] {name}: found {', '.join(map(repr, described)) or 'nothing'}; expected a number, a text, or "
            "{value = ..., within = [least, greatest]}"
        )
    return described["value"]


def _intervals(described: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Intervals of the parameters; one that is set from outside is known exactly."""
    found = {}
    for name, entry in described.items():
        if isinstance(entry, Mapping) and name not in overrides:
            pair = entry["within"]
            if not (
                isinstance(pair, list)
                and len(pair) == 2
                and all(is_number(end) for end in (*pair, entry["value"]))
                and pair[0] <= entry["value"] <= pair[1]
            ):
                raise ValueError(
                    f"[parameters] {name}: within is {shown(pair)} and value {shown(entry['value'])}; expected two numbers "
                    "[least, greatest] with a number between them as the value"
                )
            found[name] = (float(pair[0]), float(pair[1]))
    return found


def _parameters(defaults: Mapping[str, Any], overrides: Mapping[str, float | str]) -> dict[str, float]:
    """Values of the parameters; each may be an expression in the ones before it."""
    for name in overrides:
        if name not in defaults:
            raise ValueError(
                f"unknown parameter '{name}'{meant(name, defaults)}; expected one of "
                f"{', '.join(defaults) or 'none'}"
            )
    values: dict[str, float] = {}
    for name, default in defaults.items():
        if name in INDICES:
            raise ValueError(f"[parameters] {name}: the name counts repetitions; another name was expected")
        try:
            read = number(overrides.get(name, default))
            values[name] = read.evaluate(values) if isinstance(read, Expression) else read
        except ValueError as error:
            raise ValueError(f"[parameters] {name}: {error}") from None
    return values


def _entries(
    table: dict[str, Any], key: str, make: Callable[[dict[str, Any]], Any], values: Mapping[str, float]
) -> Iterator[Any]:
    tables = table.get(key, [])
    if not isinstance(tables, list):
        raise ValueError(f"{key}: found {shown(tables)}; entries headed [[{key}]] were expected")
    for place, written in enumerate(tables, start=1):
        label = f"number {place}"
        try:
            label = f"'{written['name']}'" if isinstance(written, dict) and "name" in written else label
            for entry in repetition.expand(written, values):
                label = f"'{entry['name']}'" if "name" in entry else label
                yield make(entry)
        except ValueError as error:
            raise ValueError(f"[[{key}]] {label}: {error}") from None


def _unique(what: str, entries: tuple[Any, ...]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen:
            raise ValueError(f"[[{what}]] '{entry.name}': the name is used twice; unique names were expected")
        seen.add(entry.name)


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{key}: found {shown(value)}; a table headed [{key}] was expected")
    return value


def _texts(table: dict[str, Any], key: str) -> Mapping[str, str]:
    return MappingProxyType(
        {name: words.text(f"[{key}] {name}", value) for name, value in _table(table, key).items()}
    )


def _optional_text(table: dict[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key}: found {shown(value)}; a text was expected")
    return " ".join(value.split())
