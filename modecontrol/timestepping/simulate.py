"""`simulate`: a mechanism, a start, a controller -> a `Trajectory`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol.dynamics.lagrangian import LagrangianModel
from modecontrol.dynamics.model import Model, State
from modecontrol.timestepping.choices import check_start, choose, count_steps, read_start
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.lagrangian import LagrangianEngine, choose_lagrangian
from modecontrol.timestepping.measurement import Loop
from modecontrol.timestepping.progress import Bar
from modecontrol.timestepping.trajectory import Trajectory

CHUNK = 2000
"""Steps of the compiled loop between two looks at the keyboard."""


def simulate(
    model: Model | LagrangianModel,
    q0: State = None,
    v0: State = None,
    controller: Callable[[float, np.ndarray, np.ndarray], Any] | Sequence[float] | Mapping[str, float] | None = None,
    duration: float = 1.0,
    step: float = 1e-3,
    formulation: str = "os",
    *,
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
    callback: Callable[[float, np.ndarray, np.ndarray], Any] | None = None,
    stop: Callable[[float, np.ndarray, np.ndarray], bool] | None = None,
    progress: bool = False,
) -> Trajectory:
    """`M (v+ - v) = h (S tau - b) + J^T p`, `q+ = q + h v+` with contact impulses from a complementarity problem.

    Contacts are those of the model. Rigid ones separate, slide or stick by Coulomb's law, exactly; compliant ones
    (finite `stiffness`) have the normal force `max(0, -stiffness gap - damping gap_rate)` at the end of each step
    and the same friction. Springs and dampers of joints act at the end of each step too, so stiff ones are stable.

    Parameters
    ----------
    model
        The mechanism. A `LagrangianModel` is stepped by its mass matrix at the position level, in Python: no times of
        impact, no restitution, no Runge-Kutta, formulations "os", "rmc" and "mc" only.
    q0, v0
        State at the start: a sequence, or a dict by coordinate name (others zero). None means `model.start` and
        `model.start_velocity`; `v0=None` with a given `q0` means at rest.
    controller
        `controller(t, q, v)` returning the inputs (a sequence, or a dict by input name), or constant inputs;
        None means zero.
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
        "velocity", the default: closed contacts may not approach; the time at which another closes is located within the
        step. "position": `gap + h Jn v+ >= 0` for every contact that can be reached, nothing located, no
        restitution.
    integrator
        "euler" (semi-implicit), or "rk4": Runge-Kutta of fourth order with the contact forces held over the
        step, for mechanisms without friction.
    restitution
        Coefficient of restitution: one number for all contacts, a sequence, or a dict by contact name (others as
        in the model). None means the model's own.
    impact_speed
        A contact that closes faster (m/s) has a collision; a slower one comes to rest. Default `2 |g| h`: bounces
        that would last less than about one step are not followed.
    g_eps
        Penetration (m, not positive) that one step may recover at most; 0 recovers none, `-inf` all. Default:
        velocity level `-0.1 h` (contacts part at no more than 0.1 m/s), position level `-inf`; with "rk4", whose
        steps do not end where the contact problem expects, 0 and `-0.01 h`.
    loop_correction
        Part of the opening of a pin that one step recovers (Baumgarte): `G v+ = -loop_correction residual / h`.
    eps
        The DART note's stabilisation: the diagonal of the condensed problem times `1 + eps`. It lets contacts
        creep; off by default.
    friction_scaling
        The DART note's scaling of the friction rows and columns by `h`; it does not change the answer.
    rate
        How often the controller is asked (Hz), its answer being held in between; None means every step.
    delay
        Time (s) between asking the controller and its answer acting; before the first answer inputs are zero. Constant
        inputs are not asked for and act from the start.
    noise
        Standard deviation of what the controller sees: one number, a pair (of `q`, of `v`) of numbers or
        arrays, or a function `noise(rng, q, v)` returning what is seen. Needs `rng`.
    rng
        Generator of the noise, `numpy.random.default_rng(seed)`.
    clip
        Whether inputs are cut at the model's torque limits at the present speed.
    callback
        Called as `callback(t, q, v)` after every step.
    stop
        The simulation ends after the first step for which `stop(t, q, v)` is true.
    progress
        Whether to show a progress bar.

    Returns
    -------
    Trajectory
        `status` says how it ended: "completed", or why and when it stopped earlier. Ctrl-C, a state that is not
        finite, and a contact problem without answer keep the trajectory so far.

    Raises
    ------
    ValueError
        Arguments that make no sense; a start inside a wall or with an open loop; a controller whose answer is
        not a finite number per input.
    """
    for name, function in (("callback", callback), ("stop", stop)):
        if function is not None and not callable(function):
            raise ValueError(f"{name} is {function!r}; expected a function {name}(t, q, v), or None")
    q, v = read_start(model, q0, v0)
    steps = count_steps(duration, step)
    loop = Loop(model, controller, step, rate, delay, noise, rng, clip)
    engine: Engine | LagrangianEngine
    if isinstance(model, LagrangianModel):
        choices = choose_lagrangian(step, formulation, dynamics, level, integrator, restitution, g_eps, loop_correction,
                                    eps, friction_scaling)
        engine = LagrangianEngine(model, choices, steps, q, v)
    else:
        choices = choose(model, step, formulation, dynamics, level, integrator, restitution, impact_speed,
                         g_eps, loop_correction, eps, friction_scaling)
        check_start(model, q)
        engine = Engine(model, choices, steps, q, v)
    torque = np.zeros((steps, len(model.inputs)))
    done, status = _run(engine, loop, torque, steps, step, callback, stop, progress)
    header = {"model": model.name, "parameters": dict(model.parameters), "duration": duration,
              "names": {"coordinates": list(model.coordinates), "inputs": list(model.inputs),
                        "contacts": list(model.contacts), "pins": list(model.names.pins)},
              "settings": {"formulation": formulation, "dynamics": choices.dynamics, "level": choices.level,
                           "integrator": integrator, "restitution": choices.restitution.tolist(),
                           "impact_speed": choices.impact_speed, "g_eps": choices.g_eps,
                           "loop_correction": loop_correction, "eps": eps, "friction_scaling": friction_scaling,
                           "rate": rate, "delay": delay}}
    r = engine.record
    return Trajectory(time=np.arange(done + 1) * step, q=r.q[: done + 1], v=r.v[: done + 1], torque=torque[:done],
                      impulse=r.impulse[:done], loop_impulse=r.loop_impulse[:done], letters=r.letters[:done],
                      residual=r.residual[:done], method_code=r.method[:done], lcp_size=r.size[:done],
                      impacts=r.impacts[:done], step=step, status=status, header=header, model=model,
                      _stored=engine.stored(done) if isinstance(engine, LagrangianEngine) else {})


def _run(engine: Engine | LagrangianEngine, loop: Loop, torque: np.ndarray, steps: int, h: float, callback, stop, progress: bool
         ) -> tuple[int, str]:
    """Steps done, and how it ended."""
    record = engine.record
    stride = 1 if callback or stop else CHUNK
    done = 0
    try:
        with Bar(steps, progress) as bar:
            while done < steps:
                tau, until = loop.at(done, record.q[done], record.v[done], steps)
                until = min(until, done + stride)
                torque[done:until] = tau
                reached, trouble = engine.run(done, until, engine.force_of(tau))
                done = reached
                if trouble:
                    return done, trouble
                bar.update(done)
                if callback is not None:
                    callback(done * h, record.q[done].copy(), record.v[done].copy())
                if stop is not None and stop(done * h, record.q[done].copy(), record.v[done].copy()):
                    return done, f"stopped at t = {done * h:.9g} s as asked"
    except KeyboardInterrupt:
        return done, f"interrupted at t = {done * h:.9g} s"
    return done, "completed"
