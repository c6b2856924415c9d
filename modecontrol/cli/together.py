"""Options that mean something only beside others, or that others leave without a meaning: none is passed over in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

SPELLED = {"parameters": "set", "modes": "mode"}
"""Options whose values are kept under another name."""


def check_needs(args: Namespace, names: Sequence[str], needed: str, why: str) -> None:
    """Refuse options that have no effect without another one.

    Parameters
    ----------
    args
        Parsed arguments.
    names
        Options, by the names of their values.
    needed
        The other one.
    why
        What they are for.
    """
    for name in names:
        if is_given(args, name) and not is_given(args, needed):
            raise ValueError(f"{option(name)} needs {option(needed)}: {why}; give both, or neither")


def check_apart(args: Namespace, names: Sequence[str], other: str, why: str) -> None:
    """Refuse options that have no effect beside another one.

    Parameters
    ----------
    args
        Parsed arguments.
    names
        Options, by the names of their values.
    other
        The one that leaves them without a meaning.
    why
        What that does.
    """
    for name in names:
        if name != other and is_given(args, name) and is_given(args, other):
            raise ValueError(
                f"{option(name)} and {option(other)} were both given: {why}; expected one of them"
            )


def is_given(args: Namespace, name: str) -> bool:
    """Whether an option was given: what was left out is None, False or an empty list."""
    value = getattr(args, name, None)
    return value is not None and value is not False and value != []


def option(name: str) -> str:
    """What an option is called where it is typed."""
    return "--" + SPELLED.get(name, name).replace("_", "-")
