"""Coefficients of friction beyond what double precision decides are refused, never answered otherwise.

    f = lambda (1, -+mu) / sqrt(1 + mu^2)          the edges of the cone, the force of a sliding contact

A cone with `mu` of a million is a half-plane but for a millionth: where contacts wedge each other, the accelerations and the
forces of a mode are products of such parts, and a search that calls less than `tolerances.STRICT` nothing loses it. So the list is
compared with that of coefficients inside of `FLAT_CONE .. STEEP_CONE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.errors import UncheckedError
from modecontrol.modes.moderate import Found, arrays
from modecontrol.tolerances import FLAT_CONE, FLATTEST_CONE, STEEP_CONE, STEEPEST_CONE


def check_friction(found: Found) -> None:
    """Refuse the list of modes of an instant whose extreme friction leaves it open.

    Parameters
    ----------
    found
        The modes.
    """
    problem, snapshot = found.problem, found.problem.snapshot
    extreme = is_extreme(snapshot.friction_low) | is_extreme(snapshot.friction_high)
    extreme &= ~problem.touching.free
    if not extreme.any():
        return
    mu = np.array([snapshot.friction_low, snapshot.friction_high])
    beyond = extreme & ((mu > STEEPEST_CONE) | ((mu > 0) & (mu < FLATTEST_CONE)))
    worst = np.argwhere(beyond if beyond.any() else extreme & is_extreme(mu))[0]
    said = f"friction of contact {problem.names.contacts[worst[1]]!r} is {mu[tuple(worst)]:g}"
    if beyond.any():
        raise UncheckedError(
            f"{said}: double precision cannot tell which contacts slide there; expected 0, or from "
            f"{FLATTEST_CONE:g} to {STEEPEST_CONE:g} ({STEEP_CONE:g} holds a contact as well, unless it is wedged)",
            **arrays(snapshot),
        )
    low, high = (np.where(one > 0, np.clip(one, FLAT_CONE, STEEP_CONE), 0.0) for one in mu)
    names = problem.names.contacts
    found.refuse_others(
        snapshot.with_friction(FrictionBox.of_contacts(np.array([low, high]), names)),
        said,
        f"expected coefficients of 0 or from {FLAT_CONE:g} to {STEEP_CONE:g}",
    )


def check_moderate(names: Sequence[str], *coefficients: np.ndarray) -> None:
    """Refuse friction that a control loop, which has no time to compare, could answer wrongly.

    Parameters
    ----------
    names
        Of the contacts.
    coefficients
        One for each contact, in each array.
    """
    for several in coefficients:
        for name, mu in zip(names, several, strict=True):
            if is_extreme(mu):
                raise ValueError(
                    f"friction of contact {name!r} is {mu:g}; a controller takes 0, or from {FLAT_CONE:g} to "
                    f"{STEEP_CONE:g}: it has no time to find out what double precision decides beyond"
                )


def is_extreme(mu: Any) -> Any:
    """Whether coefficients are so steep or so flat that the modes have to be compared with those of moderate ones.

    Parameters
    ----------
    mu
        One, or several.
    """
    return (mu > STEEP_CONE) | ((mu > 0) & (mu < FLAT_CONE))
