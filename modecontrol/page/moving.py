"""One change of the page: a slider or a pulled body moves the mechanism, and closed contacts are kept closed.

| kind         | what moves                                                                     |
|--------------|--------------------------------------------------------------------------------|
| `coordinate` | one coordinate is held at its value, the others follow                         |
| `velocity`   | one velocity is held at its value, the others follow                           |
| `parameter`  | a parameter changes; the configuration follows its geometry                    |
| `pull`       | a point of a body is drawn towards a place                                     |
| `close`      | nothing but the contacts that are to be closed and are not                     |
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.page import closing
from modecontrol.page.request import RequestError, Shown, mapping, number, numbers, read_shown, text
from modecontrol.page.scene import has_bodies

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.page.session import Session

STRIDE, MOST = 0.05, 40
"""Step of a coordinate that is moved far, in radians and mechanism sizes, and how many of them at most."""


def moved(session: Session, shown: Shown, change: Any, notes: list[str]) -> Shown:
    """The state after a change; what could not be kept is noted.

    Parameters
    ----------
    session
        The `Session`, for its model and the sizes of its coordinates.
    shown
        The state before.
    change
        Parsed JSON: `{"kind": ..., "name": ..., "value": ...}`, or a pull with `body`, `point` and `target`.
    notes
        Sentences for the reader are added here.
    """
    table = mapping(change, "change", ("kind", "name", "value", "body", "point", "target"))
    kind, q, v = table.get("kind"), np.array(shown.q), np.array(shown.v)
    coordinates = session.model.coordinates
    held: int | None = None
    pull: closing.Pull | None = None
    if kind == "parameter":
        name = text(table.get("name"), "name")
        shown = replace(shown, parameters={**shown.parameters, name: number(table.get("value"), name)})
        read_shown({"parameters": dict(shown.parameters)}, session.start, session.model, session.friction)
    elif kind in ("coordinate", "velocity"):
        name = text(table.get("name"), "name")
        if name not in coordinates:
            raise RequestError(f"change names {name!r}; expected one of {', '.join(coordinates)}")
        held = coordinates.index(name)
        (q if kind == "coordinate" else v)[held] = number(table.get("value"), name)
    elif kind == "pull":
        pull = _pull(session.model, table)
    elif kind != "close":
        raise RequestError(
            f"change is of kind {str(kind)[:40]!r}; expected coordinate, velocity, parameter, pull or close"
        )
    model = session.kept.model_with(shown.parameters)
    kept = [model.contacts.index(name) for name in shown.keep]
    if kind != "velocity" and (kept or pull is not None or hasattr(model, "loop_residual")):
        if kind == "coordinate" and held is not None:
            found = _slid(session, model, np.array(shown.q), held, float(q[held]), kept)
        else:
            found = closing.close(model, q, kept, session.scale, None, pull)
        if not found.reached or not np.all(np.abs(found.q) <= tolerances.LARGEST_ASKED):
            notes.append("the loops of the mechanism cannot be closed there; nothing was moved")
            return shown if kind != "parameter" else replace(shown, q=tuple(q.tolist()))
        q = found.q
        if found.let_go and not closing.inside(model.snapshot(q), tolerances.MISFIT):
            notes.append(f"out of reach, so open: {', '.join(model.contacts[i] for i in found.let_go)}")
        kept = [i for i in kept if i not in found.let_go]
    else:
        gaps = model.snapshot(q).gap
        kept = [i for i in kept if gaps[i] <= tolerances.MEANT_CLOSED * session.scale.max(initial=1.0)]
    if v.any():
        v, missed = closing.settle(model, q, v, kept, session.scale, held if kind == "velocity" else None)
        if missed > tolerances.VELOCITY:
            notes.append(
                f"the velocity leaves {missed:.3g} m/s in a closed contact; let it go, or choose another"
            )
    return replace(shown, q=tuple(map(float, q)), v=tuple(map(float, v)))


def _slid(
    session: Session, model: PlanarModel, q: np.ndarray, held: int, value: float, kept: list[int]
) -> closing.Closed:
    """A coordinate taken to its value in short steps: a far jump could bring a body to the other side of another."""
    count = min(MOST, max(1, int(np.ceil(abs(value - q[held]) / (STRIDE * session.scale[held])))))
    for place in np.linspace(q[held], value, count + 1)[1:]:
        q[held] = place
        found = closing.close(model, q, kept, session.scale, held)
        if not found.reached:
            break
        q = found.q.copy()
    return found


def _pull(model: PlanarModel, table: dict[str, Any]) -> closing.Pull:
    if not has_bodies(model):
        raise RequestError("a model without bodies cannot be pulled")
    body = table.get("body")
    count = len(model.numbers.bodies)
    if isinstance(body, bool) or not isinstance(body, int) or not 0 <= body < count:
        raise RequestError(f"body is {str(body)[:40]}; expected a number from 0 to {count - 1}")
    point, target = (numbers(table.get(key), ("x", "y"), key) for key in ("point", "target"))
    return closing.Pull(body, point, target)  # type: ignore[arg-type]
