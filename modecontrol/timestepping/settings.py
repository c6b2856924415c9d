"""The arguments of `simulate`, checked: what was found, what was expected, what to do."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.archives import memory_of_machine
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.state import check_number, read_state
from modecontrol.timestepping.formulations import check_formulation
from modecontrol.timestepping.schedule import Schedule
from modecontrol.validation import as_numbers, check_flag, check_word, did_you_mean, shown

DYNAMICS = ("aba", "dca", "dense")
LEVELS = ("velocity", "position")
DISSIPATIVE = (4, 6)
"""Codes of dry joints and of resistance to rolling among the entries."""
INTEGRATORS = ("euler", "theta", "rk4")


class Choices(NamedTuple):
    """How to step; the fields are arguments of `simulate`."""

    h: float
    formulation: str
    dynamics: str
    level: str
    integrator: str
    held: bool
    """Whether contact forces are held over whole Runge-Kutta steps: no friction, no restitution."""
    restitution: np.ndarray
    impact_speed: float
    g_eps: float
    loop_correction: float
    eps: float
    friction_scaling: bool


def choose(
    model: Model,
    step: float,
    *,
    formulation: str,
    dynamics: str | None,
    level: str | None,
    integrator: str,
    restitution: Any,
    impact_speed: float | None,
    g_eps: float | None,
    loop_correction: float,
    eps: float,
    friction_scaling: bool,
) -> Choices:
    """Check the arguments of `simulate` that say how to step, and fill in the defaults."""
    check_formulation(formulation)
    tree, step = model.tree, float(step)  # numpy's numbers overflow with a remark
    level = "velocity" if level is None else level
    _one_of("level", level, LEVELS)
    _one_of("integrator", integrator, INTEGRATORS)
    if dynamics is None:
        dynamics = "aba" if formulation == "os" else "dense"
    else:
        _one_of("dynamics", dynamics, DYNAMICS)
        if formulation != "os":
            raise ValueError(
                f"dynamics={dynamics!r} belongs to formulation 'os'; formulation {formulation!r} "
                "has its own way: leave dynamics out"
            )
    bounce = _restitution(model, restitution)
    if level == "position" and bounce.any():
        name = model.contacts[int(np.argmax(bounce))]
        raise ValueError(
            f"contact {name!r} has restitution {bounce.max():g}, but 'position' has no collisions: "
            "use level='velocity', or restitution=0"
        )
    held = integrator == "rk4" and not _needs_theta(model, bounce)
    if integrator == "theta" or (integrator == "rk4" and not held):
        _second_order(formulation, level, integrator)
    if impact_speed is None:
        impact_speed = max(2.0 * float(np.hypot(*tree.gravity)) * step, tolerances.TOUCH)
    if g_eps is None:
        defaults = (0.0, -0.01 * step) if held else (-0.1 * step, -math.inf)
        g_eps = defaults[LEVELS.index(level)]
    for name, value, low, high, expected in (
        ("impact_speed", impact_speed, 0.0, math.inf, "m/s, not negative"),
        ("g_eps", g_eps, -math.inf, 0.0, "metres, not positive (0 recovers no penetration, -inf all)"),
        ("loop_correction", loop_correction, 0.0, 1.0, "a part between 0 and 1"),
        ("eps", eps, 0.0, sys.float_info.max, "a number, not negative"),
    ):
        check_number(name, value, expected)
        if not low <= float(value) <= high:
            raise ValueError(f"{name} is {value!r}; expected {expected}")
    if eps > 0 and formulation in ("mc", "nmc"):
        raise ValueError(
            f"eps changes the diagonal of a condensed problem; formulation {formulation!r} has none: "
            "use 'os', 'rmc' or 'nmc/os'"
        )
    return Choices(
        float(step),
        formulation,
        dynamics,
        level,
        integrator,
        held,
        bounce,
        float(impact_speed),
        float(g_eps),
        float(loop_correction),
        float(eps),
        check_flag(friction_scaling, "friction_scaling"),
    )


def check_schedule(model: PlanarModel, choices: Any, schedule: Schedule) -> None:
    """Refuse drives that the integrator cannot have."""
    if not schedule:
        return
    if schedule.driven and choices.integrator == "rk4":
        raise ValueError("drives are kept at the level of velocities; use integrator='theta' or 'euler'")


def read_start(model: PlanarModel, q0: State | None, v0: State | None) -> tuple[np.ndarray, np.ndarray]:
    """The state at the start."""
    derived = PlanarModel in type(model).__mro__  # to look for every member takes longer than a short run
    if not derived and not isinstance(model, PlanarModel):
        raise ValueError(
            f"model is {shown(model)}; expected a Model, such as modecontrol.load('block'), or a "
            "LagrangianModel"
        )
    if v0 is None:
        still = np.zeros(len(model.coordinates))
        v0 = model.start_velocity if q0 is None else still
    q = read_state(model.start if q0 is None else q0, model.coordinates, "q0")
    return q, read_state(v0, model.coordinates, "v0")


def count_steps(duration: float, step: float) -> int:
    """How many steps make up the duration."""
    check_number("step", step, "a positive number of seconds")
    check_number("duration", duration, "seconds, not negative")
    step, duration = float(step), float(duration)
    if not 0 < step < math.inf:
        raise ValueError(f"step is {step!r}; expected a positive number of seconds")
    if not 0 <= duration < math.inf:
        raise ValueError(f"duration is {duration!r}; expected seconds, not negative")
    if 0 < duration <= 0.5 * step:
        raise ValueError(
            f"duration is {duration!r} s, no more than half a step of {step!r} s, so that nothing would move; make the "
            "step smaller, or the duration longer"
        )
    if not math.isfinite(duration / step):
        raise ValueError(
            f"duration is {duration!r} s, more steps of {step!r} s than can be counted; expected a longer step"
        )
    return round(duration / step)


def check_record(model: PlanarModel, steps: int, every: Any, step: float) -> int:
    """Refuse a record that the machine's memory cannot hold; how many steps a row stands for.

    Parameters
    ----------
    model
        The mechanism.
    steps
        Number of steps.
    every
        Argument `record_every` of `simulate`.
    step
        Step size (s).
    """
    if not isinstance(every, int | np.integer) or isinstance(every, bool) or not 1 <= every <= 2**53:
        raise ValueError(f"record_every is {shown(every)}; expected a whole number of steps, at least 1")
    row = 8 * (
        2 * len(model.coordinates)
        + len(model.inputs)
        + max(len(model.names.loop_rows), 2 * len(model.names.pins))
        + 6
    ) + len(model.contacts)
    needed, memory = steps / every * row, memory_of_machine()
    if needed > memory:
        enough = math.ceil(steps * row / (0.25 * memory))
        raise ValueError(
            f"{steps:.3g} steps of {step!r} s make a record of about {needed / 1e9:.3g} GB, and this machine has "
            f"{memory / 1e9:.3g} GB of memory; keep fewer of them (record_every={enough} would do), or simulate a "
            "shorter time"
        )
    return int(every)


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    check_word(value, name, known)


def _needs_theta(model: Model, bounce: np.ndarray) -> bool:
    """Whether contacts are such that Runge-Kutta cannot hold their forces over a step: held friction forces need
    not dissipate, collisions need their time, springs of contacts their own steps.
    """
    tree = model.tree
    dissipates = tree.friction.any() or np.isin(tree.contacts["entry"], DISSIPATIVE).any()
    return bool(dissipates or bounce.any() or np.isfinite(tree.stiffness).any())


def _second_order(formulation: str, level: str, integrator: str) -> None:
    """Refuse what the theta scheme does not do."""
    if formulation != "os":
        raise ValueError(
            f"integrator={integrator!r} makes each step a few times, with forces in its middle, which formulation "
            f"{formulation!r} does not do; use formulation='os', or integrator='euler'"
        )
    if level != "velocity":
        raise ValueError(
            f"integrator={integrator!r} with friction, restitution or compliant contacts locates impacts, which "
            f"level={level!r} does not; use level='velocity', or integrator='euler'"
            if integrator == "rk4"
            else f"integrator='theta' locates impacts, which level={level!r} does not; use level='velocity'"
        )


def _restitution(model: Model, given: Any) -> np.ndarray:
    values = np.array(model.tree.restitution)
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name not in model.contacts:
                raise ValueError(
                    f"restitution names the unknown contact {name!r}{did_you_mean(name, model.contacts)} "
                    f"(contacts: {', '.join(model.contacts) or 'none'})"
                )
            check_number(f"restitution of contact {name!r}", value, "0 to 1")
            values[model.contacts.index(name)] = value
    elif given is not None:
        try:
            values[:] = as_numbers(given, "restitution")
        except ValueError:
            raise ValueError(
                f"restitution is {shown(given)}; expected one number, {len(values)} numbers or a dict by "
                "contact name"
            ) from None
    bad = ~((values >= 0) & (values <= 1))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"restitution of contact {model.contacts[i]!r} is {values[i]}; expected 0 to 1")
    return values
