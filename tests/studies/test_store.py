import errno
import json
import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from study_functions import several, slow_sum, touchy

import modecontrol as mc
from modecontrol.studies import Study, sobol
from modecontrol.studies import store as stored

GRID = {"mu": [0.25, 0.5, 0.75], "phi": [0.3, 0.8]}
ASKED = {"quantities": [touchy, several], "executor": 1, "chunk": 2}


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def whole(tmp_path):
    mc.study("rod", GRID, **ASKED, out=tmp_path / "whole")
    return tmp_path / "whole"


def test_files_are_plain_numpy(whole):
    names = ["chunk-000000.npz", "chunk-000001.npz", "chunk-000002.npz", "manifest.json"]
    assert sorted(file.name for file in whole.iterdir()) == names
    with np.load(whole / "chunk-000002.npz") as data:
        np.testing.assert_array_equal(data["mu"], [0.75, 0.75])
        np.testing.assert_array_equal(data["touchy"], [4.0, 4.0])
        assert data["name.words"][data["name"]].tolist() == ["rod 0", "rod 1"]
        assert json.loads(str(data["header"]))["chunk"] == 2


def test_the_same_study_gives_the_same_bytes(whole, tmp_path):
    mc.study("rod", GRID, **{**ASKED, "executor": 3}, out=tmp_path / "other")
    assert contents(tmp_path / "other") == contents(whole)


@pytest.mark.parametrize(
    "lost",
    [
        ["chunk-000001.npz"],
        ["chunk-000000.npz", "chunk-000002.npz"],
        ["manifest.json", "chunk-000000.npz", "chunk-000001.npz", "chunk-000002.npz"],
    ],
)
def test_what_is_missing_is_made_again_and_nothing_else(whole, lost):
    before = contents(whole)
    kept = {file.name: file.stat().st_mtime_ns for file in whole.iterdir() if file.name not in lost}
    for name in lost:
        (whole / name).unlink()
    found = mc.study("rod", GRID, **ASKED, out=whole)
    assert found.status == "complete"
    assert contents(whole) == before
    assert {name: (whole / name).stat().st_mtime_ns for name in kept} == kept


def test_the_chunk_size_of_a_folder_is_kept(whole):
    before = contents(whole)
    (whole / "chunk-000001.npz").unlink()
    mc.study("rod", GRID, **{**ASKED, "chunk": None}, out=whole)
    assert contents(whole) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-20],
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: b"",
        lambda data: b"nothing like a chunk",
    ],
    ids=["cut", "bit", "empty", "strange"],
)
def test_a_damaged_chunk_is_made_again(whole, damage):
    before = contents(whole)
    file = whole / "chunk-000001.npz"
    file.write_bytes(damage(file.read_bytes()))
    mc.study("rod", GRID, **ASKED, out=whole)
    assert contents(whole) == before


def test_a_chunk_in_the_wrong_place_is_made_again(whole):
    before = contents(whole)
    (whole / "chunk-000001.npz").write_bytes((whole / "chunk-000002.npz").read_bytes())
    mc.study("rod", GRID, **ASKED, out=whole)
    assert contents(whole) == before


def test_what_a_killed_run_left_is_cleared_away(whole):
    before = contents(whole)
    (whole / "chunk-000001.npz").rename(whole / "chunk-000001.npz.123.part")
    mc.study("rod", GRID, **ASKED, out=whole)
    assert contents(whole) == before


# Folders of others ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": {**GRID, "mu": [0.2, 0.5, 0.75]}}, "design.axes 1 1 is 0.2, there it is 0.25"),
        ({"points": sobol({"mu": (0, 1)}, 6)}, 'design.kind is "sobol", there it is "grid"'),
        ({"quantities": [touchy]}, "quantities is"),
        (
            {"quantities": [touchy, {"name": slow_sum}]},
            'quantities 2.name is "slow_sum", there it is "several"',
        ),
        ({"model": mc.load("rod", l=0.9)}, "model.parameters.l is 0.9"),
        ({"model": "block"}, 'model.name is "block", there it is "rod"'),
        ({"seed": 1}, "seed is 1, there it is 0"),
        ({"chunk": 3}, "chunk is 3, there it is 2"),
        ({"task": ["tip.normal >= 1"]}, 'options.task is ["tip.normal >= 1"], there it is missing'),
        ({"q": [0, 1, 1]}, "state.q is [0, 1, 1], there it is missing"),
    ],
    ids=lambda value: None,
)
def test_a_folder_of_another_study_is_refused_and_left_alone(whole, change, message):
    before = contents(whole)
    points = {"mu": [0.5]} if "model" in change and change["model"] == "block" else GRID
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        mc.study(**{"model": "rod", "points": points, **ASKED, "out": whole, **change})
    assert f"out={str(whole)!r} holds another study: " in str(raised.value)
    assert message in str(raised.value)
    assert contents(whole) == before


def test_a_function_that_has_changed_is_another_study(tmp_path):
    def version(body):
        space = {}
        exec(compile(f"def own(point):\n    return {body}\n", f"<{body}>", "exec"), space)
        return space["own"]

    mc.study("rod", {"mu": [0.5]}, [version("1.0")], executor=1, out=tmp_path)
    mc.study("rod", {"mu": [0.5]}, [version("1.0")], executor=1, out=tmp_path)
    with pytest.raises(ValueError, match="holds another study: quantities"):
        mc.study("rod", {"mu": [0.5]}, [version("abs(1.0)")], executor=1, out=tmp_path)


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("\\end")
    with pytest.raises(
        ValueError, match=r"is not empty and holds no study \(thesis.tex\); nothing was written"
    ):
        mc.study("rod", GRID, **ASKED, out=tmp_path)
    assert contents(tmp_path) == {"thesis.tex": b"\\end"}


def test_a_file_where_a_folder_belongs_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ValueError, match="cannot be made"):
        mc.study("rod", GRID, **ASKED, out=tmp_path / "file")


def test_a_strange_manifest_is_refused(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "app"}')
    with pytest.raises(ValueError, match="is no manifest of a study"):
        mc.study("rod", GRID, **ASKED, out=tmp_path)


def test_without_resume_nothing_is_continued(whole):
    with pytest.raises(ValueError, match="already holds 3 chunks of this study; resume=True"):
        mc.study("rod", GRID, **ASKED, out=whole, resume=False)


def test_a_folder_that_is_half_full_opens(whole):
    (whole / "chunk-000001.npz").unlink()
    found = Study.load(whole)
    assert (bool(found), found.status) == (False, "incomplete")
    assert found.reason == "2 of 6 points are missing; run the study again to go on"
    assert np.flatnonzero(found["reason"] == "not computed yet").tolist() == [2, 3]
    np.testing.assert_array_equal(found["mu"], np.repeat(GRID["mu"], 2))


def test_no_study_in_a_folder_is_said(tmp_path):
    with pytest.raises(ValueError, match="holds no study"):
        Study.load(tmp_path)


# A full disk ------------------------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_what_was_written_stays_good(tmp_path, monkeypatch):
    mc.study("rod", GRID, **ASKED, out=tmp_path / "whole")
    real, written = os.fsync, []

    def fsync(number):
        if len(written) == 2:  # the manifest, one chunk
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(number)
        real(number)

    monkeypatch.setattr(stored.os, "fsync", fsync)
    message = r"^the disk is full: chunk-000001.npz was not written to .*; the chunks written before are good"
    with pytest.raises(OSError, match=message):
        mc.study("rod", GRID, **ASKED, out=tmp_path / "out")
    monkeypatch.undo()
    assert sorted(contents(tmp_path / "out")) == ["chunk-000000.npz", "manifest.json"]
    mc.study("rod", GRID, **ASKED, out=tmp_path / "out")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_real_limit_of_the_system_is_met(tmp_path):
    script = textwrap.dedent("""
        import resource, signal, sys
        import numpy as np
        import modecontrol as mc
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
        try:
            mu = np.random.default_rng(1).uniform(0, 1, 9000)
            mc.study("rod", {"mu": mu}, [len], executor=1, chunk=3000, out=sys.argv[1])
        except OSError as error:
            print(error)
    """)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")], capture_output=True, text=True, timeout=300
    )
    assert done.stderr == ""
    assert done.stdout.startswith("the disk is full: ")
    assert not list((tmp_path / "out").glob("*.part"))
