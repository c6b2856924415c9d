"""What the unpublished parameters decide: gain and errors over their ranges, one at a time and all together.

The paper gives neither motors nor control rate, filter or body friction. Instead of one number the flip is
told as a range: each parameter is moved to the ends of what is plausible while the others keep the
documentation's values; then all are drawn at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.trials.rhex.flip import fly, gain
from modecontrol.trials.rhex.run import Flip

RANGES: dict[str, tuple[float, float]] = {
    "stall": (10.0, 12.5),
    "no_load": (36.0, 45.0),
    "mu_body": (0.1, 0.33),
    "press": (5.0, 10.0),
    "rate": (500.0, 2000.0),
    "filter_threshold": (10.0, 20.0),
    "filter_time": (0.010, 0.040),
    "dead_time": (0.020, 0.060),
    "v0_rear": (0.04, 0.12),
    "thrust_end": (80.0, 90.0),
    "hold_kp": (1.0, 4.0),
}
"""Ends of each parameter: motors around the data sheets, the rest around what works."""
DRAWS = 8
"""Draws of all parameters together."""
FRICTIONS = (0.39, 0.6)


@dataclass(frozen=True)
class Sensitivity:
    """One row: what was changed, and what came of it on one surface.

    Attributes
    ----------
    change
        What differs from the documentation's values, in words.
    mu_toe
        Friction of the toes.
    gain
        Part of the blind controller's time that the new one saves; NaN unless both get to 90 degrees.
    blind, new
        Root mean square errors (rad/s2); NaN for a failed flip.
    failed
        Controllers that did not flip.
    """

    change: str
    mu_toe: float
    gain: float
    blind: float
    new: float
    failed: tuple[str, ...]


def changes_of(values: dict[str, float]) -> dict[str, Any]:
    """Arguments of `fly` for values of `RANGES`."""
    found: dict[str, Any] = {
        name: value for name, value in values.items() if name not in ("v0_rear", "hold_kp")
    }
    if "v0_rear" in values:
        found["v0"] = (0.001, values["v0_rear"], 0.001, 0.001)
    if "hold_kp" in values:
        found["hold"] = (values["hold_kp"], 0.05)
    return found


def cases(draws: int = DRAWS, seed: int = 1) -> list[tuple[str, dict[str, float]]]:
    """What is flown: the documentation's values, each end of each range, then all drawn together.

    Parameters
    ----------
    draws
        How many draws.
    seed
        Seed of the draws.
    """
    rng = np.random.default_rng(seed)
    found: list[tuple[str, dict[str, float]]] = [("as documented", {})]
    found += [(f"{name} = {value:g}", {name: value}) for name, ends in RANGES.items() for value in ends]
    found += [
        (f"all drawn ({i + 1})", {name: float(rng.uniform(*ends)) for name, ends in RANGES.items()})
        for i in range(draws)
    ]
    return found


def sensitivity(
    frictions: Sequence[float] = FRICTIONS,
    draws: int = DRAWS,
    executor: Executor | None = None,
    tick: Callable[[int, int], Any] | None = None,
    **settings: Any,
) -> list[Sensitivity]:
    """Fly all of it, blind and new.

    Parameters
    ----------
    frictions
        Frictions of the toes.
    draws
        Draws of all parameters together.
    executor
        Where to run; None runs here, one after the other.
    tick
        Called with (done, of) after each case.
    **settings
        What differs from the documentation's values in every case, as for `fly`.
    """
    jobs = [(word, changes_of(values), mu, settings) for word, values in cases(draws) for mu in frictions]
    found = []
    done: Iterable[Sensitivity] = map(_one, jobs) if executor is None else executor.map(_one, jobs)
    for i, row in enumerate(done):
        found.append(row)
        if tick is not None:
            tick(i + 1, len(jobs))
    return found


def _one(job: tuple[str, dict[str, Any], float, dict[str, Any]]) -> Sensitivity:
    word, changes, mu, settings = job
    runs: list[Flip] = [fly(kind, mu, **{**settings, **changes}) for kind in ("blind", "new")]
    failed = tuple(run.kind for run in runs if run.outcome == "failed")
    return Sensitivity(word, mu, gain(runs, mu), runs[0].rmse, runs[1].rmse, failed)


def ranges(rows: Sequence[Sensitivity]) -> list[tuple[str, str, str, str, str, str]]:
    """Rows of a table: per parameter and surface the range of the gain and of both errors, and how many runs
    failed.

    Parameters
    ----------
    rows
        What `sensitivity` gave.
    """
    found = []
    groups = {
        "as documented": ("as documented",),
        **{name: (f"{name} = ", "as documented") for name in RANGES},
        "all together": ("all drawn", "as documented"),
    }
    for name, starts in groups.items():
        for mu in dict.fromkeys(row.mu_toe for row in rows):
            mine = [row for row in rows if row.mu_toe == mu and row.change.startswith(starts)]
            ends = RANGES.get(name)
            what = name if ends is None else f"{name} {ends[0]:g} to {ends[1]:g}"
            failed = sum(len(row.failed) for row in mine)
            found.append(
                (
                    what,
                    f"{mu:g}",
                    _span([100 * row.gain for row in mine], "{:.1f}"),
                    _span([row.blind for row in mine], "{:.2f}"),
                    _span([row.new for row in mine], "{:.2f}"),
                    f"{failed} of {2 * len(mine)}",
                )
            )
    return found


HEADS = ("varied", "friction", "gain (%)", "RMSE blind (rad/s²)", "RMSE new (rad/s²)", "did not flip")


def _span(values: list[float], form: str) -> str:
    known = [value for value in values if np.isfinite(value)]
    if not known:
        return "-"
    low, high = form.format(min(known)), form.format(max(known))
    return low if low == high else f"{low} to {high}"
