"""The best inputs that surely work: maximal thrust over all contact modes (section 4.2.2 of Greenfield 2005).

    maximise   l (qdd, f, tau)    over the modes c and    tau in T_c*    with the task

Lazy best-first search: every mode's plain optimum is an upper bound. The best one is popped; if another mode explains
its inputs too, the piece is cut along the facets of that mode's torque set and the parts go back; otherwise it is the
answer.
When the objective is not unique within a mode its worst case over `w` counts, a convex function of the inputs, so
vertices are looked at.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import spell
from modecontrol.modes.response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.labels import spoken
from modecontrol.regions.ranges import fibre
from modecontrol.regions.response import DynamicResponse
from modecontrol.regions.unambiguous import check_margin, counts_against, widened
from modecontrol.thrust.objective import Objective

GUARANTEES = ("unambiguous", "none")


@dataclass(frozen=True, eq=False)
class Thrust:
    """Answer of `maximize`; false when nothing is feasible (`reason` says why).

    Attributes
    ----------
    mode, torque, value
        The contact mode, the inputs, and the objective (its worst case within the mode).
    acceleration, force
        `qdd` and `f` there (at the worst `w`).
    active
        Constraints that hold with equality there, by name.
    ambiguous_mode, ambiguous_value
        Best value when ambiguity within and between modes is ignored, for comparison.
    reason
        A sentence: how the search ended.

    """

    mode: str | None
    torque: np.ndarray | None
    value: float
    acceleration: np.ndarray | None = None
    force: np.ndarray | None = None
    active: tuple[str, ...] = ()
    ambiguous_mode: str | None = None
    ambiguous_value: float = -np.inf
    reason: str = ""
    _response: DynamicResponse | None = field(default=None, repr=False)

    @cached_property
    def distance(self) -> float:
        """Distance (input units) to the nearest other mode that could take over; infinite when there is none."""
        if self._response is None or self.mode is None or self.torque is None:
            return np.inf
        return distance_to_others(self._response, self.mode, self.torque)

    def __bool__(self) -> bool:
        return self.torque is not None


@dataclass(order=True)
class _Candidate:
    bound: float
    order: int
    mode: str = field(compare=False)
    piece: Polytope = field(compare=False)
    tau: np.ndarray | None = field(compare=False)
    w: np.ndarray | None = field(compare=False)


def maximize(response: DynamicResponse, objective: Any, margin: float = 0.0, guarantee: str = "unambiguous",
             patience: int | None = None) -> Thrust:
    """The inputs with the greatest sure value of a linear objective.

    Parameters
    ----------
    response
        All modes of the instant, with torque limits and task constraints.
    objective
        Name of an acceleration (`"alpha"`) or force (`"body.normal"`), a linear expression, or a vector.
    margin
        Distance in input units by which every other mode has to be violated.
    guarantee
        "unambiguous": only inputs that produce their mode and no other, task met whatever `w` is. "none": any mode
        and any `w` may be hoped for (the plain optimum).
    patience
        Pieces that the search may look at before it gives up, for callers with a clock; None means all.

    Returns
    -------
    Thrust
        Nothing feasible is an answer, with its reason.

    """
    check_response(response)
    if guarantee not in GUARANTEES:
        raise ValueError(f"guarantee is {guarantee!r}; expected one of {', '.join(GUARANTEES)}")
    check_margin(margin)
    if patience is not None and (not isinstance(patience, int | np.integer) or patience < 0):
        raise ValueError(f"patience is {patience!r}; expected a number of pieces >= 0, or None for all")
    goal = Objective.of(objective, response.snapshot)
    quick = _compiled(response, goal, margin, guarantee, patience)
    return quick if quick is not None else by_pieces(response, goal, margin, guarantee, patience)


def check_response(thing: object) -> None:
    """Refuse what is no complete response: a snapshot is the likely mistake."""
    if not isinstance(thing, DynamicResponse):
        raise TypeError(f"found {thing!r}; expected all modes of one instant: dynamic_response(snapshot) makes them")


def _compiled(response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None) -> Thrust | None:
    """The answer of the compiled search; None where it leaves the decision to `by_pieces`."""
    from modecontrol._kernels import sure
    from modecontrol._kernels.pieces import Task

    problem = response.problem
    inputs = len(problem.names.inputs)
    task = Task(problem.task.P, problem.task.p, problem.task.equality)
    avoid = sure.Avoid(np.zeros((0, 2), np.int64), np.zeros(1, np.int64), np.zeros((0, inputs)), np.zeros(0))
    looks = 0 if guarantee == "none" else sure.PIECES if patience is None else patience
    while True:
        found = sure.sure_inputs(response.packed, problem.root.layout.tau, inputs, goal.row, goal.constant, task, avoid,
                                 problem.size, margin, looks)
        if found.status != sure.VIOLATED:
            break
        shadow = _violation(response, found.mode, found.task)
        if shadow is None:
            return None
        avoid = sure.Avoid(np.vstack([avoid.of, [[found.mode, found.task]]]), np.append(avoid.start, len(avoid.r) + len(shadow.b)),
                           np.vstack([avoid.R, shadow.A]), np.append(avoid.r, shadow.b))
    if found.status == sure.UNSETTLED or response.leaves.doubtful.any():
        return None
    if found.hoped < 0:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    hoped = _named(response, found.hoped, found.hoped_x, found.hoped_value)
    if guarantee == "none":
        return _result(response, hoped, goal, hoped)
    if found.status == sure.FOUND:
        return _result(response, _named(response, found.mode, found.x, found.value), goal, hoped)
    if found.status == sure.IMPATIENT:
        return _impatient(hoped, patience) if patience is not None else None
    return _all_ambiguous(hoped, margin)


def _violation(response: DynamicResponse, index: int, task: int):
    """Inputs at which a mode violates a row of the task for some `w` (kernel `Projection`); None when flat or undecided."""
    from modecontrol._kernels.elimination import project
    from modecontrol._kernels.simplex import OPTIMAL
    from modecontrol._kernels.sure import violation_slack

    mine = response[spell(response.leaves.letters[index])]
    A, b, _, _ = mine.substitute(response.problem.task)
    D = mine.domain
    inputs = mine.U.shape[1]
    level = np.append(D.b, b[task] - violation_slack(A[task], b[task], response.problem.size))
    shadow = project(np.vstack([D.A, A[task]]), level, np.array(D.C), np.array(D.d), np.arange(D.n) < inputs)
    return shadow if shadow.status == OPTIMAL and len(shadow.e) <= len(mine.torques.d) else None


def _named(response: DynamicResponse, index: int, x: np.ndarray, value: float) -> _Candidate:
    mode = spell(response.leaves.letters[index])
    inputs = len(response.problem.names.inputs)
    width = inputs + response.packed.shape[index, 0]
    return _Candidate(-value, 0, mode, response[mode].torques, x[:inputs], x[inputs:width])


def by_pieces(response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None) -> Thrust:
    """The same search over `Polytope` pieces: slower, and for objectives that depend on `w`, flat pieces and unbounded sets."""
    plain = _plain(response, goal)
    hoped = plain[0] if plain else None
    if hoped is None:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    if guarantee == "none":
        return _result(response, hoped, goal, hoped)
    heap: list[_Candidate] = []
    order = count()
    for start in plain:
        # the plain optimum is an upper bound; pieces are made only when it comes up
        heapq.heappush(heap, _Candidate(start.bound, next(order), start.mode, None, None, None))  # type: ignore[arg-type]
    looked = 0
    while heap:
        best = heapq.heappop(heap)
        looked += 1
        if patience is not None and looked > patience:
            return _impatient(hoped, patience)
        mine = response[best.mode]
        if best.piece is None:
            for piece in mine.task_torques("every"):
                _push(heap, order, goal, mine, piece)
            continue
        if best.tau is None:
            return Thrust(best.mode, None, np.inf, ambiguous_mode=hoped.mode, ambiguous_value=-hoped.bound,
                          reason=f"unbounded in {best.mode}: give torque limits")
        offender = _offender(response, best, margin)
        if offender is None:
            return _result(response, best, goal, hoped)
        for piece in best.piece.subtract(widened(response[offender].torques, margin)):
            _push(heap, order, goal, mine, piece)
    return _all_ambiguous(hoped, margin)


def _impatient(hoped: _Candidate, patience: int) -> Thrust:
    return Thrust(None, None, -np.inf, ambiguous_mode=hoped.mode, ambiguous_value=-hoped.bound,
                  reason=f"no sure answer among the first {patience} pieces")


def _all_ambiguous(hoped: _Candidate, margin: float) -> Thrust:
    return Thrust(None, None, -np.inf, ambiguous_mode=hoped.mode, ambiguous_value=-hoped.bound,
                  reason="every torque that meets the task can also produce another mode, or misses the task for some w"
                         + (f" (margin {margin:g})" if margin else ""))


def _plain(response: DynamicResponse, goal: Objective) -> list[_Candidate]:
    """Optimum of every mode over `(tau, w)` with the task for some `w`; best first."""
    inputs = len(response.problem.names.inputs)
    found = []
    for i, mode in enumerate(response):
        on_tau, on_w, constant = goal.within(response[mode])
        domain = response[mode].task_domain if len(response.problem.task.p) else response[mode].domain
        answer = domain.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "infeasible":
            continue
        point = answer.point if answer.status == "optimal" else None
        found.append(_Candidate(-(answer.value + constant), i, mode, domain,
                                None if point is None else point[:inputs], None if point is None else point[inputs:]))
    return sorted(found)


def _push(heap: list[_Candidate], order, goal: Objective, mine: ModeResponse, piece: Polytope) -> None:
    value, tau, w = worst_case_optimum(mine, goal, piece)
    if value > -np.inf:
        heapq.heappush(heap, _Candidate(-value, next(order), mine.mode, piece, tau, w))


def worst_case_optimum(mine: ModeResponse, goal: Objective,
                       piece: Polytope) -> tuple[float, np.ndarray | None, np.ndarray | None]:
    """`max over tau in piece of min over w`: `(value, tau, w)`; `tau` None when unbounded, value -inf when none."""
    on_tau, on_w, constant = goal.within(mine)
    inputs = len(on_tau)
    D = mine.domain
    lifted = D.intersect(Polytope(np.hstack([piece.A, np.zeros((len(piece.b), D.n - inputs))]), piece.b,
                                  np.hstack([piece.C, np.zeros((len(piece.d), D.n - inputs))]), piece.d))
    if not depends_on_w(mine, on_w):
        answer = lifted.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "optimal":
            assert answer.point is not None
            return float(answer.value) + constant, answer.point[:inputs], answer.point[inputs:]
        return (np.inf, None, None) if answer.status == "unbounded" else (-np.inf, None, None)
    # a convex function of tau: its greatest value is at a vertex, or grows for ever along a ray
    for ray in (*piece.rays, *piece.lines, *(-line for line in piece.lines)):
        cone = Polytope(D.A, np.zeros(len(D.b)), D.C, np.zeros(len(D.d)))
        at_ray = fibre_of(cone, ray)
        if on_tau @ ray - at_ray.support(-on_w) > tolerances.STRICT * np.abs(on_tau).max(initial=1e-300):
            return np.inf, None, None
    best: tuple[float, np.ndarray | None, np.ndarray | None] = (-np.inf, None, None)
    for tau in piece.vertices:
        least = fibre(mine, tau).maximize(-on_w)
        if least.status == "optimal" and (value := on_tau @ tau - least.value + constant) > best[0]:
            best = float(value), tau, least.point
    return best


def fibre_of(domain: Polytope, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in domain}`."""
    t = len(tau)
    return Polytope(domain.A[:, t:], domain.b - domain.A[:, :t] @ tau, domain.C[:, t:],
                    domain.d - domain.C[:, :t] @ tau)


def depends_on_w(mine: ModeResponse, on_w: np.ndarray) -> bool:
    """Whether `on_w . w` takes several values at some inputs of the mode (the two-copy program)."""
    from modecontrol.modes.uniqueness import two_copies

    if not np.abs(on_w).max(initial=0.0) > 0:
        return False
    inputs = mine.U.shape[1]
    pairs = two_copies(mine.domain, mine.domain, inputs)
    spread = pairs.support(np.concatenate([np.zeros(inputs), on_w, -on_w]))
    return spread > tolerances.STRICT * mine.problem.size * np.abs(on_w).max()


def _offender(response: DynamicResponse, best: _Candidate, margin: float) -> str | None:
    """A mode that explains the candidate's inputs as well, and some of its piece with them."""
    for other in response:
        if other == best.mode:
            continue
        T = response[other].torques
        if widened(T, margin).contains(best.tau) and counts_against(best.piece, T, margin):
            return other
    return None


def _result(response: DynamicResponse, best: _Candidate, goal: Objective, hoped: _Candidate) -> Thrust:
    mine = response[best.mode]
    if best.tau is None:
        return Thrust(best.mode, None, np.inf, ambiguous_mode=hoped.mode, ambiguous_value=-hoped.bound,
                      reason=f"unbounded in {best.mode}: give torque limits")
    assert best.w is not None
    return Thrust(best.mode, best.tau, -best.bound, mine.acceleration.value(best.tau, best.w),
                  mine.force.value(best.tau, best.w), active_rows(mine, best.tau, best.w), hoped.mode, -hoped.bound,
                  "optimal", response)


def distance_to_others(response: DynamicResponse, mine: str, tau: np.ndarray) -> float:
    """Distance from `tau` to the nearest other mode whose torque set is no thinner; infinite when there is none."""
    width = response[mine].torques.dimension
    others = (response[mode].torques for mode in response if mode != mine)
    return min((T.distance(tau) for T in others if T.dimension >= width), default=np.inf)


def active_rows(mine: ModeResponse, tau: np.ndarray, w: np.ndarray) -> tuple[str, ...]:
    """Names of the constraints of the mode and the task that hold with equality."""
    domain = mine.task_domain if len(mine.problem.task.p) else mine.domain
    gap = domain.b - domain.A @ np.concatenate([tau, w])
    size = np.abs(domain.A) @ np.abs(np.concatenate([tau, w])) + np.abs(domain.b)
    tight = [spoken(domain.labels[i]) for i in np.flatnonzero(gap <= 1e-7 * np.maximum(size, 1e-12))]
    return tuple(dict.fromkeys(tight))


def why_nothing(response: DynamicResponse) -> str:
    """Which constraint leaves nothing."""
    if not response.modes:
        return "no contact mode can happen with these torque limits and physical constraints"
    task = response.problem.task
    for label in dict.fromkeys(task.labels):
        alone = np.array([name == label for name in task.labels])
        if not any(_meets(response[mode], alone) for mode in response):
            return f"no contact mode can meet the task {label!r}"
    return f"no contact mode can meet the task constraints together: {', '.join(dict.fromkeys(task.labels))}"


def _meets(mine: ModeResponse, rows: np.ndarray) -> bool:
    A, b, equality, _ = mine.substitute(mine.problem.task)
    loose, tight = rows & ~equality, rows & equality
    return not mine.domain.intersect(Polytope(-A[loose], -b[loose], A[tight], b[tight])).is_empty
