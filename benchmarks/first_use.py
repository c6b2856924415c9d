"""What a new user waits for: building the core, importing the package, the first answer, the first command.

    python benchmarks/first_use.py [--repeat 5] [--build]

Every line is measured in processes of its own, the quickest of `--repeat`; `--build` compiles the core into a temporary
folder, without a cache of objects. CPU seconds, so that other work on the machine counts little; memory is the
peak of the process. The bounds are those that the project sets itself.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMPORT = "import time; s = time.process_time(); import modecontrol; print(time.process_time() - s)"
ANSWER = """
import time
s = time.process_time()
import modecontrol as mc
model = mc.load("two_link")
answer = mc.dynamic_response(model.snapshot(model.start))
assert len(answer) > 0
print(time.process_time() - s)
"""


def spent(command, **options):
    """CPU seconds of a process and all it starts, its peak memory (MB), and what it printed."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=said, cwd=ROOT, **options)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if child.returncode:
            raise SystemExit(f"{command[0]} ended with exit code {child.returncode}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.read()


def quickest(command, repeat, told=False):
    """Least CPU seconds of several processes, as `told` by themselves or as a whole, and the peak memory."""
    found = [spent(command) for _ in range(repeat)]
    return min(float(text) if told else cpu for cpu, _, text in found), max(memory for _, memory, _ in found)


def build():
    """CPU seconds that the core takes to compile from nothing."""
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    with tempfile.TemporaryDirectory() as folder:
        configure = ["cmake", "-S", str(ROOT), "-B", folder, f"-DPython_EXECUTABLE={sys.executable}"]
        first, *_ = spent([*configure, "-DCMAKE_BUILD_TYPE=Release"], env=environment)
        second, *_ = spent(["cmake", "--build", folder, "--parallel", "2"], env=environment)
        return first + second


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--build", action="store_true", help="compile the core, too")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{'':<58}{'CPU, s':>9}{'bound':>8}{'MB':>7}{'bound':>8}")

    def line(what, cpu, bound, memory=None, most=None):
        print(f"{what:<58}{cpu:>9.3f}{bound:>8g}", end="")
        print(f"{memory:>7.0f}{most:>8g}" if most else "", flush=True)

    if asked.build:
        line("the core, compiled from nothing", build(), 120)
    line("import modecontrol", quickest([sys.executable, "-c", IMPORT], asked.repeat, told=True)[0], 0.05)
    line(
        "import, load two_link, first dynamic_response",
        quickest([sys.executable, "-c", ANSWER], asked.repeat, told=True)[0],
        0.3,
    )
    command = [sys.executable, "-m", "modecontrol", "modes", "two_link"]
    cpu, memory = quickest(command, asked.repeat)
    line("modecontrol modes two_link, the whole process", cpu, 0.6, memory, 120)


if __name__ == "__main__":
    main()
