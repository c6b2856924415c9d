"""Coefficients of friction beyond what double precision decides are refused, never answered otherwise.

    f = lambda (1, -+mu) / sqrt(1 + mu^2)          the edges of the cone, the force of a sliding contact

A cone with `mu` of a million is a half-plane but for a millionth: where contacts wedge each other, the accelerations and the
forces of a mode are products of such parts, and a search that calls less than `tolerances.STRICT` nothing loses it. From some
coefficient on the list of modes no longer changes (it follows from signs of polynomials in `1 / mu`). So the list is made a second
time with every coefficient inside of `FLAT_CONE .. STEEP_CONE`, where it is known to be right: when the two differ, the difference
is either a critical friction far outside of that range, or what rounding has done, and nobody can say which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.errors import UncheckedError
from modecontrol.modes.letters import spell
from modecontrol.tolerances import FLAT_CONE, FLATTEST_CONE, STEEP_CONE, STEEPEST_CONE

if TYPE_CHECKING:
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.modes.packed import Leaves
    from modecontrol.modes.problem import Problem

LISTED = 6
"""Modes that a message names."""


def check_decided(problem: Problem, leaves: Leaves) -> None:
    """Refuse the list of modes of an instant whose extreme friction leaves it open.

    Parameters
    ----------
    problem
        The instant.
    leaves
        Its modes as found.
    """
    snapshot = problem.snapshot
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
            **_arrays(snapshot),
        )
    from modecontrol._core import modes as core

    moderate = core.list_modes(core.dynamic_root(moderate_instant(problem)))
    doubtful = set()
    found = []
    for letters, unsure, *_ in (leaves, moderate):
        modes = [spell(letters[i]) for i in range(len(letters))]
        doubtful |= {mode for mode, is_unsure in zip(modes, unsure, strict=True) if is_unsure}
        found.append(set(modes))
    differ = sorted((found[0] ^ found[1]) - doubtful)
    if differ:
        listed = ", ".join(differ[:LISTED]) + (", ..." if len(differ) > LISTED else "")
        raise UncheckedError(
            f"{said}, and double precision cannot vouch for {listed} there: with the nearest coefficients from "
            f"{FLAT_CONE:g} to {STEEP_CONE:g} the modes are others; expected coefficients in that range, or 0",
            **_arrays(snapshot),
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


def moderate_instant(problem: Problem) -> Any:
    """The instant with the nearest coefficients that are not extreme, as the core reads it.

    Parameters
    ----------
    problem
        The instant.
    """
    from modecontrol.modes.problem import instant

    snapshot = problem.snapshot
    least, greatest = (
        np.where(mu > 0, np.clip(mu, FLAT_CONE, STEEP_CONE), 0.0)
        for mu in (snapshot.friction_low, snapshot.friction_high)
    )
    there = snapshot.with_friction(
        FrictionBox.of_contacts(np.array([least, greatest]), problem.names.contacts)
    )
    return instant(there, problem.touching, problem.physical)


def _arrays(snapshot: Snapshot) -> dict[str, Any]:
    names = (
        "mass",
        "bias",
        "actuation",
        "jacobian",
        "drift",
        "friction",
        "velocity",
        "loop_jacobian",
        "loop_drift",
    )
    return {name: getattr(snapshot, name) for name in names}
