"""Off-line design against closed forms, sampling and raw linear programs."""

import numpy as np
import pytest
import reference

import modecontrol as mc

LIMIT = 20.0


def random_response(seed, task=()):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=2)
    limits = [(-LIMIT, LIMIT)] * s["actuation"].shape[1]
    return rng, s, limits, mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits, task=task)


def sampled(rng, s, response, limits, count=60):
    """Torques that exactly one mode explains by raw programs, with that mode."""
    for tau in rng.uniform(-LIMIT, LIMIT, size=(count, len(limits))):
        inside = [mode for mode in response.modes if reference.exists_at(s, mode, tau, limits, slack=-1e-6)]
        near = [mode for mode in response.modes if reference.exists_at(s, mode, tau, limits, slack=1e-6)]
        if len(inside) == 1 and inside == near:
            yield inside[0], tau


# Effort
# ------------------------------------------------------------------------------------------------------


def test_smallest_push_that_moves_a_table():
    """Friction holds 0.3 * 10 kg * 9.81 m/s2 = 29.43 N; accelerating by 1 m/s2 takes 10 N more."""
    table = mc.load("table")
    response = mc.dynamic_response(
        table.snapshot(table.start), torque_limits=[(-100.0, 100.0)], task="x >= 1"
    )
    best = mc.design(response, "effort")
    assert best.torque == pytest.approx([39.43], abs=1e-4)
    assert best.value == pytest.approx(39.43**2, rel=1e-5)
    assert best.mode == "RR"
    assert "x >= 1" in best.active
    assert best.acceleration[0] == pytest.approx(1.0, abs=1e-5)


def test_effort_is_the_nearest_sure_torque():
    model = mc.load("rhex", mu_toe=0.6)
    response = mc.dynamic_response(model.snapshot(model.start), task=["alpha >= 40", "body.normal >= 10"])
    best = mc.design(response, "effort")
    assert best
    assert best.mode in response.modes_at(best.torque)
    nearest = min(
        np.linalg.norm(piece.nearest(np.zeros(3)))
        for mode in response
        for piece in response.unambiguous(mode)
    )
    assert np.sqrt(best.value) == pytest.approx(nearest, rel=1e-5)
    heavy = mc.design(response, "effort", weights=[100.0, 1.0, 1.0])
    assert abs(heavy.torque[0]) < abs(best.torque[0])


@pytest.mark.parametrize("seed", range(4))
def test_no_sampled_sure_torque_is_smaller(seed):
    rng, s, limits, response = random_response(600 + seed)
    best = mc.design(response, "effort", margin=0.05)
    if best:
        assert all(
            not reference.exists_at(s, mode, best.torque, limits, slack=-1e-6)
            for mode in response.modes
            if mode != best.mode and response[mode].torques.dimension == len(limits)
        )
    best = mc.design(response, "effort")
    for _, tau in sampled(rng, s, response, limits):
        assert best.value <= tau @ tau + 1e-5


# Tracking
# ----------------------------------------------------------------------------------------------------


def test_tracking_reaches_what_can_be_reached():
    model = mc.load("rhex", mu_toe=0.6)
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    best = mc.design(response, "track", wanted={"alpha": 30.0})
    assert best.acceleration[2] == pytest.approx(30.0, abs=1e-3)
    assert best.value == pytest.approx(0.0, abs=1e-6)
    beyond = mc.design(response, "track", wanted={"alpha": 200.0})
    assert beyond.acceleration[2] == pytest.approx(86.261, abs=1e-2)  # the most there is
    assert beyond.value == pytest.approx((200 - 86.261) ** 2, rel=1e-3)
    both = mc.design(response, "track", wanted={"alpha": 30.0, "body.normal": 60.0}, weights={"alpha": 10.0})
    assert both.value <= 10 * (both.acceleration[2] - 30) ** 2 + (both.force[0] - 60) ** 2 + 1e-4


@pytest.mark.parametrize("seed", range(4))
def test_no_sampled_sure_torque_tracks_better(seed):
    rng, s, limits, response = random_response(700 + seed)
    best = mc.design(response, "track", wanted={"q1": 4.0, "q2": -1.0})
    for mode, tau in sampled(rng, s, response, limits):
        if "q1" in response[mode].ambiguity or "q2" in response[mode].ambiguity:
            continue
        ranges = response.accelerations_at(tau)[mode]
        error = (ranges["q1"][0] - 4.0) ** 2 + (ranges["q2"][0] + 1.0) ** 2
        assert best.value <= error + 1e-4 * (1 + error)


def test_a_quantity_that_is_not_unique_cannot_be_tracked_surely():
    table = mc.load("table")
    response = mc.dynamic_response(table.snapshot(table.start), torque_limits=[(-20.0, 20.0)])
    sure = mc.design(response, "track", wanted={"left.tangent": 3.0})
    assert not sure
    assert "not unique" in sure.reason
    hoped = mc.design(response, "track", wanted={"left.tangent": 3.0}, guarantee="none")
    assert hoped.value == pytest.approx(0.0, abs=1e-6)
    assert hoped.force[1] == pytest.approx(3.0, abs=1e-4)


# Margin
# ------------------------------------------------------------------------------------------------------


def test_margin_of_an_interval_is_half_its_length():
    table = mc.load("table")
    response = mc.dynamic_response(table.snapshot(table.start), torque_limits=[(-100.0, 60.0)])
    held = mc.design(response, "margin", modes="FF")
    assert held.torque == pytest.approx([0.0], abs=1e-6)
    assert held.value == pytest.approx(29.43, abs=1e-4)
    assert held.distance == pytest.approx(29.43, abs=1e-4)
    best = mc.design(response, "margin")  # LL has the longest interval: from -100 to -29.43
    assert best.mode == "LL"
    assert best.value == pytest.approx((100 - 29.43) / 2, abs=1e-4)


def test_margin_counts_other_modes_as_well():
    """At high friction FFF overlaps other modes; sure inputs are below -4.905 only."""
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-30.0, 30.0)])
    best = mc.design(response, "margin", modes="FFF")
    assert best.torque == pytest.approx([(-30 - 4.905) / 2], abs=1e-3)
    assert best.value == pytest.approx((30 - 4.905) / 2, abs=1e-3)
    assert mc.design(response, "margin", modes="FFF", guarantee="none").value > best.value


@pytest.mark.parametrize("seed", range(4))
def test_the_margin_is_free_of_other_modes_and_cannot_be_beaten(seed):
    rng, s, limits, response = random_response(800 + seed)
    best = mc.design(response, "margin")
    if not best:
        assert best.reason
        return
    for _ in range(12):
        step = rng.normal(size=len(limits))
        tau = best.torque + 0.999 * best.value * rng.random() * step / np.linalg.norm(step)
        if response[best.mode].torques.dimension == len(limits):
            assert reference.exists_at(s, best.mode, tau, limits, slack=1e-6)
        assert not [
            mode
            for mode in response.modes
            if mode != best.mode and reference.exists_at(s, mode, tau, limits, slack=-1e-6)
        ]
    more = 1.01 * best.value
    for mode in response:
        T = response[mode].torques.minimal()
        if T.dimension == len(limits):
            shrunk = mc.Polytope(T.A, T.b - more * np.linalg.norm(T.A, axis=1))
            assert response.unambiguous(mode, margin=more).intersect(shrunk).dimension < len(limits)


# Answers and misuse
# ------------------------------------------------------------------------------------------


def test_nothing_is_an_answer_with_a_reason():
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-4.0, -1.0)])
    for goal, extra in (("effort", {}), ("margin", {}), ("track", {"wanted": {"gamma": 0.0}})):
        best = mc.design(response, goal, **extra)
        assert not best
        assert best.reason
    assert "matches 'LLL'" in mc.design(response, "effort", modes="LLL").reason
    hopeful = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-40.0, -1.0)], task="p1.normal >= 1e3"
    )
    assert "some w" in mc.design(hopeful, "effort").reason  # the walls may squeeze that hard, or may not
    assert mc.design(hopeful, "effort", guarantee="none").force[0] >= 1e3 * (1 - 1e-4)  # for some w
    impossible = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-4.0, -1.0)], task="p1.normal <= -1"
    )
    assert "p1.normal <= -1" in mc.design(impossible, "effort").reason
    unlimited = mc.design(mc.dynamic_response(model.snapshot(model.start)), "margin")
    assert not unlimited
    assert "torque limits" in unlimited.reason


def test_misuse_is_explained():
    table = mc.load("table")
    response = mc.dynamic_response(table.snapshot(table.start), torque_limits=[(-20.0, 20.0)])
    for options, word in [
        ({"goal": "speed"}, "goal"),
        ({"guarantee": "hope"}, "guarantee"),
        ({"margin": -1}, "margin"),
        ({"goal": "track"}, "wanted"),
        ({"wanted": {"x": 1}}, "wanted"),
        ({"weights": [1, 2]}, "weights"),
        ({"goal": "track", "wanted": {"x": 1}, "weights": {"y": 1}}, "weights"),
        ({"goal": "track", "wanted": {"x": np.nan}}, "finite"),
    ]:
        with pytest.raises(ValueError, match=word):
            mc.design(response, **options)


def test_a_single_torque_has_no_room():
    """A mode that one torque alone produces has the margin zero, whatever stands around it."""
    table = mc.load("table")
    held = mc.dynamic_response(table.snapshot(table.start), torque_limits=[(3.0, 3.0)])
    best = mc.design(held, "margin")
    assert best.mode == "FF"
    assert best.torque == pytest.approx([3.0])
    assert best.value == pytest.approx(0.0, abs=1e-9)


def test_modes_of_a_point_do_not_win_a_margin():
    """A wheel that touches a block: both stick at motor torque zero only, and both neighbours have room."""
    model = (
        mc.Builder("wheel")
        .body("wheel", joint=mc.planar("x", "y", "turn"), mass=1.0, inertia=0.02)
        .body("block", parent="world", joint=mc.prismatic("s"), mass=0.5)
        .input("motor", "turn", lower=-10, upper=10)
        .contact("floor", body="wheel", type="disc", radius=0.2, mu=0.6)
        .contact(
            "bump",
            body="wheel",
            type="disc_disc",
            radius=0.2,
            other="block",
            other_point=(0, 0.2),
            other_radius=0.1,
            mu=0.3,
        )
        .start(y=0.2, s=0.3)
        .build()
    )
    response = mc.dynamic_response(model.snapshot(model.start))
    assert response["FF"].torques.dimension == 0
    best = mc.design(response, "margin")
    widths = {mode: np.ptp(response[mode].torques.bounding_box) / 2 for mode in response}
    assert best.mode == max(widths, key=widths.get)
    assert best.value == pytest.approx(max(widths.values()))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (dict(goal="track", wanted=["x"]), "wanted"),
        (dict(goal="track", wanted={"x": "far"}), "wanted"),
        (dict(goal="effort", weights="ab"), "weights"),
        (dict(goal="effort", modes=5), "modes"),
        (dict(goal="effort", margin="1"), "margin"),
    ],
)
def test_what_is_no_number_is_named(arguments, word):
    table = mc.load("table")
    with pytest.raises(ValueError, match=word):
        mc.design(mc.dynamic_response(table.snapshot(table.start), torque_limits=[(-1, 1)]), **arguments)


def test_a_snapshot_is_no_response():
    table = mc.load("table")
    snapshot = table.snapshot(table.start)
    for choose in (mc.design, lambda thing: mc.maximize(thing, "x")):
        with pytest.raises(TypeError, match=r"dynamic_response\(snapshot\)"):
            choose(snapshot)


@pytest.mark.parametrize("goal", ["effort", "margin"])
def test_an_equality_task_that_a_mode_misses_by_no_more_than_rounding(goal):
    """Between meeting the task and missing it by the slack lies a set thinner than what a projection is checked to."""
    rhex = mc.load("rhex", mu_toe=0.2, mu_body=0.45)
    q = [-0.01301466, 0.07548043, 0.10316806, -0.43830817, -0.57339595, -0.71855855]
    q, _ = rhex.settle(q, closed=rhex.contacts)
    task, always = "rear.normal == 0", ["tau3 >= -2"]
    response = mc.dynamic_response(rhex.snapshot(q), task=task, physical=always)
    best = mc.design(response, goal)
    least, most = response.forces_at(best.torque)[best.mode]["rear.normal"]
    assert -1e-6 < least <= most < 1e-6
    assert best.torque[2] >= -2.0 - 1e-9
