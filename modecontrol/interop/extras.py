"""Optional packages: one clear line when one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str, extra: str) -> Iterator[None]:
    """Import an optional package inside this block.

    Parameters
    ----------
    package
        Name of the module that is imported.
    extra
        Extra of modecontrol that installs it.

    Raises
    ------
    ModuleNotFoundError
        The package is not installed; the message says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(
            f'{package} is not installed; install it with: pip install "modecontrol[{extra}]"', name=package
        ) from None
