"""`from_urdf`: planar mechanisms from URDF files, read by yourdfpy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.interop.extras import needs
from modecontrol.interop.flattening import flatten
from modecontrol.interop.imported import Imported, chosen
from modecontrol.interop.plane_axes import AXES, plane_axes
from modecontrol.interop.spatial import Assembly, Drive, Gear, Link, Shape, SpatialJoint, Wall
from modecontrol.interop.urdf_words import unread
from modecontrol.interop.xml_check import check_xml
from modecontrol.validation import check_number, check_texts, check_word, shown

KINDS = {
    "revolute": "turn",
    "continuous": "turn",
    "prismatic": "slide",
    "planar": "plane",
    "floating": "free",
    "fixed": "fixed",
}


def from_urdf(
    path: str | Path,
    *,
    plane: str | None = None,
    base: str = "fixed",
    floor: float | None = None,
    mu: float = 0.5,
    actuated: Iterable[str] | None = None,
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    gravity: float = 9.81,
    sagittal: bool = False,
) -> Model:
    """A model of a planar mechanism in a URDF file.

    Parameters
    ----------
    path
        The file.
    plane
        The plane of the motion: the axes of the file to the right and up, such as `"xz"`, or `"-xz"` to look
        from the other side; None finds it from the axes of the joints. Coordinates count counter-clockwise in it; see
        `read_urdf` for those that the file counts clockwise.
    base
        `"fixed"`: the root link stands still; `"floating"`: it moves freely in the plane, with the
        coordinates `base_x`, `base_y`, `base_turn`.
    floor
        Height of a floor that collision shapes touch; None: no contacts. Spheres and cylinders seen end on
        are discs, boxes and cylinders seen from the side touch with their corners.
    mu
        Friction with the floor: the value of the parameter `mu` of the model.
    actuated
        Names of the joints that have an input `tau_<joint>`; None: every joint with a positive effort limit.
        Effort limits bound the inputs.
    locked
        Joints that are held at zero, whatever their axis: names, or patterns such as `"*_hip_joint"`.
    contacts
        Links and collision shapes that may touch the floor: names, or patterns such as `"*_foot"`; None means
        all.
    gravity
        Acceleration of free fall (m/s2): downwards in a plane that is named, along -z where the plane is found.
    sagittal
        Whether left and right legs move as one: each pair becomes one leg with the mass and the torque of both.

    Raises
    ------
    ValueError
        A joint that does not belong to the plane; unknown names; with `sagittal`, a left side that is not the mirror
        image of the right one.
    ModuleNotFoundError
        Without the extra `import`.
    """
    return read_urdf(
        path,
        plane=plane,
        base=base,
        floor=floor,
        mu=mu,
        actuated=actuated,
        locked=locked,
        contacts=contacts,
        gravity=gravity,
        sagittal=sagittal,
    ).model


def read_urdf(
    path: str | Path,
    *,
    plane: str | None = None,
    base: str = "fixed",
    floor: float | None = None,
    mu: float = 0.5,
    actuated: Iterable[str] | None = None,
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    gravity: float = 9.81,
    sagittal: bool = False,
) -> Imported:
    """As `from_urdf`, with the builder, the signs of the coordinates, joint ranges and what was left out.

    Parameters
    ----------
    path, plane, base, floor, mu, actuated, locked, contacts, gravity, sagittal
        As in `from_urdf`.
    """
    check_word(base, "base", ("fixed", "floating"))
    path = check_xml(path, "URDF file")
    gravity, mu = check_number(gravity, "gravity", unit="m/s2"), check_number(mu, "mu", least=0.0)
    floor = None if floor is None else check_number(floor, "floor", unit="m")
    with needs("yourdfpy", "import"):
        import yourdfpy
    try:
        robot = yourdfpy.URDF.load(str(path), build_scene_graph=False, load_meshes=False).robot
    except (
        Exception
    ) as error:  # the reader trusts its files: whatever is missing or of another kind, it raises
        words = " ".join(str(error).split())[:200]
        raise ValueError(f"yourdfpy cannot read {str(path)!r}: {words} ({type(error).__name__})") from None
    locked = chosen(locked, (joint.name for joint in robot.joints), f"{robot.name}: locked names")
    up = np.array(AXES["z"]) if plane is None else plane_axes(plane)[1]
    reader = _Reader(robot, Path(path).stem, locked)
    walls = () if floor is None else (Wall("floor", floor * up, up),)
    links = tuple(reader.links(base))
    assembly = Assembly(
        name=robot.name or Path(path).stem,
        links=links,
        drives=tuple(reader.drives(actuated)),
        walls=walls,
        gears=tuple(reader.gears()),
        gravity=-gravity * up,
        friction=lambda shape, wall: "mu",
        parameters={"mu": float(mu)} if walls else {},
        left_out=(*unread(path), *(reader.left_out if walls else ())),
        replaced=tuple(reader.replaced),
    )
    return flatten(assembly, plane, locked, contacts, sagittal=sagittal)


class _Reader:
    def __init__(self, robot: Any, name: str, locked: frozenset[str]) -> None:
        self.robot, self.name, self.locked = robot, robot.name or name, locked
        self.left_out: list[str] = []
        self.replaced: list[str] = []
        self.joints = {joint.child: joint for joint in robot.joints}
        known = {link.name for link in robot.links}
        for joint in robot.joints:
            for end in (joint.parent, joint.child):
                if end not in known:
                    raise ValueError(
                        f"{self.name}: joint {joint.name!r} names the link {end!r}, which the file has not"
                    )
        if len(self.joints) < len(robot.joints):
            raise ValueError(f"{self.name}: a link is the child of two joints; expected a tree")

    def links(self, base: str) -> list[Link]:
        """Parents first, at the zero pose."""
        poses: dict[str, np.ndarray] = {}
        found, waiting = [], list(self.robot.links)
        while waiting:
            ready = [
                link
                for link in waiting
                if link.name not in self.joints or self.joints[link.name].parent in poses
            ]
            if not ready:
                raise ValueError(
                    f"{self.name}: the joints of {waiting[0].name!r} form a cycle; expected a tree"
                )
            for link in ready:
                joint = self.joints.get(link.name)
                pose = np.eye(4) if joint is None else poses[joint.parent] @ _pose(joint.origin)
                poses[link.name] = pose
                found.append(self._link(link, joint, pose, base))
            waiting = [link for link in waiting if link.name not in poses]
        return found

    def _link(self, link: Any, joint: Any, pose: np.ndarray, base: str) -> Link:
        if joint is None:
            still = SpatialJoint("base", "fixed" if base == "fixed" else "free", pose[:3, 3], pose[:3, 2])
            return self._body(link, "world", (still,), pose)
        return self._body(link, joint.parent, (self._joint(joint, pose),), pose)

    def _body(self, link: Any, parent: str, joints: tuple[SpatialJoint, ...], pose: np.ndarray) -> Link:
        mass, centre, inertia = 0.0, pose[:3, 3], np.zeros((3, 3))
        if link.inertial is not None:
            at = pose @ _pose(link.inertial.origin)
            mass, centre = float(link.inertial.mass or 0.0), at[:3, 3]
            if link.inertial.inertia is not None:
                inertia = at[:3, :3] @ np.asarray(link.inertial.inertia, float) @ at[:3, :3].T
        solid = self._shapes(link, link.collisions, pose, True)
        shapes = solid or self._shapes(link, link.visuals, pose, False)
        return Link(link.name, parent, joints, pose[:3, 3], mass, centre, inertia, tuple(shapes))

    def _joint(self, joint: Any, pose: np.ndarray) -> SpatialJoint:
        if joint.type not in KINDS:
            raise ValueError(
                f"{self.name}: joint {joint.name!r} has the type {joint.type!r}; expected one of {', '.join(KINDS)}"
            )
        axis = pose[:3, :3] @ np.asarray((1.0, 0.0, 0.0) if joint.axis is None else joint.axis, float)
        length = float(np.linalg.norm(axis))
        if length == 0.0 and joint.type == "fixed":  # means nothing there
            axis, length = pose[:3, 2], 1.0
        if length == 0.0:
            raise ValueError(
                f"{self.name}: joint {joint.name!r} has the axis (0, 0, 0); expected a direction"
            )
        dynamics = joint.dynamics
        lower, upper = -math.inf, math.inf
        bounded = joint.limit is not None and joint.type in ("revolute", "prismatic")
        if bounded and joint.limit.lower is None and joint.limit.upper is None:
            self.replaced.append(
                f"the joint {joint.name!r}, {joint.type} without lower and upper, has no stops"
            )
        elif bounded:
            lower, upper = float(joint.limit.lower or 0.0), float(joint.limit.upper or 0.0)
        return SpatialJoint(
            joint.name,
            KINDS[joint.type],
            pose[:3, 3],
            axis / length,
            lower=lower,
            upper=upper,
            damping=_real((dynamics and dynamics.damping) or 0.0, f"damping of joint {joint.name!r}"),
            friction=_real((dynamics and dynamics.friction) or 0.0, f"friction of joint {joint.name!r}"),
        )

    def _shapes(self, link: Any, pieces: Any, pose: np.ndarray, touches: bool) -> list[Shape]:
        found = []
        for i, piece in enumerate(pieces):
            name = piece.name or (link.name if len(pieces) == 1 else f"{link.name}_{i + 1}")
            at = pose @ _pose(piece.origin)
            g = piece.geometry
            if g.sphere is not None:
                what: tuple[str, tuple[float, ...]] = "sphere", (float(g.sphere.radius),)
            elif g.cylinder is not None:
                what = "cylinder", (float(g.cylinder.radius), float(g.cylinder.length) / 2)
            elif g.box is not None:
                what = "box", tuple(float(side) / 2 for side in g.box.size)
            else:
                if touches:
                    self.left_out.append(
                        f"the collision shape {name!r}, which is a mesh; spheres, cylinders and boxes are read"
                    )
                continue
            found.append(Shape(name, what[0], at[:3, 3], at[:3, :3], what[1], touches))
        return found

    def drives(self, actuated: Iterable[str] | None) -> list[Drive]:
        """An input for every joint that has one."""
        named = {joint.name: joint for joint in self.robot.joints}
        if actuated is None:
            chosen = [
                name
                for name, joint in named.items()
                if joint.limit is not None and (joint.limit.effort or 0) > 0
            ]
        else:
            chosen = list(check_texts(actuated, "actuated"))
        found = []
        for name in chosen:
            if name not in named:
                raise ValueError(
                    f"{self.name}: actuated names {name!r}; expected joints of the file: {', '.join(named)}"
                )
            limit = named[name].limit
            most = (
                _real(limit.effort, f"effort of joint {name!r}")
                if limit is not None and limit.effort
                else math.inf
            )
            found.append(Drive(f"tau_{name}", ((name, 1.0),), -most, most))
        return found

    def gears(self) -> list[Gear]:
        """Joints that mimic others."""
        found = []
        for joint in self.robot.joints:
            mimic = joint.mimic
            if mimic is None or joint.name in self.locked:
                continue
            if mimic.joint not in {other.name for other in self.robot.joints}:
                raise ValueError(
                    f"{self.name}: joint {joint.name!r} mimics {mimic.joint!r}; expected a joint of the file"
                )
            ratio = 1.0 if mimic.multiplier is None else float(mimic.multiplier)
            offset = 0.0 if mimic.offset is None else float(mimic.offset)
            found.append(Gear(f"{joint.name}_mimics", joint.name, mimic.joint, ratio, offset))
        return found


def _pose(origin: Any) -> np.ndarray:
    return np.eye(4) if origin is None else np.asarray(origin, float)


def _real(value: Any, what: str) -> float:
    """A number that yourdfpy may have left as text."""
    try:
        return check_number(float(value), what)
    except (TypeError, ValueError):
        raise ValueError(f"{what} is {shown(value)}; expected one finite number") from None
