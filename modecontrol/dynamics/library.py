"""The models that ship, and `load`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from modecontrol.dynamics.model_file import read
from modecontrol.errors import ModelFileError
from modecontrol.validation import as_path, meant

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model


def folder() -> Path:
    """The folder with the models: inside an installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"


def models() -> list[str]:
    """Names of the models that ship, sorted."""
    return sorted(file.parent.name for file in folder().glob("*/model.toml"))


def locate(name_or_path: str | Path) -> Path:
    """The file of a model.

    Parameters
    ----------
    name_or_path
        One of `models()`, or a path to a `model.toml` or to a folder that holds one.

    Raises
    ------
    ModelFileError
        If there is neither such a model nor such a file.

    """
    names = models()
    if str(name_or_path) in names:
        return folder() / str(name_or_path) / "model.toml"
    path = as_path(name_or_path, "the model")
    if path.is_dir() and (path / "model.toml").is_file():
        return path / "model.toml"
    if path.is_file():
        return path
    raise ModelFileError(
        f"no model '{name_or_path}'{meant(str(name_or_path), names)}; expected a path to a "
        f"model.toml or one of {', '.join(names)}"
    )


def load(name_or_path: str | Path, /, **parameters: float | str) -> Model:
    """A model by name, or from a file.

    Parameters
    ----------
    name_or_path
        One of `models()`, or a path to a `model.toml` or to a folder that holds one.
    **parameters
        Values that replace the model's defaults, such as `n=30` or `mu=0.4`.

    Raises
    ------
    ModelFileError
        If there is no such model, the file is not right, or a parameter is unknown.

    Examples
    --------
    >>> load("pendulum", n=2).coordinates
    ('q1', 'q2')

    """
    from modecontrol.dynamics.model import Model  # numpy and the kernels only when a model is made

    file = locate(name_or_path)
    return Model(read(file, **parameters), reload=partial(load, file, **parameters))
