"""Map which inputs have one answer, which have several, and which have none."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments, picture_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.regions.dynamic_response import DynamicResponse

ABOUT = "where the answer is unique, ambiguous or does not exist"
EXAMPLE = (
    "  modecontrol ambiguity two_link --set mu=0.8 --out results\n"
    "  modecontrol ambiguity rod --set mu=2 --limits -30:30 --slice tau=0 --out results"
)
MOST_MODES = 400
"""With more modes than this their pairs are not compared one by one: verdicts at random inputs stand in."""
MOST_INPUTS = 3
"""Inputs up to which regions are measured by their volume."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints and what to draw."""
    model_arguments(parser)
    parser.add_argument(
        "--samples",
        metavar="N",
        type=int,
        default=2000,
        help=f"random inputs to judge where there are more than {MOST_INPUTS} inputs or {MOST_MODES} modes "
        "(default %(default)s)",
    )
    instant_arguments(parser)
    picture_arguments(parser, project=False)


def run(args: argparse.Namespace, out: Output) -> None:
    """Shares of the torque set and pairs of modes that share inputs; with `--out` the map."""
    from modecontrol.cli.instant import picture_options, read_model, read_response
    from modecontrol.validation import check_count, counted

    model = read_model(args)
    options = picture_options(model, args)  # complains before the work begins
    samples = check_count(args.samples, "--samples", least=1)
    response = read_response(model, args)
    out.data.update(model=model.name, inputs=model.inputs, contacts=model.contacts)
    many = len(response) > MOST_MODES
    if many or len(model.inputs) > MOST_INPUTS:
        _sampled(response, samples, out, pairs=many)
    elif response.torque_set.is_bounded and model.inputs:
        _shares(response, out)
    if many:
        pairs = len(response) * (len(response) - 1) // 2
        out.say(
            f"{counted(len(response), 'mode')} make {counted(pairs, 'pair')}: only those met at the random inputs are compared"
        )
    else:
        _pairs(response, out)
        _alone(response, out)
    if not many and len(model.inputs) <= MOST_INPUTS:
        _without_answer(response, out)
    out.data["within"] = {mode: list(response[mode].ambiguity) for mode in response}
    if out.wants_files:
        if options is None:
            out.say(
                "nothing is drawn: at most three inputs can be; hold the others with --slice NAME=VALUE,..."
            )
        else:
            from modecontrol.view.ambiguity import plot_ambiguity_figure

            out.save("ambiguity", plot_ambiguity_figure(response, **options))
        out.write("ambiguity.json", out.data)


def _shares(response: DynamicResponse, out: Output) -> None:
    found = response.coverage()
    out.data["coverage"] = found
    whole = found["whole"]
    rows = [
        (name, found[name], f"{100 * found[name] / whole:.3g} %" if whole else "")
        for name in ("unambiguous", "ambiguous", "inconsistent")
    ]
    out.table(("inputs", "volume", "share"), rows, f"torque set of volume {whole:.6g}")
    out.say()


def _sampled(response: DynamicResponse, samples: int, out: Output, *, pairs: bool) -> None:
    """Shares from random inputs, with `pairs` the modes that clash there."""
    if not response.admissible.torques.is_bounded:
        out.say("inputs without limits have no shares: give --limits")
        out.say()
        return
    with out.progress("judging inputs") as tick:
        found = response.sampled_coverage(samples, progress=tick)
    shares = {name: getattr(found, name) for name in ("unambiguous", "ambiguous", "inconsistent")}
    out.data["sampled"] = {"samples": found.samples, "error": found.error, **shares}
    out.table(
        ("inputs", "share"),
        [(name, f"{100 * share:.4g} %") for name, share in shares.items()],
        f"verdicts at {found.samples} random inputs; shares are known to {100 * found.error:.2g} %",
    )
    out.say()
    if pairs:
        out.data["sampled"]["clashes"] = {" ".join(modes): count for modes, count in found.clashes.items()}
        if found.clashes:
            met = [(" ".join(modes), count) for modes, count in found.clashes.items()]
            out.table(("modes", "met"), met, "pairs of modes that clash there")


def _pairs(response: DynamicResponse, out: Output) -> None:
    """Pairs of modes that clash."""
    from modecontrol.regions.ambiguity import rivals
    from modecontrol.validation import counted

    with out.progress("comparing motions") as tick:
        for done, mode in enumerate(response, 1):  # what is found is kept for everything below
            rivals(response, mode)
            tick(done, len(response))
    clashes = response.clashes()
    out.data["clashes"] = [
        {
            "modes": c.modes,
            "differ_in": c.difference,
            "accelerations": c.accelerations,
            "forces": c.forces,
            "dimension": c.torques.dimension,
        }
        for c in clashes
    ]
    if clashes:
        out.table(
            ("modes", "differ in", "dimension of the overlap"),
            [
                (" ".join(c.modes), c.accelerations or c.forces or "nothing", c.torques.dimension)
                for c in clashes
            ],
            f"{counted(len(clashes), 'pair')} of modes with common inputs",
        )
    else:
        out.say("no two modes share inputs (beyond common boundaries)")
    out.say()


def _alone(response: DynamicResponse, out: Output) -> None:
    """Where each mode is the only answer."""
    from modecontrol.errors import TooMuchWorkError

    rows: list[tuple[Any, ...]] = []
    told: dict[str, dict[str, Any]] = {}
    with out.progress("regions of one answer") as tick:
        for done, mode in enumerate(response, 1):
            within = list(response[mode].ambiguity)
            try:
                region = response.unambiguous(mode)
                told[mode] = {"pieces": len(region), "dimension": region.dimension}
                rows.append((mode, len(region) or "none", region.dimension if len(region) else "", within))
            except TooMuchWorkError as error:
                told[mode] = {"reason": str(error)}
                rows.append((mode, "too many", "", within))
            tick(done, len(response))
    out.data["unambiguous"] = told
    out.table(("mode", "unambiguous pieces", "dimension", "not unique within the mode"), rows)
    out.say()


def _without_answer(response: DynamicResponse, out: Output) -> None:
    from modecontrol.validation import counted

    inconsistent = response.inconsistent()
    out.data["inconsistent"] = {"pieces": len(inconsistent), "dimension": inconsistent.dimension}
    out.say(
        "every allowed input has an answer"
        if inconsistent.is_empty
        else f"inputs without any answer: {counted(len(inconsistent), 'piece')} of dimension {inconsistent.dimension}"
    )
