"""Every word of a URDF file has a place: it is read, it says nothing about the motion, or it is named."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

READ = {
    "robot": "name version",
    "link": "name type",
    "inertial": "",
    "collision": "name group",
    "joint": "name type",
    "origin": "xyz rpy",
    "mass": "value",
    "inertia": "ixx ixy ixz iyy iyz izz",
    "geometry": "",
    "sphere": "radius",
    "cylinder": "radius length",
    "capsule": "radius length",
    "box": "size",
    "mesh": "filename scale",
    "parent": "link",
    "child": "link",
    "axis": "xyz",
    "limit": "lower upper effort velocity",
    "dynamics": "damping friction",
    "mimic": "joint multiplier offset",
}
"""Elements and attributes that reach the model; greatest velocities bound what a drive is asked for, not what moves."""
NOTHING = frozenset(
    [
        "visual",
        "material",
        "gazebo",
        "transmission",
        "calibration",
        "safety_controller",
        "sensor",
        "verbose",
        "drake",
        "mujoco",
    ]
)
"""Elements that say nothing about the motion of the mechanism, with all they contain."""


def unread(path: str | Path) -> list[str]:
    """Elements and attributes that no table has, as sentences.

    Parameters
    ----------
    path
        A file that `check_xml` has looked through.
    """
    found: dict[str, list[str]] = {}
    _look(ElementTree.parse(path).getroot(), "", found)
    return [
        f"{what} is not read"
        + (f": {', '.join(names[:6])}{', ...' if len(names) > 6 else ''}" if names else "")
        for what, names in found.items()
    ]


def _look(element: ElementTree.Element, inside: str, found: dict[str, list[str]]) -> None:
    if element.tag in NOTHING:
        return
    name = element.get("name") or inside
    if element.tag not in READ:
        found.setdefault(f"the element {element.tag}", []).append(name)
        return
    for attribute in element.attrib:
        if attribute not in READ[element.tag].split() and not attribute.startswith("{"):
            found.setdefault(f"{attribute} of {element.tag}", []).append(name)
    for child in element:
        _look(child, name, found)
