"""Contact modes against time, one lane per contact: S, L, R, F (Figs. 10 to 14 of Greenfield 2005)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.validation import check_texts
from modecontrol.view import palette
from modecontrol.view import style as view_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.timestepping.trajectory import Trajectory


class ModeRecord(Protocol):
    """A mode at a time, which is `time` or `t`, such as a controller's `Decision`."""

    @property
    def mode(self) -> str | None:
        """Its letters; None where there was none."""


ModesInTime: TypeAlias = "Trajectory | tuple[ArrayLike, Iterable[str]] | Iterable[ModeRecord]"
"""A run, a pair (times, modes), or records with a mode and its time."""


class Spans(NamedTuple):
    """Times at which modes begin (n,), their strings, and the time at which the last one ends."""

    start: np.ndarray
    modes: tuple[str, ...]
    end: float


def plot_timeline(
    simulated: ModesInTime,
    ax: Axes | None = None,
    *,
    predicted: ModesInTime | None = None,
    contacts: Sequence[str] | None = None,
    legend: bool = True,
    letters: bool = True,
) -> Axes:
    """Draw the letter of every contact against time; what was predicted stands below what was simulated.

    Parameters
    ----------
    simulated
        A `Trajectory`, a pair (times, mode strings), or a sequence of records with `time` (or `t`) and
        `mode`.
    ax
        Flat matplotlib axes; None makes a figure.
    predicted
        The same kinds of thing, such as a controller's `decisions`; None draws one lane per contact.
    contacts
        Names of the contacts, in the order of the letters; None takes the trajectory's, or numbers.
    legend
        Whether to explain the colours.
    letters
        Whether to write the letter into spans that are long enough.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on; the first contact is the top lane.
    """
    view_style.check_flags(legend=legend, letters=letters)
    lanes = [("simulated", spans_of(simulated))]
    if predicted is not None:
        lanes.append(("predicted", spans_of(predicted, lanes[0][1].end)))
    count = max((len(mode) for _, spans in lanes for mode in spans.modes), default=0)
    contacts = check_texts(_contacts(simulated, count) if contacts is None else contacts, "contacts")
    for what, spans in lanes:
        for mode in spans.modes:
            if mode and len(mode) != len(contacts):
                raise ValueError(
                    f"{what} mode {mode!r} has {len(mode)} letters; expected {len(contacts)} "
                    f"({', '.join(contacts)})"
                )
    ax = view_style.axes(
        ax, 2, (7.2, 0.9 + 0.55 * max(1, len(contacts)) * (1.4 if predicted is not None else 1.0))
    )
    if not contacts or not any(len(spans.start) for _, spans in lanes):
        view_style.say(ax, "no contacts" if not contacts else "no time steps")
        ax.set_axis_off()
        return ax
    first = min(spans.start[0] for _, spans in lanes if len(spans.start))
    last = max(spans.end for _, spans in lanes)
    height = 0.8 / len(lanes)
    for i in range(len(contacts)):
        for j, (_, spans) in enumerate(lanes):
            top = i - 0.4 + j * height
            _draw_lane(ax, spans, i, top, height=0.92 * height, letters=letters, least=0.018 * (last - first))
    _label(ax, contacts, lanes, height, first, last)
    if legend:
        seen = [
            letter
            for letter in palette.LETTER_WORDS
            if any(letter in mode for _, s in lanes for mode in s.modes)
        ]
        view_style.legend(
            ax,
            view_style.patches([palette.letter_colour(x) for x in seen]),
            [f"{x}  {palette.LETTER_WORDS[x]}" for x in seen],
            beside=True,
        )
    return ax


def spans_of(thing: ModesInTime, end: float | None = None) -> Spans:
    """Where each mode begins; equal neighbours become one span.

    Parameters
    ----------
    thing
        A `Trajectory`, (times, modes), or records with `time` and `mode`.
    end
        When the last span ends, for records that do not say.
    """
    times, modes = _times_and_modes(thing)
    if len(times) not in (len(modes), len(modes) + 1):
        raise ValueError(
            f"{len(times)} times for {len(modes)} modes; expected as many, or one more (the end)"
        )
    if np.any(np.diff(times) < 0):
        raise ValueError("times go back; expected them in order")
    step = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    stop = (
        float(times[-1]) if len(times) == len(modes) + 1 else (float(times[-1]) + step if len(times) else 0.0)
    )
    if end is not None:
        stop = max(end, float(times[len(modes) - 1])) if len(modes) else end
    starts: list[float] = []
    kept: list[str] = []
    for t, mode in zip(times, modes, strict=False):
        if not kept or mode != kept[-1]:
            starts.append(float(t))
            kept.append(mode)
    return Spans(np.array(starts), tuple(kept), stop)


def _times_and_modes(thing: Any) -> tuple[np.ndarray, list[str]]:
    if hasattr(thing, "time") and hasattr(thing, "modes"):
        return np.asarray(thing.time, dtype=float), [str(m) for m in thing.modes]
    items = list(thing)
    if items and hasattr(items[0], "mode"):
        key = "time" if hasattr(items[0], "time") else "t"
        return (
            np.array([float(getattr(item, key)) for item in items]),
            ["" if item.mode is None else str(item.mode) for item in items],
        )
    if len(items) == 2 and isinstance(items[1], Iterable) and not isinstance(items[1], str):
        return np.asarray(items[0], dtype=float), [str(m) for m in items[1]]
    if not items:
        return np.zeros(0), []
    raise TypeError(
        "modes against time are a Trajectory, a pair (times, modes), or records with time and mode; "
        f"found {type(thing).__name__}"
    )


def _contacts(thing: Any, count: int) -> tuple[str, ...]:
    header = getattr(thing, "header", None) or {}
    names = header.get("names", {}).get("contacts", ())
    if len(names) == count:
        return tuple(names)
    return tuple(f"contact {i + 1}" for i in range(count))


def _draw_lane(
    ax: Axes, spans: Spans, i: int, top: float, *, height: float, letters: bool, least: float
) -> None:
    edges = np.append(spans.start, spans.end)
    start: list[float] = []
    stop: list[float] = []
    letter: list[str] = []
    for a, b, mode in zip(edges[:-1], edges[1:], spans.modes, strict=True):
        if not mode:  # nothing was decided here
            continue
        if letter and letter[-1] == mode[i] and stop[-1] == a:
            stop[-1] = b
        else:
            start.append(a)
            stop.append(b)
            letter.append(mode[i])
    colours = [palette.letter_colour(x) for x in letter]
    ax.barh(
        [top + height / 2] * len(start),
        np.subtract(stop, start),
        left=start,
        height=height,
        color=colours,
        linewidth=0.0,
    )
    if letters:
        for a, b, x in zip(start, stop, letter, strict=True):
            if b - a > least:
                ax.text(
                    (a + b) / 2,
                    top + height / 2,
                    x,
                    ha="center",
                    va="center",
                    fontsize=8,
                    clip_on=True,
                    color=palette.readable_on(palette.letter_colour(x)),
                )


def _label(
    ax: Axes,
    contacts: Sequence[str],
    lanes: Sequence[tuple[str, Spans]],
    height: float,
    first: float,
    last: float,
) -> None:
    ax.set_xlim(first, last if last > first else first + 1.0)
    ax.set_ylim(len(contacts) - 0.5, -0.5)
    if len(lanes) == 1:
        ax.set_yticks(range(len(contacts)), contacts)
    else:
        places = [i - 0.4 + (j + 0.46) * height for i in range(len(contacts)) for j in range(len(lanes))]
        words = [
            f"{name}, {what}" if j == 0 else what for name in contacts for j, (what, _) in enumerate(lanes)
        ]
        ax.set_yticks(places, words, fontsize=8)
    ax.set_xlabel("time (s)")
    view_style.calm(ax)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
