"""Tallies of a campaign that add up over runs with other seeds, kept in a file between them."""

import json
from collections import Counter
from pathlib import Path


class Tallies:
    """Counts by kind, what was wrong, the seeds and the CPU time; with a file, together with those of earlier runs.

    Parameters
    ----------
    kinds
        Names of the rows.
    seed
        Of this run.
    file
        Where earlier runs are kept; None for this run alone.
    """

    def __init__(self, kinds, seed, file=None):
        self.file = None if file is None else Path(file)
        self.counts = {kind: Counter() for kind in kinds}
        self.wrong, self.seeds, self.spent = [], [seed], 0.0
        if self.file is not None and self.file.exists():
            before = json.loads(self.file.read_text(encoding="utf-8"))
            if seed in before["seeds"]:
                raise SystemExit(f"seed {seed} is already in {file}; choose another")
            for kind, counts in before["counts"].items():
                self.counts.setdefault(kind, Counter()).update(counts)
            self.wrong += before["wrong"]
            self.seeds = [*before["seeds"], seed]
            self.spent = before["spent"]

    def show(self, columns, checks, spent):
        """Print the table and the sum; returns the exit code."""
        self.spent += spent
        if self.file is not None:
            kept = {"counts": self.counts, "wrong": self.wrong, "seeds": self.seeds, "spent": self.spent}
            self.file.write_text(json.dumps(kept, default=str), encoding="utf-8")
        total = sum(self.counts.values(), Counter())
        width = max(10, *(len(column) + 2 for column in columns))
        print(f"{'kind':18}" + "".join(f"{column:>{width}}" for column in columns))
        for kind, tally in (*self.counts.items(), ("all", total)):
            print(f"{kind:18}" + "".join(f"{tally[column]:>{width}.0f}" for column in columns))
        seeds = ", ".join(map(str, self.seeds))
        count = sum(total[check] for check in checks)
        print(f"{count} comparisons, {len(self.wrong)} wrong, seeds {seeds}, {self.spent:.0f} s of CPU time")
        for case in self.wrong[:20]:
            print("WRONG", *case)
        return 1 if self.wrong else 0
