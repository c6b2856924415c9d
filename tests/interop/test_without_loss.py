"""Robots that others wrote come in whole: every number of their motion as MuJoCo has it, and nothing left out unsaid."""

from pathlib import Path

import numpy as np
import pytest

gymnasium, mujoco = pytest.importorskip("gymnasium"), pytest.importorskip("mujoco")
from interop.peer import full_mass  # noqa: E402 - after the skip

from modecontrol.interop import from_mjcf, read_mjcf  # noqa: E402 - after the skips

pytestmark = pytest.mark.peers
ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
AGREE = 1e-9
ROBOTS = {
    "hopper": ("xz", 8),
    "walker2d": ("xz", 14),
    "walker2d_v5": ("xz", 14),
    "half_cheetah": ("xz", 16),
    "swimmer": ("xy", 0),
    "reacher": ("xy", 0),
    "inverted_pendulum": ("xz", 0),
    "inverted_double_pendulum": ("xz", 0),
}
"""The plane, and how many discs can touch the floor."""


@pytest.fixture(params=ROBOTS)
def robot(request):
    path = ASSETS / f"{request.param}.xml"
    peer = mujoco.MjModel.from_xml_path(str(path))
    return request.param, read_mjcf(path), peer


def signs_of(imported):
    return np.array([imported.signs[name] for name in imported.model.coordinates], float)


def test_nothing_is_left_out(robot):
    name, imported, _ = robot
    assert imported.plane == ROBOTS[name][0]
    floor = [c for c in imported.model.mechanism.contacts if c.kind == "disc" and c.other == "world"]
    assert len(floor) == ROBOTS[name][1]
    assert imported.left_out == ()


def test_mass_bias_and_inputs(robot):
    """At random states, armature, springs, dampers and the swimmer's water included."""
    _, imported, peer = robot
    model, signs = imported.model, signs_of(imported)
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data = mujoco.MjData(peer)
    rng = np.random.default_rng(3)
    for _ in range(10):
        q, v = rng.normal(size=(2, peer.nv))
        u = rng.uniform(*np.array(peer.actuator_ctrlrange).T)
        data.qpos[:], data.qvel[:], data.ctrl[:] = signs * q, signs * v, u
        mujoco.mj_forward(peer, data)
        snap = model.snapshot(q, v)
        np.testing.assert_allclose(snap.mass, np.outer(signs, signs) * full_mass(peer, data), atol=AGREE)
        np.testing.assert_allclose(snap.bias, signs * (data.qfrc_bias - data.qfrc_passive), atol=AGREE)
        np.testing.assert_allclose(snap.actuation @ u, signs * data.qfrc_actuator, atol=AGREE)
        qdd = np.linalg.solve(snap.mass, snap.actuation @ u - snap.bias)
        np.testing.assert_allclose(qdd, signs * data.qacc, atol=AGREE * max(1, np.abs(qdd).max()))


def test_stops_and_limits(robot):
    _, imported, peer = robot
    model = imported.model
    stops = {
        b.joint.coordinates[0]: (b.joint.lower, b.joint.upper)
        for b in model.numbers.bodies
        if np.isfinite([b.joint.lower, b.joint.upper]).any()
    }
    assert stops == dict(imported.ranges)
    limited = [j for j in range(peer.njnt) if peer.jnt_limited[j]]
    assert len(limited) == len(stops)
    for j in limited:
        name = mujoco.mj_id2name(peer, mujoco.mjtObj.mjOBJ_JOINT, j)
        there = sorted(imported.signs[name] * peer.jnt_range[j])
        np.testing.assert_allclose(stops[name], there, atol=AGREE)
    limits = model.torque_limits(np.zeros(peer.nv))
    np.testing.assert_allclose(limits, peer.actuator_ctrlrange, atol=AGREE)


def test_gaps_and_jacobians_of_the_floor(robot):
    """At random states: the distance of each disc, and rows of J as MuJoCo's Jacobian at the touching point."""
    _, imported, peer = robot
    model, signs = imported.model, signs_of(imported)
    data = mujoco.MjData(peer)
    rng = np.random.default_rng(5)
    discs = [i for i, c in enumerate(model.mechanism.contacts) if c.kind == "disc" and c.other == "world"]
    for _ in range(3):
        q = model.start + 0.3 * rng.normal(size=peer.nv)
        data.qpos[:] = signs * q
        mujoco.mj_forward(peer, data)
        snap, points = model.snapshot(q), model.contact_points(q)
        for i in discs:
            contact = model.mechanism.contacts[i]
            body = mujoco.mj_name2id(peer, mujoco.mjtObj.mjOBJ_BODY, contact.body)
            x, z = points.position[i]
            rows = np.zeros((3, peer.nv))
            mujoco.mj_jac(peer, data, rows, None, np.array([x, 0.0, z]), body)
            expected = rows[[2, 0]] * signs
            np.testing.assert_allclose(snap.jacobian[2 * i : 2 * i + 2], expected, atol=AGREE)
        by_shape = {}
        for i in discs:
            shape = model.contacts[i].rsplit("_", 1)[0]
            by_shape[shape] = min(by_shape.get(shape, np.inf), snap.gap[i])
        for shape, gap in by_shape.items():
            ids = [peer.geom(name).id for name in (shape, "floor")]
            there = mujoco.mj_geomDistance(peer, data, *ids, 90.0, None)
            assert gap == pytest.approx(there, abs=1e-6), shape


def test_robots_stand_on_their_feet(robot):
    """Lowered along the vertical until the lowest disc touches; robots without a floor, or that cannot be lifted, say so."""
    name, imported, _ = robot
    if not ROBOTS[name][1]:
        with pytest.raises(ValueError, match="no contact with a wall; expected a floor to stand on"):
            imported.standing()
        return
    q = imported.standing()
    assert list(np.flatnonzero(q != imported.model.start)) == [1]
    gap = imported.model.snapshot(q).gap[: ROBOTS[name][1]]
    assert gap.min() == pytest.approx(0, abs=1e-12)


def test_a_robot_that_hangs_on_a_hinge_cannot_be_put_down(tmp_path):
    with pytest.raises(ValueError, match="no coordinate lifts the robot as a whole"):
        read_mjcf(written(tmp_path)).standing()


def test_motors_named_as_their_joints():
    assert from_mjcf(ASSETS / "half_cheetah.xml").inputs[:2] == ("tau_bthigh", "tau_bshin")


def test_chosen_contacts_still_meet_what_stands(tmp_path):
    """A body that is fixed to the world counts as ground, whatever is chosen."""
    path = tmp_path / "r.xml"
    path.write_text(
        """<mujoco><worldbody><body name="table" pos="0 0 0.5"><geom name="top" type="box" size="0.5 0.5 0.02"/></body>
        <body name="ball" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <geom name="ball" size="0.1"/><geom name="knob" size="0.02" pos="0 0 0.2"/></body></worldbody></mujoco>""",
        encoding="utf-8",
    )
    assert from_mjcf(path, contacts="ball").contacts == ("ball_top", "knob_top")
    assert from_mjcf(path, contacts="knob").contacts == ("knob_top",)


def test_armature_counts():
    """Without it the hopper's joints would accelerate at -772, 259 and -546 rad/s2."""
    path = ASSETS / "hopper.xml"
    peer = mujoco.MjModel.from_xml_path(str(path))
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data = mujoco.MjData(peer)
    data.ctrl[:] = -0.3
    mujoco.mj_forward(peer, data)
    imported = read_mjcf(path)
    model = imported.model
    snap = model.snapshot(model.start)
    qdd = signs_of(imported) * np.linalg.solve(snap.mass, snap.actuation @ np.full(3, -0.3) - snap.bias)
    np.testing.assert_allclose(qdd, data.qacc, atol=AGREE * 60)
    np.testing.assert_allclose(qdd[3:], [-49.9, -43.2, -50.6], atol=0.1)


# Words, rules and flags ----------------------------------------------------------------------------------

BODY = (
    '<body pos="0 0 1"><joint name="a" axis="0 1 0" {joint}/><geom name="g" size="0.1" {geom}/>{more}</body>'
)


def written(tmp_path, *, joint="", geom="", more="", rest="", option=""):
    path = tmp_path / "r.xml"
    path.write_text(
        f"<mujoco><compiler angle='radian'/><option {option}/><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        f"{BODY.format(joint=joint, geom=geom, more=more)}</worldbody>{rest}</mujoco>",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"option": 'magnetic="1 0 0" o_friction="1 1 0.1 0 0"'}, "o_friction of option is not read"),
        ({"geom": 'condim="6"'}, "friction against rolling (condim 6) of floor, g"),
        ({"more": '<geom name="egg" type="ellipsoid" size="0.1 0.2 0.3"/>'}, "the shape 'egg'"),
        (
            {"more": '<site name="s"/>', "rest": '<actuator><motor name="pull" site="s"/></actuator>'},
            "the actuator 'pull', which acts on no joint",
        ),
        (
            {"rest": '<actuator><intvelocity name="iv" joint="a" actrange="-1 1"/></actuator>'},
            "the law of the actuator 'iv'",
        ),
        (
            {"rest": '<actuator><position name="p" joint="a" kp="3" forcerange="-1 1"/></actuator>'},
            "the force range of the servo 'p'",
        ),
        (
            {
                "rest": '<tendon><fixed name="t" stiffness="2" springlength="0.1"><joint joint="a" coef="1"/></fixed></tendon>'
            },
            "limits of the tendon 't'",
        ),
        ({"more": '<body name="m" mocap="true"/>'}, None),
    ],
)
def test_what_is_not_read_is_named(tmp_path, words, sentence):
    if sentence is None:  # a body that moves with nothing may stand in the world alone
        path = written(tmp_path)
        path.write_text(path.read_text().replace("</worldbody>", '<body name="m" mocap="true"/></worldbody>'))
        sentence = "mocap bodies move with nothing"
    else:
        path = written(tmp_path, **words)
    assert any(sentence in said for said in read_mjcf(path).left_out), read_mjcf(path).left_out
    assert read_mjcf(written(tmp_path)).left_out == ()


def rule_scene(rng):
    """Spheres that all overlap, on a random tree of bodies, with random bits, priorities and exceptions."""
    text, open_bodies, names = "", 0, []
    for i in range(6):
        if open_bodies and rng.random() < 0.4:
            text += "</body>"
            open_bodies -= 1
        joint = '<joint type="slide" axis="1 0 0"/>' if rng.random() < 0.7 or not open_bodies else ""
        bits = f'contype="{rng.integers(4)}" conaffinity="{rng.integers(4)}" priority="{rng.integers(2)}"'
        text += (
            f'<body name="b{i}">{joint}<geom name="g{i}" size="0.1" mass="1" {bits} condim="{rng.choice([1, 3])}" '
            f'friction="{rng.uniform(0.1, 2):.3f}"/>'
        )
        names.append(f"g{i}")
        open_bodies += 1
    text += "</body>" * open_bodies
    one, two = rng.choice(6, 2, replace=False)
    three, four = rng.choice(6, 2, replace=False)
    extra = f'<exclude body1="b{one}" body2="b{two}"/>' if rng.random() < 0.5 else ""
    if rng.random() < 0.5:
        extra += f'<pair geom1="g{three}" geom2="g{four}" condim="3" friction="0.33 0.33 0 0 0"/>'
    return (
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>'
        f"{text}</worldbody><contact>{extra}</contact></mujoco>"
    )


def test_pairs_and_their_friction_are_those_of_mujoco():
    """All spheres lie on each other and in the floor, so that MuJoCo's list of contacts is the list of pairs that may touch."""
    from modecontrol.interop.mjcf_contacts import ContactRules
    from modecontrol.interop.mjcf_links import compiled

    rng = np.random.default_rng(11)
    seen = 0
    for _ in range(60):
        peer = mujoco.MjModel.from_xml_string(rule_scene(rng))
        data = mujoco.MjData(peer)
        mujoco.mj_forward(peer, data)
        there = {
            frozenset((int(c.geom[0]), int(c.geom[1]))): float(c.friction[0]) if c.dim > 1 else 0.0
            for c in data.contact
        }
        rules = ContactRules(compiled(mujoco, peer, "scene"))
        here = {
            frozenset((a, b)): mu
            for a in range(peer.ngeom)
            for b in range(a)
            if (mu := rules.friction(a, b)) is not None
        }
        assert here.keys() == there.keys()
        assert all(here[pair] == pytest.approx(there[pair], abs=1e-12) for pair in here)
        seen += len(here)
    assert seen > 200


FORCES = {
    "servos": '<actuator><position name="p" joint="a" kp="30" kv="2" gear="1.5"/><velocity name="v" joint="b" kv="0.7"/>'
    '<general name="g" joint="b" gear="2" gainprm="3" biastype="affine" biasprm="0.4 -5 -0.2"/></actuator>',
    "tendon": '<tendon><fixed name="t"><joint joint="a" coef="2"/><joint joint="b" coef="-0.5"/></fixed></tendon>'
    '<actuator><motor name="m" tendon="t" gear="3" ctrlrange="-2 1"/></actuator>',
    "rope": '<tendon><spatial name="r" stiffness="40" damping="3" springlength="0.2"><site site="s"/><site site="w"/></spatial>'
    "</tendon>",
}


@pytest.mark.parametrize("case", FORCES)
def test_servos_tendons_and_gravity_compensation(tmp_path, case):
    """Forces as a whole, `S u - b`: servos are springs and dampers here, forces of actuators there."""
    path = tmp_path / "r.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><worldbody><site name="w" pos="0.3 0 0.2"/>
        <body pos="0 0 1" gravcomp="0.6"><joint name="a" axis="0 1 0" stiffness="3" springref="0.4" armature="0.2"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.03" contype="0" conaffinity="0"/>
          <body pos="0.3 0 0.1"><joint name="b" axis="0 -1 0" damping="0.1" ref="0.3"/>
            <geom type="box" size="0.1 0.1 0.2" pos="0 0 -0.2" contype="0" conaffinity="0"/><site name="s" pos="0.05 0 -0.3"/>
        </body></body></worldbody>{FORCES[case]}</mujoco>""",
        encoding="utf-8",
    )
    imported = read_mjcf(path)
    assert imported.left_out == ()
    model, signs = imported.model, signs_of(imported)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    rng = np.random.default_rng(2)
    for _ in range(5):
        q, v = rng.normal(size=(2, 2))
        u = rng.uniform(-1, 1, peer.nu)
        data.qpos[:], data.qvel[:], data.ctrl[:] = signs * q, signs * v, u
        mujoco.mj_forward(peer, data)
        snap = model.snapshot(q, v)
        there = data.qfrc_actuator + data.qfrc_passive - data.qfrc_bias
        np.testing.assert_allclose(snap.actuation @ u - snap.bias, signs * there, atol=AGREE)
        np.testing.assert_allclose(snap.mass, np.outer(signs, signs) * full_mass(peer, data), atol=AGREE)
    if case == "tendon":
        np.testing.assert_allclose(model.torque_limits([0, 0]), [[-2, 1]])


def test_a_tendon_with_a_greatest_length_is_a_cable(tmp_path):
    path = written(
        tmp_path,
        more='<site name="s" pos="0.2 0 0"/>',
        rest='<tendon><spatial name="t" range="0 1.5" limited="true"><site site="s"/><site site="w"/></spatial></tendon>',
    )
    path.write_text(path.read_text().replace("<worldbody>", '<worldbody><site name="w" pos="0 0 0.1"/>'))
    (cable,) = from_mjcf(path).mechanism.cables
    assert (cable.name, cable.length, cable.other) == ("t", 1.5, "world")


@pytest.mark.parametrize("kind", ["weld", "connect", "joint"])
def test_equality_constraints_hold_where_mujoco_has_them(tmp_path, kind):
    """The residual of each closure is that of MuJoCo's constraint at random states; gears also in the values of the file."""
    rest = {
        "weld": '<weld name="e" body1="p" body2="r" anchor="0.1 0 0.2" relpose="0.5 0 0.1 0.99 0 0.14 0"/>',
        "connect": '<connect name="e" body1="p" body2="r" anchor="0.1 0 0.2"/>',
        "joint": '<joint name="e" joint1="a" joint2="b" polycoef="0.1 -2 0 0 0"/>',
    }[kind]
    path = tmp_path / "r.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><worldbody>
        <body name="p" pos="0 0 1" euler="0 0.2 0"><joint name="a" axis="0 1 0" ref="0.3"/><geom size="0.1" contype="0"/></body>
        <body name="r" pos="1 0 1"><joint name="b" axis="0 -1 0" ref="-0.2"/><geom size="0.1" contype="0"/></body></worldbody>
        <equality>{rest}</equality></mujoco>""",
        encoding="utf-8",
    )
    imported = read_mjcf(path)
    model, signs = imported.model, signs_of(imported)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    rng = np.random.default_rng(8)
    for _ in range(4):
        q = rng.normal(size=2)
        data.qpos[:] = signs * q
        mujoco.mj_forward(peer, data)
        here, there = model.loop_residual(q), np.array(data.efc_pos)
        if kind == "joint":
            np.testing.assert_allclose(abs(here), abs(there), atol=AGREE)
            continue
        np.testing.assert_allclose(abs(here[:2]), abs(there[[0, 2]]), atol=AGREE)
        if kind == "weld":  # MuJoCo's is the vector part of a quaternion: sine of half the angle
            np.testing.assert_allclose(abs(np.sin(here[2] / 2)), abs(there[4]), atol=AGREE)


def test_flags_switch_forces_off(tmp_path):
    words = {
        "joint": 'stiffness="3" damping="2" frictionloss="1" range="-1 1" limited="true"',
        "rest": '<actuator><motor joint="a"/></actuator>',
    }
    path = written(tmp_path, **words)
    joint = from_mjcf(path).numbers.bodies[0].joint
    assert (joint.stiffness, joint.damping, joint.friction, joint.lower, joint.upper) == (3, 2, 1, -1, 1)
    text = path.read_text()
    for flag, check in {
        "gravity": lambda m: tuple(m.numbers.gravity) == (0.0, 0.0),
        "limit": lambda m: np.isinf(m.numbers.bodies[0].joint.lower),
        "contact": lambda m: not m.mechanism.contacts,
        "frictionloss": lambda m: m.numbers.bodies[0].joint.friction == 0,
        "spring": lambda m: m.numbers.bodies[0].joint.stiffness == 0,
        "damper": lambda m: m.numbers.bodies[0].joint.damping == 0,
        "actuation": lambda m: not m.inputs,
    }.items():
        path.write_text(text.replace("<option />", f'<option><flag {flag}="disable"/></option>'))
        assert check(from_mjcf(path)), flag
        assert not check(from_mjcf(written(tmp_path, **words))), flag


def test_a_free_joint_with_laws_of_its_own(tmp_path):
    """Damping, armature and dry friction of a free joint act on each of its three coordinates in the plane."""
    path = tmp_path / "r.xml"
    path.write_text(
        """<mujoco><compiler angle="radian"/><worldbody><body name="p" pos="0.2 0 0.7"><joint name="f" type="free" damping="0.4"
        armature="0.3" stiffness="5"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0.05"/></body></worldbody></mujoco>""",
        encoding="utf-8",
    )
    imported = read_mjcf(path, plane="xz")
    model = imported.model
    assert imported.left_out == ()
    assert model.coordinates == ("f_x", "f_y", "f_turn")
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    dofs, turns = [0, 2, 4], np.array([1, 1, -1.0])  # of the rotations y is the pitch, clockwise in the plane
    rng = np.random.default_rng(4)
    for _ in range(4):
        q, v = rng.normal(size=(2, 3))
        data.qpos[:] = [q[0], 0, q[1], np.cos(q[2] / 2), 0, -np.sin(q[2] / 2), 0]
        data.qvel[dofs] = turns * v
        mujoco.mj_forward(peer, data)
        snap = model.snapshot(q, v)
        M = full_mass(peer, data)[np.ix_(dofs, dofs)]
        np.testing.assert_allclose(snap.mass, np.outer(turns, turns) * M, atol=AGREE)
        there = turns * (data.qfrc_bias - data.qfrc_passive)[dofs]
        np.testing.assert_allclose(snap.bias, there, atol=AGREE)
