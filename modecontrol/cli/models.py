"""List the models that ship."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "list the models that ship"
EXAMPLE = "  modecontrol models\n  modecontrol models --json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(args: argparse.Namespace, out: Output) -> None:
    """One row per model; with `--out` a picture of each."""
    import modecontrol as mc

    found = [mc.load(name) for name in mc.models()]
    out.data["models"] = [
        {
            "name": m.name,
            "about": m.mechanism.about,
            "source": m.mechanism.source,
            "coordinates": m.coordinates,
            "inputs": m.inputs,
            "contacts": m.contacts,
        }
        for m in found
    ]
    out.table(
        ("model", "coordinates", "inputs", "contacts", "about"),
        [(m.name, len(m.coordinates), len(m.inputs), len(m.contacts), m.mechanism.about) for m in found],
    )
    if out.wants_files:
        from modecontrol.view.mechanism import plot_mechanism

        for model in found:
            out.picture(model.name, partial(plot_mechanism, model, None))
