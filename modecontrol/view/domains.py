"""The domain `D_c` of a mode in `(tau, w)` with its projection `T_c` on the torque axes (Figs. 2 and 3 of
Greenfield 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes import Polytope
from modecontrol.regions import windows
from modecontrol.validation import as_tuple, check_texts, counted, real_array
from modecontrol.view import palette, sets
from modecontrol.view import style as view_style
from modecontrol.view.shapes import Shape, shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.regions.dynamic_response import DynamicResponse


def plot_domain(
    response: ModeResponse,
    ax: Axes | None = None,
    *,
    variables: Sequence[str] | None = None,
    window: ArrayLike | None = None,
    at: Sequence[float] | None = None,
    colour: str | None = None,
    label: str | None = None,
) -> Axes:
    """Draw `D_c`, and below it `T_c = {tau : some w puts (tau, w) in D_c}`.

    Parameters
    ----------
    response
        A `ModeResponse`.
    ax
        Matplotlib axes (with three dimensions for three variables); None makes a figure.
    variables
        Two or three of the inputs' names and w1, w2, ...: the others go by projection. None takes all when
        there are at most three, and else as many inputs and ambiguity variables as fit, inputs first.
    window
        (lower, upper) for all variables or one pair per variable; None chooses one.
    at
        Inputs (all of them): the values that `w` may take there are drawn as a line or a face (Fig. 3,
        right).
    colour
        Fill; None takes the mode's colour.
    label
        Name in a legend; None takes the mode.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    names, shown = _variables(response, variables)
    D = response.domain.project([names.index(name) for name in shown]) if shown != names else response.domain
    inputs = [name for name in shown if name in response.problem.names.inputs]
    ax = view_style.axes(ax, 3 if len(shown) == 3 else 2, (7.2, 5.0))
    box = windows.window_of([D], len(shown), window)
    colour = (
        palette.mode_colour(response.mode) if colour is None else view_style.check_colour(colour, "colour")
    )
    sets.draw(ax, shape_of(windows.clip(D, box)), color=colour, label=label or f"$D$ of {response.mode}")
    floor = _floor(box, len(inputs))
    T = windows.clip(D.project(range(len(inputs))), box[: len(inputs)]) if inputs else None
    if T is not None and len(inputs) < len(shown):
        _draw_shadow(ax, shape_of(T), floor, len(shown), colour, f"$T$ of {response.mode}")
    if at is not None:
        _draw_fibre(ax, response, real_array(at, "at", 1), shown, box)
    sets.fit(ax, shown, np.column_stack([np.minimum(box[:, 0], floor), box[:, 1]]))
    handles, words = ax.get_legend_handles_labels()
    view_style.legend(ax, handles, words, beside=True)
    if windows.outside([D], box):
        view_style.note(ax, windows.UNBOUNDED)
    if response.ambiguity_variables == 0:
        view_style.note(ax, f"{response.mode} has no ambiguity variables: its domain is its torque set")
    return ax


def plot_domains(
    resp: DynamicResponse,
    modes: Sequence[str],
    ax: Axes | None = None,
    *,
    variables: Sequence[str] | None = None,
    window: ArrayLike | None = None,
) -> Axes:
    """Draw the domains of several modes together; where their projections overlap, the modes are ambiguous (Fig.
    3, left).

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    modes
        Mode strings. Each has ambiguity variables of its own; they share the axes all the same, as in the
        figure.
    ax
        Matplotlib axes; None makes a figure.
    variables
        As for `plot_domain`, for all modes.
    window
        (lower, upper) for all variables or one pair per variable; None chooses one for all modes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    chosen = [resp[mode] for mode in check_texts(modes, "modes")]
    if not chosen:
        raise ValueError("modes is empty; expected at least one mode to draw")
    if variables is None:
        variables = max((_variables(r, None)[1] for r in chosen), key=len)
    lifted = [_padded(r, variables) for r in chosen]
    box = windows.window_of(lifted, len(variables), window)
    ax = view_style.axes(ax, 3 if len(variables) == 3 else 2, (7.2, 5.0))
    inputs = [name for name in variables if name in resp.problem.names.inputs]
    floor = _floor(box, len(inputs))
    projections = []
    for rank, (r, D) in enumerate(zip(chosen, lifted, strict=True)):
        colour = palette.mode_colour(r.mode)
        sets.draw(ax, shape_of(windows.clip(D, box)), color=colour, label=f"$D$ of {r.mode}")
        projections.append(windows.clip(D.project(range(len(inputs))), box[: len(inputs)]))
        _draw_shadow(
            ax,
            shape_of(projections[-1]),
            floor - 0.02 * rank * np.ptp(box, axis=1),
            len(variables),
            colour,
            f"$T$ of {r.mode}",
        )
    _draw_overlaps(ax, projections, floor - 0.02 * len(chosen) * np.ptp(box, axis=1), len(variables))
    low = floor - 0.03 * (len(chosen) + 1) * np.ptp(box, axis=1)
    low[: len(inputs)] = box[: len(inputs), 0]
    sets.fit(ax, list(variables), np.column_stack([np.minimum(low, box[:, 0]), box[:, 1]]))
    handles, words = ax.get_legend_handles_labels()
    view_style.legend(ax, handles, words, beside=True)
    return ax


def _variables(response: ModeResponse, variables: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Names of all variables of the domain, and those to draw (inputs first)."""
    inputs = list(response.problem.names.inputs)
    ambiguity = [f"w{i + 1}" for i in range(response.ambiguity_variables)]
    names = inputs + ambiguity
    if variables is None:
        few = inputs[: 3 - min(1, len(ambiguity))]
        shown = names if len(names) <= 3 else few + ambiguity[: 3 - len(few)]
    else:
        shown = [names[windows.position(name, names)] for name in as_tuple(variables, "variables", "names")]
        shown = [name for name in shown if name in inputs] + [name for name in shown if name not in inputs]
    if not 1 <= len(shown) <= 3:
        raise ValueError(
            f"{len(shown)} variables to draw; expected one to three out of {', '.join(names) or 'none'}"
        )
    return names, shown


def _padded(response: ModeResponse, variables: Sequence[str]) -> Polytope:
    """The domain on some variables; ambiguity variables that the mode does not have are held at zero."""
    names, _ = _variables(response, None)
    missing = [name for name in variables if name not in names]
    if any(not name.startswith("w") for name in missing):
        raise ValueError(
            f"{missing[0]!r} is no variable of mode {response.mode} (variables: {', '.join(names)})"
        )
    D = response.domain
    if missing:
        held = np.eye(len(missing), D.n + len(missing), D.n)
        D = D.extend(len(missing)) & Polytope(None, None, held, np.zeros(len(missing)))
        names = names + missing
    return D.project([names.index(name) for name in variables])


def _floor(box: np.ndarray, inputs: int) -> np.ndarray:
    """Where projections lie: the lower edge of the window, a little below it along the ambiguity variables."""
    floor = box[:, 0].copy()
    floor[inputs:] -= 0.06 * np.ptp(box, axis=1)[inputs:]
    return floor


def _draw_shadow(ax: Axes, shape: Shape, floor: np.ndarray, n: int, colour: str, label: str) -> None:
    if shape.dimension < 0:
        return
    points = np.tile(floor, (len(shape.points), 1))
    points[:, : shape.points.shape[1]] = shape.points
    if shape.dimension == 2 and n == 3:
        lifted = Shape(2, points, (points,))
        sets.draw(ax, lifted, color=colour, alpha=0.25, label=label)
        return
    marker: dict[str, Any] = {"marker": "o", "markersize": 6} if shape.dimension == 0 else {}
    for line in ax.plot(
        *points.T,
        color=colour,
        linewidth=5,
        solid_capstyle="butt",
        label=label,
        zorder=4,
        clip_on=n == 3,
        **marker,
    ):
        line.set_in_layout(n == 2)  # the layout would take its three coordinates for two


def _draw_overlaps(ax: Axes, projections: Sequence[Polytope], floor: np.ndarray, n: int) -> None:
    label: str | None = "both"
    for i, first in enumerate(projections):
        for second in projections[i + 1 :]:
            both = first.intersect(second)
            if not both.is_empty and both.dimension == max(first.dimension, second.dimension):
                _draw_shadow(ax, shape_of(both), floor, n, palette.ACCENT, label or "_both")
                label = None


def _draw_fibre(
    ax: Axes, response: ModeResponse, tau: np.ndarray, shown: Sequence[str], box: np.ndarray
) -> None:
    """What `w` may be at one torque, at its place in the picture."""
    inputs = response.problem.names.inputs
    if tau.shape != (len(inputs),):
        raise ValueError(
            f"at has shape {tau.shape}; expected {counted(len(inputs), 'number')} ({', '.join(inputs)})"
        )
    names, _ = _variables(response, None)
    fixed = windows.choose(response.domain, names, dict(zip(inputs, tau, strict=True)))
    free = [name for name in shown if name not in inputs]
    if not free:
        return
    ws = names[len(inputs) :]
    fibre = fixed.project([ws.index(name) for name in free])
    shape = shape_of(windows.clip(fibre, box[[list(shown).index(name) for name in free]]))
    if shape.dimension < 0:
        view_style.note(ax, f"{response.mode} cannot happen at {', '.join(f'{x:g}' for x in tau)}")
        return
    points = np.empty((len(shape.points), len(shown)))
    for i, name in enumerate(shown):
        points[:, i] = shape.points[:, free.index(name)] if name in free else tau[list(inputs).index(name)]
    word = f"$w$ at {', '.join(f'{x:g}' for x in tau)}"
    if shape.dimension == 2:
        sets.draw(ax, Shape(2, points, (points,)), color=palette.ACCENT, alpha=0.6, label=word)
    else:
        ax.plot(
            *points.T, color=palette.ACCENT, linewidth=2.5, marker="o", markersize=3.5, label=word, zorder=6
        )
