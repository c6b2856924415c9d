"""A `DynamicResponse` as records, text, HTML and plain data."""

from __future__ import annotations

import html as escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.polytopes import Polytope
    from modecontrol.regions.dynamic_response import DynamicResponse

COLUMNS = ("mode", "case", "w", "dimension", "facets", "bounded", "not unique")
UNKNOWN = "not projected"
"""What stands in place of facts about a torque set that no method could project."""


def records(response: DynamicResponse) -> list[dict[str, Any]]:
    """One flat record per mode; `reason` says why there is no torque set, where there is none."""
    return [
        {
            "mode": mode,
            "case": r.case,
            "w": r.ambiguity_variables,
            **_torque_facts(r),
            "not unique": ", ".join(r.ambiguity),
            "rank case": r.rank_case,
            "reason": r.reason,
        }
        for mode, r in response.items()
    ]


def _torque_facts(r: ModeResponse) -> dict[str, Any]:
    if r.reason:
        return dict.fromkeys(("dimension", "facets", "bounded"), UNKNOWN)
    return {"dimension": r.torques.dimension, "facets": len(r.torques.A), "bounded": r.torques.is_bounded}


def summary(response: DynamicResponse) -> str:
    """The records as an aligned table."""
    cells = [COLUMNS, *(tuple(str(record[c]) for c in COLUMNS) for record in records(response))]
    widths = [max(len(row[i]) for row in cells) for i in range(len(COLUMNS))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    names = response.problem.names
    count = f"{len(response)} mode{'' if len(response) == 1 else 's'}"
    head = (
        f"{count} of {', '.join(names.contacts) or 'no contacts'}; inputs {', '.join(names.inputs) or 'none'}"
    )
    return "\n".join([head, *lines])


def html(response: DynamicResponse) -> str:
    """The records as an HTML table."""
    head = "".join(f"<th>{escape.escape(c)}</th>" for c in COLUMNS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape.escape(str(record[c]))}</td>" for c in COLUMNS) + "</tr>"
        for record in records(response)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def to_dict(response: DynamicResponse) -> dict[str, Any]:
    """Names, limits and every mode's maps and sets as plain data."""
    names = response.problem.names
    return {
        "coordinates": list(names.coordinates),
        "inputs": list(names.inputs),
        "contacts": list(names.contacts),
        "modes": {
            mode: {
                "case": r.case,
                "rank_case": r.rank_case,
                "w": r.ambiguity_variables,
                "acceleration": _affine(r.acceleration),
                "force": _affine(r.force),
                "domain": _polytope(r.domain),
                "torques": None if r.reason else _polytope(r.torques),
                "reason": r.reason,
                "not_unique": {
                    "accelerations": list(r.ambiguity.accelerations),
                    "forces": list(r.ambiguity.forces),
                },
            }
            for mode, r in response.items()
        },
    }


def _affine(affine) -> dict[str, Any]:
    return {
        "names": list(affine.names),
        "constant": affine.constant.tolist(),
        "tau": affine.U.tolist(),
        "w": affine.W.tolist(),
    }


def _polytope(P: Polytope) -> dict[str, Any]:
    return {
        key: np.asarray(value).tolist() for key, value in (("A", P.A), ("b", P.b), ("C", P.C), ("d", P.d))
    } | {
        "labels": [sorted(label) for label in P.labels],
        "equality_labels": [sorted(label) for label in P.equality_labels],
    }
