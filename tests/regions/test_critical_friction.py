"""The critical friction of a state (T7), against analytic answers, exact rational determinants and counted modes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import modecontrol as mc


def rod(angle, mu=0.5, slip=0.0, half=0.5, mass=1.0):
    """A uniform rod on its tip; inputs are the forces and the torque on its centre."""
    inertia = mass * half**2 / 3
    J = np.array([[0, 1, -half * np.cos(angle)], [1, 0, half * np.sin(angle)]])
    return mc.Snapshot(
        mass=np.diag([mass, mass, inertia]),
        bias=[0, 9.81 * mass, 0],
        actuation=np.eye(3),
        jacobian=J,
        drift=np.zeros(2),
        friction=[mu],
        velocity=[0, slip],
        gap=[0.0],
    )


def painleve(snapshot):
    W = snapshot.jacobian @ np.linalg.solve(snapshot.mass, snapshot.jacobian.T)
    return W[0, 0] / abs(W[0, 1])


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.1, np.arctan(2.0), 1.4])
@pytest.mark.parametrize("mu", [0.1, 0.5, 3.0])
def test_painleves_rod(angle, mu):
    snapshot = rod(angle, mu)
    found = mc.dynamic_response(snapshot).critical_friction()
    assert found
    assert found.status == "critical"
    assert found.friction[0] == pytest.approx(painleve(snapshot), rel=1e-9)
    assert found.scale * mu == pytest.approx(found.friction[0])
    assert found.answers == 1
    assert found.certified == (mu < painleve(snapshot))


def test_a_uniform_rod_needs_four_thirds_at_least():
    least = min(
        mc.dynamic_response(rod(angle)).critical_friction().friction[0]
        for angle in np.append(np.linspace(0.2, 1.5, 27), np.arctan(2.0))
    )
    assert least == pytest.approx(4 / 3, rel=1e-9)


def test_sliding_one_way_is_critical_and_the_other_never():
    down, up = (mc.dynamic_response(rod(0.7, slip=s)).critical_friction() for s in (-1.0, 1.0))
    assert down.friction[0] == pytest.approx(painleve(rod(0.7)), rel=1e-9)
    assert (up.status, up.scale, up.answers) == ("never", np.inf, 1)


def random_system(rng, contacts=2, n=4):
    L = rng.standard_normal((n, n))
    return dict(
        mass=np.round(L @ L.T + 0.5 * np.eye(n), 3),
        bias=np.zeros(n),
        actuation=np.eye(n),
        jacobian=np.round(rng.standard_normal((2 * contacts, n)), 3),
        drift=np.zeros(2 * contacts),
        velocity=np.zeros(2 * contacts),
        gap=np.zeros(contacts),
    )


def rational_determinant(matrix):
    """By elimination over the rationals."""
    rows = [[Fraction(float(x)) for x in row] for row in matrix]
    det = Fraction(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot], det = rows[pivot], rows[i], -det
        det *= rows[i][i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return det


def raw_matrix(system, mode, mu):
    """`W`-form of the certificate, written again: columns `a - W f` of the generators."""
    W = system["jacobian"] @ np.linalg.solve(system["mass"], system["jacobian"].T)
    columns = []
    for i, letter in enumerate(mode):
        e_n, e_t = np.eye(len(W))[2 * i], np.eye(len(W))[2 * i + 1]
        w_n, w_t = W[:, 2 * i], W[:, 2 * i + 1]
        columns += {
            "S": [e_t, e_n],
            "F": [-w_t, -w_n],
            "L": [-e_t, -w_n - mu[i] * w_t],
            "R": [-w_n + mu[i] * w_t, e_t],
        }[letter]
    return np.column_stack(columns)


def signs(system, bound):
    """Signs of all determinants at the ends of the box from 0 to `bound`, over the rationals."""
    found = set()
    for mode in product("SFLR", repeat=len(bound)):
        for ends in product((0, 1), repeat=len(bound)):
            det = rational_determinant(raw_matrix(system, mode, np.array(ends) * bound))
            found.add((det > 0) - (det < 0))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_exact_determinants_agree(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng)
    mu = rng.uniform(0.1, 1.0, 2)
    found = mc.dynamic_response(
        mc.Snapshot(**system, friction=mu), torque_limits=[(-9, 9)] * 4
    ).critical_friction()
    scale = min(found.scale, 1e3)
    assert len(signs(system, 0.999 * scale * mu)) == 1
    assert (len(signs(system, 1.001 * scale * mu)) > 1) == (found.status == "critical")
    mode = found.mode or "FF"
    K = found.matrix(mode, scale * mu)
    assert K.shape == (8, 8)


@pytest.mark.parametrize("seed", range(6))
def test_every_load_has_as_many_answers_as_it_says(seed):
    rng = np.random.default_rng(100 + seed)
    system = random_system(rng)
    mu = rng.uniform(0.1, 1.0, 2)
    found = mc.dynamic_response(
        mc.Snapshot(**system, friction=mu), torque_limits=[(-9, 9)] * 4
    ).critical_friction()
    below = mc.Snapshot(**system, friction=0.9 * min(found.scale, 10.0) * mu)
    response = mc.dynamic_response(below, torque_limits=[(-9, 9)] * 4)
    loads = rng.uniform(-9, 9, (200, 4))
    assert {len(response.modes_at(load)) for load in loads} == {found.answers}
    assert found.answers == 1


def test_beyond_the_bound_some_load_has_three_answers():
    snapshot = rod(np.arctan(2.0), mu=2.5)
    response = mc.dynamic_response(snapshot, torque_limits=[(-30, 30)] * 3)
    assert response.critical_friction().scale < 1
    loads = np.random.default_rng(0).uniform(-30, 30, (400, 3))
    assert 3 in {len(response.modes_at(load)) for load in loads}


def test_light_links_and_units_do_no_harm():
    """In the air a link without mass may do anything, so nothing is certified; the lightest one will do, in any unit."""
    M = np.diag([2.0, 2.0, 0.1, 0.0])
    J = np.array([[0, 1, 0.2, 0.3], [1, 0, 0.1, 0.4]])
    base = dict(
        bias=np.zeros(4),
        actuation=np.eye(4),
        drift=np.zeros(2),
        velocity=np.zeros(2),
        gap=[0.0],
        friction=[0.5],
    )
    found = mc.dynamic_response(mc.Snapshot(mass=M, jacobian=J, **base)).critical_friction()
    light = mc.dynamic_response(
        mc.Snapshot(mass=M + np.diag([0, 0, 0, 1e-9]), jacobian=J, **base)
    ).critical_friction()
    assert not found
    assert found.mode == "S"
    assert light.friction[0] == pytest.approx(0.3 / 0.4, rel=1e-6)
    scaled = mc.dynamic_response(
        mc.Snapshot(mass=1e9 * (M + np.diag([0, 0, 0, 1e-9])), jacobian=1e-5 * J, **base)
    ).critical_friction()
    assert scaled.friction[0] == pytest.approx(light.friction[0], rel=1e-9)


def test_what_stays_open_is_said():
    model = mc.load("table")
    found = mc.dynamic_response(model.snapshot(model.start)).critical_friction()
    assert not found
    assert (found.status, found.scale) == ("undecided", 0.0)
    assert "does not determine" in found.reason
    snake = mc.load("snake")
    assert "combinations" in mc.dynamic_response(snake.snapshot(snake.start)).critical_friction().reason


def test_no_contact_is_never_critical():
    model = mc.load("rod")
    q = np.array(model.start)
    q[1] += 1.0
    found = mc.dynamic_response(model.snapshot(q)).critical_friction()
    assert (found.status, found.answers) == ("never", 1)
