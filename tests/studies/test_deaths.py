"""Processes that die: workers, and the study itself."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from study_functions import kills_always, kills_once, slow_sum

import modecontrol as mc

TESTS = Path(__file__).parents[1]
MU = np.linspace(0.0, 1.0, 200)
RUN = """
import sys
import numpy as np
import modecontrol as mc
from study_functions import noisy, slow_sum

if __name__ == "__main__":
    mc.study("rod", {"mu": np.linspace(0, 1, 200)}, [slow_sum, noisy], executor=2, chunk=5, seed=1, out=sys.argv[1])
"""


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def start(out, script):
    path = os.pathsep.join([str(TESTS), str(Path(mc.__file__).parents[1])])
    return subprocess.Popen(
        [sys.executable, str(script), str(out)],
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    )


def alive_in_session(leader):
    """Processes of a session that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[3]) == leader and words[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_for(condition, what, run=None, patience=100.0):
    """Wait until a condition holds, as long as the process `run` lives."""
    end = time.monotonic() + patience
    while not condition():
        assert run is None or run.poll() is None, f"the study ended before {what}"
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


def test_killed_three_times_and_resumed_gives_the_same_bytes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(RUN)
    assert start(tmp_path / "whole", script).wait(timeout=300) == 0
    out = tmp_path / "killed"
    for goal in (4, 15, 29):
        run = start(out, script)
        wait_for(lambda goal=goal: len(list(out.glob("chunk-*.npz"))) >= goal, f"{goal} chunks", run)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        assert len(list(out.glob("chunk-*.npz"))) < 40
        wait_for(lambda run=run: not alive_in_session(run.pid), "orphans to end")
    assert start(out, script).wait(timeout=300) == 0
    assert contents(out) == contents(tmp_path / "whole")


def test_a_worker_that_dies_costs_its_chunk_only(tmp_path, monkeypatch):
    monkeypatch.setenv("MODECONTROL_TEST_FLAG", str(tmp_path / "flag"))
    seen = []
    found = mc.study(
        "rod", {"mu": MU[:40]}, [kills_once], executor=2, chunk=4, progress=lambda done, of: seen.append(done)
    )
    assert (tmp_path / "flag").exists()
    assert found.status == "complete"
    np.testing.assert_array_equal(found["kills_once"], MU[:40])
    assert seen == list(range(0, 41, 4))  # each chunk landed once


def test_a_chunk_that_always_kills_is_given_up_and_said(tmp_path):
    found = mc.study("rod", {"mu": MU[:40]}, [kills_always], executor=2, chunk=4, out=tmp_path)
    assert (found.status, found.reason) == (
        "incomplete",
        "4 of 40 points are missing: its worker process died (SIGKILL)",
    )
    lost = np.arange(40) // 4 == 1
    np.testing.assert_array_equal(found["kills_always"][~lost], MU[:40][~lost])
    assert set(found["reason"][lost]) == {"its worker process died (SIGKILL)"}
    assert not (tmp_path / "chunk-000001.npz").exists()  # the next run tries it again


def test_an_idle_worker_that_dies_is_replaced():
    from modecontrol.studies.workers import Workers

    crew = Workers(1)
    crew.submit("first", os.getpid)
    [(_, pid, error)] = crew.wait()
    assert error is None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not any(process.is_alive() for process in crew._processes.values()), "the worker to die")
    crew.submit("second", os.getpid)
    [(key, other, error)] = crew.wait()
    crew.close()
    assert (key, error) == ("second", None)
    assert other != pid


def test_a_broken_foreign_executor_is_said():
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1) as pool, pytest.raises(RuntimeError, match="a process of the executor died"):
        mc.study("rod", {"mu": MU[:40]}, [kills_always], executor=pool, chunk=4)


def test_when_nothing_ever_lands_the_study_stops():
    from concurrent.futures import ThreadPoolExecutor

    class Lost(ThreadPoolExecutor):
        def submit(self, function, *arguments):
            return super().submit(lambda: 1 / 0)

    with Lost(1) as pool, pytest.raises(RuntimeError, match="none landed: division by zero"):
        mc.study("rod", {"mu": MU}, [slow_sum], executor=pool, chunk=1)


def test_ctrl_c_keeps_what_has_landed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(RUN)
    out = tmp_path / "out"
    run = start(out, script)
    wait_for(lambda: len(list(out.glob("chunk-*.npz"))) >= 4, "4 chunks", run)
    os.kill(run.pid, signal.SIGINT)
    assert run.wait(timeout=60) != 0
    assert not alive_in_session(run.pid)
    assert mc.Study.load(out).status == "incomplete"
