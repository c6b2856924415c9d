"""How much friction a state bears before the number of answers can change (determinism certificate, T7).

At rest Coulomb's law is a fan of four cones in the plane of a contact, each with two generators in order:

    S  (e_at, e_an)      L  (-e_at, l)      F  (l, r)      R  (r, e_at)            l = (f_n, f_t) = (1, mu),  r = (1, -mu)

and one of two rays when it slides: `e_an` (S) and minus `l` or `r`. With the equations of motion and of the contacts,

    M qdd - J^T f - G^T lam = S tau - h,      J qdd - a = -d,      G qdd = -d_loop,

the unknowns of a mode are `qdd`, the coefficients of its generators and `lam`; `K_c` is its matrix. If `det K_c` is nonzero with
one sign for all letters in `{S, F, L(lo), L(hi), R(lo), R(hi)}` (it is affine in every coefficient, so the ends decide), the number
of answers is the same for all generic loads and all friction in the box. A wrong sign means that some load has more answers.

The determinants are those of the blocks of the contacts after one mode's matrix has been taken out as a common factor, so
a singular mass matrix does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import SIGN_UNKNOWN
from modecontrol.modes.problem import Problem
from modecontrol.modes.surely_possible import box_of

MOST_LETTERS = 300_000
"""Combinations of letters that are looked at; with six letters a contact that is seven contacts at rest."""


@dataclass(frozen=True, eq=False)
class CriticalFriction:
    """Up to which friction the number of answers surely stays what it is; false when that stays open.

    Attributes
    ----------
    status
        "critical" (there is a bound), "never" (any friction will do) or "undecided".
    reason
        A sentence.
    scale
        For all coefficients from 0 up to `scale` times those that are known (their greatest values) the number of
        answers is the same; 0 when undecided.
    friction
        (k,) the coefficients at the bound.
    certified
        Whether what is known of friction, as a box, is certified.
    mode
        The letters whose determinant vanishes at the bound, or fails the test.
    answers
        How many answers every generic load has up to the bound; 0 when undecided.
    """

    status: str
    reason: str
    scale: float
    friction: np.ndarray
    certified: bool
    mode: str = ""
    answers: int = 0
    _fan: Fan | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.status != "undecided"

    def matrix(self, mode: str, friction: np.ndarray) -> np.ndarray:
        """`K_c` in the units of the snapshot, for a check of the certificate by other means.

        Parameters
        ----------
        mode
            Contact mode string.
        friction
            (k,) coefficients.
        """
        assert self._fan is not None
        return self._fan.matrix(mode, np.asarray(friction, float))


@dataclass(frozen=True, eq=False)
class Fan:
    """The equations of an instant with the generators of its contacts.

    Attributes
    ----------
    base
        Columns of `qdd` and `lam`.
    generators
        For each closed contact the columns of `e_an`, `e_at`, `f_n`, `f_t` (4, size).
    slip
        (k,) which way each contact slides; None for one that is open.
    """

    base: np.ndarray
    generators: tuple[np.ndarray | None, ...]
    slip: tuple[int | None, ...]

    @staticmethod
    def of(problem: Problem) -> Fan:
        """The fan of an instant. A sliding contact has no row for its tangential acceleration."""
        s, touching = problem.snapshot, problem.touching
        slip = tuple(
            None if free else int(way) for free, way in zip(touching.free, touching.slip, strict=True)
        )
        rows = [
            (2 * i + part)
            for i, way in enumerate(slip)
            if way is not None
            for part in ((0, 1) if way == 0 else (0,))
        ]
        n, loops = s.mass.shape[0], s.loop_jacobian.shape[0]
        size = n + len(rows) + loops
        base = np.zeros((size, n + loops))
        base[:n, :n], base[:n, n:] = s.mass, -s.loop_jacobian.T
        base[n : n + len(rows), :n], base[n + len(rows) :, :n] = s.jacobian[rows], s.loop_jacobian
        generators: list[np.ndarray | None] = []
        for i, way in enumerate(slip):
            if way is None:
                generators.append(None)
                continue
            of_contact = np.zeros((4, size))
            for part in (0, 1):
                if 2 * i + part in rows:
                    of_contact[part, n + rows.index(2 * i + part)] = -1.0
                of_contact[2 + part, :n] = -s.jacobian[2 * i + part]
            generators.append(of_contact)
        return Fan(base, tuple(generators), slip)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of each contact: those whose cones have friction come last."""
        return tuple({None: "S", 0: "SFLR", 1: "SR", -1: "SL"}[way] for way in self.slip)

    def columns(self, contact: int, letter: str, mu: float) -> list[np.ndarray]:
        """Generators of one cone of a contact."""
        of_contact = self.generators[contact]
        if of_contact is None:
            return []
        normal, along, press, rub = of_contact
        if self.slip[contact] != 0:
            return [normal] if letter == "S" else [-(press + (mu if letter == "L" else -mu) * rub)]
        if letter == "S":
            return [along, normal]
        if letter == "F":
            return [rub, press]  # (l, r) but for the positive factor 2 mu
        return [-along, press + mu * rub] if letter == "L" else [press - mu * rub, along]

    def matrix(self, mode: str, friction: np.ndarray) -> np.ndarray:
        """`K_c`: `qdd` and `lam`, then the generators of the letters."""
        chosen = [
            column for i, letter in enumerate(mode) for column in self.columns(i, letter, float(friction[i]))
        ]
        return np.column_stack([self.base, *chosen]) if chosen else self.base

    def reduced(self, friction: np.ndarray) -> Fan | None:
        """The same fan with the matrix of one mode taken out: its columns become unit vectors and the determinants
        of all modes are divided by the same number. None when no mode determines its motion and forces.
        """
        size = len(self.base)
        unit = np.where(np.abs(self.base).max(axis=1) > 0, np.abs(self.base).max(axis=1), 1.0)
        best, found = 0.0, None
        for mode in product(*self.letters):
            K = self.matrix("".join(mode), friction) / unit[:, None]
            norms = np.linalg.norm(K, axis=0)
            if not np.all(norms > 0):
                continue
            values = np.linalg.svd(K / norms, compute_uv=False)
            if values[-1] > max(best, tolerances.RANK * values[0]):
                best, found = values[-1], K / norms
            if best > tolerances.WELL_POSED * values[0]:
                break
        if found is None:
            return None
        # the first columns of `found` are those of the base: its inverse makes them unit vectors
        last = self.base.shape[1]
        inverse = np.linalg.inv(found)[last:]
        generators = tuple(
            None if of_contact is None else (inverse @ (of_contact / unit).T).T
            for of_contact in self.generators
        )
        return Fan(np.zeros((size - last, 0)), generators, self.slip)


def critical_friction(problem: Problem) -> CriticalFriction:
    """The bound of friction at one instant; see `DynamicResponse.critical_friction`."""
    low, high = box_of(problem).intervals
    if problem.snapshot.laws is not None:
        reason = "some contacts have other laws than Coulomb's, for which the bound is not known"
        return CriticalFriction("undecided", reason, 0.0, np.zeros_like(high), False)
    towards = high if np.any(high > 0) else np.ones_like(high)
    if np.any(problem.touching.slip == SIGN_UNKNOWN):
        reason = "a contact slides either way, as far as is known; give velocities with one sign"
        return CriticalFriction("undecided", reason, 0.0, np.zeros_like(towards), False)
    whole = Fan.of(problem)
    letters = whole.letters
    combinations = np.prod(
        [2.0 * len(few) - (2 if len(few) > 2 else 1) if len(few) > 1 else 1 for few in letters]
    )
    nothing = np.zeros_like(towards)
    if combinations > MOST_LETTERS:
        reason = f"{combinations:.3g} combinations of letters; no more than {MOST_LETTERS} are looked at"
        return CriticalFriction("undecided", reason, 0.0, nothing, False, _fan=whole)
    fan = whole.reduced(nothing)
    if fan is None:
        reason = (
            "no mode determines accelerations and forces: contacts or loops repeat each other in every one"
        )
        return CriticalFriction("undecided", reason, 0.0, nothing, False, _fan=whole)
    known, _ = _one_sign(fan, low, high)
    ok, mode = _one_sign(fan, nothing, nothing)
    if not ok:
        reason = f"mode {mode} does not determine its motion and forces even without friction"
        return CriticalFriction("undecided", reason, 0.0, nothing, known, mode, _fan=whole)
    answers = _count(fan, nothing)
    if _one_sign(fan, nothing, towards, direction=True)[0]:
        reason = f"every generic load has {_number(answers)} for any friction"
        return CriticalFriction(
            "never", reason, np.inf, np.where(towards > 0, np.inf, 0.0), known, "", answers, whole
        )
    scale, mode = _bisect(fan, nothing, towards)
    bound = ", ".join(
        f"{name} {mu:.4g}" for name, mu in zip(problem.names.contacts, scale * towards, strict=True)
    )
    there = f"there the determinant of mode {mode} changes its sign" if mode else "more was not looked at"
    reason = f"every generic load has {_number(answers)} for friction up to {bound}; {there}"
    return CriticalFriction("critical", reason, scale, scale * towards, known, mode, answers, whole)


def _number(answers: int) -> str:
    return "exactly one answer" if answers == 1 else f"{answers} answers"


def _bisect(fan: Fan, low: np.ndarray, towards: np.ndarray) -> tuple[float, str]:
    """Largest scale that is certified (boxes are nested), and the mode that fails just above it."""
    certified, failing, mode = 0.0, 1.0, ""
    while failing < tolerances.ENDLESS_FRICTION:
        ok, mode = _one_sign(fan, low, failing * towards)
        if not ok:
            break
        certified, failing = failing, 2.0 * failing
    while failing - certified > tolerances.CRITICAL * failing:
        half = 0.5 * (certified + failing)
        ok, now = _one_sign(fan, low, half * towards)
        certified, failing, mode = (half, failing, mode) if ok else (certified, half, now)
    return certified, mode


def _one_sign(fan: Fan, low: np.ndarray, high: np.ndarray, direction: bool = False) -> tuple[bool, str]:
    """Whether all determinants are nonzero with one sign; otherwise a mode with another sign.

    With `direction` the ends are friction `low` and friction without end: determinants there are coefficients of the
    powers of the scale, which may be zero as well.
    """
    choices = []
    for i, few in enumerate(fan.letters):
        ends = []
        for letter in few:
            there = fan.columns(i, letter, float(low[i]))
            ends.append((letter, there, False))
            if letter in "LR" and high[i] > low[i]:
                above = fan.columns(i, letter, float(high[i]))
                if direction:
                    above = [b - a if np.any(b != a) else a for a, b in zip(there, above, strict=True)]
                ends.append((letter, above, direction))
        choices.append(ends)
    combinations = list(product(*choices))
    matrices = np.array([[column for _, part, _ in chosen for column in part] for chosen in combinations])
    if matrices.shape[1] == 0:
        return True, ""
    norms = np.linalg.norm(matrices, axis=2)
    sound = norms.min(axis=1) > 0
    dets = np.where(sound, np.linalg.det(matrices / np.where(norms > 0, norms, 1.0)[:, :, None]), 0.0)
    loose = np.array([any(part[2] for part in chosen) for chosen in combinations])
    sign = np.sign(dets[~loose][np.argmax(np.abs(dets[~loose]))])
    needed = np.where(loose, -tolerances.PRODUCT, tolerances.DETERMINANT)
    wrong = np.flatnonzero(~(sign * dets > needed))
    if len(wrong) == 0:
        return True, ""
    worst = wrong[np.argmin(sign * dets[wrong])]
    return False, "".join(letter for letter, _, _ in combinations[worst])


def _count(fan: Fan, friction: np.ndarray) -> int:
    """Answers of one generic load: cones of the fan that hold it."""
    size = len(fan.base)
    load = np.random.default_rng(0).standard_normal(size)
    found = 0
    for mode in product(*fan.letters):
        K = fan.matrix("".join(mode), friction)
        x = np.linalg.solve(K, load) if size else load
        inside, at = True, 0
        for i, (letter, way) in enumerate(zip(mode, fan.slip, strict=True)):
            if way == 0:
                first, second = x[at], x[at + 1]
                if letter == "S":
                    inside &= second >= 0.0  # the tangential acceleration has either sign
                elif letter == "F":
                    inside &= friction[i] * second >= abs(first)
                else:
                    inside &= first >= 0.0 and second >= 0.0
                at += 2
            elif way is not None:
                inside &= x[at] >= 0.0 if letter == "S" else x[at] <= 0.0
                at += 1
        found += bool(inside)
    return found
