"""Rows near the best inputs with their derivatives along a path: of a mode, of the task, of a facet."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import Path
from modecontrol.modes.facet_gradients import moving_rows, rate_of_facet
from modecontrol.modes.raw_derivatives import FacetRate, Moving, Raw, spread
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.tangent_program import Goal


class Motion(NamedTuple):
    """A mode that reaches the best value: inputs `tau`, and the point `y = (qdd, f, lam, tau)` in natural
    units.
    """

    mode: str
    tau: np.ndarray
    y: np.ndarray

    @property
    def inputs(self) -> np.ndarray:
        """The inputs in natural units."""
        return self.y[len(self.y) - len(self.tau) :]


class Cut(NamedTuple):
    """A row `n tau >= e` (natural units) with its derivative."""

    n: np.ndarray
    e: float
    dn: np.ndarray
    de: float


class LocalRows:
    """Rows of one response, along one path.

    Parameters
    ----------
    response
        All modes.
    path
        What varies.
    units
        Natural size of each unknown.

    Attributes
    ----------
    doubtful
        Whether a facet without a derivative of its own was used; what follows from it has to be confirmed.
    """

    def __init__(self, response: DynamicResponse, path: Path, units: np.ndarray) -> None:
        self.response, self.problem, self.path, self.units = response, response.problem, path, units
        self.doubtful = False
        self._moving: dict[tuple[str, tuple[int, ...]], Moving] = {}

    def moving(self, mode: str, task: tuple[int, ...] = ()) -> Moving:
        """Rows of a mode and of the task with their derivatives, made once.

        Parameters
        ----------
        mode
            Contact mode string.
        task
            Rows of the task.
        """
        if (mode, task) not in self._moving:
            self._moving[mode, task] = moving_rows(self.problem, mode, self.path, self.units, task)
        return self._moving[mode, task]

    def facet(self, mode: str, normal: np.ndarray) -> FacetRate | None:
        """A facet of the inputs of a mode; None where it has no derivative.

        Parameters
        ----------
        mode, normal
            The mode, and the normal of the facet.
        """
        rate = rate_of_facet(self.response[mode], self.moving(mode), normal, self.units)
        self.doubtful |= rate is None or not rate.unique
        return rate

    def goal(self, make: Any) -> Goal:
        """A row over `(qdd, f, tau)` with its derivative, in natural units.

        Parameters
        ----------
        make
            Gives the row at a problem: `(row, constant)`, or something with both.
        """

        def at(x: float) -> tuple[np.ndarray, np.ndarray]:
            here = self.problem if x == self.path.middle else self.problem.at(self.path(x))
            made = make(here)
            row, constant = made if isinstance(made, tuple) else (made.row, made.constant)
            return spread(row[None, :], here)[0] * self.units, np.array([constant])

        rates = self.path.derivatives(at)
        row, constant = at(self.path.middle)
        return Goal(row, rates[0], float(rates[1][0]), True, float(constant[0]))


def with_cuts(own: Moving, chosen: tuple[Cut, ...]) -> Moving:
    """A program with further rows on the inputs.

    Parameters
    ----------
    own
        The program.
    chosen
        The rows.
    """
    if not chosen:
        return own
    blank = np.zeros((len(chosen), own.rows.G.shape[1] - len(chosen[0].n)))
    size = np.array([max(float(np.abs(cut.n).max(initial=0.0)), tolerances.TINY) for cut in chosen])
    G, dG = (np.hstack([blank, np.array([cut[i] for cut in chosen])]) / size[:, None] for i in (0, 2))
    e, de = (np.array([cut[i] for cut in chosen]) / size for i in (1, 3))
    return Moving(
        Raw(own.rows.E, own.rows.c, np.vstack([own.rows.G, G]), np.append(own.rows.e, e)),
        Raw(own.rates.E, own.rates.c, np.vstack([own.rates.G, dG]), np.append(own.rates.e, de)),
    )
