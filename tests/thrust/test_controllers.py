"""Controllers answer at every state, within their limits, and say what they gave up."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol._core import layout
from modecontrol.modes.letters import spell
from modecontrol.thrust import Decision
from modecontrol.thrust.maximal_thrust import AMBIGUOUS, DROPPED, NO_MODE, NOT_BEST, SPENT
from modecontrol.trials.rhex.observer import RHexObserver

PRESS = "body.normal >= 10"


@pytest.fixture(scope="module")
def rhex():
    return mc.load("rhex", mu_toe=0.6)


def random_states(model, rng, count):
    """Every attitude, height and speed, with and without contact; every fifth at a leg's singularity."""
    for i in range(count):
        q = rng.uniform(-np.pi, np.pi, size=6)
        q[1] = rng.uniform(-0.05, 0.4)
        v = rng.normal(size=6) * rng.choice([0.0, 1e-3, 1.0, 20.0])
        if i % 3 == 1:
            q[2] = rng.uniform(0, 0.5)
        if i % 5 == 2:
            q[3:] = -np.pi / 2 - q[2]  # legs straight down: cos of the leg angle is zero
        if i % 7 == 3:
            q, v = np.array(model.start), 0.0 * v
        yield q, v


def check(decision, model, v):
    limits = model.torque_limits(v)
    assert np.all(np.isfinite(decision.torque))
    assert np.all(decision.torque >= limits[:, 0])
    assert np.all(decision.torque <= limits[:, 1])
    assert np.isfinite(decision.value)
    assert decision.fallback in ("", NOT_BEST, AMBIGUOUS, DROPPED, NO_MODE)
    assert (decision.mode is None) == (decision.fallback == NO_MODE)
    assert decision.ambiguous or decision.fallback != AMBIGUOUS
    if decision.mode is not None:
        assert np.all(np.isfinite(decision.acceleration))
        assert set(decision.mode) <= set("SLRF")


@pytest.mark.parametrize("gap", [1e-3, 0.02])
def test_random_states_give_finite_torques_within_limits_and_a_reason(rhex, gap):
    rng = np.random.default_rng(7)
    controller = mc.MaximalThrust(rhex, "alpha", task=PRESS, gap=gap, v0=1e-3)
    words = set()
    for q, v in random_states(rhex, rng, 60):
        controller(0.0, q, v)
        decision = controller.decisions[-1]
        check(decision, rhex, v)
        words.add(decision.fallback)
    assert len(controller.decisions) == 60
    assert {"", DROPPED} <= words


def test_random_states_through_the_observer(rhex):
    rng = np.random.default_rng(8)
    observe = RHexObserver.of(rhex)
    controller = mc.MaximalThrust(
        rhex, "alpha", task=PRESS, observe=observe, lifted=(2.0, 0.05), v0=(0.001, 0.08, 0.001, 0.001)
    )
    words = set()
    for q, v in random_states(rhex, rng, 80):
        controller(0.0, q, v)
        seen = observe(0.0, q, v)
        instant = controller.thresholds.read(rhex, *seen)
        check(controller.decisions[-1], rhex, instant.snapshot.v)
        words.add(controller.decisions[-1].fallback)
    assert "" in words


def test_airborne_separates_everywhere(rhex):
    controller = mc.MaximalThrust(rhex, "alpha", gap=1e-3)
    q = np.array(rhex.start)
    q[1] = 1.0
    controller(0.0, q, np.zeros(6))
    decision = controller.decisions[-1]
    assert decision.mode == "SSSS"
    assert decision.torque == pytest.approx(
        np.zeros(3), abs=1e-9
    )  # a massless leg in the air bears no torque
    with_task = mc.MaximalThrust(rhex, "alpha", task=PRESS)
    with_task(0.0, q, np.zeros(6))
    assert with_task.decisions[-1].fallback == DROPPED
    assert with_task.decisions[-1].mode == "SSSS"


def test_upside_down_is_answered(rhex):
    controller = mc.MaximalThrust(rhex, "alpha", task=PRESS, gap=0.05)
    q = np.array([0.0, 0.05, np.pi, 0.5, 0.5, 0.5])
    controller(0.0, q, np.zeros(6))
    check(controller.decisions[-1], rhex, np.zeros(6))


def test_an_impossible_task_is_dropped_and_the_rest_still_maximised(rhex):
    free = mc.MaximalThrust(rhex, "alpha")
    asked = mc.MaximalThrust(rhex, "alpha", task="body.normal >= 1e5")
    at = (0.0, rhex.start, np.zeros(6))
    assert asked(*at) == pytest.approx(free(*at))
    assert asked.decisions[-1].fallback == DROPPED
    assert asked.decisions[-1].mode == free.decisions[-1].mode
    assert free.decisions[-1].fallback == ""


def test_physical_constraints_that_leave_nothing_end_in_zero_inputs(rhex):
    controller = mc.MaximalThrust(rhex, "alpha", physical="body.normal >= 1e5", task=PRESS)
    assert controller(0.0, rhex.start, np.zeros(6)) == pytest.approx(np.zeros(3))
    assert controller.decisions[-1].fallback == NO_MODE
    assert controller.decisions[-1].mode is None


def test_unbounded_objectives_end_in_zero_inputs():
    table = mc.load("table")
    controller = mc.MaximalThrust(table, "x")
    assert controller(0.0, table.start, np.zeros(3)) == pytest.approx([0.0])
    assert controller.decisions[-1].fallback == NO_MODE


def test_ambiguity_that_cannot_be_avoided_is_recorded():
    """Between steep walls every small elbow torque has several answers."""
    model = mc.load("two_link", mu=0.8)
    controller = mc.MaximalThrust(model, "gamma", physical="-4 <= tau <= -1")
    controller(0.0, model.start, np.zeros(4))
    decision = controller.decisions[-1]
    assert decision.fallback == AMBIGUOUS
    assert decision.ambiguous
    assert -4 - 1e-9 <= decision.torque[0] <= -1 + 1e-9
    response = mc.dynamic_response(model.snapshot(model.start), physical="-4 <= tau <= -1")
    assert len(response.modes_at(np.clip(decision.torque, -4, -1))) > 1


def test_a_margin_keeps_its_distance(rhex):
    best = mc.maximize(mc.dynamic_response(rhex.snapshot(rhex.start), task=PRESS), "alpha", margin=3.0)
    controller = mc.MaximalThrust(rhex, "alpha", task=PRESS, margin=3.0)
    assert controller(0.0, rhex.start, np.zeros(6)) == pytest.approx(best.torque)
    assert best.distance >= 3.0 - 1e-9
    assert controller.values[-1] == pytest.approx(best.value)


def test_thrust_ends_once_and_for_all(rhex):
    controller = mc.MaximalThrust(
        rhex, "alpha", task=PRESS, end=lambda t, q, v: q[2] > 1.0, rest=[1.0, 2.0, 3.0]
    )
    late = np.array(rhex.start)
    late[2] = 1.1
    assert controller(0.0, rhex.start, np.zeros(6))[0] < 0
    assert controller(0.1, late, np.zeros(6)) == pytest.approx([1, 2, 3])
    assert controller(0.2, rhex.start, np.zeros(6)) == pytest.approx([1, 2, 3])
    assert controller.modes == ["RFLL", None, None]
    controller.reset()
    assert controller.decisions == []
    assert controller(0.3, rhex.start, np.zeros(6))[0] < 0


def test_lifted_legs_are_held_where_they_left(rhex):
    controller = mc.MaximalThrust(
        rhex, "alpha", task=PRESS, observe=RHexObserver.of(rhex), lifted=(2.0, 0.05)
    )
    q = np.array([0, 0, np.radians(20), -0.5, -0.5, -0.3])  # the front leg cannot reach the ground
    controller(0.0, q, np.zeros(6))
    assert controller.decisions[-1].torque[2] == 0.0
    q[5] += 0.1
    v = np.array([0, 0, 0, 0, 0, 2.0])
    assert controller(0.001, q, v)[2] == pytest.approx(-2.0 * 0.1 - 0.05 * 2.0)


def test_thresholds_decide_what_rests(rhex):
    q, v = np.array(rhex.start), np.array([0.05, 0, 0, 0, 0, 0])
    modes = []
    for v0 in (0.0, 0.1):
        controller = mc.MaximalThrust(rhex, "alpha", task=PRESS, v0=v0)
        controller(0.0, q, v)
        modes.append(controller.modes[-1])
    assert "F" not in modes[0]
    assert "L" not in modes[0]
    assert modes[1] == "RFLL"
    with pytest.raises(ValueError, match="threshold"):
        mc.MaximalThrust(rhex, "alpha", v0=(0.1, 0.2))
    with pytest.raises(ValueError, match="expected one number >= 0"):
        mc.MaximalThrust(rhex, "alpha", gap=-1.0)


# Blind
# -------------------------------------------------------------------------------------------------------


def blind(rhex, excess, steps=60):
    """A blind controller at rest that measures a pitch rate with more acceleration than predicted."""
    rate = [0.0]
    controller = mc.BlindThrust(
        rhex,
        "alpha",
        modes=("RRLL", "RFLL"),
        task=PRESS,
        observe=RHexObserver.of(rhex),
        ignore=0.01,
        measure=lambda t, q, v: rate[0],
    )
    for step in range(steps):
        controller(1e-3 * step, rhex.start, np.zeros(6))
        rate[0] += 1e-3 * (controller.decisions[-1].value + (excess if step > 20 else 0.0))
    return controller


def test_blind_switches_when_the_measured_acceleration_stays_above_the_predicted(rhex):
    controller = blind(rhex, 40.0)
    assert controller.modes[0] == "RRLL"
    assert controller.modes[-1] == "RFLL"
    assert controller.stage == 1
    assert controller.switches == 1
    assert len(controller.switch_times) == 1
    # a step of 40 through a low-pass of 20 ms reaches 15 after 20 ln(40 / 25) = 9.4 ms
    assert controller.switch_times[0] == pytest.approx(0.021 + 0.0094, abs=0.003)
    controller.reset()
    assert controller.stage == 0
    assert controller.switch_times == []


def test_blind_stays_when_the_prediction_holds(rhex):
    controller = blind(rhex, 10.0)
    assert set(controller.modes) == {"RRLL"}
    assert controller.values == pytest.approx(np.full(60, controller.values[0]))


def test_blind_needs_a_rate_to_measure(rhex):
    with pytest.raises(ValueError, match="measure"):
        mc.BlindThrust(rhex, "body.normal", modes=("RRLL",))
    with pytest.raises(ValueError, match="RR"):
        mc.BlindThrust(rhex, "alpha", modes=("RR",))


# Users' own
# --------------------------------------------------------------------------------------------------


class Constant(mc.Controller):
    """Always the same inputs."""

    def __init__(self, model, torque):
        super().__init__(model)
        self.torque = np.asarray(torque, float)

    def decide(self, t, q, v):
        return Decision(t, self.torque, "FF" if t < 0.5 else "RR", 2 * t, None, "", False)


def test_users_write_their_own():
    table = mc.load("table")
    controller = Constant(table, [3.0])
    for t in (0.0, 0.25, 0.5, 0.75):
        assert controller(t, table.start, np.zeros(3)) == pytest.approx([3.0])
    assert controller.times == pytest.approx([0.0, 0.25, 0.5, 0.75])
    assert controller.modes == ["FF", "FF", "RR", "RR"]
    assert controller.values == pytest.approx([0.0, 0.5, 1.0, 1.5])
    assert controller.switches == 1
    controller.reset()
    assert controller.switches == 0
    with pytest.raises(FloatingPointError, match="Constant"):
        Constant(table, [np.nan])(0.0, table.start, np.zeros(3))
    with pytest.raises(NotImplementedError, match="decide"):
        mc.Controller(table)(0.0, table.start, np.zeros(3))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (dict(lifted=5), "lifted"),
        (dict(lifted=(-1.0, 0.0)), "lifted"),
        (dict(lifted=(1.0, np.nan)), "lifted"),
        (dict(rest=[1.0]), "rest"),
        (dict(rest="off"), "rest"),
        (dict(v0="slow"), "v0"),
        (dict(gap="near"), "gap"),
        (dict(leaving=[1.0, 2.0]), "leaving"),
        (dict(margin=np.nan), "margin"),
    ],
)
def test_options_that_make_no_sense_are_named_at_once(rhex, options, word):
    with pytest.raises(ValueError, match=word):
        mc.MaximalThrust(rhex, "alpha", **options)


@pytest.mark.parametrize(
    "seen",
    [
        5,
        lambda q, v: (q,),
        lambda q, v: (q, v, [True]),
        lambda q, v: (q, v, [2, 0, 0, 0]),
        lambda q, v: (q, v, "FFFF"),
    ],
)
def test_what_observe_returns_is_checked(rhex, seen):
    """A list of closed contacts that is too short would be read beyond its end."""
    controller = mc.MaximalThrust(
        rhex, "alpha", observe=lambda t, q, v: seen(q, v) if callable(seen) else seen
    )
    with pytest.raises(ValueError, match=r"observe|closed contacts"):
        controller(0.0, rhex.start, np.zeros(6))


def test_rest_is_checked_when_it_is_asked_for(rhex):
    controller = mc.MaximalThrust(rhex, "alpha", end=lambda t, q, v: True, rest=lambda t, q, v: [1.0])
    with pytest.raises(ValueError, match=r"rest at t = 0\.5"):
        controller(0.5, rhex.start, np.zeros(6))


def test_a_single_assumed_mode_may_stand_alone(rhex):
    assert mc.BlindThrust(rhex, "alpha", modes="RRLL").assumed == ("RRLL",)
    assert mc.BlindThrust(rhex, "alpha").assumed == rhex.assumed == ("RRLL", "RFLL")
    with pytest.raises(ValueError, match="block assumes no contact modes; give modes="):
        mc.BlindThrust(mc.load("block"), "x")
    with pytest.raises(ValueError, match="modes is empty"):
        mc.BlindThrust(rhex, "alpha", modes=())


def test_a_goal_that_some_w_lets_grow_for_ever_is_taken_at_its_worst():
    """The bearing's spin has no upper bound over `w` in some modes; the sure answer holds it still."""
    bearing = mc.load("ball_bearing")
    controller = mc.MaximalThrust(bearing, "theta", gap=0.05)
    best = mc.maximize(mc.dynamic_response(bearing.snapshot(bearing.start)), "theta")
    torque = controller(0.0, bearing.start, np.zeros(3))
    decision = controller.decisions[-1]
    assert best.ambiguous_value == np.inf
    assert decision.fallback == ""
    assert decision.mode == best.mode
    assert decision.value == pytest.approx(best.value, abs=1e-9)
    assert torque == pytest.approx(best.torque)


def test_a_question_that_stays_open_is_no_reason_to_stop(rhex, monkeypatch):
    """The best inputs are used, and the record says that nothing is promised."""
    from modecontrol._core.layout import SURE, UNSETTLED

    controller = mc.MaximalThrust(rhex, "alpha", task=PRESS)
    honest = controller._prepared.best

    def undecided(*args, **options):
        found = honest(*args, **options)
        nothing = found.best._replace(found=False)
        return found._replace(status=UNSETTLED, best=nothing) if found.status == SURE else found

    monkeypatch.setattr(controller._prepared, "best", undecided)
    seen = set()
    for q, v in random_states(rhex, np.random.default_rng(5), 200):
        controller(0.0, q, v)
        check(controller.decisions[-1], rhex, v)
        seen.add((controller.decisions[-1].fallback, controller.decisions[-1].ambiguous))
    assert (AMBIGUOUS, True) in seen


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_patience_bounds_the_work_and_what_is_found_in_time_is_sure(margin):
    """Less patience never finds better inputs, and those that are said to work are explained by their mode alone."""
    biped = mc.load("biped")
    full = mc.MaximalThrust(biped, "pitch", margin=margin, patience=100_000)
    instant = full.thresholds.read(biped, np.array(biped.start), np.zeros(len(biped.coordinates)))
    resp = mc.dynamic_response(instant.snapshot)
    best = full._prepared.best(instant.snapshot, instant.touching, margin, patience=100_000)
    assert best.status == layout.SURE
    works = []
    for patience in (0, 1, 5, 20, 40, 80, 160, 320, 640, 1280, 5120):
        hurried = full._prepared.best(instant.snapshot, instant.touching, margin, patience=patience)
        assert hurried.programs <= patience + 30
        assert hurried.best.value <= best.best.value + 1e-9
        assert hurried.status != layout.SURE or hurried.best.value == pytest.approx(best.best.value)
        works.append(hurried.best.found)
        if hurried.best.found:
            assert resp.unambiguous(spell(hurried.best.letters), margin).contains(hurried.best.tau)
    assert works[-1]
    assert not works[0]


def test_a_state_with_thousands_of_modes_still_has_inputs_within_the_patience():
    """Equal promises are not told apart by rounding; when the patience ends, the mode without inputs is there."""
    snake = mc.load("snake")
    hurried, full = (mc.MaximalThrust(snake, "q4", v0=0.01, patience=p) for p in (None, 100_000))
    q, v = np.array(snake.start), np.zeros(len(snake.coordinates))
    instant = hurried.thresholds.read(snake, q, v)
    best = full._prepared.best(instant.snapshot, instant.touching, patience=100_000)
    assert best.status == layout.SURE
    assert best.programs < 1000
    for patience in (hurried.patience, 2 * hurried.patience):
        found = hurried._prepared.best(instant.snapshot, instant.touching, patience=patience)
        assert found.programs <= patience + 30
        assert found.hoped.found
        assert found.hoped.value <= best.best.value + 1e-9
        mode = mc.dynamic_response(instant.snapshot)[spell(found.hoped.letters)]
        assert mode.torques.contains(found.hoped.tau)
    hurried(0.0, q, v)
    assert hurried.decisions[-1].mode is not None


def test_without_patience_the_record_says_so():
    biped = mc.load("biped")
    controller = mc.MaximalThrust(biped, "pitch", patience=0)
    torque = controller(0.0, np.array(biped.start), np.zeros(len(biped.coordinates)))
    assert controller.decisions[-1].fallback == SPENT
    np.testing.assert_array_equal(torque, 0.0)


def test_a_controller_is_made_for_a_model(rhex):
    for thing in (rhex.snapshot(rhex.start), "rhex", None):
        with pytest.raises(TypeError, match="expected a model"):
            mc.MaximalThrust(thing, "alpha")
