"""One-sided sensitivities at ties made on purpose, against differences on each side alone.

    python campaigns/ties.py --ties 1000 --workers 2 --seed 1 --keep results/ties.jsonl

How ties are made, one way after the other:

    crossing    along a name the mode or the active constraints change; where the tangents of both sides meet
    rows        one to three rows (of the task, or limits of inputs, some equal to limits that hold) placed
                exactly through the best inputs, so that several constraints meet there
    mirrored    the same in mechanisms and with objectives that are alike on both sides, so that two contacts
                or two motors compete
    bent        velocities of motors at rest, where the limits of their torques bend
    ending      the value of a name at which the list of possible modes changes

What `best.gradient` gives there, `above` and `below`, is compared with a difference of best values on its own side:
five points, extrapolated to the tie, which takes no part, with steps so small that mode and active constraints are
those beside the tie; two steps say how good the difference is. What it cannot judge to a tenth of the limit is counted
apart, and so are jumps, which `gradient` has to name, and what it leaves unsettled otherwise, with what it says. Points
at which both sides have the same derivative are no ties; they are compared, too. Exit status 1 when any derivative is
off by more than `LIMIT`.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import sensitivities
from sensitivities import LIMIT, Blocks, Line, draw, one_sided, report, tie_between

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest

JUMP = 1e-4
"""A value that changes by more than this (relative) at once jumps."""
KINK = 1e-5
"""Two sides whose derivatives differ by more than this (relative) make a tie."""


def placed(rng, line):
    """Rows that hold with equality at the best inputs, in the line's own question."""
    best = line.best(line.middle)
    if not best:
        return None
    model, task, physical = line.model, [], []
    names = list(model.coordinates) + [f"{name}.normal" for name in model.contacts] + list(model.inputs) * 2
    values = dict(zip(model.coordinates, best.acceleration, strict=True))
    values |= {f"{name}.normal": best.force[2 * i] for i, name in enumerate(model.contacts)}
    values |= dict(zip(model.inputs, best.torque, strict=True))
    for name in rng.choice(names, size=rng.integers(1, 4), replace=False):
        row = f"{name} {rng.choice(['>=', '<='])} {float(values[str(name)])!r}"
        (physical if name in model.inputs else task).append(row)
    options = dict(line.options)
    options["task"] = [*([options["task"]] if "task" in options else []), *task]
    options["physical"] = physical
    return Line(model, line.q, line.name, line.goal, options, line.place, line.margin)


def crossing(rng):
    """Where tangents of two neighbouring kinds of optimum meet."""
    line = draw(rng)[1]
    found = tie_between(line)
    return None if found is None else (line, found)


def rows(rng):
    """Rows through the best inputs."""
    line = placed(rng, draw(rng)[1])
    return None if line is None else (line, line.middle)


def mirrored(rng):
    """Alike on both sides: feet of a biped, of a table, of a box, and rows through the best inputs of every second."""
    kind = rng.integers(3)
    if kind == 0:
        model = mc.load("biped")
        both = {part: rng.normal() for part in ("hip", "knee", "ankle")}
        goal = " + ".join(
            [f"{rng.normal():.3f}*y"]
            + [f"{w:.3f}*{side}_{part}" for part, w in both.items() for side in ("left", "right")]
        )
        options = {"torque_limits": [(-60, 60)] * len(model.inputs)}
    elif kind == 1:
        model = mc.load("table", mu=rng.uniform(0.1, 1))
        goal = str(rng.choice([*model.coordinates, f"-1*{model.coordinates[0]}"]))
        options = {"torque_limits": [(-200, 200)] * len(model.inputs)}
    else:
        model = mc.load("block", slope=0.0, mu=rng.uniform(0.05, 1))
        goal = str(rng.choice([*model.coordinates, f"-1*{model.coordinates[1]}"]))
        options = {"torque_limits": [(-40, 40)] * len(model.inputs)}
    name = str(rng.choice(list(model.parameters)))
    margin = float(rng.choice([0.0, 1e-3, 0.3]))
    line = Line(model, np.array(model.start), name, goal, options, sensitivities.at_start, margin)
    if rng.random() < 0.5:
        line = placed(rng, line)
    return None if line is None else (line, line.middle)


def bent(rng):
    """A motor at rest, in RHex."""
    line = sensitivities.rhex(rng)
    model, q, _, goal, options, _ = line
    options["velocity_tolerance"] = 10.0  # contacts stay at rest, whatever the motor does
    name = f"{rng.choice(['phi1', 'phi2', 'phi3'])}_d"
    line = Line(model, q, name, goal, options, at_rest, float(rng.choice([0.0, 1e-3, 0.3])))
    if rng.random() < 0.5:
        line = placed(rng, line)
    return None if line is None else (line, 0.0)


def ending(rng):
    """Where a mode begins or ends, by bisection."""
    line = draw(rng)[1]

    def modes(x):
        best = line.best(x)
        return None if best._response is None else tuple(best._response.modes)

    a, c = line.middle - 0.1 * line.size, line.middle + 0.1 * line.size
    first = modes(a)
    if modes(c) == first:
        return None
    for _ in range(60):
        x = (a + c) / 2
        if not a < x < c:
            break
        a, c = (x, c) if modes(x) == first else (a, x)
    x = a if rng.random() < 0.5 else c
    return (line, x) if line.best(x) else None


WAYS = {
    "crossing": crossing,
    "rows": rows,
    "mirrored": mirrored,
    "bent": bent,
    "ending": ending,
}
ORDER = ("crossing", "rows", "rows", "rows", "mirrored", "bent", "ending", "rows")


def contacts(best):
    """What counts as touching, and in which way."""
    return best._response.problem.touching.states.tolist() if best else None


def one(seed):
    """`(way, verdict, error, what)` of one seed."""
    rng = np.random.default_rng([3, seed])
    way = ORDER[seed % len(ORDER)]
    try:
        made = WAYS[way](rng)
    except ValueError:
        made = None
    if made is None:
        return way, "no such point", 0.0, ""
    line, x = made
    best = line.best(x)
    if not best:
        return way, "no answer", 0.0, ""
    found = best.gradient(line.name, place=line.place)
    try:
        sides = [one_sided(line, x, sign) for sign in (1, -1)]
    except ValueError:
        return way, "differences leave the model", 0.0, ""
    if any(
        contacts(line.best(x + sign * sensitivities.BESIDE * line.size)) != contacts(best) for sign in (1, -1)
    ):
        return (
            way,
            "contacts open or close there",
            0.0,
            "",
        )  # `gradient` lets them count as what they count as
    if None in sides:
        return way, "another tie nearby", 0.0, ""
    (above, own, after), (below, other, before) = sides
    scale = max(abs(best.value) / line.size, abs(above), abs(below), 1e-3)
    jump = max(abs(after - best.value), abs(before - best.value)) > JUMP * scale * line.size
    if found.status == "unsettled" or jump:
        stated = jump and found.status == "unsettled" and "jumps" in found.reason
        return way, "jump" if stated else "unsettled", 0.0, found.reason or found.status
    if max(own, other) > 0.1 * LIMIT * scale:
        return way, "difference too coarse", 0.0, ""
    error = max(abs(found.above - above), abs(found.below - below)) / scale
    verdict = "tie" if abs(above - below) > KINK * scale else "no tie"
    return way, verdict, float(error), f"{line.name} {found.status}" if error > LIMIT else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ties", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    blocks, ties, flat, left, wrong = Blocks(args.keep), {}, {}, Counter(), []
    unsettled = Counter()
    with ProcessPoolExecutor(args.workers) as pool:
        count, seed = 0, args.seed * 10**9
        while count < args.ties:
            for i, (way, verdict, error, what) in enumerate(blocks.ask(pool, one, seed, 128)):
                if verdict in ("tie", "no tie"):
                    (ties if verdict == "tie" else flat).setdefault(way, []).append(error)
                    count += verdict == "tie"
                    if error > LIMIT:
                        wrong.append((seed + i, way, error, what))
                else:
                    left[verdict] += 1
                    if verdict == "unsettled":
                        unsettled[what.split(",")[0]] += 1
            seed += 128
    report("ties", ties)
    report("points without a tie", flat)
    print(f"left out: {dict(left)}\n")
    print(f"unsettled, though differences have both sides: {dict(unsettled) or 'none'}\n")
    for case in wrong:
        print("wrong:", *case)
    compared = [error for group in (ties, flat) for errors in group.values() for error in errors]
    print(
        f"{count} ties, {len(compared)} points compared, greatest difference {max(compared):.1e}, {len(wrong)} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
