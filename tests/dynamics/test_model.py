import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import chain, random_mechanism, random_state
from scipy.integrate import solve_ivp

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Input, Joint, Mechanism
from modecontrol.dynamics.model import Model

SEEDS = st.integers(0, 2**32 - 1)


def rhex_like():
    """A body on three massless legs: M = diag(m, m, I, 0, 0, 0)."""
    body = Body("body", WORLD, Joint("planar", ("y", "z", "alpha")), mass=8.5, inertia=0.144)
    legs = tuple(
        Body(f"leg{i}", "body", Joint("revolute", (f"phi{i}",), at=(x, 0.0)))
        for i, x in enumerate((-0.19, 0.015, 0.22), 1)
    )
    inputs = tuple(Input(f"tau{i}", (f"phi{i}",), stall=11.0, no_load=40.0) for i in (1, 2, 3))
    toes = tuple(
        Contact(name, "point", f"leg{i}", (0.17, 0.0), mu=0.6)
        for i, name in enumerate(("rear", "middle", "front"), 1)
    )
    corner = Contact("body", "point", "body", (-0.25, -0.05), mu=0.2)
    start = {"z": 0.05, "phi1": -1.0, "phi2": -1.0, "phi3": -1.0}
    return Model(Mechanism("hexapod", (body, *legs), inputs, (corner, *toes), start=start))


def pendulum():
    """One link whose length is a parameter."""
    link = Body(
        "link", WORLD, Joint("revolute", ("a",)), mass=Expression("m"), com=(Expression("l / 2"), 0.0)
    )
    return Model(Mechanism("pendulum", (link,), parameters={"m": 2.0, "l": 1.0}))


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS)
def test_jacobian_and_drift_are_derivatives_along_the_path(seed):
    model = Model(random_mechanism(seed, 5, contacts=4, pins=1))
    q, v = random_state(model, seed)
    h = 1e-6
    before, now, after = (model.snapshot(q + s * h * v, v) for s in (-1, 0, 1))
    size = 1 + np.abs(now.drift).max(initial=0) ** 2
    np.testing.assert_allclose((after.gap - before.gap) / (2 * h), now.velocity[::2], atol=1e-7 * size)
    np.testing.assert_allclose((after.velocity - before.velocity) / (2 * h), now.drift, atol=1e-6 * size)
    np.testing.assert_allclose(now.jacobian @ v, now.velocity, atol=1e-11 * size)
    rate = (model.loop_residual(q + h * v) - model.loop_residual(q - h * v)) / (2 * h)
    np.testing.assert_allclose(rate, now.loop_jacobian @ v, atol=1e-6)
    np.testing.assert_allclose(
        (after.loop_jacobian - before.loop_jacobian) @ v / (2 * h), now.loop_drift, atol=1e-5
    )


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS)
def test_passivity_the_velocity_forces_do_no_work(seed):
    model = Model(random_mechanism(seed, 5, contacts=0, damping=False))
    q, v = random_state(model, seed)
    h = 1e-6
    Mdot = (model.snapshot(q + h * v, v).mass - model.snapshot(q - h * v, v).mass) / (2 * h)
    velocity_force = model.snapshot(q, v).bias - model.snapshot(q, 0 * v).bias
    assert v @ Mdot @ v == pytest.approx(2 * v @ velocity_force, abs=1e-6 * (1 + np.abs(Mdot).max()))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_energy_is_conserved_without_forces(seed):
    model = Model(random_mechanism(seed, 4, contacts=0, pins=0, damping=False))
    q, v = random_state(model, seed)
    n = len(q)

    def flow(_, y):
        snap = model.snapshot(y[:n], y[n:])
        return np.concatenate((y[n:], -np.linalg.solve(snap.mass, snap.bias)))

    end = solve_ivp(flow, (0, 1), np.concatenate((q, v)), method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    energy = [
        model.kinetic_energy(y[:n], y[n:]) + model.potential_energy(y[:n])
        for y in (np.concatenate((q, v)), end)
    ]
    assert np.abs(end - np.concatenate((q, v))).max() > 0.1
    assert energy[1] == pytest.approx(energy[0], rel=1e-8, abs=1e-8)


def test_potential_energy_is_the_integral_of_the_static_bias():
    model = Model(random_mechanism(11, 5, contacts=0))
    q, v = random_state(model, 11)
    h = 1e-6
    slope = (model.potential_energy(q + h * v) - model.potential_energy(q - h * v)) / (2 * h)
    assert slope == pytest.approx(v @ model.snapshot(q).bias, rel=1e-6)


def test_massless_legs_give_the_published_mass_matrix():
    model = rhex_like()
    snap = model.snapshot(model.start)
    np.testing.assert_array_equal(snap.mass, np.diag([8.5, 8.5, 0.144, 0, 0, 0]))
    np.testing.assert_array_equal(snap.actuation, np.eye(6)[:, 3:])
    np.testing.assert_allclose(snap.bias, [0, 8.5 * 9.81, 0, 0, 0, 0])
    np.testing.assert_allclose(snap.friction, [0.2, 0.6, 0.6, 0.6])
    assert snap.names.contacts == model.contacts == ("body", "rear", "middle", "front")


def test_torque_limits_follow_the_speed_torque_line():
    model = rhex_like()
    limits = model.torque_limits({"phi1": 10.0, "phi2": -30.0, "phi3": 100.0})
    np.testing.assert_allclose(limits, [[-8.25, 8.25], [-2.75, 2.75], [0, 0]])
    np.testing.assert_array_equal(model.snapshot(model.start, {"phi1": 10.0}).torque_limits[0], [-8.25, 8.25])


@pytest.mark.parametrize(
    ("given_input", "speed", "expected"),
    [
        ({"lower": -1.0, "upper": 2.0}, 50.0, (-1.0, 2.0)),
        ({}, 1.0, (-np.inf, np.inf)),
        ({"stall": 4.0}, 1e9, (-4.0, 4.0)),
        ({"stall": 4.0, "no_load": 8.0, "upper": 1.0}, 4.0, (-2.0, 1.0)),
        ({"stall": 4.0, "no_load": 8.0, "lower": 3.0, "upper": 3.5}, 8.0, (0.0, 0.0)),
    ],
)
def test_boxes_and_lines_together(given_input, speed, expected):
    link = Body("link", WORLD, Joint("revolute", ("a",)), inertia=1.0)
    model = Model(Mechanism("motor", (link,), (Input("tau", ("a",), **given_input),)))
    assert tuple(model.torque_limits([-speed])[0]) == expected


def test_snapshots_are_read_only_and_do_not_share_the_state():
    model = rhex_like()
    q = model.start.copy()
    snap = model.snapshot(q, np.zeros(6))
    q[0] = 1.0
    assert snap.q[0] == 0.0
    for f in dataclasses.fields(snap):
        value = getattr(snap, f.name)
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                value[...] = 0
    checked = type(snap)(**{f.name: getattr(snap, f.name) for f in dataclasses.fields(snap)})
    np.testing.assert_array_equal(checked.mass, snap.mass)


def test_settle_brings_chosen_contacts_to_rest_and_lets_massless_legs_give_way():
    model = rhex_like()
    v = np.array([0.1, 0.0, 0.3, 1.0, 2.0, 3.0])
    settled = model.settle_velocity(model.start, v, zero_normal=["rear"])
    assert model.snapshot(model.start, settled).velocity[2] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(settled[:3], v[:3], atol=1e-4)
    np.testing.assert_array_equal(settled[4:], v[4:])
    everything = model.settle_velocity(
        model.start, v, zero_normal=model.contacts, zero_tangential=model.contacts
    )
    np.testing.assert_allclose(model.snapshot(model.start, everything).velocity, 0, atol=1e-10)


def test_settle_is_the_nearest_in_kinetic_energy_and_keeps_loops_closed():
    model = chain(4, closed=True)
    q, v = random_state(model, 5)
    snap = model.snapshot(q, v)
    settled = model.settle_velocity(q, v, zero_normal=["q"])
    A = np.vstack((snap.jacobian[2:3], snap.loop_jacobian))
    np.testing.assert_allclose(A @ settled, 0, atol=1e-11)
    # stationary: the change is an impulse of the constrained rows, M (v' - v) = A^T p
    change = snap.mass @ (settled - v)
    p = np.linalg.lstsq(A.T, change, rcond=None)[0]
    np.testing.assert_allclose(A.T @ p, change, atol=1e-4 * np.abs(change).max())


def test_settle_without_rows_changes_nothing():
    model = rhex_like()
    v = np.arange(6.0)
    np.testing.assert_array_equal(model.settle_velocity(model.start, v), v)


def test_contact_points_and_frames():
    model = chain(3, discs=True)
    q = [0.0, np.pi / 2, 0.0]
    np.testing.assert_allclose(model.frames(q), [[0, 0, 0], [1, 0, np.pi / 2], [1, 1, np.pi / 2]], atol=1e-15)
    points = model.contact_points(q)
    last = model.contacts.index("f2")
    np.testing.assert_allclose(points.position[last], [1, 1.9], atol=1e-15)
    np.testing.assert_allclose(points.n[last], [0, 1], atol=1e-15)
    np.testing.assert_allclose(points.t[last], [1, 0], atol=1e-15)
    np.testing.assert_allclose(points.gap, model.snapshot(q).gap)


def test_parameters_can_be_changed():
    model = pendulum()
    longer = model.with_parameters(l=3.0)
    assert model.snapshot([0.0]).mass[0, 0] == pytest.approx(0.5)
    assert longer.snapshot([0.0]).mass[0, 0] == pytest.approx(4.5)
    assert longer.parameters == {"m": 2.0, "l": 3.0}
    with pytest.raises(ValueError, match=r"no parameter 'mass'.*parameters: m, l"):
        model.with_parameters(mass=1.0)


def test_models_from_a_library_are_loaded_again_with_the_changes():
    seen = {}

    def reload(**changes):
        seen.update(changes)
        return pendulum()

    model = Model(pendulum().mechanism, reload)
    assert isinstance(model.with_parameters(m=7.0), Model)
    assert seen == {"m": 7.0}


@pytest.mark.parametrize(
    ("q", "v", "message"),
    [
        ([0, 0], np.zeros(6), "q has 2 numbers; expected 6"),
        (np.zeros(6), np.zeros(7), "v has 7 numbers; expected 6"),
        ([0, 0, np.nan, 0, 0, 0], np.zeros(6), "q of 'alpha' is nan"),
        ({"alhpa": 1.0}, np.zeros(6), "did you mean 'alpha'"),
        ({"alpha": 1.0}, {"phi1": "fast"}, "v of 'phi1' is 'fast'"),
    ],
)
def test_bad_states_are_named(q, v, message):
    with pytest.raises(ValueError, match=message):
        rhex_like().snapshot(q, v)


def test_unknown_contacts_are_named():
    with pytest.raises(ValueError, match="no contact 'raer'; did you mean 'rear'"):
        rhex_like().settle_velocity(np.zeros(6), np.zeros(6), zero_normal=["raer"])


def test_dangling_names_in_a_mechanism_are_refused_when_the_model_is_made():
    link = Body("link", "nowhere", Joint("revolute", ("a",)))
    with pytest.raises(ValueError, match="'link' hangs on 'nowhere'"):
        Model(Mechanism("bad", (link,)))
    link = Body("link", WORLD, Joint("revolute", ("a",)))
    with pytest.raises(ValueError, match=r"contact 'c' names 'leg'"):
        Model(Mechanism("bad", (link,), contacts=(Contact("c", "point", "leg"),)))
    with pytest.raises(ValueError, match="joint of body 'link' is 'ball'"):
        Model(Mechanism("bad", (Body("link", WORLD, Joint("ball", ("a",))),)))
    with pytest.raises(ValueError, match="of nodes is NaN"):
        Model(Mechanism("bad", (Body("link", WORLD, Joint("revolute", ("a",)), mass=float("nan")),)))


def test_models_travel_to_other_processes_and_cannot_be_changed():
    model = rhex_like()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.snapshot(again.start).jacobian, model.snapshot(model.start).jacobian)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.mechanism = None
    with pytest.raises(ValueError, match="read-only"):
        model.tree.nodes["mass"][0] = 1.0


def test_representations_name_what_is_there():
    model = rhex_like()
    assert repr(model).startswith("Model('hexapod': coordinates y, z, alpha")
    assert "<th" in model._repr_html_()
    assert "front" in model._repr_html_()
