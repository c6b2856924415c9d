"""Row labels: why a row is there.

A label is a set of words, `frozenset({"front friction"})`. Rows that a user writes have one word or none; a
row made by projection carries the words of every row that was combined into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from modecontrol.validation import as_tuple

__all__ = ["Labels", "as_labels", "denied", "names", "no_labels", "spoken", "union"]

Labels = tuple[frozenset[str], ...]

_NONE: frozenset[str] = frozenset()


def no_labels(count: int) -> Labels:
    """`count` empty labels."""
    return (_NONE,) * count


def as_labels(labels, count: int, what: str) -> Labels:
    """One frozenset per row from strings, sets of strings, or None.

    Parameters
    ----------
    labels : None or sequence of (None, str, iterable of str)
        What the user wrote.
    count : int
        Number of rows.
    what : str
        The argument's name, for the error message.

    Returns
    -------
    Labels
        A tuple of `count` frozensets.
    """
    if labels is None:
        return no_labels(count)
    if isinstance(labels, str):
        raise ValueError(f"{what} is the single string {labels!r}; expected {count} entries, one per row")
    made = []
    for entry in as_tuple(labels, what, "texts, one per row"):
        if entry is None:
            made.append(_NONE)
        elif isinstance(entry, str):
            made.append(frozenset([entry]) if entry else _NONE)
        else:
            words = frozenset(as_tuple(entry, what, "texts, one per row"))
            if not all(isinstance(word, str) for word in words):
                raise ValueError(f"{what} holds {entry!r}; expected a string or a set of strings per row")
            made.append(words)
    if len(made) != count:
        raise ValueError(f"{what} has {len(made)} entries; expected {count}, one per row")
    return tuple(made)


def union(labels: Sequence[frozenset[str]], rows: Iterable) -> frozenset[str]:
    """All words of the given rows (indices, or a mask).

    Parameters
    ----------
    labels : sequence of frozenset of str
        The labels to draw from.
    rows : array_like of int or bool
        Which of them.

    Returns
    -------
    frozenset of str
        The words of those rows together.
    """
    chosen = np.asarray(rows)
    if chosen.dtype == bool:
        chosen = np.flatnonzero(chosen)
    return frozenset().union(*(labels[int(i)] for i in chosen)) if any(labels) else _NONE


def spoken(label: frozenset[str]) -> str:
    """A label in print: its words in alphabetical order."""
    return ", ".join(sorted(label))


def denied(label: frozenset[str]) -> frozenset[str]:
    """The label of a row turned round, `a x >= b` in place of `a x <= b`: "not front friction"."""
    if not label:
        return _NONE
    word = " and ".join(sorted(label))
    return frozenset([word[4:] if word.startswith("not ") and len(label) == 1 else f"not {word}"])


def names(labels: Labels, equality_labels: Labels, y: np.ndarray, z: np.ndarray) -> list[str]:
    """The rows with a nonzero multiplier, by label, or by number where they have none.

    Parameters
    ----------
    labels, equality_labels : Labels
        Labels of the rows of `A` and of `C`.
    y, z : numpy.ndarray
        Multipliers of the rows of `A` and of `C`.

    Returns
    -------
    list of str
        Sorted, without repetition.
    """
    found: set[str] = set()
    for words, multipliers, kind in ((labels, y, "row"), (equality_labels, z, "equality")):
        for i in np.flatnonzero(multipliers):
            found |= words[i] or {f"{kind} {i}"}
    return sorted(found)
