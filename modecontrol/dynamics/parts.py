"""The parts of a mechanism as they are added, until they make one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from modecontrol.dynamics import shapes, words
from modecontrol.dynamics.checks import check, parents_first
from modecontrol.dynamics.expressions import Expression, number
from modecontrol.dynamics.joints import Number, Pair
from modecontrol.dynamics.mechanism import WORLD, Mechanism, Point
from modecontrol.validation import as_mapping, as_tuple, check_texts

KINDS = {
    "body": "bodies",
    "input": "inputs",
    "contact": "contacts",
    "pin": "pins",
    "closure": "closures",
    "spring": "springs",
    "push": "pushes",
    "terrain": "terrains",
    "cable": "cables",
}
"""What a mechanism calls each kind of part."""


class Parts:
    """Parts by kind, and what else a mechanism declares; messages begin with the name of the mechanism.

    Parameters
    ----------
    name
        Name of the mechanism.
    gravity, wind
        Acceleration of free fall, and velocity of the medium.
    parameters
        Names and values, each perhaps an expression in the ones before it.
    """

    def __init__(self, name: str, gravity: Pair, wind: Pair, parameters: Mapping[str, Number]) -> None:
        self.name = words.text("name", name)
        self.gravity, self.wind = _pair("gravity", gravity), _pair("wind", wind)
        self.parameters: dict[str, float] = {}
        for key, value in parameters.items():
            read = number(value)
            self.parameters[key] = read.evaluate(self.parameters) if isinstance(read, Expression) else read
        self._parts: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        self._pairs: list[shapes.Pairs] = []
        self._groups: dict[str, tuple[str, ...]] = {}
        self._texts: dict[str, dict[str, str]] = {"constraints": {}, "outputs": {}}
        self._start: dict[str, Any] = {}
        self._start_velocity: dict[str, Any] = {}

    @property
    def last_body(self) -> str:
        """The body added last, or the world."""
        return self._parts["body"][-1].name if self._parts["body"] else WORLD

    def add(self, kind: str, make: Callable[[Mapping[str, Any]], Any], table: Mapping[str, Any]) -> None:
        """Add one part.

        Parameters
        ----------
        kind
            One of `KINDS`.
        make
            Makes the part of its words.
        table
            Its words.
        """
        try:
            part = make(table)
            if any(other.name == part.name for other in self._parts[kind]):
                raise ValueError("the name is used twice; unique names were expected")
        except ValueError as error:
            raise ValueError(f"builder '{self.name}': {kind} '{table.get('name')}': {error}") from None
        self._parts[kind].append(part)

    def add_pairs(self, table: Mapping[str, Any]) -> None:
        """Add contacts between every pair of some bodies.

        Parameters
        ----------
        table
            Words of an entry `[[contacts]]`.
        """
        try:
            self._pairs.append(shapes.pairs(table))
        except ValueError as error:
            raise ValueError(f"builder '{self.name}': contacts: {error}") from None

    def add_group(self, name: str, bodies: tuple[str, ...]) -> None:
        """Name a group of bodies.

        Parameters
        ----------
        name, bodies
            Its name, and the names of its bodies.
        """
        self._groups[words.text("name", name)] = check_texts(bodies, f"bodies of group {name}")

    def add_text(self, kind: str, name: str, text: str) -> None:
        """Add a constraint or an output.

        Parameters
        ----------
        kind
            `"constraints"` or `"outputs"`.
        name, text
            Its name and what it says.
        """
        self._texts[kind][name] = words.text(name, text)

    def set_start(self, configuration: Mapping[str, Number], velocity: Mapping[str, Number] | None) -> None:
        """Change where the mechanism stands at first.

        Parameters
        ----------
        configuration, velocity
            Values by coordinate; None leaves the velocity as it is.
        """
        speeds = {} if velocity is None else as_mapping(velocity, "velocity", '{"x": 0.1}')
        for values, given in ((self._start, configuration), (self._start_velocity, speeds)):
            values.update({key: words.scalar(key, value) for key, value in given.items()})

    def mechanism(self) -> Mechanism:
        """The mechanism, checked as a model file is."""
        try:
            parts: dict[str, Any] = {KINDS[kind]: tuple(found) for kind, found in self._parts.items()}
            made = Mechanism(
                name=self.name,
                **{**parts, "bodies": parents_first(parts["bodies"])},
                groups=MappingProxyType(dict(self._groups)),
                gravity=self.gravity,
                wind=self.wind,
                parameters=MappingProxyType(dict(self.parameters)),
                start=MappingProxyType(dict(self._start)),
                start_velocity=MappingProxyType(dict(self._start_velocity)),
                constraints=MappingProxyType(dict(self._texts["constraints"])),
                outputs=MappingProxyType(dict(self._texts["outputs"])),
            )
            made = shapes.with_shapes(made, self._pairs)
            check(made)
        except ValueError as error:
            raise ValueError(f"builder '{self.name}': {error}") from None
        return made


def _pair(key: str, given: Any) -> Point:
    return words.point(key, given if isinstance(given, int | float) else as_tuple(given, key, "two numbers"))
