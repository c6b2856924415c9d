"""Mechanisms from URDF and MJCF files, against models made by hand and against MuJoCo's own dynamics."""

import logging
import math

import numpy as np
import pytest
from interop import files

import modecontrol as mc

mujoco = pytest.importorskip("mujoco")
pytest.importorskip("yourdfpy")
from interop.peer import full_mass  # noqa: E402 - after the skip

from modecontrol.interop import from_mjcf, from_urdf, read_mjcf, read_urdf  # noqa: E402 - after the skip

pytestmark = pytest.mark.peers
AGREE = 1e-9


@pytest.fixture
def write(tmp_path):
    def written(text, name="robot.xml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def agree_with_mujoco(imported, peer, joints, seed=1):
    """Mass, bias and forward dynamics at random states; `joints` in the order of the coordinates."""
    model = imported.model
    signs = np.array([imported.signs[name] for name in model.coordinates], float)
    data = mujoco.MjData(peer)
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    dofs = [int(peer.joint(name).dofadr[0]) for name in joints]
    places = [int(peer.joint(name).qposadr[0]) for name in joints]
    rng = np.random.default_rng(seed)
    for _ in range(4):
        q, v = rng.normal(size=(2, len(joints)))
        u = rng.normal(size=len(model.inputs))
        data.qpos[places], data.qvel[dofs] = signs * q, signs * v
        data.ctrl[:] = u
        mujoco.mj_forward(peer, data)
        snap = model.snapshot(q, v)
        flip = np.outer(signs, signs)
        np.testing.assert_allclose(snap.mass, flip * full_mass(peer, data)[np.ix_(dofs, dofs)], atol=AGREE)
        np.testing.assert_allclose(snap.bias, signs * (data.qfrc_bias - data.qfrc_passive)[dofs], atol=AGREE)
        np.testing.assert_allclose(snap.actuation @ u, signs * data.qfrc_actuator[dofs], atol=AGREE)
        qdd = np.linalg.solve(snap.mass, snap.actuation @ u - snap.bias)
        np.testing.assert_allclose(qdd, signs * data.qacc[dofs], atol=1e-7 * max(1, np.abs(qdd).max()))


def peer_of_urdf(path, effort=()):
    """MuJoCo's own reading of a URDF file, with motors on some joints (URDF has none) and unfused bodies."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    spec.compiler.balanceinertia = False
    for name in effort:
        motor = spec.add_actuator(name=f"tau_{name}", target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.set_to_motor()
    return spec.compile()


# URDF ------------------------------------------------------------------------------------------------


def test_urdf_double_pendulum_by_hand(write):
    """Turning axes +y in the plane xz are clockwise; the numbers of the file, turned into the plane by hand."""
    imported = read_urdf(write(files.DOUBLE_PENDULUM_URDF, "two.urdf"))
    model = imported.model
    assert model.coordinates == ("shoulder", "elbow")
    assert dict(imported.signs) == {"shoulder": -1, "elbow": 1}
    assert dict(imported.ranges) == {"shoulder": (-1.5, 2.0)}
    assert model.inputs == ("tau_shoulder",)
    np.testing.assert_allclose(model.torque_limits([0, 0]), [[-12, 12]])
    a = -0.3  # rpy pitch, counter-clockwise in xz

    def seen(x, z):
        return (math.cos(a) * x - math.sin(a) * z, math.sin(a) * x + math.cos(a) * z)

    c, s = math.cos(0.4), math.sin(0.4)
    cz, sz = math.cos(0.2), math.sin(0.2)
    R = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    tensor = np.array([[0.05, 0.002, 0.003], [0.002, 0.06, -0.001], [0.003, -0.001, 0.02]])
    hand = (
        mc.Builder("hand")
        .body(
            "upper",
            joint=mc.revolute("q1", at=(0.1, 1.5), damping=0.3),
            mass=1.4,
            inertia=float((R @ tensor @ R.T)[1, 1]),
            com=seen(0.05, -0.3),
        )
        .body(
            "lower", joint=mc.revolute("q2", at=seen(0, -0.6)), mass=0.7, inertia=0.025, com=seen(0.01, -0.25)
        )
        .input("tau", "q1", gains=(-1,))
        .build()
    )
    rng = np.random.default_rng(4)
    for _ in range(3):
        q, v = rng.normal(size=(2, 2))
        one, other = model.snapshot(q, v), hand.snapshot(q, v)
        for name in ("mass", "bias", "actuation"):
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("plane", ["xz", "-xz"])
def test_urdf_double_pendulum_in_mujoco(write, plane):
    path = write(files.DOUBLE_PENDULUM_URDF, "two.urdf")
    imported = read_urdf(path, plane=plane)
    agree_with_mujoco(imported, peer_of_urdf(path, ["shoulder"]), imported.model.coordinates)


def test_urdf_cart_pole_in_mujoco_and_by_hand(write):
    path = write(files.CART_POLE_URDF, "cart.urdf")
    imported = read_urdf(path)
    assert imported.model.coordinates == ("slider", "hinge")
    agree_with_mujoco(imported, peer_of_urdf(path, ["slider"]), ["slider", "hinge"])
    # the slider's axis points to the left: the frame of the cart is upside down, its motion is the file's
    q = np.array([0.3, 0.0])
    frames = dict(
        zip([body.name for body in imported.model.mechanism.bodies], imported.model.frames(q), strict=True)
    )
    np.testing.assert_allclose(frames["cart"][:2], [-0.3, 0.2], atol=1e-12)
    np.testing.assert_allclose(
        frames["pole"][:2], [-0.3 + 0.1 * math.sin(-0.2), 0.3 + 0.1 * math.cos(0.2)], atol=1e-12
    )


def test_urdf_contacts_with_a_floor(write):
    model = from_urdf(write(files.DOUBLE_PENDULUM_URDF, "two.urdf"), floor=0.0, mu=0.8)
    assert [c.name for c in model.mechanism.contacts] == ["rod_1", "rod_2", "rod_3", "rod_4", "foot"]
    assert model.parameters["mu"] == 0.8
    points = model.contact_points(model.start)
    # hinge at 1.5, turned by 0.3, the ball's centre 0.6 + 0.5 below, its radius 0.05
    assert points.gap[4] == pytest.approx(1.5 - 1.1 * math.cos(0.3) - 0.05, abs=1e-12)
    low = 1.5 - 0.6 * math.cos(0.3) - 0.03 * math.sin(0.3)
    assert points.gap[:4].min() == pytest.approx(low, abs=1e-12)
    np.testing.assert_allclose(points.n[:5], [[0, 1]] * 5, atol=1e-15)
    assert from_urdf(write(files.DOUBLE_PENDULUM_URDF, "two.urdf")).mechanism.contacts == ()


def test_urdf_floating_base_falls_and_lies(write):
    """The cart as a free box: it falls on its four corners and rests with its weight on the floor."""
    text = (
        '<robot name="crate"><link name="crate"><inertial><mass value="3"/>'
        '<inertia ixx="1" iyy="0.1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        '<collision><geometry><box size="0.4 9 0.2"/></geometry></collision></link></robot>'
    )
    model = from_urdf(write(text, "crate.urdf"), base="floating", floor=0.0)
    assert model.coordinates == ("base_x", "base_y", "base_turn")
    assert len(model.contacts) == 4
    traj = mc.simulate(model, {"base_y": 0.3}, duration=0.5)
    assert traj.q[-1][1] == pytest.approx(0.1, abs=1e-6)
    assert traj.impulse[-1][0::2].sum() / traj.step == pytest.approx(3 * 9.81, rel=1e-6)


def test_locked_and_actuated(write):
    model = from_urdf(write(files.DOUBLE_PENDULUM_URDF, "two.urdf"), locked=["elbow"], actuated=["shoulder"])
    assert model.coordinates == ("shoulder",)
    free = from_urdf(write(files.DOUBLE_PENDULUM_URDF, "two.urdf"), actuated=["elbow"])
    assert free.inputs == ("tau_elbow",)
    both = free.snapshot([0.4, 0.0]).mass
    assert model.snapshot([0.4]).mass[0, 0] == pytest.approx(both[0, 0], rel=1e-12)
    assert np.isinf(free.torque_limits([0, 0])).all()


# MJCF ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plane", ["xz", "-xz"])
def test_mjcf_double_pendulum_in_mujoco(write, plane):
    """Springs, dampers, gears, a reference angle, an anchor away from the body's origin."""
    path = write(files.DOUBLE_PENDULUM_MJCF)
    imported = read_mjcf(path, plane=plane)
    agree_with_mujoco(imported, mujoco.MjModel.from_xml_path(str(path)), ["shoulder", "elbow"])
    np.testing.assert_allclose(imported.model.torque_limits([0, 0]), [[-2, 4], [-5, 5]])
    assert imported.model.inputs == ("drive", "elbow_motor")


def test_mjcf_hopper_in_mujoco(write):
    """Three joints on one body, a slide with a spring, shapes of every kind."""
    path = write(files.HOPPER_MJCF)
    imported = read_mjcf(path)
    assert imported.model.coordinates == ("rootx", "rootz", "rooty", "hip", "leg")
    agree_with_mujoco(imported, mujoco.MjModel.from_xml_path(str(path)), imported.model.coordinates)


def test_mjcf_contacts(write):
    """Which shapes touch which planes, with MuJoCo's friction, and where they are: against MuJoCo's
    distances.
    """
    imported = read_mjcf(write(files.HOPPER_MJCF), keyframe="crouch")
    model = imported.model
    assert model.contacts == (
        "trunk_floor_1",
        "trunk_floor_2",
        "trunk_floor_3",
        "trunk_floor_4",
        "heel_floor_1",
        "heel_floor_2",
        "wheel_floor",
        "trunk_heel.1",
        "trunk_heel.2",
        "wheel_trunk",
    )
    np.testing.assert_allclose(model.tree.friction, 1.0)  # the shapes' own default is larger than the floor's
    np.testing.assert_allclose(model.start, [0.5, 1.1, -0.2, -0.3, 0.05])
    peer = mujoco.MjModel.from_xml_path(str(write(files.HOPPER_MJCF)))
    data = mujoco.MjData(peer)
    data.qpos[:] = peer.key_qpos[0]
    mujoco.mj_forward(peer, data)
    gaps = dict(zip(model.contacts, model.contact_points(model.start).gap, strict=True))
    for shape, names in (
        ("trunk", [n for n in gaps if n.startswith("trunk_floor")]),
        ("heel", ["heel_floor_1", "heel_floor_2"]),
        ("wheel", ["wheel_floor"]),
    ):
        there = mujoco.mj_geomDistance(peer, data, peer.geom(shape).id, peer.geom("floor").id, 9.0, None)
        assert min(gaps[name] for name in names) == pytest.approx(there, abs=1e-6), shape
    low = from_mjcf(write(files.DOUBLE_PENDULUM_MJCF))
    assert {c.name: c.mu for c in low.numbers.contacts} == {
        "rod_1": 0.7,
        "rod_2": 0.7,
        "foot": 0.4,
    }


def test_mjcf_loop(write):
    """A four-bar linkage: closed at the reference pose, and the motion along it as MuJoCo's constraint forces
    have it.
    """
    path = write(files.FOUR_BAR_MJCF)
    model = from_mjcf(path)
    assert model.names.pins == ("pivot",)
    np.testing.assert_allclose(model.loop_residual(model.start), 0, atol=1e-12)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    mujoco.mj_forward(peer, data)
    snap = model.snapshot(model.start)
    K = np.block([[snap.mass, -snap.loop_jacobian.T], [snap.loop_jacobian, np.zeros((2, 2))]])
    qdd = np.linalg.solve(K, np.concatenate([-snap.bias, -snap.loop_drift]))[:3]
    # MuJoCo's constraints are soft: with this impedance they give way by one part in ten thousand
    assert np.abs(qdd).max() > 1.0
    np.testing.assert_allclose(qdd, data.qacc, rtol=2e-3)
    jac = np.zeros((3, peer.nv))
    mujoco.mj_jac(peer, data, jac, None, np.array([1.0, 0, 0.0]), peer.body("rocker").id)
    np.testing.assert_allclose(snap.loop_jacobian, jac[[0, 2]], atol=1e-9)


@pytest.mark.parametrize("keyframe", [None, "lying", 0])
def test_mjcf_free_joint(write, keyframe):
    """A free body in the plane: places of its shapes and its mass matrix as MuJoCo has them."""
    path = write(files.FLOATING_MJCF)
    imported = read_mjcf(path, keyframe=keyframe)
    model = imported.model
    assert model.coordinates == ("root_x", "root_y", "root_turn", "arm")
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    if keyframe is not None:
        data.qpos[:] = peer.key_qpos[0]
    mujoco.mj_forward(peer, data)
    points = model.contact_points(model.start)
    for shape in ("hull", "arm"):
        there = mujoco.mj_geomDistance(peer, data, peer.geom(shape).id, peer.geom("floor").id, 9.0, None)
        own = min(gap for name, gap in zip(model.contacts, points.gap, strict=True) if name.startswith(shape))
        assert own == pytest.approx(there, abs=1e-6)
    M = full_mass(peer, data)
    # MuJoCo's rotations are in the frame of the body: y is its pitch axis, clockwise in the plane
    T = np.zeros((7, 4))
    T[0, 0] = T[2, 1] = 1.0
    T[4, 2] = T[6, 3] = -1.0
    signs = np.array([1, 1, 1, 1.0])
    assert [imported.signs[name] for name in model.coordinates] == [1, 1, 1, -1]
    np.testing.assert_allclose(
        model.snapshot(model.start).mass, np.outer(signs, signs) * (T.T @ M @ T), atol=AGREE
    )


def test_an_imported_robot_can_be_analysed_and_simulated(write):
    """The way from a file to contact modes and to a motion that settles on the floor."""
    model = from_mjcf(write(files.FLOATING_MJCF))
    traj = mc.simulate(model, duration=1.5, step=2e-3)
    assert traj.status == "completed"
    assert model.contact_points(traj.q[-1]).gap.min() > -1e-6
    assert np.abs(traj.v[-1]).max() < 1e-2
    q = traj.q[-1]
    modes = mc.kinematic_modes(model.snapshot(q))
    assert any("F" in mode for mode in modes)


# What is refused, what is left out ---------------------------------------------------------------------


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            files.DOUBLE_PENDULUM_URDF,
            {"plane": "xy"},
            r"joint 'shoulder' turns about \(0, 1, 0\); expected the normal \(0, 0, 1\)",
        ),
        (
            changed(files.DOUBLE_PENDULUM_URDF, '<axis xyz="0 0 1"/>', '<axis xyz="1 0 1"/>'),
            {},
            "joint 'elbow' turns about",
        ),
        (
            changed(files.CART_POLE_URDF, '<axis xyz="1 0 0"/>', '<axis xyz="0 1 0"/>'),
            {"plane": "xz"},
            r"joint 'slider' slides along \(0, -1, 0\), out of the plane 'xz'",
        ),
        (
            changed(files.CART_POLE_URDF, '<axis xyz="1 0 0"/>', '<axis xyz="0 1 0"/>'),
            {},
            r"joint 'slider' slides along \(0, -1, 0\) and joint 'hinge' turns about \(0, 1, 0\)",
        ),
        (
            changed(files.CART_POLE_URDF, '<axis xyz="1 0 0"/>', '<axis xyz="0 0 0"/>'),
            {},
            r"axis \(0, 0, 0\)",
        ),
        (
            changed(
                files.CART_POLE_URDF, '<axis xyz="0 -1 0"/>', '<axis xyz="0 -1 0"/><mimic joint="wheel"/>'
            ),
            {},
            "joint 'hinge' mimics 'wheel'; expected a joint of the file",
        ),
        (
            changed(files.CART_POLE_URDF, '<child link="pole"/>', '<child link="stick"/>'),
            {},
            "names the link 'stick'",
        ),
        (files.CART_POLE_URDF, {"plane": "xx"}, "plane is 'xx'; expected two different axes"),
        (files.CART_POLE_URDF, {"base": "free"}, "base is 'free'; expected one of fixed, floating"),
        (files.CART_POLE_URDF, {"locked": ["hip"]}, "locked names 'hip'; expected names or patterns of"),
        (files.CART_POLE_URDF, {"actuated": ["hip"]}, "actuated names 'hip'; expected joints of the file"),
    ],
)
def test_urdf_refusals(write, text, arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        from_urdf(write(text, "robot.urdf"), **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            files.HOPPER_MJCF,
            {"plane": "yz"},
            r"joint 'rootx' slides along \(1, 0, 0\), out of the plane 'yz'",
        ),
        (
            changed(
                files.HOPPER_MJCF,
                '<joint name="hip" axis="0 -1 0" damping="1"/>',
                '<joint name="hip" type="ball"/>',
            ),
            {},
            "joint 'hip' is a ball joint; expected one that turns about the normal",
        ),
        (
            changed(
                files.FOUR_BAR_MJCF,
                files.CONNECT,
                '<joint name="pivot" joint1="a" joint2="b" polycoef="0 1 2 0 0"/>',
            ),
            {},
            "constraint 'pivot' has the coefficients .* expected a linear one",
        ),
        (
            changed(
                files.FOUR_BAR_MJCF, files.CONNECT, '<joint name="pivot" joint1="a" polycoef="0.1 1 0 0 0"/>'
            ),
            {},
            "constraint 'pivot' holds the joint 'a' at 0.1 from its reference; expected 0",
        ),
        (files.HOPPER_MJCF, {"keyframe": "jump"}, "no keyframe 'jump'; expected one of crouch"),
        (files.HOPPER_MJCF, {"keyframe": 3}, "no keyframe 3; expected one of crouch"),
        ("<mujoco><worldbody><body/></worldbody>", {}, "is no XML"),
        ("<mujoco><worldbody><body><oops/></body></worldbody></mujoco>", {}, "MuJoCo cannot read"),
        (
            changed(files.FLOATING_MJCF, "0.9950041652780258 0 0.09983341664682815 0", "0.995 0.0998 0 0"),
            {"keyframe": 0},
            "joint 'root' starts turned out of the plane",
        ),
    ],
)
def test_mjcf_refusals(write, text, arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        from_mjcf(write(text), **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", [from_urdf, from_mjcf])
def test_no_such_file(read, tmp_path):
    with pytest.raises(ValueError, match=r"no file .*nothing\.xml"):
        read(tmp_path / "nothing.xml")


def test_what_is_left_out_is_said(write, caplog):
    text = changed(
        files.HOPPER_MJCF,
        'damping="1"',
        'damping="1" armature="0.1" frictionloss="2" range="-1 1" limited="true"',
    )
    text = changed(text, "<worldbody>", '<option density="1000"/><worldbody>')
    text = changed(
        text,
        '<geom name="wheel" type="cylinder"',
        '<geom name="egg" type="ellipsoid" size="0.1 0.1 0.2" mass="0.1"/><geom name="wheel" type="cylinder"',
    )
    imported = read_mjcf(write(text))
    (said,) = imported.left_out
    assert "the shape 'egg'" in said
    assert all(len(body.drag) == 1 for body in imported.model.mechanism.bodies if body.mass)
    assert imported.ranges["hip"] == (-1.0, 1.0)
    with caplog.at_level(logging.WARNING, logger="modecontrol.interop"):
        _ = imported.model
    assert len(caplog.records) == len(imported.left_out)


def test_gravity_across_the_plane_is_dropped_and_said(write):
    flat = read_mjcf(
        write(
            changed(files.FOUR_BAR_MJCF, 'axis="0 -1 0"', 'axis="0 0 1"')
            .replace('pos="0 0 0.4"', 'pos="0 0.4 0"')
            .replace('pos="1 0 0.2"', 'pos="1 0.2 0"')
        ),
        plane="xy",
    )
    assert np.allclose(flat.model.tree.gravity, [5, 0])
    assert any("gravity across the plane" in sentence for sentence in flat.replaced)


def test_awkward_names_become_words(write):
    text = (
        files.FOUR_BAR_MJCF.replace('name="a"', 'name="left/hip joint"')
        .replace('name="b"', 'name="sin"')
        .replace('name="c"', 'name="3rd"')
    )
    assert from_mjcf(write(text)).coordinates == ("left_hip_joint", "sin_coordinate", "coordinate_3rd")


# Choosing what is read
# --------------------------------------------------------------------------------------------------

QUADRUPED = """<robot name="beast">
  <link name="trunk"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  {legs}
</robot>"""
LEG = """
  <link name="{0}_mount"/>
  <joint name="{0}_fixed" type="fixed"><parent link="trunk"/><child link="{0}_mount"/><axis xyz="0 0 0"/></joint>
  <link name="{0}_foot"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="{0}_hip" type="revolute"><parent link="{0}_mount"/><child link="{0}_foot"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="1"/></joint>"""


def quadruped(tmp_path):
    file = tmp_path / "beast.urdf"
    file.write_text(QUADRUPED.format(legs="".join(LEG.format(leg) for leg in ("fl", "fr"))), encoding="utf-8")
    return file


def test_a_fixed_joint_needs_no_axis_and_patterns_hold_joints(tmp_path):
    """The hips turn about x, which lies in the plane: they must be held, and one pattern holds them all."""
    model = from_urdf(quadruped(tmp_path), base="floating", floor=-1.0, locked="*_hip")
    assert model.coordinates == ("base_x", "base_y", "base_turn")
    assert set(model.contacts) == {"trunk", "fl_foot", "fr_foot"}


def test_contacts_are_those_of_the_named_links(tmp_path):
    model = from_urdf(quadruped(tmp_path), base="floating", floor=-1.0, locked="*_hip", contacts="*_foot")
    assert set(model.contacts) == {"fl_foot", "fr_foot"}


@pytest.mark.parametrize("words", [{"locked": "*_knee"}, {"locked": "*_hip", "contacts": ["*_foot", "tail"]}])
def test_a_pattern_that_matches_nothing_is_refused(tmp_path, words):
    with pytest.raises(ValueError, match="names or patterns of"):
        from_urdf(quadruped(tmp_path), base="floating", floor=-1.0, **words)


def test_urdf_stops_dry_friction_and_mimic_joints(write):
    """A joint that mimics another is a gear, in the values of the file; stops and dry friction come along."""
    text = changed(
        files.DOUBLE_PENDULUM_URDF,
        '<origin xyz="0 0 -0.6" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>',
        '<origin xyz="0 0 -0.6" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>'
        '<mimic joint="shoulder" multiplier="-2" offset="0.1"/><dynamics friction="0.4"/>',
    )
    imported = read_urdf(write(text, "two.urdf"))
    assert imported.left_out == ()
    joints = {b.joint.coordinates[0]: b.joint for b in imported.model.numbers.bodies if b.joint.coordinates}
    assert (joints["shoulder"].lower, joints["shoulder"].upper) == (-1.5, 2.0)
    assert joints["elbow"].friction == 0.4
    signs = imported.signs
    for shoulder in (-0.4, 0.7):
        elbow = -2 * shoulder + 0.1
        q = {"shoulder": signs["shoulder"] * shoulder, "elbow": signs["elbow"] * elbow}
        np.testing.assert_allclose(imported.model.loop_residual(q), 0, atol=1e-12)
        assert abs(imported.model.loop_residual({**q, "elbow": 0.0})[0]) > 0.5


def test_urdf_words_that_are_not_read_are_named(write):
    text = changed(files.CART_POLE_URDF, "</inertial>", "</inertial><contact><rolling_friction/></contact>")
    text = changed(text, '<mass value="2"/>', '<mass value="2" error="0.1"/>')
    assert read_urdf(write(text, "cart.urdf")).left_out == (
        "error of mass is not read: cart",
        "the element contact is not read: cart, mast, pole",
    )


def test_a_reference_outside_the_stops_starts_at_the_stop(write):
    """Common in files of legged robots, whose knees cannot be straight."""
    text = changed(files.DOUBLE_PENDULUM_URDF, 'lower="-2" upper="1.5"', 'lower="-2" upper="-0.5"')
    imported = read_urdf(write(text, "two.urdf"))
    np.testing.assert_allclose(imported.model.start, [0.5, 0])
    assert any("starts at its stop -0.5: 0 lies outside its range" in said for said in imported.replaced)
    free = changed(files.CART_POLE_URDF, 'lower="-1" upper="1" ', "").replace("prismatic", "prismatic")
    assert read_urdf(write(free, "cart.urdf")).ranges == {}
