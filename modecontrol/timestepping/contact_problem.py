"""The contact problem of one step, whatever the formulation.

    W (v+ - v) = r + G^T lam + J^T p              W = M + h D + h^2 K + h B,   r = h (S tau - b) - h^2 K v
    G v+ = target
    0 <= pn  perp  Jn v+ + softness pn + offset  >= 0
    0 <= p1, p2  perp  +-Jt v+ + s               >= 0          pt = p1 - p2
    0 <= s   perp  mu pn - p1 - p2               >= 0

Eq. (5) of the velocity level; dampers and springs of joints, the drag `B` of a medium and compliant contacts act at the
end of the step. The unknowns of the last three lines are `z`: `pn` of every contact, then `p1, p2, s` of each contact
with friction, so that `p = P z` and the three lines read `0 <= z perp P^T (J v+) + N z + c >= 0`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from modecontrol.dynamics.evaluation import INSTANT
from modecontrol.dynamics.model import Model
from modecontrol.timestepping.medium import joint_braking


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """One contact problem.

    Parameters
    ----------
    model
        The mechanism.
    q, v
        State before the step.
    h
        Time over which forces act; zero in a collision.
    force
        Generalised forces `S tau` (n,).
    near
        Numbers of the contacts that take part (m,).
    offset, softness
        Of the normal rows (m,).
    push
        Impulses (2m,) that act beforehand: what a collision gives back.
    target
        Velocities `G v+` of the pins (2 per pin).
    eps
        The DART note's `eps`: the diagonal of the condensed matrix is multiplied by `1 + eps`.
    balanced
        The DART note's scaling: rows and columns of the friction bounds get entries as large as the compliances.
    dynamics
        How to solve with `W` in formulation "os": "aba", "dca" or "dense".
    """

    model: Model
    q: np.ndarray
    v: np.ndarray
    h: float
    force: np.ndarray
    near: np.ndarray
    offset: np.ndarray
    softness: np.ndarray
    push: np.ndarray
    target: np.ndarray
    eps: float = 0.0
    balanced: bool = False
    dynamics: str = "dense"

    def relaxed(self) -> ContactProblem:
        """The problem without recovery of penetration and open pins, which a wedged mechanism cannot have."""
        rigid = np.where(self.softness == 0.0, np.maximum(self.offset, 0.0), self.offset)
        return replace(self, offset=rigid, target=np.zeros_like(self.target))

    @cached_property
    def _arrays(self) -> dict[str, np.ndarray]:
        return dict(zip(INSTANT, self.model._instant(self.q, self.v), strict=True))

    @property
    def finite(self) -> bool:
        """Whether every number of the problem, and its kinetic energy, is finite."""
        if not (np.isfinite(self.q).all() and np.isfinite(self.v).all()):
            return False
        energy = self.v @ self.W @ self.v
        return all(bool(np.isfinite(part).all()) for part in (self.W, self.r, self.J, self.G, energy))

    @cached_property
    def mu(self) -> np.ndarray:
        """Friction coefficients of the contacts that take part (m,)."""
        return self.model.tree.friction[self.near]

    @cached_property
    def added(self) -> np.ndarray:
        """Diagonal of `h D + h^2 K` (n,)."""
        nodes = self.model.tree.nodes
        return self.h * (nodes["damping"] + self.h * nodes["stiffness"])

    @cached_property
    def W(self) -> np.ndarray:
        """`M + h D + h^2 K + h B` (n, n)."""
        return (
            self._arrays["mass"]
            + np.diag(self.added)
            + self.h * joint_braking(self.model.tree, self.q, self.v)
        )

    @cached_property
    def r(self) -> np.ndarray:
        """Impulse of all that is known (n,)."""
        stiff = self.h**2 * self.model.tree.nodes["stiffness"]
        return self.h * (self.force - self._arrays["bias"]) - stiff * self.v + self.J.T @ self.push

    @cached_property
    def J(self) -> np.ndarray:
        """Rows of the contacts that take part, normal first (2m, n)."""
        rows = np.column_stack((2 * self.near, 2 * self.near + 1)).ravel()
        return self._arrays["jacobian"][rows]

    @cached_property
    def G(self) -> np.ndarray:
        """Rows of the pins."""
        return self._arrays["loop_jacobian"]

    def _compliance(self) -> float:
        """How much a contact yields to an impulse, about: the largest of `J diag(W)^-1 J^T` where there is mass."""
        heavy = np.diag(self.W) > 0
        largest = float((self.J[:, heavy] ** 2 / np.diag(self.W)[heavy]).sum(axis=1).max(initial=0.0))
        return largest if largest > 0 else 1.0

    @cached_property
    def cone(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """`P, N, c` of the complementarity lines."""
        m = len(self.near)
        rough = np.flatnonzero(self.mu > 0)
        size = m + 3 * len(rough)
        P, N, c = np.zeros((2 * m, size)), np.zeros((size, size)), np.zeros(size)
        unit = self._compliance() if self.balanced else 1.0
        P[2 * np.arange(m), np.arange(m)] = 1.0
        N[np.arange(m), np.arange(m)] = self.softness
        c[:m] = self.offset
        for i, contact in enumerate(rough):
            p1, p2, s = m + 3 * i + np.arange(3)
            P[2 * contact + 1, p1], P[2 * contact + 1, p2] = 1.0, -1.0
            N[p1, s] = N[p2, s] = unit
            N[s, contact] = unit * self.mu[contact]
            N[s, p1] = N[s, p2] = -unit
        return P, N, c
