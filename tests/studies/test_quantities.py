import math
import re

import numpy as np
import pytest
from study_functions import noisy, several, touchy, upright

import modecontrol as mc
from modecontrol.studies import QUANTITIES, with_columns
from modecontrol.studies.quantities import BUILT_IN, Quantity, as_quantities, as_quantity

MU = [0.2, 0.4, 0.8]
LIMITS = {"torque_limits": [(-30, 30)]}


@pytest.fixture(scope="module")
def two_link():
    return mc.study(
        "two_link",
        {"mu": MU},
        ["modes", "thrust", "loss", "distance", "volumes"],
        objective="p2.normal",
        executor=1,
        margin=1e-3,
        **LIMITS,
    )


@pytest.mark.parametrize("j", range(len(MU)))
def test_numbers_are_those_of_single_instants(two_link, j):
    model = mc.load("two_link", mu=MU[j])
    response = mc.dynamic_response(model.snapshot(model.start), **LIMITS)
    best = mc.maximize(response, "p2.normal", margin=1e-3)
    volumes = response.coverage()
    expected = {
        "modes": len(response.modes),
        "thrust": best.value,
        "mode": best.mode,
        "distance": best.distance,
        "loss": best.ambiguous_value - best.value,
        "volume_sure": volumes["unambiguous"],
        "volume_ambiguous": volumes["ambiguous"],
        "volume_inconsistent": volumes["inconsistent"],
    }
    assert {name: two_link[name][j] for name in expected} == expected


def test_the_sure_the_ambiguous_and_the_inconsistent_make_up_the_whole(two_link):
    total = two_link["volume_sure"] + two_link["volume_ambiguous"] + two_link["volume_inconsistent"]
    np.testing.assert_allclose(total, 60.0, rtol=1e-9)


def test_outcome_thrust_promises_no_less_and_is_that_of_maximize():
    found = mc.study(
        "two_link",
        {"mu": [0.2, 0.3]},
        ["thrust", "outcome_thrust", "critical_friction"],
        objective="p2.normal",
        executor=1,
        **LIMITS,
    )
    assert np.all(found["outcome_thrust"] >= found["thrust"] - 1e-9)
    model = mc.load("two_link", mu=0.3)
    response = mc.dynamic_response(model.snapshot(model.start), **LIMITS)
    assert found["outcome_thrust"][1] == mc.maximize(response, "p2.normal", guarantee="outcome").value
    assert np.isnan(found["critical_friction"]).all()  # forces of braced links are not determined
    assert all("does not determine" in reason for reason in found["reason"])
    little = {"name": "outcome_thrust", "patience": 2}
    short = mc.study("two_link", {"mu": [0.8]}, [little], objective="p2.normal", executor=1, **LIMITS)
    assert "raise patience" in short["reason"][0]  # a lower bound, and said to be one
    whole = mc.study(
        "two_link", {"mu": [0.8]}, ["outcome_thrust"], objective="p2.normal", executor=1, **LIMITS
    )
    assert short["outcome_thrust"][0] < whole["outcome_thrust"][0]
    assert not whole["reason"][0]
    assert short.failed == whole.failed == 0
    assert short.reasons()


def test_critical_friction_of_a_rod_is_the_textbook_one():
    """A homogeneous rod of half length `a` and mass `m` on a rough floor: Painleve's bound in closed form."""
    phi, coefficients = 1.0, [0.3, 1.0, 2.0]
    found = mc.study(
        "rod", {"mu": coefficients}, ["critical_friction"], q={"phi": phi}, place=upright, executor=1
    )
    p = mc.load("rod").parameters
    ratio = p["m"] * (p["l"] / 2) ** 2 / p["I"]
    bound = (1 + ratio * np.cos(phi) ** 2) / (ratio * np.sin(phi) * np.cos(phi))
    np.testing.assert_allclose(found["critical_friction"] * coefficients, bound, rtol=1e-9)


def test_coordinates_and_velocities_move_the_mechanism():
    found = mc.study(
        "rod", {"phi": [0.9, 1.0], "y_d": [0.0, -1.0, 1.0]}, ["modes"], place=upright, executor=1
    )
    np.testing.assert_array_equal(
        found["modes"].reshape(2, 3), [[4, np.nan, 1]] * 2
    )  # at rest, an impact, leaving
    assert all("approaches" in reason for reason in found["reason"][[1, 4]])
    assert set(found["reason"][[0, 2, 3, 5]]) == {""}


def test_a_point_that_fails_keeps_its_reason_and_the_others_their_numbers():
    found = mc.study("rod", {"mu": [0.25, 0.5, 0.75]}, [touchy, "modes"], place=upright, executor=1)
    np.testing.assert_array_equal(found["touchy"], [np.nan, np.nan, 4.0])
    assert list(found["reason"]) == ["a quarter has no answer", "touchy: float division by zero", ""]
    assert not np.isnan(found["modes"]).any()
    assert found.failed == 2


def test_a_task_that_nothing_meets_is_an_answer():
    found = mc.study(
        "block", {"mu": [0.2, 0.3]}, ["thrust", "loss"], objective="x", task="left.normal >= 1e6", executor=1
    )
    assert np.isnan(found["thrust"]).all()
    assert found.reasons() == {"no contact mode can meet the task 'left.normal >= 1e6'": 2}


def test_random_numbers_belong_to_the_point_and_the_seed():
    columns = [
        mc.study("rod", {"mu": np.linspace(0.1, 1, 12)}, [noisy], executor=1, chunk=chunk, seed=seed)["noisy"]
        for chunk, seed in ((12, 4), (5, 4), (5, 5))
    ]
    np.testing.assert_array_equal(columns[0], columns[1])
    assert len(np.unique(columns)) == 24


def test_columns_of_every_type_come_out_as_they_are():
    frame = mc.study("rod", {"phi": [0.3, 0.9]}, [several], executor=1).to_pandas()
    assert [str(frame[name].dtype) for name in ("steep", "legs")] == ["boolean", "Int64"]
    assert frame[["steep", "name", "legs"]].to_numpy().tolist() == [[False, "rod 0", 1], [True, "rod 1", 1]]


def test_flip_is_the_trial():
    from modecontrol.trials.rhex.flip import fly

    run = fly("new", 0.6, step=1e-3, stall=11.0)
    found = mc.study("rhex", {"stall": [5.0, 11.0]}, [{"name": "flip", "step": 1e-3}], executor=1)
    np.testing.assert_array_equal(found["flip_time"], [np.nan, run.flipped])
    np.testing.assert_array_equal(found["flipped"], [0.0, 1.0])
    assert found["upright_time"][1] == run.upright
    assert set(found["reason"]) == {""}


def test_latency_is_a_time():
    found = mc.study(
        "rhex",
        {"mu_toe": [0.5]},
        [{"name": "latency", "calls": 3}],
        objective="alpha",
        task="body.normal >= 10",
        executor=1,
    )
    assert 0 < found["latency"][0] < math.inf
    assert BUILT_IN["latency"].varies


def test_every_quantity_that_ships_has_a_sentence():
    assert set(QUANTITIES) == set(BUILT_IN)
    assert all(one.function.__doc__.strip().endswith(".") for one in BUILT_IN.values())


@with_columns({"a": "number", "b": "number"})
def wrong(point):
    return {"a": 1.0}


def test_columns_that_were_not_declared_are_said():
    found = mc.study("rod", {"mu": [0.5]}, [wrong], executor=1)
    assert (
        found["reason"][0]
        == "wrong: returned the columns a; expected a, b: declare them with @with_columns(...)"
    )


def test_text_where_a_number_was_declared_is_said():
    def named(point):
        return "high"

    found = mc.study("rod", {"mu": [0.5]}, [named], executor=1)
    assert found["reason"][0] == "named: named is 'high'; expected a number"


@pytest.mark.parametrize(
    ("things", "message"),
    [
        (["thurst"], "quantity 'thurst' is unknown; did you mean 'thrust'?"),
        ([], "no quantities"),
        (["modes", "modes"], "the column 'modes' of quantity 'modes' is already there"),
        ([{"name": "flip", "knd": "blind"}], "quantity 'flip' has no setting 'knd'; did you mean 'kind'?"),
        ([3], "quantity 3 is unknown"),
    ],
)
def test_mistakes_are_named(things, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        as_quantities(things)


def test_types_of_columns_are_checked():
    with pytest.raises(ValueError, match="has the type 'float'; expected one of number, count, truth, text"):
        Quantity("x", {"x": "float"}, wrong)


def test_a_name_that_varies_cannot_be_a_quantity():
    with pytest.raises(ValueError, match="the column 'mu' of quantity 'mu' is already there"):
        mc.study(
            "rod", {"mu": [0.5]}, [as_quantity({"name": Quantity("mu", {"mu": "number"}, wrong)})], executor=1
        )
