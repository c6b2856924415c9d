"""Single pictures of a moving mechanism as arrays, for environments and videos made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modecontrol.view import mechanism
from modecontrol.view import style as view_style

if TYPE_CHECKING:
    from matplotlib.artist import Artist

    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import State


class Camera:
    """Takes pictures of a model; the window keeps its size and moves along when the mechanism leaves it.

    Parameters
    ----------
    model
        A `Model`.
    q
        Configuration that the first window shows.
    size
        Width and height in inches.
    dpi
        Dots per inch.
    """

    def __init__(self, model: Model, q: State, size: tuple[float, float] = (6.0, 4.5), dpi: int = 80) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        size, dpi = view_style.check_size(size, dpi)  # type: ignore[assignment]
        self.model = model
        self.figure = Figure(figsize=size, dpi=dpi, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)
        self.ax = self.figure.add_subplot()
        self.words = self.ax.set_title(" ", fontsize=10)
        self.box = _window(mechanism.extent(model, [q], padding=0.6), size)
        self._fixed: list[Artist] = []
        self._moving: list[Artist] = []
        self._walls()

    def picture(self, q: State, mode: str = "", text: str = "") -> np.ndarray:
        """The model at a configuration, (height, width, 3) of bytes.

        Parameters
        ----------
        q
            Configuration.
        mode
            Letters of the contacts, for their colours; empty for none.
        text
            Title.
        """
        for artist in self._moving:
            artist.remove()
        self._follow(mechanism.extent(self.model, [q], padding=0.0))
        self._moving = mechanism.draw_bodies(self.ax, self.model, q)
        self._moving += mechanism.draw_letters(self.ax, self.model, q, mode)
        self.words.set_text(f"{text}   {mode}" if mode and len(mode) <= 12 else text or " ")
        self.canvas.draw()
        return np.asarray(self.canvas.buffer_rgba())[:, :, :3].copy()

    def _follow(self, seen: np.ndarray) -> None:
        """Move the window as little as possible so that it holds what is to be seen (widened if that is
        larger).
        """
        room = np.ptp(self.box, axis=1)
        grow = float(np.max(np.ptp(seen, axis=1) / room))
        if grow > 1.0:
            middle = self.box.mean(axis=1)
            self.box = middle[:, None] + np.outer(grow * 1.1 * room / 2, (-1.0, 1.0))
        shift = np.minimum(seen[:, 0] - self.box[:, 0], 0.0) + np.maximum(seen[:, 1] - self.box[:, 1], 0.0)
        if grow > 1.0 or shift.any():
            self.box = self.box + shift[:, None]
            self._walls()

    def _walls(self) -> None:
        for artist in self._fixed:
            artist.remove()
        before = set(self.ax.get_children())
        mechanism.draw_walls(self.ax, self.model, self.box)
        self._fixed = [artist for artist in self.ax.get_children() if artist not in before]
        mechanism.frame(self.ax, self.box)


def _window(box: np.ndarray, size: tuple[float, float]) -> np.ndarray:
    """The box widened to the shape of the picture."""
    middle, room = box.mean(axis=1), np.ptp(box, axis=1)
    unit = max(room[0] / size[0], room[1] / size[1])
    return middle[:, None] + np.outer(unit * np.asarray(size) / 2, (-1.0, 1.0))
