"""The flip's report: one self-contained HTML page with tables, figures and the animation."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modecontrol.view import style as house
from modecontrol.view.animation import animate
from modecontrol.view.flip import plot_flip, plot_pitch
from modecontrol.view.stroboscope import plot_stroboscope

COLUMNS = (("controller", "controller"), ("friction", "mu_toe"), ("90 degrees after (s)", "time_to_90"),
           ("flipped after (s)", "time_to_flip"), ("RMSE (rad/s²)", "rmse"), ("published RMSE", "published_rmse"),
           ("mode switches", "mode_switches"))

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.3rem .8rem;border-bottom:1px solid #ccc;text-align:right}
td:first-child,th:first-child{text-align:left}img{max-width:100%}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
.note{color:#555}"""


def table(flips: Sequence[Any]) -> tuple[list[str], list[list[str]]]:
    """Heads and cells of the summary, measured beside published.

    Parameters
    ----------
    flips
        `Flip`s.
    """
    return [head for head, _ in COLUMNS], [[cell(flip.record()[key]) for _, key in COLUMNS] for flip in flips]


def gains(flips: Sequence[Any]) -> list[str]:
    """Sentences on the time that the new controller saves, one per surface.

    Parameters
    ----------
    flips
        `Flip`s.
    """
    from modecontrol.trials.flip import PUBLISHED_GAIN, gain

    lines = []
    for mu in dict.fromkeys(flip.mu_toe for flip in flips):
        saved = gain(flips, mu)
        if saved == saved:
            published = f" (published: about {100 * PUBLISHED_GAIN[mu]:.0f} %)" if mu in PUBLISHED_GAIN else ""
            lines.append(f"friction {mu:g}: the new controller reaches 90 degrees {100 * saved:.1f} % sooner{published}")
    return lines


def write_report(flips: Sequence[Any], folder: str | Path, film: bool = True) -> list[Path]:
    """Write figures, data, the animation of the last run and `report.html` into a folder.

    Parameters
    ----------
    flips
        `Flip`s.
    folder
        Made when it is not there.
    film
        Whether to draw the animation (it takes longest).

    Returns
    -------
    list of pathlib.Path
        What was written, the report first.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    figures: list[tuple[str, Path]] = []

    def keep(caption: str, name: str, fig: Any) -> None:
        path = folder / f"{name}.png"
        fig.savefig(path, dpi=130, bbox_inches="tight")
        files.append(path)
        figures.append((caption, path))

    fig = house.figure(7.2, 4.2)
    plot_pitch(flips, fig.add_subplot())
    keep("Pitch of all runs.", "pitch", fig)
    for flip in flips:
        keep(f"{flip.kind} controller at friction {flip.mu_toe:g}: pitch acceleration, contact states and torques, predicted "
             "against simulated.", f"flip_{_slug(flip)}", plot_flip(flip))
    last = flips[-1]
    fig = house.figure(8.0, 4.0)
    plot_stroboscope(last.trajectory, fig.add_subplot(), frames=7)
    keep(f"The {last.kind} controller at friction {last.mu_toe:g}, seven moments.", "stroboscope", fig)
    if film:
        path = animate(last.trajectory, folder / "flip.gif", fps=20, speed=0.25)
        files.append(path)
        figures.append(("The same at a quarter of its speed.", path))
    for flip in flips:
        path = folder / f"flip_{_slug(flip)}.npz"
        flip.trajectory.save(path)
        files.append(path)
    data = folder / "flip.json"
    data.write_text(json.dumps([_finite(flip.record()) for flip in flips], indent=1) + "\n", encoding="utf-8")
    report = folder / "report.html"
    report.write_text(_page(flips, figures), encoding="utf-8")
    return [report, data, *files]


def _page(flips: Sequence[Any], figures: Sequence[tuple[str, Path]]) -> str:
    heads, rows = table(flips)
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    stories = "".join(f"<li>{html.escape(flip.kind)}, friction {flip.mu_toe:g}: "
                      + ", ".join(f"{mode} from {time:.3f} s" for time, mode in flip.story) + "</li>" for flip in flips)
    pictures = "".join(f"<figure><img alt='{html.escape(caption)}' src='data:image/{path.suffix[1:]};base64,"
                       f"{base64.b64encode(path.read_bytes()).decode()}'><figcaption>{html.escape(caption)}</figcaption>"
                       "</figure>" for caption, path in figures)
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>RHex flip</title><style>{STYLE}</style></head>
<body><h1>RHex flip: maximal thrust over all contact modes against the blind baseline</h1>
<p>The controllers plan with the rigid model and act on the compliant one. Times count from rest, flat on the ground;
RMSE compares predicted and simulated pitch acceleration while thrusting (up to 88 degrees).</p>
<table><thead><tr>{"".join(f"<th>{html.escape(h)}</th>" for h in heads)}</tr></thead><tbody>{cells}</tbody></table>
<ul>{"".join(f"<li>{html.escape(line)}</li>" for line in gains(flips))}</ul>
<p class="note">Published figures: Greenfield, Saranli and Rizzi 2005. Motor limits, control rate, filter and friction of the
body are not in the paper, so absolute errors differ; the order of the controllers and the gain are what can be compared.</p>
<h2>Predicted contact modes (body, rear, middle, front)</h2><ul>{stories}</ul>
<h2>Figures</h2>{pictures}</body></html>
"""


def cell(value: Any) -> str:
    """A cell of the table: four digits, a dash for what is not there."""
    if value is None or value != value:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _slug(flip: Any) -> str:
    return f"{flip.kind.replace(' ', '_')}_{flip.mu_toe:g}".replace(".", "p")


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    return {key: None if isinstance(value, float) and value != value else value for key, value in record.items()}
