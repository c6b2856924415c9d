"""`study`: many points, many workers, nothing lost."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from modecontrol.dynamics.derivatives import kind_of
from modecontrol.studies.asked import check_asked
from modecontrol.studies.chunks import bounds, chunk_size, evaluate
from modecontrol.studies.description import describe
from modecontrol.studies.designs import Design, as_design
from modecontrol.studies.points import RESPONSE, THRUST, Recipe
from modecontrol.studies.quantities import as_quantities
from modecontrol.studies.result import Study, collect
from modecontrol.studies.runner import engine_of, run
from modecontrol.studies.store import Folder, Memory, Store, read_manifest
from modecontrol.thrust.objective import LinearGoal
from modecontrol.timestepping.batch import available_cores
from modecontrol.validation import check_count, check_number, did_you_mean

OPTIONS = (*RESPONSE, *THRUST)


def study(
    model: Any,
    points: Any,
    quantities: Sequence[Any] = ("modes",),
    *,
    objective: LinearGoal | None = None,
    q: Any = None,
    v: Any = None,
    place: Callable[..., Any] | None = None,
    executor: Executor | int | None = None,
    out: str | PathLike[str] | None = None,
    resume: bool = True,
    chunk: int | None = None,
    seed: int = 0,
    progress: bool | Callable[[int, int], Any] = False,
    **options: Any,
) -> Study:
    """Evaluate a model at many points, on many workers, resumably.

    Parameters
    ----------
    model
        A `Model`, or what `mc.load` reads.
    points
        What varies: values by name for a full grid (`{"mu_toe": [0.4, 0.6], "alpha": [0.0, 0.1]}`), or a
        design of `modecontrol.studies`: `latin_hypercube`, `sobol`, `table`. A name is a parameter of the
        model, a coordinate (`alpha`) or a velocity (`alpha_d`).
    quantities
        What is computed: names of `modecontrol.studies.QUANTITIES` ("modes", "thrust", "outcome_thrust",
        "loss", "distance", "critical_friction", "volumes", "flip", "latency"), `{"name": "flip", "kind":
        "blind"}` for one with settings, or functions of your own that take a `modecontrol.studies.Point` and
        return a number.
    objective
        What is maximised, as for `mc.maximize`; needed for "thrust", "outcome_thrust", "loss", "distance"
        and "latency".
    q, v
        State before coordinates and velocities vary; None takes the start of each model made, which follows
        its parameters.
    place
        `place(model, q) -> q`, called last: puts feet back on the ground, say
        (`modecontrol.studies.Touching`).
    executor
        Who works: any `concurrent.futures.Executor`, such as `dask.distributed.Client(...).get_executor()`; a
        number of processes (1: this process alone); None for a process on every core.
    out
        Folder in which results are kept as they land; None keeps them in memory only.
    resume
        Whether to go on with a study that `out` already holds in part. Another study's folder is refused in
        any case.
    chunk
        Points that a worker does at a time, which is also what is lost when one dies; None chooses.
    seed
        Seed of `point.rng`, for functions of your own that need random numbers.
    progress
        Whether to show a bar, or a function that is called with (points done, points in all).
    **options
        Passed on: `torque_limits`, `physical`, `task`, `velocity_tolerance` to `mc.dynamic_response`,
        `margin`, `guarantee` to `mc.maximize`.

    Returns
    -------
    Study
        A row for each point. A point without an answer (an impact, an infeasible task) has NaN and a reason.
        Results do not depend on the number of workers or on the order in which they answer.

    Raises
    ------
    ValueError
        Unknown names, an empty grid, a folder that holds something else, a function that cannot be sent to
        workers.
    OSError
        The disk is full, or writing failed; what was written before is good.
    """
    design = as_design(points)
    recipe = make_recipe(
        model, design, quantities, objective=objective, q=q, v=v, place=place, seed=seed, options=options
    )
    if _travels(executor, len(design), chunk):
        check_picklable(recipe)  # before anything is written: a mended function is another study
    store, description, ready = _open(recipe, design, out, resume, chunk)
    spans = bounds(len(design), description["chunk"])
    todo = [number for number in range(len(spans)) if number not in ready]
    given_up: dict[int, str] = {}
    if todo:
        engine = engine_of(executor, len(todo))
        done = sum(spans[number][1] - spans[number][0] for number in ready)
        with _bar(progress, done, len(design)) as tick:
            given_up = run(recipe, design, spans, todo=todo, store=store, engine=engine, progress=tick)
    there = set(range(len(spans))) - set(given_up)
    if not given_up:
        store.tidy()
    return collect(design, description, store, given_up, None if out is None else Path(out), there)


def make_recipe(
    model: Any,
    design: Design,
    quantities: Sequence[Any],
    *,
    objective: LinearGoal | None = None,
    q: Any = None,
    v: Any = None,
    place: Any = None,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Recipe:
    """Check what a user asked and put it together.

    Parameters
    ----------
    model, quantities, objective, q, v, place, seed, options
        As for `study`.
    design
        The points.
    """
    from modecontrol.dynamics import load

    options = dict(options or {})
    if not hasattr(model, "snapshot"):
        model = load(model)
    for name in options:
        if name not in OPTIONS:
            raise ValueError(
                f"unknown option {name!r}{did_you_mean(name, OPTIONS)}; expected some of {', '.join(OPTIONS)}"
            )
    if len(set(design.names)) < len(design.names):
        raise ValueError(f"the names {', '.join(design.names)} repeat; expected each once")
    kinds = tuple(kind_of(model, name) for name in design.names)
    made = as_quantities(quantities, design.names)
    needy = [one.name for one in made if one.objective]
    if needy and objective is None:
        raise ValueError(
            f"{', '.join(map(repr, needy))} need{'s' if len(needy) == 1 else ''} an objective, such as "
            f"objective={model.coordinates[-1]!r}"
        )
    if place is not None and not callable(place):
        raise ValueError(f"place is {place!r}; expected a function place(model, q) -> q, or None")
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed is {seed!r}; expected an integer >= 0")
    recipe = Recipe(model, design.names, kinds, made, q, v, place, objective, options, int(seed))
    check_asked(recipe)
    return recipe


def _travels(executor: Any, points: int, chunk: Any) -> bool:
    """Whether points go to other processes of this machine: a study of one chunk stays in this one."""
    if isinstance(executor, ProcessPoolExecutor):
        return True
    workers = available_cores() if executor is None else executor
    known = isinstance(chunk, int | np.integer) and chunk >= 1
    return (
        isinstance(workers, int)
        and workers > 1
        and len(bounds(points, int(chunk) if known else chunk_size(points))) > 1
    )


def _open(
    recipe: Recipe, design: Design, out: Any, resume: bool, chunk: int | None
) -> tuple[Store, dict[str, Any], set[int]]:
    """The store, the description of the study, and the chunks that are there already."""
    if chunk is not None and (
        not isinstance(chunk, int | np.integer) or isinstance(chunk, bool) or chunk < 1
    ):
        raise ValueError(f"chunk is {chunk!r}; expected a number of points >= 1, or None")
    if out is None:
        return Memory(), describe(recipe, design, int(chunk or chunk_size(len(design)))), set()
    there = read_manifest(Path(out))
    told = there.get("chunk") if there is not None and chunk is None else chunk
    description = describe(recipe, design, int(told or chunk_size(len(design))))
    folder = Folder(out, description)
    folder.open(design, resume)
    return folder, description, folder.ready()


def check_picklable(recipe: Recipe) -> None:
    """Say what to do about something that cannot be sent to another process.

    Parameters
    ----------
    recipe
        What is sent.
    """
    parts = {
        "the model": recipe.model,
        "place": recipe.place,
        "objective": recipe.objective,
        "the options": dict(recipe.options),
        **{f"the quantity {one.name!r}": one for one in recipe.quantities},
    }
    for what, thing in parts.items():
        try:
            pickle.dumps(thing)
        except Exception as error:
            raise ValueError(
                f"{what} cannot be sent to other processes ({error}); define functions at the top of a module instead "
                "of inside another function, or compute in this process with executor=1"
            ) from None


@contextmanager
def _bar(progress: bool | Callable[[int, int], Any], done: int, total: int) -> Any:
    """A function that is told how many more points have landed."""
    count = done

    def add(points: int, show: Callable[[int, int], Any]) -> None:
        nonlocal count
        count += points
        show(count, total)

    if progress is False or progress is None:
        yield lambda points: None
    elif callable(progress):
        progress(count, total)
        yield lambda points: add(points, progress)
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("points", total=total, completed=done)
            yield lambda points: add(points, lambda now, _: bar.update(task, completed=now))


@dataclass(frozen=True)
class Estimate:
    """How long a study would take, from a measured sample.

    Attributes
    ----------
    points, sampled
        Points of the study, and how many were measured.
    per_point
        Mean time of a point in one process (s).
    workers
        Processes that are counted on.
    failed
        Sampled points without an answer.
    reason
        Why the first of them failed.
    """

    points: int
    sampled: int
    per_point: float
    workers: int
    failed: int
    reason: str

    @property
    def total(self) -> float:
        """Estimated time of the whole study (s)."""
        return self.per_point * self.points / self.workers


def estimate(
    model: Any,
    points: Any,
    quantities: Sequence[Any] = ("modes",),
    *,
    workers: int | None = None,
    sample: int = 24,
    longest: float = 10.0,
    **asked: Any,
) -> Estimate:
    """Measure some points, evenly spread over the study, and say how long all would take.

    Parameters
    ----------
    model, points, quantities
        As for `study`.
    workers
        Processes that will work; None for all cores of this machine.
    sample
        Points to measure.
    longest
        Time after which the measurement ends (s), though never before two points.
    **asked
        The other arguments of `study` that decide what is computed.
    """
    design = as_design(points)
    named = {name: asked.pop(name) for name in ("objective", "q", "v", "place", "seed") if name in asked}
    recipe = make_recipe(model, design, quantities, **named, options=asked)
    workers = available_cores() if workers is None else check_count(workers, "workers", least=1)
    longest = check_number(longest, "longest", least=0.0, unit="s", infinite=True)
    sample = min(check_count(sample, "sample", least=1), len(design))
    places = np.unique(np.linspace(0, len(design) - 1, sample).astype(int))
    evaluate(
        recipe, int(places[0]), design.block(places[0], places[0] + 1)
    )  # what is loaded once is not counted
    begin, reasons, count = perf_counter(), [], 0
    for place in places:
        found = evaluate(recipe, int(place), design.block(place, place + 1))
        reasons += [reason for reason in found["reason"] if reason]
        count += 1
        if count >= 2 and perf_counter() - begin > longest:
            break
    return Estimate(
        len(design),
        count,
        (perf_counter() - begin) / count,
        workers,
        len(reasons),
        reasons[0] if reasons else "",
    )
