"""Shapes that touch against geometry and linear programs written for the purpose, and simulated modes against the analysis.

    python campaigns/shapes.py [--systems 1000] [--seed 1] [--only NAME]

For every kind of touch random systems are put together by hand: two free bodies, or one in front of the world, that touch with
known corners and sides, at rest or sliding. Rows of the contacts are written from the motion of those material points,
drifts are their rates; one linear program per mode in the raw unknowns `(qdd, f, tau)` by HiGHS says which modes exist. Columns:

    systems     random systems
    touches     contacts that are closed in them
    programs    modes asked of a linear program
    edge        modes that are within 1e-5 of existing or not, not judged
    wrong       modes that the library has and the programs do not, or the other way round
    gap, rows, drift    greatest difference of gaps (m), of rows and of drifts (relative) from those written by hand

Beside that, `simulated` runs boxes that are pushed about on stairs and on each other: the letters of smooth steps against the modes
that the analysis admits at the state in which the step began (where forces are shared by redundant contacts, one may have none).
"""

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.thrust.instants import Thresholds, respond_at

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import reference
from raw_programs import greatest
from shape_geometry import placed, random_polygon

SURE, EDGE = 1e-5, 1e-9
SLOW, NEAR = 0.02, 1e-4
"""Contacts of a simulated state that are slower (m/s) are at rest, nearer (m) are closed: the errors of a step of a millisecond."""
STEP = 1e-5
"""Time over which rows are differentiated (s)."""


def turned(p, angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


class Scene:
    """Free bodies whose coordinates are (x, y, angle) one after the other; body -1 is the world."""

    def __init__(self, count):
        self.count = count

    def pose(self, q, body):
        return np.zeros(3) if body < 0 else q[3 * body : 3 * body + 3]

    def at(self, q, body, p):
        """World place of a point of a body."""
        pose = self.pose(q, body)
        return pose[:2] + turned(p, pose[2])

    def speed(self, q, v, body, place):
        """Velocity of the material point of a body that is at a place."""
        if body < 0:
            return np.zeros(2)
        d, rate = place - q[3 * body : 3 * body + 2], v[3 * body : 3 * body + 3]
        return rate[:2] + rate[2] * np.array([-d[1], d[0]])


class OnSide:
    """A corner of one body, rounded, against a side of another: seen from the frame of the side."""

    def __init__(self, scene, corner, side, radius=0.0, sign=1.0):
        (self.a, self.p), (self.b, self.origin, self.angle) = corner, side
        self.scene, self.r, self.sign = scene, radius, sign

    def frame(self, q):
        along = self.angle + (self.scene.pose(q, self.b)[2] if self.b >= 0 else 0.0)
        t = np.array([math.cos(along), math.sin(along)])
        return t, np.array([-t[1], t[0]])

    def gap(self, q):
        _, n = self.frame(q)
        return float(n @ (self.scene.at(q, self.a, self.p) - self.scene.at(q, self.b, self.origin))) - self.r

    def rates(self, q, v):
        t, n = self.frame(q)
        place = self.scene.at(q, self.a, self.p) - self.r * n
        u = self.scene.speed(q, v, self.a, place) - self.scene.speed(q, v, self.b, place)
        return np.array([n @ u, t @ u])


class OnCorner:
    """A disc of one body against a sharp corner of another."""

    def __init__(self, scene, corner, other, radius):
        (self.a, self.p), (self.b, self.o) = corner, other
        self.scene, self.r = scene, radius

    def frame(self, q):
        d = self.scene.at(q, self.a, self.p) - self.scene.at(q, self.b, self.o)
        n = d / np.hypot(*d)
        return n, float(np.hypot(*d))

    def gap(self, q):
        return self.frame(q)[1] - self.r

    def rates(self, q, v):
        n, _ = self.frame(q)
        t = np.array([n[1], -n[0]])
        c, o = self.scene.at(q, self.a, self.p), self.scene.at(q, self.b, self.o)
        gap_rate = n @ (self.scene.speed(q, v, self.a, c) - self.scene.speed(q, v, self.b, o))
        u = self.scene.speed(q, v, self.a, c - self.r * n) - self.scene.speed(q, v, self.b, o)
        return np.array([gap_rate, t @ u])


def side_of(shape, j):
    """Direction and length of a side of a polygon, and its direction as a wall: free on the left."""
    d = shape[(j + 1) % len(shape)] - shape[j]
    return d, float(np.hypot(*d)), math.atan2(-d[1], -d[0])


def between(rng, shape, i):
    """An angle by which a polygon is turned so that corner `i` alone is lowest."""
    before, after = (math.atan2(d[1], d[0]) for d in (side_of(shape, i - 1)[0], side_of(shape, i)[0]))
    turn = (after - before) % (2 * math.pi)
    return -(before + turn * rng.uniform(0.15, 0.85))


def builder(name, count):
    made = mc.Builder(name)
    for k in range(count):
        joint = mc.planar(f"x{k}", f"y{k}", f"t{k}")
        made.body(f"b{k}", parent="world", joint=joint, mass=1.0 + k, inertia=0.2 + 0.1 * k)
    return made


def put(rng, shape, lowest, way, pose, count=2):
    """Configuration in which the point `lowest` of body 0, turned by `turn`, is at `place`, then everything moved by `pose`."""
    turn, place = way
    centre = place - turned(lowest, turn)
    moved = np.array([*turned(centre, pose[2]), pose[2] + turn])
    moved[:2] += pose[:2]
    return np.concatenate([moved, pose]) if count == 2 else moved


def corner_on_side(rng, rounded=False):
    first, second = random_polygon(rng), random_polygon(rng)
    r, s = (float(x) for x in rng.uniform(0.05, 0.3, 2)) if rounded else (0.0, 0.0)
    if rounded and rng.random() < 0.5:
        first = rng.normal(size=(2, 2))
    i, j = int(rng.integers(len(first))), int(rng.integers(len(second)))
    d, _, tilt = side_of(second, j)
    n = np.array([-math.sin(tilt), math.cos(tilt)])
    place = second[j] + rng.uniform(0.05, 0.95) * d + (r + s) * n
    pose = np.array([*rng.normal(size=2), rng.uniform(0, 6)])
    q = put(rng, first, first[i], (tilt + between(rng, first, i), place), pose)
    words = {"radius": r, "other_radius": s} if rounded else {}
    made = builder("pair", 2).contact(
        "c",
        "b0",
        type="polygon",
        shape=first.tolist(),
        other="b1",
        other_shape=second.tolist(),
        mu=0.4,
        **words,
    )
    scene = Scene(2)
    return made, q, [OnSide(scene, (0, first[i]), (1, second[j] + s * n, tilt), r)]


def face_on_face(rng):
    first, second = random_polygon(rng), random_polygon(rng)
    i, j = int(rng.integers(len(first))), int(rng.integers(len(second)))
    _, length, tilt = side_of(second, j)
    e, width, own = side_of(first, i)
    turn = tilt - math.atan2(e[1], e[0])
    t = np.array([math.cos(tilt), math.sin(tilt)])
    start = rng.uniform(0.05 - width, length - 0.05)  # of the upper side, from the far end of the lower one
    place = second[(j + 1) % len(second)] + start * t
    pose = np.array([*rng.normal(size=2), rng.uniform(0, 6)])
    q = put(rng, first, first[i], (turn, place), pose)
    scene = Scene(2)
    lower = (1, second[j], tilt)
    upper = (0, first[i], own)
    touches = []
    for own_end, other_end, inside in (
        (first[i], second[(j + 1) % len(second)], start > 0),
        (first[(i + 1) % len(first)], second[j], start + width < length),
    ):
        touches.append(OnSide(scene, (0, own_end), lower) if inside else OnSide(scene, (1, other_end), upper))
    made = builder("faces", 2).contact(
        "c", "b0", type="polygon", shape=first.tolist(), other="b1", other_shape=second.tolist(), mu=0.4
    )
    return made, q, touches


def disc_on_side(rng):
    second, r = random_polygon(rng), float(rng.choice([0.0, 0.3]))
    j, centre = int(rng.integers(len(second))), rng.normal(size=2) * 0.2
    d, _, tilt = side_of(second, j)
    n = np.array([-math.sin(tilt), math.cos(tilt)])
    place = second[j] + rng.uniform(0.05, 0.95) * d + r * n
    pose = np.array([*rng.normal(size=2), rng.uniform(0, 6)])
    q = put(rng, None, centre, (rng.uniform(0, 6), place), pose)
    words = {"type": "disc", "radius": r} if r else {"type": "point"}
    made = builder("disc", 2).contact(
        "c", "b0", point=tuple(centre), other="b1", other_shape=second.tolist(), mu=0.4, **words
    )
    return made, q, [OnSide(Scene(2), (0, centre), (1, second[j], tilt), r)]


def disc_on_corner(rng):
    second, r = random_polygon(rng), float(rng.uniform(0.1, 0.4))
    j, centre = int(rng.integers(len(second))), rng.normal(size=2) * 0.2
    before, after = (side_of(second, k)[0] for k in (j - 1, j))
    first = math.atan2(-before[0], before[1])
    turn = (math.atan2(-after[0], after[1]) - first) % (2 * math.pi)
    way = first + turn * rng.uniform(0.1, 0.9)
    place = second[j] + r * np.array([math.cos(way), math.sin(way)])
    pose = np.array([*rng.normal(size=2), rng.uniform(0, 6)])
    q = put(rng, None, centre, (rng.uniform(0, 6), place), pose)
    made = builder("disc", 2).contact(
        "c", "b0", type="disc", point=tuple(centre), radius=r, other="b1", other_shape=second.tolist(), mu=0.4
    )
    return made, q, [OnCorner(Scene(2), (0, centre), (1, second[j]), r)]


def on_wall(rng):
    first, tilt, origin = random_polygon(rng), float(rng.uniform(-2, 2)), rng.normal(size=2)
    i, flat = int(rng.integers(len(first))), rng.random() < 0.5
    e = side_of(first, i)[0]
    turn = tilt - math.atan2(e[1], e[0]) if flat else tilt + between(rng, first, i)
    place = origin + rng.normal() * np.array([math.cos(tilt), math.sin(tilt)])
    q = put(rng, first, first[i], (turn, place), np.zeros(3), count=1)
    made = builder("wall", 1).contact(
        "c", "b0", type="polygon", shape=first.tolist(), wall={"origin": tuple(origin), "tilt": tilt}, mu=0.4
    )
    corners = [first[i], first[(i + 1) % len(first)]] if flat else [first[i]]
    return made, q, [OnSide(Scene(1), (0, p), (-1, origin, tilt)) for p in corners]


def in_stairs(rng):
    """A box in the corner of a tread and a riser, which is lower or higher than it: four touches."""
    tread, riser, width, height = (
        rng.uniform(0.5, 1.5),
        rng.uniform(0.2, 0.6),
        rng.uniform(0.2, 0.45),
        rng.uniform(0.2, 0.6),
    )
    low, valley, edge, end = (0.0, 0.0), (tread, 0.0), (tread, riser), (tread + 1.0, riser)
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - rng.uniform(0, 0.2, 2)
    q = np.array([*(np.array(valley) - box[1]), 0.0])
    made = builder("stairs", 1).terrain("g", [(-1, 0.3), (0, 0.3), low, valley, edge, end])
    made.contact("c", "b0", type="polygon", shape=box.tolist(), terrain="g", mu=0.4)
    scene = Scene(1)
    floor, wall = (-1, np.zeros(2), 0.0), (-1, np.array(valley), math.pi / 2)
    top = (
        OnSide(scene, (0, box[2]), wall)
        if height < riser
        else OnSide(scene, (-1, np.array(edge)), (0, box[1], -math.pi / 2))
    )
    return (
        made,
        q,
        [
            OnSide(scene, (0, box[0]), floor),
            OnSide(scene, (0, box[1]), floor),
            OnSide(scene, (0, box[1]), wall),
            top,
        ],
    )


def on_terrain(rng):
    """A polygon with a corner on a segment, or lying over an edge."""
    slope = rng.uniform(-0.5, 0.5, 2) + np.array([0.5, -0.5])
    edge = np.array([0.0, 0.3])
    directions = [np.array([math.cos(a), math.sin(a)]) for a in slope]
    line = [edge - 2 * directions[0], edge, edge + 2 * directions[1]]
    first = random_polygon(rng, size=0.5)
    i = int(rng.integers(len(first)))
    made = builder("ground", 1).terrain("g", [tuple(p) for p in line])
    made.contact("c", "b0", type="polygon", shape=first.tolist(), terrain="g", mu=0.4)
    e, _, own = side_of(first, i)
    scene = Scene(1)
    if rng.random() < 0.5:  # the edge under a side
        tilt = rng.uniform(*sorted(slope))
        turn = tilt - math.atan2(e[1], e[0])
        share = rng.uniform(0.1, 0.9)
        q = np.array([*(edge - turned(first[i] + share * e, turn)), turn])
        return made, q, [OnSide(scene, (-1, edge), (0, first[i], own))]
    turn = slope[0] + between(rng, first, i)
    q = put(rng, first, first[i], (turn, edge - rng.uniform(0.05, 1.5) * directions[0]), np.zeros(3), count=1)
    beyond = (placed(first, q) - edge) @ np.array([-directions[1][1], directions[1][0]])
    if beyond.min() < 0.02 or np.min((edge - placed(first, q)) @ directions[0]) < 0.02:
        return on_terrain(rng)
    return made, q, [OnSide(scene, (0, first[i]), (-1, edge, slope[0]))]


def disc_in_groove(rng):
    r, a, b = rng.uniform(0.1, 0.4), -rng.uniform(0.2, 1.2), rng.uniform(0.2, 1.2)
    centre = rng.normal(size=2) * 0.1
    normals = np.array([[-math.sin(x), math.cos(x)] for x in (a, b)])
    place = np.linalg.solve(normals, [r, r])
    turn = rng.uniform(0, 6)
    q = np.array([*(place - turned(centre, turn)), turn])
    made = builder("groove", 1)
    if rng.random() < 0.5:
        made.terrain("g", half_planes=[{"tilt": float(a)}, {"tilt": float(b)}])
    else:
        made.terrain("g", [(-3 * math.cos(a), -3 * math.sin(a)), (0, 0), (3 * math.cos(b), 3 * math.sin(b))])
    made.contact("c", "b0", type="disc", point=tuple(centre), radius=float(r), terrain="g", mu=0.4)
    scene = Scene(1)
    return made, q, [OnSide(scene, (0, centre), (-1, np.zeros(2), float(x)), r) for x in (a, b)]


KINDS = {
    "corner on side": corner_on_side,
    "rounded, capsules": lambda rng: corner_on_side(rng, rounded=True),
    "face on face": face_on_face,
    "disc or point on side": disc_on_side,
    "disc on corner": disc_on_corner,
    "polygon on wall": on_wall,
    "polygon on terrain": on_terrain,
    "box in stairs": in_stairs,
    "disc in groove": disc_in_groove,
}


def by_hand(touches, q, v):
    """Rows, drifts and velocities of touches, from the motion of their material points."""
    n = len(q)
    J = np.vstack([np.column_stack([touch.rates(q, e) for e in np.eye(n)]) for touch in touches])
    ahead, behind = (np.concatenate([touch.rates(q + s * STEP * v, v) for touch in touches]) for s in (1, -1))
    return J, (ahead - behind) / (2 * STEP), J @ v


def strictness(s, mode, limits):
    A, b, C, e, strict = reference.raw_rows(s, mode, limits)
    A = np.hstack([A, strict[:, None].astype(float)])
    C = np.hstack([C, np.zeros((len(C), 1))])
    goal = np.zeros(A.shape[1])
    goal[-1] = 1.0
    return greatest(goal, np.vstack([A, goal]), np.append(b, 1.0), C, e)


def match(snap, J):
    """The contact of the model for each touch: the closed one whose rows are nearest."""
    found = []
    for k in range(len(J) // 2):
        off = [
            np.inf
            if i in found
            else np.abs(snap.jacobian[2 * i : 2 * i + 2] - J[2 * k : 2 * k + 2]).max() + abs(gap)
            for i, gap in enumerate(snap.gap)
        ]
        found.append(int(np.argmin(off)))
    return found


def judge(kind, rng, tally):
    made, q, touches = KINDS[kind](rng)
    n = len(q)
    inputs = rng.permutation(n)[: int(rng.integers(1, 4))]
    for i in inputs:
        made.input(
            f"u{i}",
            made.mechanism().coordinates[i],
            lower=float(-rng.uniform(1, 30)),
            upper=float(rng.uniform(1, 30)),
        )
    model = made.build()
    J = by_hand(touches, q, np.zeros(n))[0]
    rows = J if rng.random() < 0.5 else J[0::2]
    _, values, basis = np.linalg.svd(rows)
    v = basis[np.sum(values > 1e-9) :].T @ rng.normal(
        size=n - int(np.sum(values > 1e-9))
    )  # nothing approaches
    J, d, xd = by_hand(touches, q, v)
    xd[np.abs(xd) < 1e-9] = 0.0
    snap = model.snapshot(q, v)
    places = match(snap, J)
    pairs = np.array([[2 * i, 2 * i + 1] for i in places]).ravel()
    tally["gap"] = max(tally["gap"], np.abs(snap.gap[places]).max(), max(abs(t.gap(q)) for t in touches))
    tally["rows"] = max(tally["rows"], np.abs(snap.jacobian[pairs] - J).max() / (1 + np.abs(J).max()))
    tally["drift"] = max(tally["drift"], np.abs(snap.drift[pairs] - d).max() / (1 + np.abs(d).max()))
    extra = sum(gap < 1e-9 for gap in snap.gap) - len(touches)
    response = mc.dynamic_response(snap)
    mine = {"".join(mode[i] for i in places) for mode in response}
    s = dict(mass=snap.mass, bias=snap.bias, actuation=snap.actuation, jacobian=J, drift=d, velocity=xd)
    s["friction"] = np.full(len(touches), 0.4)
    tally["systems"] += 1
    tally["touches"] += len(touches)
    tally["wrong"] += abs(extra)
    for mode in reference.candidate_modes(s):
        value = strictness(s, mode, snap.torque_limits)
        tally["programs"] += 1
        if EDGE < value < SURE or np.isnan(value):
            tally["edge"] += 1
        elif (value >= SURE) != (mode in mine):
            tally["wrong"] += 1


def agrees(letters, mode, closed):
    """Whether letters of a step are a mode; of a closed contact without force `S` says nothing about whether it parts."""
    return all(
        mine == theirs or (mine == "S" and c) for mine, theirs, c in zip(letters, mode, closed, strict=True)
    )


def simulated(rng, tally):
    """Boxes pushed about on stairs and on each other; letters of smooth steps against the analysis."""
    made = mc.Builder("boxes").terrain(
        "g", [(-3, 0.2), (-0.6, 0.2), (-0.6, 0), (0.6, 0), (0.6, 0.25), (3, 0.25)]
    )
    for k in range(2):
        w, h = rng.uniform(0.2, 0.4, 2)
        outline = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
        joint = mc.planar(f"x{k}", f"y{k}", f"t{k}")
        made.body(
            f"b{k}", parent="world", joint=joint, mass=1.0, inertia=(w * w + h * h) / 12, outline=outline
        )
        made.input(f"u{k}", f"x{k}").start(
            **{f"x{k}": rng.normal() * 0.2, f"y{k}": 0.6 + 0.6 * k, f"t{k}": rng.normal() * 0.3}
        )
    model = made.contacts("all", mu=float(rng.choice([0.2, 0.6]))).build()
    tau = rng.normal(size=2) * 3
    run = mc.simulate(model, controller=lambda t, q, v: tau, duration=1.0)
    thresholds = Thresholds.of(len(model.contacts), SLOW, NEAR, np.inf)
    for k in rng.permutation(np.arange(50, len(run.modes) - 1))[:6]:
        if len({run.modes[k - 1], run.modes[k], run.modes[k + 1]}) > 1 or run.impacts[k - 1 : k + 2].any():
            continue
        if len({model.with_features(q).mechanism.contacts for q in run.q[k - 1 : k + 3]}) > 1:
            continue  # another feature has the name
        slides = np.abs(model.snapshot(run.q[k], run.v[k]).velocity[1::2])
        if any(letter in "LR" and slide <= SLOW for letter, slide in zip(run.modes[k], slides, strict=True)):
            continue  # about to stop: too slow to be told from rest
        response = respond_at(thresholds.read(model, run.q[k], run.v[k]), (), ())
        tally["steps"] += 1
        closed = model.snapshot(run.q[k]).gap <= NEAR
        tally["apart"] += not any(agrees(run.modes[k], mode, closed) for mode in response.modes_at(tau))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    asked = parser.parse_args()
    start, bad = time.process_time(), 0
    counts = ("systems", "touches", "programs", "edge", "wrong")
    print(f"{'kind':24}" + "".join(f"{c:>10}" for c in (*counts, "gap", "rows", "drift")))
    for number, kind in enumerate(KINDS):
        if asked.only not in (None, kind):
            continue
        tally = {**dict.fromkeys(counts, 0), "gap": 0.0, "rows": 0.0, "drift": 0.0}
        for system in range(asked.systems):
            judge(kind, np.random.default_rng([asked.seed, number, system]), tally)
        bad += tally["wrong"]
        print(f"{kind:24}" + "".join(f"{tally[c]:>10}" for c in counts), end="")
        print("".join(f"{tally[c]:>10.1e}" for c in ("gap", "rows", "drift")), flush=True)
    if asked.only in (None, "simulated"):
        tally = {"steps": 0, "apart": 0}
        for system in range(asked.systems // 5):
            simulated(np.random.default_rng([asked.seed, 99, system]), tally)
        bad += tally["apart"]
        print(
            f"simulated: {tally['steps']} smooth steps, {tally['apart']} with letters that the analysis does not admit"
        )
    print(f"seed {asked.seed}, {time.process_time() - start:.0f} s of CPU time")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
