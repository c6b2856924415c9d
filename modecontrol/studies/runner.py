"""Chunks to workers, columns to the store, as they land; what is lost is done again.

The order in which chunks land plays no part: each goes to its own place. At most a few chunks are on the way
at any time, so that a study of any length needs little memory and stops quickly.
"""

from __future__ import annotations

import concurrent.futures
import logging
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from typing import Any, Protocol

import numpy as np

from modecontrol.studies.chunks import evaluate
from modecontrol.studies.designs import Design
from modecontrol.studies.points import Recipe
from modecontrol.studies.store import Store
from modecontrol.studies.workers import Workers

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a chunk is tried before the study goes on without it."""
ON_THE_WAY = 64
"""Chunks that a foreign executor is given at a time."""
BROKEN = (
    "a process of the executor died, and with it the executor; what had landed is kept. Start again with a new executor to "
    "resume, or leave executor out: the processes of a study are replaced when they die"
)
Ended = tuple[Any, Any, BaseException | None]


class Engine(Protocol):
    """Takes work and gives answers in any order."""

    @property
    def room(self) -> bool:
        """Whether it takes more work."""

    def submit(self, key: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Give it work."""

    def wait(self) -> list[Ended]:
        """`(key, answer, error)` of what has ended."""

    def close(self) -> None:
        """Stop."""


class Here:
    """The calling process, one chunk after the other."""

    def __init__(self) -> None:
        self._given: list[tuple[Any, Callable[..., Any], tuple[Any, ...]]] = []

    @property
    def room(self) -> bool:
        """Whether nothing waits."""
        return not self._given

    def submit(self, key: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Remember the work."""
        self._given.append((key, function, arguments))

    def wait(self) -> list[Ended]:
        """Do it."""
        key, function, arguments = self._given.pop()
        return [(key, function(*arguments), None)]

    def close(self) -> None:
        """Nothing to stop."""


class Foreign:
    """Any `concurrent.futures.Executor`; it is never shut down, it belongs to the caller."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._keys: dict[Future[Any], Any] = {}

    @property
    def room(self) -> bool:
        """Whether few enough chunks are on the way."""
        return len(self._keys) < ON_THE_WAY

    def submit(self, key: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Hand over to the executor."""
        self._keys[self._executor.submit(function, *arguments)] = key

    def wait(self) -> list[Ended]:
        """What has ended, at least one."""
        done, _ = concurrent.futures.wait(self._keys, return_when=concurrent.futures.FIRST_COMPLETED)
        found: list[Ended] = []
        for future in done:
            key = self._keys.pop(future)
            try:
                found.append((key, future.result(), None))
            except (Exception, concurrent.futures.CancelledError) as error:
                found.append((key, None, error))
        return found

    def close(self) -> None:
        """Take back what has not begun."""
        for future in self._keys:
            future.cancel()


def engine_of(executor: Executor | int | None, chunks: int) -> Engine:
    """What a caller's `executor` means.

    Parameters
    ----------
    executor
        An Executor, a number of processes (1: this process alone), or None for a process on every core.
    chunks
        How many chunks there are to do.
    """
    if executor is not None and not isinstance(executor, int):
        if not callable(getattr(executor, "submit", None)):
            raise ValueError(
                f"executor is {executor!r}; expected a concurrent.futures.Executor, a number of processes, or None "
                "(a dask Client gives one by client.get_executor())"
            )
        return Foreign(executor)
    workers = Workers(executor)
    return Here() if min(workers.count, chunks) <= 1 else workers


def run(
    recipe: Recipe,
    design: Design,
    spans: list[tuple[int, int]],
    *,
    todo: Iterable[int],
    store: Store,
    engine: Engine,
    progress: Callable[[int], Any],
) -> dict[int, str]:
    """Evaluate chunks and store them; returns the reasons of those that were given up.

    Parameters
    ----------
    recipe, design
        What, and where.
    spans
        `(first, last)` of every chunk.
    todo
        Numbers of the chunks to do.
    store
        Where they go.
    engine
        Who does them.
    progress
        Called with the number of points of each chunk that has landed.
    """
    waiting = deque(todo)
    tries: dict[int, int] = {}
    given_up: dict[int, str] = {}
    on_the_way = landed = 0
    try:
        while waiting or on_the_way:
            while waiting and engine.room:
                number = waiting.popleft()
                first, last = spans[number]
                try:
                    engine.submit(number, evaluate, recipe, first, np.array(design.block(first, last)))
                except concurrent.futures.BrokenExecutor as broken:
                    raise RuntimeError(BROKEN) from broken
                on_the_way += 1
            for number, columns, error in engine.wait():
                on_the_way -= 1
                if error is None:
                    store.write(number, columns)
                    landed += 1
                    progress(spans[number][1] - spans[number][0])
                    continue
                tries[number] = tries.get(number, 0) + 1
                log.warning("chunk %d failed (attempt %d): %s", number, tries[number], _words(error))
                if isinstance(error, concurrent.futures.BrokenExecutor):
                    raise RuntimeError(BROKEN) from error
                if tries[number] < ATTEMPTS:
                    waiting.append(number)
                else:
                    given_up[number] = _words(error)
                    if len(given_up) == ATTEMPTS and not landed:
                        raise RuntimeError(
                            f"the first {ATTEMPTS} chunks failed {ATTEMPTS} times each and none landed: "
                            f"{given_up[number]}"
                        ) from error
    finally:
        engine.close()
    return given_up


def _words(error: BaseException) -> str:
    """An error and what it came from, in one line."""
    cause = error.__cause__
    text = " ".join(str(error).split()) or type(error).__name__
    return text if cause is None else f"{text} ({type(cause).__name__}: {' '.join(str(cause).split())})"
