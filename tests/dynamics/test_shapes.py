"""Polygons, capsules and terrain against closest features found by trying all of them."""

import math

import numpy as np
import pytest
from shape_geometry import placed, random_line, random_polygon, signed_gap, terrain_gap

import modecontrol as mc
from modecontrol.tolerances import NOTHING_THERE

BOX = [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)]


def free(builder, name, tag="", **words):
    joint = mc.planar(f"x{tag}", f"y{tag}", f"t{tag}")
    return builder.body(name, parent="world", joint=joint, mass=1.0, inertia=0.05, **words)


def pair(shape, other, **words):
    builder = free(free(mc.Builder("pair"), "a"), "b", "2")
    words = {"shape": np.asarray(shape).tolist(), "other_shape": np.asarray(other).tolist(), **words}
    return builder.contact("c", "a", type="polygon", other="b", **words).build()


def random_pair(rng):
    radius, other_radius = float(rng.choice([0.0, 0.1])), float(rng.choice([0.0, 0.2]))

    def shape(r):
        return rng.normal(size=(2, 2)) if r and rng.random() < 0.4 else random_polygon(rng)

    first, second = shape(radius), shape(other_radius)
    return first, radius, second, other_radius


def random_state(rng):
    return np.concatenate([rng.normal(size=2), [rng.uniform(0, 6)], rng.normal(size=2), [rng.uniform(0, 6)]])


@pytest.mark.parametrize("seed", range(5))
def test_the_gap_of_two_polygons_is_that_of_their_nearest_features(seed):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        first, radius, second, other_radius = random_pair(rng)
        model = pair(first, second, radius=radius, other_radius=other_radius)
        q = random_state(rng)
        expected = signed_gap(placed(first, q[:3]), radius, placed(second, q[3:]), other_radius)
        assert model.snapshot(q).gap.min() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_gap_to_terrain_is_that_of_the_nearest_features(seed):
    rng, seen = np.random.default_rng(seed), 0
    while seen < 60:
        line = random_line(rng, int(rng.integers(2, 6)))
        radius = float(rng.choice([0.0, 0.1]))
        shape = random_polygon(rng, size=0.4) if rng.random() < 0.6 else np.zeros((1, 2))
        builder = free(mc.Builder("ground"), "a").terrain("g", line.tolist())
        if len(shape) == 1:
            builder.contact("c", "a", type="disc", radius=radius, terrain="g")
        else:
            builder.contact("c", "a", type="polygon", shape=shape.tolist(), radius=radius, terrain="g")
        q = np.array([rng.uniform(line[0, 0] - 1, line[-1, 0] + 1), rng.uniform(-0.5, 2), rng.uniform(0, 6)])
        expected = terrain_gap(placed(shape, q), radius, line)
        if expected is None:
            continue
        seen += 1
        assert builder.build().snapshot(q).gap.min() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_normal_rows_are_slopes_of_the_nearest_distance(seed):
    rng, step = np.random.default_rng(seed), 1e-6
    for _ in range(40):
        first, radius, second, other_radius = random_pair(rng)
        model = pair(first, second, radius=radius, other_radius=other_radius)
        q = random_state(rng)

        def gap(q):
            return signed_gap(placed(first, q[:3]), radius, placed(second, q[3:]), other_radius)  # noqa: B023

        slopes = [(gap(q + step * e) - gap(q - step * e)) / (2 * step) for e in np.eye(6)]
        snap = model.snapshot(q)
        row = snap.jacobian[2 * int(np.argmin(snap.gap))]
        np.testing.assert_allclose(row, slopes, atol=2e-5)


def shaped_models(rng):
    first, radius, second, other_radius = random_pair(rng)
    yield pair(first, second, radius=radius, other_radius=other_radius)
    line = random_line(rng, 4).tolist()
    on_ground = free(mc.Builder("ground"), "a").terrain("g", line)
    yield on_ground.contact(
        "c", "a", type="polygon", shape=random_polygon(rng).tolist(), terrain="g", touches=4
    ).build()
    rolling = free(mc.Builder("rolling"), "a").terrain("g", line)
    yield rolling.contact("c", "a", type="disc", point=(0.1, 0), radius=0.2, terrain="g").build()
    chain = free(mc.Builder("chain"), "a").body(
        "arm", joint=mc.revolute("q", at=(0.5, 0.1), angle=0.3), mass=1.0, inertia=0.1
    )
    chain.body("hand", joint=mc.weld(at=(0.4, 0.0), angle=0.7), mass=0.2, inertia=0.01)
    yield chain.contact(
        "self", "hand", type="polygon", shape=BOX, other="a", other_shape=random_polygon(rng).tolist()
    ).build()
    wall = free(mc.Builder("wall"), "a").body(
        "b", parent="world", joint=mc.revolute("q"), mass=1.0, inertia=1.0
    )
    yield wall.contact("c", "a", type="polygon", shape=BOX, wall={"body": "b", "origin": (0, 0.1)}).build()
    yield (
        free(mc.Builder("block"), "a")
        .contact("c", "a", type="disc", radius=0.1, other="world", other_shape=random_polygon(rng).tolist())
        .build()
    )


@pytest.mark.parametrize("seed", range(6))
def test_drifts_are_rates_of_the_rows_and_symbols_agree_with_recursion(seed):
    rng, step = np.random.default_rng(seed), 1e-5
    for model in shaped_models(rng):
        n = len(model.coordinates)
        q, v = rng.normal(size=n), rng.normal(size=n)
        snap, fixed = model.snapshot(q, v), model.with_features(q)
        before, after = (fixed.snapshot(q + s * step * v).jacobian @ v for s in (-1, 1))
        size = 1.0 + np.abs(snap.drift)
        np.testing.assert_allclose(snap.drift / size, (after - before) / (2 * step) / size, atol=1e-6)
        found = fixed.equations.evaluate(q, v)
        for name, mine in (
            ("contact_jacobian", snap.jacobian),
            ("contact_drift", snap.drift),
            ("gap", snap.gap),
        ):
            there = np.abs(mine) < NOTHING_THERE / 2
            theirs = np.asarray(found[name]).reshape(mine.shape)[there]
            scale = 1.0 + np.abs(mine[there])
            np.testing.assert_allclose(theirs / scale, mine[there] / scale, atol=1e-10)
        np.testing.assert_allclose(snap.velocity, snap.jacobian @ v, atol=1e-12)


def test_features_stay_while_another_touch_has_the_name():
    """The rows of the moving model change with the features, those of the fixed one do not."""
    model = free(mc.Builder("box"), "a").contact("c", "a", type="polygon", shape=BOX).build()
    flat, turned = np.array([0, 0.1, 0]), np.array([0, 0.25, math.pi / 2 - 0.1])
    fixed = model.with_features(flat)
    assert fixed.contacts == model.contacts == ("c.1", "c.2")
    np.testing.assert_allclose(model.snapshot(flat).gap, 0.0, atol=1e-15)
    assert abs(fixed.snapshot(turned).gap - model.snapshot(turned).gap).max() > 0.1
    assert model.with_features(flat).with_features(turned).mechanism == fixed.mechanism


def test_touches_stand_along_the_tangent_with_stable_names():
    model = free(mc.Builder("box"), "a").contact("c", "a", type="polygon", shape=BOX).build()
    for tilt in (-0.3, -1e-9, 0.0, 1e-9, 0.3):
        points = model.contact_points([0, 0.2, tilt])
        assert points.position[0, 0] < points.position[1, 0]
    down = pair(BOX, BOX)
    for shift in (-0.3, -0.1, 0.1, 0.3):
        on_top = down.contact_points([shift, 0.2, 0, 0, 0, 0])
        np.testing.assert_allclose(on_top.gap, 0.0, atol=1e-15)
        ends = sorted([max(-0.2, shift - 0.2), min(0.2, shift + 0.2)])
        np.testing.assert_allclose(on_top.position[:, 0], ends, atol=1e-15)
        np.testing.assert_allclose(on_top.n, [[0, 1], [0, 1]], atol=1e-15)


def test_stacked_boxes_of_one_size_touch_in_two_corners():
    snap = pair(BOX, BOX).snapshot([0, 0.2, 0, 0, 0, 0])
    np.testing.assert_allclose(snap.gap, 0.0, atol=1e-15)
    assert np.linalg.matrix_rank(snap.jacobian) == 3


def test_corner_on_corner_is_one_touch():
    diamond = [(0.3, 0), (0, 0.3), (-0.3, 0), (0, -0.3)]
    gap = pair(diamond, diamond).snapshot([0, 0.7, 0, 0, 0, 0]).gap
    assert sorted(gap)[0] == pytest.approx(0.1)
    assert sorted(gap)[1] > 0.2
    box = pair(BOX, BOX).snapshot([0.4 + 0.03, 0.2 + 0.04, 0, 0, 0, 0]).gap
    assert sorted(box)[0] == pytest.approx(0.05)
    assert sorted(box)[1] > NOTHING_THERE / 2


def test_a_disc_in_a_groove_touches_both_sides():
    half = [{"origin": (0, 0), "tilt": -math.pi / 4}, {"origin": (0, 0), "tilt": math.pi / 4}]
    for ground in ({"line": [(-2, 2), (0, 0), (2, 2)]}, {"half_planes": half}):
        builder = free(mc.Builder("groove"), "a").terrain("g", **ground)
        model = builder.contact("c", "a", type="disc", radius=0.5, terrain="g", mu=0.3).build()
        points = model.contact_points([0, 0.5 * math.sqrt(2), 0])
        np.testing.assert_allclose(points.gap, 0.0, atol=1e-12)
        np.testing.assert_allclose(points.n[:, 1], math.sqrt(0.5), atol=1e-12)


def test_a_corner_that_passes_an_edge_is_not_stopped_by_it():
    """A box that slides onto a tread touches its top; the riser below has nothing to hold it by."""
    line = [(-1, 0), (0, 0), (0, 0.3), (1, 0.3)]
    model = (
        free(mc.Builder("step"), "a")
        .terrain("g", line)
        .contact("c", "a", type="polygon", shape=BOX, terrain="g")
        .build()
    )
    for shift in (-0.1, -1e-6, -1e-12, 0.0, 1e-12, 1e-6, 0.1):
        points = model.contact_points([0.2 + shift, 0.4, 0])
        touching = np.abs(points.gap) < 1e-9
        np.testing.assert_allclose(points.n[touching], [[0, 1]] * touching.sum(), atol=1e-9)
        assert touching.sum() == 2


def test_shapes_of_bodies_that_are_far_away_keep_their_digits():
    near = pair(BOX, BOX).snapshot([0.1, 0.2 + 1e-7, 0.0, 0, 0, 0]).gap
    far = pair(BOX, BOX).snapshot([1e6 + 0.1, 0.2 + 1e-7, 0.0, 1e6, 0, 0]).gap
    np.testing.assert_allclose(near, far, atol=1e-9)


def test_corners_may_be_given_clockwise():
    q = [0.1, 0.5, 0.3, -0.1, 0.1, 1.0]
    there = pair(BOX[::-1], BOX).snapshot(q)
    here = pair(BOX, BOX[::-1]).snapshot(q)
    np.testing.assert_array_equal(there.gap, here.gap)
    np.testing.assert_array_equal(there.jacobian, here.jacobian)
