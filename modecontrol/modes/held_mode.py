"""The smooth motion of a mechanism while its contacts stay in one mode: `qdd, f` of `(q, v, tau)`.

    M qdd + b = S tau + J^T f + G^T lam         G qdd + e = 0
    S: f = 0      F: J_i qdd + d_i = 0      R, L: J_ni qdd + d_ni = 0, f_ti = -+ mu f_ni

The equalities of Table 1 of Greenfield 2005, without its inequalities: those say when the mode ends, and a
smooth system has to be able to look past its end (to be linearised at its border, for one).
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.letters import codes


class HeldMode:
    """A model whose contacts are held in one mode.

    Parameters
    ----------
    model
        The mechanism.
    mode
        One letter S, L, R or F per contact.

    Raises
    ------
    ValueError
        Not a mode of this model.
    """

    def __init__(self, model: Model, mode: str) -> None:
        codes(mode, len(model.contacts))
        if model.tree.laws is not None:
            raise ValueError(
                f"model {model.name!r} has contacts with other laws than Coulomb's; a mode can be held of Coulomb's alone"
            )
        self.model, self.mode = model, mode
        mu, rows, columns = model.tree.friction, [], []
        for i, letter in enumerate(mode):
            n, t = np.eye(2 * len(mode))[2 * i : 2 * i + 2]
            if letter == "F":
                rows += [2 * i, 2 * i + 1]
                columns += [n, t]
            elif letter != "S":
                rows.append(2 * i)
                columns.append(n + (-mu[i] if letter == "R" else mu[i]) * t)
        self._rows = np.array(rows, dtype=int)
        self._forces = np.array(columns).reshape(len(rows), 2 * len(mode)).T

    def motion(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations (n,) and contact forces (2k,); where forces are not unique, the smallest ones.

        Raises
        ------
        ValueError
            The mode has no acceleration here, or more than one.
        """
        snap = self.model.snapshot(q, v)
        n = len(q)
        held = np.vstack([snap.jacobian[self._rows], snap.loop_jacobian])
        push = np.hstack([snap.jacobian.T @ self._forces, snap.loop_jacobian.T])
        A = np.block([[snap.mass, -push], [held, np.zeros((len(held), push.shape[1]))]])
        rhs = np.concatenate([snap.actuation @ tau - snap.bias, -snap.drift[self._rows], -snap.loop_drift])
        u = self._solve(A, rhs, n, snap)
        return u[:n], self._forces @ u[n : n + self._forces.shape[1]]

    def _solve(self, A: np.ndarray, rhs: np.ndarray, n: int, snap: Snapshot) -> np.ndarray:
        """Least squares after scaling to unit rows and columns, with the two ways to fail named."""
        across = _unit(np.abs(A).max(axis=0, initial=0.0))
        down = _unit(np.abs(A * across).max(axis=1, initial=0.0))
        scaled, b = down[:, None] * A * across, down * rhs
        U, s, Vt = np.linalg.svd(scaled)
        rank = int(np.sum(s > tolerances.RANK * s.max(initial=0.0)))
        size = np.abs(b).max(initial=0.0)
        if np.abs(U[:, rank:].T @ b).max(initial=0.0) > np.sqrt(tolerances.RANK) * size:
            raise ValueError(
                f"mode {self.mode!r} has no motion at q = {_list(snap.q)}: its contacts ask for accelerations "
                "that no force gives; choose a mode that modecontrol.dynamic_response lists"
            )
        loose = np.abs(Vt[rank:, :n]).max(axis=0, initial=0.0)
        if loose.max(initial=0.0) > np.sqrt(tolerances.RANK):
            name = self.model.coordinates[int(np.argmax(loose))]
            raise ValueError(
                f"mode {self.mode!r} does not decide the acceleration of {name!r} at q = {_list(snap.q)} "
                "(a massless link, or a jam); a smooth system needs one that is unique"
            )
        return across * (Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank]))


def _unit(size: np.ndarray) -> np.ndarray:
    return 1.0 / np.where(size > 0, size, 1.0)


def _list(values: np.ndarray | None) -> list[float]:
    return [float(f"{x:.6g}") for x in np.asarray(values)]
