"""Left and right sides of a robot in space become one side that moves in its middle plane.

Rigid pieces that are mirror images of each other move as one: the right piece is welded to the left one, whose joint gets
the springs, dampers, dry friction and armature of both, and whose drive may do what both could. Masses add up by
themselves, and so does friction on the ground, which grows with the load. Of two equal contacts one is kept.
Whatever is not the mirror image of its partner is refused, with the difference.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.mirror import Piece, difference, pieces
from modecontrol.interop.spatial import Assembly, Drive, Link, SpatialJoint


def merge_sides(assembly: Assembly, axes: np.ndarray, locked: frozenset[str]) -> Assembly:
    """The assembly with left and right merged.

    Parameters
    ----------
    assembly
        A robot whose middle plane goes through the origin of its first link.
    axes
        (3, 3): to the right, up, and the normal of the middle plane.
    locked
        Joints that are held.

    Raises
    ------
    ValueError
        A side that is not the mirror image of the other, or no sides at all.
    """
    found = pieces(assembly, axes, locked)
    partners = _partners(assembly, found)
    if not partners:
        raise ValueError(
            f"{assembly.name}: no two parts are mirror images of each other across the plane; expected a left and a right "
            "side, or sagittal=False"
        )
    return _merged(assembly, [(found[left], found[right]) for left, right in partners.items()])


def _partners(assembly: Assembly, found: dict[str, Piece]) -> dict[str, str]:
    """By the piece that is kept: its mirror image."""
    left_of: dict[str, str] = {}
    taken: set[str] = set()
    scale = max((float(np.linalg.norm(p.place)) + abs(p.beside) for p in found.values()), default=1.0)
    for name, piece in found.items():
        if name in taken:
            continue
        parent = piece.parent
        if parent in taken:
            raise ValueError(
                f"{assembly.name}: {name!r} hangs on {parent!r} and has no mirror image on {_key(left_of, parent)!r}; expected "
                "equal sides"
            )
        there = left_of.get(parent, parent)
        rest = [p for p in found.values() if p.parent == there and p.name not in taken and p.name != name]
        why = {p.name: difference(assembly, piece, p, scale) for p in rest}
        equal = [p.name for p in rest if why[p.name] is None]
        if equal:
            left_of[name] = equal[0]
            taken.add(equal[0])
        elif parent in left_of or abs(piece.beside) > tolerances.BESIDE * scale:
            _refuse(assembly, piece, rest, why)
    return left_of


def _key(table: dict[str, str], value: str) -> str:
    return next(key for key, other in table.items() if other == value)


def _refuse(assembly: Assembly, piece: Piece, rest: list[Piece], why: dict[str, str | None]) -> None:
    if not rest:
        raise ValueError(
            f"{assembly.name}: {piece.name!r} has its mass {piece.beside:g} m beside the middle plane and no mirror image; "
            "expected a partner on the other side"
        )
    nearest = min(
        rest, key=lambda p: float(np.linalg.norm(p.place - piece.place)) + abs(p.beside + piece.beside)
    )
    raise ValueError(
        f"{assembly.name}: {piece.name!r} and {nearest.name!r} are no mirror images: {why[nearest.name]}; expected equal "
        "sides, or sagittal=False"
    )


# One side instead of two -----------------------------------------------------------------------------------


def _merged(assembly: Assembly, sides: list[tuple[Piece, Piece]]) -> Assembly:
    joints = {
        one.name: common(one.name, two.name)
        for left, right in sides
        for one, two in zip(left.joints, right.joints, strict=True)
    }
    gone = {joint.name for _, right in sides for joint in right.joints}
    links = {link.name: link for link in assembly.links}
    for left, right in sides:
        links[left.name] = _doubled(links[left.name], left, right, joints)
        root = links[right.name]
        still = SpatialJoint(f"{right.name}_as_{left.name}", "fixed", root.origin, assembly.links[0].origin)
        kept = [j for j in root.joints if j.name not in gone]
        links[right.name] = replace(root, parent=left.name, joints=(still, *kept))
        for name in right.members:
            shapes = tuple(replace(shape, touches=False) for shape in links[name].shapes)
            links[name] = replace(links[name], shapes=shapes)
    lost = {name for _, right in sides for name in right.members}
    return replace(
        assembly,
        links=tuple(links.values()),
        drives=tuple(_drives(assembly.drives, joints, gone)),
        knots=tuple(k for k in assembly.knots if not {k.link, k.other} & lost),
        gears=tuple(
            replace(g, joint=joints.get(g.joint, g.joint), other=joints.get(g.other, g.other))
            for g in assembly.gears
            if not {g.joint, g.other} & gone
        ),
        replaced=(*assembly.replaced, _said(sides)),
    )


def _said(sides: list[tuple[Piece, Piece]]) -> str:
    pairs = ", ".join(f"{right.name} with {left.name}" for left, right in sides)
    return f"left and right move as one: {pairs}"


def _doubled(link: Link, left: Piece, right: Piece, names: dict[str, str]) -> Link:
    partner = {one.name: two for one, two in zip(left.joints, right.joints, strict=True)}
    made = []
    for j in link.joints:
        if j.name in partner:
            more = {
                key: getattr(j, key) + getattr(partner[j.name], key)
                for key in ("stiffness", "damping", "friction", "armature")
            }
            j = replace(j, name=names[j.name], **more)
        made.append(j)
    return replace(link, joints=tuple(made))


def _drives(drives: tuple[Drive, ...], joints: dict[str, str], gone: set[str]) -> list[Drive]:
    """Drives of the kept side may do what both could; those of the other side are dropped."""
    found = []
    lost = [drive for drive in drives if any(joint in gone for joint, _ in drive.gains)]
    for drive in drives:
        if drive in lost:
            continue
        both = any(joint in joints for joint, _ in drive.gains)
        name = drive.name
        if both:
            others = [common(drive.name, other.name) for other in lost if _alike(drive.name, other.name)]
            name = others[0] if others else drive.name
        found.append(
            replace(
                drive,
                name=name,
                gains=tuple((joints.get(joint, joint), gain) for joint, gain in drive.gains),
                lower=drive.lower * (2 if both else 1),
                upper=drive.upper * (2 if both else 1),
            )
        )
    return found


def _alike(one: str, other: str) -> bool:
    return common(one, other) != one


def common(left: str, right: str) -> str:
    """What two names say in common: `hip` of `left_hip` and `right_hip`, `F_hip` of `FL_hip` and `FR_hip`.

    Parameters
    ----------
    left, right
        Names of partners; the left one is taken when they do not differ in one word alone.
    """
    here, there = (re.split(r"([_\-. /]+)", name) for name in (left, right))
    apart = [i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b]
    if len(here) != len(there) or len(apart) != 1:
        return left
    a, b = here[apart[0]], there[apart[0]]
    kept = ""
    if max(len(a), len(b)) == 2:
        kept = "".join(x for x, y in zip(a, b, strict=False) if x == y)
    elif not {a.lower(), b.lower()} <= {"left", "right", "l", "r", "lh", "rh"}:
        return left
    words = [*here[: apart[0]], kept, *here[apart[0] + 1 :]]
    return re.sub(r"([_\-. /])\1+", r"\1", "".join(words)).strip("_-. /") or left
