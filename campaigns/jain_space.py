"""The pendulum of Jain 2012 and 2014 stepped in space: `os` against non-minimal coordinates at the published sizes.

    python campaigns/jain_space.py [--steps 200] [--figures docs/_static]

`campaigns/space/` is a pendulum of balls written for space and nothing else: 6-vectors, 6 x 6 articulated inertias and compliances,
hinges of five rows, four contacts with four friction directions each in every step (24 rows), forming every matrix and finding the
velocities counted, all in C++ (compiled here, with Lemke's method of the library). Steps of 1 ms; times are those of steps in which
a contact carries load. All formulations answer the same steps; how far apart their joint velocities are is printed.

1. Time of `nmc/os` over time of `os` with four solvers: the mixed problem pivoted whole, every entry of the tableau worked on
   (blind) or zeros passed over (pivoted); hinges eliminated by a dense Cholesky, and by a banded one. Beside them the published
   tables, 2014 and 2012, and a picture of both.
2. Where the time goes, for 26 bodies as in Table 1 of Jain 2014: assembling the problem and solving it, in all formulations.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "modecontrol" / "_core"
PUBLISHED = {
    3: (3.5, 3.8),
    6: (4.44, 4.8),
    12: (8.36, 6.5),
    15: (11.5, 13.7),
    24: (26.88, 19.7),
    30: (50.28, 44.5),
}
"""Table 2 of Jain 2014 and Table I of Jain 2012: time of non-minimal coordinates over time of operational space."""
DUAL_ARM = 26
"""Bodies and freedoms of the robot in Table 1 of Jain 2014, here a chain."""
SOLVERS = ("blind", "pivoted", "dense", "banded")


def compiled(folder):
    """The program, made in `folder`."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise SystemExit("no C++ compiler was found; install one, or set CXX")
    header = folder / "tolerances.hpp"
    subprocess.run(
        [sys.executable, CORE / "write_tolerances.py", CORE.parent / "tolerances.py", header], check=True
    )
    sources = [CORE / "lcp" / f"{name}.cpp" for name in ("lemke", "bases", "mixed", "tableau", "workspace")]
    program = folder / "pendulum"
    flags = ["-std=c++17", "-O3", "-ffp-contract=off", f"-I{CORE}", f"-I{folder}"]
    subprocess.run(
        [compiler, *flags, ROOT / "campaigns" / "space" / "pendulum.cpp", *sources, "-o", program], check=True
    )
    return program


def measure(program, links, steps):
    """`{formulation: (rows, assembling, solving, apart)}`, and the steps with a load out of those made."""
    out = subprocess.run([program, str(links), str(steps)], check=True, capture_output=True, text=True).stdout
    lines = [line.split(",") for line in out.splitlines()]
    found = {name: (int(rows), float(a), float(b), float(c)) for name, rows, a, b, c in lines}
    loaded, made = found.pop("steps")[:2]
    return found, loaded, int(made)


def draw(rows, path):
    """Ratios against the number of links, published and measured."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    links = list(rows)
    for column, (year, colour) in enumerate((("2014", "#222222"), ("2012", "#888888"))):
        values = [PUBLISHED[n][column] for n in links]
        ax.semilogy(links, values, "s-", color=colour, ms=4, lw=1.2, label=f"published {year}")
    words = (
        "pivoted whole, every entry",
        "pivoted whole, zeros passed over",
        "dense Cholesky",
        "banded Cholesky",
    )
    for k, (word, style) in enumerate(zip(words, ("o-", "o--", "^-", "^--"), strict=True)):
        colour = "#c2476d" if k < 2 else "#0b5394"
        ax.semilogy(links, [rows[n][k] for n in links], style, color=colour, ms=4, lw=1.2, label=word)
    ax.set(xlabel="links", ylabel="time of nmc/os / time of os", ylim=(1, 80))
    ax.set_xticks(links)
    ax.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    ax.minorticks_off()
    ax.grid(True, lw=0.3, color="#d0d4da")
    ax.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=200, help="steps with a load that are measured")
    parser.add_argument("--figures", type=Path, default=ROOT / "docs" / "_static")
    options = parser.parse_args()
    drawn = {}
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        print(
            f"1. in space, {options.steps} steps with a load: microseconds of CPU a step of os, and times of nmc/os over it"
        )
        print(
            "   links   rows os nmc/os     os |  blind pivoted  dense banded | published 2014   2012 | apart"
        )
        for links, (later, earlier) in PUBLISHED.items():
            found, _, _ = measure(program, links, options.steps)
            base = sum(found["os"][1:3])
            ratios = [sum(found[f"nmc/os {name}"][1:3]) / base for name in SOLVERS]
            drawn[links] = ratios
            apart = max(found[f"nmc/os {name}"][3] for name in SOLVERS)
            print(
                f"   {links:5d} {found['os'][0]:9d} {found['nmc/os blind'][0]:6d} {base:6.1f} | {ratios[0]:6.1f} {ratios[1]:7.1f}"
                f" {ratios[2]:6.1f} {ratios[3]:6.1f} | {later:14.1f} {earlier:6.1f} | {apart:.0e}",
                flush=True,
            )
        draw(drawn, options.figures / "jain_ratios.png")
        found, loaded, made = measure(program, DUAL_ARM, options.steps)
        print(
            f"2. a chain of {DUAL_ARM} bodies, {loaded} steps with a load of {made}: microseconds of CPU a step"
        )
        print("                    rows  assembling  solving    both | apart")
        for name in ("nmc", "nmc/os blind", "nmc/os banded", "mc", "rmc", "os"):
            rows, assembling, solving, apart = found[name]
            print(
                f"   {name:14s} {rows:6d} {assembling:11.1f} {solving:8.1f} {assembling + solving:7.1f} | {apart:.0e}"
            )


if __name__ == "__main__":
    main()
