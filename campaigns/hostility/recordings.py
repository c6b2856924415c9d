"""Saved trajectories and maps of thrust: truncated, altered, with pickles, with bombs of zeros."""

from __future__ import annotations

import io
import json
import pickle
import tempfile
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.judging import judge
from hostility.values import any_value, stretched
from modecontrol.studies import map_thrust
from modecontrol.thrust import MappedThrust, ThrustMap


class Exploding:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("open('/tmp/hostile-was-here', 'w').close()",)


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-recordings-"))
    block = mc.load("block", slope=0.3, mu=0.2)
    run = mc.simulate(block, duration=0.02)
    whole = run.save(folder / "run.npz").read_bytes()
    rod = mc.load("rod")
    table = map_thrust(mc.MaximalThrust(rod, "phi"), {"phi": [0.7, 0.8]})
    table.save(folder / "map.npz")
    files = [whole, (folder / "map.npz").read_bytes()]
    opened = [_opened(file) for file in files]

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 4, index])
        path = folder / f"{index}.npz"
        kind = int(rng.random() < 0.2)
        path.write_bytes(_KINDS[rng.integers(len(_KINDS))](rng, files[kind], opened[kind]))

        def read() -> None:
            if kind:
                found = ThrustMap.load(path)
                found([0.75])
                MappedThrust(rod, found)(0.0, np.array(rod.start), np.zeros(3))
                return
            loaded = mc.Trajectory.load(path)
            for name in ("modes", "energy", "gap", "force", "impulse", "kinetic", "method", "acceleration"):
                getattr(loaded, name)
            loaded.to_csv(folder / f"{index}.csv")
            str(loaded)

        found = judge(read)
        path.unlink()
        (folder / f"{index}.csv").unlink(missing_ok=True)
        return found

    return case


def _opened(whole: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(whole)) as file:
        return {name: file[name] for name in file.files}


def _bits(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    data = bytearray(whole)
    for _ in range(int(rng.integers(1, 20))):
        data[rng.integers(len(data))] = int(rng.integers(256))
    return bytes(data)


def _cut(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    at = int(rng.integers(len(whole)))
    return whole[:at] if rng.random() < 0.7 else whole[at:]


def _written(arrays: dict[str, Any], pickled: bool = False) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, value in arrays.items():
            inside = io.BytesIO()
            if isinstance(value, bytes):
                inside.write(value)
            else:
                np.lib.format.write_array(inside, np.asarray(value), allow_pickle=pickled)
            file.writestr(f"{name}.npy", inside.getvalue())
    return made.getvalue()


def _altered(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    """An array of another shape, kind or content."""
    made = dict(arrays)
    for _ in range(int(rng.integers(1, 3))):
        name = list(made)[rng.integers(len(made))]
        value = made[name] if name != "header" else 0.0
        for _ in range(20):
            new = _as_array(stretched(rng, value)) if rng.random() < 0.7 else _as_array(any_value(rng))
            if new is not None and new.dtype.kind in "iufcbUS" and new.size < 10_000:
                made[name] = new
                break
        if rng.random() < 0.2:
            del made[name]
    return _written(made)


def _as_array(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value)
    except Exception:
        return None


def _header(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    """A header with other words in it."""
    header = json.loads(str(arrays["header"]))
    values = (None, [], {}, "x", -1, 1e308, True, "../../etc", [[[]]], "x" * 5000, {"a": {}}, 10**400)
    for _ in range(int(rng.integers(1, 3))):
        key = list(header)[rng.integers(len(header))]
        inside = header[key]
        if isinstance(inside, dict) and inside and rng.random() < 0.6:
            inside[list(inside)[rng.integers(len(inside))]] = deepcopy(values[rng.integers(len(values))])
        elif rng.random() < 0.3 and len(header) > 2:
            del header[key]
        else:
            header[key] = deepcopy(values[rng.integers(len(values))])
    text = json.dumps(header)
    if rng.random() < 0.2:
        text = text[: int(rng.integers(len(text)))]
    if rng.random() < 0.1:
        text = "[" * 100_000
    return _written({**arrays, "header": np.array(text)})


def _pickled(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    name = list(arrays)[rng.integers(len(arrays))]
    if rng.random() < 0.5:
        return _written({**arrays, name: pickle.dumps(Exploding())})
    return _written({**arrays, name: np.array([Exploding()], dtype=object)}, pickled=True)


def _bomb(rng: np.random.Generator, whole: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    """A head that promises far more numbers than there are."""
    name = list(arrays)[rng.integers(len(arrays))]
    inside = io.BytesIO()
    shape = (int(10 ** rng.integers(3, 14)), int(rng.integers(1, 9)))
    np.lib.format.write_array_header_1_0(inside, {"descr": "<f8", "fortran_order": False, "shape": shape})
    inside.write(bytes(int(rng.integers(0, 5_000_000))))
    return _written({**arrays, name: inside.getvalue()})


_KINDS = (_bits, _bits, _cut, _altered, _altered, _altered, _header, _header, _pickled, _bomb)


def damaged_archive(rng: np.random.Generator, whole: bytes, by_chance: bool) -> bytes:
    """An npz file damaged by chance (bits, its end), or altered on purpose with checksums that fit."""
    arrays = _opened(whole)
    kinds = (_bits, _cut) if by_chance else (_altered, _pickled, _bomb)
    return kinds[rng.integers(len(kinds))](rng, whole, arrays)
