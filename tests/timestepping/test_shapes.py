"""Polygons and terrain in simulation: rest, tipping, sliding off, stacks, steps, energy and momentum."""

import logging
import math

import numpy as np
import pytest
from shape_geometry import random_polygon

import modecontrol as mc

G = 9.81


def rectangle(width, height):
    return [
        (-width / 2, -height / 2),
        (width / 2, -height / 2),
        (width / 2, height / 2),
        (-width / 2, height / 2),
    ]


def free(builder, name, tag="", width=0.4, height=0.2, outline=None, **start):
    joint = mc.planar(f"x{tag}", f"y{tag}", f"t{tag}")
    inertia = (width**2 + height**2) / 12
    shape = outline or rectangle(width, height)
    builder.body(name, parent="world", joint=joint, mass=1.0, inertia=inertia, outline=shape)
    return builder.start(**{f"{key}{tag}": value for key, value in start.items()})


def test_a_polygon_falls_on_a_face_and_stays_there():
    hexagon = [(0.3 * math.cos(a), 0.2 * math.sin(a)) for a in np.arange(6) * math.pi / 3]
    model = (
        free(mc.Builder("hexagon"), "a", outline=hexagon, y=0.6, t=0.3)
        .contact("c", "a", type="polygon", mu=0.6)
        .build()
    )
    run = mc.simulate(model, duration=12.0)
    assert run.status == "completed"
    assert run.modes[-1] == "FF"
    assert np.abs(model.snapshot(run.q[-1]).gap).max() < 1e-8
    assert np.abs(run.q[2000:] - run.q[-1]).max() < 1e-12


@pytest.mark.parametrize(("slope", "tips"), [(0.58, False), (0.586, False), (0.590, True), (0.6, True)])
def test_a_box_tips_over_its_edge_at_the_slope_that_its_shape_says(slope, tips):
    width, height = 0.2, 0.3
    assert tips == (math.tan(slope) > width / height)
    builder = free(mc.Builder("tipping"), "a", width=width, height=height)
    builder.start(x=-height / 2 * math.sin(slope), y=height / 2 * math.cos(slope), t=slope)
    model = builder.contact("c", "a", type="polygon", mu=2.0, wall={"tilt": slope}).build()
    run = mc.simulate(model, duration=1.0)
    assert (run.q[-1, 2] - slope > 0.01) == tips
    assert abs(run.q[-1, 2] - slope) < 1e-9 or tips


def test_a_box_slides_off_a_step_and_comes_to_rest_below():
    line = [(-1, 0.3), (0, 0.3), (0, 0), (1, 0)]
    model = (
        free(mc.Builder("step"), "a", x=-0.5, y=0.4)
        .terrain("g", line)
        .contact("c", "a", type="polygon", mu=0.2, terrain="g")
        .build()
    )
    run = mc.simulate(model, v0={"x": 2.0}, duration=3.0)
    assert run.status == "completed"
    assert run.q[-1, 0] > 0.2
    assert run.q[-1, 1] == pytest.approx(0.1, abs=1e-6)
    assert np.abs(run.v[-1]).max() < 1e-9
    before = run.q[:, 0] < -0.25  # the way on the tread is slowed by friction alone
    expected = -0.5 + 2.0 * run.time - 0.5 * 0.2 * G * run.time**2
    np.testing.assert_allclose(run.q[before, 0], expected[before], atol=2e-3)
    worst = min(model.snapshot(q).gap.min() for q in run.q[::10])
    assert worst > -1e-4


def test_stacks_of_boxes_stay():
    builder = mc.Builder("stack").terrain("floor", [(-5, 0), (5, 0)])
    for i in range(8):
        free(builder, f"b{i}", i, x=0.02 * (-1) ** i, y=0.1 + 0.2 * i)
    model = builder.contacts("all", mu=0.5).build()
    run = mc.simulate(model, duration=2.0)
    assert run.status == "completed"
    assert np.abs(run.q - run.q[0]).max() < 1e-9


def test_a_driven_wheel_climbs_a_step_and_one_with_little_grip_does_not():
    """A disc of radius r is driven against a step of height s by a torque on its axle, held by a frame."""

    def ends(mu):
        builder = mc.Builder("climb").terrain("g", [(-2, 0), (0, 0), (0, 0.04), (2, 0.04)])
        builder.body(
            "frame", joint=mc.planar("x", "y", "t"), mass=0.4, inertia=0.02, outline=rectangle(0.3, 0.05)
        )
        for side, at in (("rear", -0.15), ("front", 0.15)):
            builder.body(
                side, parent="frame", joint=mc.revolute(side, at=(at, 0)), mass=0.3, inertia=0.3 * 0.08**2 / 2
            )
            builder.input(f"drive_{side}", side)
            builder.contact(f"{side}_wheel", side, type="disc", radius=0.08, terrain="g", mu=mu)
        model = builder.start(x=-0.4, y=0.08).build()
        run = mc.simulate(model, controller=lambda t, q, v: np.array([-0.2, -0.2]), duration=2.0)
        assert run.status == "completed"
        return run.q[-1]

    assert ends(1.0)[0] > 0.3
    assert ends(1.0)[1] == pytest.approx(0.12, abs=1e-6)
    assert ends(0.1)[0] < -0.2


@pytest.mark.parametrize("seed", range(8))
def test_energy_never_grows_and_nothing_sinks_in(seed):
    lines = (
        [(-2, 2), (0, 0), (2, 2)],
        [(-2, 0.6), (-0.6, 0.6), (-0.6, 0.3), (0, 0.3), (0, 0), (2, 0)],
        [(-1, 2), (-1, 0), (1, 0), (1, 2)],
    )
    rng = np.random.default_rng(seed)
    builder = mc.Builder("pile").terrain("g", lines[seed % 3])
    for i in range(3):
        shape = random_polygon(rng, size=0.3)
        shape = shape - shape.mean(axis=0)
        free(
            builder,
            f"b{i}",
            i,
            outline=shape.tolist(),
            x=rng.normal() * 0.2,
            y=1.5 + 0.9 * i,
            t=rng.uniform(0, 6),
        )
    model = builder.contacts(
        "all", mu=float(rng.choice([0, 0.3, 0.8])), restitution=float(rng.choice([0, 0.5]))
    ).build()
    run = mc.simulate(model, duration=2.0)
    assert run.status == "completed"
    energy = np.array(
        [
            model.kinetic_energy(q, v) + model.potential_energy(q)
            for q, v in zip(run.q[::5], run.v[::5], strict=True)
        ]
    )
    rise = np.max(energy - np.minimum.accumulate(energy))
    assert rise < 0.01 * np.ptp(energy)
    assert min(model.snapshot(q).gap.min() for q in run.q[::20]) > -1e-3


def test_momentum_of_two_boxes_that_collide_is_kept_and_so_is_their_spin():
    builder = mc.Builder("collision", gravity=(0, 0))
    free(builder, "a", x=-0.5)
    free(builder, "b", "2", x=0.3, y=0.12, t=0.4)
    model = builder.contact("c", "a", type="polygon", other="b", mu=0.3, restitution=0.6).build()
    run = mc.simulate(model, v0={"x": 2.0, "t2": 1.0}, duration=0.5)
    assert run.impacts.sum() > 0
    inertia = (0.4**2 + 0.2**2) / 12

    def books(q, v):
        spin = sum(q[k] * v[k + 1] - q[k + 1] * v[k] + inertia * v[k + 2] for k in (0, 3))
        return np.array([v[0] + v[3], v[1] + v[4], spin])

    np.testing.assert_allclose(books(run.q[-1], run.v[-1]), books(run.q[0], run.v[0]), atol=1e-10)
    assert model.kinetic_energy(run.q[-1], run.v[-1]) < model.kinetic_energy(run.q[0], run.v[0])


def test_fast_polygons_do_not_tunnel():
    builder = mc.Builder("bullet", gravity=(0, 0))
    free(builder, "a", width=0.05, height=0.05, x=-1.0)
    free(builder, "b", "2", width=0.02, height=1.0)
    model = builder.contact("c", "a", type="polygon", other="b").build()
    run = mc.simulate(model, v0={"x": 100.0}, duration=0.03, step=5e-3)
    assert run.impacts.sum() > 0
    assert np.all(run.q[:, 0] < run.q[:, 3])


def test_a_gripper_lifts_what_it_holds_tightly_enough():
    for name in ("gripper_box", "gripper_disc"):
        model = mc.load(name)
        lifted = {}
        for grip in (2.0, 10.0):
            run = mc.simulate(
                model, controller=lambda t, q, v, grip=grip: np.array([12.0, grip]), duration=0.3
            )
            lifted[grip] = (
                run.q[-1, list(model.coordinates).index("y")] - run.q[0, list(model.coordinates).index("y")]
            )
        assert lifted[2.0] == pytest.approx(0.0, abs=1e-9)
        up = (12.0 - 9.81 * 1.1) / 1.1  # the palm, two fingers and the object have 1.1 kg
        assert lifted[10.0] == pytest.approx(0.5 * up * 0.3**2, rel=2e-2)


def test_a_box_that_is_pushed_low_slides_and_one_that_is_pushed_high_tips():
    ends = {}
    for at in (0.1, 0.39):
        model = mc.load("pusher", at=at)
        ends[at] = mc.simulate(model, controller=lambda t, q, v: np.array([12.0]), duration=0.4).q[-1]
    assert ends[0.1][1] > 0.1
    assert abs(ends[0.1][3]) < 1e-9
    assert ends[0.39][3] < -0.2


def test_bodies_without_a_contact_that_pass_through_each_other_are_pointed_out(caplog):
    builder = mc.Builder("ghosts", gravity=(0, 0))
    free(builder, "a", x=-0.5)
    free(builder, "b", "2")
    with caplog.at_level(logging.WARNING, logger="modecontrol"):
        run = mc.simulate(builder.build(), v0={"x": 1.0}, duration=0.5)
    (passed,) = run.header["passed_through"]
    assert passed[:2] == ["a", "b"]
    assert 0.11 <= passed[2] <= 0.17  # looked at every fiftieth step
    assert "no contact between them is declared" in caplog.text
    caplog.clear()
    builder.contact("c", "a", type="polygon", other="b")
    run = mc.simulate(builder.build(), v0={"x": 1.0}, duration=0.5)
    assert "passed_through" not in run.header
    assert not caplog.text


def test_outlines_that_overlap_at_the_start_or_hang_on_each_other_are_not_pointed_out():
    builder = free(mc.Builder("drawn"), "a")
    builder.body("arm", joint=mc.revolute("q"), mass=1.0, inertia=0.1, outline=rectangle(0.4, 0.1))
    free(builder, "b", "2", x=0.1)
    model = builder.build()
    Q = np.random.default_rng(0).normal(size=(20, 7)) * 0.1
    assert model.passed_through(Q) == ()
