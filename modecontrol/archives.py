"""Files of arrays (npz) that come from anywhere: sizes are checked before memory is taken, and nothing in them is executed."""

from __future__ import annotations

import math
import os
import warnings
import zipfile
from pathlib import Path

import numpy as np

from modecontrol.validation import check_readable


def memory_of_machine() -> float:
    """Bytes of memory that this process may have: the machine's, or its own limit; infinite where nobody says."""
    try:
        whole = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        whole = math.inf
    try:
        import resource
    except ImportError:  # not on this system
        return whole
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS)]
    return min([whole, *(float(limit) for limit in limits if limit != resource.RLIM_INFINITY)])


def read_archive(path: Path, what: str, expected: str) -> dict[str, np.ndarray]:
    """All arrays of an npz file by name.

    Parameters
    ----------
    path
        The file.
    what, expected
        What it is no sound example of, and what should be there, for the message.

    Raises
    ------
    ValueError
        Whatever is wrong with it.
    """
    path.stat()  # a file that is not there is that, and no broken archive
    check_readable(path, expected)
    try:
        with warnings.catch_warnings(), zipfile.ZipFile(path) as archive:
            warnings.simplefilter("ignore")
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
            if sum(entry.file_size for entry in entries) > 0.25 * memory_of_machine():
                raise ValueError("its arrays would fill the memory of this machine")
            return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in entries}
    except IsADirectoryError:
        raise
    except Exception as error:  # a broken archive can make its readers raise anything
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise ValueError(
            f"{path} is no {what} (no sound npz archive: {words}); expected {expected}"
        ) from None


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(entry) as file:
        version = np.lib.format.read_magic(file)
        heads = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        if version not in heads:
            raise ValueError(f"{entry.filename} has a head of version {version}")
        shape, fortran, kind = heads[version](file)
        if kind.hasobject or kind.kind not in "iufbU":
            raise ValueError(f"{entry.filename} holds {kind}, not numbers")
        room = entry.file_size - file.tell()
        if math.prod(shape) * kind.itemsize != room:
            raise ValueError(f"{entry.filename} promises {shape} of {kind}, and has {room} bytes")
        data = file.read()
    return np.frombuffer(data, kind).reshape(shape, order="F" if fortran else "C").copy()
