"""`from_mjcf`: planar mechanisms from MuJoCo's model files, read by MuJoCo's own compiler."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.interop.extras import needs
from modecontrol.interop.flattening import flatten
from modecontrol.interop.imported import Imported
from modecontrol.interop.mjcf_contacts import ContactRules
from modecontrol.interop.mjcf_flags import Switched
from modecontrol.interop.mjcf_fluid import drags
from modecontrol.interop.mjcf_forces import Actuators, equalities, ropes
from modecontrol.interop.mjcf_links import Compiled, LinkReader, compiled
from modecontrol.interop.mjcf_words import unread
from modecontrol.interop.spatial import Assembly, Link
from modecontrol.interop.xml_check import check_xml
from modecontrol.validation import is_number, shown

LOG = logging.getLogger(__name__)


def from_mjcf(
    source: Any,
    *,
    plane: str | None = None,
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    keyframe: str | int | None = None,
    sagittal: bool = False,
) -> Model:
    """A model of a planar mechanism in a MuJoCo model file.

    Bodies, hinges, slides and free joints with their springs, dampers, stops, dry friction and armature, loops and
    gears, motors and servos, and contacts of spheres, capsules, cylinders, boxes and meshes with planes and with each
    other are read, with gravity, friction as MuJoCo combines it, and the drag of a medium that may move.

    Parameters
    ----------
    source
        Path of an MJCF file, or a `mujoco.MjModel`.
    plane
        The plane of the motion: the axes of the file to the right and up, such as `"xz"`, or `"-xz"` to look
        from the other side; None finds it from the axes of the joints. Coordinates count counter-clockwise in it; see
        `read_mjcf` for those that the file counts clockwise.
    locked
        Joints that are held at their reference, whatever their axis: names, or patterns such as `"*_hip"`.
    contacts
        Bodies and shapes that may touch anything: names, or patterns such as `"*_foot"`; None means all.
    keyframe
        Name or number of the keyframe at which the model starts; None: the reference pose.
    sagittal
        Whether left and right legs move as one: each pair becomes one leg with the mass and the torque of both.

    Raises
    ------
    ValueError
        A joint that does not belong to the plane; constraints that the library has not; unknown names; with `sagittal`, a
        left side that is not the mirror image of the right one.
    ModuleNotFoundError
        Without the extra `import`.
    """
    return read_mjcf(
        source, plane=plane, locked=locked, contacts=contacts, keyframe=keyframe, sagittal=sagittal
    ).model


def read_mjcf(
    source: Any,
    *,
    plane: str | None = None,
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    keyframe: str | int | None = None,
    sagittal: bool = False,
) -> Imported:
    """As `from_mjcf`, with the builder, the signs of the coordinates, joint ranges and what was left out.

    Parameters
    ----------
    source, plane, locked, contacts, keyframe, sagittal
        As in `from_mjcf`.
    """
    with needs("mujoco", "import"):
        import mujoco
    with _remarks_logged(mujoco):
        m, name, root = _compiled(mujoco, source)
        model = compiled(mujoco, m, name)
        if root is None:
            model.replaced.append(
                "the model came compiled: only what its numbers say could be looked through"
            )
        else:
            model.left_out.extend(unread(root))
        start = None if keyframe is None else _key(model, keyframe)
        return flatten(_assembly(model, start), plane, locked, contacts, sagittal=sagittal)


@contextmanager
def _remarks_logged(mujoco: Any) -> Iterator[None]:
    """MuJoCo prints its remarks, and writes a file of them, unless somebody takes them."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: LOG.info("MuJoCo: %s", text))
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


def _compiled(mujoco: Any, source: Any) -> tuple[Any, str, ElementTree.Element | None]:
    """The compiled model, its name, and its words as MuJoCo writes them back."""
    if isinstance(source, mujoco.MjModel):
        return source, "mjcf", None
    path = check_xml(source, "MJCF file, or a mujoco.MjModel")
    try:
        with warnings.catch_warnings(record=True) as remarks:
            warnings.simplefilter("always")
            spec = mujoco.MjSpec.from_file(str(path))
            m = spec.compile()
            root = ElementTree.fromstring(spec.to_xml())
    except (ValueError, mujoco.FatalError, UnicodeError) as error:
        words = " ".join(str(error).split())[:400]
        raise ValueError(f"MuJoCo cannot read {str(path)!r}: {words}") from None
    for text in {str(remark.message) for remark in remarks}:
        LOG.info("MuJoCo: %s", text)
    return m, path.stem, root


def _key(model: Compiled, keyframe: str | int) -> np.ndarray:
    names = [model.called("KEY", i) for i in range(model.m.nkey)]
    if isinstance(keyframe, str) and keyframe in names:
        keyframe = names.index(keyframe)
    if not is_number(keyframe) or keyframe not in range(len(names)):
        raise ValueError(
            f"{model.name}: no keyframe {shown(keyframe)}; expected one of "
            f"{', '.join(names) or 'none: the file has none'}"
        )
    return np.array(model.m.key_qpos[int(keyframe)])


def _assembly(model: Compiled, start: np.ndarray | None) -> Assembly:
    m = model.m
    if m.nmocap:
        model.left_out.append("mocap bodies move with nothing: they stand still")
    switched = Switched(model.mj, m)
    off = switched.off
    medium = {} if off("SPRING") and off("DAMPER") else drags(model)
    actuators, rules = Actuators(model), ContactRules(model, off("CONTACT"))
    reader = LinkReader(model, start, actuators.servos, medium)
    knots, gears, held = equalities(model)
    links = tuple(_held(switched.link(link), held) for link in reader.links())
    standing, walls = reader.standing(), reader.walls()
    tags = [shape.tag for link in links for shape in link.shapes]
    others = [thing.tag for thing in walls] + [thing.tag for thing in standing] + tags
    touching = [rules.friction(one, two) for one in tags for two in others if one != two]
    if any(mu is not None for mu in touching) or (m.jnt_limited.any() and not off("LIMIT")):
        model.replaced.append(
            "contacts and stops are rigid, where MuJoCo softens them (solref, solimp, margin)"
        )
    return Assembly(
        name=model.name,
        links=links,
        drives=() if off("ACTUATION") else tuple(actuators.drives),
        walls=walls,
        standing=standing,
        knots=() if off("EQUALITY") else tuple(knots),
        gears=() if off("EQUALITY") else tuple(gears),
        ropes=ropes(model),
        lifts=reader.lifts(),
        gravity=np.zeros(3) if off("GRAVITY") else np.array(m.opt.gravity),
        wind=np.array(m.opt.wind) if medium else np.zeros(3),
        friction=lambda shape, wall: rules.friction(shape.tag, wall.tag),
        pair_friction=lambda one, other: rules.friction(one.tag, other.tag),
        left_out=tuple(model.left_out + rules.remarks()),
        replaced=tuple(model.replaced),
    )


def _held(link: Link, held: list[str]) -> Link:
    """The link with joints that an equality holds made fixed."""
    if not any(j.name in held for j in link.joints):
        return link
    return replace(link, joints=tuple(replace(j, kind="fixed") if j.name in held else j for j in link.joints))
