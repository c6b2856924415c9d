"""Why a mode cannot happen, or what bounds its torques: by constraint name.

The raw equations of the mode are asked in stages: velocities, accelerations alone, with forces, with physical
constraints, with torque limits. The first stage without an answer names the constraints that contradict each
other, not one too many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.contact_entries import units_of
from modecontrol.modes.letters import codes, possible_letters
from modecontrol.modes.linear import Linear
from modecontrol.modes.problem import Problem
from modecontrol.modes.raw_system import KINEMATICS, LIMITS, StackedSystem, natural_units
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.labels import spoken

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse

STAGES = ("kinematics", "forces", "physical constraints", "torque limits")
"""Names of the stages of `system`, in order."""
MARGIN = 10.0
"""Strict rows are asked for this multiple of the strictness tolerance, so that a clash is beyond doubt."""


@dataclass(frozen=True)
class Explanation:
    """Answer of `explain`: `possible`; if not, the `stage` that fails and its `causes`; if so, the facets'
    causes.
    """

    mode: str
    possible: bool
    stage: str
    causes: tuple[str, ...]
    text: str

    def __bool__(self) -> bool:
        return self.possible

    @property
    def status(self) -> str:
        """Either "possible", or the stage at which the mode fails."""
        return "possible" if self.possible else self.stage

    @property
    def reason(self) -> str:
        """What bounds the mode, or why it cannot happen: the text."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Explanation({self.mode}: {self.status})"

    def _repr_markdown_(self) -> str:
        """For notebooks: causes as a list, rows of the torque set as they are."""
        if not self.possible:
            return "\n".join(
                [
                    f"**{self.mode}** cannot happen ({self.stage}). These contradict each other:",
                    "",
                    *(f"- {cause}" for cause in self.causes),
                ]
            )
        head, *rows = self.text.splitlines()
        return "\n".join(
            [
                f"**{self.mode}** {head.removeprefix(self.mode).strip()}",
                *(["", "```text", *rows, "```"] if rows else []),
            ]
        )


def explain_impossible(problem: Problem, mode: str) -> Explanation:
    """Find the first stage at which the mode fails and the constraints that clash there."""
    codes(mode, problem.snapshot.contacts)
    banned = [
        (i, letter)
        for i, (letter, few) in enumerate(
            zip(mode, possible_letters(problem.snapshot, problem.touching), strict=True)
        )
        if letter not in few
    ]
    if banned:
        causes = tuple(_banned(problem, i, letter) for i, letter in banned)
        return _impossible(mode, "velocity", causes)
    system = problem.system(mode)
    for stage, word in enumerate(STAGES):
        P = _raw(problem, system, stage)
        if P.is_empty:
            return _impossible(mode, word, _needed(P))
    return Explanation(
        mode,
        False,
        "tolerance",
        (),
        f"{mode} fails only within the strictness tolerance: its accelerations "
        "can hardly differ from zero, so that a mode with F in their place describes the same motion",
    )


def _needed(P: Polytope) -> tuple[str, ...]:
    """Causes of an empty set that contradict each other, not one too many.

    One cause may stand for several rows (both sides of a friction cone): it is left out with all of them.
    """
    causes = list(P.clash)
    for cause in tuple(causes):
        fewer = [other for other in causes if other != cause]
        rows = [label <= set(fewer) for label in P.labels]
        equal = [label <= set(fewer) for label in P.equality_labels]
        if Polytope(P.A[rows], P.b[rows], P.C[equal], P.d[equal]).is_empty:
            causes = fewer
    return tuple(causes)


def explain_possible(response: ModeResponse) -> Explanation:
    """List the facets of the mode's torque set with their causes."""
    head = f"{response.mode} is possible ({response.case})"
    if response.reason:
        return Explanation(
            response.mode, True, "", (), f"{head}; what bounds its torques is not known: {response.reason}"
        )
    T = response.torques
    facets = [spoken(label) for label in (*T.labels, *T.equality_labels)]
    if not facets:
        return Explanation(response.mode, True, "", (), f"{head}; any input can produce it")
    causes = tuple(dict.fromkeys(facets))
    inputs = response.problem.names.inputs
    lines = [
        (_row(a, b, "=", inputs), label) for a, b, label in zip(T.C, T.d, T.equality_labels, strict=True)
    ]
    lines += [(_row(a, b, "<=", inputs), label) for a, b, label in zip(T.A, T.b, T.labels, strict=True)]
    width = max(len(line) for line, _ in lines)
    rows = [f"  {line:<{width}}   [{spoken(label)}]" for line, label in lines]
    return Explanation(
        response.mode,
        True,
        "",
        causes,
        "\n".join([f"{head}; its torques are bounded by: {'; '.join(causes)}", *rows]),
    )


def _row(a: np.ndarray, bound: float, sign: str, names: tuple[str, ...]) -> str:
    """`2 tau1 - tau2 <= 3`."""
    left = str(
        Linear(
            {
                name: float(f"{value:.6g}")
                for name, value in zip(names, a, strict=True)
                if abs(value) > tolerances.SHOWN_ZERO
            }
        )
    )
    return f"{left} {sign} {bound + 0.0:.6g}"


def _impossible(mode: str, stage: str, causes: tuple[str, ...]) -> Explanation:
    who = mode or "the mechanism without contacts"
    return Explanation(
        mode, False, stage, causes, f"{who} cannot happen ({stage}): " + " against ".join(causes)
    )


def _banned(problem: Problem, i: int, letter: str) -> str:
    name = problem.names.contacts[i]
    normal, tangent = problem.snapshot.velocity[2 * i : 2 * i + 2]
    gap = problem.snapshot.gap[i] if problem.snapshot.gap is not None else 0.0
    if problem.touching.free[i]:
        length, speed = units_of(name)
        why = f"leaves at {normal:.4g} {speed}" if normal > 0 else f"is open by {gap:.4g} {length}"
        return f"{name} {why} and can only separate (S), not {letter}"
    if problem.snapshot.laws is not None and problem.touching.slip[i] == 0:
        few = possible_letters(problem.snapshot, problem.touching)[i]
        return f"{name} has the letters {', '.join(few)} by its law, not {letter}"
    way = "right" if problem.touching.slip[i] > 0 else "left"
    return f"{name} slides {way} at {abs(tangent):.4g} {units_of(name)[1]}, so it cannot be {letter}"


def strictly_possible(problem: Problem, mode: str) -> bool:
    """Second opinion on a mode that the search could not decide: its raw equations, by another method."""
    return not _raw(problem, problem.system(mode), LIMITS, 1.0).is_empty


def kinematically_possible(problem: Problem, mode: str) -> bool:
    """The same for the accelerations alone."""
    return not _raw(problem, problem.system(mode), KINEMATICS, 1.0).is_empty


def _raw(problem: Problem, system: StackedSystem, stage: int, margin: float = MARGIN) -> Polytope:
    """`{(u, tau)}` of the rows up to a stage, strict rows by a margin; the accelerations alone for the first
    stage.
    """
    rows, equal = system.stage <= stage, system.equality_stage <= stage
    lift = np.where(system.strict, margin * problem.strict * problem.size * _rate_sizes(problem, system), 0.0)
    N = np.hstack([-system.G[rows], system.E[rows]])
    C = np.hstack([system.A[equal], -system.B[equal]])
    if stage == KINEMATICS:
        n = len(problem.names.coordinates)
        N, C = N[:, :n], C[:, :n]
    return Polytope(
        N,
        -(system.e + lift)[rows],
        C,
        system.c[equal],
        labels=[label for label, keep in zip(system.labels, rows, strict=True) if keep],
        equality_labels=[label for label, keep in zip(system.equality_labels, equal, strict=True) if keep],
    )


def _rate_sizes(problem: Problem, system: StackedSystem) -> np.ndarray:
    """True size of one scaled unit of each inequality row (contact accelerations)."""
    units = natural_units(problem.snapshot)[0]
    n = len(units)
    return np.abs(system.G[:, :n] * units).max(axis=1, initial=0.0)
