"""Masses so far apart that double precision leaves the modes open are refused, never answered otherwise.

    w_j = max over contacts of |J_ij| / sqrt(M_jj)         how easily contacts move coordinate j

is free of units; the ratio of two is the root of a ratio of masses. The search treats a coordinate that is moved ten thousand times
more easily than all others as massless, which is right for rounding in a mass that is zero, and its strict rows compare
accelerations of the light part with loads of the heavy one. Beyond `tolerances.MASS_SPREAD` the list of modes is therefore
compared with that of nearer masses: `M'_ij = D_i M_ij D_j`, where `D` draws all `w` together.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.moderate import Found
from modecontrol.tolerances import LIGHT_GAP, MASS_SPREAD, MODERATE_SPREAD, NO_MASS, OWN_LOAD


def check_masses(found: Found) -> None:
    """Refuse the list of modes of an instant whose masses leave it open.

    Parameters
    ----------
    found
        The modes.
    """
    if found.problem.root.spread <= MASS_SPREAD:
        return
    snapshot = found.problem.snapshot
    ease = ease_of_moving(snapshot)
    ratio = ease.max(initial=1.0)
    if not ratio > MASS_SPREAD:
        return
    if _counts_as_massless(found, ease):
        return
    nearer = ease ** (1.0 - np.log(MODERATE_SPREAD) / np.log(ratio))
    found.refuse_others(
        _with_mass(snapshot, nearer[:, None] * snapshot.mass * nearer),
        _said(ratio),
        f"expected masses nearer to each other, a ratio of at most {MASS_SPREAD**2:.3g}, or exact zeros",
    )


def _counts_as_massless(found: Found, ease: np.ndarray) -> bool:
    """Whether all that is so light is taken for massless by the search, carries no load of its own, and has those modes."""
    snapshot = found.problem.snapshot
    light = ease > LIGHT_GAP
    if not light.any() or ease[~light].max(initial=1.0) > MASS_SPREAD:
        return False
    mass = np.diag(snapshot.mass)
    pull = (
        np.abs(snapshot.bias) * ease / np.where(mass > 0, np.sqrt(mass), np.inf)
    )  # what loads alone do to contacts
    if pull[light].max() > OWN_LOAD * pull[~light].max(initial=0.0):
        return False
    return not found.differences(_with_mass(snapshot, snapshot.mass * np.outer(~light, ~light)))


def check_steady_masses(snapshot: Snapshot) -> None:
    """Refuse masses that a control loop, which has no time to compare, could answer wrongly.

    Parameters
    ----------
    snapshot
        Some instant of the mechanism.
    """
    ratio = ease_of_moving(snapshot).max(initial=1.0)
    if ratio > MASS_SPREAD:
        raise ValueError(
            f"{_said(ratio)}; a controller takes a ratio of at most {MASS_SPREAD**2:.3g}, or exact zeros: it has no time to find "
            "out what double precision decides beyond"
        )


def ease_of_moving(snapshot: Snapshot) -> np.ndarray:
    """How many times more easily than the heaviest coordinate each is moved by contacts and loops (n,).

    One for what has no mass or only rounding of one, and for what no contact moves.

    Parameters
    ----------
    snapshot
        The instant.
    """
    mass = np.diag(snapshot.mass)
    seen = np.abs(np.vstack([snapshot.jacobian, snapshot.loop_jacobian])).max(axis=0, initial=0.0)
    felt = (mass > 0) & (seen > 0)
    ease = np.ones(len(mass))
    ease[felt] = seen[felt] / np.sqrt(mass[felt])
    ease[felt] /= ease[felt].min(initial=np.inf)
    return np.where(felt & (ease < NO_MASS), ease, 1.0)


def _said(ratio: float) -> str:
    return f"contacts move some coordinates {ratio:.3g} times more easily than others (a ratio of masses of about {ratio**2:.3g})"


def _with_mass(snapshot: Snapshot, mass: np.ndarray) -> Snapshot:
    known = {f.name: getattr(snapshot, f.name) for f in fields(snapshot)}
    return Snapshot.trusted(**{**known, "mass": mass})
