"""Rank cases and admissible inputs of section 3.4 of Greenfield 2005, and modes whose torque set is not
known.
"""

import dataclasses

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.modes.packed import STATUS
from modecontrol.polytopes import Polytope


def test_two_link_fixed_is_case_4():
    """The paper's own example: 10 x 10 and of rank 8, yet every input is admissible."""
    model = mc.load("two_link")
    fixed = mc.dynamic_response(model.snapshot(model.start))["FFF"]
    assert fixed.system.A.shape == (10, 10)
    assert fixed.system.rank == 8
    assert fixed.rank_case == 4
    assert fixed.case == "ambiguous"
    assert fixed.Ap.shape == (1, 1)


@pytest.mark.parametrize(("rows", "expected"), [(([0.0, 1.0], [1.0, 0.0]), 1), (([0.0, 1.0], [0.0, 0.0]), 4)])
def test_cases_of_one_body(rows, expected):
    """A point on a floor that sees both directions, and one that sees only the normal: its tangential force
    is open.
    """
    s = mc.Snapshot(
        mass=np.eye(2),
        bias=[0.0, 9.81],
        actuation=np.eye(2),
        jacobian=np.array(rows),
        drift=np.zeros(2),
        friction=0.5,
        velocity=np.zeros(2),
    )
    assert mc.dynamic_response(s)["F"].rank_case == expected


@settings(max_examples=40)
@given(seed=st.integers(0, 100_000))
def test_admissible_inputs_solve_the_equations_and_no_others_do(seed):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng)
    t = s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s))
    assume(response.modes)
    for r in response.values():
        assert r.Ap.shape == (t, r.admissible)
        assert r.bp.shape == (t,)
        assert np.linalg.matrix_rank(r.Ap) == r.admissible
        system = r.system
        for tau in (r.bp, r.bp + r.Ap @ rng.normal(size=r.admissible)):
            right = system.B @ tau + system.c
            u = np.linalg.lstsq(system.A * system.units, right, rcond=1e-10)[0] * system.units
            assert np.abs(system.A @ u - right).max() <= 1e-7 * max(
                1.0, np.abs(system.A).max() * np.abs(u).max()
            )
        assert r.torques.dimension <= r.admissible


def test_massless_leg_in_the_air_has_no_torque():
    model = mc.load("rhex")
    q = np.array(model.start)
    q[5] = -0.3 + 0.5
    response = mc.dynamic_response(model.snapshot(q))
    r = response[next(mode for mode in response if mode.endswith("S"))]
    assert r.rank_case in (3, 4)
    assert r.admissible == 2
    np.testing.assert_allclose(r.Ap[2], 0.0, atol=1e-9)
    assert r.bp[2] == pytest.approx(0.0, abs=1e-9)


# Modes that cannot be projected
# ---------------------------------------------------------------------------------


def unprojected(monkeypatch):
    """RHex at rest as if the core had vouched for no projection of FFFF, and no other method had one either."""
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start))
    plain = response["FFFF"]
    shape = response.packed.shape.copy()
    shape[response._place["FFFF"], STATUS] = 3
    again = dataclasses.replace(response, packed=response.packed._replace(shape=shape), _made={})

    def fail(self, *_, **__):
        raise mc.UncheckedError("no method agrees", A=self.A)

    monkeypatch.setattr(Polytope, "project", fail)
    return plain, response, again


def test_one_mode_without_projection_takes_nothing_from_the_others(monkeypatch):
    plain, response, again = unprojected(monkeypatch)
    assert again.modes == response.modes
    for tau in np.random.default_rng(0).uniform(-11, 2, size=(60, 3)):
        assert again.modes_at(tau) == response.modes_at(tau)
        assert again["FFFF"].allows(tau) == plain.torques.contains(tau)
    assert (
        again.accelerations_at([-6.0, -3.0, -1.0]).keys()
        == response.accelerations_at([-6.0, -3.0, -1.0]).keys()
    )


def test_it_is_marked_with_its_reason(monkeypatch):
    _, _, again = unprojected(monkeypatch)
    mode = again["FFFF"]
    assert "could not be projected" in mode.reason
    with pytest.raises(mc.UncheckedError, match="domain of FFFF could not be projected"):
        mode.torques  # noqa: B018
    assert all(not again[other].reason for other in again if other != "FFFF")
    record = next(row for row in again.rows() if row["mode"] == "FFFF")
    assert record["facets"] == "not projected"
    assert record["reason"] == mode.reason
    assert again.to_dict()["modes"]["FFFF"]["torques"] is None
    assert "not projected" in again.summary()
    assert "not known" in str(again.explain("FFFF"))
    assert "not projected" in repr(mode)


def test_a_hard_projection_waits_until_it_is_asked_for(monkeypatch):
    """The snake braced with all nine contacts: eight ambiguity variables."""
    model = mc.load("snake")
    monkeypatch.setattr(Polytope, "project", lambda *_, **__: pytest.fail("nobody asked for a projection"))
    response = mc.dynamic_response(model.snapshot(model.start))
    hard = [i for i, status in enumerate(response.packed.shape[:, STATUS]) if status != 0]
    modes = [bytes(response.leaves.letters[i]).decode() for i in hard]
    for mode in modes:
        found = response[mode]
        centre = found.domain.chebyshev.centre
        assert found.allows(centre[:7])
        assert not found.allows(np.full(7, 1e6))
    assert set(modes) <= set(response.modes)
