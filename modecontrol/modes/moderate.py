"""Which modes depend on numbers far apart: the list made once more with moderate ones.

Where coefficients of friction or masses are far apart, modes may have accelerations and forces so small or so large beside the
others that rounding decides about them. From some distance on the true list changes no more (it follows from signs of
polynomials in the ratios), so one with ratios that are known to be decided right has to be the same. When it is not, either a
critical ratio lies far out (a lever arm that is all but zero, say), or rounding has had its way. Exact rationals tell which, as
long as few modes are in question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modecontrol.errors import UncheckedError
from modecontrol.modes.exact_modes import can_happen
from modecontrol.modes.letters import spell

if TYPE_CHECKING:
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.modes.packed import Leaves
    from modecontrol.modes.problem import Problem

LISTED = 6
"""Modes that a message names."""
JUDGED = 16
"""Modes that are asked in exact rationals; where more differ, the answer is refused."""
ARRAYS = (
    "mass",
    "bias",
    "actuation",
    "jacobian",
    "drift",
    "friction",
    "velocity",
    "loop_jacobian",
    "loop_drift",
)
"""What an exception carries."""


def refuse_other_modes(problem: Problem, leaves: Leaves, moderate: Snapshot, said: str, hint: str) -> None:
    """`UncheckedError` when moderate numbers have other modes, unless exact rationals confirm what was found.

    Parameters
    ----------
    problem
        The instant.
    leaves
        Its modes as found.
    moderate
        The instant with moderate numbers.
    said, hint
        What is far apart, and what to do, for the message.
    """
    found, doubtful = lists(problem, leaves, moderate)
    differ = sorted((found[0] ^ found[1]) - doubtful)
    if len(differ) <= JUDGED:
        differ = [mode for mode in differ if can_happen(problem.system(mode)) != (mode in found[0])]
    if differ:
        listed = ", ".join(differ[:LISTED]) + (", ..." if len(differ) > LISTED else "")
        raise UncheckedError(
            f"{said}, and double precision cannot vouch for {listed} there: with moderate ones the modes are others; {hint}",
            **arrays(problem.snapshot),
        )


def lists(problem: Problem, leaves: Leaves, other: Snapshot) -> tuple[list[set[str]], set[str]]:
    """Modes as found and at another instant, and those that the search left open in one of them.

    Parameters
    ----------
    problem, leaves
        The instant and its modes.
    other
        The other instant: contacts count as what they count as here.
    """
    from modecontrol._core import modes as core
    from modecontrol.modes.problem import instant

    there = core.list_modes(core.dynamic_root(instant(other, problem.touching, problem.physical)))
    doubtful: set[str] = set()
    found: list[set[str]] = []
    for letters, unsure, *_ in (leaves, there):
        modes = [spell(letters[i]) for i in range(len(letters))]
        doubtful |= {mode for mode, is_unsure in zip(modes, unsure, strict=True) if is_unsure}
        found.append(set(modes))
    return found, doubtful


def arrays(snapshot: Snapshot) -> dict[str, Any]:
    """The numbers of an instant, for an exception.

    Parameters
    ----------
    snapshot
        The instant.
    """
    return {name: getattr(snapshot, name) for name in ARRAYS}
