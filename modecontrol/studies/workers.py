"""Worker processes of this machine, one chunk at a time each.

`concurrent.futures.ProcessPoolExecutor` breaks as a whole when one of its processes dies, and its processes
outlive a parent that was killed. These do neither: a process that dies is replaced, only its chunk is lost,
and the others never notice; a process whose parent is gone ends by itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from modecontrol.errors import ModeControlError
from modecontrol.timestepping.batch import available_cores

PATIENCE = 1.0
"""Seconds between two looks of an idle worker at whether its parent still lives."""


class WorkerDiedError(ModeControlError, RuntimeError):
    """The process that worked on a chunk ended without an answer."""


class Workers:
    """A fixed number of processes that call functions.

    Parameters
    ----------
    count
        How many; None for one on every core that this process may use.
    """

    def __init__(self, count: int | None = None) -> None:
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise ValueError(
                f"executor is {count!r}; expected a number of processes >= 1, an Executor, or None for all cores"
            )
        self.count = available_cores() if count is None else count
        self._processes: dict[Connection, Any] = {}
        self._busy: dict[Connection, Any] = {}

    @property
    def room(self) -> bool:
        """Whether a process is idle, or may still be started."""
        return len(self._busy) < self.count

    def submit(self, key: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Give work to an idle process.

        Parameters
        ----------
        key
            What `wait` returns with the answer.
        function, *arguments
            What is called; all of it is pickled.
        """
        idle = next((line for line in self._processes if line not in self._busy), None)
        line = self._start() if idle is None else idle
        try:
            line.send((function, arguments))
        except (BrokenPipeError, ConnectionResetError):  # it died while it was idle
            self._drop(line)
            line = self._start()
            line.send((function, arguments))
        self._busy[line] = key

    def wait(self) -> list[tuple[Any, Any, BaseException | None]]:
        """`(key, answer, error)` of what has ended; waits for at least one."""
        found: list[tuple[Any, Any, BaseException | None]] = []
        for line in wait(list(self._busy)):
            assert isinstance(line, Connection)
            key = self._busy.pop(line)
            try:
                answer, error = line.recv()
            except (EOFError, ConnectionResetError):
                answer, error = None, WorkerDiedError(self._drop(line))
            found.append((key, answer, error))
        return found

    def close(self) -> None:
        """End all processes, also those that are at work."""
        for process in self._processes.values():
            process.kill()
        for line in list(self._processes):
            self._drop(line)
        self._busy.clear()

    def _start(self) -> Connection:
        mine, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context().Process(target=_work, args=(theirs, os.getpid()), daemon=True)
        process.start()
        theirs.close()  # so that the end of the process is the end of the line
        self._processes[mine] = process
        return mine

    def _drop(self, line: Connection) -> str:
        process = self._processes.pop(line)
        process.join(0.5 if line not in self._busy else 0.0)
        process.kill()
        process.join()
        line.close()
        code = process.exitcode
        return f"its worker process died ({signal.Signals(-code).name if code is not None and code < 0 else f'exit code {code}'})"


def _work(line: Connection, parent: int) -> None:
    """What a worker does: answer until its parent is gone. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        while not line.poll(PATIENCE):
            if os.getppid() != parent:
                return
        try:
            function, arguments = line.recv()
        except EOFError:
            return
        try:
            answer: tuple[Any, BaseException | None] = function(*arguments), None
        except Exception as error:
            answer = None, error
        line.send(answer)
