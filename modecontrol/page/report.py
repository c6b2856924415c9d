"""The flip's report: tables, findings, the player of all runs, settings, figures; one page that needs nothing
else.

Everything in it is made from stored runs: `write_report` after flying, `redraw` from the files of an earlier
report.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from modecontrol.page.flip_replay import flip_replay
from modecontrol.page.standalone import document
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.sensitivity import HEADS, Sensitivity, ranges
from modecontrol.trials.rhex.settings import CONTACTS
from modecontrol.trials.rhex.summary import findings, table
from modecontrol.trials.rhex.toe_velocities import toe_velocities
from modecontrol.view import flip as pictures
from modecontrol.view import style as house
from modecontrol.view.animation import animate
from modecontrol.view.stroboscope import plot_stroboscope

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
    fig = house.figure(7.2, 4.2)
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
    fig = house.figure(8.0, 4.0)
    plot_stroboscope(last.trajectory, fig.add_subplot(), frames=7)
    found.append(
        (f"The {last.kind} controller at friction {last.mu_toe:g}, seven moments.", "stroboscope", fig)
    )
    return found


def _saved(fig: Any, path: Path) -> Path:
    fig.savefig(path, dpi=110, bbox_inches="tight")
    return path


# The page
# ------------------------------------------------------------------------------------------------------------


def report_page(
    flips: Sequence[Flip],
    figures: Sequence[tuple[str, Path]],
    films: Sequence[Path],
    sensitivities: Sequence[Sensitivity] = (),
) -> str:
    """The text of `report.html`.

    Parameters
    ----------
    flips
        Runs.
    figures
        Captions and files.
    films
        Files, which the page names and does not contain.
    sensitivities
        Rows of the sensitivity table.
    """
    heads, rows = table(flips)
    failed = [flip.outcome != "flipped" for flip in flips]
    before = "\n".join(
        [
            "<h1>RHex flip: maximal thrust over all contact modes against the blind baseline</h1>",
            "<p>The controllers plan with the rigid model and act on the compliant one. Times count from rest, flat on the "
            "ground; the RMSE "
            "compares predicted and simulated pitch acceleration while thrusting. A flip that failed has none.</p>",
            _html_table(heads, rows, failed),
            _list(findings(flips)),
            '<p class="mc-note">Published figures: Greenfield, Saranli and Rizzi 2005. Motor limits, control rate, filter '
            "and friction of the "
            "body are not in the paper, so absolute errors differ; the order of the controllers and the "
            "gain are what can be compared.</p>",
            "<h2>The runs, moment by moment</h2>",
        ]
    )
    stories = [
        f"{flip.kind}, friction {flip.mu_toe:g}: "
        + ", ".join(f"{mode} from {time:.3f} s" for time, mode in flip.story)
        for flip in flips
    ]
    after = "\n".join(
        [
            "<h2>Predicted contact modes (body, rear, middle, front)</h2>",
            _list(stories),
            *(
                [
                    "<h2>Films</h2>",
                    "<ul>"
                    + "".join(
                        f'<li><a href="{escape(path.name)}">{escape(path.name)}</a></li>' for path in films
                    )
                    + '</ul><p class="mc-note">They lie beside this page.</p>',
                ]
                if films
                else []
            ),
            "<h2>Thresholds from predicted velocities</h2>",
            _thresholds(flips),
            *_sensitivity(sensitivities),
            "<h2>Settings</h2>",
            _settings(flips),
            "<h2>Figures</h2>",
            *(_picture(caption, path) for caption, path in figures),
        ]
    )
    return document("RHex flip", {"runs": [flip_replay(flip) for flip in flips]}, "play", before, after)


def _html_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], failed: Sequence[bool] = (), kind: str = "mc-data"
) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        f"<tr{' class=mc-failed' if i < len(failed) and failed[i] else ''}>"
        + "".join(f"<td>{escape(text)}</td>" for text in row)
        + "</tr>"
        for i, row in enumerate(rows)
    )
    return f'<div class="mc-scroll"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _thresholds(flips: Sequence[Flip]) -> str:
    """What Figure 12 gives, beside what the controller uses and what the paper took."""
    rows = [
        [
            f"{flip.kind}, friction {flip.mu_toe:g}",
            *(
                ("-" if value != value else f"{value:.4f}")
                for value in toe_velocities(flip).thresholds.values()
            ),
        ]
        for flip in flips
    ]
    rows.append(["used by the new controller", *(f"{value:g}" for value in flips[0].settings.v0)])
    rows.append(["in the paper", "not given", "0.08", "0.001", "0.001"])
    return (
        "<p>Greatest horizontal velocity (m/s) that the rigid model predicts for a contact while it is fixed in simulation "
        "for 20 ms or more; a dash where it never is.</p>" + _html_table(["run", *CONTACTS], rows)
    )


def _sensitivity(rows: Sequence[Sensitivity]) -> list[str]:
    if not rows:
        return []
    return [
        "<h2>What the unpublished parameters decide</h2>",
        "<p>Each is moved to both ends of what is plausible while the others keep their values; in the last rows all are drawn at "
        "once. The gain is the part of the blind controller's time to 90 degrees that the new one saves.</p>",
        _html_table(HEADS, ranges(rows)),
    ]


def _settings(flips: Sequence[Flip]) -> str:
    """Free parameters; one column when all runs share them."""
    shared = len({json.dumps(flip.settings.to_dict(), sort_keys=True) for flip in flips}) == 1
    columns = flips[:1] if shared else flips
    heads = [
        "setting",
        *(["value"] if shared else [f"{flip.kind}, {flip.mu_toe:g}" for flip in flips]),
        "meaning",
    ]
    rows = []
    for i, (name, _, meaning) in enumerate(flips[0].settings.rows()):
        rows.append([name, *(flip.settings.rows()[i][1] for flip in columns), meaning])
    return _html_table(heads, rows, kind="mc-data mc-words")


def _picture(caption: str, path: Path) -> str:
    image = base64.b64encode(path.read_bytes()).decode()
    return (
        f'<figure><img alt="{escape(caption)}" src="data:image/{path.suffix[1:]};base64,{image}" loading="lazy">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and value != value else value for key, value in record.items()
    }
