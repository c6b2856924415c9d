"""Contact laws as data: the cells of Coulomb's law against Tables 1 to 3 of Greenfield 2005, written down
once more by hand.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from modecontrol._core import modes as core

STATES = {
    "left": core.SLIDES_LEFT,
    "rest": core.AT_REST,
    "right": core.SLIDES_RIGHT,
    "open": core.OPEN,
    "leaving": core.LEAVING,
    "unknown": core.SIGN_UNKNOWN,
}
LETTERS = {"left": "LS", "rest": "FLRS", "right": "RS", "open": "S", "leaving": "S", "unknown": "FLRS"}
coefficients = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])


def allows(letter, state, lo, hi, a, f, *, margin=0.0):
    """Whether a point `(a, f)` belongs to a cell, from the tables; strict rows by `margin`."""
    (a_n, a_t), (f_n, f_t) = a, f
    if letter == "S":
        return f_n == 0 and f_t == 0 and (state in ("open", "leaving") or a_n >= margin)
    if a_n != 0 or f_n < 0:
        return False
    if letter == "F":
        return a_t == 0 and abs(f_t) <= hi * f_n
    way = 1.0 if letter == "R" else -1.0
    return lo * f_n <= -way * f_t <= hi * f_n and (state != "rest" or way * a_t >= margin)


def satisfies(rows, a, f, margin=0.0):
    """Whether a point satisfies the rows of the core."""
    for on_a, on_f, constant, equality, strict, _ in rows:
        value = np.dot(on_a, a) + np.dot(on_f, f) + constant
        if value < (margin if strict else 0.0) or (equality and value > 0):
            return False
    return True


@pytest.mark.parametrize("state", STATES)
def test_velocity_decides_which_cells_there_are(state):
    assert "".join(letter for letter, _ in core.cells(0.5, 0.5, STATES[state])) == LETTERS[state]


@pytest.mark.parametrize("state", STATES)
@settings(deadline=None)
@given(mu=coefficients, spread=coefficients)
def test_cells_are_those_of_the_tables(state, mu, spread):
    points = [
        ((a_n, a_t), (f_n, f_t))
        for a_n in (-1.0, 0.0, 1.0)
        for a_t in (-1.0, 0.0, 1.0)
        for f_n in (-1.0, 0.0, 1.0)
        for f_t in (-4.0, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 4.0)
    ]
    for letter, rows in core.cells(mu, mu + spread, STATES[state]):
        for a, f in points:
            for margin in (0.0, 0.5):
                assert satisfies(rows, a, f, margin) == allows(
                    letter, state, mu, mu + spread, a, f, margin=margin
                ), (letter, a, f)


def test_exact_friction_ties_the_tangential_force():
    rows = dict(core.cells(0.5, 0.5, core.AT_REST))["R"]
    assert ((0.0, 0.0), (0.5, 1.0), 0.0, True, False, core.CAUSES.index("sliding friction")) in rows
    assert not [
        row for row in dict(core.cells(0.4, 0.5, core.AT_REST))["R"] if row[3] and row[1] != (0.0, 0.0)
    ]


@pytest.mark.parametrize("state", STATES)
@settings(deadline=None)
@given(mu=coefficients, spread=coefficients)
def test_every_cell_obeys_the_relaxation(state, mu, spread):
    """What the search demands of a contact without a letter may cut nothing from any of its cells."""
    relaxation = core.relaxation(mu, mu + spread, STATES[state])
    assert relaxation
    for _, rows in core.cells(mu, mu + spread, STATES[state]):
        A = np.array([-np.concatenate(row[:2]) for row in rows if not row[3]]).reshape(-1, 4)
        C = np.array([np.concatenate(row[:2]) for row in rows if row[3]]).reshape(-1, 4)
        for on_a, on_f, constant, equality, _, _ in relaxation:
            for sign in (1.0, -1.0) if equality else (1.0,):
                least = linprog(
                    sign * np.concatenate([on_a, on_f]),
                    A,
                    np.zeros(len(A)),
                    C,
                    np.zeros(len(C)),
                    bounds=(-1, 1),
                )
                assert sign * least.fun + sign * constant >= -1e-9
