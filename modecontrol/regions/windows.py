"""What part of a set is shown: slices, projections, and the window to which unbounded sets are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.variables import Values
from modecontrol.tolerances import LARGEST
from modecontrol.validation import as_numbers, as_tuple, check_number, did_you_mean, shown

PADDING = 0.35
"""Part of the extent of the vertices that is added on each side where it goes on beyond them."""
EDGE = 0.04
"""The same where it ends."""


def choose(
    P: Polytope,
    names: Sequence[str],
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
) -> Polytope:
    """`{x_keep : x in P, x_cut = value}`, then its projection on the variables to be drawn.

    Parameters
    ----------
    P
        The set.
    names
        Name of each variable.
    slice
        Values of the variables that are held, by name or number.
    project
        Variables that stay, in order, by name or number; the others go by projection.
    """
    cut = held_values(names, slice)
    if cut:
        P = P.slice(cut)
    if project is not None:
        names = remaining(names, slice)
        P = P.project([position(key, names) for key in as_tuple(project, "project", "variables")])
    return P


def held_values(names: Sequence[str], slice: Values | None) -> dict[int, float]:
    """Values of the variables that are held, by their place.

    Parameters
    ----------
    names, slice
        As for `choose`.
    """
    if slice is not None and not isinstance(slice, Mapping):
        raise ValueError(
            f"slice is {shown(slice)}; expected values by name, such as {{'{names[-1] if names else 'x'}': 0.0}}"
        )
    return {
        position(key, names): check_number(value, f"slice: {key}") for key, value in (slice or {}).items()
    }


def remaining(
    names: Sequence[str],
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
) -> list[str]:
    """Names of the variables that `choose` leaves.

    Parameters
    ----------
    names, slice, project
        As for `choose`.
    """
    cut = held_values(names, slice)
    rest = [name for i, name in enumerate(names) if i not in cut]
    if project is None:
        return rest
    kept = [rest[position(key, rest)] for key in as_tuple(project, "project", "variables")]
    if len(set(kept)) != len(kept):
        raise ValueError(f"project names {kept}; expected every variable once")
    return kept


def position(key: Any, names: Sequence[str]) -> int:
    """Place of a variable given by name or number.

    Parameters
    ----------
    key
        A name, or a number from zero.
    names
        The names.
    """
    if isinstance(key, str) and key in names:
        return list(names).index(key)
    if isinstance(key, int | np.integer) and not isinstance(key, bool) and 0 <= key < len(names):
        return int(key)
    raise ValueError(
        f"there is no variable {shown(key)} to draw{did_you_mean(key, names)} (variables: {', '.join(names) or 'none'})"
    )


def drawable(names: Sequence[str], what: str) -> None:
    """Complain when more than three variables are left to draw.

    Parameters
    ----------
    names
        Names of the variables left.
    what
        What is being drawn.
    """
    if len(names) > 3:
        first = ", ".join(f'"{name}"' for name in names[:2])
        rest = ", ".join(f'"{name}": 0.0' for name in names[3:])
        raise ValueError(
            f"{what} has {len(names)} variables ({', '.join(names)}); at most three can be drawn: hold "
            f"some, slice={{{rest}}}, or project on others, project=({first})"
        )


def window_of(
    sets: Iterable[Polytope], n: int, window: ArrayLike | None = None, within: Polytope | None = None
) -> np.ndarray:
    """(n, 2): the box that is drawn.

    Parameters
    ----------
    sets
        What is to be seen, none of it empty.
    n
        Number of variables.
    window
        The user's own: one pair (lower, upper) for all variables or one per variable; None to choose one.
    within
        Limits (of the torques, say): the window is their bounding box where that is finite.
    """
    if window is not None:
        given = as_numbers(window, "window")
        box = (
            np.broadcast_to(given, (n, 2)).copy()
            if given.shape in ((2,), (1, 2), (n, 2))
            else np.zeros((1, 2))
        )
        if not np.all(np.abs(box) <= LARGEST) or np.any(box[:, 0] >= box[:, 1]):
            raise ValueError(
                f"window is {shown(window)}; expected (lower, upper) with lower < upper, one "
                f"pair for all or one for each of {n} variables"
            )
        return box
    lower, upper = np.full(n, np.inf), np.full(n, -np.inf)
    endless = np.zeros((n, 2), dtype=bool)
    for P in sets:
        V = P.vertices
        if len(V):
            lower, upper = np.minimum(lower, V.min(axis=0)), np.maximum(upper, V.max(axis=0))
        rays = np.vstack([P.rays, P.lines, -P.lines]) if not P.is_bounded else np.zeros((1, n))
        endless |= np.column_stack(
            [np.any(rays < -tolerances.SHOWN_ZERO, axis=0), np.any(rays > tolerances.SHOWN_ZERO, axis=0)]
        )
    lower, upper = np.where(np.isfinite(lower), lower, 0.0), np.where(np.isfinite(upper), upper, 0.0)
    extent = upper - lower
    wide = extent > tolerances.SHOWN_EQUAL * (1 + np.abs(lower))
    size = np.where(wide, extent, np.maximum(extent.max(initial=0.0), np.maximum(1.0, np.abs(lower))))
    pad = np.where(endless, np.where(wide, PADDING, 1.0)[:, None], np.where(wide, EDGE, 0.5)[:, None])
    box = np.column_stack([lower - pad[:, 0] * size, upper + pad[:, 1] * size])
    if within is not None and not within.is_empty:
        limits = np.column_stack(within.bounding_box)
        span = limits[:, 1] - limits[:, 0]
        margin = EDGE * np.where(np.isfinite(span) & (span > 0), span, size)
        box = np.where(np.isfinite(limits), limits + margin[:, None] * np.array([-1.0, 1.0]), box)
    return box


def clip(P: Polytope, window: np.ndarray) -> Polytope:
    """The part of a set inside the window."""
    if P.n == 0:
        return P
    return P.intersect(Polytope.box(window[:, 0], window[:, 1]))


UNBOUNDED = "unbounded sets are cut at the edge of the window"


def outside(sets: Iterable[Polytope], window: np.ndarray) -> bool:
    """Whether some set goes on beyond the window.

    Parameters
    ----------
    sets
        The sets, none of them empty.
    window
        (n, 2) box.
    """
    for P in sets:
        if not P.is_bounded:
            return True
        V = P.vertices
        if len(V) and (
            np.any(window[:, 0] - tolerances.SHOWN_EQUAL > V)
            or np.any(window[:, 1] + tolerances.SHOWN_EQUAL < V)
        ):
            return True
    return False
