"""`simulate_many`: several runs side by side on threads of this process.

The core does not hold the interpreter while it steps, so runs whose controllers it knows
(`modecontrol.thrust.compiled`), or that have constant inputs, share the cores of the machine. Each run is the
one that `simulate` makes, to the last bit, whatever the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from modecontrol.timestepping.simulate import simulate
from modecontrol.timestepping.trajectory import Trajectory
from modecontrol.validation import as_mapping, as_tuple, shown


def simulate_many(
    runs: Iterable[Mapping[str, Any]], *, threads: int | None = None, **common: Any
) -> list[Trajectory]:
    """Trajectories of many runs, in their order.

    Parameters
    ----------
    runs
        The arguments of `simulate` of each run, by name (`{"model": model, "controller": controller}`).
    threads
        How many runs at a time; None means one for each core.
    **common
        Arguments of `simulate` that all runs share and none of them names itself.

    Raises
    ------
    ValueError
        Runs without a model; two runs with the same controller object or generator, which remember what they
        did. What `simulate` would refuse is raised as it would be, with the place of the run.

    Examples
    --------
    >>> import modecontrol as mc
    >>> slopes = [{"model": mc.load("block", slope=slope)} for slope in (0.1, 0.3)]
    >>> [run.modes[-1] for run in mc.simulate_many(slopes, duration=0.1)]
    ['FF', 'FF']
    """
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
        raise ValueError(
            f"threads is {shown(threads)}; expected a whole number >= 1, or None for one per core"
        )
    example = "{'model': model, 'duration': 1.0}"
    given = [as_mapping(run, "a run", example) for run in as_tuple(runs, "runs", "arguments by name")]
    asked = [{**common, **run} for run in given]
    _check(asked)
    count = min(threads or available_cores(), max(1, len(asked)))
    if count == 1:
        return [_one(place, run) for place, run in enumerate(asked)]
    pool = ThreadPoolExecutor(count, thread_name_prefix="simulate")
    try:
        return list(pool.map(_one, range(len(asked)), asked))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _one(place: int, run: Mapping[str, Any]) -> Trajectory:
    try:
        return simulate(**run)
    except ValueError as error:
        error.add_note(f"in run {place} of simulate_many")
        raise


def _check(runs: list[dict[str, Any]]) -> None:
    seen: dict[int, int] = {}
    for place, run in enumerate(runs):
        if "model" not in run:
            raise ValueError(f"run {place} has no model; expected the arguments of simulate by name")
        for name in ("controller", "rng"):
            thing = run.get(name)
            if thing is None or (name == "controller" and not callable(thing)):
                continue
            other = seen.setdefault(id(thing), place)
            if other != place:
                raise ValueError(
                    f"runs {other} and {place} share one {name}, which remembers what it did; give each run its own"
                )
