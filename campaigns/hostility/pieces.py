"""A long run in pieces: which cases of each kind are done, what failed, how long and how much they took, kept in a file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Piece:
    """Cases 0 to `done` of a kind."""

    done: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    longest: float = 0.0
    most: float = 0.0
    spent: float = 0.0

    def add(self, index: int, wrong: str | None, seconds: float, megabytes: float) -> None:
        """Count one case more; the longest time and the most memory are those of good ends."""
        self.spent += seconds
        if wrong is not None:
            self.failed.append((index, wrong))
        else:
            self.longest, self.most = max(self.longest, seconds), max(self.most, megabytes)


class Pieces:
    """What earlier runs with the same seed did; without a file nothing.

    Parameters
    ----------
    seed
        Of the cases.
    file
        Where it is kept; None keeps nothing.
    """

    def __init__(self, seed: int, file: Path | None = None):
        self.seed, self.file, self.runs = seed, file, 1
        self.kinds: dict[str, Piece] = {}
        if file is not None and file.exists():
            before = json.loads(file.read_text(encoding="utf-8"))
            if before["seed"] != seed:
                raise SystemExit(f"{file} holds cases of seed {before['seed']}; expected seed {seed}")
            self.runs = before["runs"] + 1
            self.kinds = {kind: Piece(**piece) for kind, piece in before["kinds"].items()}

    def of(self, kind: str) -> Piece:
        """The cases of a kind."""
        return self.kinds.setdefault(kind, Piece())

    def keep(self) -> None:
        """Write the file."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        kinds = {kind: asdict(piece) for kind, piece in self.kinds.items()}
        text = json.dumps({"seed": self.seed, "runs": self.runs, "kinds": kinds})
        self.file.write_text(text, encoding="utf-8")
