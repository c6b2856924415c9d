"""States that cannot be are refused with how far off they are, and the nearest that can be is found."""

import pickle

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import modecontrol as mc
from modecontrol import tolerances
from modecontrol.dynamics.admissible import check_state, misfit
from modecontrol.modes.letters import touch


def four_bar(**parameters):
    return mc.load("four_bar", **parameters)


def opened(model, angle=0.5):
    return {
        name: value + angle * (name == "q2")
        for name, value in zip(model.coordinates, model.start, strict=True)
    }


def block(stiffness=np.inf):
    return (
        mc.Builder("block")
        .body("box", joint=mc.planar("x", "y", "a"), mass=1.0, inertia=0.1)
        .contact("left", body="box", point=(-0.5, 0.0), mu=0.5, stiffness=stiffness)
        .contact("right", body="box", point=(0.5, 0.0), mu=0.5, stiffness=stiffness)
        .build()
    )


def test_an_open_loop_is_refused_with_its_name_and_opening():
    model = four_bar()
    q = opened(model)
    opening = np.hypot(*model.loop_residual(q))
    assert opening > 0.3
    snap = model.snapshot(q)  # a snapshot may be taken anywhere
    for analysis in (mc.dynamic_response, mc.kinematic_modes):
        with pytest.raises(
            mc.ImpossibleStateError, match=rf"loop 'loop' is open by {opening:.4g} m.*model\.settle"
        ) as caught:
            analysis(snap)
        assert caught.value.misfit.loops == {"loop": pytest.approx(opening)}
    with pytest.raises(mc.ImpossibleStateError, match="loop 'loop' is open"):
        mc.simulate(model, q, duration=0.01)


def test_a_contact_inside_the_floor_is_refused_with_its_depth():
    model = block()
    snap = model.snapshot([0.0, -0.062, 0.01])
    with pytest.raises(
        mc.ImpossibleStateError, match=r"contact 'left' is 0.067 m inside .*, contact 'right' is 0.057 m"
    ):
        mc.dynamic_response(snap)
    with pytest.raises(mc.ImpossibleStateError, match="'left'"):
        mc.simulate(model, [0.0, -0.062, 0.01], duration=0.01)


def test_a_loop_that_opens_is_refused():
    model = four_bar()
    away = {"q1": -1.0}  # the tip leaves the floor
    snap = model.snapshot(model.start, away)
    rate = np.hypot(*(snap.loop_jacobian @ snap.v))
    with pytest.raises(mc.ImpossibleStateError, match=rf"loop 'loop' opens at {rate:.4g} m/s"):
        mc.dynamic_response(snap)
    settled = model.settle(model.start, away)
    np.testing.assert_array_equal(settled.q, model.start)
    assert not misfit(model.snapshot(*settled))
    assert np.abs(settled.v).max() > 0.1


def test_compliant_contacts_may_be_inside():
    snap = block(stiffness=1e4).snapshot([0.0, -0.062, 0.0])
    assert not misfit(snap)
    assert mc.dynamic_response(snap).modes


def test_the_check_can_be_loosened_tightened_and_left_out():
    snap = block().snapshot([0.0, -0.0005, 0.0])
    expected = mc.dynamic_response(snap).modes  # half a millimetre is a measured or simulated state
    with pytest.raises(mc.ImpossibleStateError):
        mc.dynamic_response(snap, check_state=1e-4)
    deep = block().snapshot([0.0, -0.1, 0.0])
    assert mc.dynamic_response(deep, check_state=False).modes == expected
    assert mc.dynamic_response(deep, check_state=0.2).modes == expected
    assert mc.kinematic_modes(deep, check_state=0.2) == mc.kinematic_modes(deep, check_state=False)
    assert len(mc.simulate(block(), [0.0, -1e-4, 0.0], duration=0.01, check_state=1e-3)) == 10


@pytest.mark.parametrize("check", ["yes", None, -1.0, [True]])
def test_what_check_state_may_be(check):
    with pytest.raises(ValueError, match="check_state is"):
        mc.dynamic_response(block().snapshot([0.0, 0.0, 0.0]), check_state=check)


def test_arrays_from_a_user_are_checked_too():
    arrays = {
        "mass": np.eye(2),
        "bias": [0.0, 1.0],
        "actuation": np.eye(2),
        "jacobian": [[0.0, 1.0], [1.0, 0.0]],
        "drift": [0.0, 0.0],
        "friction": 0.5,
        "velocity": [0.0, 0.0],
    }
    check_state(mc.Snapshot(**arrays))
    with pytest.raises(mc.ImpossibleStateError, match=r"contact 'c1' is 0.5 m inside"):
        check_state(mc.Snapshot(**arrays, gap=[-0.5]))
    check_state(mc.Snapshot(**arrays, gap=[-0.5], stiffness=[100.0]))
    loop = {"loop_jacobian": [[1.0, 0.0]], "loop_drift": [0.0]}
    with pytest.raises(mc.ImpossibleStateError, match=r"loop 'loop1' is open by 0.2 m"):
        check_state(mc.Snapshot(**arrays, **loop, loop_opening=[-0.2]))
    with pytest.raises(mc.ImpossibleStateError, match="loop 'loop1' opens at 2 m/s"):
        check_state(mc.Snapshot(**arrays, **loop, v=[2.0, 0.0]))
    with pytest.raises(ValueError, match=r"loop_opening is .* expected 1 number"):
        mc.Snapshot(**arrays, **loop, loop_opening=[0.0, 0.0])


def test_the_error_travels_between_processes():
    with pytest.raises(mc.ImpossibleStateError) as caught:
        mc.dynamic_response(block().snapshot([0.0, -1.0, 0.0]))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.misfit == caught.value.misfit


def test_simulated_states_can_be_analysed():
    model = four_bar()
    run = mc.simulate(model, duration=0.3)
    assert run.q[-1] != pytest.approx(run.q[0], abs=1e-3)  # it moves
    for i in range(0, len(run.q), 10):
        assert check_state(model.snapshot(run.q[i], run.v[i])) is None  # or it raises


# The nearest state
# ----------------------------------------------------------------------------------------------


def metric(model, q):
    snap = model.snapshot(q)
    reach = np.abs(np.vstack((snap.jacobian, snap.loop_jacobian))).max(axis=0, initial=0.0) ** 2
    extra = tolerances.LIGHT * (model.mass_scale(snap) * reach + np.diag(snap.mass))
    return snap.mass + np.diag(np.where(extra == 0, 1.0, extra))


@settings(deadline=None, max_examples=60)
@given(
    name=st.sampled_from(["four_bar", "rhex", "two_link", "biped", "snake", "block", "chain", "pendulum"]),
    seed=st.integers(0, 10_000),
    size=st.sampled_from([1e-6, 1e-2, 0.1, 0.7]),
)
def test_settled_states_can_be_and_stay_as_they_are(name, seed, size):
    model = mc.load(name)
    rng = np.random.default_rng(seed)
    q, v = model.start + size * rng.normal(size=len(model.start)), rng.normal(size=len(model.start))
    settled = model.settle(q, v)
    snap = model.snapshot(*settled)
    assert not misfit(snap, 2 * tolerances.TOUCH)
    assert np.abs(snap.loop_jacobian @ settled.v).max(initial=0.0) < 1e-8
    touch(snap, 1e-8)  # nothing that touches approaches
    again = model.settle(*settled)
    np.testing.assert_array_equal(again.q, settled.q)
    np.testing.assert_allclose(again.v, settled.v, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["four_bar", "block", "two_link", "biped"])
def test_settled_states_are_the_nearest(name):
    """Against a general optimiser over `gap >= 0`, `opening = 0`, to what the curvature of a small change
    leaves.
    """
    model = mc.load(name)
    rng = np.random.default_rng(1)
    for _ in range(5):
        q = model.start + 0.01 * rng.normal(size=len(model.start))
        W, found = metric(model, q), model.settle(q).q
        held = model.snapshot(q).gap < 0
        # what was inside touches afterwards, by definition; others keep their distance
        constraints = [
            {
                "type": "eq",
                "fun": lambda x, held=held: np.append(model.snapshot(x).gap[held], model.loop_residual(x)),
            },
            {"type": "ineq", "fun": lambda x, held=held: model.snapshot(x).gap[~held]},
        ]
        best = minimize(
            lambda x, q=q, W=W: 1e4 * (x - q) @ W @ (x - q),
            found,
            constraints=constraints,
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 300},
        )
        distance, least = np.sqrt((found - q) @ W @ (found - q)), np.sqrt(max(best.fun, 0.0) / 1e4)
        assert distance <= 1.05 * least + 1e-7


def test_what_fits_is_left_alone():
    model = mc.load("rhex")
    settled = model.settle(model.start)
    np.testing.assert_array_equal(settled.q, model.start)
    np.testing.assert_array_equal(settled.v, 0.0)


def test_massless_legs_give_way_before_the_body():
    model = mc.load("rhex")
    q = model.start.copy()
    legs = [i for i, name in enumerate(model.coordinates) if name.startswith("phi")]
    q[legs] += 0.02
    moved = np.abs(model.settle(q, closed=model.contacts).q - q)
    assert moved[legs].max() > 10 * np.delete(moved, legs).max()


def test_contacts_can_be_asked_to_touch():
    model = block()
    settled = model.settle([0.0, 0.3, 0.2], [0.0, -1.0, 0.0], closed=["left", "right"])
    snap = model.snapshot(*settled)
    np.testing.assert_allclose(snap.gap, 0.0, atol=1e-9)
    np.testing.assert_allclose(snap.velocity[0::2], 0.0, atol=1e-9)
    alone = model.settle([0.0, 0.3, 0.2], closed="left")
    assert model.snapshot(*alone).gap[0] == pytest.approx(0.0, abs=1e-9)
    assert model.snapshot(*alone).gap[1] > 0.1
    with pytest.raises(ValueError, match="unknown contact 'lefd'; did you mean 'left'"):
        model.settle([0.0, 0.3, 0.2], closed=["lefd"])


def test_a_touching_contact_stops_approaching_and_may_leave():
    model = block()
    np.testing.assert_array_equal(model.settle([0, 0, 0], [1, 2, 0]).v, [1, 2, 0])
    stopped = model.settle([0, 0, 0], [1.0, -2.0, 0.5])
    assert model.snapshot(*stopped).velocity[0::2].min() > -1e-9


def test_a_loop_that_cannot_close_is_said():
    rods = (
        mc.Builder("short")
        .body("a", joint=mc.revolute("q1"), mass=1.0, inertia=0.1, com=(0.5, 0.0))
        .body("b", parent="a", joint=mc.revolute("q2", at=(1.0, 0.0)), mass=1.0, inertia=0.1, com=(0.5, 0.0))
        .pin("far", "b", (1.0, 0.0), "world", (2.5, 0.0))
        .build()
    )
    with pytest.raises(
        mc.ImpossibleStateError,
        match=r"no state that fits .* loop 'far' is open by 0\.\d+ m; begin elsewhere",
    ):
        rods.settle([0.3, -0.4])


def test_lagrangian_models_are_checked_and_settled():
    m, x, y = sp.symbols("m x y")
    xdot, ydot = sp.symbols("xdot ydot")
    bead = mc.LagrangianModel(
        [x, y],
        T=m * (xdot**2 + ydot**2) / 2,
        V=9.81 * m * y,
        contacts={"floor": (y, x, 0.5)},
        loops={"track": (x * y - 1, 0 * x)},
        parameters={"m": 2.0},
        start={"x": 1.0, "y": 1.0},
    )
    check_state(bead.snapshot(bead.start))
    with pytest.raises(
        mc.ImpossibleStateError, match=r"contact 'floor' is 1 m inside.*loop 'track' is open by 3 m"
    ):
        mc.dynamic_response(bead.snapshot([2.0, -1.0]))
    with pytest.raises(mc.ImpossibleStateError, match="loop 'track' is open"):
        mc.simulate(bead, [2.0, 1.0], duration=0.01)
    settled = bead.settle([1.2, 1.0], [1.0, 0.0])
    assert settled.q[0] * settled.q[1] == pytest.approx(1.0, abs=1e-9)
    snap = bead.snapshot(*settled)
    np.testing.assert_allclose(snap.loop_jacobian @ settled.v, 0.0, atol=1e-9)
    assert settled.v[0] > 0.1
