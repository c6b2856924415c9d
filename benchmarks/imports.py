"""Imported robots: contact modes and torque sets of gymnasium's hopper and walker, standing on the floor.

    python benchmarks/imports.py [--repeat 20]

The files are read as they ship, lowered until the feet touch: at the files' reference pose the legs are straight, and thighs and
knees lie on their stops. Then the same with bent knees, where no stop is near. Medians of CPU time in one process:
reading the file, one instant, all contact modes with their minimal domains, and the torque sets of all of them.
"""

import argparse
import logging
import time
from pathlib import Path

import gymnasium
import numpy as np

import modecontrol as mc
from modecontrol.interop import read_mjcf

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
BENT = {"thigh": -0.2, "leg": -0.4, "foot": 0.6}
"""rad, by which the joints of a bent leg are turned, in the plane."""


def median(call, repeat):
    """Median CPU time in milliseconds."""
    call()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return 1e3 * float(np.median(times))


def standing(model, bent):
    """The start, with bent legs if asked for, lowered until the lowest disc touches the floor."""
    q = model.start.copy()
    for i, name in enumerate(model.coordinates):
        part = name.split("_")[0]
        if bent and part in BENT:
            q[i] = BENT[part]
    floor = [i for i, c in enumerate(model.mechanism.contacts) if c.kind == "disc" and c.other == "world"]
    q[1] -= model.snapshot(q).gap[floor].min()
    return q


def answered(snap):
    """All modes and all torque sets."""
    response = mc.dynamic_response(snap)
    return response, [response[mode].torques for mode in response.modes]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=20)
    repeat = parser.parse_args().repeat
    logging.disable(logging.WARNING)
    print(
        f"{'robot':26} {'letters':>7} {'closed':>6} {'modes':>5} {'read':>8} {'instant':>9} {'modes':>8} {'+ sets':>8}"
    )
    for name in ("hopper", "walker2d"):
        path = ASSETS / f"{name}.xml"
        imported = read_mjcf(path)
        model = imported.model
        assert not imported.left_out, imported.left_out
        reading = median(lambda path=path: read_mjcf(path).model, 5)
        for bent in (False, True):
            q = standing(model, bent)
            snap = model.snapshot(q)
            response, _ = answered(snap)
            instant = median(lambda q=q, model=model: model.snapshot(q), repeat)
            modes = median(lambda snap=snap: mc.dynamic_response(snap).modes, repeat)
            sets = median(lambda snap=snap: answered(snap), repeat)
            closed = int((snap.gap <= 1e-9).sum())
            print(
                f"{name + (', knees bent' if bent else ', legs straight'):26} {len(model.contacts):7} {closed:6} "
                f"{len(response.modes):5} {reading:5.1f} ms {1e3 * instant:6.1f} us {modes:5.1f} ms {sets:5.1f} ms"
            )


if __name__ == "__main__":
    main()
