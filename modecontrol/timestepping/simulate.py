"""`simulate`: a mechanism, a start, a controller -> a `Trajectory`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics import admissible
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.undeclared import LOOKS, STRIDE, passages
from modecontrol.timestepping.closed_loop import ClosedLoop, closed_loop
from modecontrol.timestepping.contact_impulses import ContactImpulses
from modecontrol.timestepping.control_loop import Loop
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.events import EventFinder
from modecontrol.timestepping.lagrangian_engine import LagrangianEngine
from modecontrol.timestepping.make_engine import collisions_of, make_engine
from modecontrol.timestepping.progress import Bar
from modecontrol.timestepping.readings import Instruments
from modecontrol.timestepping.schedule import Schedule
from modecontrol.timestepping.settings import check_record, count_steps, read_start
from modecontrol.timestepping.trajectory import Trajectory
from modecontrol.validation import check_function

LOG = logging.getLogger(__name__)


def simulate(
    model: PlanarModel,
    q0: State | None = None,
    v0: State | None = None,
    *,
    controller: Callable[..., Any] | Sequence[float] | np.ndarray | Mapping[str, float] | None = None,
    duration: float = 1.0,
    step: float = 1e-3,
    formulation: str = "os",
    dynamics: str | None = None,
    level: str | None = None,
    integrator: str = "euler",
    restitution: float | Sequence[float] | Mapping[str, float] | None = None,
    impact_speed: float | None = None,
    g_eps: float | None = None,
    loop_correction: float = 0.2,
    eps: float = 0.0,
    friction_scaling: bool = False,
    rate: float | None = None,
    delay: float = 0.0,
    noise: Any = None,
    rng: np.random.Generator | None = None,
    clip: bool = False,
    pushes: Mapping[str, Any] | None = None,
    drives: Mapping[str, Any] | None = None,
    events: Mapping[str, Callable[[float, np.ndarray, np.ndarray], float]] | None = None,
    callback: Callable[[float, np.ndarray, np.ndarray], Any] | None = None,
    stop: Callable[[float, np.ndarray, np.ndarray], bool] | None = None,
    record_every: int = 1,
    progress: bool = False,
    check_state: bool | float = True,
) -> Trajectory:
    """`M (v+ - v) = h (S tau - b) + J^T p`, `q+ = q + h v+` with contact impulses from a complementarity
    problem.

    Contacts are those of the model. Rigid ones separate, slide or stick by Coulomb's law, exactly; compliant
    ones (finite `stiffness`) have the normal force `max(0, -stiffness gap - damping gap_rate)` at the end of
    each step and the same friction. Springs and dampers of joints act at the end of each step too, so stiff
    ones are stable.

    Parameters
    ----------
    model
        The mechanism. A `LagrangianModel` is stepped by its mass matrix at the position level, in Python: no
        times of impact, no restitution, no Runge-Kutta, formulations "os", "rmc" and "mc" only.
    q0, v0
        State at the start: a sequence, or a dict by coordinate name (others zero). None means `model.start`
        and `model.start_velocity`; `v0=None` with a given `q0` means at rest.
    controller
        `controller(t, q, v)` returning the inputs (a sequence, or a dict by input name), or constant inputs;
        None means zero. A function with an argument called `readings` is given the `Readings` since it was
        last asked too: contact forces, letters, forces in joints.
    duration
        Simulated time (s); rounded to whole steps.
    step
        Step size `h` (s).
    formulation
        "os" is the quickest; "nmc", "mc", "rmc", "nmc/os" write the same problem in other unknowns (see
        `modecontrol.timestepping.formulations`). Mechanisms with massless links need "mc" or "nmc".
    dynamics
        How "os" solves with the mass matrix: "aba" (articulated bodies, O(n), the default), "dca" (divide and
        conquer, O(n)) or "dense" (composite bodies and Cholesky, O(n^3)); the last two are for comparison.
    level
        "velocity", the default: closed contacts may not approach; the time at which another closes is located
        within the step. "position": `gap + h Jn v+ >= 0` for every contact that can be reached, nothing
        located, no restitution.
    integrator
        "euler" (semi-implicit, first order), "theta" (forces in the middle of each step, laws of contact at its end:
        second order with exact stiction; formulation "os"), or "rk4": Runge-Kutta of fourth order. Without friction
        and restitution "rk4" holds the contact forces over the step; otherwise it acts while nothing touches, and
        "theta" while something does.
    restitution
        Coefficient of restitution: one number for all contacts, a sequence, or a dict by contact name (others
        as in the model). None means the model's own.
    impact_speed
        A contact that closes faster (m/s) has a collision; a slower one comes to rest. Default `2 |g| h`:
        bounces that would last less than about one step are not followed.
    g_eps
        Penetration (m, not positive) that one step may recover at most; 0 recovers none, `-inf` all. Default:
        velocity level `-0.1 h` (contacts part at no more than 0.1 m/s), position level `-inf`; with "rk4",
        whose steps do not end where the contact problem expects, 0 and `-0.01 h`.
    loop_correction
        Part of the opening of a pin that one step recovers (Baumgarte): `G v+ = -loop_correction residual /
        h`.
    eps
        The DART note's stabilisation: the diagonal of the condensed problem times `1 + eps`. It lets contacts
        creep; off by default.
    friction_scaling
        The DART note's scaling: rows and columns of the friction bounds get entries as large as the
        compliances of the contacts, whatever the units. It does not change the answer, and the solvers scale
        each problem themselves.
    rate
        How often the controller is asked (Hz), its answer being held in between; None means every step.
    delay
        Time (s) between asking the controller and its answer acting; before the first answer inputs are zero.
        Constant inputs are not asked for and act from the start.
    noise
        Standard deviation of what the controller sees: one number, a pair (of `q`, of `v`) of numbers or
        arrays, or a function `noise(rng, q, v)` returning what is seen. Needs `rng`.
    rng
        Generator of the noise, `numpy.random.default_rng(seed)`.
    clip
        Whether inputs are cut at the model's torque limits at the present speed.
    pushes
        What the model's pushes are instead of what its file says, by name: `(fx, fy)`, `(fx, fy, moment)`, or a
        function of time that returns one of them; it is asked for the middle of each step.
    drives
        Coordinates that move as they are told to, by name: a function of time that says where each is, or a constant
        speed. The force that this takes is the last part of `loop_impulse`.
    events
        Functions `(t, q, v)` by name; `Trajectory.events` lists the times at which they pass zero, located within the
        step. One with an attribute `terminal` that is true ends the run.
    callback
        Called as `callback(t, q, v)` after every step.
    stop
        The simulation ends after the first step for which `stop(t, q, v)` is true.
    record_every
        Steps that one row of the trajectory stands for: impulses are added up, torques averaged, other steps
        not kept.
    progress
        Whether to show a progress bar.
    check_state
        Whether an impossible start is refused: True allows 1e-6 m, a number (m) that much, False anything.

    Returns
    -------
    Trajectory
        `status` says how it ended: "completed", or why and when it stopped earlier. Ctrl-C (answered within
        about a tenth of a second), a state that is not finite, and a contact problem without answer keep
        every finished step.

    Raises
    ------
    ValueError
        Arguments that make no sense; a record larger than the machine's memory; a controller whose answer
        is not a finite number per input.
    ImpossibleStateError
        A start inside a wall or with an open loop; `model.settle(q0, v0)` gives the nearest that can be.
    """
    for name, function in (("callback", callback), ("stop", stop)):
        check_function(function, name, ("t", "q", "v"))
    q, v = read_start(model, q0, v0)
    admissible.check_state(model.snapshot(q, v), check_state, tolerances.PENETRATION)
    steps = count_steps(duration, step)
    every = check_record(model, steps, record_every, step)
    loop = Loop(model, controller, step, rate=rate, delay=delay, noise=noise, rng=rng, clip=clip)
    schedule, finder = Schedule(model, q, v, pushes=pushes, drives=drives), EventFinder(events)
    schedule.check_start(model, q)
    engine = make_engine(
        model,
        (q, schedule.start_velocity(v)),
        step,
        every,
        schedule=schedule,
        formulation=formulation,
        dynamics=dynamics,
        level=level,
        integrator=integrator,
        restitution=restitution,
        impact_speed=impact_speed,
        g_eps=g_eps,
        loop_correction=loop_correction,
        eps=eps,
        friction_scaling=friction_scaling,
    )
    choices = engine.choices
    status = _run(engine, loop, steps, step, callback=callback, stop=stop, finder=finder, progress=progress)
    header = {
        "model": model.name,
        "parameters": dict(model.parameters),
        "duration": duration,
        "names": {
            "coordinates": list(model.coordinates),
            "inputs": list(model.inputs),
            "contacts": list(model.contacts),
            "pins": list(model.names.pins),
            "loops": list(getattr(engine, "loop_rows", ())),
        },
        "settings": {
            "formulation": formulation,
            "dynamics": choices.dynamics,
            "level": choices.level,
            "integrator": integrator,
            "restitution": choices.restitution.tolist(),
            "impact_speed": choices.impact_speed,
            "g_eps": choices.g_eps,
            "loop_correction": loop_correction,
            "eps": eps,
            "friction_scaling": friction_scaling,
            "rate": rate,
            "delay": delay,
            "record_every": every,
        },
    }
    r = engine.record
    header["gained"] = engine.gained
    header.update(_passed_through(model, r.q, r.step_number * step))
    impulses = ContactImpulses(r.impulse_start, r.impulse_contact, r.impulse_value, len(model.contacts))
    return Trajectory(
        time=r.step_number * step,
        q=r.q,
        v=r.v,
        torque=r.torque,
        contact_impulses=impulses,
        loop_impulse=r.loop_impulse,
        letters=r.letters,
        residual=r.residual,
        method_code=r.method,
        lcp_size=r.size,
        impacts=r.impacts,
        step=step,
        status=status,
        header=header,
        model=model,
        events=tuple(finder.found),
        collisions=collisions_of(engine),
        _stored=engine.stored() if isinstance(engine, LagrangianEngine) else {},
    )


def _passed_through(model: PlanarModel, q: np.ndarray, time: np.ndarray) -> dict[str, Any]:
    """Names of bodies that passed through each other, and when, for the header; each is logged."""
    watched = getattr(model, "_watch", None)
    if watched is None or watched.tree is None:
        return {}
    seen = passages(watched, q, max(STRIDE, -(-len(q) // LOOKS)))
    found = [[a, b, float(time[row])] for a, b, row in seen]
    for a, b, when in found:
        LOG.warning(
            "%s: '%s' and '%s' are inside each other at t = %g s, and no contact between them is declared; add one, or "
            '[[contacts]] between = ["%s", "%s"]',
            *(model.name, a, b, when, a, b),
        )
    return {"passed_through": found} if found else {}


def _run(
    engine: Engine | LagrangianEngine,
    loop: Loop,
    steps: int,
    h: float,
    *,
    callback: Any,
    stop: Any,
    finder: EventFinder,
    progress: bool,
) -> str:
    """Step on to the end, or to where something wants to stop; says how it ended."""
    record = engine.record
    plain = callback is None and not finder and not getattr(engine, "schedule", None)
    closed = closed_loop(engine, loop, stop) if plain else None
    if closed is not None:
        return _run_closed(closed, record, steps, h, progress)
    instruments = Instruments(engine) if loop.reads else None
    if finder:
        if not isinstance(engine, Engine) or engine.choices.held:
            raise ValueError(
                "events are located along the steps of a model made of bodies with integrator 'euler' or 'theta'; found "
                f"{type(engine.model).__name__} with {engine.choices.integrator!r}"
            )
        engine.stepper.watch_pieces = True
    try:
        with Bar(steps, progress) as bar:
            while record.steps < steps:
                tau, until = loop.at(record.steps, *engine.state, steps, instruments)
                until = min(until, record.steps + _stride(callback or stop or finder, progress, steps))
                trouble = engine.run(until, tau)
                if trouble:
                    return trouble
                bar.update(record.steps)
                t = record.steps * h
                ended = finder.look(engine.stepper, t - h) if finder and isinstance(engine, Engine) else ""
                if ended:
                    return f"stopped at t = {t:.9g} s by the event {ended!r}"
                if callback is not None:
                    callback(t, *engine.state)
                if stop is not None and stop(t, *engine.state):
                    return f"stopped at t = {t:.9g} s as asked"
    except KeyboardInterrupt:
        return f"interrupted at t = {record.steps * h:.9g} s"
    finally:
        record.finish()
    return "completed"


def _run_closed(closed: ClosedLoop, record: Any, steps: int, h: float, progress: bool) -> str:
    """The same with the controller in the core."""
    try:
        with Bar(steps, progress) as bar:
            while record.steps < steps and not closed.stopped:
                trouble = closed.run(min(steps, record.steps + _stride(None, progress, steps)))
                if trouble:
                    return trouble
                bar.update(record.steps)
    except KeyboardInterrupt:
        return f"interrupted at t = {record.steps * h:.9g} s"
    finally:
        record.finish()
        closed.close()
    return f"stopped at t = {record.steps * h:.9g} s as asked" if closed.stopped else "completed"


def _stride(asked: Any, progress: bool, steps: int) -> int:
    """Steps after which somebody wants to know: every one, or every hundredth part of the run for a progress
    bar.
    """
    if asked:
        return 1
    return max(1, steps // 100) if progress else steps
