"""What is called sure is sure: promises at hard instants, judged by raw linear programs.

    python campaigns/edges.py [--answers 20000] [--seed 1] [--kind KIND] [--add FILE]

Instants of the kinds of `hard_systems.py`; the programs of `mode_programs.py` share no code with the library. Judged are

    sure          inputs of `maximize` with guarantee "mode": every contact mode, strict or not, shows motions (M qdd, f) of the
                  returned mode only, that mode explains them, and they keep the limits
    value         the promised value is what the mode reaches in its worst case there
    task          the task holds there whatever the unknowns do
    margin        no other mode moves the mechanism otherwise within the margin
    outcome       inputs of guarantee "outcome": some mode explains them, and in all that do the value is reached and the task holds
    no less       that value is no less than the one promised of a mode
    controller    the same as `sure` and `task` for a decision of `MaximalThrust` that is not called ambiguous
    design        the same as `sure` for inputs of least effort
    alone         points of `unambiguous(mode)`, off its crossings: one motion
    none          points of `inconsistent()`: no mode explains them
    covered       inputs that no mode explains are inconsistent or inadmissible, and no others are
    explained     causes of an impossible mode contradict each other, and no longer do when any one of them is left out
    same          modes, sets and the best value stay when contacts, coordinates and inputs change places, when a contact far
                  away is added and when a rule is repeated

`bounded` counts regions given up for their many pieces; `open` questions that HiGHS left open or that lie within tolerance of a
border; `failed` errors that the library raised.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.errors import TooMuchWorkError

sys.path.insert(0, str(Path(__file__).resolve().parent))
from hard_systems import KINDS, LIMIT, case
from mode_programs import ENDLESS, ModeRows, all_modes
from moved_systems import moved
from tallies import Tallies

CHECKS = (
    "sure",
    "value",
    "task",
    "margin",
    "outcome",
    "no less",
    "controller",
    "design",
    "alone",
    "none",
    "covered",
    "explained",
    "same",
)
APART = 1e-4
"""Motions that differ by this part are different."""
NEAR = 1e-7
"""An input is judged when loosening or tightening every inequality by this changes nothing."""
OWN = 5e-8
"""The returned mode is asked with inequalities loosened by this: a billionth of the loads, which are 20 to 50 N here."""
LOOKS = 1000
"""Pieces that a search for a promised outcome may look at."""
CLEAR = 5e-5
"""Best values of the same instant may differ by this part: inputs keep off rivals by a millionth of their natural size."""
LIFT = 1e-5
"""An impossible mode is asked for accelerations of this size where its letters are strict."""


class OneInstant:
    """As much of a model as a controller asks for."""

    def __init__(self, snapshot):
        self.only = snapshot
        self.coordinates, self.inputs = snapshot.names.coordinates, snapshot.names.inputs
        self.contacts = snapshot.names.contacts

    def snapshot(self, q=None, v=None):
        return self.only

    def settle_velocity(self, q, v, **held):
        return v


class Judge:
    """All answers about one instant."""

    def __init__(self, made, rng, tally, wrong, name):
        self.made, self.rng, self.tally, self.wrong, self.name = made, rng, tally, wrong, name
        self.low, self.high = np.array(made.box, float).reshape(-1, 2).T
        self.response = respond(made)
        settled = self.response.snapshot
        self.s = {**made.s, "velocity": np.array(settled.velocity), "drift": np.array(settled.drift)}
        self.snapshot = settled
        self.t = len(made.box)
        physical = [row for rule in made.physical for row in rows_of(rule, settled)]
        self.raw = {mode: ModeRows(self.s, mode, physical) for mode in all_modes(self.s)}
        self.wishes = [row for rule in made.task for row in rows_of(rule, settled)]
        self.physical = physical

    def judge(self, check, ok, detail):
        self.tally[check] += 1
        if not ok:
            self.wrong.append((self.name, check, *map(str, detail)))

    # what happens at one input ------------------------------------------------------------------------------

    def allowed(self, tau):
        """Whether inputs keep limits and physical rules about inputs alone."""
        return np.all(tau >= self.low - NEAR) and np.all(tau <= self.high + NEAR)

    def beyond(self, mode, tau):
        """By how much each mode that explains the inputs leaves the motions of one mode: {mode: distance}; None when open."""
        mine = self.raw[mode].motions(tau, OWN)
        if mine is None or np.isnan(mine).any():
            return None if mine is not None else {mode: np.inf}
        found = {}
        for other, rows in self.raw.items():
            its = rows.motions(tau)
            if its is None:
                continue
            if np.isnan(its).any():
                return None
            size = 1.0 + np.abs(its[np.abs(its) < ENDLESS]).max(initial=0.0)
            over = max((mine[:, 0] - its[:, 0]).max(initial=0.0), (its[:, 1] - mine[:, 1]).max(initial=0.0))
            found[other] = over / size
        return found

    def one_motion(self, check, mode, tau, **what):
        found = self.beyond(mode, tau)
        if found is None or any(0.01 * APART < over < APART for over in found.values()):
            self.tally["open"] += 1
            return
        worst = {other: over for other, over in found.items() if over >= APART}
        self.judge(check, self.allowed(tau) and not worst, (mode, tau.tolist(), worst, what))

    def least(self, mode, tau, row, slack=1e-9):
        """Least value of a row over (qdd, f, tau) in one mode at one input."""
        rows = self.raw[mode]
        lead = rows.n + 2 * rows.k
        c = np.zeros(rows.m)
        c[:lead] = row[:lead]
        return -rows.at(tau, -c, slack) + row[lead:] @ tau

    def keeps_task(self, check, mode, tau):
        for row, level, equality, label in self.wishes:
            least, most = self.least(mode, tau, row), -self.least(mode, tau, -row)
            if np.isnan(least) or np.isnan(most):
                continue
            size = 1e-6 * (1.0 + abs(level) + np.abs(tau).max(initial=0.0))
            ok = least >= level - size and (not equality or most <= level + size)
            self.judge(check, ok, (mode, label, tau.tolist(), least, most))

    # promises -----------------------------------------------------------------------------------------------

    def goal(self):
        """A goal: names, or the normal of a facet of a torque set."""
        words = ["tau1", "q1", "-q1"] + (["c1.normal", "c1.tangent"] if self.s["friction"].size else [])
        if self.made.facet and self.response.modes:
            mode = self.rng.choice(self.response.modes)
            torques = self.response[str(mode)].torques
            if len(torques.A):
                row = torques.A[self.rng.integers(len(torques.A))]
                return " + ".join(f"{value!r} * tau{j + 1}" for j, value in enumerate(row.tolist()))
        return str(self.rng.choice(words))

    def promises(self):
        goal = self.goal()
        row, constant = goal_row(goal, self.snapshot)
        best = mc.maximize(self.response, goal, margin=self.made.margin)
        if best:
            self.one_motion("sure", best.mode, best.torque, goal=goal, margin=self.made.margin)
            # rows loosened by 1e-9, or not at all: a great coefficient makes much of the little
            worst, exact = (
                self.least(best.mode, best.torque, row, slack) + constant for slack in (1e-9, 0.0)
            )
            close = min(abs(worst - best.value), abs(exact - best.value)) <= 2e-6 * (1.0 + abs(worst))
            self.judge("value", np.isnan(worst) or close, (goal, best.mode, best.value, worst))
            self.keeps_task("task", best.mode, best.torque)
            self.within_margin(best)
        self.outcome(goal, row, constant, best)
        self.controller(goal, best)
        found = (
            mc.design(self.response, "effort", margin=self.made.margin) if self.rng.random() < 0.2 else None
        )
        if found:
            self.one_motion("design", found.mode, found.torque)

    def within_margin(self, best):
        if not self.made.margin:
            return
        reach = min(self.made.margin, 4 * LIMIT)
        for _ in range(2):
            step = self.rng.normal(size=self.t)
            tau = best.torque + 0.98 * reach * step / np.linalg.norm(step)
            tau = np.clip(tau, self.low, self.high)
            others = [
                mode
                for mode, rows in self.raw.items()
                if mode != best.mode and mode in self.response and rows.at(tau, slack=-NEAR) > -np.inf
            ]
            mine = self.raw[best.mode].motions(tau, 1e-9)
            bad = [
                mode
                for mode in others
                if mine is None or (self.beyond(best.mode, tau) or {}).get(mode, 0) > APART
            ]
            self.judge("margin", not bad, (best.mode, best.torque.tolist(), tau.tolist(), bad))

    def outcome(self, goal, row, constant, sure):
        best = mc.maximize(self.response, goal, margin=self.made.margin, guarantee="outcome", patience=LOOKS)
        if not best:
            if "patience" in best.reason:
                self.tally["open"] += 1
            else:
                self.judge("no less", not sure, (goal, "refused where a mode was promised", sure.value))
            return
        there = [mode for mode, rows in self.raw.items() if rows.at(best.torque) > -np.inf]
        worst = min((self.least(mode, best.torque, row, 0.0) for mode in there), default=np.inf) + constant
        ok = (
            bool(there) and worst >= best.value - 2e-6 * (1.0 + abs(best.value)) and self.allowed(best.torque)
        )
        self.judge("outcome", ok, (goal, best.torque.tolist(), best.value, worst, there))
        less = sure and best.value < sure.value - 1e-6 * (1.0 + abs(sure.value))
        self.judge("no less", not less, (goal, best.torque.tolist(), best.value, sure.value))
        for mode in there:
            self.keeps_task("outcome", mode, best.torque)

    def controller(self, goal, best):
        made, friction = self.made, self.snapshot.friction_interval
        if friction is not None or made.velocity_tolerance > 1e-6:
            return
        control = mc.MaximalThrust(
            OneInstant(self.snapshot),
            goal,
            v0=1e-9,
            gap=1e-9,
            leaving=1e-9,
            margin=made.margin,
            patience=10**6,
            physical=made.physical,
            task=made.task,
        )
        nothing = np.zeros(len(self.s["bias"]))
        control(0.0, nothing, nothing)
        told = control.decisions[-1]
        if told.mode is None or told.ambiguous:
            self.judge("controller", not best, (goal, told.fallback, best.value))
            return
        self.one_motion("controller", told.mode, told.torque, fallback=told.fallback)
        if told.fallback != "task dropped":
            self.keeps_task("controller", told.mode, told.torque)

    # regions ------------------------------------------------------------------------------------------------

    def regions(self):
        modes = self.response.modes
        for mode in self.rng.permutation(modes)[:4]:
            try:
                region = self.response.unambiguous(str(mode), demand="some")
            except TooMuchWorkError:
                self.tally["bounded"] += 1
                continue
            for piece in region.pieces[:3]:
                tau = inside(piece, self.rng)
                if tau is None or any(c.torques.contains(tau) for c in region.crossings):
                    continue
                self.one_motion("alone", str(mode), tau)
        try:
            empty = self.response.inconsistent()
        except TooMuchWorkError:
            self.tally["bounded"] += 1
            return
        for piece in empty.pieces[:4]:
            tau = inside(piece, self.rng)
            if tau is None or not empty.contains(tau):
                continue
            there = [mode for mode, rows in self.raw.items() if rows.at(tau) > -np.inf]
            self.judge("none", not there, (tau.tolist(), there))
        self.covered(empty)

    def covered(self, empty):
        for turn in range(6):
            tau = self.low + (self.high - self.low) * self.rng.random(self.t)
            if turn % 2:
                tau = np.where(self.rng.random(self.t) < 0.6, np.clip(0.0, self.low, self.high), tau)
            elif turn == 4 and not self.response.admissible.is_all:
                tau = inside(self.response.admissible.torques, self.rng)
            if tau is None or not self.response.torque_set.contains(tau):
                continue
            strictly = any(rows.at(tau, slack=-NEAR) > -np.inf for rows in self.raw.values())
            loosely = any(rows.at(tau, slack=NEAR) > -np.inf for rows in self.raw.values())
            told = bool(self.response.modes_at(tau))
            none = bool(empty.contains(tau))
            if not loosely:
                ok = not told and (none or not self.response.admissible.torques.contains(tau))
            elif strictly or any(rows.at(tau) > -np.inf for rows in self.raw.values()):
                ok = told and not none
            else:
                self.tally["open"] += 1
                ok = told != none
            self.judge("covered", ok, (tau.tolist(), strictly, loosely, told, none))

    # explanations -------------------------------------------------------------------------------------------

    def explanations(self):
        for mode in self.rng.permutation(list(self.raw))[:4]:
            mode = str(mode)
            if mode in self.response:
                continue
            told = self.response.explain(mode)
            rows = self.limited(mode)
            if told.possible or told.stage == "tolerance":
                self.judge("explained", not told.possible and not rows.possible(LIFT), (mode, told.text))
                continue
            causes = set(told.causes)
            unknown = causes - {*rows.labels, *rows.equal_labels}
            ok = not unknown and not rows.possible(LIFT, causes)
            spare = [cause for cause in causes if not rows.possible(LIFT, causes - {cause})]
            self.judge("explained", ok and not spare, (mode, told.text, unknown, "spare", spare))

    def limited(self, mode):
        """The rows of a mode with the limits."""
        n, k = len(self.s["bias"]), len(self.s["friction"])
        rows = list(self.physical)
        for j in range(self.t):
            unit = np.eye(n + 2 * k + self.t)[n + 2 * k + j]
            if self.low[j] == self.high[j]:
                rows.append((unit, self.low[j], True, f"tau{j + 1} limits"))
            rows.append((unit, self.low[j], False, f"tau{j + 1} lower limit"))
            rows.append((-unit, -self.high[j], False, f"tau{j + 1} upper limit"))
        return ModeRows(self.s, mode, rows)

    # the same in other words --------------------------------------------------------------------------------

    def same(self):
        other, way = moved(self.made, self.rng)
        theirs = respond(other)
        renamed = sorted(way.mode(mode) for mode in self.response.modes)
        self.judge("same", renamed == theirs.modes, (way.word, renamed, theirs.modes))
        for _ in range(3):
            tau = self.low + (self.high - self.low) * self.rng.random(self.t)
            mine = sorted(way.mode(mode) for mode in self.response.modes_at(tau))
            self.judge("same", mine == theirs.modes_at(way.inputs(tau)), (way.word, tau.tolist(), mine))
        goal = str(self.rng.choice(["tau1", "q1"]))
        a = mc.maximize(self.response, goal, margin=self.made.margin)
        b = mc.maximize(theirs, way.goal(goal), margin=self.made.margin)
        close = a.value == b.value or abs(a.value - b.value) <= CLEAR * (1.0 + abs(a.value))
        self.judge("same", close, (way.word, goal, a.mode, a.value, b.mode, b.value, a.reason, b.reason))


def respond(made):
    """The response of the library."""
    s = dict(made.s)
    if made.no_width:
        s["friction"] = (s["friction"], s["friction"])
    return mc.dynamic_response(
        mc.Snapshot(**s, torque_limits=made.box),
        physical=made.physical,
        task=made.task,
        velocity_tolerance=made.velocity_tolerance,
    )


def rows_of(rule, snapshot):
    """A rule of the cases as `(row over (qdd, f, tau), level, equality, label)`, read by hand."""
    left, sign, right = rule.partition(" == ") if " == " in rule else rule.partition(rule.split()[-2])
    row, constant = goal_row(left.strip(), snapshot)
    level = float(right) - constant
    flip = -1.0 if sign.strip() == "<=" else 1.0
    return [(flip * row, flip * level, sign.strip() == "==", rule)]


def goal_row(text, snapshot):
    """A sum of named quantities as a row over (qdd, f, tau)."""
    names = [*snapshot.names.coordinates]
    names += [f"{contact}.{way}" for contact in snapshot.names.contacts for way in ("normal", "tangent")]
    names += snapshot.names.inputs
    row = np.zeros(len(names))
    for part in text.replace(" - ", " + -1 * ").split(" + "):
        *factor, name = part.split(" * ")
        sign = -1.0 if name.startswith("-") else 1.0
        row[names.index(name.lstrip("-"))] += sign * float(np.prod([float(f) for f in factor]))
    return row, 0.0


def inside(piece, rng):
    """A random point in the relative interior of a bounded piece; None where there is none to be had."""
    if piece.is_empty or not piece.is_bounded:
        return None
    corners = piece.vertices
    if not len(corners):
        return None
    return rng.dirichlet(np.ones(len(corners))) @ corners


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, help="instants of one kind alone")
    parser.add_argument("--only", type=int, help="the instant with this number alone")
    parser.add_argument("--add", metavar="FILE", help="add up with runs of other seeds that are kept there")
    asked = parser.parse_args()
    kinds = KINDS if asked.kind is None else (asked.kind,)
    tallies = Tallies(KINDS, asked.seed, asked.add)

    def answers():
        return sum(count[check] for count in tallies.counts.values() for check in CHECKS)

    start, before, i = time.process_time(), answers(), 0
    if asked.only is not None:
        i = asked.only
    while answers() < before + asked.answers:
        kind = kinds[i % len(kinds)]
        rng = np.random.default_rng([asked.seed, KINDS.index(kind), i])
        tally = tallies.counts[kind]
        tally["instants"] += 1
        made = case(rng, kind)
        begin = time.process_time()
        try:
            judge = Judge(made, rng, tally, tallies.wrong, (kind, i, asked.seed))
            judge.promises()
            judge.regions()
            judge.explanations()
            judge.same()
        except Exception as error:
            tally["failed"] += 1
            tallies.wrong.append(((kind, i, asked.seed), "failed", type(error).__name__, str(error)[:300]))
        tally["longest, ms"] = max(tally["longest, ms"], 1e3 * (time.process_time() - begin))
        i += 1
        if asked.only is not None:
            break
    columns = ("instants", *CHECKS, "open", "bounded", "failed")
    return tallies.show(columns, CHECKS, time.process_time() - start)


if __name__ == "__main__":
    sys.exit(main())
