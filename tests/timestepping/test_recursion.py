import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_mechanisms import chain, random_mechanism, random_state

from modecontrol.dynamics.forward_dynamics import METHODS, compliance, forward_dynamics, solve
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Input, Joint, Mechanism, Pin
from modecontrol.dynamics.model import Model

SERIAL = ("aba", "dca", "dense")
AGREE = 1e-9


def close(found, expected, message=""):
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(found, expected, rtol=0, atol=AGREE * scale, err_msg=message)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), bodies=st.integers(1, 10), pins=st.integers(0, 1))
def test_all_methods_agree_on_random_forests_with_loops(seed, bodies, pins):
    model = Model(random_mechanism(seed, bodies, contacts=4, pins=pins))
    q, v = random_state(model, seed)
    G = model.snapshot(q, v).loop_jacobian
    # a pin between bodies that cannot part, or at a stretched arm, has forces that no method can tell
    assume(not len(G) or np.linalg.cond(G @ np.linalg.solve(model.snapshot(q).mass, G.T)) < 1e4)
    force = np.random.default_rng(seed).normal(size=2 * len(model.contacts))
    answers = {m: forward_dynamics(model, q, v, [1.5], m, force) for m in SERIAL}
    for method in ("aba", "dca"):
        close(answers[method].qdd, answers["dense"].qdd, method)
        close(answers[method].loop_force, answers["dense"].loop_force, method)
        close(compliance(model, q, method), compliance(model, q, "dense"), method)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), bodies=st.integers(1, 9))
def test_all_methods_agree_with_terms_added_to_the_diagonal(seed, bodies):
    """Implicit springs and dampers of every size, on some coordinates and not on others."""
    model = Model(random_mechanism(seed, bodies, contacts=0))
    q, _ = random_state(model, seed)
    rng = np.random.default_rng(seed)
    added, R = rng.choice([0.0, 1e-6, 0.1, 10.0, 1e6], len(q)), rng.normal(size=(2, len(q)))
    expected = np.linalg.solve(model.snapshot(q).mass + np.diag(added), R.T).T
    for method in SERIAL:
        close(solve(model, q, R, method, added), expected, method)


def test_terms_added_to_the_diagonal_are_checked():
    model = chain(2)
    with pytest.raises(ValueError, match=r"added has shape \(3,\).*expected 2 numbers"):
        solve(model, np.zeros(2), np.ones((1, 2)), added=np.zeros(3))
    with pytest.raises(ValueError, match="not negative"):
        solve(model, np.zeros(2), np.ones((1, 2)), added=np.array([1.0, -1.0]))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 33, 128])
@pytest.mark.parametrize("shape", ["pinned", "free", "closed"])
def test_all_methods_agree_on_chains(n, shape):
    model = chain(n, free=shape == "free", closed=shape == "closed")
    q, v = random_state(model, n)
    answers = {m: forward_dynamics(model, q, v, method=m) for m in SERIAL}
    for method in ("aba", "dca"):
        close(answers[method].qdd, answers["dense"].qdd, method)
        close(compliance(model, q, method), compliance(model, q, "dense"), method)


def test_levels_shared_between_cores_give_the_serial_numbers():
    model = chain(40, free=True)
    q, v = random_state(model, 1)
    serial, shared = (forward_dynamics(model, q, v, method=m).qdd for m in ("dca", "dca-parallel"))
    np.testing.assert_array_equal(shared, serial)
    np.testing.assert_array_equal(compliance(model, q, "dca-parallel"), compliance(model, q, "dca"))


@pytest.mark.parametrize("method", METHODS)
def test_equations_of_motion_hold(method):
    model = chain(5, closed=True)
    q, v = random_state(model, 9)
    snap = model.snapshot(q, v)
    force = np.arange(len(snap.velocity), dtype=float)
    qdd, lam = forward_dynamics(model, q, v, method=method, force=force)
    np.testing.assert_allclose(
        snap.mass @ qdd + snap.bias, snap.jacobian.T @ force + snap.loop_jacobian.T @ lam, atol=1e-10
    )
    np.testing.assert_allclose(snap.loop_jacobian @ qdd + snap.loop_drift, 0, atol=1e-10)


@pytest.mark.parametrize("method", SERIAL)
def test_falling_chain_falls(method):
    """Released from rest every body of a straight free chain falls with gravity (Bhalerao, Fig. 4)."""
    qdd, _ = forward_dynamics(chain(16, free=True), np.zeros(18), np.zeros(18), method=method)
    np.testing.assert_allclose(qdd, [0, -9.81] + [0] * 16, atol=1e-10)


@pytest.mark.parametrize("method", SERIAL)
def test_contact_force_of_a_standing_rod_gives_the_textbook_compliance(method):
    """A rod of length 1 standing on its end: 1/m along it, 1/m + l^2/(4 I) = 4/m across."""
    rod = Body("rod", WORLD, Joint("planar", ("x", "y", "a")), mass=2.0, inertia=2 / 12, com=(0.0, 0.0))
    model = Model(Mechanism("rod", (rod,), contacts=(Contact("foot", "point", "rod", (-0.5, 0.0)),)))
    np.testing.assert_allclose(
        compliance(model, [0, 0.5, np.pi / 2], method), [[0.5, 0], [0, 2.0]], atol=1e-12
    )


def test_redundant_pins_share_their_force_and_change_nothing():
    once = chain(3, closed=True)
    pin = once.mechanism.pins[0]
    twice = Model(
        Mechanism(
            "twice",
            once.mechanism.bodies,
            pins=(pin, Pin("again", pin.body, pin.point, pin.other, pin.other_point)),
        )
    )
    q, v = random_state(once, 4)
    for method in SERIAL:
        single, double = (forward_dynamics(m, q, v, method=method) for m in (once, twice))
        close(double.qdd, single.qdd)
        close(double.loop_force[:2], single.loop_force / 2)


def test_inputs_act_through_their_gains_and_can_be_named():
    base = chain(3).mechanism
    model = Model(Mechanism("driven", base.bodies, (Input("push", ("q0", "q2"), (2.0, -1.0)),)))
    q, v = random_state(model, 6)
    still, pushed = (forward_dynamics(model, q, v, tau).qdd for tau in (None, {"push": 3.0}))
    np.testing.assert_allclose(model.snapshot(q).mass @ (pushed - still), [6.0, 0.0, -3.0], atol=1e-11)


def massless_tip():
    arm = chain(2).mechanism.bodies
    return Model(
        Mechanism("light", (*arm, Body("hair", "link1", Joint("revolute", ("hair",), at=(1.0, 0.0)))))
    )


@pytest.mark.parametrize("method", ["aba", "dense"])
def test_massless_end_links_are_refused_by_name(method):
    with pytest.raises(ValueError, match="coordinate 'hair' moves nothing that has mass"):
        forward_dynamics(massless_tip(), np.zeros(3), np.zeros(3), method=method)


def test_a_massless_link_between_bodies_is_fine():
    """A massless link with a body at its end is a joint with two freedoms."""
    crank = Body("crank", WORLD, Joint("revolute", ("a",)))
    bob = Body(
        "bob", "crank", Joint("revolute", ("b",), at=(1.0, 0.0)), mass=1.0, inertia=0.1, com=(0.4, 0.0)
    )
    model = Model(Mechanism("crank", (crank, bob)))
    answers = [forward_dynamics(model, [0.3, 0.9], [1.0, -2.0], method=m).qdd for m in SERIAL]
    close(answers[0], answers[2])
    close(answers[1], answers[2])
    # stretched out, the two freedoms are still two; folded onto the pivot with b alone they are not
    bar = Body("bar", "crank", Joint("prismatic", ("b",)), mass=1.0, inertia=0.0)
    with pytest.raises(ValueError, match="coordinate 'a' moves nothing that has mass"):
        forward_dynamics(Model(Mechanism("bar", (crank, bar))), [0.3, 0.0], [0, 0])


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        (
            (Body("dot", WORLD, Joint("revolute", ("a",)), mass=1.0, com=(1.0, 0.0)),),
            "'a' moves has mass 1 and inertia 0",
        ),
        ((Body("rotor", WORLD, Joint("revolute", ("a",)), inertia=1.0),), "has mass 0 and inertia 1"),
        (
            (
                Body("hub", WORLD, Joint("revolute", ("a",))),
                *(
                    Body(n, "hub", Joint("revolute", (n,)), mass=1.0, inertia=1.0, com=(1.0, 0.0))
                    for n in "xy"
                ),
            ),
            "has no mass and carries 2 others",
        ),
        (
            (
                *(
                    Body(n, p, Joint("revolute", (n,), at=(0.1, 0.0)))
                    for n, p in (("a", WORLD), ("b", "a"), ("c", "b"))
                ),
                Body("end", "c", Joint("revolute", ("d",)), mass=1.0, inertia=1.0),
            ),
            "hangs on 3 massless links",
        ),
    ],
)
def test_divide_and_conquer_says_which_body_it_cannot_handle(bodies, message):
    model = Model(Mechanism("light", bodies))
    with pytest.raises(ValueError, match=message):
        solve(model, np.zeros(len(model.coordinates)), np.ones((1, len(model.coordinates))), "dca")


def test_point_masses_need_articulated_bodies():
    dot = Body("dot", WORLD, Joint("revolute", ("a",)), mass=2.0, com=(0.5, 0.0))
    assert forward_dynamics(Model(Mechanism("dot", (dot,))), [0.0], [0.0]).qdd == pytest.approx([-9.81 / 0.5])


def test_the_plan_of_a_chain_is_balanced():
    assert [chain(n).plan.depth for n in (1, 3, 7, 15, 127)] == [1, 2, 3, 4, 7]


def test_plans_of_branched_trees_join_every_body_once():
    model = Model(random_mechanism(5, 12, pins=0, contacts=0))
    plan = model.plan
    assert sorted(plan.joins["joint"]) == list(range(len(plan.joints)))
    assert sorted(plan.members) == list(range(len(model.coordinates)))
    assert len({*plan.joins["a"], *plan.joins["b"]}) == 2 * len(plan.joins)


def test_nothing_to_move():
    model = Model(Mechanism("rock", (Body("rock", WORLD, Joint("weld"), mass=1.0),)))
    for method in METHODS:
        assert forward_dynamics(model, [], [], method=method).qdd.shape == (0,)
        assert compliance(model, [], method).shape == (0, 0)


def test_bad_requests_are_explained():
    model = chain(2)
    with pytest.raises(ValueError, match="method is 'magic'; expected one of aba, dca"):
        forward_dynamics(model, [0, 0], [0, 0], method="magic")
    with pytest.raises(ValueError, match="force has shape"):
        forward_dynamics(model, [0, 0], [0, 0], force=np.zeros(3))
    with pytest.raises(ValueError, match="R has shape"):
        solve(model, [0, 0], np.zeros(2))
    with pytest.raises(ValueError, match="tau has 1 number"):
        forward_dynamics(model, [0, 0], [0, 0], [1.0])
