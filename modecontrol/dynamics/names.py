"""Names of what a snapshot speaks of: coordinates, inputs, contacts, loop closures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from modecontrol.validation import as_tuple, check_count

KINDS = ("coordinates", "inputs", "contacts")


@dataclass(frozen=True)
class Names:
    """Names of coordinates, inputs, contacts and loop-closing pins, in order.

    Parameters
    ----------
    coordinates, inputs, contacts, pins
        Sequences of names; each may stand once in its sequence.
    input_units
        Unit of each input, for pictures; empty where they are not known.
    loop_rows
        Names of the loop-closing equations ("hinge.x"); empty where they are not known.
    """

    coordinates: tuple[str, ...]
    inputs: tuple[str, ...]
    contacts: tuple[str, ...]
    pins: tuple[str, ...] = ()
    input_units: tuple[str, ...] = ()
    loop_rows: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for f in fields(self):
            names = getattr(self, f.name)
            if isinstance(names, str):
                raise ValueError(f"names: {f.name} is the string {names!r}; expected a sequence of names")
            names = tuple(map(str, as_tuple(names, f"names: {f.name}", "names")))
            if f.name != "input_units" and len(set(names)) != len(names):
                raise ValueError(f"names: {f.name} {names} repeat; every name may stand once")
            object.__setattr__(self, f.name, names)

    @classmethod
    def default(cls, n: int, t: int, k: int, loops: int = 0) -> Names:
        """`q1.., tau1.., c1.., pin1..`.

        Parameters
        ----------
        n, t, k
            Numbers of coordinates, inputs and contacts.
        loops
            Number of pins.
        """
        return cls(
            *(
                tuple(f"{letter}{i + 1}" for i in range(check_count(count, f"the number of {letter}")))
                for letter, count in (("q", n), ("tau", t), ("c", k), ("pin", loops))
            )
        )


def read_names(names: Any, n: int, t: int, k: int, pins: int) -> Names:
    """Names as given, completed by default ones.

    Parameters
    ----------
    names
        `Names`, a mapping by kind, sequences in the order of `KINDS`, or None.
    n, t, k, pins
        Numbers of coordinates, inputs, contacts and pins.
    """
    default = Names.default(n, t, k, pins)
    if names is None:
        return default
    if not isinstance(names, Names):
        pairs = (
            names
            if isinstance(names, Mapping)
            else zip(KINDS, as_tuple(names, "names", "names"), strict=False)
        )
        given = dict(pairs)
        unknown = set(given) - {f.name for f in fields(Names)}
        if unknown:
            raise ValueError(
                f"names has unknown keys {sorted(map(str, unknown))}; expected {', '.join(KINDS)}"
            )
        names = Names(**{f.name: given.get(f.name, getattr(default, f.name)) for f in fields(Names)})
    for kind, count in zip(KINDS, (n, t, k), strict=True):
        found = getattr(names, kind)
        if len(found) != count:
            raise ValueError(f"names.{kind} has {len(found)} entries {found}; expected {count}")
    return names
