"""The compiled core beside the last numba version, in one run: both answer in turn, and ratios are printed.

    git worktree add --detach build/numba 2708d74             the last version with numba kernels
    python -m venv build/numba/.venv
    build/numba/.venv/bin/pip install numba numpy scipy sympy matplotlib rich pycddlib-standalone cvxpy
    python benchmarks/core.py [--rounds 15] [--only WORD ...] [--old CHECKOUT] [--old-python INTERPRETER]

The environment variable MODECONTROL_NUMBA says where the checkout lies when it is not build/numba.

Two processes stay alive, one for each version, and do every job of `benchmarks/core_jobs.py` in turn, so that a busy machine
disturbs both alike. A first call of each job is not counted: numba compiles in it for minutes unless its cache is warm.
CPU microseconds: quickest round of each side; the ratio is old to new, from these. Above one: the core is quicker. Exit
status 1 when a goal is missed: no job slower than 1.05 times, the complete response of RHex at rest under 1 ms, the
controller over a flip under 0.12 ms, projections at least 5 times quicker than cdd's block elimination.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from core_jobs import JOBS

HERE = Path(__file__).resolve().parent
OLD = Path(os.environ.get("MODECONTROL_NUMBA", HERE.parent / "build" / "numba"))
PEER = "cdd block elimination"
SLOWEST = 1.05
UNDER = {"response of RHex at rest": 1e-3, "controller over a flip, median": 0.12e-3}
CDD_RATIO = 5.0


class Side:
    """A process that does jobs with one version."""

    def __init__(self, python, checkout):
        room = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
        command = [str(python), str(HERE / "core_jobs.py")]
        self.process = subprocess.Popen(
            command, env=room, cwd=checkout, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, job, argument=""):
        """The CPU seconds of one unit of a job."""
        self.process.stdin.write(f"{job}\t{argument}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the side at {self.process.args[0]} ended in {job!r}; its error stands above")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def compare(job, old, new, rounds):
    """Quickest seconds of both sides, asked in turn."""
    found = [[], []]
    for turn in range(rounds + 1):
        for times, side in zip(found, (old, new), strict=True):
            took = side.ask(job)
            if turn:  # the first is not counted
                times.append(took)
    return min(found[0]), min(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", type=Path, default=OLD, help="a checkout of the numba version")
    parser.add_argument("--old-python", type=Path, help="its interpreter; default OLD/.venv/bin/python")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="*", default=[], help="jobs whose name holds one of these words")
    asked = parser.parse_args()
    old, new = (
        Side(asked.old_python or asked.old / ".venv/bin/python", asked.old),
        Side(sys.executable, HERE.parent),
    )
    missed, seconds = [], {}
    print(f"{'CPU microseconds':<36}{'numba':>11}{'core':>11}{'ratio':>9}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        states = f"{folder}/states.npy"
        new.ask("save states", states)
        for side in (old, new):
            side.ask("use states", states)
        for job in JOBS:
            if asked.only and not any(word in job for word in asked.only):
                continue
            before, now = compare(job, old, new, asked.rounds)
            seconds[job] = now
            if job == PEER:
                print(f"{job:<36}{'':>11}{1e6 * now:>11.2f}", flush=True)
                continue
            slow = now > SLOWEST * before or now > UNDER.get(job, now)
            missed += [job] if slow else []
            print(
                f"{job:<36}{1e6 * before:>11.2f}{1e6 * now:>11.2f}{before / now:>9.2f}"
                + ("   MISSES THE GOAL" if slow else ""),
                flush=True,
            )
    for side in (old, new):
        side.close()
    for job in seconds if PEER in seconds else ():
        if job.startswith("projections"):
            ratio = seconds[PEER] / seconds[job]
            missed += [job] if ratio < CDD_RATIO else []
            print(f"cdd block elimination / {job}: {ratio:.2f}")
    print("every goal is met" if not missed else f"missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
