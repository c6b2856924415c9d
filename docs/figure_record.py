"""What a picture shows, as words and numbers, and where two such records differ."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np


def digest(path: Path) -> str:
    """What a file holds, in sixteen letters."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def shows(figure: Any) -> list[dict[str, Any]]:
    """Words of each diagram, and the ends of its curves: enough to see that it has changed."""
    figure.canvas.draw()
    return [_axes(ax) for ax in figure.axes]


def _axes(ax: Any) -> dict[str, Any]:
    legend = ax.get_legend()
    return {
        "words": [ax.get_title(), ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()],
        "texts": [text.get_text() for text in ax.texts],
        "legend": [text.get_text() for text in legend.get_texts()] if legend else [],
        "window": [*ax.get_xlim(), *ax.get_ylim()],
        "curves": [_ends(line.get_xdata(), line.get_ydata()) for line in ax.lines],
        "bars": [
            list(patch.get_extents().transformed(ax.transData.inverted()).bounds) for patch in ax.patches
        ]
        if not hasattr(ax, "get_zlim")
        else [],
        "areas": len(ax.collections),
    }


def _ends(x: Any, y: Any) -> list[list[float]]:
    """Number of points, first and last time, and first, last, least, greatest and mean value."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    known = y[np.isfinite(y)]
    if not len(known):
        return [[len(x)]]
    values = (known[0], known[-1], known.min(), known.max(), known.mean())
    return [[len(x)], [float(x[0]), float(x[-1])], [float(value) for value in values]]


def differences(kept: Any, now: Any, where: str = "") -> list[str]:
    """Where two records differ by more than a thousandth of the size of their neighbours."""
    if isinstance(kept, dict) and isinstance(now, dict) and kept.keys() == now.keys():
        return [text for key in kept for text in differences(kept[key], now[key], f"{where}.{key}")]
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        if kept and all(isinstance(x, int | float) for x in (*kept, *now)):
            size = max(1e-9, *(abs(x) for x in kept))
            far = max(abs(a - b) for a, b in zip(kept, now, strict=True))
            return [] if far <= 1e-3 * size else [f"{where}: {kept} is now {now}"]
        return [
            text
            for i, (a, b) in enumerate(zip(kept, now, strict=True))
            for text in differences(a, b, f"{where}[{i}]")
        ]
    if isinstance(kept, float) or isinstance(now, float):
        return [] if abs(kept - now) <= 1e-3 * max(1e-9, abs(kept)) else [f"{where}: {kept} is now {now}"]
    return [] if kept == now else [f"{where}: {kept!r} is now {now!r}"]
