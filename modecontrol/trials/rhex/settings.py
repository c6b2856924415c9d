"""Everything about a flip that is free: what the paper does not publish, with its unit and the value that is
used.

The published part (geometry, masses, springs, frictions of the toes) is in the model files; this is the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from modecontrol.validation import as_mapping, as_numbers, check_count, check_number, shown

CONTACTS = ("body", "rear", "middle", "front")
PITCH, FIRST_LEG, LAST_LEG = 2, 3, 5
"""Places of coordinates, in both models."""


@dataclass(frozen=True)
class FlipSettings:
    """The free parameters of a flip; `FlipSettings()` are those of the documentation.

    Attributes
    ----------
    step, rate, duration
        Simulation step (s), control rate (Hz), longest time (s).
    v0
        Thresholds of body, rear, middle and front (m/s): a slower contact keeps all its letters. For "no
        thresholds" they count as zero, and the blind controller assumes its modes.
    press
        Least normal force of the body's corner while thrusting (N).
    margin
        Distance that the new controller keeps from other modes (N m).
    filter_time, filter_threshold, dead_time
        The blind controller's filter on measured minus predicted pitch acceleration: time constant (s), value
        that makes it believe that the rear toe sticks (rad/s2), time from the start during which it is held
        at zero (s).
    hold
        Gains that keep lifted legs in place (N m/rad, N m s/rad); the second alone damps them after the
        thrust.
    thrust_end
        Pitch at which the thrust ends (degrees).
    delay
        Time between measuring and acting (s).
    noise, seed
        Standard deviations of measured coordinates and velocities (rad and m; per second), and the seed of
        the generator.
    robot
        Parameters of both models that differ from the model files (`{"stall": 10.0}`).
    believed
        Parameters that only the controller's model has (a wrong mass, a wrong friction).
    uncertain
        Friction that the "sure" controller knows as intervals (`{"mu_toe": (0.3, 0.9)}`).
    """

    step: float = 1e-4
    rate: float = 1000.0
    duration: float = 1.2
    v0: tuple[float, float, float, float] = (0.001, 0.08, 0.001, 0.001)
    press: float = 10.0
    margin: float = 0.0
    filter_time: float = 0.020
    filter_threshold: float = 15.0
    dead_time: float = 0.040
    hold: tuple[float, float] = (2.0, 0.05)
    thrust_end: float = 88.0
    delay: float = 0.0
    noise: tuple[float, float] = (0.0, 0.0)
    seed: int = 0
    robot: Mapping[str, float] = field(default_factory=dict)
    believed: Mapping[str, float] = field(default_factory=dict)
    uncertain: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pairs = {name: _several(name, pair, 2) for name, pair in self._named("uncertain").items()}
        object.__setattr__(self, "uncertain", pairs)
        for name, count in (("v0", 4), ("hold", 2), ("noise", 2)):
            object.__setattr__(self, name, _several(name, getattr(self, name), count))
        for name in ("press", "margin", "filter_threshold", "dead_time", "delay", "filter_time"):
            object.__setattr__(self, name, _number(name, getattr(self, name), 0.0))
        for name in ("step", "rate", "duration", "thrust_end"):
            value = _number(name, getattr(self, name), 0.0)
            if value == 0.0:
                raise ValueError(f"{name} is 0; expected a positive number")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "seed", check_count(self.seed, "seed", greatest=2**53))
        for name in ("robot", "believed"):
            object.__setattr__(self, name, self._named(name))

    def _named(self, name: str) -> dict[str, Any]:
        return as_mapping(getattr(self, name), name, '{"mu_toe": 0.6}')

    def with_changes(self, **changes: Any) -> FlipSettings:
        """The same with some of it changed.

        Parameters
        ----------
        **changes
            New values by name; names that are none of the settings are parameters of the robot.
        """
        known = {f.name for f in fields(self)}
        robot = {name: value for name, value in changes.items() if name not in known}
        own = {name: value for name, value in changes.items() if name in known}
        if robot:
            own["robot"] = {**self.robot, **own.get("robot", {}), **robot}
        return replace(self, **own)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> FlipSettings:
        """Read what `to_dict` gave.

        Parameters
        ----------
        data
            Settings by name.
        """
        known = {f.name for f in fields(FlipSettings)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise ValueError(f"settings name {unknown[0]!r}; expected some of {', '.join(sorted(known))}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return FlipSettings(**values)

    def rows(self) -> list[tuple[str, str, str]]:
        """Name, value and meaning of each setting, for tables."""
        return [(name, _shown(getattr(self, name)), meaning) for name, meaning in MEANING.items()]


MEANING = {
    "step": "simulation step (s)",
    "rate": "control rate (Hz)",
    "duration": "longest time (s)",
    "v0": "thresholds of body, rear, middle, front (m/s)",
    "press": "least normal force of the body (N)",
    "margin": "distance to other modes (N m)",
    "filter_time": "blind: time constant of the filter (s)",
    "filter_threshold": "blind: threshold of the filter (rad/s²)",
    "dead_time": "blind: filter held at zero until (s)",
    "hold": "gains that hold lifted legs (N m/rad, N m s/rad)",
    "thrust_end": "pitch at which the thrust ends (degrees)",
    "delay": "between measuring and acting (s)",
    "noise": "noise of coordinates, of velocities (standard deviations)",
    "seed": "seed of the noise",
    "robot": "parameters of the robot that differ from the model files",
    "believed": "parameters that only the controller's model has",
    "uncertain": "friction that the controller `sure` knows as intervals",
}


def _number(name: str, value: Any, least: float) -> float:
    return check_number(value, name, least=least)


def _several(name: str, values: Any, count: int) -> tuple[float, ...]:
    found = as_numbers(values, name)
    if found.shape != (count,):
        raise ValueError(f"{name} is {shown(values)}; expected {count} numbers, found {found.size}")
    return tuple(_number(name, value, 0.0) for value in found.tolist())


def _ends(value: Any) -> str:
    """A parameter, an interval, or an expression as it was written."""
    if isinstance(value, tuple):
        return " to ".join(f"{end:g}" for end in value)
    return f"{value:g}" if isinstance(value, int | float) else shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_ends(number)}" for name, number in value.items()) or "none"
    return ", ".join(f"{number:g}" for number in value) if isinstance(value, tuple) else f"{value:g}"
