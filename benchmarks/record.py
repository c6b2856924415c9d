"""Run a benchmark or a campaign and keep what it printed, for the pages that show it.

    python benchmarks/record.py benchmarks/thrust.py --flips 1
    python benchmarks/record.py campaigns/modes.py --systems 1500

writes `docs/recorded/benchmarks-thrust.txt` and so on: a head with the command, the version, the date and a
digest of the script, then the output as it came. Pages show such a file by a line `<!-- recorded:
benchmarks-thrust -->`; nobody types a figure. `tests/test_recorded.py` fails when a script has changed since
its output was recorded. `--check` lists what is stale. A second run of the same script is kept beside the first under a
name of its own: `--as seed13` writes `docs/recorded/campaigns-polytopes-seed13.txt`. A run that needs more than
the script, such as a sanitizer, says by what it is repeated: `--by "make core-hostile"`.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "docs" / "recorded"
HEAD = re.compile(
    r"^# script: (?P<script>\S+)\n# digest: (?P<digest>\w+)\n# command: (?P<command>.*)\n# version: (?P<version>.*)\n"
    r"# date: (?P<date>.*)\n# machine: (?P<machine>.*)\n\n",
    re.MULTILINE,
)


def digest(script: Path) -> str:
    """What the script says, in sixteen letters."""
    return hashlib.sha256(script.read_bytes()).hexdigest()[:16]


def target(script: Path, run: str = "") -> Path:
    """Where the output of a script is kept; `run` tells its runs apart."""
    inside = script.resolve().relative_to(ROOT)
    return RECORDED / f"{'-'.join([*inside.with_suffix('').parts, *([run] if run else [])])}.txt"


def read(file: Path) -> tuple[dict[str, str], str]:
    """Head and output of a recorded file."""
    text = file.read_text(encoding="utf-8")
    head = HEAD.match(text)
    if head is None:
        raise ValueError(f"{file.name} has no head; record it again with benchmarks/record.py")
    return head.groupdict(), text[head.end() :]


def stale() -> list[str]:
    """Recorded files whose script has changed or gone since."""
    found = []
    for file in sorted(RECORDED.glob("*.txt")):
        head, _ = read(file)
        script = ROOT / head["script"]
        if not script.is_file() or digest(script) != head["digest"]:
            found.append(file.name)
    return found


def record(script: Path, arguments: list[str], run: str = "", by: str = "") -> int:
    """Run a script, show its output as it comes, and keep it when the script ends well."""
    from modecontrol import __version__

    command = by or " ".join(["python", str(script.resolve().relative_to(ROOT)), *arguments])
    lines = []
    with subprocess.Popen(
        [sys.executable, "-u", str(script), *arguments], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip())
    if process.returncode != 0:
        sys.stderr.write(f"{command} ended with exit code {process.returncode}; nothing was recorded\n")
        return process.returncode
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    head = [
        f"# script: {script.resolve().relative_to(ROOT)}",
        f"# digest: {digest(script)}",
        f"# command: {command}",
        f"# version: {__version__}",
        f"# date: {datetime.now(UTC):%Y-%m-%d}",
        f"# machine: {machine}",
        "",
    ]
    RECORDED.mkdir(parents=True, exist_ok=True)
    target(script, run).write_text("\n".join([*head, *lines]).rstrip() + "\n", encoding="utf-8")
    return 0


def main() -> int:
    """Record one script, or list what is stale."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="list recorded files whose script has changed")
    parser.add_argument(
        "--as", dest="run", default="", help="keep the output beside other runs of the script"
    )
    parser.add_argument("--by", default="", help="the command that repeats it, where the script needs more")
    parser.add_argument("script", nargs="?", type=Path, help="a script below benchmarks/ or campaigns/")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script is called with")
    args = parser.parse_args()
    if args.check or args.script is None:
        print("\n".join(stale()) or "every recorded output is that of the present script")
        return 0
    return record(args.script, args.arguments, args.run, args.by)


if __name__ == "__main__":
    sys.exit(main())
