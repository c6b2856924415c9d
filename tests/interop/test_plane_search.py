"""The plane of the motion is found from the axes of the joints, however the robot stands."""

import itertools

import numpy as np
import pytest

from modecontrol.interop.plane_axes import plane_axes
from modecontrol.interop.plane_search import find_plane
from modecontrol.interop.spatial import Assembly, Link, SpatialJoint

DOWN = np.array([0.0, 0.0, -9.81])


def assembly(*joints, gravity=DOWN):
    made = [
        SpatialJoint(f"j{i}", kind, np.zeros(3), np.asarray(axis, float))
        for i, (kind, axis) in enumerate(joints)
    ]
    links = [
        Link(f"l{i}", "world", (j,), np.zeros(3), 1.0, np.zeros(3), np.eye(3)) for i, j in enumerate(made)
    ]
    return Assembly("robot", tuple(links), gravity=np.asarray(gravity, float))


@pytest.mark.parametrize(
    ("joints", "plane"),
    [
        ([("turn", (0, 1, 0)), ("turn", (0, -1, 0)), ("slide", (1, 0, 0))], "xz"),
        ([("slide", (1, 0, 0)), ("slide", (0, 1, 0)), ("turn", (0, 0, 1))], "xy"),
        ([("turn", (-1, 0, 0))], "yz"),
        ([("slide", (1, 0, 0))], "xz"),
        ([("slide", (0, 1, 0))], "yz"),
        ([("slide", (0, 0, 1))], "xz"),
        ([("slide", (1, 0, 0)), ("slide", (0, 0, 1))], "xz"),
        ([("free", (0, 0, 1))], "xz"),
        ([], "xz"),
    ],
)
def test_planes_of_the_file(joints, plane):
    name, axes = find_plane(assembly(*joints))
    assert name == plane
    np.testing.assert_array_equal(axes, plane_axes(plane))


def test_any_direction():
    """A robot that was turned about the vertical moves in a vertical plane, with gravity downwards."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        a = rng.uniform(0, 2 * np.pi)
        normal = np.array([np.sin(a), np.cos(a), 0.0])
        name, axes = find_plane(assembly(("turn", normal), ("slide", (0, 0, 1))))
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(np.cross(axes[0], axes[1]), axes[2], atol=1e-12)
        np.testing.assert_allclose(np.cross(axes[2], normal), 0, atol=1e-12)
        np.testing.assert_allclose(axes @ DOWN, [0, -9.81, 0], atol=1e-9)
        assert name.startswith("across (")


def test_without_gravity_every_direction_has_a_plane():
    rng = np.random.default_rng(1)
    for _ in range(20):
        along = rng.normal(size=3)
        along /= np.linalg.norm(along)
        for kind in ("turn", "slide"):
            _, axes = find_plane(assembly((kind, along), gravity=(0, 0, 0)))
            np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
            across = abs(axes[2] @ along)
            assert across == pytest.approx(1.0 if kind == "turn" else 0.0, abs=1e-9)


def test_joints_that_do_not_agree():
    joints = [("turn", (0, 1, 0)), ("turn", (1, 0, 0))]
    with pytest.raises(
        ValueError, match=r"joint 'j1' turns about \(1, 0, 0\) and joint 'j0' about \(0, 1, 0\)"
    ):
        find_plane(assembly(*joints))
    assert find_plane(assembly(*joints), frozenset(["j1"]))[0] == "xz"
    assert find_plane(assembly(*joints), frozenset(["j0"]))[0] == "yz"
    slides = [("slide", axis) for axis in np.eye(3)]
    for order in itertools.permutations(slides):
        with pytest.raises(ValueError, match="expected a direction within the plane"):
            find_plane(assembly(*order))
