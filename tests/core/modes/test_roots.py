"""The table of unknowns before any letter, against dense linear algebra in the raw equations."""

import numpy as np
import pytest
import reference
from scipy.linalg import null_space

from modecontrol import Snapshot
from modecontrol._core import modes as core
from modecontrol.modes.constraints import Rows
from modecontrol.modes.letters import touch
from modecontrol.modes.problem import instant


def root_of(s):
    snapshot = Snapshot(**s)
    n, t = snapshot.actuation.shape
    rows = Rows.none(n + 2 * snapshot.contacts + t)
    return core.dynamic_root(instant(snapshot, touch(snapshot), rows))


@pytest.mark.parametrize("seed", range(40))
def test_columns_span_the_solutions_of_the_equations(seed):
    s = reference.random_system(np.random.default_rng(seed))
    s["velocity"] = np.zeros_like(s["velocity"])
    root = root_of(s)
    n, (k2, t) = len(s["bias"]), (len(s["drift"]), s["actuation"].shape[1])
    unknowns = n + k2 + t
    scale = root.units * root.size
    Z = root.table[:unknowns, : root.freedom] * scale[:, None]
    x0 = root.table[:unknowns, -1] * scale
    A = np.hstack([s["mass"], -s["jacobian"].T, -s["actuation"]])
    size = np.abs(A).max() * max(np.abs(x0).max(), np.abs(Z).max(), 1.0)
    assert np.abs(A @ Z).max(initial=0.0) <= 1e-9 * size
    assert np.abs(A @ x0 + s["bias"]).max() <= 1e-9 * size
    assert root.freedom == null_space(A * root.units, rcond=1e-9).shape[1]


@pytest.mark.parametrize("seed", range(20))
def test_columns_are_orthonormal_in_natural_units(seed):
    root = root_of(reference.random_system(np.random.default_rng(100 + seed)))
    assert root.freedom >= 0
    Z = root.table[: root.layout.columns, : root.freedom]
    np.testing.assert_allclose(Z.T @ Z, np.eye(root.freedom), atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_contact_accelerations_follow_the_unknowns(seed):
    s = reference.random_system(np.random.default_rng(200 + seed))
    root = root_of(s)
    assert root.freedom >= 0
    n, k2, at = len(s["bias"]), len(s["drift"]), root.layout
    y = np.random.default_rng(seed).normal(size=root.freedom)
    values = root.table[:, : root.freedom] @ y + root.table[:, -1]
    qdd = values[:n] * root.units[:n] * root.size
    found = values[at.xdd : at.xdd + k2] * root.size / root.units[at.force : at.force + k2]
    np.testing.assert_allclose(found, s["jacobian"] @ qdd + s["drift"], rtol=1e-9, atol=1e-9 * root.size)


def test_contradicting_loops_leave_nothing():
    nothing = np.zeros((0, 1))
    made = core.Instant(
        (np.eye(1), np.zeros(1), np.eye(1), nothing, np.zeros(0), np.ones((2, 1)), np.array([1.0, 2.0])),
        (np.zeros(0), np.zeros(0)),
        np.zeros(0, np.int8),
        (np.zeros((0, 2)), np.zeros(0), np.zeros(0, bool), 0),
    )
    root = core.dynamic_root(made)
    assert root.freedom == -1
    leaves, packed = core.respond(root)
    assert len(leaves[0]) == 0
    assert packed[0].shape == (0, 8)


@pytest.mark.parametrize(
    ("friction", "states"), [((-0.1, 0.5), 0), ((0.5, 0.4), 0), ((np.nan, np.nan), 0), ((0.5, 0.5), 7)]
)
def test_friction_and_states_that_make_no_sense_are_refused(friction, states):
    one = np.ones(1)
    with pytest.raises(ValueError, match=r"0 <= lo <= hi|expected finite numbers"):
        core.Instant(
            (np.eye(1), one, np.eye(1), np.ones((2, 1)), np.zeros(2), np.zeros((0, 1)), np.zeros(0)),
            (friction[0] * one, friction[1] * one),
            np.full(1, states, np.int8),
            (np.zeros((0, 4)), np.zeros(0), np.zeros(0, bool), 0),
        )
