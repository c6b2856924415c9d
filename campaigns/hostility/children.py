"""Cases in child processes with limits on time and memory; what became of each comes back through a pipe.

Children are forked from a process in which everything is prepared, so a batch costs milliseconds to start. A
child says which case it begins; one that dies, or stays with a case beyond its time, has failed there, and
another child goes on with the next case.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SECONDS = 10.0
"""Processor time that a case may take."""
PATIENCE = 12 * SECONDS
"""Time on the clock that a case may take: the machine may be busy with other things. A case that was ended for the clock
alone is tried again at the end, by itself, before it counts."""
AGAIN = 60 * SECONDS
"""Time on the clock of a case that is tried again."""
TRACE = "/tmp/hostile-was-here"
"""What code hidden in a value or a file would leave behind if somebody ran it."""
MEGABYTES = 1024
"""Memory that a child may have."""


@dataclass
class Child:
    """One child: where it is in its batch, and since when."""

    pid: int
    pipe: int
    batch: list[int]
    text: str = ""
    now: int = -1
    since: float = field(default_factory=time.monotonic)
    used: float = 0.0
    patience: float = PATIENCE
    late: bool = False


def run(
    case: Callable[[int], str | None], indices: list[int], jobs: int = 2, batch: int = 250
) -> Iterator[tuple]:
    """Every case in some child: `(index, None or what went wrong, seconds, megabytes)`, in any order.

    Parameters
    ----------
    case
        Runs the case with this number; None is a good end.
    indices
        The cases.
    jobs
        Children at once.
    batch
        Cases per child.
    """
    waiting = [indices[i : i + batch] for i in range(0, len(indices), batch)][::-1]
    again: list[int] = []
    children: dict[int, Child] = {}
    folder = tempfile.mkdtemp(prefix="hostile-")  # what a case writes goes there
    gc.freeze()
    try:
        while waiting or again or children:
            while waiting and len(children) < jobs:
                child = _start(case, waiting.pop(), folder)
                children[child.pipe] = child
            if again and not children:
                child = _start(case, [again.pop()], folder)
                child.patience = AGAIN
                children[child.pipe] = child
            ready, _, _ = select.select(list(children), [], [], 0.2)
            for pipe in ready:
                child = children[pipe]
                data = os.read(pipe, 65536)
                if data:
                    yield from _told(child, data.decode(errors="replace"))
                else:
                    del children[pipe]
                    yield from _ended(child, waiting, again)
            for child in children.values():
                _watch(child)
    finally:
        gc.unfreeze()
        shutil.rmtree(folder, ignore_errors=True)
        for child in children.values():
            os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)


def _start(case: Callable[[int], str | None], batch: list[int], folder: str) -> Child:
    reader, writer = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writer)
        return Child(pid, reader, batch)
    try:
        os.close(reader)
        _work(case, batch, writer, folder)
    finally:
        os._exit(0)


def _work(case: Callable[[int], str | None], batch: list[int], writer: int, folder: str) -> None:
    """The whole life of a child."""
    size = MEGABYTES << 20
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # a sanitizer maps terabytes of shadow
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    faulthandler.disable()  # what the parent enabled would print
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(folder)
    with tempfile.TemporaryFile() as said:
        for stream in (1, 2):
            os.dup2(said.fileno(), stream)
        for index in batch:
            os.write(writer, f"{index}\n".encode())
            try:
                found = case(index)
            except Exception as error:
                found = f"the campaign itself: {type(error).__name__}: {error}"
            if os.path.exists(TRACE):
                found = "code was run"
                os.unlink(TRACE)
            sys.stdout.flush()
            sys.stderr.flush()
            if said.seek(0, os.SEEK_END):
                said.seek(0)
                text = said.read(2000).decode(errors="replace")
                found = found or f"printed: {text.strip()[:600]}"
                said.seek(0)
                said.truncate()
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            os.write(writer, (json.dumps([found and found[:3000], most]) + "\n").encode())


def _told(child: Child, text: str) -> Iterator[tuple]:
    child.text += text
    *lines, child.text = child.text.split("\n")
    for line in lines:
        if line.startswith("["):
            found, most = json.loads(line)
            spent = _seconds(child.pid) - child.used
            if found is None and spent > SECONDS:
                found = f"took {spent:.1f} s"
            yield child.now, found, spent, most
            child.now = -1
        else:
            child.now, child.since, child.used = int(line), time.monotonic(), _seconds(child.pid)


def _ended(child: Child, waiting: list[list[int]], again: list[int]) -> Iterator[tuple]:
    """A child whose pipe is closed: done, or dead within a case; then the rest of its batch waits again."""
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    if child.now < 0:
        return
    rest = child.batch[child.batch.index(child.now) + 1 :]
    if rest:
        waiting.append(rest)
    if child.late and child.patience < AGAIN:
        again.append(child.now)
        return
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        slow = number == signal.SIGKILL
        how = f"no end within {SECONDS:g} s" if slow else f"killed by {signal.Signals(number).name}"
    else:
        how = f"the process ended with {os.WEXITSTATUS(status)}"
    yield child.now, how, time.monotonic() - child.since, 0


def _watch(child: Child) -> None:
    slow = _seconds(child.pid) - child.used > 1.2 * SECONDS
    late = time.monotonic() - child.since > child.patience
    if child.now >= 0 and (slow or late):
        child.late = not slow
        os.kill(child.pid, signal.SIGKILL)


def _seconds(pid: int) -> float:
    """Processor time of a process, children of its own left out."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
