"""Modes, values and trajectories of the present version beside those of the last numba version, on every model of both.

    git worktree add --detach build/numba 2708d74
    python -m venv build/numba/.venv && build/numba/.venv/bin/pip install numba numpy scipy sympy matplotlib rich \
        pycddlib-standalone cvxpy
    python campaigns/old_and_new.py [--states 1000] [--runs 100] [--steps 100] [--seed 1] [--models two_link ...]

Random states of each model: anywhere, and near its start; at rest, and with closed contacts that rest or slide; the contacts
that are closed are chosen at random. Both versions answer the same questions, the old one in a process of its own:

    modes     the contact modes of `dynamic_response`, and `modes_at` of random inputs           the same names
    values    the greatest value of random functions of (qdd, f, tau) over modes, of random      1e-9
              directions over torque sets, and of `maximize`
    runs      `simulate` from random states under constant inputs: q and v after every step      1e-9

Values are compared relative to the largest of their kind in an answer. What the present version does otherwise on purpose is
counted apart, each by its own proof:

    settled   the old version agrees as soon as it is given the settled velocities of the present one
    rival     the inputs that the old version calls sure have a rival by linear programs in the raw unknowns (`rivals.py`),
              those of the present version have none
    tie       the inputs lie within 1e-6 of the border of the mode that the versions judge otherwise
    energy    up to a step the runs agree to 1e-9; there the old version makes energy that neither springs nor inputs
              gave, which the present version refuses
    blow      the whole runs agree where no gap counts as closed (`impact_speed` so small that resting contacts have no slack):
              what differs is that a contact that carries load with a gap within the slack takes part in collisions now

Everything else is `wrong`, and the exit status is 1.
"""

import argparse
import os
import pickle
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parent))

ROOT = Path(__file__).resolve().parents[1]
OLD = Path(os.environ.get("MODECONTROL_NUMBA", ROOT / "build" / "numba"))
SAME = 1e-9
NEAR = 1e-6
LIMIT = 10.0
SIZES = {"snake": {"n": 4}, "pendulum": {"n": 6}, "chain": {"n": 4}}
MOST_CLOSED, MOST_MODES = 5, 12
PROVED = ("settled", "rival", "tie", "energy", "blow", "refused")
NO_SLACK = 1e-6
MODELS = {}


def model_of(name):
    if name not in MODELS:
        MODELS[name] = mc.load(name, **SIZES.get(name, {}))
    return MODELS[name]


# What both versions are asked
# ------------------------------------------------------------------------------------------


def instant(question):
    """The snapshot of a question: the model's own, with the chosen contacts closed."""
    snapshot = model_of(question["model"]).snapshot(question["q"], question["v"])
    gap = np.where(question["closed"], 0.0, 1.0)
    return replace(snapshot, gap=gap, **question.get("settled", {}))


def respond(question):
    """Modes and values at one instant."""
    snapshot = instant(question)
    inputs = snapshot.actuation.shape[1]
    response = mc.dynamic_response(snapshot, torque_limits=[(-LIMIT, LIMIT)] * inputs)
    rng = np.random.default_rng(question["seed"])
    size = snapshot.mass.shape[0] + snapshot.jacobian.shape[0]
    taus = rng.uniform(-LIMIT, LIMIT, size=(4, inputs)) * rng.choice([0.02, 1.0], size=(4, 1))
    goals, ways = rng.normal(size=(3, size + inputs)), rng.normal(size=(2, inputs))
    modes = list(response.modes)
    order = rng.permutation(4096)
    chosen = sorted(range(len(modes)), key=lambda i: order[i])[:MOST_MODES]
    answer = {"modes": modes, "at": [sorted(response.modes_at(tau)) for tau in taus], "taus": taus}
    answer["values"] = [extremes(response[modes[i]], goals, ways, size) for i in chosen]
    answer["best"] = best(response, snapshot, rng) if inputs and modes else None
    return answer


def extremes(mode, goals, ways, size):
    """Greatest values over one mode: of functions of (qdd, f, tau), and of directions over its torque set."""
    found = []
    for goal in goals:
        row = np.concatenate([goal[:size] @ mode.U[:size] + goal[size:], goal[:size] @ mode.W[:size]])
        found.append(mode.domain.maximize(row).value + goal[:size] @ mode.constant[:size])
    return found + [mode.torques.maximize(way).value for way in ways if len(way)]


def best(response, snapshot, rng):
    """The best sure inputs for one acceleration: (value, torque, acceleration, mode)."""
    name = snapshot.names.coordinates[int(rng.integers(len(snapshot.names.coordinates)))]
    found = mc.maximize(response, name)
    return (float(found.value), None if found.torque is None else np.array(found.torque), name, found.mode)


def run(question):
    """Positions and velocities of a run, or what the simulator said."""
    model, tau = model_of(question["model"]), question["tau"]
    try:
        path = mc.simulate(
            model,
            question["q"],
            question["v"],
            controller=(lambda t, q, v: tau) if len(tau) else None,
            duration=question["steps"] * 1e-3,
            step=1e-3,
            impact_speed=question.get("impact_speed"),
        )
    except Exception as error:
        return {"refused": type(error).__name__}
    return {"path": np.hstack([path.q, path.v])}


def serve():
    """The old side: questions in, answers out."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may be printed between the answers
    while True:
        try:
            kind, question = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = {"respond": respond, "run": run, "models": lambda _: mc.models()}[kind](question)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        pickle.dump(answer, out)
        out.flush()


class Old:
    """The old version in a process of its own."""

    def __init__(self, python, checkout):
        room = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
        command = [str(python), str(Path(__file__).resolve()), "--serve"]
        self.process = subprocess.Popen(
            command, env=room, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def send(self, kind, question):
        pickle.dump((kind, question), self.process.stdin)
        self.process.stdin.flush()

    def answer(self):
        return pickle.load(self.process.stdout)

    def ask(self, kind, question):
        self.send(kind, question)
        return self.answer()


# Random states
# ------------------------------------------------------------------------------------------


def configuration(model, rng, near):
    """Anywhere, or near the start; loops closed."""
    n = len(model.coordinates)
    q = np.array(model.start) + 0.1 * rng.normal(size=n) if near else rng.uniform(-np.pi, np.pi, size=n)
    if not model.snapshot(q).loop_jacobian.size:
        return q
    try:
        return model.settle(q)[0]
    except mc.ModeControlError:
        return np.array(model.start)


def state(name, rng):
    """A question about an instant."""
    model = model_of(name)
    k, n = len(model.contacts), len(model.coordinates)
    q = configuration(model, rng, rng.random() < 0.5)
    closed = np.zeros(k, bool)
    closed[rng.permutation(k)[: int(rng.integers(1, min(k, MOST_CLOSED) + 1))]] = True
    v = np.zeros(n)
    if rng.random() < 0.5:
        names = np.array(model.contacts, dtype=object)
        resting = closed & (rng.random(k) < 0.5)
        v = model.settle_velocity(
            q, rng.normal(size=n), zero_normal=list(names[closed]), zero_tangential=list(names[resting])
        )
    return {"model": name, "q": q, "v": v, "closed": closed, "seed": int(rng.integers(2**31))}


def start(name, rng, steps):
    """A question about a run."""
    model = model_of(name)
    q = np.array(model.start) + rng.choice([0.0, 0.01, 0.1]) * rng.normal(size=len(model.coordinates))
    v = rng.choice([0.0, 0.1, 1.0]) * rng.normal(size=len(q))
    try:
        q, v = model.settle(q, v)
    except mc.ModeControlError:
        q, v = np.array(model.start), np.zeros(len(q))
    tau = rng.choice([0.0, 1.0]) * rng.normal(size=len(model.inputs))
    return {"model": name, "q": q, "v": v, "tau": tau, "steps": steps}


# Comparisons
# ------------------------------------------------------------------------------------------


def apart(a, b):
    """Largest difference of two lists of values, relative to the largest value; infinite where only one is."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape or not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return np.inf
    fine = np.isfinite(a)
    if not np.array_equal(a[~fine], b[~fine]):
        return np.inf
    return float(np.abs(a[fine] - b[fine]).max(initial=0.0) / max(1.0, np.abs(a[fine]).max(initial=0.0)))


def judge(new, old, response, closed):
    """(word, largest difference) for two answers at one instant."""
    if "error" in old:
        return "wrong: " + old["error"], np.inf
    if new["modes"] != old["modes"]:
        return "modes", np.inf
    differ = [(tau, set(a) ^ set(b)) for tau, a, b in zip(new["taus"], new["at"], old["at"], strict=True)]
    if any(odd and not all(on_border(response, mode, tau) for mode in odd) for tau, odd in differ):
        return "modes_at", np.inf
    off = max((apart(a, b) for a, b in zip(new["values"], old["values"], strict=True)), default=0.0)
    if off > SAME:
        return "values", off
    if new["best"] is not None and not same_best(new["best"], old["best"]):
        return ("rival" if only_old_has_a_rival(response().snapshot, new, old, closed) else "best"), off
    return ("tie" if any(odd for _, odd in differ) else "same"), off


def same_best(new, old):
    if (new[1] is None) != (old[1] is None):
        return False
    return new[1] is None or abs(new[0] - old[0]) <= SAME * max(1.0, abs(old[0]))


def on_border(response, mode, tau):
    """Whether inputs lie on the border of a mode's torque set, to 1e-6."""
    found = response()
    if mode not in found.modes:
        return False
    torques = found[mode].torques
    slack = np.concatenate([torques.b - torques.A @ tau, -np.abs(torques.d - torques.C @ tau)])
    return abs(slack.min(initial=np.inf)) <= NEAR


def only_old_has_a_rival(snapshot, new, old, closed):
    """Whether raw programs find a rival at the old inputs and none at the new ones."""
    import rivals  # only the present side

    limits = [(-LIMIT, LIMIT)] * snapshot.actuation.shape[1]
    (_, tau, asked, mode), (_, mine, _, chosen) = old["best"], new["best"]
    if tau is None or rivals.rival(snapshot, closed, limits, mode, tau, asked) is None:
        return False
    return mine is None or rivals.rival(snapshot, closed, limits, chosen, mine, asked) is None


def compare_instant(question, old, old_side):
    """(word, difference) of one instant."""
    new = respond(question)
    kept = []

    def response():
        if not kept:
            inputs = model_of(question["model"]).inputs
            kept.append(mc.dynamic_response(instant(question), torque_limits=[(-LIMIT, LIMIT)] * len(inputs)))
        return kept[0]

    word, off = judge(new, old, response, question["closed"])
    if word in ("same", "tie", "rival"):
        return word, off
    s = response().problem.snapshot
    settled = {"drift": s.drift, "velocity": s.velocity, "loop_drift": s.loop_drift}
    again, off = judge(
        new, old_side.ask("respond", {**question, "settled": settled}), response, question["closed"]
    )
    return ("settled" if again in ("same", "tie", "rival") else word), off


def compare_run(question, old, old_side):
    """(word, difference) of one run."""
    word, off = judge_run(question, run(question), old)
    if word != "wrong":
        return word, off
    sharp = {**question, "impact_speed": NO_SLACK}
    again, _ = judge_run(sharp, run(sharp), old_side.ask("run", sharp))
    return ("blow" if again == "same" else word), off


def judge_run(question, new, old):
    """(word, difference) of two answers to one question about a run."""
    if "refused" in new or "refused" in old or "error" in old:
        return ("refused" if new.keys() == old.keys() else "wrong: one refused"), 0.0
    if new["path"].shape != old["path"].shape:
        return "wrong: length", np.inf
    scale = np.maximum(1.0, np.abs(new["path"]).max(axis=0))
    each = (np.abs(new["path"] - old["path"]) / scale).max(axis=1)
    if each.max() <= SAME:
        return "same", float(each.max())
    first = int(np.argmax(each > SAME))
    gains = [gain(question, new["path"][first - 1], side["path"][first]) for side in (new, old)]
    made_by_old = first > 0 and gains[0] <= 0.0 < gains[1]
    return ("energy" if made_by_old else "wrong"), float(each.max())


def gain(question, before, after):
    """Energy (kinetic, gravity, springs, compliant contacts) after a step beyond that before it and the work of the inputs."""
    model, half = model_of(question["model"]), len(before) // 2
    work = question["tau"] @ (model.tree.actuation.T @ (after[:half] - before[:half]))
    return energy(model, after) - energy(model, before) - work


def energy(model, state):
    q, v = np.split(state, 2)
    soft = np.isfinite(model.tree.stiffness)
    depth = np.minimum(model.contact_points(q).gap[soft], 0.0)
    return (
        model.kinetic_energy(q, v) + model.potential_energy(q) + 0.5 * model.tree.stiffness[soft] @ depth**2
    )


def campaign(name, asked, old):
    """Ask one model; words with their counts, and the largest difference where both agree."""
    rng = np.random.default_rng([asked.seed, *name.encode()])
    counts = {"respond": Counter(), "run": Counter()}
    largest = {"respond": 0.0, "run": 0.0}
    jobs = [("respond", state(name, rng)) for _ in range(asked.states)]
    if name != "rhex":  # massless legs stand in no simulation
        jobs += [("run", start(name, rng, asked.steps)) for _ in range(asked.runs)]
    for i, (kind, question) in enumerate(jobs):
        answer = old.ask(kind, question)
        word, off = (
            compare_instant(question, answer, old)
            if kind == "respond"
            else compare_run(question, answer, old)
        )
        counts[kind][word] += 1
        if word == "same":
            largest[kind] = max(largest[kind], off)
        elif word not in PROVED and asked.show:
            print(f"  {name}, {kind} {i}: {word}, {off:.1e}", question, flush=True)
    return counts, largest


def words(counter):
    return ", ".join(f"{word}: {count}" for word, count in counter.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", type=Path, default=OLD, help="a checkout of the numba version")
    parser.add_argument("--old-python", type=Path, help="its interpreter; default OLD/.venv/bin/python")
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", nargs="*", help="only these; default all that both versions ship")
    parser.add_argument(
        "--show", action="store_true", help="print the questions that were answered otherwise"
    )
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        return serve()
    old = Old(asked.old_python or asked.old / ".venv" / "bin" / "python", asked.old)
    begin, wrong = time.perf_counter(), 0
    print(f"{'model':<16}{'largest':>9}  {asked.states} instants")
    both = sorted({*mc.models()} & {*old.ask("models", None)})
    for name in asked.models or both:
        counts, largest = campaign(name, asked, old)
        print(f"{name:<16}{largest['respond']:>9.0e}  {words(counts['respond'])}")
        print(f"{'  runs':<16}{largest['run']:>9.0e}  {words(counts['run']) or 'none'}", flush=True)
        wrong += sum(
            count
            for counter in counts.values()
            for word, count in counter.items()
            if word not in ("same", *PROVED)
        )
    old.process.stdin.close()
    old.process.wait(timeout=60)
    print(f"{wrong} wrong, {time.perf_counter() - begin:.0f} s")
    return 1 if wrong or not both else 0


if __name__ == "__main__":
    sys.exit(main())
