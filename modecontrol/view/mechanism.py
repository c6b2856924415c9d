"""The mechanism at one configuration: bodies, joints, walls, contact frames, friction cones and forces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.state import read_state
from modecontrol.tolerances import NOTHING_THERE
from modecontrol.validation import check_number, check_texts, counted, real_array, shown
from modecontrol.view import palette
from modecontrol.view import style as view_style
from modecontrol.view.bodies import draw_bodies, extent, outlines
from modecontrol.view.ground import surfaces
from modecontrol.view.laws import draw_laws

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import State

__all__ = ["draw_bodies", "draw_walls", "extent", "frame", "outlines", "plot_mechanism"]

OPEN = 1e-6
"""A contact whose gap exceeds this part of the mechanism's size is drawn hollow: it does not touch (pictures
only).
"""
FEW = 6
"""With more contacts than this only those that touch are named."""


def plot_mechanism(
    model: Model,
    q: State | None = None,
    ax: Axes | None = None,
    *,
    frames: bool = True,
    cones: bool = True,
    forces: ArrayLike | Mapping[str, float] | None = None,
    force_scale: float | None = None,
    modes: str | None = None,
    labels: bool = True,
    walls: bool = True,
    colour: str = palette.BODY,
    alpha: float = 1.0,
) -> Axes:
    """Draw a model: bodies by their outlines, contacts with `(t, n)`, cones of half-angle `atan mu`, forces.

    Parameters
    ----------
    model
        A `Model`.
    q
        Configuration, sequence or dict; None takes the model's start.
    ax
        Flat matplotlib axes; None makes a figure.
    frames
        Whether to draw tangent and normal of each contact.
    cones
        Whether to draw the friction cones of the contacts that touch.
    forces
        Contact forces (2k,), normal first, or a dict by "contact.normal" and "contact.tangent"; None draws
        none.
    force_scale
        Metres per newton; None makes the largest force a quarter of the picture.
    modes
        A mode string: contacts take the colour of their letter.
    labels
        Whether to name the contacts.
    walls
        Whether to draw the half-planes, terrain and fixed shapes that the contacts touch.
    colour, alpha
        Fill of the bodies.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on, with equal scales.
    """
    view_style.check_flags(frames=frames, cones=cones, labels=labels, walls=walls)
    view_style.check_colour(colour, "colour")
    alpha = check_number(alpha, "alpha", least=0.0, greatest=1.0)
    if force_scale is not None:
        force_scale = check_number(force_scale, "force_scale", least=0.0)
    q = read_state(model.start if q is None else q, model.coordinates, "q")
    modes = None if modes is None else "".join(check_texts(modes, "modes"))
    if modes is not None and len(modes) != len(model.contacts):
        raise ValueError(
            f"modes is {modes!r}; expected one letter for each of {len(model.contacts)} contacts"
        )
    ax = view_style.axes(ax, 2, (6.4, 4.8))
    box = extent(model, [q])
    size = float((box[:, 1] - box[:, 0]).max())
    if walls:
        draw_walls(ax, model, box)
    draw_bodies(ax, model, q, colour=colour, alpha=alpha)
    draw_laws(ax, model, q, size)
    _draw_contacts(ax, model, q, size, frames=frames, cones=cones, modes=modes, labels=labels)
    if forces is not None:
        ends = _draw_forces(ax, model, q, _force_rows(model, forces), size, force_scale)
        pad = 0.03 * size
        for end in ends:  # the picture holds the tips of the arrows
            box = np.column_stack([np.minimum(box[:, 0], end - pad), np.maximum(box[:, 1], end + pad)])
    frame(ax, box)
    return ax


def frame(ax: Axes, box: np.ndarray) -> None:
    """Equal scales, limits and labels.

    Parameters
    ----------
    ax
        Flat axes.
    box
        (2, 2) limits of x and y.
    """
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(*box[0])
    ax.set_ylim(*box[1])
    ax.set_xlabel("m")
    ax.set_ylabel("m")
    view_style.calm(ax)


def draw_walls(ax: Axes, model: Model, box: np.ndarray) -> None:
    """Half-planes, terrain and fixed shapes that contacts touch: a line, shaded on its solid side.

    Parameters
    ----------
    ax
        Flat axes.
    model
        A `Model`.
    box
        (2, 2) limits of x and y within which they are drawn.
    """
    reach = 2.0 * float(np.ptp(box, axis=1).sum())
    depth = 0.05 * float(np.ptp(box, axis=1).max())
    for surface in surfaces(model, box, reach):
        ax.fill(
            *surface.band(depth).T,
            facecolor="#eceff2",
            edgecolor=palette.QUIET,
            hatch="////",
            linewidth=0.0,
            zorder=0.5,
        )
        ax.plot(*surface.line.T, color=palette.INK, linewidth=1.0, zorder=0.6)


def _draw_contacts(
    ax: Axes,
    model: Model,
    q: np.ndarray,
    size: float,
    *,
    frames: bool,
    cones: bool,
    modes: str | None,
    labels: bool,
) -> None:
    from matplotlib.patches import Polygon

    points = model.contact_points(q)
    friction, kinds = model.tree.friction, model.tree.contacts["entry"]
    length = 0.09 * size
    written: list[tuple[np.ndarray, np.ndarray]] = []
    for i, name in enumerate(model.contacts):
        p, t, n = points.position[i], points.t[i], points.n[i]
        if points.gap[i] > NOTHING_THERE / 2:
            continue
        touches = points.gap[i] <= OPEN * size
        colour = palette.letter_colour(modes[i]) if modes else palette.LINES[0]
        if cones and touches and friction[i] > 0:
            side = length * friction[i] / np.hypot(1.0, friction[i])
            up = length / np.hypot(1.0, friction[i])
            ax.add_patch(
                Polygon(
                    [p, p + up * n + side * t, p + up * n - side * t],
                    closed=True,
                    facecolor=colour,
                    edgecolor=colour,
                    alpha=0.28,
                    linewidth=0.8,
                    zorder=4,
                )
            )
        if frames and touches and kinds[i] == 0:
            _arrow(ax, p, p + length * n, colour)
            _arrow(ax, p, p + 0.7 * length * t, colour)
        ax.plot(
            *p,
            marker="o",
            markersize=5,
            color=colour,
            markerfacecolor=colour if touches else "white",
            zorder=6,
        )
        if labels and (touches or len(model.contacts) <= FEW):
            text = f"{name} {modes[i]}" if modes else name
            place = _free_place(p + (1.25 if touches else 0.35) * length * n, n, text, size, written)
            ax.annotate(
                text,
                (float(place[0]), float(place[1])),
                ha="center" if abs(n[1]) > 0.5 else ("left" if n[0] > 0 else "right"),
                va="center",
                fontsize=9,
                color=palette.INK,
                zorder=8,
                bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.8},
            )


def _free_place(
    place: np.ndarray, n: np.ndarray, text: str, size: float, written: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """Move a label along the normal until it covers none of those written before (sizes are estimates)."""
    half = np.array([0.014 * size * (len(text) + 1), 0.03 * size])
    for _ in range(6):
        if all(np.any(np.abs(place - other) > half + theirs) for other, theirs in written):
            break
        place = place + 0.065 * size * n
    written.append((place, half))
    return place


def _draw_forces(
    ax: Axes, model: Model, q: np.ndarray, rows: np.ndarray, size: float, scale: float | None
) -> np.ndarray:
    """Arrows; returns where they begin and end (m, 2)."""
    points = model.contact_points(q)
    vectors = rows[0::2, None] * points.n + rows[1::2, None] * points.t
    largest = float(np.linalg.norm(vectors, axis=1).max(initial=0.0))
    if largest == 0.0:
        return points.position
    scale = scale if scale is not None else 0.25 * size / largest
    for p, f in zip(points.position, vectors, strict=True):
        if np.linalg.norm(f) > 1e-6 * largest:
            _arrow(ax, p, p + scale * f, palette.ACCENT, 2.0)
    view_style.note(ax, f"longest force {largest:.3g} N")
    return np.vstack([points.position, points.position + scale * vectors])


def _arrow(ax: Axes, start: np.ndarray, end: np.ndarray, colour: str, width: float = 1.2) -> None:
    ax.annotate(
        "",
        (float(end[0]), float(end[1])),
        (float(start[0]), float(start[1])),
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "linewidth": width,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 9,
        },
        zorder=7,
    )


def _force_rows(model: Model, forces: ArrayLike | Mapping[str, float]) -> np.ndarray:
    names = [f"{contact}.{part}" for contact in model.contacts for part in ("normal", "tangent")]
    if isinstance(forces, Mapping):
        unknown = [key for key in forces if key not in names]
        if unknown:
            raise ValueError(f"forces names {unknown[0]!r}; expected some of {', '.join(names)}")
        return np.array([float(forces.get(name, 0.0)) for name in names])
    rows = real_array(forces, "forces")
    if rows.shape != (len(names),):
        raise ValueError(
            f"forces has shape {rows.shape}; expected {counted(len(names), 'number')} ({', '.join(names)})"
        )
    return rows


def draw_letters(ax: Axes, model: Model, q: State, mode: str) -> list[Artist]:
    """A dot at every contact in the colour of its letter in `mode`, which is empty where none is known."""
    made: list[Artist] = []
    if not isinstance(mode, str) or len(mode) not in (0, len(model.contacts)):
        raise ValueError(
            f"mode is {shown(mode)}; expected a letter for each of {len(model.contacts)} contacts, or none"
        )
    for j, place in enumerate(model.contact_points(q).position):
        colour = palette.letter_colour(mode[j]) if mode else palette.LINES[0]
        made += ax.plot(
            *place,
            marker="o",
            markersize=6,
            color=colour,
            markeredgecolor=palette.INK,
            markeredgewidth=0.6,
            zorder=9,
        )
    return made
