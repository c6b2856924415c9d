"""`BlindThrust`: the 2004 baseline. Contact modes are assumed, not found (section 4.1 of Greenfield 2005).

Modes are assumed in turn (RHex: first everything slides, then the rear toe sticks). The switch comes from a
filter: when the measured acceleration exceeds the predicted one for long enough, the toe must have stuck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.state import read_state
from modecontrol.modes.constraints import Demands
from modecontrol.modes.letters import SEPARATE, Touch, codes, spell
from modecontrol.thrust.controller import Decision
from modecontrol.thrust.instants import Instant
from modecontrol.thrust.maximal_thrust import DROPPED, NO_MODE, MaximalThrust
from modecontrol.validation import as_numbers, check_number, check_texts, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel


class BlindThrust(MaximalThrust):
    """Maximal thrust within assumed contact modes.

    Parameters
    ----------
    model, objective, task, physical, gap, leaving, observe, end, rest, lifted
        As for `MaximalThrust`; contacts that are open by gap separate whatever the mode says.
    modes
        The assumed modes in order; a single one may stand alone. None takes those of the model (`assumed` in its file; RHex
        has them).
    filter_time
        Time constant of the low-pass filter on measured minus predicted objective (s).
    threshold
        Filtered difference that makes the controller believe in the next mode.
    ignore
        Time from the start during which the filter is held at zero (s).
    measure
        `(t, q, v) -> float`: the measured rate whose derivative is the objective (for `"alpha"` the pitch
        rate); None takes the velocity of the coordinate that the objective names.
    **options
        Further arguments of `MaximalThrust`: `v0`, `gap`, `leaving`, `observe`, `end`, `rest`, `lifted`.
    """

    def __init__(
        self,
        model: PlanarModel,
        objective: str,
        *,
        modes: Sequence[str] | None = None,
        task: Demands = (),
        physical: Demands = (),
        filter_time: float = 0.020,
        threshold: float = 15.0,
        ignore: float = 0.040,
        measure: Callable[..., float] | None = None,
        **options: Any,
    ) -> None:
        if measure is None and not (isinstance(objective, str) and objective in model.coordinates):
            raise ValueError(
                f"objective {shown(objective)} is no coordinate of the model, so its rate cannot be measured; "
                f"give measure=(t, q, v) -> rate, or one of {', '.join(model.coordinates)}"
            )
        if modes is None and not model.assumed:
            raise ValueError(f"{model.name} assumes no contact modes; give modes=, those to assume in order")
        modes = check_texts(model.assumed if modes is None else modes, "modes")
        if not modes:
            raise ValueError("modes is empty; expected the contact modes to assume, in order")
        for mode in modes:
            codes(mode, len(model.contacts))
        self.assumed = modes
        self.filter_time = check_number(filter_time, "filter_time", least=0.0, unit="s")
        self.threshold = check_number(threshold, "threshold", infinite=True)
        self.ignore = check_number(ignore, "ignore", infinite=True, unit="s")
        self.measure = measure
        super().__init__(model, objective, task=task, physical=physical, **options)

    def reset(self) -> None:
        """Back to the first assumed mode."""
        super().reset()
        self.switch_times: list[float] = []

    @property
    def stage(self) -> int:
        """Which of the assumed modes it thrusts in."""
        return self.memory.stage

    def decide(self, t: float, q: np.ndarray, v: np.ndarray) -> Decision:
        """Update the filter with the last interval, then thrust in the assumed mode."""
        names = self.model.coordinates
        if self.measure is not None:
            rate = float(self.measure(t, q, v))
        else:  # a measured state may have more coordinates than the model, which come first
            own = v if isinstance(v, Mapping) else as_numbers(v, "v").reshape(-1)[: len(names)]
            rate = float(read_state(own, names, "v")[names.index(self.objective)])
        self._update(t, rate)
        decision = super().decide(t, q, v)
        self.memory.last = (t, rate, decision.value) if decision.mode is not None else None
        return decision

    def _update(self, t: float, rate: float) -> None:
        if self.memory.last is None or t <= self.memory.last[0]:
            return
        before, old_rate, predicted = self.memory.last
        dt = t - before
        if t <= self.ignore:
            self.memory.filtered = 0.0
            return
        difference = (rate - old_rate) / dt - predicted
        self.memory.filtered += (difference - self.memory.filtered) * dt / (self.filter_time + dt)
        if self.memory.filtered > self.threshold and self.stage + 1 < len(self.assumed):
            self.memory.stage += 1
            self.switch_times.append(t)
            self.memory.filtered = 0.0

    def choose(self, t: float, instant: Instant) -> Decision:
        """The best inputs of the assumed mode; sliding contacts are taken to slide already."""
        letters = codes(self.assumed[self.stage], len(instant.closed))
        letters = np.where(instant.closed, letters, SEPARATE).astype(np.uint8)
        slip = np.array([{"L": -1, "R": 1}.get(letter, 0) for letter in spell(letters)], dtype=np.int64)
        touching = Touch(~instant.closed, slip)
        for with_task, word in ((True, ""), (False, DROPPED)):
            found = self._prepared.best(instant.snapshot, touching, 0.0, with_task, letters).best
            if found.found:
                return self._decision(t, found, instant, word, False)
        return Decision(t, np.zeros(self._prepared.inputs), None, 0.0, None, NO_MODE, False)
