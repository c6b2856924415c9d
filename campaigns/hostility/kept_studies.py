"""Folders and files of studies: manifests, chunks and points damaged, read and resumed; study files damaged and run."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.judging import judge
from hostility.recordings import damaged_archive
from hostility.texts import damaged
from modecontrol import studies
from modecontrol.cli import main

FILE = """
model = "rod"
quantities = ["modes", "volumes"]
objective = "phi"
task = ["tip.normal >= 0.1"]
torque_limits = [[-5, 5], [-5, 5], [-1, 1]]
margin = 0.001
seed = 3
chunk = 2

[parameters]
mu = 0.4

[vary]
phi = {from = 0.7, to = "pi/3", steps = 2}
y_d = [0.0, 0.1]
"""
ENDS = (0, 1, 2, 3)


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    home = Path(tempfile.mkdtemp(prefix="hostile-studies-"))
    points = studies.latin_hypercube({"mu": (0.3, 0.6), "phi": (0.6, 0.9)}, 4, 0)

    def resumed(folder: Path) -> mc.Study:
        return mc.study("rod", points, ["modes"], executor=1, chunk=2, seed=1, out=folder)

    whole = home / "whole"
    resumed(whole)
    files = sorted(file.name for file in whole.iterdir())
    expected = mc.Study.load(whole)["modes"].tolist()
    _run(home / "study.toml", FILE)

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 7, index])
        if rng.random() < 0.4:
            return _run(home / f"{index}.toml", damaged(rng, FILE))
        folder = home / str(index)
        shutil.copytree(whole, folder)
        name = files[rng.integers(len(files))]
        by_chance = _damage(rng, folder / name)

        def read() -> None:
            found = mc.Study.load(folder)
            found.to_pandas()
            str(found)

        def go_on() -> None:
            found = resumed(folder)
            assert not by_chance or found["modes"].tolist() == expected, "other numbers"

        told = judge(read) or judge(go_on)
        shutil.rmtree(folder)
        return None if told is None else f"{name}: {told}"

    return case


def _damage(rng: np.random.Generator, file: Path) -> bool:
    """Damage a file; whether it was damaged as chance does it, which has to be noticed, and not on purpose."""
    by_chance = bool(rng.random() < 0.5)
    if file.suffix == ".npz":
        file.write_bytes(damaged_archive(rng, file.read_bytes(), by_chance))
    else:
        text = damaged(rng, file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
    return by_chance


def _run(file: Path, text: str) -> str | None:
    """A study file from the command line, in this process and without an output folder."""
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    ended: list[Any] = []
    complained = io.StringIO()

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complained):
            ended.append(main(["study", str(file), "--workers", "1", "--json", "--quiet"]))

    found = judge(run)
    file.unlink()
    if found is None and (ended[0] not in ENDS or "Traceback" in complained.getvalue()):
        found = f"exit code {ended[0]}: {complained.getvalue()[-500:]}"
    return None if found is None else f"{found}\n{text}"
