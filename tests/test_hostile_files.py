"""Names of files that are none: pipes and devices have no end, links may go round, texts may be longer than any model."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import modecontrol as mc
from modecontrol import studies
from modecontrol.dynamics import model_file
from modecontrol.studies.study_file import read_study
from modecontrol.thrust import ThrustMap
from modecontrol.validation import LARGEST_TEXT

READERS = {
    "trajectory": mc.Trajectory.load,
    "map": ThrustMap.load,
    "model": model_file.read,
}


@pytest.fixture(params=["pipe", "device", "link to a device"])
def endless(request, tmp_path):
    """Something that can be opened and has no end."""
    path = tmp_path / "endless.npz"
    if request.param == "pipe":
        os.mkfifo(path)
        return path
    if request.param == "device":
        return Path("/dev/zero")
    path.symlink_to("/dev/zero")
    return path


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_what_has_no_end_is_not_read(endless, read):
    with pytest.raises(ValueError, match="is a device, a pipe or a socket; expected"):
        read(endless)


def test_studies_and_pages_do_not_wait_for_a_pipe(tmp_path, capsys):
    os.mkfifo(tmp_path / "manifest.json")
    os.mkfifo(tmp_path / "run.npz")
    with pytest.raises(ValueError, match="is a device, a pipe or a socket; expected a manifest"):
        mc.Study.load(tmp_path)
    with pytest.raises(ValueError, match="is a device, a pipe or a socket; expected a manifest"):
        mc.study("rod", studies.grid({"mu": [0.5]}), ["modes"], executor=1, out=tmp_path, resume=True)
    done = subprocess.run(
        [sys.executable, "-m", "modecontrol", "explore", str(tmp_path / "run.npz"), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "is a device, a pipe or a socket; expected a stored trajectory or flip" in done.stderr


@pytest.mark.parametrize("read", [model_file.read, read_study], ids=["model", "study"])
def test_texts_longer_than_any_model_are_not_read(tmp_path, read):
    file = tmp_path / "long.toml"
    with file.open("wb") as long:
        long.truncate(LARGEST_TEXT + 1)  # a hole: it takes no room
    with pytest.raises(ValueError, match=r"has 67,108,865 bytes; expected a .* of at most 67,108,864"):
        read(file)


def test_links_that_go_round_are_no_files(tmp_path):
    path = tmp_path / "round.npz"
    path.symlink_to(path)
    with pytest.raises(OSError, match=r"symbolic links|[Nn]o such"):
        mc.Trajectory.load(path)


@pytest.mark.parametrize("read", [model_file.read, read_study], ids=["model", "study"])
def test_texts_nested_too_deeply_say_so(tmp_path, read):
    file = tmp_path / "deep.toml"
    file.write_text("a = " + "[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError, match=r"nested too deeply; a .* was expected"):
        read(file)
