"""What of a shape in space touches a wall of the plane, and convex hulls."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import ConvexHull

from modecontrol.interop.plane_axes import plane_axes, turned, word
from modecontrol.interop.shapes import hull, outline, slanted, touching
from modecontrol.interop.spatial import Shape

PLANE = plane_axes("xz")[:2]


def rotation(rng):
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.linalg.det(Q)


def surface(shape, rng, count=4000):
    """Points of the surface, by their definition."""
    u = rng.normal(size=(count, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    if shape.kind == "sphere":
        local = shape.size[0] * u
    elif shape.kind == "capsule":
        local = shape.size[0] * u + np.outer(np.sign(u[:, 2]), [0, 0, shape.size[1]])
    elif shape.kind == "cylinder":
        round_ = u[:, :2] / np.linalg.norm(u[:, :2], axis=1)[:, None]
        local = np.column_stack([shape.size[0] * round_, shape.size[1] * np.sign(u[:, 2])])
    else:
        local = np.array(list(itertools.product((1, -1), repeat=3))) * shape.size
    return shape.centre + local @ shape.turn.T


@pytest.mark.parametrize(
    ("kind", "size"),
    [("sphere", (0.3,)), ("capsule", (0.2, 0.5)), ("box", (0.1, 0.2, 0.4)), ("cylinder", (0.3, 0.4))],
)
def test_the_distance_to_every_wall_is_that_of_the_shape(kind, size):
    rng = np.random.default_rng(7)
    for _ in range(6):
        turn = rotation(rng)
        if kind == "cylinder":  # in the plane, or along its normal
            a = rng.uniform(0, 6)
            turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
            turn = turn if rng.random() < 0.5 else turn[:, [2, 0, 1]]
        shape = Shape("s", kind, rng.normal(size=3), turn, size)
        seen, cloud = touching(shape, PLANE), surface(shape, rng) @ PLANE.T
        for angle in rng.uniform(0, 2 * np.pi, 8):
            n = np.array([np.cos(angle), np.sin(angle)])
            assert (seen.points @ n).min() - seen.radius == pytest.approx((cloud @ n).min(), abs=3e-3)


def test_round_things_seen_end_on_are_discs():
    along = np.array(
        [[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]
    ).T  # z axis of the shape along the normal of the plane
    for kind in ("capsule", "cylinder"):
        seen = touching(Shape("s", kind, np.array([1.0, 2, 3]), along, (0.2, 0.5)), PLANE)
        assert seen.radius == 0.2
        np.testing.assert_allclose(seen.points, [[1, 3]])


def test_slanted_cylinders_are_known():
    c, s = np.cos(0.4), np.sin(0.4)
    assert slanted(
        Shape("s", "cylinder", np.zeros(3), np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), (0.1, 1)), PLANE
    )
    assert not slanted(Shape("s", "cylinder", np.zeros(3), np.eye(3), (0.1, 1)), PLANE)
    assert not slanted(
        Shape("s", "capsule", np.zeros(3), np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), (0.1, 1)), PLANE
    )


@settings(max_examples=60, deadline=None)
@given(arrays(float, st.tuples(st.integers(3, 12), st.just(2)), elements=st.integers(-5, 5).map(float)))
def test_hulls_are_those_of_qhull(points):
    """Grids give repeated points, points on edges and on lines."""
    found = hull(points)
    if np.linalg.matrix_rank(points - points[0]) < 2:
        assert len(found) == len(np.unique(found, axis=0)) <= 2
        assert {tuple(p) for p in found} <= {tuple(p) for p in points}
        return
    expected = {tuple(points[i]) for i in ConvexHull(points).vertices}
    assert {tuple(p) for p in found} == expected
    assert len(found) == len(expected)
    x, y = found.T
    assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0  # counter-clockwise


def test_outline_of_nothing_is_empty():
    assert outline([]).shape == (0, 2)


def test_planes():
    for plane, normal in (
        ("xz", (0, -1, 0)),
        ("-xz", (0, 1, 0)),
        ("xy", (0, 0, 1)),
        ("yz", (1, 0, 0)),
        ("x-z", (0, 1, 0)),
    ):
        assert np.array_equal(plane_axes(plane)[2], normal), plane
    for wrong in ("x", "xx", "xw", "", None, "xyz"):
        with pytest.raises(ValueError, match=r"plane is .*expected two different axes"):
            plane_axes(wrong)


def test_turning_by_right_angles_is_exact():
    assert np.array_equal(turned(np.array([1.0, 2.0]), np.pi / 2), [-2.0, 1.0])
    assert np.array_equal(turned(np.array([1.0, 2.0]), -np.pi), [-1.0, -2.0])


def test_words():
    taken = set()
    assert [word("joint", text, taken) for text in ("a b", "a-b", "3", "pi", "", "__x", "world")] == [
        "a_b",
        "a_b_2",
        "joint_3",
        "pi_joint",
        "joint",
        "joint_x",
        "world_joint",
    ]
