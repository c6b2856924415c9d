"""What is answered beside singular friction: modes, regions, best inputs, decisions and designs, judged in exact rationals by z3.

    python campaigns/singular.py [--systems 70] [--seed 1] [--kinds legs rod]

Each system of `singular_systems.py` has the friction at which a mode's equations are singular, and is asked anew at relative
detunings 0, +-1e-12 to +-1e-4. Every float is taken for the rational number that it is; equations are z3's (`singular_judge.py`).

    list        a mode that is listed has an answer (to 3e-8), one that is not has none with room (1e-5) and moderate motions
    at          the same for `modes_at`, at random inputs, at none, and at inputs that z3 and the torque sets of modes give
    one         `answer_at` names a mode that shows every motion there is at these inputs
    region      the same at the middles of the pieces of `unambiguous`; no answer exists at those of `inconsistent`
    mode        the same at the inputs of `maximize` and all within 1e-9 of their natural size, with and without a margin
    outcome     `maximize` with that guarantee: an answer exists, and none gives less
    hoped       without a guarantee: the mode has an answer with that value there
    control     a decision of `MaximalThrust` that is not called ambiguous: as `mode`, and as `outcome`
    design      as `mode` and `outcome`, for effort, track and margin
    friction    `friction_margin` and `friction_interval` at frictions drawn from them

`refused` counts answers that say nothing is sure, `unchecked` errors that say so. `edge` counts disagreements about whether a mode
exists whose motions are beyond `GREAT` times the loads: rounding of the friction's last digits alone makes or ends it.
"""

import argparse
import sys
import time
from collections import Counter
from copy import copy
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import z3
from controlled_instants import decide
from mode_programs import ModeRows, all_modes
from singular_judge import AllAnswers, number, total
from singular_systems import DETUNINGS, KINDS, placed

import modecontrol as mc
from modecontrol.errors import TooMuchWorkError, UncheckedError
from modecontrol.thrust.objective import Objective

CHECKS = ("list", "at", "one", "region", "mode", "outcome", "hoped", "control", "design", "friction")
COLUMNS = (*CHECKS, "refused", "unchecked", "edge", "wrong")
LOOSE, ROOM, SAME, NEAR = 3e-8, 1e-5, 1e-4, 1e-10
ROUNDED = 1e-13
"""Equations of shipped models hold to rounding."""
GREAT, STEEP = 1e4, 1e-4


class Trial:
    """All questions about one system at one detuning."""

    def __init__(self, system, detuning, rng, note):
        self.system, self.rng, self.note = system, rng, note
        self.s, self.box = system.beside(detuning), system.box
        exact = system.exact
        self.exact = AllAnswers(self.s, self.box, 0.0 if exact else ROUNDED)
        self.loose = AllAnswers(self.s, self.box, LOOSE)
        self.response = mc.dynamic_response(mc.Snapshot(**self.s), torque_limits=self.box)
        self.sizes = self.response.problem.input_sizes
        self.size = self.exact.size
        self.names = self.response.problem.names.inputs
        self.modes = all_modes(self.s)

    # What is true ----------------------------------------------------------------------------------------------

    def exists_clearly(self, mode, tau=None):
        """Whether a mode has an answer with room in its strict rows, and whether one with moderate motions."""
        room = self.room(mode)
        if self.exact.answer(tau, mode, 0.0, *room) is None:
            return False, False
        limit = number(GREAT * self.size)
        moderate = [
            z3.And(x <= limit, x >= -limit)
            for x in self.exact.u[self.exact.n : self.exact.n + 2 * self.exact.k]
        ]
        return True, self.exact.answer(tau, mode, 0.0, *room, *moderate) is not None

    def room(self, mode):
        """That accelerations and forces of a mode are off zero."""
        made, s, u, n = [], self.s, self.exact.u, self.exact.n
        least = ROOM * self.size
        for i, letter in enumerate(mode):
            J, d = s["jacobian"][2 * i : 2 * i + 2], s["drift"][2 * i : 2 * i + 2]
            free = s["velocity"][2 * i + 1] == 0
            if letter == "S" and s["gap"][i] <= 0 and s["velocity"][2 * i] == 0:
                made.append(total(J[0], u[:n]) >= number(least - d[0]))
            elif letter in "LR" and free:
                way = 1.0 if letter == "R" else -1.0
                made.append(total(way * J[1], u[:n]) >= number(least - way * d[1]))
        return made

    def unlike(self, mode, tau, within=0.0):
        """A motion at these inputs that the mode does not show there, or None."""
        own = self.exact.answer(tau, mode)
        if own is None:
            own = self.loose.answer(tau, mode)
            if own is None:
                return "no such mode", mode
        rows = self.exact.motion_rows()
        motion = [sum(Fraction(a) * x for a, x in zip(row, own[1], strict=True)) for row in rows]
        near = SAME * max(self.size, *(abs(float(x)) for x in motion))
        other = self.exact.answer(
            tau, None, within, z3.Not(z3.And(self.exact.mode(mode))), self.exact.differs(motion, near)
        )
        if other is None:
            return None
        seen = [sum(Fraction(a) * x for a, x in zip(row, other[1], strict=True)) for row in rows]
        shown = self.loose.answer(other[2], mode, 0.0, z3.Not(self.loose.differs(seen, near)))
        if shown is not None:
            return None
        return other[0], [float(x) for x in seen], [float(x) for x in motion], other[2].astype(float).tolist()

    # Questions -------------------------------------------------------------------------------------------------

    def judge(self, check, fault, detail=()):
        """Count a comparison; `fault` says what is wrong, None that nothing is."""
        self.note(check, None if fault is None else (fault, detail))

    def listed(self):
        for mode in self.modes:
            if mode in self.response.modes:
                fault = None if self.loose.answer(None, mode) is not None else "listed, impossible"
                self.judge("list", fault, mode)
            else:
                self.missing("list", mode, None)

    def missing(self, check, mode, tau):
        """A mode that the library does not name."""
        clearly, moderately = self.exists_clearly(mode, tau)
        if clearly and (not moderately or self.is_steep(mode)):
            self.note("edge", None)
        else:
            self.judge(check, "not named" if clearly else None, (mode, None if tau is None else tau.tolist()))

    def is_steep(self, mode):
        """Whether the equations of a mode are singular but for a small part."""
        rows = ModeRows(self.s, mode)
        values = np.linalg.svd(rows.C, compute_uv=False)
        return bool(np.any((values < STEEP) & (values > 1e-15)))

    def inputs(self):
        """Inputs to ask about: random ones, none, and those that torque sets and z3 give."""
        low, high = np.array(self.box, float).reshape(-1, 2).T
        low, high = np.maximum(low, -50.0), np.minimum(high, 50.0)
        made = [low + self.rng.random(len(low)) * (high - low) for _ in range(3)]
        made.append(np.clip(np.zeros(len(low)), low, high))
        for mode in self.rng.permutation(self.response.modes)[:4]:
            torques = self.response[str(mode)].torques
            goal = self.rng.normal(size=len(low))
            found = torques.maximize(goal if self.rng.random() < 0.5 else 0 * goal).point
            made += [] if found is None else [found]
        for mode in [self.system.mode, *self.rng.permutation(self.modes)[:3]]:
            found = self.exact.answer(None, str(mode))
            made += [] if found is None else [found[2].astype(float)]
        return [np.clip(tau, low, high) for tau in made]

    def at_inputs(self):
        for tau in self.inputs():
            named = self.response.modes_at(tau)
            for mode in self.modes:
                if mode in named:
                    fault = None if self.loose.answer(tau, mode) is not None else "named, impossible"
                    self.judge("at", fault, (mode, tau.tolist()))
                elif mode in self.response.modes:
                    self.missing("at", mode, tau)
            mode = self.response.answer_at(tau)
            if mode is None:
                self.note("refused", None)
            else:
                self.judge("one", self.unlike(mode, tau), (mode, tau.tolist()))

    def regions(self):
        for mode in self.response:
            region = self.response.unambiguous(mode)
            for piece in list(region)[:3]:
                centre = piece.chebyshev.centre
                if centre is not None and not any(c.torques.contains(centre) for c in region.crossings):
                    self.judge("region", self.unlike(mode, centre), (mode, centre.tolist()))
        for piece in list(self.response.inconsistent())[:4]:
            centre = piece.chebyshev.centre
            if centre is not None:
                found = self.exact.answer(centre)
                self.judge("region", None if found is None else ("has an answer", found[0]), centre.tolist())

    def promised_mode(self, check, mode, tau):
        within = NEAR * float(np.min(self.sizes, initial=np.inf)) if len(tau) else 0.0
        self.judge(check, self.unlike(mode, tau, within), (mode, np.asarray(tau).tolist()))

    def promised_outcome(self, check, goal, tau, value):
        if self.exact.answer(tau) is None and self.loose.answer(tau) is None:
            self.judge(check, "no answer there", np.asarray(tau).tolist())
            return
        objective = Objective.of(goal, self.response.snapshot)
        least = value - objective.constant - SAME * max(1.0, self.size, abs(value))
        worse = self.exact.answer(tau, None, 0.0, self.exact.less(objective.row, least))
        self.judge(
            check, None if worse is None else ("less", worse[0]), (goal, np.asarray(tau).tolist(), value)
        )

    def best(self):
        goals = ["q1", "q2", *(["c1.normal", "-1.0 * c1.normal"] if self.exact.k else []), *(self.names[:1])]
        for goal in self.rng.permutation(goals)[:2]:
            goal = str(goal)
            for margin in (0.0, 0.1):
                best = mc.maximize(self.response, goal, margin=margin)
                if best:
                    self.promised_mode("mode", best.mode, best.torque)
                else:
                    self.note("refused", None)
            best = mc.maximize(self.response, goal, guarantee="outcome", patience=400)
            if best:
                self.promised_outcome("outcome", goal, best.torque, best.value)
            else:
                self.note("refused", None)
            best = mc.maximize(self.response, goal, guarantee="none")
            if best:
                objective = Objective.of(goal, self.response.snapshot)
                n = self.loose.n + 2 * self.loose.k
                value = total(objective.row[:n], self.loose.u[:n]) + total(objective.row[n:], self.loose.tau)
                near = SAME * max(1.0, self.size, abs(best.value))
                reached = value >= number(best.value - objective.constant - near)
                there = self.loose.answer(best.torque, best.mode, 1e-7 * self.size, reached)
                fault = None if there is not None else "not reached"
                self.judge("hoped", fault, (goal, best.mode, best.torque.tolist(), best.value))
            self.control(goal)

    def control(self, goal):
        limits = np.array(self.box, float).reshape(-1, 2)
        for guarantee in ("mode", "outcome"):
            made = decide(self.response, goal, limits, guarantee=guarantee, patience=100_000)
            if made.mode is None or made.ambiguous or made.fallback:
                self.note("refused", None)
            elif guarantee == "mode":
                self.promised_mode("control", made.mode, made.torque)
            else:
                self.promised_outcome("control", goal, made.torque, made.value)

    def designs(self):
        if not len(self.names):
            return
        for goal, options in (("effort", {}), ("track", {"wanted": {"q1": 1.0}}), ("margin", {})):
            for guarantee in ("mode", "outcome"):
                found = mc.design(self.response, goal, guarantee=guarantee, patience=400, **options)
                if not found or found.torque is None:
                    self.note("refused", None)
                elif guarantee == "mode":
                    self.promised_mode("design", found.mode, found.torque)
                elif goal == "track":
                    self.promised_track(found)
                elif self.exact.answer(found.torque) is None and self.loose.answer(found.torque) is None:
                    self.judge("design", "no answer there", (goal, guarantee, found.torque.tolist()))
                else:
                    self.judge("design", None)

    def promised_track(self, found):
        error = float(np.sqrt(found.value))
        far = number(error + SAME * max(1.0, self.size))
        off = self.exact.u[0] - 1
        worse = self.exact.answer(found.torque, None, 0.0, z3.Or(off > far, off < -far))
        exists = self.exact.answer(found.torque) or self.loose.answer(found.torque)
        fault = "no answer there" if exists is None else None if worse is None else ("worse", worse[0])
        self.judge("design", fault, ("track", found.torque.tolist(), found.value))

    def frictions(self):
        for tau in self.inputs()[-2:]:
            rho = self.response.friction_margin(tau)
            if rho > 0:
                friction = np.array(self.s["friction"], float) * (1 + rho * self.rng.uniform(-0.99, 0.99))
                there, s = copy(self), {**self.s, "friction": friction}
                there.s, there.exact, there.loose = s, AllAnswers(s, self.box), AllAnswers(s, self.box, LOOSE)
                mode = self.response.answer_at(tau)
                fault = "no answer named" if mode is None else there.unlike(mode, tau)
                self.judge("friction", fault, (rho, tau.tolist()))
            for mode in self.response.modes_at(tau)[:2]:
                i = int(self.rng.integers(len(self.s["friction"])))
                found = self.response.friction_interval(tau, mode, self.response.problem.names.contacts[i])
                if found is None:
                    continue
                if not np.isfinite(found[0]):
                    self.judge("friction", "no number", (mode, i, found, tau.tolist()))
                    continue
                low, high = found[0], min(found[1], max(4.0, 2 * found[0]))
                friction = np.array(self.s["friction"], float)
                friction[i] = low + self.rng.random() * (high - low)
                exists = AllAnswers({**self.s, "friction": friction}, self.box, LOOSE).answer(tau, mode)
                self.judge(
                    "friction",
                    None if exists else "not with this friction",
                    (mode, i, friction[i], tau.tolist()),
                )

    def run(self):
        for part in (self.listed, self.at_inputs, self.regions, self.best, self.designs, self.frictions):
            try:
                part()
            except (UncheckedError, TooMuchWorkError) as error:
                self.note("unchecked", (part.__name__, str(error)[:150]))
            except RuntimeError:
                self.note("undecided", None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--detunings", type=float, nargs="+", default=DETUNINGS)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of systems")
    parser.add_argument(
        "--verbose", action="store_true", help="show each wrong answer and each error when it comes"
    )
    asked = parser.parse_args()
    tallies, wrong, start = {}, [], time.process_time()
    for i in range(asked.systems) if asked.only is None else asked.only:
        kind = asked.kinds[i % len(asked.kinds)]
        system = placed(np.random.default_rng([asked.seed, i]), kind)
        if system is None:
            continue
        for detuning in dict.fromkeys(sign * size for size in asked.detunings for sign in (1.0, -1.0)):
            rows = [tallies.setdefault(key, Counter()) for key in (kind, f"{abs(detuning):g}")]

            def note(what, fault, name=(kind, i, detuning), rows=rows):
                for row in rows:
                    row[what] += 1
                    row["wrong"] += fault is not None and what != "unchecked"
                if fault is not None:
                    wrong.append((*name, what, *fault)) if what != "unchecked" else None
                    if asked.verbose:
                        print(*name, what, *fault, flush=True)

            try:
                Trial(system, detuning, np.random.default_rng([asked.seed, i, 7]), note).run()
            except UncheckedError as error:
                note("unchecked", ("response", str(error)[:150]))
    words = (*(kind for kind in KINDS if kind in tallies), *(f"{abs(d):g}" for d in asked.detunings))
    print(f"{'':10}" + "".join(f"{column:>10}" for column in COLUMNS))
    for word in words:
        print(f"{word:10}" + "".join(f"{tallies.get(word, {}).get(column, 0):>10}" for column in COLUMNS))
    judged = sum(tallies[kind][check] for kind in KINDS if kind in tallies for check in CHECKS)
    print(
        f"{judged} answers, {len(wrong)} wrong, seed {asked.seed}, {time.process_time() - start:.0f} s of CPU time"
    )
    for case in [] if asked.verbose else wrong[:20]:
        print("WRONG", *case)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
