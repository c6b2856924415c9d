"""Contact detection between shapes, and what shapes cost in simulation.

    python benchmarks/shapes.py

CPU times of this thread, the least of seven repetitions. Detection finds the nearest features and the gaps of both touches of every
pair, the places of all bodies included.
"""

import time

import numpy as np

import modecontrol as mc
from modecontrol._core import dynamics as core


def least(function, times):
    function()
    found = []
    for _ in range(7):
        start = time.process_time()
        for _ in range(times):
            function()
        found.append((time.process_time() - start) / times)
    return min(found)


def polygon(corners, size=0.2):
    angles = 2 * np.pi * np.arange(corners) / corners + np.pi / corners
    return [(size * float(np.cos(a)), size * float(np.sin(a))) for a in angles]


def row(corners, pairs=100):
    """So many pairs of neighbours in a row, nearly touching, a little turned."""
    builder = mc.Builder("row")
    for i in range(pairs + 1):
        joint = mc.planar(f"x{i}", f"y{i}", f"t{i}")
        builder.body(f"b{i}", parent="world", joint=joint, mass=1.0, inertia=0.02, outline=polygon(corners))
    for i in range(pairs):
        builder.contact(f"c{i}", f"b{i}", type="polygon", other=f"b{i + 1}", mu=0.5)
    q = np.zeros(3 * (pairs + 1))
    q[0::3] = np.arange(pairs + 1) * 0.29
    q[2::3] = np.random.default_rng(0).normal(size=pairs + 1) * 0.01
    return builder.build(), q


def stack(kind, boxes=5):
    """Boxes on each other: polygons, or two points on a wall that the box below carries."""
    builder = mc.Builder(kind)
    w, h = 0.4, 0.2
    outline = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    for i in range(boxes):
        joint = mc.planar(f"x{i}", f"y{i}", f"t{i}")
        builder.body(f"b{i}", parent="world", joint=joint, mass=1.0, inertia=0.02, outline=outline)
        builder.start(**{f"y{i}": h / 2 + h * i})
        if kind == "polygons":
            builder.contact(f"c{i}", f"b{i}", type="polygon", mu=0.5, **({"other": f"b{i - 1}"} if i else {}))
            continue
        wall = {"wall": {"body": f"b{i - 1}", "origin": (0, h / 2)}} if i else {}
        for side, x in (("left", -w / 2), ("right", w / 2)):
            builder.contact(f"{side}{i}", f"b{i}", point=(x, -h / 2), mu=0.5, **wall)
    return builder.build()


def main() -> None:
    print("detection of 100 pairs, each with two touches (us)")
    for corners in (3, 4, 6, 8):
        model, q = row(corners)
        print(
            f"  polygons with {corners} corners     {1e6 * least(lambda m=model, q=q: core.gaps(m.tree.core, q), 300):8.1f}"
        )
    stairs = [(0.3 * ((i + 1) // 2), 0.17 * (i // 2)) for i in range(12)]
    builder = mc.Builder("feet").terrain("stairs", stairs)
    for i in range(100):
        builder.body(
            f"b{i}", parent="world", joint=mc.planar(f"x{i}", f"y{i}", f"t{i}"), mass=1.0, inertia=0.02
        )
        builder.contact(f"c{i}", f"b{i}", type="disc", radius=0.05, terrain="stairs", mu=0.5)
    model, q = builder.build(), np.zeros(300)
    q[0::3], q[1::3] = np.linspace(0, 1.5, 100), 1.2
    print(
        f"  discs on stairs of {len(stairs) - 1} segments {1e6 * least(lambda: core.gaps(model.tree.core, q), 100):8.1f}"
    )
    print("five boxes on each other, one second in steps of a millisecond (ms)")
    times = {}
    for kind in ("polygons", "points"):
        made = stack(kind)
        times[kind] = 1e3 * least(lambda m=made: mc.simulate(m, duration=1.0), 1)
        print(f"  {kind:27}{times[kind]:8.1f}")
    print(f"  ratio                      {times['polygons'] / times['points']:8.2f}")


if __name__ == "__main__":
    main()
