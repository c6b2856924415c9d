"""Observers: the true mode and the true friction are never lost while the bounds hold."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.regions.friction_witness import friction_range
from modecontrol.trials.rhex.observer import at_rest


@pytest.fixture(scope="module")
def uncertain():
    return mc.load("rhex").uncertain(mu_toe=(0.3, 0.9), mu_body=(0.1, 0.3))


def truths(model, rng, count):
    """Random inputs at random friction: `(friction, mode, tau, q, qdd)`, every mode that may happen."""
    for _ in range(count):
        toe, body = rng.uniform([0.3, 0.1], [0.9, 0.3])
        q = at_rest(model, np.array([0.0, 0.0, rng.uniform(0.0, 0.4), -0.3, -0.3, -0.3]))
        exact = mc.dynamic_response(mc.load("rhex", mu_toe=toe, mu_body=body).snapshot(q))
        tau = rng.uniform(-11.0, 0.0, size=3) * (exact.snapshot.gap[1:] < 1e-6)
        for mode in exact.modes_at(tau):
            mine = exact[mode]
            yield (toe, body), mode, tau, q, mine.acceleration.value(tau, np.zeros(mine.ambiguity_variables))


def test_the_true_mode_and_the_true_friction_stay(uncertain):
    rng, seen, sharper = np.random.default_rng(0), 0, 0
    noise = np.array([1.0, 0.2])
    for (toe, body), mode, tau, q, qdd in truths(uncertain, rng, 25):
        values = qdd[[2, 0]] + noise * rng.uniform(-1, 1, size=2)
        modes = mc.ModeObserver(uncertain, ("alpha", "y"), noise)(0.0, tau, (q, np.zeros(6), values))
        assert mode in modes
        box = mc.FrictionObserver(uncertain, ("alpha", "y"), noise)(0.0, tau, (q, np.zeros(6), values))
        low, high = dict(zip(box.names, box.low, strict=True)), dict(zip(box.names, box.high, strict=True))
        assert low["mu_toe"] <= toe <= high["mu_toe"]
        assert low["mu_body"] <= body <= high["mu_body"]
        sharper += high["mu_toe"] - low["mu_toe"] < 0.59
        seen += 1
    assert seen >= 20
    assert sharper >= 5


def test_an_error_of_the_inputs_is_allowed_for(uncertain):
    rng = np.random.default_rng(1)
    for (toe, _), mode, tau, q, qdd in truths(uncertain, rng, 8):
        believed = tau + rng.uniform(-0.3, 0.3, size=3)
        options = dict(torque_error=0.3, noise=0.5)
        at = (q, np.zeros(6), qdd[[2]])
        assert mode in mc.ModeObserver(uncertain, "alpha", **options)(0.0, believed, at)
        box = mc.FrictionObserver(uncertain, "alpha", **options)(0.0, believed, at)
        j = box.names.index("mu_toe")
        assert box.low[j] <= toe <= box.high[j]


def test_a_sliding_point_mass_names_its_coefficient():
    snap = dict(
        mass=2.0 * np.eye(2),
        bias=[0.0, 2.0 * 9.81],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        velocity=[0.0, 1.0],
    )
    response = mc.dynamic_response(mc.Snapshot(**snap, friction=([0.1], [0.9])))
    mu, push = 0.37, 5.0
    a = (push - mu * 2.0 * 9.81) / 2.0
    P = np.eye(1, 5)  # (qdd, f, tau)
    found = friction_range(
        response.problem, "R", np.array([push]), 0, band=(P, np.array([a - 0.1]), np.array([a + 0.1]))
    )
    assert found == pytest.approx((mu - 0.1 / 9.81, mu + 0.1 / 9.81))


def test_a_contact_that_may_carry_nothing_says_nothing():
    """Pulled up by its own weight, a sliding point explains any coefficient."""
    snap = mc.Snapshot(
        mass=np.eye(2),
        bias=[0.0, 9.81],
        actuation=np.eye(2),
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=[0.4],
        velocity=[0.0, 1.0],
    )
    response = mc.dynamic_response(snap)
    assert response.friction_interval([0.0, 9.81], "R", "c1") == (0.0, np.inf)


def test_the_controller_promises_more_for_the_friction_that_is_left(uncertain):
    observer = mc.FrictionObserver(uncertain, ("alpha", "y"), (0.5, 0.1))
    controller = mc.MaximalThrust(uncertain, "alpha", task="body.normal >= 10", friction=observer)
    q = at_rest(uncertain, np.array([0.0, 0.0, np.radians(20.0), -0.3, -0.3, -0.3]))
    exact = mc.dynamic_response(mc.load("rhex", mu_toe=0.6).snapshot(q))
    values = []
    for step in range(3):
        tau = controller(1e-3 * step, q, np.zeros(6))
        values.append(controller.decisions[-1].value)
        mine = exact[exact.modes_at(tau)[0]]
        qdd = mine.acceleration.value(tau, np.zeros(mine.ambiguity_variables))
        assert qdd[2] >= values[-1] - 1e-6
        observer(1e-3 * step, tau, (q, np.zeros(6), qdd[[2, 0]]))
    assert values[-1] > values[0] + 1.0


def test_broken_bounds_are_counted_and_nothing_is_lost(uncertain):
    q, tau = uncertain.start, [-1.0, -1.0, -1.0]
    modes, friction = (
        mc.ModeObserver(uncertain, "alpha", 0.1),
        mc.FrictionObserver(uncertain, "alpha", 0.1),
    )
    assert modes(0.0, tau, (q, np.zeros(6), [1e4]))
    assert friction(0.0, tau, (q, np.zeros(6), [1e4])) is uncertain.friction_box
    assert (modes.broken, friction.broken) == (1, 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda m: mc.FrictionObserver(mc.load("rhex"), "alpha", 0.1), "expected intervals"),
        (lambda m: mc.ModeObserver(m, "alpha", -1.0), "expected one bound >= 0"),
        (lambda m: mc.ModeObserver(m, "alpha", 0.1)(0.0, [0, 0, 0], 3.0), r"expected \(q, v, values\)"),
        (
            lambda m: mc.ModeObserver(m, "alpha", 0.1)(0.0, [0, 0, 0], (m.start, np.zeros(6), [np.nan])),
            "finite",
        ),
    ],
)
def test_bad_input_is_one_clear_line(uncertain, make, words):
    with pytest.raises(ValueError, match=words) as caught:
        make(uncertain)
    assert "\n" not in str(caught.value)


def test_inputs_that_act_beyond_the_limits_are_explained():
    """Inputs are asked for within the limits and err by a bound: at a limit what acts may lie beyond it."""
    model = mc.load("rhex").uncertain(mu_toe=(0.5, 0.7))
    asked, error = np.full(3, -11.0), 0.2
    exact = mc.dynamic_response(mc.load("rhex").snapshot(model.start), torque_limits=[(-12.0, 0.0)] * 3)
    acting = asked - error
    (mode,) = exact.modes_at(acting)
    alpha = exact.accelerations_at(acting)[mode]["alpha"][0]
    measurement = (model.start, model.start_velocity, [alpha])
    modes = mc.ModeObserver(model, "alpha", 0.01, torque_error=error + 0.01)
    assert mode in modes(0.0, asked, measurement)
    friction = mc.FrictionObserver(model, "alpha", 0.01, torque_error=error + 0.01)
    box = friction(0.0, asked, measurement)
    assert (modes.broken, friction.broken) == (0, 0)
    assert box.low[0] <= 0.6 <= box.high[0] < 0.7
