"""Command lines: sound ones with words damaged, left out, doubled; each ends with 0 to 3 and without a traceback."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable

import numpy as np

from hostility.judging import judge
from hostility.texts import JUNK, NUMBERS, damaged
from modecontrol.cli import main

LINES = (
    "models",
    "show two_link",
    "show block --json",
    "modes two_link --set mu=0.4",
    "modes two_link --explain FFF --json",
    "modes two_link --at 0.5",
    "modes block --q 0.1,0.3,0.1 --v 0,0,0",
    "domains two_link --json",
    "ambiguity two_link --set mu=0.8 --json",
    "thrust rhex --maximize alpha --margin 0.001 --json",
    "thrust two_link --maximize theta --json",
    "sure two_link --uncertain mu=0.5..0.9 --json",
    "simulate block --set slope=0.3 --duration 0.01 --step 0.001 --json",
    "simulate rod --duration 0.005 --json",
    "check stairs --json",
    "show climber --q y=0.5 --json",
    "modes gripper_box --limits -9:9 --task x>=0",
    "modes compass --kinematic --normal-tolerance 1e-3",
    "modes stairs --physical left_push>=-2 --velocity-tolerance 1e-6",
    "domains rod --slice tau=0 --project fx,fy --out pictures --json",
    "ambiguity table --samples 50 --window push=-1:1 --out pictures --json",
    "sure block --uncertain mu=0.1..0.3 --maximize x --torque-error 0.1 --force x=-1..1 --patience 50 --json",
    "sure two_link --uncertain mu=0.5..0.9 --guarantee mode --relative-torque-error 0.05 --json",
    "simulate pusher --formulation mc --duration 0.003 --tau 0.1 --json",
    "simulate ramone --integrator theta --duration 0.002 --json",
    "simulate two_link --thrust theta --rate 500 --uncertain mu=0.7..0.9 --duration 0.003",
    "flip --duration 0.005 --no-film --controller blind --friction 0.6 --json --quiet",
    "--completion bash",
    "--version",
    "modes --help",
)
WORDS = (
    "--json",
    "--q",
    "--v",
    "--set",
    "--out",
    "--task",
    "--limits",
    "--margin",
    "--debug",
    "--at",
    "--uncertain",
    "--samples",
    "--patience",
    "--force",
    "--window",
    "--",
    "-",
    "mu=",
)


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    for line in LINES:
        told, complained = io.StringIO(), io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            contextlib.redirect_stdout(told),
            contextlib.redirect_stderr(complained),
        ):
            ended = main(line.split())
        if ended not in (0, 3):
            raise AssertionError(f"{line!r} is no sound line: {complained.getvalue() or told.getvalue()}")

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 5, index])
        words = LINES[rng.integers(len(LINES))].split()
        for _ in range(int(rng.integers(1, 3))):
            words = _changed(rng, words)
        said, complained = io.StringIO(), io.StringIO()
        ended: list[int] = []

        def run() -> None:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
                ended.append(main([word for word in words if word != "--debug"]))

        found = judge(run)
        if found is None and ended and ended[0] not in (0, 1, 2, 3):
            found = f"exit code {ended[0]}"
        if found is None and "Traceback" in complained.getvalue():
            found = f"a traceback: {complained.getvalue()[-500:]}"
        if found is None and ended and ended[0] == 1:
            text = complained.getvalue()
            found = (
                None
                if "UncheckedError" in text or "TooMuchWorkError" in text
                else f"exit code 1: {text[-300:]}"
            )
        return None if found is None else f"{words}: {found}"

    return case


def _changed(rng: np.random.Generator, words: list[str]) -> list[str]:
    at = int(rng.integers(len(words))) if words else 0
    how = rng.integers(6)
    if how == 0:
        return words[:at] + words[at + 1 :]
    if how == 1:
        return [*words[:at], words[at] if words else "x", *words[at:]]
    if how == 2:
        return [*words[:at], WORDS[rng.integers(len(WORDS))], *words[at:]]
    if how == 3:
        return [*words[:at], NUMBERS[rng.integers(len(NUMBERS))], *words[at + 1 :]]
    if how == 4:
        return [*words[:at], JUNK[rng.integers(len(JUNK))], *words[at + 1 :]]
    return [*words[:at], damaged(rng, words[at] if words else "x"), *words[at + 1 :]]
