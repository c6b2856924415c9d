"""A controller's instants with a disturbance among their unknowns, as the core reads them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.letters import Touch
from modecontrol.modes.lift import Lift, idle_inputs
from modecontrol.modes.problem import core_instant

Laid = tuple[np.ndarray, np.ndarray, np.ndarray, int]
"""`P`, `p`, equality, number of physical rows."""


class DisturbedRows:
    """What does not change from call to call: the unknowns that the disturbance adds, by the inputs that move nothing.

    Parameters
    ----------
    disturbance
        Bounds of what acts.
    snapshot
        Any snapshot of the model, for names, shapes and sizes.
    """

    def __init__(self, disturbance: Disturbance, snapshot: Snapshot) -> None:
        from modecontrol._core import modes as core

        self._disturbance = disturbance
        n, t = snapshot.actuation.shape
        k = snapshot.contacts
        nothing = np.zeros((0, n + 2 * k + t)), np.zeros(0), np.zeros(0, bool), 0
        touching = Touch(np.zeros(k, bool), np.zeros(k, np.int64))
        self._sizes = np.array(core.dynamic_root(core_instant(snapshot, touching, nothing)).units[:n])
        self._lifts: dict[bytes, tuple[Lift, Any, tuple[Any, ...]]] = {}
        self._lift(snapshot, np.zeros(t, bool))

    def _lift(self, snapshot: Snapshot, idle: np.ndarray) -> tuple[Lift, Any, tuple[Any, ...]]:
        key = idle.tobytes()
        if key not in self._lifts:
            lift = Lift.of(self._disturbance.at(snapshot, idle), self._sizes)
            n, t = snapshot.actuation.shape
            self._lifts[key] = lift, lift.rows(snapshot, np.ones(t)), lift.spread(n)
        return self._lifts[key]

    def ask(self, snapshot: Snapshot, touching: Touch, rows: Laid) -> tuple[Any, Any, Any]:
        """The instant with its disturbances, their spread, and the instant with the disturbance in its middle.

        Parameters
        ----------
        snapshot, touching
            The instant, its contacts judged.
        rows
            Rows of the instant without disturbances.
        """
        lift, bounds, spread = self._lift(snapshot, idle_inputs(snapshot, touching))
        if lift.count == 0:
            return core_instant(snapshot, touching, rows), None, None
        P, p, equality, physical = rows
        widened = (
            np.vstack([bounds.P, lift.row(P, len(snapshot.mass))]),
            np.concatenate([bounds.p, p]),
            np.concatenate([bounds.equality, equality]),
            physical + len(bounds.p),
        )
        lifted = core_instant(lift.snapshot(snapshot, named=False), touching, widened)
        return lifted, spread, core_instant(_shifted(snapshot, lift.load.middle), touching, rows)


def _shifted(snapshot: Snapshot, force: np.ndarray) -> Snapshot:
    """The instant under one more generalised force."""
    if not np.any(force):
        return snapshot
    changed = {"bias": snapshot.bias - force}
    return Snapshot.trusted(
        **{f.name: changed.get(f.name, getattr(snapshot, f.name)) for f in fields(snapshot)}
    )
