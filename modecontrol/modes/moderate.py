"""Which modes depend on numbers far apart: the list made once more with moderate ones.

Where coefficients of friction or masses are far apart, modes may have accelerations and forces so small or so large beside the
others that rounding decides about them. From some distance on the true list changes no more (it follows from signs of
polynomials in the ratios), so one with ratios that are known to be decided right has to be the same. When it is not, either a
critical ratio lies far out (a lever arm that is all but zero, say), or rounding has had its way. Exact rationals tell which, as
long as few modes are in question.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Found:
    """The modes of an instant as the search found them.

    Parameters
    ----------
    problem
        The instant.
    leaves
        Its modes.
    """

    problem: Problem
    leaves: Leaves

    def refuse_others(self, moderate: Snapshot, said: str, hint: str) -> None:
        """`UncheckedError` when moderate numbers have other modes, unless exact rationals confirm what was found.

        Parameters
        ----------
        moderate
            The instant with moderate numbers.
        said, hint
            What is far apart, and what to do, for the message.
        """
        differ = sorted(self.differences(moderate))
        if len(differ) <= JUDGED:
            mine = {spell(letters) for letters in self.leaves.letters}
            differ = [mode for mode in differ if can_happen(self.problem.system(mode)) != (mode in mine)]
        if differ:
            listed = ", ".join(differ[:LISTED]) + (", ..." if len(differ) > LISTED else "")
            raise UncheckedError(
                f"{said}, and double precision cannot vouch for {listed} there: with moderate ones the modes are others; {hint}",
                **arrays(self.problem.snapshot),
            )

    def differences(self, other: Snapshot) -> set[str]:
        """Modes that only one of two instants has; not those that the search left open in one of them.

        Parameters
        ----------
        other
            The other instant: contacts count as what they count as here.
        """
        from modecontrol._core import modes as core
        from modecontrol.modes.problem import instant

        there = core.list_modes(
            core.dynamic_root(instant(other, self.problem.touching, self.problem.physical))
        )
        doubtful: set[str] = set()
        differ: set[str] = set()
        for letters, unsure, *_ in (self.leaves, there):
            modes = [spell(letters[i]) for i in range(len(letters))]
            doubtful |= {mode for mode, is_unsure in zip(modes, unsure, strict=True) if is_unsure}
            differ ^= set(modes)
        return differ - doubtful


def arrays(snapshot: Snapshot) -> dict[str, Any]:
    """The numbers of an instant, for an exception.

    Parameters
    ----------
    snapshot
        The instant.
    """
    return {name: getattr(snapshot, name) for name in ARRAYS}
