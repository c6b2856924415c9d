"""Whether inputs that were called sure have a rival, by linear programs in the raw unknowns: nothing of the package decides.

A mode is a rival of mode `c` at the inputs `tau` when it explains `tau`, too, and at some inputs that both explain moves the
mechanism as `c` cannot: a rate of momentum or a contact force lies outside its range in mode `c`. At `tau` itself the two may
agree; next to it they do not, so `tau` is no answer. The acceleration of a massless link counts where it is what was asked for.
"""

import sys
from pathlib import Path

import numpy as np
from raw_programs import greatest
from scipy.optimize import linprog

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import reference

BEYOND = 1e-6
"""How far a motion lies outside the range of the other mode, relative to its size."""
AT_REST = 1e-9
"""Speeds (m/s) below this count as zero."""


class Instant:
    """An instant with the contacts that touch.

    Parameters
    ----------
    snapshot
        The instant.
    closed
        Which contacts touch.
    limits
        Pair for each input.
    asked
        Name of the acceleration that was asked for; it is part of the motion, whether or not it has a mass.
    """

    def __init__(self, snapshot, closed, limits, asked=None):
        rows = np.repeat(closed, 2)
        velocity = snapshot.velocity[rows]
        self.arrays = {
            "mass": snapshot.mass,
            "bias": snapshot.bias,
            "actuation": snapshot.actuation,
            "jacobian": snapshot.jacobian[rows],
            "drift": snapshot.drift[rows],
            "friction": snapshot.friction[closed],
            "velocity": np.where(np.abs(velocity) <= AT_REST, 0.0, velocity),
            "loop_jacobian": snapshot.loop_jacobian,
            "loop_drift": snapshot.loop_drift,
        }
        self.closed, self.limits = closed, limits
        n, k = len(snapshot.bias), int(closed.sum())
        self.motion = np.zeros((n + 2 * k, n + 2 * k + len(snapshot.loop_jacobian)))
        self.motion[:n, :n] = snapshot.mass
        self.motion[n:, n : n + 2 * k] = np.eye(2 * k)
        if asked is not None:
            own = np.eye(1, self.motion.shape[1], list(snapshot.names.coordinates).index(asked))
            self.motion = np.vstack([self.motion, own])

    def rows(self, mode):
        """`A, b, C, e` over `(x, tau)`."""
        return reference.raw_rows(self.arrays, mode, self.limits)[:4]

    def at(self, mode, tau):
        """The same with the inputs put in, over `x`."""
        A, b, C, e = self.rows(mode)
        x = A.shape[1] - len(tau)
        return A[:, :x], b - A[:, x:] @ tau, C[:, :x], e - C[:, x:] @ tau

    def explains(self, mode, tau):
        """Whether the closed mode has an answer at these inputs."""
        set_ = self.at(mode, tau)
        return greatest(np.zeros(set_[0].shape[1]), *set_) == 0.0

    def moves_as_other_cannot(self, mode, other):
        """Whether `other` shows a motion outside the range of `mode` at some inputs of both."""
        for row in self.motion:
            for sign in (1.0, -1.0):
                found = self._farthest_apart(mode, other, sign * row)
                if found is None:
                    continue  # no common inputs
                tau, value = found
                most = greatest(sign * row, *self.at(mode, tau))
                if most > -np.inf and value > most + BEYOND * (1.0 + abs(value)):
                    return True
        return False

    def _farthest_apart(self, mode, other, row):
        """Inputs at which `row x` of `other` exceeds that of `mode` most (by one more than least if it has no end), its value."""
        (A, b, C, e), (B, d, D, g) = self.rows(mode), self.rows(other)
        t = len(self.limits)
        x = A.shape[1] - t
        apart = np.concatenate([-row, row, np.zeros(t)])
        ub, level = np.vstack([joined(A, x, 0), joined(B, x, 1)]), np.concatenate([b, d])
        equal = np.vstack([joined(C, x, 0), joined(D, x, 1)]), np.concatenate([e, g])
        found = linprog(-apart, ub, level, *equal, bounds=(None, None))
        if found.status == 3:
            least = linprog(apart, ub, level, *equal, bounds=(None, None))
            cap = 1.0 + max(0.0, least.fun if least.status == 0 else 0.0)
            found = linprog(
                -apart, np.vstack([ub, apart]), np.append(level, cap), *equal, bounds=(None, None)
            )
        if found.status != 0:
            return None
        return found.x[2 * x :], float(row @ found.x[x : 2 * x])


def joined(rows, x, place):
    """Rows over `(x, tau)` as rows over `(x1, x2, tau)`."""
    wide = np.zeros((len(rows), 2 * x + rows.shape[1] - x))
    wide[:, place * x : place * x + x] = rows[:, :x]
    wide[:, 2 * x :] = rows[:, x:]
    return wide


def rival(snapshot, closed, limits, mode, tau, asked=None):
    """A rival of a mode at these inputs by its letters; None when raw programs find none."""
    at = Instant(snapshot, closed, limits, asked)
    mine = "".join(np.array(list(mode))[closed])
    for other in reference.candidate_modes(at.arrays):
        if other != mine and at.explains(other, tau) and at.moves_as_other_cannot(mine, other):
            return other
    return None
