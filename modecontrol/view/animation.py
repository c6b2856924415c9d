"""A trajectory as a moving picture: GIF through Pillow, MP4 through ffmpeg, HTML that needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.validation import as_path, check_number
from modecontrol.view import mechanism, palette
from modecontrol.view import style as view_style
from modecontrol.view.stroboscope import model_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist

    from modecontrol.dynamics.model import Model
    from modecontrol.timestepping.trajectory import Trajectory

KINDS = (".gif", ".mp4", ".html")
SLOWEST, QUICKEST = 0.01, 1000.0
"""Pictures per second that files of films can say."""
MOST_PICTURES = 100_000


def animate(
    traj: Trajectory,
    path: str | Path,
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    model: Model | None = None,
    size: tuple[float, float] | None = None,
    dpi: int = 90,
    letters: bool = True,
    title: str = "",
    progress: Any = None,
) -> Path:
    """Write a trajectory as an animation.

    Parameters
    ----------
    traj
        A `Trajectory`.
    path
        File to write; its ending decides: .gif, .mp4 (needs ffmpeg) or .html (self-contained).
    fps
        Pictures per second.
    speed
        Seconds of motion per second of film: 0.1 is ten times slow motion.
    model
        The model, when the trajectory does not know it.
    size
        Width and height in inches; None follows the extent of the motion.
    dpi
        Dots per inch.
    letters
        Whether contacts take the colour of their letter.
    title
        Text before the time.
    progress
        Called with (pictures done, pictures in all) after each picture.

    Returns
    -------
    pathlib.Path
        The file written.
    """
    path = as_path(path)
    view_style.check_flags(letters=letters)
    _check_ending(path)
    size, dots = view_style.check_size(size, dpi)
    model = model_of(traj, model)
    film = _Film(traj, model, size, letters, title)
    moving, steps = _moving(traj, film, fps, speed)
    path.parent.mkdir(parents=True, exist_ok=True)
    tell = None if progress is None else lambda i, n: progress(i + 1, len(steps))
    if path.suffix.lower() == ".html":
        film.figure.set_dpi(dots)
        path.write_text(_page(_player(moving, fps), title or model.name), encoding="utf-8")
        if progress is not None:
            progress(len(steps), len(steps))
    else:
        from matplotlib.animation import FFMpegWriter, PillowWriter

        gif = path.suffix.lower() == ".gif"
        rate: Any = fps  # whole numbers are not needed
        writer: Any = (
            PillowWriter(fps=rate) if gif else FFMpegWriter(fps=rate, extra_args=["-pix_fmt", "yuv420p"])
        )
        moving.save(path, writer=writer, dpi=dots, progress_callback=tell)
    return path


@dataclass(frozen=True)
class InlineFilm:
    """A film that a notebook shows where it was made; it loads nothing.

    Attributes
    ----------
    html
        A fragment of a page with every picture in it.
    pictures
        How many there are.
    """

    html: str = field(repr=False)
    pictures: int

    def _repr_html_(self) -> str:
        return self.html


def inline_film(
    traj: Trajectory,
    *,
    fps: float = 12.0,
    speed: float = 1.0,
    model: Model | None = None,
    size: tuple[float, float] | None = None,
    dpi: int = 70,
    letters: bool = True,
    title: str = "",
) -> InlineFilm:
    """A trajectory as an animation that a notebook shows.

    Parameters
    ----------
    traj
        A `Trajectory`.
    fps, speed, model, size, dpi, letters, title
        As for `animate`.
    """
    size, dots = view_style.check_size(size, dpi)
    film = _Film(traj, model_of(traj, model), size, letters, title)
    moving, steps = _moving(traj, film, fps, speed)
    film.figure.set_dpi(dots)
    return InlineFilm(_player(moving, fps), len(steps))


def pictures(time: np.ndarray, fps: float, speed: float) -> list[int]:
    """Numbers of the steps to show, evenly spaced in time; the last step is always among them.

    Parameters
    ----------
    time
        Times of the steps.
    fps, speed
        Pictures per second of film, seconds of motion per second of film.
    """
    if not len(time):
        raise ValueError("the trajectory has no steps; there is nothing to animate")
    fps = check_number(fps, "fps", least=SLOWEST, greatest=QUICKEST)
    speed = check_number(speed, "speed", least=1 / MOST_PICTURES)
    if (time[-1] - time[0]) * fps / speed > MOST_PICTURES:
        raise ValueError(
            f"fps is {fps:g} and speed {speed:g}; expected a film of at most {MOST_PICTURES} pictures"
        )
    count = max(1, int(np.floor((time[-1] - time[0]) * fps / speed * (1 + 1e-12))) + 1)
    wanted = time[0] + np.arange(count) * speed / fps
    steps = [int(i) for i in np.clip(np.searchsorted(time, wanted - 1e-12), 0, len(time) - 1)]
    return steps if steps[-1] == len(time) - 1 else [*steps, len(time) - 1]


class _Film:
    """A figure whose bodies and contacts move."""

    def __init__(
        self, traj: Trajectory, model: Model, size: tuple[float, float] | None, letters: bool, title: str
    ) -> None:
        self.time, self.q = np.asarray(traj.time, dtype=float), np.asarray(traj.q)
        self.modes = list(getattr(traj, "modes", ())) if letters else []
        self.model, self.title = model, title
        self.moving: list[Artist] = []
        sample = self.q[np.unique(np.linspace(0, len(self.q) - 1, 60).astype(int))]
        box = mechanism.extent(model, list(sample), padding=0.06)
        width, height = np.ptp(box, axis=1)
        self.figure = view_style.figure(
            *(size or _even(6.0, float(np.clip(6.0 * height / width + 0.9, 2.4, 7.0))))
        )
        self.ax = self.figure.add_subplot()
        mechanism.draw_walls(self.ax, model, box)
        mechanism.frame(self.ax, box)
        if self.modes:
            seen = [x for x in palette.LETTER_WORDS if any(x in mode for mode in self.modes)]
            self.figure.legend(
                view_style.patches([palette.letter_colour(x) for x in seen]),
                [f"{x} {palette.LETTER_WORDS[x]}" for x in seen],
                loc="outside lower center",
                ncols=len(seen) or 1,
                fontsize=8,
                frameon=False,
            )
        self.words = self.ax.set_title(" ", fontsize=10)

    def show(self, i: int) -> list[Artist]:
        for artist in self.moving:
            artist.remove()
        self.moving = mechanism.draw_bodies(self.ax, self.model, self.q[i])
        mode = self.modes[min(max(i - 1, 0), len(self.modes) - 1)] if self.modes else ""
        self.moving += mechanism.draw_letters(self.ax, self.model, self.q[i], mode)
        text = f"{self.title}  t = {self.time[i]:.3f} s".strip()
        self.words.set_text(f"{text}   {mode}" if len(mode) <= 12 else text)
        return self.moving


def _even(width: float, height: float) -> tuple[float, float]:
    """Sizes whose pixels are even at any even dpi: encoders insist on it."""
    return 2 * round(width / 2 * 20) / 20, 2 * round(height / 2 * 20) / 20


def _moving(traj: Trajectory, film: _Film, fps: float, speed: float) -> tuple[Any, list[int]]:
    """The animation, and the steps that it shows."""
    from matplotlib.animation import FuncAnimation

    steps = pictures(np.asarray(traj.time, dtype=float), fps, speed)
    moving = FuncAnimation(
        film.figure,
        film.show,
        frames=steps,
        interval=1000.0 / fps,
        blit=False,
        repeat=True,
        cache_frame_data=False,
    )
    return moving, steps


def _check_ending(path: Path) -> None:
    from matplotlib.animation import FFMpegWriter

    if path.suffix.lower() not in KINDS:
        raise ValueError(f"cannot write {path.name!r}; expected a name that ends in {', '.join(KINDS)}")
    if path.suffix.lower() == ".mp4" and not FFMpegWriter.isAvailable():
        raise ValueError(
            f"cannot write {path.name!r}: MP4 needs the program ffmpeg, which is not installed; "
            "write .gif or .html instead"
        )


ICONS = {
    "fa-minus": "&minus;",
    "fa-fast-backward": "|&laquo;",
    "fa-step-backward": "&lsaquo;",
    "fa-play fa-flip-horizontal": "&#9664;",
    "fa-pause": "&#10073;&#10073;",
    "fa-play": "&#9654;",
    "fa-step-forward": "&rsaquo;",
    "fa-fast-forward": "&raquo;|",
    "fa-plus": "+",
}


def _player(moving: Any, fps: float) -> str:
    """Pictures and buttons that load nothing: the icon font that matplotlib fetches is replaced by plain
    characters.
    """
    import re

    import matplotlib

    with matplotlib.rc_context({"animation.embed_limit": 200.0}):
        body = moving.to_jshtml(fps=fps, embed_frames=True, default_mode="loop")
    body = re.sub(r"<link\b[^>]*>", "", body)
    for name, text in ICONS.items():
        body = body.replace(f'<i class="fa {name}"></i>', text)
    return body


def _page(body: str, title: str) -> str:
    from html import escape

    head = f"<meta charset='utf-8'><title>{escape(title)}</title>"
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{body}</body></html>\n"
