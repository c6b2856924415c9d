"""Promised outcomes beside singular friction: no mode that happens at the chosen inputs gives less, by linear programs in the raw
unknowns.

A massless leg that a contact pushes with `a_n f_n + a_t f_t` is singular in sliding where the coefficient is `|a_n / a_t|`:
friction is placed there on purpose, and beside it.
"""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.thrust.cuts import promised_at, promised_by_cuts
from modecontrol.thrust.objective import Objective

BESIDE = [0.0, 1e-12, -1e-11, 1e-10, -1e-9, 3e-9, 1e-8, -3e-8, 1e-7, -1e-6, 1e-6]


def arrays(mass, bias, actuation, jacobian, friction):
    contacts = len(jacobian) // 2
    return dict(
        mass=np.diag(mass),
        bias=np.array(bias),
        actuation=np.array(actuation),
        jacobian=np.array(jacobian),
        drift=np.zeros(2 * contacts),
        friction=np.array(friction),
        velocity=np.zeros(2 * contacts),
    )


def one_leg(beside):
    """A body on a foot and a massless leg: fixed, its least force is free within rounding of no torque."""
    jacobian = [[0, 1, -0.5, 0], [1, 0, 0.5, 0], [0, 1, 0, -0.5], [1, 0, -0.5, 1.0]]
    made = arrays(
        [2.0, 2.0, 0.25, 0.0], [0, 20.0, -2, 0], np.eye(4)[:, 3:], jacobian, [0.25, 0.5 * (1 + beside)]
    )
    return made, [(-8.0, 8.0)]


def two_feet_and_a_leg(beside):
    jacobian = [
        [0, 1, 1, 0],
        [1, 0, -0.5, 0],
        [0, 1, -0.5, 0],
        [1, 0, -0.5, 0],
        [0, 1, -1, -1],
        [1, 0, -0.5, -0.5],
    ]
    actuation = [[0.0, 0, 0], [0, 1, 1], [0, 2, 0], [1, 1, 0]]
    friction = [0.25, 0.0, 2.0 * (1 + beside)]
    made = arrays([2.0, 2.0, 1.0, 0.0], [-5.0, 20, 2, 0], actuation, jacobian, friction)
    return made, [(-8.0, 8.0), (-8.0, 0.0), (-8.0, 8.0)]


def pushed_leg(beside):
    """A leg whose fixed contact, but for rounding, has the inputs of the open one."""
    actuation = [[1.0, 1.0], [-1.0, 1.0], [0.0, 1.0], [0.0, -1.0]]
    jacobian = [[0.0, 1.0, -0.5, 0.5], [1.0, 0.0, 0.5, -1.0]]
    made = arrays([2.0, 2.0, 0.5, 0.0], [0, 20.0, 0, 0], actuation, jacobian, [0.5 * (1 + beside)])
    return made, [(-8.0, 8.0), (-8.0, 0.0)]


def two_legs(beside):
    legs = [[0, 1, -0.5, -1, 0, 0], [1, 0, 0.5, 0.5, 0, 0], [0, 1, -1, 0, -1, 0], [1, 0, 0.5, 0, 0.5, 0]]
    actuation = np.eye(6)[:, 3:5]
    made = arrays(
        [2.0, 2, 0.5, 0, 0, 0.5], [-4.0, 20, -2, 0, 0, -2], actuation, legs, [2 * (1 + beside), 0.5]
    )
    made["mass"][2, 5] = made["mass"][5, 2] = 0.25
    return made, [(-8.0, 0.0), (-8.0, 8.0)]


def random_legs(rng, beside):
    """A body on one or two massless legs, each of which may be singular in sliding, with one foot at most."""
    legs, feet = int(rng.integers(1, 3)), int(rng.integers(0, 2))
    rows, friction = [], []
    for i in range(legs + feet):
        pair = np.zeros((2, 3 + legs))
        pair[0, :3], pair[1, :3] = (0, 1, rng.choice([-1.0, 0.5, 1.0])), (1, 0, rng.choice([-0.5, 0.5]))
        friction.append(float(rng.choice([0.25, 0.5, 1.0])))
        if i < legs:
            pair[:, 3 + i] = rng.choice([-1.0, -0.5, 0.5, 1.0], size=2)
            if i == 0 or rng.random() < 0.5:
                friction[-1] = abs(pair[0, 3 + i] / pair[1, 3 + i]) * (1 + beside)
        rows += list(pair)
    bias = [rng.choice([-4.0, 0.0, 4.0]), 20.0, rng.choice([-2.0, 0.0, 2.0]), *np.zeros(legs)]
    made = arrays([2.0, 2, 0.5, *np.zeros(legs)], bias, np.eye(3 + legs)[:, 3:], rows, friction)
    return made, [[(-8.0, 0.0), (0.0, 8.0), (-8.0, 8.0)][rng.integers(3)] for _ in range(legs)]


def keeps(s, box, tau, row, value):
    """Whether some mode explains the inputs and each gives the value."""
    tau, found = np.array(tau, float), []
    for mode in reference.candidate_modes(s):
        if reference.exists_at(s, mode, tau, box):
            least = reference.least_at(s, mode, tau, box, row)
            found += [] if least is None else [least]
    loose = any(reference.exists_at(s, mode, tau, box, 1e-8) for mode in reference.candidate_modes(s))
    return loose and min(found, default=np.inf) >= value - 3e-6 * (1 + abs(value))


def promises_stand(s, box, goal):
    """Hold the search's and the controllers' promises against raw programs: whether each stands, and how many were made."""
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=box)
    objective = Objective.of(goal, response.snapshot)
    row = objective.row
    best = mc.maximize(response, goal, guarantee="outcome", patience=600)
    made = []
    if best:
        made.append((best.torque, best.value))
        held = promised_at(response.problem, objective.fitted(response.problem), best.torque)
        made += [(best.torque, held)] if held > -np.inf else []
    by_cuts = promised_by_cuts(response.problem, objective)
    made += [] if by_cuts is None else [by_cuts]
    return [keeps(s, box, tau, row, value) for tau, value in made]


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize(
    ("system", "goal"),
    [
        (one_leg, "c1.normal - c2.normal"),
        (two_feet_and_a_leg, "-1.0 * c3.normal"),
        (pushed_leg, "-1.0 * tau2 - c1.normal"),
        (two_legs, "-1.0 * c2.normal - c1.normal"),
    ],
)
def test_a_promised_outcome_is_kept_by_every_mode_beside_a_singularity(system, goal, beside):
    s, box = system(beside)
    assert all(promises_stand(s, box, goal))


@pytest.mark.parametrize("seed", range(5))
def test_promised_outcomes_of_legs_whose_friction_is_placed_at_a_singularity(seed):
    rng = np.random.default_rng([seed, 5])
    state = rng.bit_generator.state
    for beside in BESIDE:
        rng.bit_generator.state = state
        s, box = random_legs(rng, beside)
        for goal in ("-1.0 * c1.normal", "q2"):
            assert all(promises_stand(s, box, goal)), (beside, goal)


@pytest.mark.parametrize("beside", [-0.3, -1e-3, 1e-3, 0.3])
def test_promises_are_made_away_from_the_singularity_by_the_search_and_by_the_controllers(beside):
    assert promises_stand(*one_leg(beside), "c1.normal - c2.normal") == [True, True, True]


@pytest.mark.parametrize("beside", [1e-10, -1e-9, 1e-8, 1e-7])
def test_beside_the_singularity_the_reason_says_why_nothing_is_promised(beside):
    s, box = one_leg(beside)
    best = mc.maximize(mc.dynamic_response(mc.Snapshot(**s), torque_limits=box), "tau1", guarantee="outcome")
    assert not best
    assert "all but singular" in best.reason
