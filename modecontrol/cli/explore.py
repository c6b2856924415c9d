"""Open a page of this machine on which the mechanism can be dragged and its torque sets follow; Ctrl-C ends
it.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments
from modecontrol.cli.together import check_apart, is_given, option

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.page.replay import ReplaySession
    from modecontrol.page.session import Session

ABOUT = "a live page: drag the mechanism, see its torque sets"
EXAMPLE = (
    "  modecontrol explore two_link --set mu=0.8\n  modecontrol explore results/flip_new_0p6.npz\n"
    "  modecontrol explore rod --v x=-1 --port 8080 --no-browser\n"
    "  modecontrol explore rhex --out pages --vary mu_toe=0.3:0.9"
)

LIVE = (
    "parameters",
    "uncertain",
    "q",
    "v",
    "limits",
    "physical",
    "task",
    "velocity_tolerance",
    "normal_tolerance",
    "vary",
)
"""Options that say nothing of a recording."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, its state, and how the page is served."""
    model_arguments(parser)
    instant_arguments(parser)
    group = parser.add_argument_group("page")
    group.add_argument(
        "--port",
        type=int,
        metavar="N",
        help="port on 127.0.0.1; default 8017, or a free one when that is in use",
    )
    group.add_argument("--no-browser", action="store_true", help="only print the address")
    group.add_argument(
        "--vary",
        metavar="NAME[=LOW:HIGH]",
        help="with --out: the parameter or coordinate that gets a slider in "
        "the file explore.html, which needs no Python; default the first friction coefficient",
    )


def run(args: argparse.Namespace, out: Output) -> None:
    """Serve the page until Ctrl-C; with `--out` write it as a file, with `--json` print what it would show
    first.
    """
    check_apart(args, ("port", "no_browser"), "out", "a page in a file is not served")
    if args.model.endswith(".npz"):
        for name in LIVE:
            if is_given(args, name):
                raise ValueError(
                    f"{option(name)} is for live models; {args.model} is a recording, which is shown as it is"
                )
        _replay(args, out)
        return
    session = read_session(args)
    if out.wants_files:
        from modecontrol.page.standalone import write_page

        write_page(out.path("explore.html"), session, *read_varied(session, args.vary))
        return
    if args.vary is not None:
        raise ValueError(
            "--vary is for pages in a file (--out DIR); the served page has a slider for everything"
        )
    if out.machine:
        out.data.update(session.answer({"ask": "show"}))
        return
    _serve(session, args, out)


def _serve(session: Session | ReplaySession, args: argparse.Namespace, out: Output) -> None:
    if args.port is not None and not 0 <= args.port <= 65535:
        raise ValueError(f"--port is {args.port}; expected a number from 0 to 65535")
    from modecontrol.page.opening import Page

    with Page(session, args.port) as page:
        out.say(f"{session.description['name']} is at {page.address} (Ctrl-C ends it)")
        sys.stdout.flush()
        if not args.no_browser:
            page.open()
        page.wait()
    out.say("stopped")


def _replay(args: argparse.Namespace, out: Output) -> None:
    """A stored trajectory or flip to scrub through."""
    runs = read_runs(args.model)
    if out.wants_files:
        from modecontrol.page.replay import write_replay

        write_replay(out.path("replay.html"), runs, runs[0]["title"])
        return
    from modecontrol.page.replay import ReplaySession

    if out.machine:
        out.data["runs"] = runs
        return
    _serve(ReplaySession(runs), args, out)


def read_runs(path: str) -> list[dict[str, Any]]:
    """What the player shows of a stored trajectory, or of a flip with its predictions.

    Parameters
    ----------
    path
        An npz file.
    """
    import zipfile
    from pathlib import Path

    import modecontrol as mc
    from modecontrol.page.flip_replay import flip_replay
    from modecontrol.page.replay import instants_of, replay
    from modecontrol.trials.rhex.run import Flip
    from modecontrol.validation import check_readable

    check_readable(Path(path), "a stored trajectory or flip")
    if zipfile.is_zipfile(path) and "flip.npy" in zipfile.ZipFile(path).namelist():
        return [flip_replay(Flip.load(path))]
    trajectory = mc.Trajectory.load(path)
    return [replay(trajectory, respond=instants_of(trajectory))]


def read_session(args: argparse.Namespace) -> Session:
    """The session that the arguments describe."""
    from modecontrol.cli.instant import read_model, read_snapshot, read_state, thresholds
    from modecontrol.cli.reading import read_ranges
    from modecontrol.page.session import Session

    model = read_model(args)
    q, v = read_state(model, args)
    limits = (
        None
        if args.limits is None
        else read_ranges(
            args.limits, model.inputs, "--limits", read_snapshot(model, args).torque_limits
        ).tolist()
    )
    return Session(
        model,
        q,
        v,
        torque_limits=limits,
        physical=args.physical or None,
        task=args.task,
        **thresholds(model, args),
    )


def read_varied(session: Session, text: str | None) -> tuple[str | None, list[float] | None]:
    """What gets a slider in a file, and its values.

    Parameters
    ----------
    session
        What the page shows.
    text
        `NAME` or `NAME=LOW:HIGH`; None for the first friction coefficient.
    """
    import numpy as np

    from modecontrol.cli.reading import read_ranges
    from modecontrol.page.standalone import STATES

    if text is None:
        return (session.friction[0] if session.friction else None), None
    name, equal, _ = text.partition("=")
    if not equal:
        return name.strip(), None
    low, high = read_ranges(text, (name.strip(),), "--vary")[0]
    if not np.isfinite(high - low):
        raise ValueError(f"--vary is {text!r}; expected NAME=LOW:HIGH with both ends")
    return name.strip(), list(np.linspace(low, high, STATES))
