"""How much of the torque set has one answer, several or none, from random inputs.

Volumes of regions in many dimensions cost more than they tell. At one input the verdict is exact and cheap: a share is then
known to half over the root of the number of inputs asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.regions.ambiguity import clashes_with, only_answer
from modecontrol.validation import check_count, shown

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse

LARGEST_SEED = 2**53
"""Whole numbers up to here are exact as doubles."""


@dataclass(frozen=True)
class SampledCoverage:
    """Shares of the admissible inputs, from verdicts at random ones.

    Attributes
    ----------
    samples
        Inputs that were asked.
    unambiguous, ambiguous, inconsistent
        Shares, together one.
    clashes
        Pairs of modes that clash, with the number of inputs at which they were met.
    """

    samples: int
    unambiguous: float
    ambiguous: float
    inconsistent: float
    clashes: dict[tuple[str, str], int]

    @property
    def error(self) -> float:
        """Standard error of a share, at most."""
        return 0.5 / self.samples**0.5


def sampled_coverage(
    response: DynamicResponse,
    samples: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SampledCoverage:
    """Verdicts at random inputs, uniform over the admissible ones; the task plays no part.

    Parameters
    ----------
    response
        All modes of one instant, with limits on every input.
    samples
        How many inputs.
    seed
        Of the random numbers.
    progress
        Called with the number of inputs that are judged, and of all.
    """
    if not isinstance(samples, int | np.integer) or isinstance(samples, bool) or samples < 1:
        raise ValueError(f"samples is {shown(samples)}; expected a number of inputs, at least 1")
    seed = check_count(seed, "seed", greatest=LARGEST_SEED)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is {shown(progress)}; expected a function of two counts, or None")
    points = response.admissible.torques.sample(np.random.default_rng(seed), int(samples))
    answers: list[list[str]] = [[] for _ in points]
    for mode in response:
        for i in np.flatnonzero(response[mode].allows_each(points)):
            answers[i].append(mode)
    verdicts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for done, (found, tau) in enumerate(zip(answers, points, strict=True), 1):
        alone = only_answer(response, found, tau) is not None
        verdict = "none" if not found else "one" if alone else "several"
        verdicts[verdict] += 1
        if verdict == "several":
            pairs.update(
                (a, b)
                for i, a in enumerate(found)
                for b in found[i + 1 :]
                if clashes_with(response, a, b) and clashes_with(response, b, a)
            )
        if progress is not None:
            progress(done, len(answers))
    one, several, none = (verdicts[word] / len(points) for word in ("one", "several", "none"))
    return SampledCoverage(len(points), one, several, none, dict(pairs.most_common()))
