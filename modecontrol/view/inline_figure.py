"""A figure outside pyplot's list that notebooks can still show."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class InlineFigure(Figure):
    """A matplotlib figure that draws itself where a notebook shows it; pyplot never hears of it."""

    def _repr_png_(self) -> bytes:
        memory = io.BytesIO()
        self.savefig(memory, format="png", dpi=90)
        return memory.getvalue()
