"""From words to numbers: vectors, ranges and pairs as users write them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from modecontrol.dynamics.model import Model


def read_intervals(
    texts: list[str], option: str = "--uncertain", example: str = "mu=0.4..0.6"
) -> dict[str, tuple[float, float]]:
    """Intervals from `NAME=LOW..HIGH` texts.

    Parameters
    ----------
    texts
        What the user wrote.
    option, example
        The option and what it may look like, for messages.
    """
    found: dict[str, tuple[float, float]] = {}
    for text in texts:
        for name, value in _pairs(text, option, example).items():
            if name in found:
                raise ValueError(f"{option} names {name!r} twice; expected one interval")
            low, dots, high = value.partition("..")
            try:
                found[name] = (float(low), float(high))
            except ValueError:
                dots = ""
            if not dots:
                raise ValueError(
                    f"{option} {name} is {value!r}; expected LOW..HIGH, such as {name}={example.partition('=')[2]}"
                )
    return found


def read_pairs(texts: list[str]) -> dict[str, Any]:
    """Parameters from `NAME=VALUE` texts; expressions stay text, which the model reads."""
    changes: dict[str, Any] = {}
    for text in texts:
        for name, value in _pairs(text, "--set", "mu=0.4").items():
            if name in changes:
                raise ValueError(f"--set names {name!r} twice; expected one value")
            try:
                changes[name] = float(value)
            except ValueError:
                changes[name] = value
    return changes


def read_vector(
    text: str | None, names: tuple[str, ...], default: Any, option: str, model: Model | None
) -> np.ndarray:
    """Numbers for names: all of them in order, or some as `name=value` with the default for the others.

    Parameters
    ----------
    text
        What the user wrote; None for the default.
    names
        Names, in order.
    default
        Values of what is not named.
    option
        Name of the option, for messages.
    model
        Its parameters may be used in expressions; None for none.
    """
    import numpy as np

    from modecontrol.validation import counted

    values = np.array(default, dtype=float)
    if text is None:
        return values
    if "=" in text:
        for name, value in _pairs(text, option, f"{names[0] if names else 'x'}=0.1").items():
            values[_place(name, names, option)] = read_number(value, f"{option} {name}", model)
        return values
    parts = [part for part in text.split(",") if part.strip()]
    if len(parts) != len(names):
        raise ValueError(
            f"{option} has {counted(len(parts), 'number')}; expected {len(names)} ({', '.join(names) or 'none'}), or "
            "some as name=value"
        )
    return np.array(
        [read_number(part, f"{option} {name}", model) for part, name in zip(parts, names, strict=True)]
    )


def read_number(text: str, what: str, model: Model | None = None) -> float:
    """A number, or arithmetic with pi and the model's parameters.

    Parameters
    ----------
    text
        What the user wrote.
    what
        What it is, for messages.
    model
        Its parameters may be used.
    """
    from modecontrol.dynamics.expressions import Expression

    try:
        value = float(text)
    except ValueError:
        try:
            value = Expression(text.strip()).evaluate(model.parameters if model is not None else {})
        except ValueError as error:
            raise ValueError(f"{what}: {text.strip()!r} is no number ({error})") from None
    if not math.isfinite(value):
        raise ValueError(f"{what} is {value}; expected a finite number")
    return value


def read_ranges(text: str, names: tuple[str, ...], option: str, default: Any = None) -> np.ndarray:
    """(n, 2) ranges: one `low:high` for all, or some by name; an empty side is infinite.

    Parameters
    ----------
    text
        What the user wrote.
    names
        Names, in order.
    option
        Name of the option, for messages.
    default
        (n, 2) ranges of what is not named; None for unlimited.
    """
    import numpy as np

    found = np.full((len(names), 2), (-np.inf, np.inf)) if default is None else np.array(default, dtype=float)
    if "=" in text:
        for name, value in _pairs(text, option, f"{names[0] if names else 'x'}=-5:5").items():
            found[_place(name, names, option)] = _range(value, f"{option} {name}")
    else:
        found[:] = _range(text, option)
    return found


def read_slice(text: str | None, names: tuple[str, ...], model: Model) -> dict[str, float] | None:
    """`{"tau3": 0.0}` from `tau3=0`.

    Parameters
    ----------
    text
        What the user wrote, or None.
    names
        Names of the inputs.
    model
        Its parameters may be used.
    """
    if text is None:
        return None
    pairs = _pairs(text, "--slice", f"{names[0] if names else 'tau'}=0")
    return {
        names[_place(name, names, "--slice")]: read_number(value, f"--slice {name}", model)
        for name, value in pairs.items()
    }


def _pairs(text: str, option: str, example: str) -> dict[str, str]:
    found = {}
    for part in text.split(","):
        if not part.strip():
            continue
        name, equal, value = part.partition("=")
        if not equal or not name.strip() or not value.strip():
            raise ValueError(f"{option} has {part.strip()!r}; expected NAME=VALUE, such as {example}")
        if name.strip() in found:
            raise ValueError(f"{option} names {name.strip()!r} twice in {text!r}; expected every name once")
        found[name.strip()] = value.strip()
    return found


def _place(name: str, names: tuple[str, ...], option: str) -> int:
    from modecontrol.validation import meant

    if name not in names:
        raise ValueError(
            f"{option} names {name!r}, which is unknown{meant(name, names)}; expected some of "
            f"{', '.join(names) or 'none'}"
        )
    return names.index(name)


def _range(text: str, what: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    if not colon:
        raise ValueError(f"{what} is {text!r}; expected LOW:HIGH, such as -5:5 (an empty side is unlimited)")
    pair = (
        read_number(low, what) if low.strip() else -math.inf,
        read_number(high, what) if high.strip() else math.inf,
    )
    if pair[0] > pair[1]:
        raise ValueError(f"{what} is {text!r}; expected LOW:HIGH with LOW <= HIGH")
    return pair
