"""What a mode can surely do when friction is known as intervals: the corner theorem.

    intersection over the box of T_c(mu)  =  intersection over its corners of T_c(corner)

Fix the inputs and all coefficients but one: those values of it with which the mode explains the inputs are an
interval, so two ends decide. Separating contacts need no corner, fixed ones the least coefficient, sliding
ones both ends. Other laws change nothing of it: `mu_static` widens the bound of a fixed contact whatever the coefficient,
adhesion puts `f_n + pull` in place of `f_n`, a claw has one bound less. Contacts that share a parameter break the theorem; they
are covered by small boxes in which each contact is treated as independent, which is sound and sharper the smaller the boxes.

Where a disturbance acts, the corners are taken at each vertex of it: at given inputs and friction the disturbances that
leave the mode possible are a convex set.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.problem import Problem
from modecontrol.polytopes import Polytope

PARTS = 8
"""Small boxes along each shared parameter, unless the caller says otherwise."""


def box_of(problem: Problem) -> FrictionBox:
    """What is known of friction at an instant; a box without width when it is known exactly."""
    box = problem.snapshot.uncertainty
    if box is not None:
        return box
    mu = problem.snapshot.friction
    return FrictionBox.of_contacts(np.array([mu, mu]), problem.names.contacts)


def corner_responses(problem: Problem, box: FrictionBox, mode: str) -> list[ModeResponse]:
    """The mode at the corners that decide; an empty list when it cannot happen at one of them."""
    low, high = box.intervals
    ends = [
        (a,) if letter in "SF" or a == b else (a, b) for letter, a, b in zip(mode, low, high, strict=True)
    ]
    found = []
    for extreme, corner in product(problem.extremes, product(*ends)):
        there = extreme.with_friction(np.array(corner, float)).respond_in(mode)
        if there is None:
            return []
        found.append(there)
    return found


def common_torques(corners: list[ModeResponse], inputs: int) -> Polytope:
    """Inputs that all responses have in common; the empty set when there is no response."""
    if not corners:
        return Polytope(np.zeros((1, inputs)), [-1.0])
    found = corners[0].torques
    for other in corners[1:]:
        found = found.intersect(other.torques)
    return found.minimal()


def sure_torques(problem: Problem, mode: str, parts: int = PARTS) -> Polytope:
    """Inputs that can produce a mode whatever the friction is."""
    found = None
    for box in box_of(problem).divided(parts):
        here = common_torques(corner_responses(problem, box, mode), len(problem.names.inputs))
        found = here if found is None else found.intersect(here)
        if found.is_empty:
            break
    assert found is not None
    return found.minimal()
