import numpy as np
import pytest

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest


def torques(model, q, mode, **options):
    return mc.dynamic_response(model.snapshot(q), **options)[mode].torques.minimal()


def matched(A, b, P):
    """The row of a set that is nearest to a facet of unit length."""
    length = np.linalg.norm(P.A, axis=1)
    rows = np.column_stack([P.A / length[:, None], P.b / length])
    return rows[np.argmin(np.abs(rows - np.append(A, b)).max(axis=1))]


@pytest.mark.parametrize("seed", range(12))
def test_facets_of_rhex_move_as_differences_say(seed):
    rng = np.random.default_rng(seed)
    model = mc.load("rhex", mu_toe=rng.uniform(0.3, 0.9), l=rng.uniform(0.15, 0.2))
    q = np.array(model.start)
    q[2] = rng.uniform(0.05, 0.8)
    q = at_rest(model, q)
    name = str(rng.choice(["l", "d1", "h", "m", "mu_toe", "mu_body", "stall"]))
    response = mc.dynamic_response(model.snapshot(q))
    compared = 0
    for mode in rng.choice(response.modes, min(6, len(response)), replace=False):
        found = response[mode].facet_gradients(name, place=at_rest)
        x = model.parameters[name]
        step = 1e-5 * x
        sides = []
        for sign in (1, -1):
            other = model.with_parameters(**{name: x + sign * step})
            sides.append(mc.dynamic_response(other.snapshot(at_rest(other, q))))
        if any(
            str(mode) not in side or len(side[mode].torques.minimal().b) != len(found.b) for side in sides
        ):
            continue
        for i in np.flatnonzero(found.unique):
            up, down = (matched(found.A[i], found.b[i], side[mode].torques.minimal()) for side in sides)
            slope = (up - down) / (2 * step)
            np.testing.assert_allclose(
                np.append(found.dA[i], found.db[i]), slope, atol=2e-6 * max(1.0, np.abs(slope).max())
            )
            compared += 1
    assert compared >= 4


def test_a_facet_that_is_known_by_hand():
    """`T_FFF` of the two links is `tau <= -m g h / (2 mu)`, with h = 0.6 and two rods of 1 kg."""
    model = mc.load("two_link", mu=0.4)
    found = mc.dynamic_response(model.snapshot(model.start))["FFF"].facet_gradients("mu")
    assert found.b == pytest.approx([-7.3575])
    assert found.dA == pytest.approx(np.zeros((1, 1)), abs=1e-12)
    assert found.db == pytest.approx([7.3575 / 0.4])
    assert found.unique.all()


def test_torque_limits_are_facets_too():
    model = mc.load("rhex")
    mode = mc.dynamic_response(model.snapshot(model.start))["RFLL"]
    found = mode.facet_gradients("stall")
    limits = [i for i, label in enumerate(found.labels) if "lower limit" in str(label)]
    assert len(limits) >= 1
    np.testing.assert_allclose(found.db[limits], 1.0, atol=1e-12)
    np.testing.assert_allclose(found.dA[limits], 0.0, atol=1e-12)


def test_a_snapshot_from_arrays_needs_a_model():
    snap = mc.Snapshot(
        mass=np.eye(1),
        bias=[9.81],
        actuation=np.eye(1),
        jacobian=[[1.0], [0.0]],
        drift=[0, 0],
        friction=0.5,
        velocity=[0, 0],
    )
    response = mc.dynamic_response(snap)
    with pytest.raises(ValueError, match="give model="):
        response[response.modes[0]].facet_gradients("m")
