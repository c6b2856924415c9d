"""The flips in words and tables: measured beside published, what was saved, what failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modecontrol.trials.rhex.flip import PUBLISHED_GAIN, gain
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.switching import switching

COLUMNS = (
    ("controller", "controller"),
    ("friction", "mu_toe"),
    ("outcome", "outcome"),
    ("90 degrees after (s)", "time_to_90"),
    ("flipped after (s)", "time_to_flip"),
    ("RMSE (rad/s²)", "rmse"),
    ("published RMSE", "published_rmse"),
    ("mode switches", "mode_switches"),
)


def table(flips: Sequence[Flip]) -> tuple[list[str], list[list[str]]]:
    """Heads and cells of the summary, measured beside published."""
    return [head for head, _ in COLUMNS], [[cell(flip.record()[key]) for _, key in COLUMNS] for flip in flips]


def findings(flips: Sequence[Flip]) -> list[str]:
    """Sentences: the time that the new controller saves on each surface, how the blind one switches, what
    failed and how.
    """
    lines = []
    for mu in dict.fromkeys(flip.mu_toe for flip in flips):
        saved = gain(flips, mu)
        if saved == saved:
            published = (
                f" (published: about {100 * PUBLISHED_GAIN[mu]:.0f} %)" if mu in PUBLISHED_GAIN else ""
            )
            word = "sooner" if saved >= 0 else "later"
            lines.append(
                f"friction {mu:g}: the new controller reaches 90 degrees {100 * abs(saved):.1f} % {word} than the "
                f"blind one{published}"
            )
    lines += [
        f"friction {flip.mu_toe:g}: the blind controller {switching(flip).sentence()}"
        for flip in flips
        if flip.kind == "blind"
    ]
    for flip in flips:
        if flip.outcome != "flipped":
            time, why = flip.thrust_ended
            lines.append(
                f"friction {flip.mu_toe:g}: the {flip.kind} controller did not flip ({flip.outcome}); its thrust ended at "
                f"{time:.3f} s: {why}"
            )
    return lines


def cell(value: Any) -> str:
    """A cell of a table: four digits, a dash for what is not there.

    Parameters
    ----------
    value
        A number, a text or None.
    """
    if value is None or value != value:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
