"""Every public function and method with extreme and wrong arguments.

A subject is a function with sound arguments; a case stretches or replaces one or two of them. Methods are
found by looking at the objects, so a new one is in without being named here; only its sound arguments are
looked up by name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hostility.doors import doors, parts
from hostility.experiments import constructions, observations, runs
from hostility.instants import Subject, subjects
from hostility.judging import judge
from hostility.lawful import built, lawful
from hostility.objects import methods
from hostility.values import any_value, stretched

REFUSED = frozenset({"Polytope cone.sample", "DynamicResponse laws.friction_interval"})
"""Those for which there are no sound arguments."""


def functions() -> list[Subject]:
    """Functions and constructors with their sound arguments."""
    return [*subjects(), *runs(), *observations(), *constructions(), *lawful(), *built(), *doors(), *parts()]


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    chosen = functions() * 3 + methods()
    wrong = [(name, found) for name, function, sound in chosen if (found := unsound(name, function, sound))]
    if wrong:
        raise ValueError(
            f"arguments that should be sound are not, so that hostile ones test nothing: {wrong}"
        )

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 1, index])
        name, function, sound = chosen[rng.integers(len(chosen))]
        words = dict(sound)
        for key in rng.choice(list(words), size=min(len(words), 1 + int(rng.random() < 0.3)), replace=False):
            words[key] = stretched(rng, words[key]) if rng.random() < 0.6 else any_value(rng)
        found = judge(partial(function, **words))
        return None if found is None else f"{name}({told(words, sound)}): {found}"

    return case


def unsound(name: str, function: Callable[..., Any], sound: dict[str, Any]) -> str:
    """Why a function refuses the arguments that are meant to be sound; also warms everything up."""
    try:
        function(**sound)
    except Exception as error:
        return "" if name in REFUSED else f"{type(error).__name__}: {error}"
    return ""


def told(words: dict[str, Any], sound: dict[str, Any]) -> str:
    """The arguments that were changed, as text."""
    parts = []
    for key, value in words.items():
        if value is not sound[key]:
            try:
                text = repr(value)
            except Exception:
                text = f"a {type(value).__name__}"
            parts.append(f"{key}={text[:160]}")
    return ", ".join(parts)
