"""Contacts between bodies of a file: distances and Jacobians of every pair of shapes as MuJoCo has them."""

import itertools
from pathlib import Path

import numpy as np
import pytest

mujoco, gymnasium = pytest.importorskip("mujoco"), pytest.importorskip("gymnasium")
from modecontrol.interop import read_mjcf  # noqa: E402 - after the skips

pytestmark = pytest.mark.peers
SHAPES = {
    "sphere": 'type="sphere" size="0.11"',
    "capsule": 'type="capsule" fromto="-0.1 0 0.03 0.2 0 -0.05" size="0.04"',
    "end_on": 'type="capsule" fromto="0.02 -0.3 0 0.02 0.3 0" size="0.06"',
    "box": 'type="box" size="0.12 0.2 0.07" euler="0 0.3 0"',
    "cylinder": 'type="cylinder" fromto="0 -0.2 0.05 0 0.2 0.05" size="0.08"',
}
HINGES = (
    '<joint name="{0}x" type="slide" axis="1 0 0"/><joint name="{0}z" type="slide" axis="0 0 1"/>'
    '<joint name="{0}t" axis="0 1 0"/>'
)


def scene(one, two, standing=False, more=""):
    """Two bodies that move freely in the plane, or one and a shape of the world."""
    first = f'<body name="p" pos="0 0 1">{HINGES.format("p")}<geom name="one" {SHAPES[one]} friction="0.7"/></body>'
    second = f'<geom name="two" {SHAPES[two]} friction="0.3"/>'
    if not standing:
        second = f'<body name="r" pos="0.6 0 1">{HINGES.format("r")}{second}</body>'
    return (
        f'<mujoco><compiler angle="radian"/><worldbody>{first}{second}</worldbody>'
        f"<contact>{more}</contact></mujoco>"
    )


def written(tmp_path, text):
    path = tmp_path / "r.xml"
    path.write_text(text, encoding="utf-8")
    return path


def nearest(peer, data, one="one", two="two"):
    ends = np.zeros(6)
    ids = [peer.geom(name).id for name in (one, two)]
    return mujoco.mj_geomDistance(peer, data, *ids, 9.0, ends), ends[:3], ends[3:]


def compare(imported, peer, q, pair=("one", "two")):
    """Gap and normal row of the closest touch of a pair, at one configuration; None when the shapes overlap."""
    model = imported.model
    signs = np.array([imported.signs[name] for name in model.coordinates], float)
    data = mujoco.MjData(peer)
    data.qpos[:] = signs * q
    mujoco.mj_forward(peer, data)
    distance, here, there = nearest(peer, data, *pair)
    if distance < 1e-3:
        return None
    names = {"_".join(pair), "_".join(pair[::-1])}
    touches = [i for i, c in enumerate(model.mechanism.contacts) if c.name.split(".")[0] in names]
    snap = model.snapshot(q)
    i = min(touches, key=lambda j: snap.gap[j])
    assert snap.gap[i] == pytest.approx(distance, abs=1e-6)
    n = (here - there) / np.linalg.norm(here - there)
    row = np.zeros(peer.nv)
    for point, name, sign in ((here, pair[0], 1), (there, pair[1], -1)):
        body = int(peer.geom(name).bodyid[0])
        jac = np.zeros((3, peer.nv))
        mujoco.mj_jac(peer, data, jac, None, point, body)
        row += sign * (n @ jac)
    return float(np.abs(snap.jacobian[2 * i] - signs * row).max()), i


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations_with_replacement(SHAPES, 2)))
@pytest.mark.parametrize("standing", [False, True])
def test_distance_and_normal_row_of_every_pair(tmp_path, one, two, standing):
    path = written(tmp_path, scene(one, two, standing))
    imported = read_mjcf(path)
    assert imported.left_out == ()
    peer = mujoco.MjModel.from_xml_path(str(path))
    contact = imported.model.mechanism.contacts[0]
    assert contact.mu == pytest.approx(0.7)
    rng = np.random.default_rng([*SHAPES].index(one) * 10 + [*SHAPES].index(two))
    seen = []
    for _ in range(30):
        q = imported.model.start + np.tile(
            [0.25, 0.25, 2.0], len(imported.model.coordinates) // 3
        ) * rng.normal(size=len(imported.model.coordinates))
        found = compare(imported, peer, q)
        if found is not None:
            seen.append(found[0])
    assert len(seen) > 10
    # where two features are equally near MuJoCo may name the other one
    assert np.quantile(seen, 0.8) < 1e-5


def test_the_hopper_against_itself():
    """Torso, thigh, leg and foot: the pairs that are neither joined nor excluded, at random bends."""
    path = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / "hopper.xml"
    imported = read_mjcf(path)
    peer = mujoco.MjModel.from_xml_path(str(path))
    between = {c.name.split(".")[0]: c for c in imported.model.mechanism.contacts if c.kind == "polygon"}
    assert set(between) == {"torso_geom_leg_geom", "torso_geom_foot_geom", "thigh_geom_foot_geom"}
    assert all(c.mu == 0.0 for c in between.values())  # condim 1
    rng = np.random.default_rng(9)
    seen = []
    for _ in range(40):
        q = imported.model.start + np.array([0, 0, 1, 1, 1, 1]) * rng.uniform(-2.5, 0, 6)
        for name in between:
            found = compare(imported, peer, q, (name[:10], name[11:]))
            seen += [] if found is None else [found[0]]
    assert len(seen) > 60
    assert np.quantile(seen, 0.9) < 1e-5


@pytest.mark.parametrize("turn", [0.0, 1e-12, -1e-12, 1e-7, 0.3])
def test_capsules_in_a_row(tmp_path, turn):
    """As the torso and the leg of a hopper that stands straight: no side separates them, and still they are apart."""
    words = 'type="capsule" fromto="0 0 0 0.2 0 0" size="0.05"'
    text = scene("sphere", "sphere").replace(SHAPES["sphere"], words)
    path = written(tmp_path, text)
    imported = read_mjcf(path)
    model = imported.model
    for away, sign in ((0.5, 1), (-0.4, -1)):
        q = np.array([0, 0, turn, away - 0.6, 0, turn])  # turned about the same line, up to rounding
        q[4] = away * np.tan(turn)
        gap = model.snapshot(q).gap
        between = abs(away) / np.cos(turn) - 0.2 - 0.1
        assert gap.min() == pytest.approx(between, abs=1e-6), sign
    touching = model.snapshot([0, 0, 0, 0.29 - 0.6, 0, 0]).gap
    assert touching.min() == pytest.approx(-0.01, abs=1e-9)


def test_listed_and_excluded_pairs(tmp_path):
    pair = '<pair geom1="one" geom2="two" friction="0.25 0.25 0 0 0"/>'
    (contact,) = read_mjcf(written(tmp_path, scene("sphere", "end_on", more=pair))).model.mechanism.contacts
    assert contact.mu == 0.25
    none = read_mjcf(written(tmp_path, scene("sphere", "end_on", more='<exclude body1="p" body2="r"/>')))
    assert none.model.mechanism.contacts == ()


def test_bodies_side_by_side_pass_each_other(tmp_path):
    """Seen along the normal they overlap; in space they never meet, and half over each other they touch earlier or later."""
    text = scene("sphere", "capsule")
    apart = text.replace('pos="0.6 0 1"', 'pos="0.6 0.5 1"')
    assert read_mjcf(written(tmp_path, apart)).model.mechanism.contacts == ()
    beside = read_mjcf(written(tmp_path, text.replace('pos="0.6 0 1"', 'pos="0.6 0.05 1"')))
    assert any("touch where their outlines do" in sentence for sentence in beside.replaced)
    assert not any("outlines" in s for s in read_mjcf(written(tmp_path, text)).replaced)


def test_a_mesh_touches_by_its_hull(tmp_path):
    """A wedge: its corners on the floor, and its hull against a sphere."""
    corners = "-0.2 -0.1 0  0.2 -0.1 0  0 -0.1 0.3  -0.2 0.1 0  0.2 0.1 0  0 0.1 0.3  0 0 0.1"
    text = (
        f'<mujoco><asset><mesh name="m" vertex="{corners}"/></asset><worldbody><geom name="floor" type="plane" size="9 9 1"/>'
        f'<body name="p" pos="0 0 1">{HINGES.format("p")}<geom name="one" type="mesh" mesh="m" density="500"/></body>'
        f'<body name="r" pos="0.6 0 1">{HINGES.format("r")}<geom name="two" size="0.1"/></body></worldbody></mujoco>'
    )
    path = written(tmp_path, text)
    imported = read_mjcf(path)
    assert imported.left_out == ()
    names = [c.name for c in imported.model.mechanism.contacts]
    assert sorted(n for n in names if n.startswith("one_") and n != "one_two") == ["one_1", "one_2", "one_3"]
    peer = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(12)
    found = [compare(imported, peer, imported.model.start + 0.3 * rng.normal(size=6)) for _ in range(20)]
    assert sum(each is not None for each in found) > 8
