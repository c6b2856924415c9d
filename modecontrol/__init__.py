"""Contact-mode analysis and control design for planar mechanisms with friction.

The names below stand in the order of the data flow. Each is imported when it is first used, so that
`import modecontrol` costs nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

_WHERE = {
    # 3 polytopes
    "Polytope": "polytopes",
    "Region": "polytopes",
}

__all__ = ["__version__", *_WHERE]  # noqa: PLE0604


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'modecontrol' has no attribute {name!r}")
    value = getattr(import_module(f"modecontrol.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
