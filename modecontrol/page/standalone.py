"""The page as one file that needs neither Python nor a network: states along one slider, with all that a
torque asks for.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.page import bundle
from modecontrol.page.request import RequestError
from modecontrol.page.scene import body_accelerations, has_bodies
from modecontrol.page.session import Session
from modecontrol.page.sets import Causes, mode_sets, rows_of

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.dynamics.snapshot import Snapshot

log = logging.getLogger(__name__)
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
STATES = 25
"""States along the slider of a file."""
FEWEST = 5
"""States below which a slider is not worth having."""
LARGEST = 40_000_000
"""Size of a file, in bytes; browsers open larger ones slowly or not at all."""


def write_page(
    path: str | Path, session: Session, vary: str | None = None, values: Sequence[float] | None = None
) -> Path:
    """Write the page of a session into a file; returns its path.

    Parameters
    ----------
    path
        File to write.
    session
        What the page shows.
    vary
        A parameter or a coordinate that gets a slider; None shows the one state.
    values
        Its values; None takes `STATES` over the range of its slider.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(session, vary, values), encoding="utf-8")
    return path


def page(session: Session, vary: str | None = None, values: Sequence[float] | None = None) -> str:
    """The same as text.

    Parameters
    ----------
    session, vary, values
        As for `write_page`.
    """
    description = {**session.description, "fixed": True, "file": True}
    if vary is None:
        _room(session)
        frames = [frame(session, {})]
        first = 0
    else:
        kind, low, high, unit, now = _slider(session, vary)
        room = _room(session)
        if values is None and room < FEWEST:
            log.warning(
                "only %d states fit into a file: it holds the one that is shown, without a slider", room
            )
            return page(session)
        if values is not None and len(values) > room:
            raise RequestError(
                f"{len(values)} states were asked for and {room} fit into a file of {LARGEST / 1e6:.0f} MB; "
                "give fewer, or let modecontrol explore serve the page"
            )
        values = list(np.linspace(low, high, min(STATES, room))) if values is None else [*map(float, values)]
        frames = [frame(session, {"kind": kind, "name": vary, "value": float(value)}) for value in values]
        first = int(np.argmin(np.abs(np.array(values) - now)))
        description["vary"] = {
            "name": vary,
            "unit": unit,
            "values": [float(value) for value in values],
            "first": first,
        }
    return document(
        f"{description['name']} – modecontrol",
        {"describe": description, "frames": frames, "first": first},
        "file",
    )


def _room(session: Session) -> int:
    """How many states fit into a file, judged by the one that is shown first."""
    size = len(json.dumps(frame(session, {})))
    if size > LARGEST:
        raise RequestError(
            f"one state takes {size / 1e6:.0f} MB and a file at most {LARGEST / 1e6:.0f} MB; "
            "modecontrol explore serves the page without one"
        )
    return int(LARGEST // size)


def frame(session: Session, change: dict[str, Any]) -> dict[str, Any]:
    """Everything about one state: what the served page would show, and the maps from which any torque is
    answered.

    Parameters
    ----------
    session
        What the page shows.
    change
        What differs from the session's start; empty for nothing.
    """
    shown = session.answer({"ask": "show", "change": change or None})
    if "error" in shown:
        raise RequestError(shown["error"])
    found = {**shown, "inputs": list(session.model.inputs), "maps": {}, "bodies": None, "code": ""}
    if shown["trouble"] is None:
        state = session.read({"state": shown["state"]})
        response = session.kept.response_at(state)
        known = {entry["mode"] for entry in shown["modes"] if entry["case"] != "undecided"}
        data = response.to_dict()["modes"]
        found["maps"] = {
            mode: {key: data[mode][key] for key in ("w", "acceleration", "force", "torques")}
            | ({"domain": data[mode]["domain"]} if data[mode]["w"] else {})
            for mode in data
            if mode in known
        }
        if len(session.model.inputs) > 3:  # the file cuts slices itself, so it needs the sets in all inputs
            causes, every = Causes(), list(range(len(session.model.inputs)))
            found["modes"] = mode_sets(response, every, np.array(state.tau), causes)
            found["limits"] = rows_of(response.torque_set, every, np.array(state.tau), causes)
            found["causes"] = list(causes.numbers)
        found["bodies"] = _body_maps(session.kept.model_with(state.parameters), response.snapshot)
        code = session.answer({"ask": "python", "state": shown["state"]})["code"]
        found["code"] = code.replace(f"tau = {shown['state']['tau']}", "tau = @tau@")
    return found


def document(title: str, data: Any, entry: str, before: str = "", after: str = "") -> str:
    """One HTML file: style, script and data inside, a policy that forbids every request.

    Parameters
    ----------
    title
        Title of the page.
    data
        What the entry function is given, as JSON.
    entry
        Name of the function of `main.js` that is called with the page's element and the data.
    before, after
        HTML around the page's element, which makes it part of a report.
    """
    from html import escape

    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    script = bundle.script().replace("</", "<\\/")
    page = '<main id="page" class="mc-page"></main>'
    if before or after:
        page = f'<main class="mc-page mc-report" data-report>{before}<div id="page" class="mc-page"></div>{after}</main>'
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(title)}</title><link rel="icon" href="data:,"><style>{bundle.read("page.css")}</style></head>
<body class="mc-sheet">{page}
<script type="application/json" id="data">{text}</script>
<script type="module">{script}
{entry}(document.getElementById("page"), JSON.parse(document.getElementById("data").textContent));
</script></body></html>
"""


def _slider(session: Session, name: str) -> tuple[str, float, float, str, float]:
    """Kind, range, unit and present value of the slider that the served page has under this name."""
    for entry in session.description["parameters"]:
        if entry["name"] == name:
            return "parameter", entry["low"], entry["high"], "", entry["value"]
    for entry, now in zip(session.description["coordinates"], session.start.q, strict=True):
        if entry["name"] == name:
            return "coordinate", entry["low"], entry["high"], entry["unit"], now
    known = [entry["name"] for kind in ("parameters", "coordinates") for entry in session.description[kind]]
    raise ValueError(f"--vary names {name!r}, which has no slider; expected one of {', '.join(known)}")


def _body_maps(model: PlanarModel, snapshot: Snapshot) -> dict[str, Any] | None:
    """Accelerations of the bodies as affine functions of `qdd`: a drift and one column per coordinate."""
    if not has_bodies(model) or snapshot.q is None or snapshot.v is None:
        return None
    n = len(model.coordinates)
    drift = np.array(body_accelerations(model, snapshot.q, snapshot.v, np.zeros(n)))
    columns = [np.array(body_accelerations(model, snapshot.q, snapshot.v, row)) - drift for row in np.eye(n)]
    return {
        "drift": drift.tolist(),
        "by": np.stack(columns, axis=-1).tolist() if n else [[[] for _ in range(3)] for _ in drift],
    }
