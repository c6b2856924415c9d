"""The one rule of what is ambiguous (section 3.7.1 of Greenfield 2005): motions are compared, never
dimensions.

The motion of an answer are its accelerations, as far as they carry mass, and its contact forces. At the
inputs `tau` mode c can show the motions `Y_c(tau)`, one or, with ambiguity variables, many. Mode c' *clashes*
with mode c when, at some inputs that both explain, c' moves the mechanism as c cannot:

    exists  tau in T_c and T_c' :   Y_c'(tau) is no subset of Y_c(tau)

Motions are affine in the inputs, so that they then differ at almost every common input, and next to the
others: all of `T_c` that lies in `T_c'` is called ambiguous. Neighbours that give the same motion on their
common border do not clash, however wide the border; a mode whose inputs are a thin slice of `T_c` (a massless
leg that may lift where its torque is zero) does if it moves anything that has mass.

A mode that is all but singular (`ModeResponse.is_steep`) is never the one answer: rounding of its inputs is another motion. For the
same reason it counts against every mode that has inputs within rounding of its own, whatever it shows there.

Who promises a value promises more than a motion: accelerations of massless parts count, too, as far as the
objective or the task weighs them. These rows are `asked`, and join the motion. At the border of another mode
such an acceleration may be free; a promise that counts it keeps off.

With a margin, c' counts against c, too, when it has inputs that c has not: beyond the border it would take
over.

Over an interval of friction a mode shows the motions of all coefficients in it together, and those of another mode
at one of them may be among these. So motions say nothing there: one mode is the answer where it is surely possible and no
other is possible at all.

Regions, overlaps, pictures, `maximize`, `design` and the controllers all ask here or, in the core,
`_core/regions/clash.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import hold
from modecontrol.modes.within_mode import two_copies
from modecontrol.polytopes import Polytope
from modecontrol.validation import check_margin

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.modes.problem import Problem
    from modecontrol.regions.dynamic_response import DynamicResponse


Asked = np.ndarray | None
"""Rows `(P_q, ...)` whose accelerations are asked for, or none: the first columns are those of the coordinates."""


def clashes_with(response: DynamicResponse, mine: str, other: str, asked: Asked = None) -> bool:
    """Whether mode `other` moves the mechanism as mode `mine` cannot, at some inputs that both explain."""
    from modecontrol._core import regions as core

    code = _code(response, core.relations, mine, other, asked)
    if code == core.UNKNOWN:
        return _differ_somewhere(response[mine], response[other], asked)
    return bool(code == core.CLASH)


def shows_all_of(response: DynamicResponse, mine: str, other: str) -> bool:
    """Whether mode `mine` shares inputs with mode `other` and shows all motions of it there."""
    from modecontrol._core import regions as core

    return _code(response, core.relations, mine, other, None) == core.SAME


def counts_against(
    response: DynamicResponse, mine: str, other: str, margin: float, asked: Asked = None
) -> bool:
    """Whether inputs of mode `mine` have to keep the margin from mode `other`."""
    from modecontrol._core import regions as core

    if clashes_with(response, mine, other, asked):
        return True
    if margin == 0:
        return False
    code = _code(response, core.insiders, mine, other, None)
    if code == core.UNKNOWN:
        return not response[other].torques <= response[mine].torques
    return bool(code != core.SAME)


def rivals(response: DynamicResponse, mine: str, margin: float = 0.0, asked: Asked = None) -> list[str]:
    """All modes that count against one."""
    beside = motion_frame(response.problem, asked)[-1]
    asked = beside if len(beside) else None
    return [
        other for other in response if other != mine and counts_against(response, mine, other, margin, asked)
    ]


def felt_margin(response: DynamicResponse, margin: float) -> float:
    """A margin; beyond twice the greatest distance between two inputs, where it has one, all are the same.

    Numbers far beyond the inputs would swallow their digits.
    """
    margin = check_margin(margin)
    extent = np.subtract(*response.torque_set.bounding_box[::-1]) if margin > 0 else np.zeros(0)
    widest = 2.0 * float(np.linalg.norm(extent))
    return min(margin, widest) if 0 < widest < np.inf else margin


def widened(torques: Polytope, margin: float) -> Polytope:
    """Every row moved out by `margin` (Euclidean distance): a thin set becomes a slab."""
    if margin == 0:
        return torques
    P = torques.minimal()
    moved, thick = margin * np.linalg.norm(P.A, axis=1), margin * np.linalg.norm(P.C, axis=1)
    return Polytope(
        np.vstack([P.A, P.C, -P.C]),
        np.concatenate([P.b + moved, P.d + thick, thick - P.d]),
        labels=(*P.labels, *P.equality_labels, *P.equality_labels),
    )


def thick(torques: Polytope, half: np.ndarray) -> Polytope:
    """The set with its equalities as slabs, half as thick as `half` in each input."""
    width = np.abs(torques.C) @ half
    return Polytope(
        np.vstack([torques.A, torques.C, -torques.C]),
        np.concatenate([torques.b, torques.d + width, width - torques.d]),
        labels=(*torques.labels, *torques.equality_labels, *torques.equality_labels),
    )


def kept_off(response: DynamicResponse, other: str, margin: float, inner: bool = False) -> Polytope:
    """What chosen inputs keep off: the inputs of a mode, rows moved out by the margin and half of CLEAR, and
    never by less than CLEAR.

    `inner` is the same set less half of CLEAR: what lies in it is too near.
    """
    units = response.problem.input_sizes
    P = response[other].torques.minimal()

    def moved(rows: np.ndarray, levels: np.ndarray) -> np.ndarray:
        clear = tolerances.CLEAR * np.maximum(np.abs(rows * units).max(axis=1, initial=0.0), np.abs(levels))
        out = np.maximum(margin * np.linalg.norm(rows, axis=1) + 0.5 * clear, clear)
        return out - (0.5 * clear if inner else 0.0)

    thick = moved(P.C, P.d)
    return Polytope(
        np.vstack([P.A, P.C, -P.C]),
        np.concatenate([P.b + moved(P.A, P.b), P.d + thick, thick - P.d]),
        labels=(*P.labels, *P.equality_labels, *P.equality_labels),
    )


def is_uncertain(response: DynamicResponse) -> bool:
    """Whether friction is known as intervals that have a width."""
    box = response.snapshot.uncertainty
    return box is not None and not box.is_exact


def only_answer(response: DynamicResponse, modes: list[str], tau: np.ndarray) -> str | None:
    """Of the modes that explain inputs, the one whose motions are all there is; None when there is no such mode."""
    if is_uncertain(response):
        sizes = response.problem.input_sizes
        sure = len(modes) == 1 and bool(hold(response[modes[0]].sure_torques, tau, sizes))
        return modes[0] if sure else None
    return next((mode for mode in modes if _shows_all(response, mode, modes)), None)


def is_alone_at(response: DynamicResponse, mode: str, tau: np.ndarray) -> bool:
    """Whether the motions of a mode are all there is at inputs that it explains."""
    modes = response.modes_at(tau)
    if is_uncertain(response):
        return only_answer(response, modes, tau) == mode
    return mode in modes and _shows_all(response, mode, modes)


def _shows_all(response: DynamicResponse, mode: str, modes: list[str]) -> bool:
    clashes = any(clashes_with(response, mode, other) for other in modes if other != mode)
    return not clashes and not response[mode].is_steep


def motion_frame(
    problem: Problem, asked: Asked = None
) -> tuple[np.ndarray, np.ndarray, float, int, int, np.ndarray]:
    """What the core needs to compare motions: mass matrix, natural units and size, numbers of forces and
    inputs, rows of accelerations that are asked for and that momenta do not determine.
    """
    from modecontrol._core import regions as core

    snapshot, root = problem.snapshot, problem.root
    rows = np.zeros((0, len(snapshot.mass))) if asked is None else np.ascontiguousarray(asked, float)
    beside = core.beside_mass(snapshot.mass, root.units, rows) if len(rows) else rows
    return snapshot.mass, root.units, root.size, 2 * snapshot.contacts, snapshot.actuation.shape[1], beside


def _code(
    response: DynamicResponse, ask: Callable[..., np.ndarray], mine: str, other: str, asked: Asked
) -> int:
    """What the core says of a pair of modes; its answers for one mode and all others are found together and
    kept.
    """
    key = (mine, ask.__name__, b"" if asked is None else asked.tobytes())
    if key not in response._related:
        frame = motion_frame(response.problem, asked)
        response._related[key] = ask(response.packed[:3], frame, response._place[mine])
    return int(response._related[key][response._place[other]])


def _to_motion(mine: ModeResponse, asked: Asked) -> np.ndarray:
    """Rows that turn the unknowns of a mode into its motion in natural units."""
    mass, units, size, forces, _, beside = motion_frame(mine.problem, asked)
    n = len(mass)
    rows = [row * unit for row, unit in zip(mass, units, strict=False) if np.any(row)]
    made = np.zeros((len(rows) + forces + len(beside), len(mine.constant)))
    made[: len(rows), :n] = np.reshape(rows, (len(rows), n)) / size
    made[len(rows) : len(rows) + forces, n : n + forces] = np.diag(1.0 / (units[n : n + forces] * size))
    largest = np.abs(beside * units[:n]).max(axis=1, keepdims=True, initial=0.0)
    made[len(rows) + forces :, :n] = beside / (largest * size)
    return made


def _differ_somewhere(a: ModeResponse, b: ModeResponse, asked: Asked) -> bool:
    """Second opinion where the core has none: whether any two answers of the modes to the same inputs differ.

    More modes clash by this rule, since motions that one mode shows among others count as different.
    """
    both = two_copies(a.domain, b.domain, a.U.shape[1])
    if both.is_empty:
        return False
    to_motion = _to_motion(a, asked)
    apart = np.hstack([to_motion @ (a.U - b.U), to_motion @ a.W, -to_motion @ b.W])
    constant = to_motion @ (a.constant - b.constant)
    scale = np.abs(to_motion) @ (np.abs(a.constant) + np.abs(b.constant))
    return any(
        both.support(sign * row) + sign * value > tolerances.SAME_MOTION * max(1.0, whole)
        for row, value, whole in zip(apart, constant, scale, strict=True)
        for sign in (1.0, -1.0)
    )
