"""`from_mjcf`: planar mechanisms from MuJoCo's model files, read by MuJoCo's own compiler."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.interop.extras import needs
from modecontrol.interop.flattening import Imported, flatten
from modecontrol.interop.spatial import Assembly, Drive, Knot, Link, Shape, SpatialJoint, Wall
from modecontrol.interop.xml_check import check_xml

LOG = logging.getLogger(__name__)


def from_mjcf(
    source: Any,
    *,
    plane: str = "xz",
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    keyframe: str | int | None = None,
) -> Model:
    """A model of a planar mechanism in a MuJoCo model file.

    Bodies, hinges, slides and free joints, springs and dampers, `connect` constraints (loops), motors, and
    the contacts of spheres, capsules, cylinders and boxes with static planes are read, with gravity and
    friction as MuJoCo combines them. Contacts between bodies are not.

    Parameters
    ----------
    source
        Path of an MJCF file, or a `mujoco.MjModel`.
    plane
        The plane of the motion: the axes of the file to the right and up, such as `"xz"`, or `"-xz"` to look
        from the other side. Coordinates count counter-clockwise in it; see `read_mjcf` for those that the
        file counts clockwise.
    locked
        Joints that are held at their reference, whatever their axis: names, or patterns such as `"*_hip"`.
    contacts
        Bodies and shapes that may touch planes: names, or patterns such as `"*_foot"`; None means all.
    keyframe
        Name or number of the keyframe at which the model starts; None: the reference pose.

    Raises
    ------
    ValueError
        A joint that does not belong to the plane; constraints that the library has not; unknown names.
    ModuleNotFoundError
        Without the extra `import`.
    """
    return read_mjcf(source, plane=plane, locked=locked, contacts=contacts, keyframe=keyframe).model


def read_mjcf(
    source: Any,
    *,
    plane: str = "xz",
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    keyframe: str | int | None = None,
) -> Imported:
    """As `from_mjcf`, with the builder, the signs of the coordinates, joint ranges and what was left out.

    Parameters
    ----------
    source, plane, locked, contacts, keyframe
        As in `from_mjcf`.
    """
    with needs("mujoco", "import"):
        import mujoco
    with _remarks_logged(mujoco):
        reader = _reader(mujoco, source, keyframe)
        return flatten(reader.assembly(), plane, locked, contacts)


@contextmanager
def _remarks_logged(mujoco: Any) -> Iterator[None]:
    """MuJoCo prints its remarks, and writes a file of them, unless somebody takes them."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: LOG.info("MuJoCo: %s", text))
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


def _reader(mujoco: Any, source: Any, keyframe: str | int | None) -> _Reader:
    if isinstance(source, mujoco.MjModel):
        m, name = source, "mjcf"
    else:
        path = check_xml(source, "MJCF file, or a mujoco.MjModel")
        name = path.stem
        try:
            m = mujoco.MjModel.from_xml_path(str(path))
        except (ValueError, mujoco.FatalError, UnicodeError) as error:
            words = " ".join(str(error).split())[:400]
            raise ValueError(f"MuJoCo cannot read {str(path)!r}: {words}") from None
    return _Reader(mujoco, m, name, keyframe)


class _Reader:
    def __init__(self, mujoco: Any, m: Any, name: str, keyframe: str | int | None) -> None:
        self.mj, self.m, self.name = mujoco, m, name
        self.left_out: list[str] = []
        try:
            self.at = mujoco.MjData(m)
            mujoco.mj_kinematics(m, self.at)  # the reference pose, qpos0
            mujoco.mj_comPos(m, self.at)
        except mujoco.FatalError as error:
            raise ValueError(f"MuJoCo cannot place {name!r}: {' '.join(str(error).split())}") from None
        self.start = None if keyframe is None else self._key(keyframe)

    def assembly(self) -> Assembly:
        m = self.m
        if m.ntendon:
            self.left_out.append("tendons")
        if m.nmocap:
            self.left_out.append("mocap bodies move with nothing: they stand still")
        if m.opt.density or m.opt.viscosity:
            self.left_out.append("the fluid around the bodies")
        if np.any(m.body_gravcomp):
            self.left_out.append("gravity compensation")
        self._joint_effects()
        links = tuple(self._link(b) for b in range(1, m.nbody))
        return Assembly(
            name=self.name,
            links=links,
            drives=tuple(self._drives()),
            walls=tuple(self._walls()),
            knots=tuple(self._knots()),
            gravity=np.array(m.opt.gravity),
            friction=self._friction,
            left_out=tuple(self.left_out),
        )

    def _joint_effects(self) -> None:
        """Say which joints have properties that the library has not; newer versions of MuJoCo have more of
        them.
        """
        for what, name in (
            ("armature", "dof_armature"),
            ("dry friction", "dof_frictionloss"),
            ("damping that is not linear", "dof_dampingpoly"),
            ("springs that are not linear", "jnt_stiffnesspoly"),
        ):
            values = np.asarray(getattr(self.m, name, np.zeros((0, 1))))
            found = (
                np.flatnonzero(np.any(values.reshape(len(values), -1), axis=1))
                if values.size
                else np.zeros(0, int)
            )
            joints = dict.fromkeys(int(i if name.startswith("jnt") else self.m.dof_jntid[i]) for i in found)
            if joints:
                self.left_out.append(
                    f"{what} in joints: " + ", ".join(self._called("JOINT", j) for j in joints)
                )

    def _key(self, keyframe: str | int) -> np.ndarray:
        names = [self._called("KEY", i) for i in range(self.m.nkey)]
        if isinstance(keyframe, str) and keyframe in names:
            keyframe = names.index(keyframe)
        if isinstance(keyframe, str) or not 0 <= keyframe < len(names):
            raise ValueError(
                f"{self.name}: no keyframe {keyframe!r}; expected one of "
                f"{', '.join(names) or 'none: the file has none'}"
            )
        return np.array(self.m.key_qpos[keyframe])

    def _called(self, kind: str, i: int) -> str:
        return (
            self.mj.mj_id2name(self.m, getattr(self.mj.mjtObj, f"mjOBJ_{kind}"), int(i))
            or f"{kind.lower()}{i}"
        )

    # Bodies ------------------------------------------------------------------------------------------

    def _link(self, b: int) -> Link:
        m, at = self.m, self.at
        turn = at.ximat[b].reshape(3, 3)
        parent = int(m.body_parentid[b])
        joints = range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])
        geoms = range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b])
        shapes = [shape for g in geoms if (shape := self._shape(g)) is not None]
        return Link(
            self._called("BODY", b),
            self._called("BODY", parent) if parent else "world",
            tuple(self._joint(j, b) for j in joints),
            np.array(at.xpos[b]),
            float(m.body_mass[b]),
            np.array(at.xipos[b]),
            turn @ np.diag(m.body_inertia[b]) @ turn.T,
            tuple(shapes),
        )

    def _joint(self, j: int, b: int) -> SpatialJoint:
        m, at, kinds = self.m, self.at, self.mj.mjtJoint
        name, adr, dof = self._called("JOINT", j), int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
        kind = {
            kinds.mjJNT_FREE: "free",
            kinds.mjJNT_BALL: "ball",
            kinds.mjJNT_SLIDE: "slide",
            kinds.mjJNT_HINGE: "turn",
        }[kinds(m.jnt_type[j])]
        words: dict[str, Any] = {"stiffness": float(m.jnt_stiffness[j]), "damping": float(m.dof_damping[dof])}
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
        return SpatialJoint(
            name,
            kind,
            np.array(at.xanchor[j]),
            np.array(at.xaxis[j]),
            reference=float(m.qpos0[adr]),
            rest=float(m.qpos_spring[adr]),
            **words,
        )

    def _turned(self, quaternion: np.ndarray, b: int) -> np.ndarray:
        """Rotation of a free body from the reference pose to a quaternion."""
        turn = np.zeros(9)
        self.mj.mju_quat2Mat(turn, np.asarray(quaternion, float))
        return turn.reshape(3, 3) @ self.at.xmat[b].reshape(3, 3).T

    def _shape(self, g: int) -> Shape | None:
        m, at, kinds = self.m, self.at, self.mj.mjtGeom
        kind = {
            kinds.mjGEOM_SPHERE: "sphere",
            kinds.mjGEOM_CAPSULE: "capsule",
            kinds.mjGEOM_CYLINDER: "cylinder",
            kinds.mjGEOM_BOX: "box",
        }.get(kinds(m.geom_type[g]))
        solid = bool(m.geom_contype[g] or m.geom_conaffinity[g])
        if kind is None:
            if solid:
                self.left_out.append(
                    f"the shape {self._called('GEOM', g)!r}; spheres, capsules, cylinders and boxes are read"
                )
            return None
        size = tuple(map(float, m.geom_size[g][: {"sphere": 1, "box": 3}.get(kind, 2)]))
        return Shape(
            self._called("GEOM", g),
            kind,
            np.array(at.geom_xpos[g]),
            at.geom_xmat[g].reshape(3, 3).copy(),
            size,
            solid,
            g,
        )

    # What acts on them -------------------------------------------------------------------------------

    def _walls(self) -> list[Wall]:
        m, at = self.m, self.at
        found = []
        for g in range(m.ngeom):
            if m.body_weldid[m.geom_bodyid[g]] != 0:
                continue
            if m.geom_type[g] == self.mj.mjtGeom.mjGEOM_PLANE:
                normal = at.geom_xmat[g].reshape(3, 3)[:, 2].copy()
                found.append(Wall(self._called("GEOM", g), np.array(at.geom_xpos[g]), normal, g))
            elif m.geom_bodyid[g] == 0 and (m.geom_contype[g] or m.geom_conaffinity[g]):
                self.left_out.append(f"the static shape {self._called('GEOM', g)!r}; only planes are walls")
        return found

    def _friction(self, shape: Shape, wall: Wall) -> float | None:
        """MuJoCo's rules for a pair: filters, priority, then the larger coefficient."""
        m, a, b = self.m, shape.tag, wall.tag
        if not (m.geom_contype[a] & m.geom_conaffinity[b] or m.geom_contype[b] & m.geom_conaffinity[a]):
            return None
        chosen = [a, b]
        if m.geom_priority[a] != m.geom_priority[b]:
            chosen = [a if m.geom_priority[a] > m.geom_priority[b] else b]
        if max(m.geom_condim[g] for g in chosen) == 1:
            return 0.0
        return float(max(m.geom_friction[g][0] for g in chosen))

    def _drives(self) -> list[Drive]:
        m, mj = self.m, self.mj
        found = []
        for i in range(m.nactuator if hasattr(m, "nactuator") else m.nu):
            name = self._called("ACTUATOR", i)
            if m.actuator_trntype[i] != mj.mjtTrn.mjTRN_JOINT:
                self.left_out.append(f"the actuator {name!r}, which acts on no joint")
                continue
            joint = self._called("JOINT", m.actuator_trnid[i][0])
            gear = float(m.actuator_gear[i][0])
            plain = (
                m.actuator_gaintype[i] == mj.mjtGain.mjGAIN_FIXED
                and m.actuator_biastype[i] == mj.mjtBias.mjBIAS_NONE
                and m.actuator_dyntype[i] == mj.mjtDyn.mjDYN_NONE
            )
            gain = float(m.actuator_gainprm[i][0]) if plain else 1.0
            if not plain:
                self.left_out.append(f"the law of the actuator {name!r}: its input is its force")
            lower, upper = _cut(
                -math.inf, math.inf, m.actuator_forcelimited[i], m.actuator_forcerange[i], gain
            )
            if plain:
                lower, upper = _cut(lower, upper, m.actuator_ctrllimited[i], m.actuator_ctrlrange[i], 1.0)
            j = int(m.actuator_trnid[i][0])
            lower, upper = _cut(lower, upper, m.jnt_actfrclimited[j], m.jnt_actfrcrange[j], gain * gear)
            found.append(Drive(name, joint, gain * gear, lower, upper))
        return found

    def _knots(self) -> list[Knot]:
        m, mj = self.m, self.mj
        found = []
        for i in range(m.neq):
            if not m.eq_active0[i]:
                continue
            name = self._called("EQUALITY", i)
            kind = mj.mjtEq(m.eq_type[i])
            if kind != mj.mjtEq.mjEQ_CONNECT or m.eq_objtype[i] != mj.mjtObj.mjOBJ_BODY:
                raise ValueError(
                    f"{self.name}: the constraint {name!r} is {kind.name.removeprefix('mjEQ_').lower()}; expected "
                    "'connect' between two bodies, or none"
                )
            a, b = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
            point = self.at.xpos[a] + self.at.xmat[a].reshape(3, 3) @ m.eq_data[i][:3]
            link, other = (self._called("BODY", body) if body else "world" for body in (a, b))
            found.append(Knot(name, link, other, point))
        return found


def _cut(lower: float, upper: float, limited: Any, bounds: Any, gain: float) -> tuple[float, float]:
    """The box of an input `u` whose `gain u` must stay within bounds."""
    if not limited or gain == 0.0:
        return lower, upper
    low, high = sorted(float(bound) / gain for bound in bounds)
    return max(lower, low), min(upper, high)
