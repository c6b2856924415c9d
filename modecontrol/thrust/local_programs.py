"""The linear program whose value is the best guaranteed one near its best inputs, with the derivatives of its
data.

Its rows are those of the mode, of the task, and for each mode that is kept away the facet that touches. What
has to hold "whatever w is" (a task that feels w, the worst case of an objective) is a program of its own
within,

    h(tau, p) = min over w of a row        dh = sigma dtau + kappa dp   by its multipliers

and enters as the row `sigma tau`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import Path, differentiate
from modecontrol.modes.facet_gradients import moving_rows, rate_of_facet
from modecontrol.modes.raw_derivatives import FacetRate, Moving, Raw, spread
from modecontrol.regions.ambiguity import kept_off, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.tangent_program import SLACK, Goal, directional, most_slack

CHOICES = 16
"""Combinations of facets, where the best inputs lie in corners of modes that are kept away, that are looked
at.
"""


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


class Programs:
    """Local programs of one question, along one path.

    Parameters
    ----------
    response
        All modes.
    path
        What varies.
    units
        Natural size of each unknown.
    objective, margin, guarantee
        As for `maximize`.
    """

    def __init__(
        self,
        response: DynamicResponse,
        path: Path,
        units: np.ndarray,
        objective: Any,
        margin: float,
        guarantee: str,
    ) -> None:
        self.response, self.problem, self.path, self.units = response, response.problem, path, units
        self.objective, self.margin, self.guarantee = objective, margin, guarantee
        self.goal = self._row(lambda here: Objective.of(objective, here.snapshot))
        self._moving: dict[tuple[str, tuple[int, ...]], Moving] = {}
        self.doubtful = False
        """Whether a facet without a derivative of its own was used; what follows from it has to be confirmed.
        """

    def at(self, motion: Motion) -> Iterator[tuple[Moving, Goal]]:
        """The programs near one motion: one for every choice of facets that keep other modes away.

        Parameters
        ----------
        motion
            Where the best value is reached.
        """
        known = motion.mode in self.response
        felt = self._felt(motion.mode) if known else np.zeros(len(self.problem.task.p), bool)
        cuts = [] if self.guarantee == "none" or not known else list(self._rivals(motion))
        if self.guarantee != "none":
            for i in np.flatnonzero(felt):
                cut = self._sure_task(motion, int(i))
                if cut is not None:
                    cuts.append([cut])
        plain = (
            tuple(map(int, np.flatnonzero(~felt))) if self.guarantee != "none" else tuple(range(len(felt)))
        )
        if known and self.guarantee != "none" and self.goal_feels_w(motion.mode):
            yield from self._worst_case(motion, plain, cuts)
            return
        own = self.moving(motion.mode, plain)
        for chosen in islice(product(*cuts), CHOICES):
            yield with_cuts(own, chosen), self.goal

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

    # Modes that are kept away
    # ---------------------------------------------------------------------------------

    def _rivals(self, motion: Motion) -> Iterator[list[Cut]]:
        """For each mode that is kept off and touches the inputs: the facets that touch."""
        near = tolerances.ACTIVE * max(1.0, float(np.abs(motion.tau).max(initial=0.0)))
        asked = Objective.of(self.objective, self.problem.snapshot).asked(self.problem)
        for mode in rivals(self.response, motion.mode, self.margin, asked):
            K = kept_off(self.response, mode, self.margin)
            length = np.linalg.norm(K.A, axis=1)
            away = (K.A @ motion.tau - K.b) / length
            touching = np.flatnonzero(np.abs(away) <= near)
            if not len(touching) or away.max(initial=-np.inf) > near:
                continue
            T = self.response[mode].torques.minimal()
            own = np.concatenate([T.b, T.d, -T.d])
            found = [self._facet(mode, K.A[i], float(own[i]), float(K.b[i] - own[i])) for i in touching]
            if any(cut is not None for cut in found):
                yield [cut for cut in found if cut is not None]

    def _facet(self, mode: str, normal: np.ndarray, level: float, moved: float) -> Cut | None:
        """The facet `normal tau <= level` of another mode, moved out as far as `kept_off` does."""
        rate = self._facet_within(mode, normal)
        if rate is None:
            return None
        turns = rate.dn / self.units[-len(normal) :]
        length = float(np.linalg.norm(normal))
        clear = self._clear_rate(normal, level, turns, rate.de)
        by_margin = moved <= 2.0 * self.margin * length  # by the margin and half of CLEAR, not by CLEAR
        stretch = self.margin * float(normal @ turns) / length + 0.5 * clear if by_margin else clear
        return Cut(rate.n, rate.e + moved, rate.dn, rate.de + stretch)

    def _clear_rate(self, normal: np.ndarray, level: float, turns: np.ndarray, rises: float) -> float:
        """Derivative of the least distance that is kept from a row, which grows with the size of the row."""
        sizes, rates = self._input_sizes
        reach = np.abs(normal * sizes)
        i = int(np.argmax(reach))
        if reach[i] < abs(level):
            return tolerances.CLEAR * float(np.sign(level)) * rises
        return tolerances.CLEAR * float(np.sign(normal[i]) * (turns[i] * sizes[i] + normal[i] * rates[i]))

    @cached_property
    def _input_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """The natural size of each input, and its derivative."""

        def at(x: float) -> tuple[np.ndarray]:
            here = self.problem if x == self.path.middle else self.problem.at(self.path(x))
            return (here.input_sizes,)

        return at(self.path.middle)[0], differentiate(at, self.path.middle, self.path.size).arrays[0]

    # Whatever w is
    # --------------------------------------------------------------------------------------------

    def _felt(self, mode: str) -> np.ndarray:
        """Rows of the task that feel `w` in this mode."""
        mine = self.response[mode]
        A, _, _, _ = mine.substitute(self.problem.task)
        inputs = mine.U.shape[1]
        return np.abs(A[:, inputs:]).max(axis=1, initial=0.0) > tolerances.PIVOT * np.abs(A).max(
            axis=1, initial=tolerances.TINY
        )

    def inner(self, mode: str, tau: np.ndarray) -> np.ndarray | None:
        """Ambiguity variables `w` of a mode at some inputs, away from all rows that they can leave; None when
        there is no choice.
        """
        from modecontrol.regions.fibre import fibre

        mine = self.response[mode]
        start = (
            fibre(mine, tau).maximize(np.zeros(mine.ambiguity_variables)).point
            if mine.ambiguity_variables
            else None
        )
        if start is None:
            return None
        w, size = fibre(mine, tau), self.problem.size
        length = np.maximum(np.linalg.norm(w.A, axis=1), tolerances.TINY)
        moved = most_slack(
            w.A / length[:, None],
            np.maximum(w.b - w.A @ start, 0.0) / length / size,
            np.array(w.C),
            np.zeros(len(w.d)),
            SLACK,
        )
        return np.asarray(start) if moved is None else start + size * moved

    def goal_feels_w(self, mode: str) -> bool:
        """Whether the objective takes several values at some inputs of a mode."""
        from modecontrol.thrust.worst_case import depends_on_w

        mine = self.response[mode]
        return depends_on_w(mine, Objective.of(self.objective, self.response.snapshot).within(mine)[1])

    def _sure_task(self, motion: Motion, i: int) -> Cut | None:
        """A row of the task that feels `w`, where its worst case is just met: `min over w >= p` as a row in
        the inputs.
        """
        row = self._row(lambda here: (here.task.P[i], -here.task.p[i]))
        y, least = self._worst(motion, row)
        if y is None or least > 10 * tolerances.STRICT * float(
            np.abs(row.row) @ np.abs(y) + np.abs(self.problem.task.p[i])
        ):
            return None
        sigma, kappa = self._local(motion, row, y)
        return (
            None if sigma is None else Cut(sigma, float(sigma @ motion.inputs), np.zeros(len(sigma)), -kappa)
        )

    def _worst_case(
        self, motion: Motion, task: tuple[int, ...], cuts: list[list[Cut]]
    ) -> Iterator[tuple[Moving, Goal]]:
        """The program in the inputs alone: `max sigma tau` over the facets of the mode, the task and the
        cuts.
        """
        y, _ = self._worst(motion, self.goal)
        sigma, kappa = (None, 0.0) if y is None else self._local(motion, self.goal, y)
        if sigma is None:
            return
        T = self.response[motion.mode].torques.minimal()
        size = np.maximum(np.abs(T.A) @ np.abs(motion.tau) + np.abs(T.b), np.linalg.norm(T.A, axis=1))
        facets = [
            self._facet_within(motion.mode, T.A[i])
            for i in np.flatnonzero(T.b - T.A @ motion.tau <= tolerances.ACTIVE * size)
        ]
        rows = [self._sure_task(motion, i) for i in task]
        own = [Cut(-f.n, -f.e, -f.dn, -f.de) for f in facets if f is not None] + [
            cut for cut in rows if cut is not None
        ]
        t = len(motion.tau)
        flat = T.C * self.units[-t:]
        if len(T.d):
            return  # inputs that equations of motion tie together: their derivative is not followed here
        none = Raw(flat, np.array(T.d), np.zeros((0, t)), np.zeros(0))
        blank = Raw(0.0 * flat, 0.0 * none.c, np.zeros((0, t)), np.zeros(0))
        for chosen in islice(product(*cuts), CHOICES):
            yield with_cuts(Moving(none, blank), (*own, *chosen)), Goal(sigma, np.zeros(t), kappa, False)

    def _facet_within(self, mode: str, normal: np.ndarray) -> FacetRate | None:
        rate = rate_of_facet(self.response[mode], self.moving(mode), normal, self.units)
        self.doubtful |= rate is None or not rate.unique
        return rate

    def _worst(self, motion: Motion, row: Goal) -> tuple[np.ndarray | None, float]:
        """The motion of the mode at these inputs with the least value of a row, and that value."""
        from modecontrol.regions.fibre import fibre

        mine = self.response[motion.mode]
        lead = len(self.units) - len(motion.tau)
        on_w = (row.row[:lead] / self.units[:lead]) @ mine.W
        least = fibre(mine, motion.tau).maximize(-on_w)
        if least.status != "optimal":
            return None, np.nan
        assert least.point is not None
        y = (
            np.concatenate([mine.constant + mine.U @ motion.tau + mine.W @ least.point, motion.tau])
            / self.units
        )
        return y, float(row.row @ y) + row.constant

    def _local(self, motion: Motion, row: Goal, y: np.ndarray) -> tuple[np.ndarray | None, float]:
        """`(sigma, kappa)`: how the least value of a row changes with the inputs and along the path; None at
        a tie.
        """
        own = self.moving(motion.mode)
        t, lead = len(motion.tau), len(self.units) - len(motion.tau)
        hold = np.hstack([np.zeros((t, lead)), np.eye(t)])
        felt = np.any(own.rows.G[:, :lead] != 0.0, axis=1)  # limits of the inputs say nothing of w
        rows = Raw(
            np.vstack([own.rows.E, hold]),
            np.append(own.rows.c, motion.inputs),
            own.rows.G[felt],
            own.rows.e[felt],
        )
        still = Raw(*(np.zeros(array.shape) for array in rows))
        slopes = []
        for j in range(t + 1):
            if j < t:
                rates, rate = (
                    still._replace(c=np.eye(len(rows.c))[len(rows.c) - t + j]),
                    Goal(-row.row, 0.0 * row.row, 0.0),
                )
            else:
                rates = Raw(
                    np.vstack([own.rates.E, 0.0 * hold]),
                    np.append(own.rates.c, np.zeros(t)),
                    own.rates.G[felt],
                    own.rates.e[felt],
                )
                rate = Goal(-row.row, -row.rate, -row.constant_rate)
            found = directional(Moving(rows, rates), rate, y)
            if (
                found is None
                or not np.isfinite(found.up)
                or abs(found.up + found.down) > tolerances.CARRIED * max(abs(found.up), 1.0)
            ):
                return None, 0.0
            slopes.append(-found.up)
        return np.array(slopes[:t]), slopes[t]

    def _row(self, make: Any) -> Goal:
        """A row over `(qdd, f, tau)` with its derivative, in natural units."""

        def at(x: float) -> tuple[np.ndarray, np.ndarray]:
            here = self.problem if x == self.path.middle else self.problem.at(self.path(x))
            made = make(here)
            row, constant = made if isinstance(made, tuple) else (made.row, made.constant)
            return spread(row[None, :], here)[0] * self.units, np.array([constant])

        rates = differentiate(at, self.path.middle, self.path.size).arrays
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
