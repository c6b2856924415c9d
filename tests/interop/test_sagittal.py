"""Left and right sides become one: against the whole robot with both sides moving alike, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc

gymnasium, mujoco = pytest.importorskip("gymnasium"), pytest.importorskip("mujoco")
pytest.importorskip("yourdfpy")
UPKIE = pytest.importorskip("upkie_description").URDF_PATH
JVRC = pytest.importorskip("jvrc_description").urdf_path
from modecontrol.interop import from_urdf, read_mjcf, read_urdf  # noqa: E402 - after the skips
from modecontrol.interop.sagittal import common  # noqa: E402

pytestmark = pytest.mark.peers
ACROSS = ["*_R", "*_Y", "NECK*", "*THUMB*", "*INDEX*", "*LITTLE*"]
"""Joints of the humanoid that turn out of its middle plane, and its fingers."""


def both_alike(one, both):
    """(n, m): coordinates of the robot with two sides when they move as the merged one, by names and signs in the file."""
    T = np.zeros((len(both.model.coordinates), len(one.model.coordinates)))
    for column, name in enumerate(one.model.coordinates):
        for row, other in enumerate(both.model.coordinates):
            if name in (other, *(other.removeprefix(side) for side in ("left_", "right_", "L_", "R_"))):
                T[row, column] = 1.0
    return T


@pytest.mark.parametrize(
    ("path", "words", "coordinates"),
    [
        (UPKIE, {}, ["base_x", "base_y", "base_turn", "hip", "knee", "wheel"]),
        (
            JVRC,
            {"locked": ACROSS},
            ["base_x", "base_y", "base_turn", "HIP_P", "WAIST_P", "KNEE", "SHOULDER_P", "ANKLE_P", "ELBOW_P"],
        ),
    ],
    ids=["upkie", "jvrc"],
)
def test_the_merged_robot_moves_as_both_sides_together(path, words, coordinates):
    """Mass, bias and greatest forces of the robot with two sides, reduced to motions in which both do the same."""
    one = read_urdf(path, base="floating", sagittal=True, **words)
    both = read_urdf(path, base="floating", **words)
    assert sorted(one.model.coordinates) == sorted(coordinates)
    T = both_alike(one, both)
    assert (T.sum(axis=1) == 1).all()
    rng = np.random.default_rng(6)
    for _ in range(5):
        q, v = rng.normal(size=(2, len(coordinates)))
        merged, whole = one.model.snapshot(q, v), both.model.snapshot(T @ q, T @ v)
        scale = np.abs(whole.mass).max()
        np.testing.assert_allclose(merged.mass, T.T @ whole.mass @ T, atol=1e-5 * scale)
        np.testing.assert_allclose(merged.bias, T.T @ whole.bias, atol=1e-4 * np.abs(whole.bias).max())
        most = np.abs(merged.actuation) @ one.model.torque_limits(v)[:, 1]
        expected = T.T @ (np.abs(whole.actuation) @ both.model.torque_limits(T @ v)[:, 1])
        np.testing.assert_allclose(most, expected, rtol=1e-9)
    for name in one.ranges:
        where = [both.model.coordinates[i] for i in np.flatnonzero(T[:, one.model.coordinates.index(name)])]
        assert all(both.ranges[other] == pytest.approx(one.ranges[name]) for other in where)


def test_a_real_robot_stands_on_its_wheels():
    """Upkie, from its file to contact modes and torques: one wheel for two, with the load and the friction of both."""
    imported = read_urdf(
        UPKIE, base="floating", sagittal=True, floor=0.0, mu=0.8, contacts="*_wheel_tire", gravity=9.81
    )
    model = imported.model
    assert model.mechanism.contacts[0].name == "left_wheel_tire"
    q = imported.standing()
    np.testing.assert_allclose(np.delete(q - model.start, 1), 0)
    assert model.snapshot(q).gap[0] == pytest.approx(0, abs=1e-12)
    response = mc.dynamic_response(model.snapshot(q))
    assert all(len(mode) == len(model.contacts) for mode in response.modes)
    assert {mode[0] for mode in response.modes} == set("SLRF")
    assert model.snapshot(q).mass[0, 0] == pytest.approx(5.339, abs=1e-3)


# A small robot of our own ----------------------------------------------------------------------------------

LEG = """
<link name="{side}_leg"><inertial><origin xyz="{x} 0 -0.2"/><mass value="{mass}"/>
  <inertia ixx="0.1" iyy="{iyy}" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 -0.4"/><geometry><sphere radius="{radius}"/></geometry></collision></link>
<joint name="{side}_hip" type="revolute"><parent link="trunk"/><child link="{side}_leg"/><origin xyz="{at} {y} 0"/>
  <axis xyz="0 {axis} 0"/><limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="1"/>
  <dynamics damping="{damping}" friction="0.2"/></joint>"""
USUAL = {
    "x": 0,
    "mass": 1,
    "iyy": 0.02,
    "radius": 0.03,
    "at": 0.1,
    "axis": 1,
    "lower": -1,
    "upper": 0.5,
    "effort": 5,
    "damping": 0.3,
}


def walker(tmp_path, trunk_y=0.0, **right):
    file = tmp_path / "walker.urdf"
    legs = LEG.format(side="left", y=0.2, **USUAL) + LEG.format(side="right", **{"y": -0.2, **USUAL, **right})
    file.write_text(
        f'<robot name="walker"><link name="trunk"><inertial><origin xyz="0 {trunk_y} 0"/><mass value="4"/>'
        f'<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>{legs}</robot>',
        encoding="utf-8",
    )
    return file


def test_laws_of_both_sides_add_up(tmp_path):
    model = from_urdf(walker(tmp_path), base="floating", floor=-0.43, sagittal=True)
    assert model.coordinates == ("base_x", "base_y", "base_turn", "hip")
    joint = next(b.joint for b in model.numbers.bodies if b.joint.coordinates == ("hip",))
    assert (joint.damping, joint.friction, joint.lower, joint.upper) == (0.6, 0.4, -0.5, 1)
    np.testing.assert_allclose(model.torque_limits(np.zeros(4)), [[-10, 10]])
    assert [c.name for c in model.mechanism.contacts] == ["left_leg"]
    assert model.snapshot(model.start).mass[0, 0] == pytest.approx(6.0)


def test_an_axis_that_points_the_other_way_is_the_same_joint(tmp_path):
    plain = from_urdf(walker(tmp_path), base="floating", sagittal=True)
    turned = from_urdf(walker(tmp_path, axis=-1, lower=-0.5, upper=1), base="floating", sagittal=True)
    q = np.array([0.1, 0.2, 0.3, 0.4])
    np.testing.assert_allclose(plain.snapshot(q).mass, turned.snapshot(q).mass, atol=1e-12)


@pytest.mark.parametrize(
    ("right", "what"),
    [
        ({"mass": 1.2}, "mass 1 against 1.2 kg"),
        ({"y": -0.3}, "height over the middle plane"),
        ({"iyy": 0.03}, "inertia 0.02 against 0.03 kg m2"),
        ({"x": 0.05}, "centres of mass"),
        ({"at": 0.2}, "centres of mass"),
        (
            {"upper": 0.7},
            "lower stop of joints 'left_hip' and 'right_hip': -1 against -1|upper stop of joints",
        ),
        ({"effort": 6}, "forces of the drives 'tau_left_hip' and 'tau_right_hip' differ"),
        ({"damping": 0.1}, "damping of joints 'left_hip' and 'right_hip': 0.3 against 0.1"),
        ({"radius": 0.04}, "a shape of 'left_leg' has no equal on 'right_leg'"),
        ({"axis": -1}, "stop of joints 'left_hip' and 'right_hip'"),
    ],
)
def test_what_is_not_symmetric_is_refused_in_one_line(tmp_path, right, what):
    with pytest.raises(ValueError, match=what) as caught:
        from_urdf(walker(tmp_path, **right), base="floating", floor=-1.0, sagittal=True)
    text = str(caught.value)
    assert text.startswith("walker: 'left_leg' and 'right_leg' are no mirror images: ")
    assert text.endswith("expected equal sides, or sagittal=False")
    assert "\n" not in text


def test_one_leg_alone_and_no_legs_are_refused(tmp_path):
    file = walker(tmp_path)
    lonely = file.read_text().split('<link name="right_leg">')[0] + "</robot>"
    file.write_text(lonely, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"'left_leg' has its mass .*0.2 m beside the middle plane and no mirror"
    ):
        from_urdf(file, base="floating", sagittal=True)
    file.write_text(lonely.split('<link name="left_leg">')[0] + "</robot>", encoding="utf-8")
    with pytest.raises(ValueError, match="no two parts are mirror images"):
        from_urdf(file, base="floating", plane="xz", sagittal=True)


def test_a_trunk_beside_the_middle_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'trunk' has its mass .*0.1 m beside the middle plane"):
        from_urdf(walker(tmp_path, trunk_y=0.1), base="floating", sagittal=True)


def test_the_humanoid_of_gymnasium_is_not_symmetric():
    """Its hips have different armatures, which is said; with equal ones its sides are merged."""
    file = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / "humanoid.xml"
    across = ["abdomen_z", "abdomen_x", "*_hip_x", "*_hip_z", "*_shoulder*", "*_elbow"]
    words = {"locked": across, "contacts": "*foot*"}
    with pytest.raises(
        ValueError, match=r"armature of joints 'right_hip_y' and 'left_hip_y': 0.008 against 0.01"
    ):
        read_mjcf(file, sagittal=True, **words)
    peer = mujoco.MjModel.from_xml_path(str(file))
    peer.dof_armature[6:] = 0.01
    peer.jnt_stiffness[:] = 1.0
    one, both = read_mjcf(peer, sagittal=True, **words), read_mjcf(peer, **words)
    assert one.plane == "xz"
    assert one.model.coordinates == ("root_x", "root_y", "root_turn", "abdomen_y", "hip_y", "knee")
    T = both_alike(one, both)
    q = np.array([0.1, 1.2, 0.2, 0.3, -0.4, -0.5])
    np.testing.assert_allclose(
        one.model.snapshot(q).mass, T.T @ both.model.snapshot(T @ q).mass @ T, atol=1e-9
    )


@pytest.mark.parametrize(
    ("left", "right", "name"),
    [
        ("left_hip", "right_hip", "hip"),
        ("hip_left", "hip_right", "hip"),
        ("FL_hip_joint", "FR_hip_joint", "F_hip_joint"),
        ("L_KNEE", "R_KNEE", "KNEE"),
        ("tau_left_wheel", "tau_right_wheel", "tau_wheel"),
        ("thigh_joint", "thigh_left_joint", "thigh_joint"),
        ("one", "two", "one"),
        ("left", "right", "left"),
    ],
)
def test_common_names(left, right, name):
    assert common(left, right) == name
