"""Flip RHex on its back with the blind and with the mode-aware controller, and report."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "the RHex flip: blind against mode-aware thrust"
EXAMPLE = "  modecontrol flip --out results\n  modecontrol flip --set mu_toe=0.39 --out results"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Parameters of the robot."""
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], dest="parameters",
                        help="replace a parameter of the robot (repeatable), such as mu_toe=0.39")


def run(args: Any, out: Output) -> None:
    """Run the trial; the report goes to the folder of `--out`."""
    from modecontrol.cli.state import read_pairs

    try:
        from modecontrol.trials import flip
    except ImportError:
        raise NotImplementedError("the flip trial is not part of this installation") from None
    found = flip.run(out=out.folder, quiet=out.quiet or out.machine, **read_pairs(args.parameters))
    out.data.update(found.to_dict())
    out.say(found.summary())
    if out.wants_files:
        out.files += found.files
