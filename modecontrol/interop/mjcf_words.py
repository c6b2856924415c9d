"""Every word of an MJCF file has a place: it is read, it is for pictures, it belongs to MuJoCo's solver, or it is named.

MuJoCo writes a model back as XML with every default in place, so that elements and attributes can be looked at one
by one. What stands in none of the tables below is reported with its element, never dropped in silence.
"""

from __future__ import annotations

from xml.etree import ElementTree

READ = {
    "mujoco": "model",
    "compiler": "angle autolimits",
    "option": "gravity density viscosity wind",
    "flag": "constraint equality frictionloss limit contact passive spring damper gravity actuation filterparent gravcomp",
    "default": "class",
    "asset": "",
    "mesh": "name class content_type file vertex normal texcoord face refpos refquat scale inertia",
    "worldbody": "",
    "body": "name childclass pos quat gravcomp mocap",
    "inertial": "pos quat mass diaginertia fullinertia",
    "joint": "name class type pos axis range limited stiffness damping springref ref armature frictionloss actuatorfrcrange "
    "actuatorfrclimited actuatorgravcomp",
    "freejoint": "name group align",
    "geom": "name class type size pos quat contype conaffinity condim priority friction mass density shellinertia mesh "
    "fluidshape",
    "site": "name class pos quat",
    "contact": "",
    "pair": "name class geom1 geom2 condim friction",
    "exclude": "name body1 body2",
    "equality": "",
    "connect": "name class active body1 body2 anchor site1 site2",
    "weld": "name class active body1 body2 anchor relpose site1 site2",
    "equality/joint": "name class active joint1 joint2 polycoef",
    "tendon": "name class",
    "spatial": "name class range limited stiffness damping springlength frictionloss armature",
    "spatial/site": "site",
    "fixed": "name class range limited stiffness damping springlength frictionloss armature",
    "fixed/joint": "joint coef",
    "actuator": "",
    "general": "name class joint jointinparent tendon site gear ctrlrange ctrllimited forcerange forcelimited gainprm biasprm "
    "gaintype biastype dyntype dynprm dampratio armature damping input",
    "keyframe": "",
    "key": "name time qpos",
}
"""Elements and those of their attributes that reach the model, or a sentence of their own."""
PICTURES = {
    "mujoco": "",
    "default": "",
    "geom": "rgba material group hfield",
    "site": "rgba material group size type",
    "joint": "group",
    "mesh": "maxhullvert smoothnormal material",
    "tendon": "",
    "spatial": "rgba material group width sidesite",
    "fixed": "group",
    "general": "group",
    "equality/joint": "group",
    "key": "ctrl",
    "body": "sleep",
}
SOLVER = {
    "option": "timestep impratio integrator cone jacobian solver iterations tolerance ls_iterations ls_tolerance "
    "noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints sleep_tolerance magnetic "
    "o_margin o_solref o_solimp",
    "flag": "clampctrl warmstart refsafe sensor midphase eulerdamp autoreset nativeccd island energy fwdinv invdiscrete sleep "
    "multiccd diagexact",
    "geom": "solmix solref solimp margin gap",
    "joint": "solreflimit solimplimit solreffriction solimpfriction margin",
    "pair": "solref solimp solreffriction margin gap",
    "connect": "solref solimp",
    "weld": "solref solimp torquescale",
    "equality/joint": "solref solimp",
    "spatial": "solreflimit solimplimit solreffriction solimpfriction margin",
    "fixed": "solreflimit solimplimit solreffriction solimpfriction margin",
    "key": "mpos mquat",
}
NOTHING = frozenset(
    [
        "visual",
        "statistic",
        "size",
        "texture",
        "material",
        "hfield",
        "skin",
        "light",
        "camera",
        "sensor",
        "custom",
    ]
)
"""Elements that say nothing about the motion, with all they contain."""


def unread(root: ElementTree.Element) -> list[str]:
    """Elements and attributes that no table has, as sentences.

    Parameters
    ----------
    root
        The element `mujoco` of a model that MuJoCo wrote.
    """
    found: dict[str, list[str]] = {}
    _look(root, "", found)
    return [
        f"{what} is not read"
        + (f": {', '.join(names[:6])}{', ...' if len(names) > 6 else ''}" if names else "")
        for what, names in found.items()
    ]


def _look(element: ElementTree.Element, parent: str, found: dict[str, list[str]]) -> None:
    tag = element.tag
    if tag in NOTHING:
        return
    inside = f"{parent}/{tag}"
    key = inside if inside in READ else tag
    name = element.get("name") or element.get("class") or ""
    if key not in READ:
        found.setdefault(f"the element {inside}", []).extend([name] if name else [])
        return
    known = {word for table in (READ, PICTURES, SOLVER) for word in table.get(key, "").split()} | {"user"}
    for attribute in element.attrib:
        if attribute not in known:
            found.setdefault(f"{attribute} of {tag}", []).extend([name] if name else [])
    for child in element:
        _look(child, tag, found)


def softened(root: ElementTree.Element) -> bool:
    """Whether the file sets numbers of MuJoCo's soft constraints.

    Parameters
    ----------
    root
        The element `mujoco`.
    """
    return any(
        word.startswith(("sol", "margin", "gap")) for element in root.iter() for word in element.attrib
    )
