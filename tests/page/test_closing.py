"""Moving one coordinate keeps closed contacts closed, loops closed, and the coordinate where it was put."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.page import Session
from modecontrol.page.closing import Pull, close, place, settle
from modecontrol.page.description import sizes


def kept_of(model):
    return [i for i, gap in enumerate(model.snapshot(model.start).gap) if gap <= 1e-9]


@given(
    name=st.sampled_from(["rhex", "two_link", "table", "biped", "block"]),
    which=st.integers(0, 20),
    by=st.floats(-0.2, 0.2),
)
@settings(max_examples=80, deadline=None)
def test_a_moved_coordinate_stays_and_contacts_stay_closed(name, which, by):
    model = mc.load(name)
    i = which % len(model.coordinates)
    q = np.array(model.start)
    q[i] += by
    kept = kept_of(model)
    found = close(model, q, kept, sizes(model), held=i)
    assert found.reached
    assert found.q[i] == q[i]
    gaps = model.snapshot(found.q).gap
    assert np.abs([gaps[j] for j in kept if j not in found.let_go]).max(initial=0.0) <= 1e-9


def test_what_follows_is_the_least_that_has_to_move():
    model = mc.load("rhex")
    q = np.array(model.start)
    q[0] += 0.3  # along the ground nothing else has to follow
    assert close(model, q, kept_of(model), sizes(model), held=0).q == pytest.approx(q)


def test_a_leg_that_no_longer_reaches_is_let_go_and_comes_back():
    model = mc.load("rhex")
    q, kept, scale = np.array(model.start), kept_of(model), sizes(model)
    q[2] = np.radians(20.0)
    high = close(model, q, kept, scale, held=2)
    assert [model.contacts[i] for i in high.let_go] == [
        "front"
    ]  # its hip is above the leg's length from 15 degrees on
    back = np.array(high.q)
    back[2] = np.radians(5.0)
    assert close(model, back, kept, scale, held=2).let_go == ()


def test_loops_stay_closed_and_a_place_beyond_them_is_refused():
    model = mc.load("four_bar")
    q = np.array(model.start)
    q[0] += 0.15
    found = close(model, q, [], sizes(model), held=0)
    assert found.reached
    assert np.abs(model.loop_residual(found.q)).max() <= 1e-10
    beyond = np.array(model.start)
    beyond[2] += np.pi  # the rocker does not turn round
    assert not close(model, beyond, [], sizes(model), held=2).reached


@given(x=st.floats(-0.1, 0.1), y=st.floats(0.0, 0.15))
@settings(max_examples=30, deadline=None)
def test_a_pulled_point_follows_as_far_as_the_contacts_let_it(x, y):
    model = mc.load("rhex")
    scale, kept = sizes(model), [0]
    at = place(model, np.array(model.start), Pull(0, (0.25, 0.05), (0.0, 0.0)))
    pull = Pull(0, (0.25, 0.05), (at[0] + x, at[1] + y))
    found = close(model, np.array(model.start), kept, scale, pull=pull)
    assert found.reached
    assert abs(model.snapshot(found.q).gap[0]) <= 1e-9
    before, after = (np.hypot(*(place(model, q, pull) - pull.target)) for q in (model.start, found.q))
    assume(before > 1e-6)
    assert after < 0.2 * before + 1e-4


@given(seed=st.integers(0, 10**6), held=st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_velocities_are_settled_without_normal_parts(seed, held):
    model = mc.load("rhex")
    v = np.random.default_rng(seed).normal(size=6)
    kept = [0, 1, 2, 3]
    settled, missed = settle(model, model.start, v, kept, sizes(model), held)
    normal = model.snapshot(model.start, settled).velocity[0::2]
    assert missed == pytest.approx(np.abs(normal).max(), abs=1e-12)
    assert settled[held] == v[held]
    assert missed <= 1e-9  # pitch and legs can always make up for it


def test_a_velocity_that_cannot_be_is_told():
    model = mc.load("block")
    _, missed = settle(model, model.start, np.array([0.0, 1.0, 0.0]), [0, 1], sizes(model), held=1)
    assert missed > 0.5


def slid(model, name, value):
    """The page after a coordinate's slider went to a value."""
    found = Session(model).answer(
        {"ask": "show", "change": {"kind": "coordinate", "name": name, "value": value}}
    )
    assert "error" not in found
    return found


@pytest.mark.parametrize("angle", [0.05, 0.4, -0.05, -0.4])
def test_a_turned_box_stands_on_the_corner_that_it_turns_about(angle):
    """Wherever it was turned: one corner on the ground, the other one above it, as geometry has it."""
    model = mc.load("block")
    found = slid(model, "theta", angle)
    left, right = (contact["gap"] for contact in found["scene"]["contacts"])
    assert (left, right) == pytest.approx(
        (0, 0.4 * np.sin(angle)) if angle > 0 else (-0.4 * np.sin(angle), 0)
    )
    assert found["trouble"] is None
    assert found["notes"] == [f"out of reach, so open: {'right' if angle > 0 else 'left'}"]


@pytest.mark.parametrize(
    ("name", "coordinate", "value"),
    [
        ("gripper_box", "theta", 0.1),
        ("gripper_box", "left", -0.03),
        ("gripper_disc", "lift", 0.2),
        ("stairs", "x", 0.15),
        ("stairs", "pitch", 0.4),
        ("stairs", "right_leg", 0.45),
        ("pusher", "theta", -0.2),
        ("pusher", "x", 0.1),
        ("climber", "upper_hip", 0.2),
        ("ramone", "left_knee", -0.1),
    ],
)
def test_shapes_terrain_and_stops_stay_closed_and_nothing_is_entered(name, coordinate, value):
    """The library's own check of the state, strictly; every kept contact is closed, or told to be open."""
    from modecontrol.dynamics.admissible import misfit

    model = mc.load(name)
    session = Session(model)
    found = session.answer(
        {"ask": "show", "change": {"kind": "coordinate", "name": coordinate, "value": value}}
    )
    q = np.array(found["state"]["q"])
    assert q[model.coordinates.index(coordinate)] == value
    snap = model.snapshot(q)
    assert not misfit(snap, 1e-9)
    told = found["notes"][0].partition(": ")[2].split(", ") if found["notes"] else []
    for contact in session.start.keep:
        assert (abs(snap.gap[model.contacts.index(contact)]) < 1e-9) != (contact in told)
    assert found["trouble"] is None


def test_as_many_contacts_as_possible_stay_closed():
    """A turned box in a gripper: no set of closed contacts that contains what the page keeps can be had."""
    from modecontrol.errors import ImpossibleStateError

    model = mc.load("gripper_box")
    session = Session(model)
    found = slid(model, "theta", 0.1)
    told = found["notes"][0].partition(": ")[2].split(", ")
    kept = [name for name in session.start.keep if name not in told]
    assert len(kept) == 3
    q = np.array(found["state"]["q"])
    for name in told:
        try:
            settled = model.settle(q, closed=[*kept, name])
        except ImpossibleStateError:
            continue
        assert abs(settled.q[model.coordinates.index("theta")] - 0.1) > 1e-3


def test_a_pulled_leg_stops_at_its_stop():
    """RAMone's knee does not bend forwards, however hard the shank is pulled."""
    model = mc.load("ramone")
    session = Session(model)
    state = {**session.start.to_dict(), "keep": []}
    for target in ([0.5, 0.3], [0.8, 0.3], [0.8, 0.6]):
        pull = {"kind": "pull", "body": 2, "point": [0.2, 0.0], "target": target}
        found = session.answer({"ask": "show", "state": state, "change": pull})
        state = found["state"]
        assert state["q"][model.coordinates.index("left_knee")] <= 1e-9
        assert found["trouble"] is None


def test_a_body_that_is_let_go_does_not_go_through_the_ground():
    model = mc.load("block")
    session = Session(model)
    state = {**session.start.to_dict(), "keep": []}
    pull = {"kind": "pull", "body": 0, "point": [0.1, 0.0], "target": [0.1, -0.3]}
    found = session.answer({"ask": "show", "state": state, "change": pull})
    assert min(contact["gap"] for contact in found["scene"]["contacts"]) > -1e-9
    assert found["trouble"] is None


@pytest.mark.parametrize("angle", [0.05, 0.15, 0.5, -0.3])
def test_a_body_does_not_jump_to_the_other_side_of_another(angle):
    """However far the box in the gripper is turned at once, a finger is left and one right of it."""
    model = mc.load("gripper_box")
    found = slid(model, "theta", angle)
    q = dict(zip(model.coordinates, found["state"]["q"], strict=True))
    assert q["left"] < q["x"] < -q["right"]
