"""No contacts, no inputs, open gaps, zero friction, redundant and nearly massless systems."""

import dataclasses
import pickle

import numpy as np
import pytest
import reference

import modecontrol as mc

G = 9.81


def point(**changes):
    return mc.Snapshot(**reference.point_mass(**changes))


NOTHING = dict(jacobian=np.zeros((0, 2)), drift=[], friction=[], velocity=[])


def test_without_contacts_there_is_one_empty_mode():
    snapshot = point(**NOTHING)
    assert mc.kinematic_modes(snapshot) == [""]
    response = mc.dynamic_response(snapshot, torque_limits=[(-1, 1)] * 2)
    assert response.modes == [""]
    assert response.modes_at([0.5, 0.5]) == [""]
    assert response.accelerations_at([0.5, 0.5])[""]["q2"] == pytest.approx((0.5 - G, 0.5 - G))
    assert response.forces_at([0.5, 0.5]) == {"": {}}
    assert response.coverage()["unambiguous"] == pytest.approx(4.0)
    assert "tau1 upper limit" in response.explain("").causes


def test_without_contacts_constraints_still_count():
    response = mc.dynamic_response(point(**NOTHING), torque_limits=[(-1, 1)] * 2, physical="tau1 >= 5")
    assert response.modes == []
    answer = response.explain("")
    assert answer.stage == "torque limits"
    assert set(answer.causes) == {"tau1 upper limit", "tau1 >= 5"}
    one = mc.Snapshot(
        mass=[[1.0]],
        bias=[0.0],
        actuation=[[1.0]],
        jacobian=np.zeros((0, 1)),
        drift=[],
        friction=[],
        velocity=[],
    )
    assert mc.dynamic_response(one, physical=["tau1 >= 5", "tau1 <= 4"]).modes == []
    assert mc.dynamic_response(one, physical=["tau1 >= 5", "tau1 <= 6"]).modes == [""]


@pytest.mark.parametrize("limits", [None, [], np.zeros((0, 2))])
def test_without_inputs_the_answer_is_a_point(limits):
    response = mc.dynamic_response(point(actuation=np.zeros((2, 0))), torque_limits=limits)
    assert response.modes == ["F"]
    assert response.modes_at([]) == ["F"]
    assert response.forces_at([])["F"]["c1.normal"] == pytest.approx((G, G))
    assert response.unambiguous("F").contains(np.zeros(0))
    assert response.inconsistent().is_empty
    assert response.ambiguous().is_empty
    assert response.explain("S").causes == ("c1 no normal force", "c1 separates", "dynamics of q2")
    assert response.coverage() == {"whole": 1.0, "unambiguous": 1.0, "ambiguous": 0.0, "inconsistent": 0.0}
    assert "inputs none" in response.summary()


def test_all_gaps_open():
    model = mc.load("rhex")
    snapshot = model.snapshot({"z": 1.0})
    assert mc.kinematic_modes(snapshot) == ["SSSS"]
    response = mc.dynamic_response(snapshot)
    assert response.modes == ["SSSS"]
    flying = response["SSSS"]
    assert flying.torques.dimension == 0  # massless legs in the air: no torque at all
    assert response.modes_at([0, 0, 0]) == ["SSSS"]
    assert response.modes_at([1, 0, 0]) == []
    assert flying.ambiguity.accelerations == ("phi1", "phi2", "phi3")
    assert response.accelerations_at([0, 0, 0])["SSSS"]["z"] == pytest.approx((-G, -G))
    assert response.accelerations_at([0, 0, 0])["SSSS"]["phi1"] == (-np.inf, np.inf)
    assert response.explain("FSSS").stage == "velocity"


def test_zero_friction_leaves_no_tangential_force():
    response = mc.dynamic_response(point(friction=[0.0]))
    assert response.modes == ["F", "L", "R", "S"]
    fixed = response["F"].torques
    assert fixed.dimension == 1
    assert len(fixed.C) == 1  # the two sides of the cone are one equality
    assert response.modes_at([0.0, 0.0]) == ["F", "L", "R"]
    assert response.modes_at([1.0, 0.0]) == ["R"]
    for mode in "LR":
        assert response.unambiguous(mode).dimension == 2
    assert not response.clashes()


def test_contact_that_nothing_moves():
    # a contact with a zero Jacobian can only be fixed, with any force
    response = mc.dynamic_response(point(jacobian=np.zeros((2, 2))))
    assert response.modes == ["F"]
    assert response["F"].ambiguity.forces == ("c1.normal", "c1.tangent")
    assert response["F"].ambiguity.accelerations == ()
    moving = mc.dynamic_response(point(jacobian=np.zeros((2, 2)), drift=[1.0, 0.0]))
    assert moving.modes == ["S"]


def test_repeated_contact_doubles_nothing_but_letters():
    two = point(jacobian=[[0, 1.0], [1, 0]] * 2, drift=np.zeros(4), friction=[0.5, 0.5], velocity=np.zeros(4))
    assert mc.kinematic_modes(two) == ["FF", "LL", "RR", "SS"]
    response = mc.dynamic_response(two)
    single = mc.dynamic_response(point())
    for letter in "FLRS":
        assert response[2 * letter].torques == single[letter].torques
    assert response["FF"].ambiguity_variables == 2
    assert response["LL"].ambiguity_variables == 1


def test_dynamics_without_an_answer():
    # a massless coordinate with a load and nothing to carry it
    s = mc.Snapshot(
        mass=np.diag([1.0, 0.0]),
        bias=[0, 1.0],
        actuation=[[1.0], [0.0]],
        jacobian=[[1.0, 0], [0, 0]],
        drift=[0, 0],
        friction=[0.5],
        velocity=[0, 0],
    )
    response = mc.dynamic_response(s)
    assert response.modes == []
    assert response.inconsistent().contains([3.0])
    assert response.explain("F").causes == ("dynamics of q2",)
    assert response.summary().startswith("0 modes")


@pytest.mark.parametrize("inertia", [1e-18, 1e-15, 1e-12, 1e-9, 1e-6])
def test_nearly_massless_legs_give_the_modes_of_massless_ones(inertia):
    model = mc.load("rhex", mu_toe=0.39)
    s = model.snapshot(model.start)
    mass = np.array(s.mass)
    mass[[3, 4, 5], [3, 4, 5]] = inertia
    light = dataclasses.replace(s, mass=mass)
    response = mc.dynamic_response(light)
    plain = mc.dynamic_response(s)
    assert response.modes == plain.modes
    tau = [-1.0, -2.0, -3.0]
    assert response.modes_at(tau) == plain.modes_at(tau)
    (mode,) = plain.modes_at(tau)
    assert response[mode].acceleration.value(tau) == pytest.approx(
        plain[mode].acceleration.value(tau), rel=1e-3
    )


def test_undecided_modes_are_asked_again_in_raw_unknowns():
    model = mc.load("two_link", mu=0.7)
    snapshot = model.snapshot(model.start)
    free, limited = mc.dynamic_response(snapshot), mc.dynamic_response(snapshot, torque_limits=[(-2, -1)])
    assert set(limited.modes) < set(free.modes)
    # leaves of another problem, said to be undecided: only those that hold in this one may stay
    leaves = free.leaves._replace(doubtful=np.ones(len(free), bool))
    doubtful = dataclasses.replace(limited, leaves=leaves, packed=free.packed, _made={})
    assert doubtful.modes == limited.modes


def test_a_domain_that_the_kernel_does_not_vouch_for_is_computed_again():
    response = mc.dynamic_response(point())
    shape = response.packed.shape.copy()
    shape[:, 5] = 3
    again = dataclasses.replace(response, packed=response.packed._replace(shape=shape), _made={})
    for mode in response:
        assert again[mode].torques == response[mode].torques


def test_responses_travel():
    model = mc.load("table")
    response = pickle.loads(pickle.dumps(mc.dynamic_response(model.snapshot(model.start))))
    assert response.modes == ["FF", "LL", "RR"]
    assert response["FF"].ambiguity.forces == ("left.tangent", "right.tangent")


@pytest.mark.parametrize("scale", [1e-17, 1e-9, 1e9])
def test_load_and_limits_scaled_together_change_nothing(scale):
    model = mc.load("table")
    s = model.snapshot(model.start)
    small = dataclasses.replace(s, bias=scale * s.bias, torque_limits=None)
    response = mc.dynamic_response(small)
    assert response.modes == ["FF", "LL", "RR"]
    assert response["FF"].torques.bounding_box[1][0] == pytest.approx(29.43 * scale)


def folded(dust):
    """Two hinged links that touch each other: the contact feels the second hinge alone, but for rounding."""
    return mc.Snapshot(
        mass=[[0.72, -0.14], [-0.14, 0.35]],
        bias=[1.1, 1.1],
        actuation=np.eye(2),
        jacobian=[[0.0, -0.9], [-dust, -dust]],
        drift=[0, 0],
        friction=[0.5],
        velocity=[0, 0],
    )


@pytest.mark.parametrize("dust", [0.0, 8e-17, -3e-15])
def test_zeros_of_a_jacobian_that_rounding_filled_make_no_coordinate_massless(dust):
    snapshot = folded(dust)
    assert mc.kinematic_modes(snapshot) == ["F", "S"]
    response = mc.dynamic_response(snapshot, torque_limits=[(-30, 30)] * 2)
    assert response.modes == ["F", "S"]
    for tau in ([8.0, -14.0], [-27.0, -29.0]):
        expected = np.linalg.solve(snapshot.mass, np.array(tau) - snapshot.bias)
        assert response.modes_at(tau) == ["S"]
        assert [low for low, _ in response.accelerations_at(tau)["S"].values()] == pytest.approx(
            list(expected)
        )
    # held: the hinge stays, the first link accelerates alone, and the contact gives what is missing in the
    # second row
    held = (5.0 - 1.1) / 0.72
    assert response.modes_at([5.0, 20.0]) == ["F"]
    assert response.accelerations_at([5.0, 20.0])["F"]["q1"] == pytest.approx((held, held))
    assert response.forces_at([5.0, 20.0])["F"]["c1.normal"] == pytest.approx(
        ((20.0 - 1.1 + 0.14 * held) / 0.9,) * 2
    )


def test_two_links_that_touch_each_other_are_not_massless():
    radius = 0.1
    model = (
        mc.Builder("folded")
        .body("first", joint=mc.revolute("q1"), mass=1.0, inertia=0.1, com=(0.5, 0))
        .body("second", joint=mc.revolute("q2", at=(1, 0)), mass=1.0, inertia=0.1, com=(0.5, 0))
        .input("m1", "q1", lower=-30, upper=30)
        .input("m2", "q2", lower=-30, upper=30)
        .contact(
            "self",
            body="second",
            type="disc_disc",
            point=(0.9, 0),
            radius=radius,
            other="first",
            other_point=(0.1, 0),
            other_radius=radius,
            mu=0.5,
        )
        .start(q1=-np.pi / 2, q2=np.pi - 2 * np.arcsin(radius / 0.9))
        .build()
    )
    response = mc.dynamic_response(model.snapshot(model.start))
    assert response.modes == ["F", "S"]
    assert response.coverage()["unambiguous"] == pytest.approx(3600.0)


@pytest.mark.parametrize("gravity", [9.81, 0.0])
@pytest.mark.parametrize("speed", [0.0, 1e-16, 1e-10, 5e-10])
def test_velocities_that_count_as_zero_leave_no_drift_behind(gravity, speed):
    """A crate at rest on two feet, seen from the side and from above: turning within the tolerance tears no
    foot loose.
    """
    crate = (
        mc.Builder("crate", gravity=(0, -gravity))
        .body("box", joint=mc.planar("x", "y", "turn"), mass=2.0, inertia=0.1)
        .input("along", "x", lower=-20, upper=20)
        .input("down", "y", lower=-20, upper=20)
        .contact("a", body="box", point=(-0.3, -0.2), mu=0.5)
        .contact("b", body="box", point=(0.3, -0.2), mu=0.5)
        .start(y=0.2)
        .build()
    )
    snapshot = crate.snapshot(crate.start, {"turn": speed, "x": speed})
    assert mc.kinematic_modes(snapshot) == mc.kinematic_modes(crate.snapshot(crate.start))
    for limits in (None, [(-np.inf, np.inf)] * 2):
        response = mc.dynamic_response(snapshot, limits)
        assert response.modes_at([0.3, -5.0]) == ["FF"]
        assert "RF" not in response
        assert "FL" not in response
