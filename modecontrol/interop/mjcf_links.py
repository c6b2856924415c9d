"""Bodies, joints and shapes of a compiled MuJoCo model as links at the reference pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modecontrol.interop.spatial import Lift, Link, Shape, SpatialDrag, SpatialJoint, Wall

EXTRAS = (
    ("damping that is not linear", "dof_dampingpoly"),
    ("springs that are not linear", "jnt_stiffnesspoly"),
    ("springs that yield", "jnt_springyield"),
)
"""Properties of joints that newer versions of MuJoCo have and the library has not."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A compiled model at its reference pose, with names for everything and room for remarks."""

    mj: Any
    m: Any
    at: Any
    name: str
    left_out: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)

    def called(self, kind: str, i: int) -> str:
        """Name of an object, or one made of its kind and number.

        Parameters
        ----------
        kind
            As MuJoCo has it: "BODY", "JOINT", ...
        i
            Its number.
        """
        found = self.mj.mj_id2name(self.m, getattr(self.mj.mjtObj, f"mjOBJ_{kind}"), int(i))
        return found or f"{kind.lower()}{int(i)}"

    def body(self, b: int) -> str:
        """Name of a body; the first is the world.

        Parameters
        ----------
        b
            Its number.
        """
        return self.called("BODY", b) if b else "world"


def compiled(mujoco: Any, m: Any, name: str) -> Compiled:
    """A model placed at its reference pose.

    Parameters
    ----------
    mujoco
        The module.
    m
        A `mujoco.MjModel`.
    name
        What messages call it.
    """
    try:
        at = mujoco.MjData(m)
        mujoco.mj_kinematics(m, at)  # the reference pose, qpos0
        mujoco.mj_comPos(m, at)
    except mujoco.FatalError as error:
        raise ValueError(f"MuJoCo cannot place {name!r}: {' '.join(str(error).split())}") from None
    return Compiled(mujoco, m, at, name)


@dataclass(frozen=True)
class Spring:
    """What actuators add to a joint: stiffness, stiffness times rest, damping, armature."""

    stiffness: float = 0.0
    pull: float = 0.0
    damping: float = 0.0
    armature: float = 0.0


class LinkReader:
    """Reads links one by one.

    Parameters
    ----------
    model
        The compiled model.
    start
        `qpos` at which the mechanism starts; None: the reference pose.
    servos
        What actuators add to the springs of joints, by the joint's number.
    drags
        What a medium does to bodies, by their names.
    """

    def __init__(
        self,
        model: Compiled,
        start: np.ndarray | None,
        servos: dict[int, Spring],
        drags: Mapping[str, SpatialDrag] | None = None,
    ) -> None:
        self.model, self.start, self.servos = model, start, servos
        self.drags = {} if drags is None else drags
        self._extras()

    def _extras(self) -> None:
        m = self.model.m
        for what, name in EXTRAS:
            values = np.asarray(getattr(m, name, np.zeros((0, 1))))
            if not values.size:
                continue
            flat = values.reshape(len(values), -1)
            odd = np.any((flat != 0) & np.isfinite(flat), axis=1)
            ids = dict.fromkeys(
                int(i if name.startswith("jnt") else m.dof_jntid[i]) for i in np.flatnonzero(odd)
            )
            if ids:
                names = ", ".join(self.model.called("JOINT", j) for j in ids)
                self.model.left_out.append(f"{what} in joints: {names}")

    def links(self) -> tuple[Link, ...]:
        """All bodies but the world."""
        return tuple(self._link(b) for b in range(1, self.model.m.nbody))

    def lifts(self) -> tuple[Lift, ...]:
        """Gravity compensation: constant forces at centres of mass."""
        m, at = self.model.m, self.model.at
        return tuple(
            Lift(
                f"{self.model.body(b)}_lift",
                self.model.body(b),
                np.array(at.xipos[b]),
                -float(m.body_gravcomp[b] * m.body_mass[b]) * np.array(m.opt.gravity),
            )
            for b in range(1, m.nbody)
            if m.body_gravcomp[b] and m.body_weldid[b]
        )

    def _link(self, b: int) -> Link:
        m, at = self.model.m, self.model.at
        turn = at.ximat[b].reshape(3, 3)
        joints = range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])
        geoms = range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b])
        shapes = [shape for g in geoms if (shape := self.shape(g)) is not None]
        return Link(
            self.model.body(b),
            self.model.body(int(m.body_parentid[b])),
            tuple(self._joint(j, b) for j in joints),
            np.array(at.xpos[b]),
            float(m.body_mass[b]),
            np.array(at.xipos[b]),
            turn @ np.diag(m.body_inertia[b]) @ turn.T,
            tuple(shapes),
            self.drags.get(self.model.body(b)),
        )

    def _joint(self, j: int, b: int) -> SpatialJoint:
        m, at, kinds = self.model.m, self.model.at, self.model.mj.mjtJoint
        name, adr, dof = self.model.called("JOINT", j), int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
        kind = {
            kinds.mjJNT_FREE: "free",
            kinds.mjJNT_BALL: "ball",
            kinds.mjJNT_SLIDE: "slide",
            kinds.mjJNT_HINGE: "turn",
        }[kinds(m.jnt_type[j])]
        servo = self.servos.get(j, Spring())
        words: dict[str, Any] = {
            "stiffness": float(m.jnt_stiffness[j]) + servo.stiffness,
            "damping": float(m.dof_damping[dof]) + servo.damping,
            "friction": float(m.dof_frictionloss[dof]),
            "armature": float(m.dof_armature[dof]) + servo.armature,
        }
        if kind in ("free", "ball"):
            if self.start is not None and kind == "free":
                words["start"] = (
                    np.array(self.start[adr : adr + 3]),
                    self._turned(self.start[adr + 3 : adr + 7], b),
                )
            return SpatialJoint(name, kind, np.array(at.xpos[b]), np.array([0.0, 0.0, 1.0]), **words)
        if m.jnt_limited[j]:
            words["lower"], words["upper"] = map(float, m.jnt_range[j])
        if self.start is not None:
            words["start"] = float(self.start[adr])
        pull = float(m.jnt_stiffness[j] * m.qpos_spring[adr]) + servo.pull
        rest = float(m.qpos_spring[adr]) if servo.stiffness == 0.0 else pull / words["stiffness"]
        return SpatialJoint(
            name,
            kind,
            np.array(at.xanchor[j]),
            np.array(at.xaxis[j]),
            reference=float(m.qpos0[adr]),
            rest=rest,
            **words,
        )

    def _turned(self, quaternion: np.ndarray, b: int) -> np.ndarray:
        """Rotation of a free body from the reference pose to a quaternion."""
        turn = np.zeros(9)
        self.model.mj.mju_quat2Mat(turn, np.asarray(quaternion, float))
        return turn.reshape(3, 3) @ self.model.at.xmat[b].reshape(3, 3).T

    # Shapes ------------------------------------------------------------------------------------------

    def shape(self, g: int) -> Shape | None:
        """The shape of a geom; None, and a remark, for what is not read.

        Parameters
        ----------
        g
            Number of the geom.
        """
        m, at, kinds = self.model.m, self.model.at, self.model.mj.mjtGeom
        found = kinds(m.geom_type[g])
        if found == kinds.mjGEOM_PLANE:
            return None
        kind = {
            kinds.mjGEOM_SPHERE: "sphere",
            kinds.mjGEOM_CAPSULE: "capsule",
            kinds.mjGEOM_CYLINDER: "cylinder",
            kinds.mjGEOM_BOX: "box",
            kinds.mjGEOM_MESH: "hull",
        }.get(found)
        solid = self._solid(g)
        name = self.model.called("GEOM", g)
        if kind is None:
            if solid:
                self.model.left_out.append(
                    f"the shape {name!r}; spheres, capsules, cylinders, boxes and meshes are read"
                )
            return None
        count = {"sphere": 1, "box": 3, "hull": 0}.get(kind, 2)
        centre, turn = np.array(at.geom_xpos[g]), at.geom_xmat[g].reshape(3, 3).copy()
        corners = None
        if kind == "hull":
            i = int(m.geom_dataid[g])
            first, total = int(m.mesh_vertadr[i]), int(m.mesh_vertnum[i])
            corners = centre + np.array(m.mesh_vert[first : first + total], float) @ turn.T
        return Shape(name, kind, centre, turn, tuple(map(float, m.geom_size[g][:count])), solid, g, corners)

    def _solid(self, g: int) -> bool:
        m = self.model.m
        paired = m.npair and (g in m.pair_geom1 or g in m.pair_geom2)
        return bool(m.geom_contype[g] or m.geom_conaffinity[g] or paired)

    def standing(self) -> tuple[Shape, ...]:
        """Shapes of the world itself that are no planes and can touch something."""
        m = self.model.m
        geoms = range(m.body_geomadr[0], m.body_geomadr[0] + m.body_geomnum[0])
        found = (self.shape(g) for g in geoms if m.body_geomnum[0] and self._solid(g))
        return tuple(shape for shape in found if shape is not None)

    def walls(self) -> tuple[Wall, ...]:
        """Planes that nothing moves."""
        m, at = self.model.m, self.model.at
        return tuple(
            Wall(
                self.model.called("GEOM", g),
                np.array(at.geom_xpos[g]),
                at.geom_xmat[g].reshape(3, 3)[:, 2].copy(),
                g,
            )
            for g in range(m.ngeom)
            if m.body_weldid[m.geom_bodyid[g]] == 0 and m.geom_type[g] == self.model.mj.mjtGeom.mjGEOM_PLANE
        )
