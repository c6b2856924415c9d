"""Map which inputs have one answer, which have several, and which have none."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments, picture_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "where the answer is unique, ambiguous or does not exist"
EXAMPLE = (
    "  modecontrol ambiguity two_link --set mu=0.8 --out results\n"
    "  modecontrol ambiguity rod --set mu=2 --limits -30:30 --slice tau=0 --out results"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints and what to draw."""
    model_arguments(parser)
    instant_arguments(parser)
    picture_arguments(parser)


def run(args: Any, out: Output) -> None:
    """Shares of the torque set and pairs of modes that share inputs; with `--out` the map."""
    from modecontrol.cli.instant import picture_options, read_model, read_response

    model = read_model(args)
    options = picture_options(model, args) if out.wants_files else {}  # complains before the work begins
    response = read_response(model, args)
    clashes = response.clashes()
    inconsistent = response.inconsistent()
    alone = {mode: response.unambiguous(mode) for mode in response}
    out.data.update(
        model=model.name,
        inputs=model.inputs,
        contacts=model.contacts,
        clashes=[
            {
                "modes": c.modes,
                "differ_in": c.difference,
                "accelerations": c.accelerations,
                "forces": c.forces,
                "dimension": c.torques.dimension,
            }
            for c in clashes
        ],
        unambiguous={
            mode: {"pieces": len(region), "dimension": region.dimension} for mode, region in alone.items()
        },
        inconsistent={"pieces": len(inconsistent), "dimension": inconsistent.dimension},
        within={mode: list(response[mode].ambiguity) for mode in response},
    )
    if response.torque_set.is_bounded and model.inputs:
        _shares(response, out)
        out.say()
    if clashes:
        out.table(
            ("modes", "differ in", "dimension of the overlap"),
            [
                (" ".join(c.modes), c.accelerations or c.forces or "nothing", c.torques.dimension)
                for c in clashes
            ],
            f"{len(clashes)} pairs of modes share inputs",
        )
    else:
        out.say("no two modes share inputs (beyond common boundaries)")
    out.say()
    rows = [
        (mode, len(region) or "none", region.dimension if len(region) else "", list(response[mode].ambiguity))
        for mode, region in alone.items()
    ]
    out.table(("mode", "unambiguous pieces", "dimension", "not unique within the mode"), rows)
    out.say()
    out.say(
        "every allowed input has an answer"
        if inconsistent.is_empty
        else f"inputs without any answer: {len(inconsistent)} pieces of dimension {inconsistent.dimension}"
    )
    if out.wants_files:
        from modecontrol.view.ambiguity import plot_ambiguity_figure

        out.save("ambiguity", plot_ambiguity_figure(response, **options))
        out.write("ambiguity.json", out.data)


def _shares(response: Any, out: Output) -> None:
    found = response.coverage()
    out.data["coverage"] = found
    whole = found["whole"]
    rows = [
        (name, found[name], f"{100 * found[name] / whole:.3g} %" if whole else "")
        for name in ("unambiguous", "ambiguous", "inconsistent")
    ]
    out.table(("inputs", "volume", "share"), rows, f"torque set of volume {whole:.6g}")
