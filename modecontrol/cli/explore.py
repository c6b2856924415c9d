"""Open a window with sliders for friction and configuration; the map of the inputs follows."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "a window with sliders: move the mechanism, see its modes"
EXAMPLE = "  modecontrol explore two_link\n  modecontrol explore rod --vary mu,phi"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, its start, and what gets a slider."""
    model_arguments(parser)
    parser.add_argument("--vary", metavar="NAMES", help="parameters and coordinates with a slider, such as mu,phi")


def run(args: Any, out: Output) -> None:
    """The window; without a display, a message (or with `--out` a picture of it)."""
    from modecontrol.cli.state import read_model, read_state

    model = read_model(args)
    q, _ = read_state(model, args)
    names = None if args.vary is None else [name.strip() for name in args.vary.split(",") if name.strip()]
    from modecontrol.view import explore, style

    if out.wants_files:
        fig = style.figure(11.0, 6.5)
        fig.set_layout_engine("none")
        explore.Explorer(model, q, names, fig)
        fig.savefig(out.path("explore.png"), dpi=120)
        return
    if not explore.has_display():
        raise ValueError("there is no display to open a window on; use modecontrol ambiguity with --out DIR for "
                         "pictures, or explore with --out DIR for a picture of the window")
    explorer = explore.Explorer(model, q, names)
    explore.show(explorer)
