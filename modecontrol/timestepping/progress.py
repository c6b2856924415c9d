"""A progress bar for long simulations, only where it is asked for."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Bar:
    """`with Bar(total, shown) as bar: bar.update(done)`; does nothing when not shown.

    Parameters
    ----------
    total
        Steps in all.
    shown
        Whether to draw it.
    """

    def __init__(self, total: int, shown: bool) -> None:
        self.total, self.shown = total, shown
        self._progress: Any = None

    def __enter__(self) -> Bar:
        if self.shown:
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn("simulating"),
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                TimeRemainingColumn(),
            )
            self._progress.start()
            self._task = self._progress.add_task("simulating", total=self.total)
        return self

    def update(self, done: int) -> None:
        """Say how many steps are done."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
