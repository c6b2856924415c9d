"""Sensitivities against differences: `best.gradient(name)` at random states; `ties.py` does the same at ties.

    python campaigns/sensitivities.py --states 10000 --workers 2 --seed 1

A state counts as nondegenerate when mode and active constraints are the same at all points of the difference
formula (central, of fourth order, with Richardson's extrapolation). Where the value itself vanishes its rounding
can be all that a difference shows; two steps that differ as much as the derivative seems to be off say so, and so does
what rounding of the values makes of them. Such states are counted apart.

With `--keep FILE` what is found is kept block by block, and the next call goes on from there.
"""

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest


def at_start(model, q):
    """The configuration that goes with the parameters."""
    return np.array(model.start)


def rhex(rng):
    model = mc.load(
        "rhex",
        mu_toe=rng.uniform(0.2, 1),
        mu_body=rng.uniform(0.1, 0.5),
        stall=rng.uniform(6, 14),
        l=rng.uniform(0.14, 0.2),
    )
    q = np.array(model.start)
    q[2] = rng.uniform(0.0, 1.2)
    name = rng.choice(["l", "d", "h", "d1", "d2", "d3", "m", "I", "mu_toe", "mu_body", "stall", "alpha"])
    return model, at_rest(model, q), str(name), "alpha", {"task": "body.normal >= 10"}, at_rest


def two_link(rng):
    model = mc.load("two_link", mu=rng.uniform(0.05, 1.2), elbow=rng.uniform(0.3, 0.9))
    name = rng.choice(["mu", "elbow", *[n for n in model.parameters if n not in ("mu", "elbow")]])
    goal = str(rng.choice(["p2.normal", "p1.normal", "p3.normal - 0.3*tau1"])).replace(
        "tau1", model.inputs[0]
    )
    return model, np.array(model.start), str(name), goal, {"torque_limits": [(-30, 30)]}, at_start


def block(rng):
    model = mc.load("block", slope=rng.uniform(0, 0.6), mu=rng.uniform(0.05, 1))
    name = str(rng.choice(list(model.parameters)))
    goal = " + ".join(f"{rng.normal():.3f}*{c}" for c in model.coordinates)
    return (
        model,
        np.array(model.start),
        name,
        goal,
        {"torque_limits": [(-40, 40)] * len(model.inputs)},
        at_start,
    )


def four_bar(rng):
    model = mc.load("four_bar")
    name = str(rng.choice(list(model.parameters)))
    goal = " + ".join(f"{rng.normal():.3f}*{c}" for c in model.coordinates)
    return (
        model,
        np.array(model.start),
        name,
        goal,
        {"torque_limits": [(-5, 5)] * len(model.inputs)},
        at_start,
    )


def biped(rng):
    model = mc.load("biped")
    name = str(rng.choice(list(model.parameters)))
    goal = " + ".join(f"{rng.normal():.3f}*{c}" for c in model.coordinates)
    return (
        model,
        np.array(model.start),
        name,
        goal,
        {"torque_limits": [(-60, 60)] * len(model.inputs)},
        at_start,
    )


FAMILIES = (rhex, rhex, rhex, two_link, block, four_bar, biped)


LIMIT = 1e-6
"""How far a derivative may be off, relative to itself and to the value over the size of what varies."""
ROUNDING = 1e-13
"""Of a best value, in its own unit and beside itself: a body held still has accelerations of 1e-14 to 1e-13 rad/s2."""
STEPS = (2e-3, 5e-4, 1.2e-4, 1.5e-5)
"""Steps of one-sided differences, relative to the size of what varies."""
BESIDE = 2e-6
"""Where the active set of a side is read, clear of what the library takes for the tie itself."""
WEIGHTS = np.array([-77, 214, -234, 122, -25]) / 12
LIMIT_WEIGHTS = np.array([5, -10, 10, -5, 1])


class Line:
    """The best value of one problem along one name."""

    def __init__(self, model, q, name, goal, options, place, margin):
        self.model, self.q, self.name, self.goal, self.options, self.place, self.margin = (
            model,
            q,
            name,
            goal,
            options,
            place,
            margin,
        )
        self.velocity = name.removesuffix("_d") if name not in model.parameters else ""
        self.middle = float(
            q[model.coordinates.index(name)]
            if name in model.coordinates
            else model.parameters.get(name, 0.0)  # a velocity begins at rest
        )
        self.size = max(abs(self.middle), 1e-3 if name in model.parameters else 0.1)

    def best(self, x):
        model, q, v = self.model, self.q.copy(), np.zeros(len(self.q))
        if self.name in model.coordinates:
            q[model.coordinates.index(self.name)] = x
        elif self.velocity:
            v[model.coordinates.index(self.velocity)] = x
        else:
            model = model.with_parameters(**{self.name: x})
        snapshot = model.snapshot(self.place(model, q), v)
        return mc.maximize(mc.dynamic_response(snapshot, **self.options), self.goal, margin=self.margin)

    def gradient(self, x):
        return self.best(x).gradient(self.name, place=self.place)


def key(best):
    return (best.mode, best.active) if best else None


def draw(rng):
    family = FAMILIES[rng.integers(len(FAMILIES))]
    return family.__name__, Line(*family(rng), float(rng.choice([0.0, 1e-3, 0.3])))


def one_state(seed):
    """`(family, verdict, error)` of one random state."""
    rng = np.random.default_rng([1, seed])
    try:
        family, line = draw(rng)
        x = line.middle
        best = line.best(x)
    except ValueError:
        return "", "no such state", 0.0
    if not best:
        return family, "no answer", 0.0
    found = best.gradient(line.name, place=line.place)
    if not found:
        return family, f"{found.status}", 0.0
    slopes, same = [], True
    for step in (4e-4 * line.size, 2e-4 * line.size):
        try:
            values = [line.best(x + i * step) for i in (-2, -1, 1, 2)]
        except ValueError:
            return family, "difference leaves the model", 0.0
        same &= all(key(value) == key(best) for value in values)
        v = [value.value for value in values]
        slopes.append((v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * step))
    if not same:
        return family, "degenerate nearby", 0.0
    slope = (16 * slopes[1] - slopes[0]) / 15
    scale = max(abs(slope), abs(best.value) / line.size, 1e-3)
    rounded = ROUNDING * max(1.0, abs(best.value)) / step
    error, own = abs(found.value - slope) / scale, max(abs(slopes[1] - slopes[0]), rounded) / scale
    if error > LIMIT and own > error / 2:
        return family, "difference too coarse", 0.0
    return family, "compared", error


def tie_between(line):
    """Where the tangents of two neighbouring kinds of optimum on a line meet; None when there are none."""
    low, high = line.middle - 0.1 * line.size, line.middle + 0.1 * line.size
    xs = np.linspace(low, high, 6)
    keys = [key(line.best(x)) for x in xs]
    places = [i for i in range(5) if keys[i] != keys[i + 1] and keys[i] and keys[i + 1]]
    if not places:
        return None
    a, c, first = xs[places[0]], xs[places[0] + 1], keys[places[0]]
    for _ in range(14):
        x = (a + c) / 2
        a, c = (x, c) if key(line.best(x)) == first else (a, x)
    a, c = a - 1e-5 * line.size, c + 1e-5 * line.size
    left, right = line.best(a), line.best(c)
    if not left or not right:
        return None
    da, dc = (best.gradient(line.name, place=line.place) for best in (left, right))
    va, vc = left.value, right.value
    if not da or not dc or abs(da.value - dc.value) < 1e-3 * max(abs(da.value), abs(va) / line.size, 1e-3):
        return None
    for _ in range(8):
        x = a + (vc - va - dc.value * (c - a)) / (da.value - dc.value)
        if not a < x < c:
            return None  # the value jumps, so there are no two tangents that meet
        best = line.best(x)
        if not best:
            return None
        found = best.gradient(line.name, place=line.place)
        if found.status == "tie":
            return x
        if not found:
            return None
        if abs(found.value - da.value) < abs(found.value - dc.value):
            a, va, da = x, best.value, found
        else:
            c, vc, dc = x, best.value, found
    return None


def one_sided(line, x, sign):
    """`(slope, its own error, limit)` of the best value on one side of `x`; None when no step keeps the active set
    that begins at `x`: there may be another tie within a thousandth.

    The polynomial through `V(x + h), ..., V(x + 5 h)` has the slope `WEIGHTS V / h` at `x`, up to `h^4`, and the value
    `LIMIT_WEIGHTS V`, which is not that at `x` where the best value jumps.
    """
    best, first = None, line.best(x + sign * BESIDE * line.size)
    for step in STEPS:
        h = sign * step * line.size
        slopes = []
        for part in (1.0, 0.5):
            there = [line.best(x + i * part * h) for i in range(1, 6)]
            if not all(there) or {key(one) for one in there} != {key(first)}:
                break
            values = np.array([one.value for one in there])
            slopes.append(float(WEIGHTS @ values) / (part * h))
        if len(slopes) == 2 and (best is None or abs(slopes[1] - slopes[0]) < best[1]):
            best = slopes[1], abs(slopes[1] - slopes[0]), float(LIMIT_WEIGHTS @ values)
        if best is not None and best[1] <= 1e-3 * LIMIT * abs(best[0]):
            break
    return best


class Blocks:
    """Answers to blocks of seeds, kept in a file of lines."""

    def __init__(self, file):
        self.file, self.known = file, {}
        if file is not None and file.is_file():
            for line in file.read_text(encoding="utf-8").splitlines():
                if line.endswith("]]}"):  # a line that was cut off is not whole
                    block = json.loads(line)
                    self.known[block["what"], block["first"]] = block["found"]

    def ask(self, pool, function, first, count):
        """Answers of `function` to `count` seeds."""
        key = function.__name__, first
        if key not in self.known:
            self.known[key] = [
                list(one) for one in pool.map(function, range(first, first + count), chunksize=4)
            ]
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                with self.file.open("a", encoding="utf-8") as lines:
                    made = {"what": key[0], "first": first, "found": self.known[key]}
                    lines.write("\n" + json.dumps(made))
        return self.known[key]


def report(title, groups):
    print(f"| {title} | number | median error | 99 % below | greatest |\n|---|---|---|---|---|")
    for name, errors in sorted(groups.items()):
        print(
            f"| {name} | {len(errors)} | {np.median(errors):.1e} | {np.quantile(errors, 0.99):.1e} | {max(errors):.1e} |"
        )
    print()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--states", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    blocks = Blocks(args.keep)
    verdicts, compared = Counter(), {}
    with ProcessPoolExecutor(args.workers) as pool:
        count, seed = 0, args.seed * 10**9
        while count < args.states:
            for family, verdict, error in blocks.ask(pool, one_state, seed, 128):
                verdicts[verdict] += 1
                if verdict == "compared" and count < args.states:
                    compared.setdefault(family, []).append(error)
                    count += 1
            seed += 128
        report("states", compared)
        print(f"all states drawn: {dict(verdicts)}\n")
    worst = max(max(errors) for errors in compared.values())
    print(f"greatest difference: {worst:.1e}")
    return 1 if worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
