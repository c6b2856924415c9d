"""Constraints by text, by matrix, by expression; torque limits; errors that name what is wrong."""

import pickle

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.modes.constraints import stack, torque_rows
from modecontrol.modes.linear import Linear


@pytest.fixture(scope="module")
def rhex():
    model = mc.load("rhex", mu_toe=0.39)
    return model.snapshot(model.start)


def test_text_matrix_and_expression_say_the_same(rhex):
    force = np.zeros((1, 8))
    force[0, 0] = 2.0
    torque = np.array([[-3.0, 0.0, 0.0]])
    q = mc.quantity
    ways = [
        "2*body.normal - 3*tau1 >= 120",
        mc.Constraint("2*body.normal >= 120 + 3*tau1"),
        mc.Constraint(force=force, torque=torque, at_least=120.0),
        2 * q("body.normal") - 3 * q("tau1") >= 120,
        2 * q("body.normal") - 3 * q("tau1") >= 120,
        "-(2*body.normal - 3*tau1)/2 <= -60",
    ]
    rows = [stack(way, rhex) for way in ways]
    for other in rows:
        assert other.P / np.abs(other.P).max() == pytest.approx(rows[0].P / np.abs(rows[0].P).max())
        assert other.p / np.abs(other.P).max() == pytest.approx(rows[0].p / np.abs(rows[0].P).max())
        assert not other.equality.any()
    modes = [mc.dynamic_response(rhex, physical=way).modes for way in ways]
    assert all(found == modes[0] for found in modes)
    assert set(modes[0]) < set(mc.dynamic_response(rhex).modes)


def test_chains_and_equalities_in_text(rhex):
    chain = stack("1 <= tau1 <= 2", rhex)
    assert chain.P[:, -3].tolist() == [1.0, -1.0]
    assert chain.p.tolist() == [1.0, -2.0]
    assert chain.labels == ("1 <= tau1 <= 2 [1]", "1 <= tau1 <= 2 [2]")
    for text in ("alpha == 3", "alpha = 3", "3 == alpha_dd"):
        row = stack(text, rhex)
        assert row.equality.tolist() == [True]
        assert abs(row.P[0, 2]) == 1.0
        assert row.P[0, 2] * row.p[0] == 3.0


def test_contact_accelerations_use_the_jacobian_and_the_drift():
    model = mc.load("rhex")
    snapshot = model.snapshot(model.start, [0.3, 0, 0, 1.0, 0, 0])
    row = stack("rear.tangent_acceleration >= 5", snapshot)
    assert row.P[0, :6] == pytest.approx(snapshot.jacobian[3])
    assert row.p[0] == pytest.approx(5 - snapshot.drift[3])


def test_equality_constraint_holds_in_every_mode(rhex):
    response = mc.dynamic_response(rhex, physical="tau1 == tau2")
    assert len(response) > 0
    for mode in response:
        T = response[mode].torques
        assert T.support([1, -1, 0]) == pytest.approx(0.0, abs=1e-7)
        assert T.support([-1, 1, 0]) == pytest.approx(0.0, abs=1e-7)
    pitching = mc.dynamic_response(rhex, physical="alpha == 0")
    assert "SFRR" not in pitching
    for mode in pitching:
        r = pitching[mode]
        point = r.domain._start.point
        assert r.acceleration["alpha"].value(point[:3], point[3:]) == pytest.approx(0.0, abs=1e-7)


def test_contradictory_constraints_leave_no_mode(rhex):
    response = mc.dynamic_response(rhex, physical=["tau1 >= -4", "tau1 <= -5"])
    assert response.modes == []
    assert response.modes_at([-4.5, 0, 0]) == []
    answer = response.explain("FFFF")
    assert answer.stage == "physical constraints"
    assert set(answer.causes) == {"tau1 >= -4", "tau1 <= -5"}


def test_constant_constraints_are_true_or_false(rhex):
    assert mc.dynamic_response(rhex, physical="0*tau1 >= -1").modes == mc.dynamic_response(rhex).modes
    assert mc.dynamic_response(rhex, physical="0*tau1 >= 1").modes == []


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("tau9 >= 1", r"unknown quantity 'tau9'; did you mean 'tau\d'\?"),
        ("body.norml >= 1", r"did you mean 'body.normal'\?"),
        ("bdy.normal >= 1", r"did you mean 'body.normal'\?"),
        ("tau1", "compares nothing"),
        ("tau1 > 1", "expected >=, <= or =="),
        ("tau1 != 1", "'tau1 != 1' has a comparison.*expected >=, <= or =="),
        ("tau1 * tau2 >= 1", r"'tau1 \* tau2' in .* is not linear"),
        ("1 / tau1 >= 1", "is not linear"),
        ("tau1 / 0 >= 1", "is not linear"),
        ("tau1 >=", "cannot read"),
        ("__import__('os') >= 1", "is not linear"),
        ("tau1 >= 1e400", "is inf; expected one finite number"),
        ("tau1 >= True", "is not linear"),
    ],
)
def test_bad_rules_say_what_is_wrong(rhex, rule, message):
    with pytest.raises(ValueError, match=message):
        mc.dynamic_response(rhex, physical=rule)
    with pytest.raises(ValueError, match=message):
        mc.dynamic_response(rhex, task=[rule])


def test_python_comparisons_that_mean_something_else_raise():
    q = mc.quantity("tau1")
    with pytest.raises(TypeError, match="neither true nor false"):
        assert 1 <= q <= 2
    with pytest.raises(TypeError, match="equals"):
        mc.Constraint(q == 1)
    with pytest.raises(TypeError, match="not a number"):
        q * q
    with pytest.raises(TypeError, match="not a number"):
        q / q


def test_misuse_of_constraint(rhex):
    with pytest.raises(ValueError, match="not by both"):
        mc.Constraint("tau1 >= 1", torque=[[1, 0, 0]])
    with pytest.raises(ValueError, match="exactly one of"):
        mc.Constraint(torque=[[1, 0, 0]])
    with pytest.raises(ValueError, match="exactly one of"):
        mc.Constraint(torque=[[1, 0, 0]], at_least=1, equal=1)
    with pytest.raises(ValueError, match=r"'squeeze': torque has shape \(1, 2\); expected \(1, 3\)"):
        stack(mc.Constraint(torque=[[1, 0]], at_least=1, name="squeeze"), rhex)
    with pytest.raises(ValueError, match="is nan; expected numbers"):
        stack(mc.Constraint(torque=[[np.nan, 0, 0]], at_least=1), rhex)
    with pytest.raises(TypeError, match="expected constraints"):
        mc.dynamic_response(rhex, physical=5)


def test_expressions_print_and_travel():
    q = mc.quantity
    rule = 2 * q("body.normal") - q("tau1") / 4 - 3 >= 11
    assert str(rule) == "2 body.normal - 0.25 tau1 >= 14"
    assert str(-q("tau1") <= 11 * q("tau2")) == "11 tau2 + tau1 >= 0"
    assert str(Linear({})) == "0"
    assert str(Linear.of("1 - tau1")) == "-tau1 + 1"
    assert (1 - q("tau1")).constant == 1
    again = pickle.loads(pickle.dumps(mc.Constraint(rule)))
    assert again.name == str(rule)
    assert again.rules[0].expression.coefficients == rule.expression.coefficients


# Torque limits
# --------------------------------------------------------------------------------------------------


def test_limits_of_the_snapshot_are_the_default(rhex):
    rows = torque_rows(None, rhex)
    assert rows.labels[:2] == ("tau1 lower limit", "tau1 upper limit")
    assert mc.dynamic_response(rhex).torque_set.volume == pytest.approx(22.0**3)
    unlimited = mc.dynamic_response(rhex, torque_limits=[(-np.inf, np.inf)] * 3)
    assert not unlimited.torque_set.is_bounded
    assert set(unlimited.modes) > set(mc.dynamic_response(rhex).modes)


def test_limits_as_a_polytope(rhex):
    simplex = mc.Polytope(np.vstack([-np.ones((1, 3)), np.eye(3)]), [10, 0, 0, 0])
    response = mc.dynamic_response(rhex, torque_limits=simplex)
    for mode in response:
        assert (response[mode].torques - simplex).is_empty
    line = mc.Polytope(None, None, C=[[1.0, -1, 0], [0, 1, -1]], d=[0, 0])
    tied = mc.dynamic_response(rhex, torque_limits=line)
    assert max(tied[mode].torques.dimension for mode in tied) == 1
    nothing = mc.dynamic_response(rhex, torque_limits=mc.Polytope.empty(3))
    assert nothing.modes == []
    assert nothing.inconsistent().is_empty


def test_practically_infinite_limits_change_nothing(rhex):
    free = mc.dynamic_response(rhex, torque_limits=[(-np.inf, np.inf)] * 3)
    for limit in (1e6, 1e9, 1e20):
        huge = mc.dynamic_response(rhex, torque_limits=[(-limit, limit)] * 3)
        assert huge.modes == free.modes
        for tau in np.random.default_rng(0).uniform(-10, 1, size=(10, 3)):
            assert huge.modes_at(tau) == free.modes_at(tau)


@pytest.mark.parametrize(
    "limits",
    [
        5,
        "x",
        [(0, 1)],
        [(1, 0), (0, 1), (0, 1)],
        [(np.nan, 1), (0, 1), (0, 1)],
        [(np.inf, np.inf), (0, 1), (0, 1)],
        [(0, 1, 2)] * 3,
        mc.Polytope.box([0], [1]),
    ],
)
def test_wrong_torque_limits(rhex, limits):
    with pytest.raises(ValueError, match=r"torque_limits is .*expected 3"):
        mc.dynamic_response(rhex, torque_limits=limits)


def test_limits_of_an_input_that_does_not_exist():
    model = mc.load("two_link")
    snapshot = model.snapshot(model.start)
    with pytest.raises(ValueError, match=r"unknown input 'tua'; did you mean 'tau'\? \(inputs: tau\)"):
        mc.dynamic_response(snapshot, torque_limits={"tua": (-1, 1)})
    with pytest.raises(ValueError, match="found an empty text"):
        mc.dynamic_response(snapshot, task=" ")
