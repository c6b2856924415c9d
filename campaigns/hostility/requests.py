"""Questions of the live page: tables with values that no page would send; each answer is one that JSON can carry."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.judging import judge
from hostility.lawful import made
from hostility.model_texts import LAWS, SHAPES
from modecontrol.page.session import Session

ASKS = ("show", "at", "explain", "python", "sure", "describe", "", "x", None, 7)
VALUES = (
    None,
    True,
    -1,
    0,
    1e308,
    -1e308,
    1e-300,
    1e30,
    0.3,
    "",
    "x",
    "FFF",
    "tau >= 1e400",
    [],
    {},
    [[]],
    [1, 2],
    [0.1] * 3,
)
MORE = (
    "9" * 400,
    "x" * 5000,
    [0.1] * 2000,
    {"mu": 1e300},
    {"mu": 0.5},
    {"q": [1e99] * 3},
    [None],
    {"x": {"x": {}}},
)
KEYS = (
    "ask",
    "state",
    "change",
    "q",
    "v",
    "tau",
    "mode",
    "parameters",
    "task",
    "margin",
    "objective",
    "friction",
    "x",
)


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    models = [mc.load("two_link", mu=0.8), made(LAWS), made(SHAPES)]
    sessions = [Session(model) for model in models]
    states = [session.answer({"ask": "show"})["state"] for session in sessions]

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 6, index])
        chosen = max(0, int(rng.integers(-3, 3)))
        session, state = sessions[chosen], states[chosen]
        asked: dict[str, Any] = {
            "ask": ASKS[rng.integers(len(ASKS))] if rng.random() < 0.4 else ASKS[rng.integers(5)]
        }
        if rng.random() < 0.7:
            asked["state"] = {**state, **_some(rng, [*state, *KEYS])}
        asked |= _some(rng, KEYS[1:])
        return _judged(session, asked)

    return case


def _judged(session: Session, asked: Any) -> str | None:
    found = judge(lambda: json.dumps(session.answer(asked), allow_nan=False))
    return None if found is None else f"{str(asked)[:600]}: {found}"


def _some(rng: np.random.Generator, keys: Any) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(int(rng.integers(0, 3))):
        pool = VALUES if rng.random() < 0.8 else MORE
        made[str(keys[rng.integers(len(keys))])] = pool[rng.integers(len(pool))]
    return made
