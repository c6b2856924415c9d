"""A dask scheduler and two workers, each a process of its own on loopback; one worker is killed on the way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from study_functions import slow_sum

import modecontrol as mc
from modecontrol.cli import main

TESTS = Path(__file__).parents[1]
POINTS = {"mu": np.linspace(0.0, 1.0, 40), "phi": np.linspace(0.5, 1.0, 10)}


@pytest.fixture
def cluster(tmp_path):
    """Address of a scheduler, and its two worker processes."""
    from distributed import Client

    path = os.pathsep.join([str(TESTS), str(Path(mc.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s"}
    file = tmp_path / "scheduler.json"

    def begin(program, *words):
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{program}",
            "--scheduler-file",
            str(file),
            "--no-dashboard",
        ]
        command += words
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )

    running = [begin("scheduler", "--host", "127.0.0.1", "--port", "0")]
    try:
        for name in ("one", "two"):
            running.append(
                begin("worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--name", name)
            )
        end = time.monotonic() + 120
        while not file.exists():
            assert time.monotonic() < end, "the scheduler does not start"
            time.sleep(0.05)
        with Client(scheduler_file=str(file), timeout="60s") as client:
            client.wait_for_workers(2, timeout=120)
            yield client, running[1:]
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_killed_worker_loses_nothing(cluster, tmp_path):
    client, workers = cluster
    seen = []

    def progress(done, total):
        seen.append(done)
        if len(seen) == 4:
            workers[0].send_signal(signal.SIGKILL)

    found = mc.study(
        "rod",
        POINTS,
        [slow_sum],
        executor=client.get_executor(),
        chunk=10,
        out=tmp_path / "out",
        progress=progress,
    )
    assert workers[0].poll() is not None
    assert found.status == "complete"
    assert seen == list(range(0, 401, 10))
    mu, phi = np.meshgrid(POINTS["mu"], POINTS["phi"], indexing="ij")
    np.testing.assert_array_equal(found["slow_sum"], (mu + phi).ravel())
    here = mc.study("rod", POINTS, [slow_sum], executor=2, chunk=10, out=tmp_path / "here")
    assert {f.name: f.read_bytes() for f in (tmp_path / "out").iterdir()} == {
        f.name: f.read_bytes() for f in here.folder.iterdir()
    }


def test_a_function_that_workers_cannot_import_is_said(cluster, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("def own(point):\n    return 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here

    with pytest.raises(RuntimeError, match=r"none landed: .*No module named 'only_here'"):
        mc.study("rod", POINTS, [only_here.own], executor=cluster[0].get_executor(), chunk=10)


def test_the_command_line_finds_the_scheduler(cluster, tmp_path, capsys):
    client, _ = cluster
    file = tmp_path / "study.toml"
    file.write_text(
        'model = "rod"\nquantities = ["study_functions:slow_sum"]\n[vary]\nmu = {from = 0, to = 1, steps = 20}\n'
    )
    assert (
        main(["study", str(file), "--scheduler", client.scheduler.address, "--out", str(tmp_path / "out")])
        == 0
    )
    assert "20 points over mu: complete" in capsys.readouterr().out
    np.testing.assert_array_equal(mc.Study.load(tmp_path / "out")["slow_sum"], np.linspace(0, 1, 20))


def test_no_scheduler_is_said(tmp_path, capsys):
    file = tmp_path / "study.toml"
    file.write_text('model = "rod"\n[vary]\nmu = [0.5]\n')
    assert main(["study", str(file), "--scheduler", "tcp://127.0.0.1:9"]) == 2
    words = capsys.readouterr().err
    assert words.startswith(
        "modecontrol study: --scheduler tcp://127.0.0.1:9: no dask scheduler answers there"
    )
    assert words.count("\n") == 1
