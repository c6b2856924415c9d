"""The flip's report: tables, findings, the player of all runs, settings, figures; one page that needs nothing
else.

Everything in it is made from stored runs: `write_report` after flying, `redraw` from the files of an earlier
report.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modecontrol.page.report_html import report_page
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.sensitivity import Sensitivity
from modecontrol.view import flip as pictures
from modecontrol.view import style as view_style
from modecontrol.view.animation import animate
from modecontrol.view.stroboscope import plot_stroboscope

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Tick = Callable[[int, int], Any]


def write_report(
    flips: Sequence[Flip],
    folder: str | Path,
    film: bool = True,
    sensitivities: Sequence[Sensitivity] = (),
    tick: Tick | None = None,
) -> list[Path]:
    """Write data, figures, films and `report.html` into a folder.

    Parameters
    ----------
    flips
        Runs.
    folder
        Made when it is not there.
    film
        Whether to draw a film of each run (they take longest).
    sensitivities
        Rows of the sensitivity table; none leaves the table out.
    tick
        Called with (films done, films in all).

    Returns
    -------
    list of pathlib.Path
        What was written, the report first.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    data = [flip.save(folder / f"flip_{flip.slug}.npz") for flip in flips]
    summary = folder / "flip.json"
    summary.write_text(
        json.dumps([_finite(flip.record()) for flip in flips], indent=1) + "\n", encoding="utf-8"
    )
    files = [summary, *data]
    if sensitivities:
        path = folder / "sensitivity.json"
        path.write_text(
            json.dumps([_finite(asdict(row)) for row in sensitivities], indent=1) + "\n", encoding="utf-8"
        )
        files.append(path)
    return [*_draw(flips, folder, film, sensitivities, tick), *files]


def redraw(folder: str | Path, film: bool = True, tick: Tick | None = None) -> tuple[list[Flip], list[Path]]:
    """Make every figure, film, table and the report again from the data in a folder; nothing is simulated.

    Parameters
    ----------
    folder
        A folder that `write_report` filled.
    film, tick
        As for `write_report`.

    Returns
    -------
    tuple
        The runs, and what was written, the report first.
    """
    folder = Path(folder)
    summary = folder / "flip.json"
    if not summary.is_file():
        raise ValueError(
            f"{folder} has no flip.json; expected a folder that modecontrol flip --out has filled"
        )
    try:
        records = json.loads(summary.read_text(encoding="utf-8"))
        order = [(record["controller"], record["mu_toe"]) for record in records]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(
            f"{summary} cannot be read ({error}); expected what modecontrol flip --out wrote"
        ) from None
    found = {(flip.kind, flip.mu_toe): flip for flip in map(Flip.load, sorted(folder.glob("flip_*.npz")))}
    missing = [key for key in order if key not in found]
    if missing:
        kind, mu = missing[0]
        raise ValueError(
            f"{folder} has no data of the {kind} controller at friction {mu:g}, which flip.json lists"
        )
    flips = [found[key] for key in order]
    return flips, _draw(flips, folder, film, read_sensitivities(folder), tick)


def read_sensitivities(folder: Path) -> list[Sensitivity]:
    """Rows of a stored sensitivity table; none when there is none.

    Parameters
    ----------
    folder
        Where the report is.
    """
    path = folder / "sensitivity.json"
    if not path.is_file():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [
        Sensitivity(
            row["change"],
            row["mu_toe"],
            _number(row["gain"]),
            _number(row["blind"]),
            _number(row["new"]),
            tuple(row["failed"]),
        )
        for row in rows
    ]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _draw(
    flips: Sequence[Flip], folder: Path, film: bool, sensitivities: Sequence[Sensitivity], tick: Tick | None
) -> list[Path]:
    figures = [(caption, _saved(fig, folder / f"{name}.png")) for caption, name, fig in _figures(flips)]
    films = []
    for i, flip in enumerate(flips if film else ()):
        if tick is not None:
            tick(i, len(flips))
        films.append(
            animate(
                flip.trajectory,
                folder / f"flip_{flip.slug}.gif",
                fps=20,
                speed=0.1 if len(flips) == 1 else 0.25,
                dpi=70,
                title=f"{flip.kind}, friction {flip.mu_toe:g}",
            )
        )
    report = folder / "report.html"
    report.write_text(report_page(flips, figures, films, sensitivities), encoding="utf-8")
    return [report, *(path for _, path in figures), *films]


def _figures(flips: Sequence[Flip]) -> list[tuple[str, str, Any]]:
    """Caption, name and figure, in the order of the report."""
    fig = view_style.figure(7.2, 4.2)
    pictures.plot_pitch(flips, fig.add_subplot())
    found = [("Pitch of all runs (Figure 15 of the paper).", "pitch", fig)]
    numbers = {("blind", 0.39): 10, ("blind", 0.6): 11, ("new", 0.39): 13, ("new", 0.6): 14}
    for flip in flips:
        number = numbers.get((flip.kind, flip.mu_toe))
        place = f" (Figure {number} of the paper)" if number else ""
        found.append(
            (
                f"{flip.kind} controller at friction {flip.mu_toe:g}: pitch acceleration, contact states and torques, predicted "
                f"against simulated{place}.",
                f"flip_{flip.slug}",
                pictures.plot_flip(flip),
            )
        )
    for flip in [flip for flip in flips if flip.kind == "blind"] or list(flips[:1]):
        found.append(
            (
                f"Horizontal velocities of the contacts with the {flip.kind} controller at friction {flip.mu_toe:g}: "
                "the rigid model's "
                "prediction against the simulation (Figure 12 of the paper). Where a contact is fixed in simulation (shaded), the "
                "range of the prediction is the least threshold v0 with which the contact keeps its letter F.",
                f"velocities_{flip.slug}",
                pictures.plot_toe_velocities(flip),
            )
        )
    last = flips[-1]
    fig = view_style.figure(8.0, 4.0)
    plot_stroboscope(last.trajectory, fig.add_subplot(), frames=7)
    found.append(
        (f"The {last.kind} controller at friction {last.mu_toe:g}, seven moments.", "stroboscope", fig)
    )
    return found


def _saved(fig: Figure, path: Path) -> Path:
    fig.savefig(path, dpi=110, bbox_inches="tight")
    return path


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and value != value else value for key, value in record.items()
    }
