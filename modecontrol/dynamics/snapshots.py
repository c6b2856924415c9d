"""Many instants of one model at once: arrays with a first axis over the states, and each state as a
`Snapshot`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, overload

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.validation import counted


@dataclass(frozen=True, eq=False, repr=False)
class Snapshots(Sequence[Snapshot]):
    """`snapshots[i]` is the `Snapshot` at state `i`; made by `Model.snapshots`. All arrays are read-only.

    Parameters
    ----------
    stacked
        What depends on the state: arrays by the names of `Snapshot`, with a first axis over the states. They
        are attributes too: `snapshots.mass` (N, n, n), `snapshots.gap` (N, k) and so on.
    shared
        What does not: `actuation`, `friction`, `names` and others, also as attributes.
    """

    stacked: Mapping[str, np.ndarray]
    shared: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in ("stacked", "shared"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __len__(self) -> int:
        return len(self.stacked["q"])

    @overload
    def __getitem__(self, place: int) -> Snapshot: ...

    @overload
    def __getitem__(self, place: slice) -> Snapshots: ...

    def __getitem__(self, place: int | slice) -> Snapshot | Snapshots:
        picked = {name: array[place] for name, array in self.stacked.items()}
        return (
            Snapshots(picked, self.shared)
            if isinstance(place, slice)
            else Snapshot.trusted(**picked, **self.shared)
        )

    def __getattr__(self, name: str) -> Any:
        for fields in (self.__dict__.get("stacked", {}), self.__dict__.get("shared", {})):
            if name in fields:
                return fields[name]
        raise AttributeError(f"Snapshots has no attribute {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        """For process pools: read-only mappings cannot be pickled."""
        return {"stacked": dict(self.stacked), "shared": dict(self.shared)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: MappingProxyType(value) for name, value in state.items()})

    def __repr__(self) -> str:
        n, t = self.actuation.shape
        each = f"{counted(n, 'coordinate')}, {counted(t, 'input')}, {counted(len(self.friction), 'contact')}"
        return f"Snapshots({counted(len(self), 'state')}: {each})"
