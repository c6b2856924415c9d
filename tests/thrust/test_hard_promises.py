"""Promises of an outcome where motions, forces and the worst `w` tie: instants with small whole numbers, judged by raw programs."""

import numpy as np
import pytest
import reference
from scipy.optimize import linprog

import modecontrol as mc


def instant(mass, bias, actuation, jacobian, friction, **more):
    k = len(friction)
    return {
        "mass": np.array(mass, float),
        "bias": np.array(bias, float),
        "actuation": np.array(actuation, float),
        "jacobian": np.array(jacobian, float),
        "friction": np.array(friction, float),
        "drift": np.zeros(2 * k),
        "velocity": np.zeros(2 * k),
        **more,
    }


def thrice():
    """An arm whose tip touches with the same contact three times: sticking forces are free, sliding ones are not."""
    tip = [[0, 1, 1, 1], [1, 0, 0.5, -1]]
    return instant(
        mass=[[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0.5, 0.25], [0, 0, 0.25, 0.5]],
        bias=[0, 20, 0, 2],
        actuation=[[1, 0, -1], [-1, 0, 1], [1, 0, 2], [0, -1, -1]],
        jacobian=[[-1, 0, -0.5, 0], [0, 1, 1, 0], *tip, *tip, *tip],
        friction=[0.25, 1, 1, 1],
    )


def twice():
    """A box on one contact written twice, smooth and rough, beside a wall: the worst `w` is the same row everywhere."""
    foot = [[0, 1, -1], [1, 0, 0.5]]
    return instant(
        mass=np.diag([2, 2, 1]),
        bias=[0, 20, 2],
        actuation=[[0], [1], [1]],
        jacobian=[*foot, *foot, [1, 0, -0.5], [0, -1, 1]],
        friction=[0, 0.5, 2],
    )


def looped():
    """A body in a loop with a massless part that both contacts see."""
    return instant(
        mass=np.diag([2, 2, 0.5, 0]),
        bias=[-4, 20, -2, 0],
        actuation=[[2, 0, 1], [1, 2, 0], [-1, 0, 1], [0, 0, 0]],
        jacobian=[[-1, 0, 0.5, 0], [0, 1, 0.5, -1], [0, 1, 0, 0], [1, 0, 0.5, -1]],
        friction=[0.5, 0.5],
        loop_jacobian=np.array([[-1.0, 0, 1, 1]]),
        loop_drift=np.zeros(1),
    )


def braced():
    """A body between two walls and a floor, held by forces that are not unique."""
    return instant(
        mass=np.diag([2, 2, 1]),
        bias=[4, 20, -2],
        actuation=[[2, 0, 1], [0, 2, -1], [0, 1, 0]],
        jacobian=[[1, 0, -0.5], [0, -1, -1], [0, 1, 1], [1, 0, 0.5], [-1, 0, 0.5], [0, 1, -1]],
        friction=[1, 0.25, 2],
    )


def armed():
    """A body with an arm on one foot; one mode only, so that no margin takes anything away."""
    return instant(
        mass=[[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0.5, 0.25], [0, 0, 0.25, 0.5]],
        bias=[0, 20, 2, 2],
        actuation=[[0], [1], [0], [1]],
        jacobian=[[0, 1, 0, 0], [1, 0, 0.5, 0]],
        friction=[0.5],
    )


def least(s, limits, tau, column):
    """Least value of one of (qdd, f, lam, tau) over every contact mode that explains the inputs; inf when none does."""
    found = [np.inf]
    for mode in reference.candidate_modes(s):
        A, b, C, e, _ = reference.raw_rows(s, mode, limits)
        lead = A.shape[1] - len(tau)
        cost = np.eye(A.shape[1])[column]
        answer = linprog(
            cost[:lead],
            A[:, :lead],
            b - A[:, lead:] @ tau,
            C[:, :lead],
            e - C[:, lead:] @ tau,
            bounds=(None, None),
        )
        if answer.status in (0, 3):
            found.append(answer.fun + cost[lead:] @ tau if answer.status == 0 else -np.inf)
    return min(found)


@pytest.mark.parametrize(
    ("s", "limits", "goal", "column", "task", "margin"),
    [
        (thrice(), [(-8, 8)] * 3, "c1.tangent", 5, "q1 <= 1", 0.0),
        (twice(), [(-8, 8)], "q1", 0, (), 1e-3),
        (looped(), [(-8, 0), (-8, 8), (-8, 0)], "c1.normal", 4, (), 0.0),
        (braced(), [(-8, 8)] * 3, "tau1", 9, "tau1 - tau2 == 0.5", 1e-3),
        (armed(), [(-8, 8)], "tau1", 6, "q1 <= 1", 4.0),
    ],
    ids=["thrice", "twice", "looped", "on a slice", "up to the task"],
)
def test_an_outcome_is_promised_soon_reached_by_all_modes_and_no_less_than_that_of_a_mode(
    s, limits, goal, column, task, margin
):
    resp = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits, task=task)
    sure = mc.maximize(resp, goal, margin=margin)
    found = mc.maximize(resp, goal, margin=margin, guarantee="outcome", patience=40)
    assert sure
    assert found
    assert found.value >= sure.value - 1e-6 * (1 + abs(sure.value))
    reached = least(s, limits, found.torque, column)
    assert found.value - 1e-5 <= reached < np.inf
    assert set(resp.modes_at(found.torque)) == set(found.modes)
