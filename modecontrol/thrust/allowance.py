"""`Allowance`: how much work the searches of one call may do together, and what they had to leave open.

Work is counted in steps: a piece of the input space that is solved, a mode that is compared, a corner of friction. The count
depends on the data alone, so that a search ends at the same place on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

PIECES = 4000
"""Pieces that one search looks at before it gives up, unless the caller says otherwise."""
STEPS = 10_000
"""Steps that all searches of one call take together before they give up: some ten seconds with thousands of modes."""
PROJECTION_STEPS = 500
"""Steps that one more try to project the domain of a mode is worth."""

ALL_BUT_SINGULAR = "nothing is promised of inputs at which modes are all but singular"
"""What is said where rounding decides."""

Tell = Callable[[int, int], None]


class Allowance:
    """Steps that may be taken, counted as they are.

    Parameters
    ----------
    patience
        Pieces that each search may look at; None for the usual number. More of them raise the steps in proportion.
    tell
        Called with the steps that were taken, and with all that may be.
    """

    def __init__(self, patience: int | None = None, tell: Tell | None = None):
        self.pieces = PIECES if patience is None else int(patience)
        self.steps = max(STEPS, STEPS * self.pieces // PIECES)
        self.spent = 0
        self.unprojected: dict[str, str] = {}
        """Modes that count with more inputs, or with less, than they have, since their sets are not known: why."""
        self.given_up = False
        """Whether pieces of the inputs were given up on which rounding decides what happens."""
        self._until = self.steps
        self._tell = tell

    def spend(self, steps: int = 1) -> None:
        """Count some steps."""
        self.spent += steps
        if self._tell is not None:
            self._tell(min(self.spent, self.steps), self.steps)

    @property
    def left(self) -> int:
        """Steps that may still be taken."""
        return max(0, self._until - self.spent)

    @property
    def is_over(self) -> bool:
        """Whether no more steps may be taken."""
        return self.spent >= self._until

    def hold_back(self) -> None:
        """Keep half of what is left for later."""
        self._until = self.spent + (self.steps - self.spent) // 2

    def release(self) -> None:
        """Allow what was held back."""
        self._until = self.steps

    @property
    def words(self) -> str:
        """What a search that was given up says."""
        return (
            f"stopped: after {min(self.spent, self.steps):,} of {self.steps:,} steps "
            f"(searches of {self.pieces:,} pieces at most); raise patience or narrow the intervals"
        )

    @property
    def remark(self) -> str:
        """What was left out of the search: modes that count with other inputs than they have, and inputs at which rounding
        decides; empty when nothing was.
        """
        rounded = ALL_BUT_SINGULAR if self.given_up else ""
        if not self.unprojected:
            return rounded
        names = list(self.unprojected)
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        rounded = f"; {rounded}" if rounded else ""
        return f"{len(names)} modes ({shown}) could not be projected on the inputs and count with larger sets{rounded}"
