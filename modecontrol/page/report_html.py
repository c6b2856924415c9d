"""The text of the flip's report: tables, findings, the player of all runs, settings, pictures."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from modecontrol.page.flip_replay import flip_replay
from modecontrol.page.standalone import document
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.sensitivity import HEADS, Sensitivity, ranges
from modecontrol.trials.rhex.settings import CONTACTS
from modecontrol.trials.rhex.summary import findings, table
from modecontrol.trials.rhex.toe_velocities import toe_velocities


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
        + "".join(
            f"; {word} at {count} instants from {first:.3f} to {last:.3f} s"
            for word, count, first, last in flip.fallbacks
        )
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
