"""Robustness of the flip: friction, mass, torque, noise and delay that differ from what the controller believes.

Each variation changes the robot, not what the controller believes of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from typing import Any

from modecontrol.trials.rhex.flip import fly

VARIATIONS: dict[str, dict[str, Any]] = {
    "as modelled": {},
    "toes 20 % more slippery than believed": {"believed": {"mu_toe": 1.25}},
    "toes 20 % grippier than believed": {"believed": {"mu_toe": 1 / 1.2}},
    "body 10 % heavier than believed": {"believed": {"m": 1 / 1.1}},
    "motors 10 % weaker than believed": {"believed": {"stall": 1 / 0.9}},
    "sensor noise (1 mrad, 20 mrad/s)": {"noise": (1e-3, 2e-2)},
    "delay of 5 ms": {"delay": 5e-3},
}
"""What changes; `believed` multiplies the parameter in the controller's model only."""


def vary(
    kinds: Iterable[str] = ("blind", "new"),
    mu_toe: float = 0.6,
    seed: int = 1,
    executor: Executor | None = None,
) -> list[dict[str, Any]]:
    """Fly every variation with every controller.

    Parameters
    ----------
    kinds
        Controllers, as for `fly`.
    mu_toe
        Friction of the toes.
    seed
        Seed of the sensor noise.
    executor
        Where to run; None runs here, one after the other.

    Returns
    -------
    list of dict
        One record per run with the variation's name.
    """
    jobs = [(name, kind, mu_toe, seed) for name in VARIATIONS for kind in kinds]
    return list(map(_one, jobs) if executor is None else executor.map(_one, jobs))


def _one(job: tuple[str, str, float, int]) -> dict[str, Any]:
    from modecontrol.dynamics import load

    name, kind, mu_toe, seed = job
    change = VARIATIONS[name]
    truth = load("rhex", mu_toe=mu_toe).parameters
    believed = {key: factor * truth[key] for key, factor in change.get("believed", {}).items()}
    run = fly(
        kind,
        mu_toe,
        delay=change.get("delay", 0.0),
        noise=change.get("noise", (0.0, 0.0)),
        seed=seed,
        believed=believed,
        duration=1.5,
    )
    return {"variation": name, **run.record()}
