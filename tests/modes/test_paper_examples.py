"""The examples of Greenfield 2005 (Figs. 1, 5, 6, 7) and Painleve's rod, with figures worked out by hand or
measured apart.
"""

import numpy as np
import pytest

import modecontrol as mc

G = 9.81


def at_rest(name, **parameters):
    model = mc.load(name, **parameters)
    return model.snapshot(model.start)


def interval(polytope):
    lower, upper = polytope.bounding_box
    return lower.item(), upper.item()


# Two links between two walls (Fig. 1)
# --------------------------------------------------------------------------


def test_two_link_all_fixed_is_a_10_by_10_system_of_rank_8():
    fixed = mc.dynamic_response(at_rest("two_link"))["FFF"]
    assert fixed.system.A.shape == (10, 10)
    assert fixed.system.rank == 8
    assert fixed.ambiguity_variables == 2
    assert fixed.case == "ambiguous"
    assert fixed.ambiguity.accelerations == ()
    assert len(fixed.ambiguity.forces) == 6
    assert not fixed.ambiguity.fragile


def test_two_link_has_24_kinematic_modes_of_64():
    modes = mc.kinematic_modes(at_rest("two_link"))
    assert len(modes) == 24
    assert "FFF" in modes
    assert "SSS" in modes


@pytest.mark.parametrize(
    ("mu", "bound"), [(0.1, -29.43), (0.2, -14.715), (0.4, -7.3575), (0.55, -G * 0.6 / (2 * 0.55))]
)
def test_two_link_braces_itself_with_enough_torque(mu, bound):
    response = mc.dynamic_response(at_rest("two_link", mu=mu))
    lower, upper = interval(response["FFF"].torques)
    assert lower == -np.inf
    assert upper == pytest.approx(bound, rel=1e-9)
    assert interval(response["LRL"].torques) == pytest.approx((bound, 0.0), abs=1e-9)
    assert not response.clashes()


def test_two_link_with_high_friction_jams_whatever_the_torque():
    response = mc.dynamic_response(at_rest("two_link", mu=0.7))
    assert interval(response["FFF"].torques) == (-np.inf, np.inf)
    assert {"LRL", "FFS", "SFF", "SSS"} <= set(response.modes)
    region = response.unambiguous("FFF")
    assert len(region) == 1
    assert interval(region.pieces[0]) == (-np.inf, pytest.approx(-4.905, rel=1e-9))
    assert region.contains([-5.0])
    assert not region.contains([-4.8])


def test_two_link_one_slides_while_two_are_fixed_is_infeasible():
    snapshot = at_rest("two_link")
    assert "LFF" not in mc.kinematic_modes(snapshot)
    answer = mc.dynamic_response(snapshot).explain("LFF")
    assert not answer.possible
    assert answer.stage == "kinematics"
    assert set(answer.causes) == {
        "p1 slides left",
        "p1 stays on the surface",
        "p2 sticks",
        "p3 stays on the surface",
        "p3 sticks",
    }


def test_two_link_asymmetric_domains_overlap_while_bounded():
    response = mc.dynamic_response(at_rest("two_link", elbow=0.9, top=1.3, mu=0.5))
    assert interval(response["FFF"].torques) == (-np.inf, pytest.approx(-4.905, rel=1e-9))
    assert interval(response["LRL"].torques) == pytest.approx((-7.3197692, 0.0), abs=1e-6)
    clash = next(c for c in response.clashes() if c.modes == ("FFF", "LRL"))
    assert interval(clash.torques) == pytest.approx((-7.3197692, -4.905), abs=1e-6)
    assert clash.difference == "accelerations"


# Table (Fig. 5)
# -------------------------------------------------------------------------------------------------


def test_table_forces_are_ambiguous_and_accelerations_unique():
    response = mc.dynamic_response(at_rest("table"))
    assert response.modes == ["FF", "LL", "RR"]
    both = response["FF"]
    assert both.system.A.shape == (7, 7)
    assert both.system.rank == 6
    assert both.ambiguity.accelerations == ()
    assert both.ambiguity.forces == ("left.tangent", "right.tangent")
    assert interval(both.torques) == pytest.approx((-29.43, 29.43))
    assert interval(response["RR"].torques) == (pytest.approx(29.43), np.inf)
    assert interval(response["LL"].torques) == (-np.inf, pytest.approx(-29.43))
    forces = response.forces_at([0.0])["FF"]
    assert forces["left.tangent"] == pytest.approx((-14.715, 14.715))
    assert forces["left.normal"] == pytest.approx((49.05, 49.05))
    assert response.accelerations_at([0.0])["FF"]["x"] == pytest.approx((0.0, 0.0))


def test_table_at_the_end_of_sticking_both_modes_give_the_same_forces():
    response = mc.dynamic_response(at_rest("table"))
    forces = response.forces_at([29.43])
    assert list(forces) == ["FF", "RR"]
    for name, (least, greatest) in forces["FF"].items():
        assert least <= greatest
        assert (least, greatest) == pytest.approx(forces["RR"][name], abs=1e-7)


# Ball bearing (Fig. 6)
# ------------------------------------------------------------------------------------------


def test_ball_bearing_forces_and_acceleration_are_ambiguous():
    model = mc.load("ball_bearing")
    response = mc.dynamic_response(model.snapshot(model.start, model.start_velocity))
    assert response.modes == ["RRRR"]
    sliding = response["RRRR"]
    assert sliding.system.A.shape == (11, 11)
    assert sliding.system.rank == 9
    assert sliding.ambiguity_variables == 2
    assert sliding.ambiguity.accelerations == ("theta",)
    assert len(sliding.ambiguity.forces) == 8
    least, greatest = response.accelerations_at([0.0])["RRRR"]["theta"]
    assert least == -np.inf
    assert greatest == pytest.approx(-10.684158, abs=1e-6)


# RHex at rest (Fig. 7)
# ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rhex():
    return mc.dynamic_response(at_rest("rhex", mu_toe=0.39))


def test_rhex_at_rest_has_53_modes_and_13_with_interior(rhex):
    assert len(rhex) == 53
    wide = [mode for mode in rhex if rhex[mode].torques.dimension == 3]
    assert wide == [
        "FFFF",
        "LFRR",
        "LLFR",
        "LLLF",
        "LLLR",
        "LLRR",
        "LRRR",
        "RFLL",
        "RRFL",
        "RRLL",
        "RRRF",
        "RRRL",
        "SFRR",
    ]


def test_rhex_modes_tile_the_octant_of_pushing_torques(rhex):
    coverage = rhex.coverage()
    assert coverage["whole"] == pytest.approx(22.0**3)
    assert coverage["unambiguous"] == pytest.approx(11.0**3)
    assert coverage["ambiguous"] == 0.0
    assert coverage["inconsistent"] == pytest.approx(7 * 11.0**3)
    rng = np.random.default_rng(5)
    nothing = rhex.inconsistent()
    for tau in rng.uniform(-11, 11, size=(40, 3)):
        pushes = bool(np.all(tau < 0))
        assert len(rhex.modes_at(tau)) == pushes
        assert nothing.contains(tau) != pushes


def test_rhex_massless_leg_in_the_air_has_no_torque_and_no_determined_angle(rhex):
    lifted = rhex["RRLS"]
    assert lifted.case == "ambiguous, torque restricted"
    assert lifted.torques.bounding_box[0][2] == pytest.approx(0.0, abs=1e-9)
    assert lifted.torques.bounding_box[1][2] == pytest.approx(0.0, abs=1e-9)
    assert lifted.ambiguity.accelerations == ("phi3",)
    assert lifted.ambiguity.forces == ()
    answer = mc.dynamic_response(at_rest("rhex"), torque_limits=[(-11, 11), (-11, 11), (1, 11)]).explain(
        "RRLS"
    )
    assert answer.stage == "torque limits"
    assert "tau3 lower limit" in answer.causes


# Painleve's rod
# -------------------------------------------------------------------------------------------------


def test_rod_sliding_with_high_friction_has_none_or_two_answers():
    model = mc.load("rod", mu=3.0)
    response = mc.dynamic_response(
        model.snapshot(model.start, [-1.0, 0.0, 0.0]), torque_limits=[(-20, 20)] * 3
    )
    assert response.modes == ["L", "S"]
    # normal acceleration = a + c f_n with c < 0: the same sign of a decides both modes
    assert response.modes_at([0, 0, 0]) == []
    assert response.modes_at([0, 15, 0]) == ["L", "S"]
    coverage = response.coverage()
    assert coverage["unambiguous"] == pytest.approx(0.0, abs=1e-6)
    assert coverage["ambiguous"] + coverage["inconsistent"] == pytest.approx(64000.0)
    assert response.inconsistent().contains([0, 0, 0])
    assert response.ambiguous().contains([0, 15, 0])
    assert response.clashes()[0].difference == "accelerations"


def test_rod_at_rest_with_high_friction_has_one_or_three_answers():
    model = mc.load("rod", mu=3.0)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-20, 20)] * 3)
    assert response.coverage()["inconsistent"] == pytest.approx(0.0, abs=1e-6)
    counts = {len(response.modes_at(tau)) for tau in np.random.default_rng(2).uniform(-20, 20, size=(400, 3))}
    assert counts == {1, 3}


def test_rod_sliding_the_other_way_has_exactly_one_answer():
    model = mc.load("rod", mu=3.0)
    response = mc.dynamic_response(
        model.snapshot(model.start, [1.0, 0.0, 0.0]), torque_limits=[(-20, 20)] * 3
    )
    coverage = response.coverage()
    assert coverage["unambiguous"] == pytest.approx(64000.0)


# Loop closures
# --------------------------------------------------------------------------------------------------


def test_four_bar_loop_closures_are_part_of_the_system():
    model = mc.load("four_bar")
    snapshot = model.snapshot(model.start)
    response = mc.dynamic_response(snapshot)
    fixed = response["F"]
    # 3 coordinates + 2 forces + 2 multipliers; dynamics 3, loop 2, contact 2
    assert fixed.system.A.shape == (7, 7)
    assert {"loop closure 1", "loop closure 2"} <= set(fixed.system.equality_labels)
    tau, w = np.array([1.5]), np.zeros(fixed.ambiguity_variables)
    for mode in response:
        acceleration = response[mode].acceleration.value(tau, np.zeros(response[mode].ambiguity_variables))
        closing = snapshot.loop_jacobian @ acceleration + snapshot.loop_drift
        assert np.abs(closing).max() <= 1e-9 * (1 + np.abs(acceleration).max())
    assert np.abs(fixed.acceleration.value(tau, w)).max() <= 1e-9


def test_four_bar_moving_has_the_drift_of_its_loop():
    model = mc.load("four_bar")
    still = model.snapshot(model.start)
    # a velocity within the loop: the null vector of its Jacobian, away from the ceiling
    v = np.linalg.svd(still.loop_jacobian)[2][-1]
    if (still.jacobian @ v)[0] < 0:
        v = -v
    snapshot = model.snapshot(model.start, v)
    response = mc.dynamic_response(snapshot)
    assert response.modes == ["S"]
    acceleration = response["S"].acceleration.value([0.0])
    assert np.abs(snapshot.loop_drift).max() > 1e-3
    assert snapshot.loop_jacobian @ acceleration == pytest.approx(-snapshot.loop_drift, abs=1e-9)


# Many contacts
# --------------------------------------------------------------------------------------------------


def body_on_points(x, y=0.0, mu=0.5):
    """One planar body, contact points (x, y) on a floor, its centre at the origin."""
    x = np.asarray(x, float)
    y = np.broadcast_to(y, x.shape)
    k = len(x)
    jacobian = np.zeros((2 * k, 3))
    jacobian[0::2] = np.column_stack([np.zeros(k), np.ones(k), x])
    jacobian[1::2] = np.column_stack([np.ones(k), np.zeros(k), -y])
    return mc.Snapshot(
        mass=np.diag([2.0, 2.0, 0.3]),
        bias=[0, 2 * G, 0],
        actuation=np.eye(3),
        jacobian=jacobian,
        drift=np.zeros(2 * k),
        friction=np.full(k, mu),
        velocity=np.zeros(2 * k),
    )


def test_32_collinear_floor_points_have_10_modes():
    modes = mc.kinematic_modes(body_on_points(np.linspace(-1, 1, 32), -0.5))
    k = 32
    first, last = "".join, lambda letter: "S" * (k - 1) + letter
    expected = {
        "F" * k,
        "L" * k,
        "R" * k,
        "S" * k,
        *(last(letter) for letter in "FLR"),
        *(first([letter, "S" * (k - 1)]) for letter in "FLR"),
    }
    assert set(modes) == expected


def test_24_contacts_on_one_body_stay_within_the_bound_of_an_arrangement():
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    jacobian = np.zeros((48, 3))
    points = 0.3 * np.column_stack([np.cos(angles), np.sin(angles)])
    for i, ((x, y), a) in enumerate(zip(points, angles, strict=True)):
        n, t = np.array([-np.cos(a), -np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        jacobian[2 * i] = *n, x * n[1] - y * n[0]
        jacobian[2 * i + 1] = *t, x * t[1] - y * t[0]
    snapshot = mc.Snapshot(
        mass=np.eye(3),
        bias=np.zeros(3),
        actuation=np.eye(3),
        jacobian=jacobian,
        drift=np.zeros(48),
        friction=np.full(24, 0.3),
        velocity=np.zeros(48),
    )
    modes = mc.kinematic_modes(snapshot)
    # a ball in a cage can only turn: fixed, or all contacts slide one way
    assert modes == ["F" * 24, "L" * 24, "R" * 24]
    half = mc.Snapshot(
        mass=np.eye(3),
        bias=np.zeros(3),
        actuation=np.eye(3),
        jacobian=jacobian[:24],
        drift=np.zeros(24),
        friction=np.full(12, 0.3),
        velocity=np.zeros(24),
    )
    assert 3 < len(mc.kinematic_modes(half)) <= 4 * 12 + 2
