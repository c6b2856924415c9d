"""Run a study from a file: many points, all cores or a cluster, resumable."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "many points from a study file, resumable, on all cores or a cluster"
EXAMPLE = (
    "  modecontrol study rhex.toml --dry-run\n  modecontrol study rhex.toml --out results/rhex\n"
    "  modecontrol study rhex.toml --resume --scheduler tcp://host:8786"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and how it is run."""
    parser.add_argument("file", metavar="FILE", help="study in TOML (see the page on studies)")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the study that the folder holds in part"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="state points and estimated time from a measured sample, then stop",
    )
    parser.add_argument(
        "--workers", metavar="N", type=int, help="processes on this machine (default: all cores)"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="dask scheduler whose workers do it, such as tcp://host:8786"
    )
    parser.add_argument("--chunk", metavar="POINTS", type=int, help="points that a worker does at a time")


def run(args: argparse.Namespace, out: Output) -> None:
    """Run the study; results stay in its folder, pictures are drawn where one or two names vary."""
    from modecontrol.studies.study import study
    from modecontrol.studies.study_file import read_study
    from modecontrol.validation import counted

    asked, how = read_study(args.file)
    if args.workers is not None and args.scheduler is not None:
        raise ValueError("--workers and --scheduler were both given; expected one of them")
    if args.workers is not None and args.workers < 1:
        raise ValueError(f"--workers {args.workers}; expected at least 1")
    if args.dry_run:
        _dry_run(asked, how, args, out)
        return
    folder = Path(args.out) if args.out else how["out"]
    with _engine(args) as executor, out.progress("points") as tick:
        found = study(
            **asked,
            executor=executor,
            out=folder,
            resume=args.resume,
            chunk=args.chunk or how["chunk"],
            seed=how["seed"],
            progress=tick,
        )
    out.data.update(
        model=found.header["model"]["name"],
        points=len(found),
        failed=found.failed,
        status=found.status,
        reason=found.reason,
        reasons=found.reasons(),
        out=None if folder is None else str(folder),
        columns={name: summary(found[name], kind) for name, kind in found.types.items()},
    )
    out.say(
        f"{counted(len(found), 'point')} over {', '.join(found.names)}: {found.status}"
        + (f" ({found.reason})" if found.reason else "")
    )
    rows = [
        (name, kind, *out.data["columns"][name].values())
        for name, kind in found.types.items()
        if kind != "text"
    ]
    out.table(("column", "type", "answers", "least", "median", "greatest"), rows)
    for reason, count in list(found.reasons().items())[:5]:
        out.say(f"{counted(count, 'point')}: {reason}")
    if folder is not None:
        out.say(f"stored in {folder}; open it with modecontrol.Study.load({str(folder)!r})")


def _dry_run(asked: dict[str, Any], how: dict[str, Any], args: argparse.Namespace, out: Output) -> None:
    from modecontrol.studies.chunks import chunk_size
    from modecontrol.studies.study import estimate
    from modecontrol.validation import counted

    expected = estimate(**asked, seed=how["seed"], workers=args.workers)
    chunk = args.chunk or how["chunk"] or chunk_size(expected.points)
    out.data.update(
        points=expected.points,
        sampled=expected.sampled,
        seconds_per_point=expected.per_point,
        workers=expected.workers,
        estimated_seconds=expected.total,
        chunks=-(-expected.points // chunk),
        sampled_without_answer=expected.failed,
        reason=expected.reason,
    )
    out.say(
        f"{counted(expected.points, 'point')} in {counted(-(-expected.points // chunk), 'chunk')} of {chunk}"
    )
    out.say(
        f"{expected.per_point * 1e3:.3g} ms a point, measured on {expected.sampled}; about {spoken(expected.total)} with "
        f"{expected.workers} worker{'s' if expected.workers > 1 else ''}"
    )
    if expected.failed:
        out.say(f"{expected.failed} of these have no answer: {expected.reason}")


def _engine(args: argparse.Namespace) -> Any:
    if args.scheduler is None:
        return nullcontext(args.workers)
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'distributed is not installed; install it with: pip install "modecontrol[cluster]"'
        ) from None
    return _Cluster(Client, args.scheduler)


class _Cluster:
    """The executor of a dask scheduler, for as long as the block lasts."""

    def __init__(self, make: Any, address: str) -> None:
        try:
            self._client = make(address, timeout="10s")
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(f"--scheduler {address}: no dask scheduler answers there ({error})") from None

    def __enter__(self) -> Any:
        return self._client.get_executor()

    def __exit__(self, *_: Any) -> None:
        self._client.close()


def summary(column: Any, kind: str) -> dict[str, Any]:
    """How many answers, and their least, median and greatest.

    Parameters
    ----------
    column
        A column of a study.
    kind
        Its type.
    """
    import numpy as np

    if kind == "text":
        return {"answers": int(np.count_nonzero(column != ""))}
    numbers = column[~np.isnan(column)]
    if not len(numbers):
        return {"answers": 0, "least": None, "median": None, "greatest": None}
    return {
        "answers": len(numbers),
        "least": float(numbers.min()),
        "median": float(np.median(numbers)),
        "greatest": float(numbers.max()),
    }


def spoken(seconds: float) -> str:
    """A time in the unit that suits it.

    Parameters
    ----------
    seconds
        How long.
    """
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} minutes" if seconds < 7200 else f"{seconds / 3600:.3g} hours"
