"""Look a model file through: what is no error and still odd."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modecontrol.cli.parser import model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "look a model file through: parameters of no use, starts that cannot be, stops out of reach"
EXAMPLE = "  modecontrol check my/model.toml\n  modecontrol check rhex --set d=0.1 --json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model and its parameters."""
    model_arguments(parser, state=False)


def run(args: argparse.Namespace, out: Output) -> None:
    """One line for each finding; the exit code is 1 when there are any."""
    from modecontrol.cli.instant import read_model
    from modecontrol.dynamics.lint import lint

    model = read_model(args)
    found = lint(model)
    described = model.describe()
    out.data.update(
        name=model.name,
        needs=dict(described.needs),
        findings=[{"kind": f.kind, "place": f.place, "text": f.text} for f in found],
    )
    for finding in found:
        out.finding(f"{finding.kind}: {finding}")
    if not found:
        out.say(f"{model.name}: nothing odd was found")
    if out.wants_files:
        out.write("findings.json", out.data)
