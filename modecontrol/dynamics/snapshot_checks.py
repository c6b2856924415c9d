"""What the arrays of a snapshot have to be: shapes, signs, intervals, a symmetric mass matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.validation import coefficients, counted, real_array


def numbers(name: str, value: ArrayLike) -> np.ndarray:
    """An array of numbers, which may be infinite.

    Parameters
    ----------
    name, value
        What it is called, and what was given.
    """
    return real_array(value, name, infinite=True)


def array(name: str, value: ArrayLike, ndim: int) -> np.ndarray:
    """An array of finite numbers; coefficients where it is a matrix.

    Parameters
    ----------
    name, value
        What it is called, and what was given.
    ndim
        Number of its axes.
    """
    return coefficients(value, name) if ndim == 2 else real_array(value, name, ndim)


def friction_interval(interval: ArrayLike, mu: np.ndarray, contacts: tuple[str, ...]) -> np.ndarray:
    """Intervals of friction, `0 <= lo <= mu <= hi` for every contact.

    Parameters
    ----------
    interval
        Least and greatest coefficients (2, k).
    mu
        Coefficients (k,).
    contacts
        Names of the contacts.
    """
    found = array("friction_interval", interval, 2)
    if found.shape != (2, len(mu)):
        raise ValueError(
            f"friction_interval has shape {found.shape}; expected (2, {len(mu)}): least and greatest coefficients"
        )
    bad = ~((found[0] >= 0) & (found[0] <= mu) & (mu <= found[1]))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(
            f"friction of contact {contacts[i]!r} is {mu[i]} in [{found[0, i]}, {found[1, i]}]; "
            "expected 0 <= lo <= friction <= hi"
        )
    return found


def contact_velocity(velocity: Any, interval: Any, k: int) -> tuple[Any, np.ndarray | None]:
    """Contact velocities, and their intervals where they are known as such.

    Parameters
    ----------
    velocity, interval
        As given to the snapshot.
    k
        Number of contacts.
    """
    given = numbers("velocity", velocity)
    if given.ndim == 2:
        interval = given
    if interval is None:
        return velocity, None
    between = array("velocity", interval, 2)
    if between.shape != (2, 2 * k):
        raise ValueError(
            f"velocity has shape {between.shape}; expected {(2 * k,)}, or {(2, 2 * k)}: (lo, hi)"
        )
    if np.any(between[0] > between[1]):
        i = int(np.argmax(between[0] > between[1]))
        raise ValueError(f"velocity[{i}] lies in [{between[0, i]}, {between[1, i]}]; expected lo <= hi")
    if np.any(between[0, 0::2] != between[1, 0::2]):
        i = int(np.argmax(between[0, 0::2] != between[1, 0::2]))
        raise ValueError(
            f"velocity of contact {i + 1} along its normal lies in [{between[0, 2 * i]}, {between[1, 2 * i]}]; "
            "expected one number: only tangential velocities may be intervals"
        )
    return between.mean(axis=0), between


def sized(name: str, array: np.ndarray, count: int) -> np.ndarray:
    """The array, if it is a vector of so many numbers.

    Parameters
    ----------
    name, array
        What it is called, and what was read.
    count
        How many are expected.
    """
    if array.shape != (count,) or np.isnan(array).any():
        raise ValueError(f"{name} is {array.tolist()}; expected {counted(count, 'number')}")
    return array


def check_mass(M: np.ndarray) -> None:
    """Refuse a mass matrix that is not symmetric and positive semidefinite.

    Parameters
    ----------
    M
        The matrix.
    """
    scale = np.abs(M).max(initial=0.0)
    asymmetry = np.abs(M - M.T)
    if asymmetry.max(initial=0.0) > tolerances.SYMMETRIC * scale:
        i, j = map(int, np.unravel_index(np.argmax(asymmetry), M.shape))
        raise ValueError(f"mass is not symmetric: mass[{i}, {j}] = {M[i, j]} but mass[{j}, {i}] = {M[j, i]}")
    if M.size:
        root = np.sqrt(np.abs(np.diag(M)))
        root[root == 0] = 1.0
        least = np.linalg.eigvalsh(M / np.outer(root, root))[0]
        if least < -tolerances.SYMMETRIC * len(M):
            raise ValueError(
                "mass is indefinite: scaled to a unit diagonal its least eigenvalue is "
                f"{least:.3g}; expected a positive semidefinite matrix"
            )


def input_limits(given: Any, count: int) -> np.ndarray:
    """(t, 2) box of the inputs; None is unlimited.

    Parameters
    ----------
    given
        Pairs (lower, upper), or None.
    count
        Number of inputs.
    """
    limits = np.full((count, 2), (-np.inf, np.inf)) if given is None else numbers("torque_limits", given)
    if limits.shape != (count, 2) or not np.all(
        (limits[:, 0] <= limits[:, 1]) & (limits[:, 0] < np.inf) & (limits[:, 1] > -np.inf)
    ):
        raise ValueError(
            f"torque_limits is {limits.tolist()}; expected {counted(count, 'pair')} (lower, upper), lower <= upper"
        )
    return limits
