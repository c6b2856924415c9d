"""Pictures of a `Study`: curves over one name, maps over two; success, contact modes and numbers, with
contours.

| design | one name                 | two names                                                   |
|--------|--------------------------|-------------------------------------------------------------|
| grid   | a curve                  | a map; further names are held at a value (`at`)             |
| others | a cloud of points        | a cloud of points, coloured                                 |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.validation import as_mapping, check_number, did_you_mean, real_array, shown
from modecontrol.view import palette
from modecontrol.view import style as view_style
from modecontrol.view.parameter_map import ENDLESS, MISSING, edges, hatch, shading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.studies.result import Study

YES, NO = "#2a9d8f", "#f3d9d4"
"""Colours of success maps."""
MOST = 12
"""Words that a map of texts tells apart."""


def plot_study(
    study: Study,
    quantity: str | None = None,
    ax: Axes | None = None,
    *,
    x: str | None = None,
    y: str | None = None,
    at: Mapping[str, float] | None = None,
    contours: bool | Sequence[float] = False,
    bar: bool = True,
) -> Axes:
    """Draw one column of a study over one or two of the names that vary.

    Parameters
    ----------
    study
        What `mc.study` returned.
    quantity
        Column to draw; None takes the first number or truth value.
    ax
        Flat matplotlib axes; None makes a figure.
    x, y
        Names along the axes; None chooses: of a grid those with the most values, the second only where two or
        more vary.
    at
        Values at which the other names of a grid are held; the nearest grid value counts. Names not mentioned
        are held at the middle of their values. The title says where.
    contours
        Whether to draw contour lines on a map of numbers, or at which values.
    bar
        Whether to add a colour bar.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    view_style.check_flags(bar=bar)
    if not isinstance(contours, bool):
        contours = real_array(contours, "contours", 1).tolist()
    quantity = _quantity(study, quantity)
    x, y = _names(study, x, y)
    ax = view_style.axes(ax, 2, (6.4, 4.6))
    held = _held(study, (x, y), {} if at is None else at)
    ax.set_title(
        ", ".join([quantity.replace("_", " "), *(f"{name} = {value:.4g}" for name, value in held.items())]),
        fontsize=10,
    )
    here = np.ones(len(study), bool)
    for name, value in held.items():
        here &= study[name] == value
    kind = study.types[quantity]
    if y is None:
        _curve(ax, study[x][here], study[quantity][here], kind, study.design.kind == "grid")
        ax.set_ylabel(quantity.replace("_", " "))
        view_style.calm(ax, "y")
    elif study.design.kind == "grid":
        _map(ax, *_rectangle(study, quantity, x, y, here), kind=kind, contours=contours, bar=bar)
        ax.set_ylabel(y)
        view_style.calm(ax)
    else:
        _cloud(ax, study[x], study[y], study[quantity], kind, bar)
        ax.set_ylabel(y)
        view_style.calm(ax)
    ax.set_xlabel(x)
    return ax


# What is drawn ---------------------------------------------------------------------------------------------


def _quantity(study: Study, quantity: str | None) -> str:
    if quantity is None:
        return next((name for name, kind in study.types.items() if kind != "text"), next(iter(study.types)))
    if not isinstance(quantity, str) or quantity not in study.types:
        raise ValueError(
            f"quantity is {shown(quantity)}{did_you_mean(str(quantity), study.types)}; this study has "
            f"{', '.join(study.types)}"
        )
    return quantity


def _names(study: Study, x: str | None, y: str | None) -> tuple[str, str | None]:
    for name in (x, y):
        if name is not None and (not isinstance(name, str) or name not in study.names):
            raise ValueError(
                f"{shown(name)} does not vary in this study{did_you_mean(str(name), study.names)} (names: "
                f"{', '.join(study.names)})"
            )
    if x is not None and x == y:
        raise ValueError(f"{x!r} stands on both axes; expected two different names")
    size = study.design.shape if study.design.kind == "grid" else (2,) * len(study.names)
    order = sorted(range(len(study.names)), key=lambda i: -size[i])
    rest = [study.names[i] for i in order if study.names[i] not in (x, y)]
    if x is None:
        x = rest.pop(0) if rest else study.names[0]
        if y is None and rest and size[study.names.index(rest[0])] > 1:
            y = rest.pop(0)
    return x, y


def _held(study: Study, drawn: tuple[str, str | None], at: Mapping[str, float]) -> dict[str, float]:
    """Values of the other names of a grid."""
    at = as_mapping(at, "at", '{"mu": 0.5}')
    for name, value in at.items():
        check_number(value, f"at: {name}")
        if name not in study.names or name in drawn or study.design.kind != "grid":
            raise ValueError(
                f"at names {name!r}; expected names of a grid that are not on an axis "
                f"({', '.join(n for n in study.names if n not in drawn) or 'none is left'})"
            )
    if study.design.kind != "grid":
        return {}
    axes = dict(zip(study.names, study.design.axes, strict=True))
    return {
        name: float(values[np.argmin(np.abs(values - at[name]))] if name in at else values[len(values) // 2])
        for name, values in axes.items()
        if name not in drawn
    }


def _rectangle(
    study: Study, quantity: str, x: str, y: str, here: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values along x and y in increasing order, and the column as an array (y, x)."""
    axes = dict(zip(study.names, study.design.axes, strict=True))
    values = study[quantity][here].reshape([len(axes[name]) for name in study.names if name in (x, y)])
    if study.names.index(x) < study.names.index(y):
        values = values.T
    along_x, along_y = np.argsort(axes[x]), np.argsort(axes[y])
    return axes[x][along_x], axes[y][along_y], values[np.ix_(along_y, along_x)]


# How it is drawn -------------------------------------------------------------------------------------------


def _curve(ax: Axes, x: np.ndarray, values: np.ndarray, kind: str, ordered: bool) -> None:
    if kind == "text":
        words = sorted({word for word in values if word})
        values = np.array([words.index(word) if word else np.nan for word in values], float)
        ax.set_yticks(range(len(words)), words, family="monospace")
    order = np.argsort(x)
    x, values = x[order], values[order]
    joined = ordered and kind == "number"
    ax.plot(
        x,
        np.where(np.isfinite(values), values, np.nan),
        linestyle="-" if joined else "none",
        color=palette.LINES[0],
        marker="o" if not joined or len(x) <= 60 else None,
        markersize=3,
    )
    if kind == "truth":
        ax.set_yticks([0, 1], ["no", "yes"])
    if not np.any(np.isfinite(values)):
        view_style.say(ax, "no answer anywhere" if np.all(np.isnan(values)) else "no bounded answer anywhere")
        return
    marks, words = [], []
    for where, word, colour in (
        (np.isnan(values), "no answer", palette.QUIET),
        (np.isinf(values), "unbounded", palette.INK),
    ):
        if where.any():
            marks += ax.plot(
                x[where],
                np.zeros(where.sum()),
                "|",
                color=colour,
                markersize=9,
                clip_on=False,
                transform=ax.get_xaxis_transform(),
            )
            words.append(word)
    view_style.legend(ax, marks, words)


def _map(
    ax: Axes,
    x: np.ndarray,
    y: np.ndarray,
    values: np.ndarray,
    *,
    kind: str,
    contours: bool | Sequence[float],
    bar: bool,
) -> None:
    columns, rows = edges(x), edges(y)
    handles, words = [], []
    if kind in ("truth", "text"):
        numbers, colours, names = _words(values, kind)
        _paint(ax, columns, rows, numbers, colours)
        handles, words = view_style.patches(colours[:MOST]), names[:MOST]
        missing, endless = np.isnan(numbers), np.zeros(values.shape, bool)
    else:
        missing, endless = np.isnan(values), np.isinf(values)
        if np.any(np.isfinite(values)):
            look = shading("modes" if kind == "count" else "thrust", values)
            mesh = ax.pcolormesh(columns, rows, np.ma.masked_invalid(values), **look)
            if bar:
                ax.figure.colorbar(mesh, ax=ax)
            _contours(ax, x, y, values, contours)
        else:
            view_style.say(ax, "no answer anywhere" if missing.all() else "no bounded answer anywhere")
    for where, look, word in ((missing, MISSING, "no answer"), (endless, ENDLESS, "unbounded")):
        if where.any():
            hatch(ax, columns, rows, where, **look)
            handles += view_style.patches([look["facecolor"]], **look)
            words.append(word)
    ax.set_xlim(columns[0], columns[-1])
    ax.set_ylim(rows[0], rows[-1])
    view_style.legend(ax, handles, words)


def _words(values: np.ndarray, kind: str) -> tuple[np.ndarray, list[str], list[str]]:
    """Numbers of the words at each place, their colours and names; the rarest share the last colour."""
    if kind == "truth":
        return values, [NO, YES], ["no", "yes"]
    found, counts = np.unique(values[values != ""].astype(str), return_counts=True)
    names = [str(word) for word in found[np.argsort(-counts, kind="stable")]]
    places = {word: min(i, MOST - 1) for i, word in enumerate(names)}
    letters = all(set(word) <= set(palette.LETTER_WORDS) for word in names)
    colours = [
        palette.mode_colour(word) if letters else palette.LINES[i % len(palette.LINES)]
        for i, word in enumerate(names[:MOST])
    ]
    if len(names) > MOST:
        names[MOST - 1], colours[MOST - 1] = f"{len(names) - MOST + 1} others", palette.QUIET
    numbers = np.array([places.get(word, np.nan) for word in values.ravel()], float).reshape(values.shape)
    return numbers, colours, names


def _paint(ax: Axes, x: np.ndarray, y: np.ndarray, numbers: np.ndarray, colours: list[str]) -> None:
    from matplotlib.colors import ListedColormap

    if colours:
        ax.pcolormesh(
            x,
            y,
            np.ma.masked_invalid(numbers),
            cmap=ListedColormap(colours),
            vmin=-0.5,
            vmax=len(colours) - 0.5,
        )


def _contours(
    ax: Axes, x: np.ndarray, y: np.ndarray, values: np.ndarray, contours: bool | Sequence[float]
) -> None:
    if contours is False or min(values.shape) < 2:
        return
    levels = {} if contours is True else {"levels": sorted(contours)}
    lines = ax.contour(x, y, np.ma.masked_invalid(values), colors="#ffffff", linewidths=1.2, **levels)
    ax.clabel(lines, fontsize=8)


def _cloud(ax: Axes, x: np.ndarray, y: np.ndarray, values: np.ndarray, kind: str, bar: bool) -> None:
    size = float(np.clip(4000.0 / max(len(x), 1), 3.0, 30.0))
    handles, words = [], []
    if kind in ("truth", "text"):
        numbers, colours, names = _words(values, kind)
        for i, colour in enumerate(colours):
            here = numbers == i
            if here.any():
                ax.scatter(x[here], y[here], s=size, color=colour, edgecolor=palette.INK, linewidth=0.2)
        handles, words, none = view_style.patches(colours), list(names[: len(colours)]), np.isnan(numbers)
    else:
        fine, none = np.isfinite(values), ~np.isfinite(values)
        if fine.any():
            dots = ax.scatter(
                x[fine],
                y[fine],
                s=size,
                c=values[fine],
                **shading("modes" if kind == "count" else "thrust", values),
            )
            if bar:
                ax.figure.colorbar(dots, ax=ax)
        else:
            view_style.say(ax, "no answer anywhere")
    if none.any():
        handles.append(ax.scatter(x[none], y[none], s=size, marker="x", color=palette.QUIET, linewidth=0.8))
        words.append("no answer")
    view_style.legend(ax, handles, words)
