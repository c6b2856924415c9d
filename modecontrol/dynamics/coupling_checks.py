"""Do the closures, springs and pushes of a mechanism make sense? Bodies and coordinates exist, numbers are in range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from modecontrol.dynamics.couplings import Closure
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.dynamics.value_checks import at, check_ends, check_exists, check_point, check_value


def check_couplings(mechanism: Mechanism) -> None:
    """Bodies and coordinates exist, numbers are in range.

    Parameters
    ----------
    mechanism
        With names that were checked.
    """
    bodies, values = {body.name for body in mechanism.bodies}, mechanism.parameters
    for closure in mechanism.closures:
        with at(f"closure '{closure.name}'"):
            if closure.kind == "gear":
                _check_gear(closure, mechanism.coordinates, values)
            else:
                _check_closure(closure, bodies, values)
    for spring in mechanism.springs:
        with at(f"spring '{spring.name}'"):
            check_ends(spring, bodies, values)
            for key in ("stiffness", "damping", "length"):
                check_value(key, getattr(spring, key), values, "a number that is not negative", least=0.0)
    for push in mechanism.pushes:
        with at(f"push '{push.name}'"):
            check_exists("body", push.body, bodies)
            check_point("point", push.point, values)
            check_point("force", push.force, values)
            check_value("moment", push.moment, values, "a finite number")


def _check_gear(gear: Closure, coordinates: Iterable[str], values: Mapping[str, float]) -> None:
    for name in (gear.coordinate, gear.other_coordinate):
        check_exists("coordinate", name, coordinates)
    if gear.coordinate == gear.other_coordinate:
        raise ValueError(f"both coordinates are '{gear.coordinate}'; two different ones were expected")
    for key in ("ratio", "offset"):
        check_value(key, getattr(gear, key), values, "a finite number")


def _check_closure(closure: Closure, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    """A weld, slider or rod."""
    check_ends(closure, bodies, values)
    for key in ("angle", "axis"):
        check_value(key, getattr(closure, key), values, "an angle")
    length = check_value("length", closure.length, values, "a length", least=0.0)
    if closure.kind == "rod" and length == 0.0:
        raise ValueError("length is 0; a positive length was expected (a pin holds two points together)")
