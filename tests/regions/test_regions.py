"""Unambiguous, ambiguous and inconsistent inputs; margins; physical before task; what clashing modes differ
in.
"""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.regions import Clash

G = 9.81


def at_rest(name, **parameters):
    model = mc.load(name, **parameters)
    return model.snapshot(model.start)


def ends(region):
    assert len(region) == 1
    lower, upper = region.pieces[0].bounding_box
    return lower.item(), upper.item()


def test_shared_boundaries_are_no_ambiguity():
    response = mc.dynamic_response(at_rest("table"))
    assert ends(response.unambiguous("FF")) == pytest.approx((-29.43, 29.43))
    assert response.clashes() == []
    assert response.ambiguous().is_empty
    assert response.inconsistent().is_empty


def test_margin_keeps_off_the_boundary():
    response = mc.dynamic_response(at_rest("table"))
    assert ends(response.unambiguous("FF", margin=0.5)) == pytest.approx((-28.93, 28.93))
    assert response.unambiguous("FF", margin=100.0).is_empty
    assert ends(response.unambiguous("RR", margin=0.5)) == (pytest.approx(29.93), np.inf)
    for bad in (-1.0, np.nan):
        with pytest.raises(ValueError, match="margin"):
            response.unambiguous("FF", margin=bad)


def test_margin_is_a_distance_whatever_the_rows_are_scaled_by():
    model = mc.load("block")
    s = model.snapshot(model.start)
    actuation = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    s = mc.Snapshot(
        mass=s.mass,
        bias=s.bias,
        actuation=actuation,
        jacobian=s.jacobian,
        drift=s.drift,
        friction=s.friction,
        velocity=s.velocity,
    )
    response = mc.dynamic_response(s, torque_limits=[(-40, 40)] * 2)
    region = response.unambiguous("FF", margin=0.7)
    others = [
        response[mode].torques for mode in response if mode != "FF" and response[mode].torques.dimension == 2
    ]
    corners = np.vstack([piece.vertices for piece in region])
    nearest = min(other.distance(corner) for other in others for corner in corners)
    assert nearest == pytest.approx(0.7, abs=1e-6)


def test_unambiguous_regions_with_high_friction():
    response = mc.dynamic_response(at_rest("two_link", mu=0.7))
    assert ends(response.unambiguous("FFF")) == (-np.inf, pytest.approx(-4.905))
    for mode in ("LRL", "FFS", "SFF", "SSS"):
        assert response.unambiguous(mode).is_empty
    assert ends(response.ambiguous().merge()) == (pytest.approx(-4.905), np.inf)
    pairs = {clash.modes for clash in response.clashes()}
    assert ("FFF", "LRL") in pairs
    assert ("LRL", "SSS") not in pairs  # they meet in the single torque 0


def test_physical_before_task():
    """Greenfield's Fig. 4: a task that removes the other mode must not make an ambiguous torque look safe."""
    snapshot = at_rest("two_link", elbow=0.9, top=1.3, mu=0.5)
    wish = "p1.tangent_acceleration == 0"  # removes LRL from where it clashes with FFF
    plain = mc.dynamic_response(snapshot)
    tasked = mc.dynamic_response(snapshot, task=wish)
    always = mc.dynamic_response(snapshot, physical=wish)
    assert plain.unambiguous("FFF") == tasked.unambiguous("FFF")
    assert ends(tasked.unambiguous("FFF")) == (-np.inf, pytest.approx(-7.3197692, abs=1e-6))
    assert tasked.modes == plain.modes
    assert tasked.modes_at([-6.0]) == ["FFF", "LRL"]
    # the same rule as a law of nature does remove it
    assert always.modes_at([-6.0]) == ["FFF"]
    assert ends(always.unambiguous("FFF")) == (-np.inf, pytest.approx(-4.905))
    # and the task does cut what is left
    pushed = mc.dynamic_response(snapshot, task="tau >= -10")
    assert ends(pushed.unambiguous("FFF")) == pytest.approx((-10, -7.3197692), abs=1e-6)


def test_demand_reaches_the_region():
    response = mc.dynamic_response(at_rest("table"), task="left.tangent >= 5")
    some, every = response.unambiguous("FF", demand="some"), response.unambiguous("FF")
    assert some.contains([0.0])
    assert not every.contains([0.0])
    assert every == response["FF"].task_torques("every")


def test_difference_says_accelerations_before_forces():
    segment = mc.Polytope.box([0], [1])
    assert Clash(("F", "S"), segment, ("x",), ("c.normal",)).difference == "accelerations"
    assert Clash(("F", "S"), segment, (), ("c.normal",)).difference == "forces"
    assert Clash(("F", "S"), segment, (), ()).difference == "none"


@pytest.mark.parametrize("seed", range(12))
def test_modes_that_overlap_in_more_than_a_boundary_differ_in_accelerations(seed):
    """Strict letters are strict accelerations, so that a clash without different motion cannot be; forces
    alone are ambiguous only within a mode.
    """
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=2)
    s["friction"] = rng.choice([1.0, 3.0], size=2)
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=[(-20, 20)] * s["actuation"].shape[1])
    wide = [clash for clash in response.clashes() if clash.torques.dimension == response.torque_set.dimension]
    for clash in wide:
        assert clash.difference == "accelerations"
        tau = clash.torques.chebyshev.centre
        first, second = (response.accelerations_at(tau)[mode] for mode in clash.modes)
        apart = {
            name
            for name in first
            if max(abs(first[name][0] - second[name][0]), abs(first[name][1] - second[name][1])) > 1e-6
        }
        assert apart <= set(clash.accelerations)
        assert apart


def test_a_slice_inside_its_neighbours_is_benign():
    """S of a massless leg is the slice tau = 0 of its neighbours; it takes nothing from them."""
    response = mc.dynamic_response(at_rest("rhex", mu_toe=0.39))
    wide = [mode for mode in response if response[mode].torques.dimension == 3]
    for mode in wide:
        assert response.unambiguous(mode) == response[mode].torques
    thin = response.unambiguous("RRLS")
    assert thin.dimension == response["RRLS"].torques.dimension == 2


def test_ambiguous_and_inconsistent_partition_the_torque_set():
    model = mc.load("rod", mu=2.5)
    for v in ([0, 0, 0], [-1, 0, 0], [1, 0, 0]):
        response = mc.dynamic_response(
            model.snapshot(model.start, v), torque_limits=[(-20, 20), (-15, 15), (-10, 10)]
        )
        share = response.coverage()
        assert share["whole"] == pytest.approx(40 * 30 * 20)
        assert share["unambiguous"] + share["ambiguous"] + share["inconsistent"] == pytest.approx(
            share["whole"]
        )
        several, none = response.ambiguous(), response.inconsistent()
        for tau in np.random.default_rng(3).uniform(-1, 1, size=(40, 3)) * [20, 15, 10]:
            count = len(response.modes_at(tau))
            assert several.contains(tau) == (count > 1)
            assert none.contains(tau) == (count == 0)


def test_coverage_of_unlimited_inputs_is_infinite_not_an_error():
    share = mc.dynamic_response(at_rest("rod", mu=0.3), torque_limits=None).coverage()
    assert share["whole"] == np.inf
    assert share["unambiguous"] == np.inf
    assert share["ambiguous"] == 0.0


def test_coverage_is_about_physics_not_the_task():
    plain = mc.dynamic_response(at_rest("rhex")).coverage()
    tasked = mc.dynamic_response(at_rest("rhex"), task="body.normal >= 10").coverage()
    assert plain == pytest.approx(tasked)


def test_row_order_and_repeated_rows_change_nothing():
    snapshot = at_rest("rhex", mu_toe=0.39)
    rules = ["tau1 >= -5", "body.normal >= 20", "tau2 <= -1"]
    first = mc.dynamic_response(snapshot, physical=rules)
    again = mc.dynamic_response(snapshot, physical=[*reversed(rules), *rules])
    assert first.modes == again.modes
    for mode in first:
        assert first[mode].torques == again[mode].torques


def test_wrong_inputs():
    response = mc.dynamic_response(at_rest("table"))
    for tau in ([1, 2], [np.nan], "x", 3.0, None):
        with pytest.raises(ValueError, match=r"expected 1 finite number \("):
            response.modes_at(tau)
        with pytest.raises(ValueError, match="push"):
            response.forces_at(tau)


def test_inputs_and_limits_by_name():
    snapshot = at_rest("rhex")
    response = mc.dynamic_response(snapshot, torque_limits={"tau2": (-3, 0)})
    assert response.torque_set == mc.Polytope.box([-11, -3, -11], [11, 0, 11])
    assert response.modes_at({"tau3": -1, "tau1": -2, "tau2": -1}) == response.modes_at([-2, -1, -1])
    assert str(response.torque_set).splitlines()[0] == "-tau1 <= 11"
    with pytest.raises(ValueError, match="unknown input 'tau9'; did you mean 'tau3'"):
        mc.dynamic_response(snapshot, torque_limits={"tau9": (0, 1)})
    for wrong in ({"tau1": (1, 0)}, {"tau1": 3}):
        with pytest.raises(ValueError, match="a dict of some by name"):
            mc.dynamic_response(snapshot, torque_limits=wrong)
    with pytest.raises(ValueError, match="a dict of all of them by name"):
        response.modes_at({"tau1": 1})
