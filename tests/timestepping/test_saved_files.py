"""Saved trajectories that were altered: a sentence, no code run, no memory taken."""

import io
import pickle
import zipfile

import numpy as np
import pytest

import modecontrol as mc


class Exploding:
    def __reduce__(self):
        return exec, ("raise SystemExit('code was run')",)


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    path = mc.simulate(mc.load("block", slope=0.3, mu=0.2), duration=0.005).save(
        tmp_path_factory.mktemp("run") / "run"
    )
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def written(path, arrays, **changes):
    """An archive with some arrays, or bytes in their place."""
    with zipfile.ZipFile(path, "w") as file:
        for name, value in {**arrays, **changes}.items():
            inside = io.BytesIO()
            if isinstance(value, bytes):
                inside.write(value)
            elif value is not None:
                np.lib.format.write_array(inside, np.asarray(value), allow_pickle=True)
            if value is not None:
                file.writestr(f"{name}.npy", inside.getvalue())
    return path


def promising(shape):
    """A head without the numbers that it promises."""
    inside = io.BytesIO()
    np.lib.format.write_array_header_1_0(inside, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return inside.getvalue()


def test_an_unaltered_one_is_read(tmp_path, arrays):
    assert len(mc.Trajectory.load(written(tmp_path / "a.npz", arrays))) == 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"q": pickle.dumps(Exploding())}, "no sound npz archive"),
        ({"q": np.array([Exploding()], dtype=object)}, "not numbers"),
        ({"q": promising((10**13, 3))}, "promises"),
        ({"q": np.zeros((3, 3))}, r"q is float64 of shape \(3, 3\); expected numbers of shape \(6, 3\)"),
        ({"q": np.zeros((6, 3), complex)}, "not numbers"),
        ({"letters": np.zeros((5, 2), np.uint8)}, "letters are not S, L, R, F"),
        ({"method_code": np.full(5, 200, np.uint8)}, "method_code names no method"),
        ({"impulse_contact": np.full(10, 7)}, "impulse_contact"),
        ({"impulse_start": np.array([0, 9, 2, 3, 4, 10])}, "impulse_start"),
        ({"time": np.zeros(6)}, "time does not grow"),
        ({"torque": None}, "torque is missing"),
        ({"header": None}, "no header"),
        ({"header": np.array("[" * 100_000)}, "header"),
        ({"header": np.array('{"format": 2}')}, "header without model"),
        ({"header": np.array('{"format": [2]}')}, r"format \[2\]"),
    ],
)
def test_altered_ones_are_refused(tmp_path, arrays, changes, message):
    with pytest.raises(ValueError, match=message):
        mc.Trajectory.load(written(tmp_path / "a.npz", arrays, **changes))


def test_every_truncation_is_refused(tmp_path, arrays):
    whole = written(tmp_path / "a.npz", arrays).read_bytes()
    for at in range(0, len(whole), 97):
        (tmp_path / "b.npz").write_bytes(whole[:at])
        with pytest.raises(ValueError, match="no saved trajectory"):
            mc.Trajectory.load(tmp_path / "b.npz")
