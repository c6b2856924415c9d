"""`MaximalThrust`: at every call the inputs with the greatest guaranteed value of an objective, over all contact
modes.

state -> contacts judged, velocity settled -> branch and bound over modes -> inputs

What is done when something cannot be met, in this order, and said in the record:

0. "perhaps not the best": inputs that surely work were found, but `patience` did not last to show that none are better.
1. "ambiguous": no unambiguous inputs meet the task, none was found within `patience` linear programs, or a torque set stayed
   undecided; the best inputs of one mode are used although another mode may explain them.
2. "task dropped": no mode meets the task; the same without it.
3. "no mode": no contact mode has an answer (or the objective is unbounded); zero inputs.
4. "patience spent": the same because no mode was found within `patience`.

When the patience is nearly spent the search dives for any full mode, and takes the mode that happens without inputs when that
fails; a state with thousands of modes therefore still has inputs.

With the outcome guarantee the value is promised for every friction that the model, or an observer, leaves
open: whatever mode and `w` turn out to be, the task is met and the value reached. Where nothing can be
promised the best inputs for the friction in the middle are used, and the record says "ambiguous". So it is with a
disturbance, and with tangential velocities that are known as intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.state import read_state
from modecontrol.modes.constraints import Demands
from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.extreme_friction import check_moderate
from modecontrol.modes.extreme_masses import check_steady_masses
from modecontrol.modes.letters import spell
from modecontrol.thrust.controller import Controller, Decision
from modecontrol.thrust.instants import Instant, Thresholds
from modecontrol.thrust.maximize import ALL, GUARANTEES, check_disturbance, check_patience
from modecontrol.thrust.memory import Memory
from modecontrol.thrust.objective import LinearGoal
from modecontrol.thrust.prepared_rows import Point, PreparedThrust
from modecontrol.thrust.velocity_intervals import VelocityIntervals
from modecontrol.validation import as_numbers, check_margin, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel

NOT_BEST, AMBIGUOUS, DROPPED = "perhaps not the best", "ambiguous", "task dropped"
NO_MODE, SPENT = "no mode", "patience spent"
PATIENCE, PATIENCE_WITH_MARGIN = 300, 1000
"""Linear programs that one call may be worth; beyond, ambiguity is accepted and said. With a margin all modes are listed first."""
PATIENCE_OF_OUTCOMES, CELLS = 400, 8
"""The same for promises over uncertain friction, and the small boxes of friction that are looked at."""
SHARES = 8
"""How many times as much a promise over disturbances or velocities may be worth: each is looked at in several parts."""


class MaximalThrust(Controller):
    """Maximal thrust over all contact modes (section 4.2.2 of Greenfield 2005).

    Parameters
    ----------
    model
        The rigid model that predicts; its own limits bound the inputs.
    objective
        Acceleration by name (`"alpha"`), or any linear objective of `maximize`.
    task, physical
        Constraints as for `dynamic_response` (`"body.normal >= 10"`).
    v0
        Thresholds of `Thresholds`: tangential speed at rest, one or one per contact (m/s).
    gap
        Distance within which a contact counts as closed (m).
    leaving
        Rising speed beyond which a contact counts as open (m/s).
    margin
        Distance (input units) to keep from other modes.
    patience
        What one call may take before it settles for inputs that may be ambiguous, in linear programs of some
        4,000 multiplications: a bound on its time. None allows 300, and 1,000 with a margin,
        which needs the torque sets of all modes.
    guarantee
        As for `maximize`: "mode" (or "unambiguous"), "outcome" or "none"; None takes "outcome" when friction
        is uncertain and "mode" when it is known. "mode" needs friction that is known.
    friction
        What is known of friction in place of the model's: a `FrictionBox`, or an observer with one
        (`FrictionObserver`), which is asked at every call.
    disturbance
        Errors of the inputs and additive forces (`Disturbance`): what is promised holds for all of them.
    velocity
        How well tangential velocities are known, in place of `v0`: half a width, one or one per contact (m/s), or
        `(t, q, v) -> (lo, hi)`, intervals of the contacts. A contact whose velocity may have either sign slides left,
        rests or slides right, and what is promised holds for each.
    observe
        `(t, q, v) -> (q, v)` or `(q, v, closed)`: turns the measured state into a state of `model`, and may
        say itself which contacts are closed (one bool each); None takes the state as it is.
    end
        `(t, q, v) -> bool` on the measured state: from its first True on the thrust is over and `rest` is
        returned.
    rest
        Inputs after the end, a vector or `(t, q, v) -> vector`; default zero.
    lifted
        `(kp, kd)`: inputs on a massless link whose contacts are all open hold the link's angle of lift-off
        with this proportional-derivative law (a free link would spin); None leaves them at zero.
    """

    def __init__(
        self,
        model: PlanarModel,
        objective: LinearGoal,
        *,
        task: Demands = (),
        physical: Demands = (),
        v0: ArrayLike = 1e-3,
        gap: float = 1e-3,
        leaving: float = np.inf,
        margin: float = 0.0,
        patience: int | None = None,
        guarantee: str | None = None,
        friction: Any = None,
        disturbance: Disturbance | None = None,
        velocity: Any = None,
        observe: Callable[..., Any] | None = None,
        end: Callable[..., bool] | None = None,
        rest: Any = None,
        lifted: tuple[float, float] | None = None,
    ) -> None:
        super().__init__(model)
        self.velocity = None if velocity is None else VelocityIntervals.of(velocity, model.contacts)
        self.thresholds = Thresholds.of(len(model.contacts), v0 if velocity is None else 0.0, gap, leaving)
        self.objective, self.task, self.physical = objective, task, physical
        self.margin, self.observe, self.end, self.rest = check_margin(margin), observe, end, rest
        check_patience(patience)
        self.friction = getattr(model, "friction_box", None) if friction is None else friction
        _check_friction(self.friction, model.contacts)
        check_disturbance(disturbance)
        self.disturbance = disturbance
        unknown = {"friction": self.friction, "disturbance": disturbance, "velocity": self.velocity}
        uncertain = tuple(name for name, known in unknown.items() if known is not None)
        self.guarantee = _guarantee(guarantee, uncertain, self.margin)
        usual = PATIENCE_WITH_MARGIN if self.margin > 0 else PATIENCE
        usual = PATIENCE_OF_OUTCOMES if self.guarantee == "outcome" else usual
        usual *= SHARES if self.velocity is not None or disturbance is not None else 1
        self.patience = usual if patience is None else min(int(patience), ALL)
        self.lifted = _gains(lifted)
        if rest is not None and not callable(rest):
            self.rest = read_state(rest, model.inputs, "rest (inputs after the end)")
        start = model.snapshot(np.zeros(len(model.coordinates)), np.zeros(len(model.coordinates)))
        check_moderate(model.contacts, start.friction_low, start.friction_high)
        check_steady_masses(start)
        box = getattr(self.friction, "box", self.friction)
        if box is not None:
            check_moderate(model.contacts, *box.intervals)
        self._prepared = PreparedThrust(objective, physical, task, start, disturbance)
        self._links = _massless_links(start)
        self._warm_up()
        self.reset()

    def _warm_up(self) -> None:
        """Load the compiled code now, not in the first call of a control loop."""
        zero = np.zeros(len(self.model.coordinates))
        instant = self.thresholds.read(self.model, zero, zero)
        if self.guarantee == "outcome":
            self._choose_outcome(0.0, instant)
        else:
            self._prepared.best(instant.snapshot, instant.touching, self.margin, patience=self.patience)

    def reset(self) -> None:
        """Forget the record, the end of the thrust and the angles at lift-off."""
        super().reset()
        self.memory = Memory()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({getattr(self.model, 'name', 'a model')!r}, {self.objective!r})"

    def decide(self, t: float, q: np.ndarray, v: np.ndarray) -> Decision:
        """Observe, judge the contacts, choose; what is given up when nothing meets all is in `Decision.fallback`."""
        if not self.memory.over and self.end is not None and self.end(t, q, v):
            self.memory.over = True
        if self.memory.over:
            return Decision(t, self._resting(t, q, v), None, 0.0, None, "", False)
        seen = self.observe(t, q, v) if self.observe is not None else (q, v)
        if not isinstance(seen, tuple | list) or len(seen) not in (2, 3):
            raise ValueError(f"observe returned {seen!r} at t = {t:.9g} s; expected (q, v) or (q, v, closed)")
        instant = self.thresholds.read(self.model, *seen)
        if self.velocity is not None:
            instant = self.velocity.judge(instant, t, q, v)
        decision = self.choose(t, instant)
        return self._hold(decision, instant) if self.lifted is not None else decision

    def choose(self, t: float, instant: Instant) -> Decision:
        """The best inputs at a judged instant.

        Parameters
        ----------
        t
            Time (s).
        instant
            Snapshot and contacts, judged by the thresholds.
        """
        from modecontrol._core.layout import STOPPED, SURE, UNLIMITED_GOAL

        if not isinstance(instant, Instant):
            raise TypeError(f"found {shown(instant)}; expected a judged instant: `decide` makes one")
        if self.guarantee == "outcome":
            return self._choose_outcome(t, instant)
        last = self.patience // 4 if len(self._prepared._task) else 0
        found = self._prepared.best(
            instant.snapshot, instant.touching, self.margin, patience=self.patience - last
        )
        if self.guarantee == "none" and found.hoped.found:
            return self._decision(t, found.hoped, instant, "", False)
        if found.best.found:
            return self._decision(t, found.best, instant, "" if found.status == SURE else NOT_BEST, False)
        if found.status != UNLIMITED_GOAL and found.hoped.found:
            return self._decision(t, found.hoped, instant, AMBIGUOUS, True)
        if found.status != UNLIMITED_GOAL and len(self._prepared._task):
            left = max(last, self.patience - found.programs)
            free = self._prepared.best(instant.snapshot, instant.touching, with_task=False, patience=left)
            if free.best.found:
                return self._decision(t, free.best, instant, DROPPED, False)
            if free.status != UNLIMITED_GOAL and free.hoped.found:
                return self._decision(t, free.hoped, instant, DROPPED, True)
            found = free
        word = SPENT if found.status == STOPPED else NO_MODE
        return Decision(t, np.zeros(self._prepared.inputs), None, 0.0, None, word, False)

    def _choose_outcome(self, t: float, instant: Instant) -> Decision:
        """Inputs whose value is promised for every friction; else the best for the friction in the middle."""
        from modecontrol._core.layout import UNLIMITED_GOAL

        box = getattr(self.friction, "box", self.friction)
        snapshot = instant.snapshot if box is None else instant.snapshot.with_friction(box)
        left, start = self.patience, self.patience // 2
        for with_task in (True, False) if len(self._prepared._task) else (True,):
            found = self._prepared.promised(
                snapshot, instant.touching, with_task=with_task, patience=left, start=start, cells=CELLS
            )
            left = max(left - found.programs, start)  # without inputs nothing but a start was spent
            given_up = "" if with_task else DROPPED
            if found.best.found:
                return self._decision(t, found.best, instant, given_up, False)
            if found.status != UNLIMITED_GOAL and found.hoped.found:
                return self._decision(t, found.hoped, instant, given_up or AMBIGUOUS, True)
        return Decision(t, np.zeros(self._prepared.inputs), None, 0.0, None, NO_MODE, False)

    def _decision(self, t: float, point: Point, instant: Instant, fallback: str, ambiguous: bool) -> Decision:
        limits = instant.snapshot.torque_limits
        torque = np.clip(point.tau, limits[:, 0], limits[:, 1])
        n = len(self.model.coordinates)
        return Decision(t, torque, spell(point.letters), point.value, point.u[:n].copy(), fallback, ambiguous)

    def _resting(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if self.rest is None:
            return np.zeros(self._prepared.inputs)
        if not callable(self.rest):
            return self.rest.copy()
        return read_state(self.rest(t, q, v), self.model.inputs, f"rest at t = {t:.9g} s")

    def _hold(self, decision: Decision, instant: Instant) -> Decision:
        """Add the proportional-derivative torque of lifted links."""
        kp, kd = self.lifted  # type: ignore[misc]
        snapshot = instant.snapshot
        torque = decision.torque.copy()
        limits = snapshot.torque_limits
        assert snapshot.q is not None
        assert snapshot.v is not None
        for i, (coordinate, contacts) in self._links.items():
            if np.any(instant.closed[contacts]):
                self.memory.held.pop(i, None)
                continue
            angle = self.memory.held.setdefault(i, float(snapshot.q[coordinate]))
            wanted = -kp * (snapshot.q[coordinate] - angle) - kd * snapshot.v[coordinate]
            torque[i] = min(max(wanted, limits[i, 0]), limits[i, 1])
        return Decision(
            decision.time,
            torque,
            decision.mode,
            decision.value,
            decision.acceleration,
            decision.fallback,
            decision.ambiguous,
        )


def _guarantee(asked: str | None, uncertain: tuple[str, ...], margin: float) -> str:
    """The promise that a controller keeps, checked; `uncertain` says what is known by its bounds alone."""
    guarantee = ("outcome" if uncertain else "mode") if asked is None else asked
    if not isinstance(guarantee, str) or guarantee not in GUARANTEES:
        raise ValueError(f"guarantee is {shown(asked)}; expected one of {', '.join(GUARANTEES)}")
    guarantee = "mode" if guarantee == "unambiguous" else guarantee
    if guarantee == "mode" and uncertain:
        what = " and ".join(uncertain)
        raise ValueError(
            f"guarantee is 'mode' and {what} is uncertain; expected 'outcome' for a controller "
            f"(maximize promises modes over intervals), or {what} that is known"
        )
    if guarantee == "none" and {"disturbance", "velocity"} & set(uncertain):
        raise ValueError(
            f"guarantee is 'none' and {' and '.join(uncertain)} is given; expected 'outcome': nothing else would feel it"
        )
    if guarantee == "outcome" and margin > 0:
        raise ValueError(
            f"margin is {margin:g} with guarantee 'outcome'; expected 0: any mode may happen there"
        )
    return guarantee


def _check_friction(friction: Any, contacts: tuple[str, ...]) -> None:
    """A box of coefficients for these contacts, an observer with one, or None."""
    box = getattr(friction, "box", friction)
    rows = getattr(box, "base", None)
    if friction is not None and (rows is None or len(rows) != len(contacts)):
        raise ValueError(
            f"friction is {shown(friction)}; expected a FrictionBox of the contacts {', '.join(contacts)}, or an observer with one"
        )


def _gains(lifted: Any) -> tuple[float, float] | None:
    """`(kp, kd)` of lifted links, checked."""
    if lifted is None:
        return None
    try:
        kp, kd = map(float, as_numbers(lifted, "lifted"))
    except (TypeError, ValueError, OverflowError):
        kp = kd = np.nan
    if not (0 <= kp < np.inf and 0 <= kd < np.inf):
        raise ValueError(f"lifted is {shown(lifted)}; expected two gains (kp, kd) >= 0, or None")
    return kp, kd


def _massless_links(snapshot: Snapshot) -> dict[int, tuple[int, np.ndarray]]:
    """Inputs that act on one massless coordinate: that coordinate, and the contacts that feel it."""
    links = {}
    for i, column in enumerate(snapshot.actuation.T):
        acted = np.flatnonzero(column)
        if len(acted) == 1 and snapshot.mass[acted[0], acted[0]] == 0:
            j = int(acted[0])
            feels = np.any(snapshot.jacobian[:, j].reshape(-1, 2) != 0, axis=1)
            links[i] = (j, np.flatnonzero(feels))
    return links
