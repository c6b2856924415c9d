"""Mechanisms made in Python, with the words of the model files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from modecontrol.dynamics import contact_words, couplings, shapes, vocabulary
from modecontrol.dynamics.joints import Number, Pair
from modecontrol.dynamics.mechanism import Joint, Mechanism
from modecontrol.dynamics.parts import Parts
from modecontrol.validation import as_tuple

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model


class Builder:
    """Collects the parts of a mechanism; every method returns the builder.

    Numbers may be texts with expressions in the parameters, as in a model file.

    Parameters
    ----------
    name
        Name of the mechanism.
    gravity
        Acceleration of free fall (m/s2).
    wind
        Velocity of the medium that bodies with `drag` move in (m/s).
    parameters
        Names and values that expressions may use; each may be an expression in the ones before it.

    Examples
    --------
    >>> chain = Builder("chain")
    >>> for i in range(1, 4):
    ...     hinge = revolute(f"q{i}", at=(min(i - 1, 1), 0))
    ...     chain = chain.body(f"link{i}", joint=hinge, mass=1, com=(0.5, 0))
    >>> chain.mechanism().coordinates
    ('q1', 'q2', 'q3')

    """

    def __init__(
        self,
        name: str,
        *,
        gravity: Pair = (0.0, -9.81),
        wind: Pair = (0.0, 0.0),
        parameters: Mapping[str, Number] | None = None,
    ) -> None:
        self._parts = Parts(name, gravity, wind, {} if parameters is None else parameters)

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self._parts.name

    def __repr__(self) -> str:
        return f"Builder({self.name!r})"

    def body(
        self,
        name: str,
        *,
        joint: Joint,
        parent: str | None = None,
        mass: Number = 0.0,
        inertia: Number = 0.0,
        com: Pair = (0.0, 0.0),
        outline: Sequence[Pair] = (),
        layer: str = "",
        drag: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
    ) -> Builder:
        """Add a body.

        Parameters
        ----------
        name
            Its name.
        joint
            `planar(...)`, `revolute(...)`, `prismatic(...)` or `weld(...)`.
        parent
            `"world"` or a body's name; by default the body added last, or the world for the first.
        mass, inertia
            Mass, and moment of inertia about the centre of mass; zero is allowed.
        com
            Centre of mass in the body's frame.
        outline
            Corners in the body's frame, for pictures, and for contacts that ask for it.
        layer
            A name for its depth: bodies of different layers lie beside each other and pass each other.
        drag
            What the medium does to it, as in a model file: `linear`, `quadratic`, `turning`, `turning_quadratic`,
            `at`, `angle`; or several such tables.

        """
        corners = [
            as_tuple(corner, "a corner of the outline", "two numbers")
            for corner in as_tuple(outline, "outline", "points")
        ]
        table = {"name": name, "parent": self._parts.last_body if parent is None else parent, "joint": joint}
        table |= {"mass": mass, "inertia": inertia, "com": as_tuple(com, "com", "two numbers")}
        table |= {"outline": corners, "drag": drag, **({"layer": layer} if layer else {})}
        return self._add("body", vocabulary.body, table)

    def input(
        self,
        name: str,
        *coordinates: str,
        gains: Sequence[Number] | None = None,
        lower: Number = float("-inf"),
        upper: Number = float("inf"),
        stall: Number = float("inf"),
        no_load: Number = float("inf"),
    ) -> Builder:
        """Add an input, a generalised force on coordinates.

        Parameters
        ----------
        name
            Its name.
        *coordinates
            Names of the coordinates on which it acts.
        gains
            A factor for each coordinate; by default one.
        lower, upper
            Limits of the input.
        stall, no_load
            Speed-torque line `abs(tau) <= stall (1 - abs(v)/no_load)`; `stall` alone is a plain limit.

        """
        table: dict[str, Any] = {"name": name, "coordinates": list(coordinates)}
        table |= {"lower": lower, "upper": upper, "stall": stall, "no_load": no_load}
        if gains is not None:
            table["gains"] = list(as_tuple(gains, "gains", "numbers"))
        return self._add("input", vocabulary.actuator, table)

    def contact(self, name: str, body: str, **words: Any) -> Builder:
        """Add a contact.

        Parameters
        ----------
        name
            Its name.
        body
            The body that touches.
        **words
            As in a model file: `type` (`"point"`, `"disc"`, `"disc_disc"`, `"polygon"`), `point`, `radius`, `shape`,
            `wall={"origin": (x, y), "tilt": angle}` (by default the floor), `terrain`, `other`, `other_point`,
            `other_radius`, `other_shape`, `touches`, `mu`, `mu_static`, `pull`, `one_way`,
            `speed`, `rolling`, `restitution`, `stiffness`, `damping`.

        """
        return self._add("contact", contact_words.contact, {"name": name, "body": body, **words})

    def terrain(
        self,
        name: str,
        line: Sequence[Pair] | None = None,
        *,
        half_planes: Sequence[Mapping[str, Any]] | None = None,
    ) -> Builder:
        """Add terrain, which contacts name by `terrain=name`.

        Parameters
        ----------
        name
            Its name.
        line
            Corners in the world; the free side is on the left of the direction of travel.
        half_planes
            Instead of a line: tables with `origin` and `tilt`; free is what lies on the free side of all.

        """
        table: dict[str, Any] = {"name": name}
        if line is not None:
            table["line"] = list(as_tuple(line, "line", "corners"))
        if half_planes is not None:
            table["half_planes"] = list(as_tuple(half_planes, "half_planes", "tables"))
        return self._add("terrain", shapes.terrain, table)

    def group(self, name: str, *bodies: str) -> Builder:
        """Name a group of bodies, for `contacts`.

        Parameters
        ----------
        name
            Its name.
        *bodies
            Names of its bodies.

        """
        self._parts.add_group(name, bodies)
        return self

    def contacts(self, *between: str, **words: Any) -> Builder:
        """Let every pair of bodies between one or two groups touch by their outlines.

        Parameters
        ----------
        *between
            One or two names of groups, bodies or terrains, or `"all"`. Bodies that a joint connects do not touch,
            nor do those of different layers.
        **words
            As in a model file: `shape` (`"outline"`, `"hull"`), `radius`, `touches`, `mu`, `restitution`, `stiffness`,
            `damping`.

        """
        self._parts.add_pairs({"between": list(between), **words})
        return self

    def pin(self, name: str, body: str, point: Pair, other: str, other_point: Pair) -> Builder:
        """Close a loop: `point` of `body` and `other_point` of `other` coincide.

        Parameters
        ----------
        name
            Its name.
        body, point
            One side, in the body's frame.
        other, other_point
            The other side; `other` may be `"world"`.

        """
        table = {"name": name, "body": body, "point": as_tuple(point, "point", "two numbers")}
        table |= {"other": other, "other_point": as_tuple(other_point, "other_point", "two numbers")}
        return self._add("pin", vocabulary.pin, table)

    def closure(self, name: str, type: str, **words: Any) -> Builder:
        """Close a loop by a weld, a slider, a rod or a gear.

        Parameters
        ----------
        name
            Its name.
        type
            `"weld"`, `"slider"`, `"rod"` or `"gear"`.
        **words
            As in a model file: `body`, `point`, `other`, `other_point` and `angle` of a weld; `axis` too of a slider;
            `length` instead of a rod; `coordinate`, `other_coordinate`, `ratio`, `offset` of a gear.

        """
        return self._add("closure", couplings.closure, {"name": name, "type": type, **words})

    def spring(self, name: str, body: str, *, other: str, **words: Any) -> Builder:
        """Put a spring and damper between points of two bodies.

        Parameters
        ----------
        name
            Its name.
        body, other
            The bodies; `other` may be `"world"`.
        **words
            As in a model file: `point`, `other_point`, `stiffness`, `damping`, `length`.

        """
        return self._add("spring", couplings.spring, {"name": name, "body": body, "other": other, **words})

    def push(self, name: str, body: str, **words: Any) -> Builder:
        """Push a body by a force at one of its points and a moment.

        Parameters
        ----------
        name
            Its name.
        body
            The body.
        **words
            As in a model file: `point`, `force`, `moment`, `follows`.

        """
        return self._add("push", couplings.push, {"name": name, "body": body, **words})

    def cable(self, name: str, body: str, *, other: str, length: Number, **words: Any) -> Builder:
        """Tie points of two bodies together by a cable, which only pulls.

        Parameters
        ----------
        name
            Its name.
        body, other
            The bodies; `other` may be `"world"`.
        length
            Greatest distance of the points.
        **words
            As in a model file: `point`, `other_point`.

        """
        table = {"name": name, "body": body, "other": other, "length": length, **words}
        return self._add("cable", vocabulary.cable, table)

    def constraint(self, name: str, text: str) -> Builder:
        """Add a named constraint.

        Parameters
        ----------
        name
            Its name.
        text
            Such as `"rear.normal >= 10"`.

        """
        self._parts.add_text("constraints", name, text)
        return self

    def output(self, name: str, text: str) -> Builder:
        """Add a named linear output.

        Parameters
        ----------
        name
            Its name.
        text
            Such as `"2*rear.normal - tau1"`.

        """
        self._parts.add_text("outputs", name, text)
        return self

    def start(self, velocity: Mapping[str, Number] | None = None, /, **configuration: Number) -> Builder:
        """Say where the mechanism stands at first; coordinates not named are zero.

        Parameters
        ----------
        velocity
            Velocities by coordinate name; at rest by default.
        **configuration
            Values by coordinate name.

        """
        self._parts.set_start(configuration, velocity)
        return self

    def mechanism(self) -> Mechanism:
        """The mechanism as data, checked as a model file is."""
        return self._parts.mechanism()

    def build(self) -> Model:
        """The model, ready for snapshots."""
        from modecontrol.dynamics.model import Model  # the kernels only when a model is made

        return Model(self.mechanism())

    def _add(self, kind: str, make: Callable[[Mapping[str, Any]], Any], words: Mapping[str, Any]) -> Builder:
        self._parts.add(kind, make, words)
        return self
