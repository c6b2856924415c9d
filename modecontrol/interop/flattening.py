"""An assembly in space becomes a planar mechanism, or a line that says why it cannot.

A joint belongs to the plane when it turns about the plane's normal or slides within the plane. Masses count
as they are; of the inertia only the moment about the normal through the centre of mass acts. Body frames
stand at their joint and, at the reference pose, along the axes of the plane (a sliding body's frame: along
its direction).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import weld
from modecontrol.interop.flat import Flat
from modecontrol.interop.flat_contacts import add_contacts
from modecontrol.interop.flat_drag import drag_words
from modecontrol.interop.flat_forces import add_forces
from modecontrol.interop.flat_joints import steps
from modecontrol.interop.imported import Imported, chosen
from modecontrol.interop.plane_axes import pair, plane_axes, turned
from modecontrol.interop.plane_search import find_plane
from modecontrol.interop.sagittal import merge_sides
from modecontrol.interop.shapes import Touching, outline, slanted, touching
from modecontrol.interop.spatial import Assembly, Link
from modecontrol.validation import check_flag


def flatten(
    assembly: Assembly,
    plane: str | None,
    locked: Iterable[str] = (),
    contacts: Iterable[str] | None = None,
    *,
    sagittal: bool = False,
) -> Imported:
    """The planar mechanism of an assembly.

    Parameters
    ----------
    assembly
        What a reader found in a file.
    plane
        As in `plane_axes`; None finds it.
    locked
        Joints that are held at the reference pose, whatever their axis: names or patterns.
    contacts
        Links and shapes that may touch anything: names or patterns; None means all.
    sagittal
        Whether left and right sides are merged.

    Raises
    ------
    ValueError
        Something does not belong to the plane; unknown names; sides that are no mirror images.
    """
    joints = {joint.name for link in assembly.links for joint in link.joints}
    shapes = {name for link in assembly.links for name in (link.name, *(s.name for s in link.shapes))}
    held = chosen(locked, joints, f"{assembly.name}: locked names")
    touches = None if contacts is None else chosen(contacts, shapes, f"{assembly.name}: contacts names")
    called, axes = find_plane(assembly, held) if plane is None else (plane, plane_axes(plane))
    if check_flag(sagittal, "sagittal"):
        assembly = merge_sides(assembly, axes, held)
    pull = axes[:2] @ assembly.gravity
    builder = Builder(
        assembly.name,
        gravity=tuple(pull),
        wind=tuple(float(x) + 0.0 for x in axes[:2] @ assembly.wind),
        parameters=assembly.parameters,
    )
    flat = Flat(assembly, called, axes, held, builder)
    flat.left_out.extend(assembly.left_out)
    flat.replaced.extend(assembly.replaced)
    for name in assembly.parameters:
        flat.word("coordinate", name)  # coordinates and inputs may not have it
    if abs(axes[2] @ assembly.gravity) > tolerances.ALIGNED * np.linalg.norm(assembly.gravity):
        flat.replaced.append("gravity across the plane moves nothing; its part within the plane is kept")
    for link in assembly.links:
        _link(flat, link)
    add_forces(flat)
    add_contacts(flat, touches)
    return Imported(builder, flat.signs, flat.ranges, tuple(flat.left_out), tuple(flat.replaced), called)


def _link(flat: Flat, link: Link) -> None:
    """Its joints and its body; all joints but the last carry a body without mass."""
    parent, origin, angle = flat.frames[link.parent]
    moving = [j for j in link.joints if j.kind != "fixed" and j.name not in flat.locked]
    flat.rigid[link.name] = link.name if moving else flat.rigid[link.parent]
    made, place, way = weld(), flat.flat @ link.origin, 0.0
    if not moving:
        made = weld(at=pair(place - origin, -angle), angle=-angle)
    for number, j in enumerate(moving):
        parts = steps(flat, j, origin, angle)
        for i, (made, place, way) in enumerate(parts):
            if number == len(moving) - 1 and i == len(parts) - 1:
                break
            body = flat.word("body", f"{link.name}_{made.coordinates[0]}")
            flat.builder.body(body, parent=parent, joint=made, outline=[(0.0, 0.0)])  # nothing to be seen
            parent, origin, angle = body, place, way
    body = flat.word("body", link.name)
    flat.frames[link.name] = body, place, way
    seen = [touching(s, flat.flat) for s in link.shapes if not slanted(s, flat.flat)]
    local = [Touching(turned(s.points - place, -way), s.radius) for s in seen]
    flat.builder.body(
        body,
        parent=parent,
        joint=made,
        mass=link.mass,
        inertia=max(0.0, float(flat.normal @ link.inertia @ flat.normal)),
        com=pair(flat.flat @ link.centre - place, -way),
        outline=outline(local).tolist(),
        drag=drag_words(flat, link, way),
    )
