"""`simulate`: a mechanism, a start, a controller -> a `Trajectory`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.model import Model, State
from modecontrol.dynamics.state import did_you_mean, read_state
from modecontrol.timestepping.engine import Choices, Engine
from modecontrol.timestepping.formulations import check_formulation
from modecontrol.timestepping.measurement import Loop
from modecontrol.timestepping.progress import Bar
from modecontrol.timestepping.trajectory import Trajectory

DYNAMICS = ("aba", "dca", "dense")
LEVELS = ("velocity", "position")
INTEGRATORS = ("euler", "rk4")
CHUNK = 2000
"""Steps of the compiled loop between two looks at the keyboard."""


def simulate(
    model: Model,
    q0: State = None,
    v0: State = None,
    controller: Callable[[float, np.ndarray, np.ndarray], Any] | Sequence[float] | Mapping[str, float] | None = None,
    duration: float = 1.0,
    step: float = 1e-3,
    formulation: str = "os",
    *,
    dynamics: str | None = None,
    level: str = "velocity",
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
        The mechanism.
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
        "os" runs compiled; "nmc", "mc", "rmc", "nmc/os" write the same problem in other unknowns (see
        `modecontrol.timestepping.formulations`). Mechanisms with massless links need "mc" or "nmc".
    dynamics
        How "os" solves with the mass matrix: "aba" (articulated bodies, O(n), the default and the only one that
        runs wholly compiled), "dca" (divide and conquer) or "dense" (composite bodies and Cholesky, O(n^3)).
    level
        "velocity": closed contacts may not approach; the time at which another closes is located within the
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
        Penetration (m, not positive) that one step may recover at most; 0 recovers none, `-inf` all. Default
        `-0.01 h`: at most 1 cm/s.
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
        Time (s) between asking the controller and its answer acting; before the first answer inputs are zero.
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
    q, v = _start(model, q0, v0)
    steps = _steps(duration, step)
    choices = _choices(model, step, formulation, dynamics, level, integrator, restitution, impact_speed, g_eps,
                       loop_correction, eps, friction_scaling)
    if rate is not None and not (0 < rate < math.inf):
        raise ValueError(f"rate is {rate!r}; expected a positive number of samples per second")
    if not 0 <= delay < math.inf:
        raise ValueError(f"delay is {delay!r}; expected seconds, not negative")
    loop = Loop(model, controller, step, rate, delay, noise, rng, clip)
    _check_start(model, q)
    engine = Engine(model, choices, steps, q, v)
    torque = np.zeros((steps, len(model.inputs)))
    done, status = _run(engine, loop, torque, steps, step, callback, stop, progress)
    header = {"model": model.name, "parameters": dict(model.parameters), "duration": duration,
              "names": {"coordinates": list(model.coordinates), "inputs": list(model.inputs),
                        "contacts": list(model.contacts), "pins": list(model.names.pins)},
              "settings": {"formulation": formulation, "dynamics": choices.dynamics, "level": level,
                           "integrator": integrator, "restitution": choices.restitution.tolist(),
                           "impact_speed": choices.impact_speed, "g_eps": choices.g_eps,
                           "loop_correction": loop_correction, "eps": eps, "friction_scaling": friction_scaling,
                           "rate": rate, "delay": delay}}
    r = engine.record
    return Trajectory(time=np.arange(done + 1) * step, q=r.q[: done + 1], v=r.v[: done + 1], torque=torque[:done],
                      impulse=r.impulse[:done], loop_impulse=r.loop_impulse[:done], letters=r.letters[:done],
                      residual=r.residual[:done], method_code=r.method[:done], lcp_size=r.size[:done],
                      impacts=r.impacts[:done], step=step, status=status, header=header, model=model)


def _run(engine: Engine, loop: Loop, torque: np.ndarray, steps: int, h: float, callback, stop, progress: bool
         ) -> tuple[int, str]:
    """Steps done, and how it ended."""
    S, record = engine.model.tree.actuation, engine.record
    stride = 1 if callback or stop else CHUNK
    done = 0
    try:
        with Bar(steps, progress) as bar:
            while done < steps:
                tau, until = loop.at(done, record.q[done], record.v[done], steps)
                until = min(until, done + stride)
                torque[done:until] = tau
                reached, trouble = engine.run(done, until, S @ tau)
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


# Checks -------------------------------------------------------------------------------------------------------

def _start(model: Model, q0: State, v0: State) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(model, Model):
        raise ValueError(f"model is {type(model).__name__}; expected a Model, such as modecontrol.load('block')")
    if v0 is None:
        v0 = model.start_velocity if q0 is None else np.zeros(len(model.coordinates))
    q = read_state(model.start if q0 is None else q0, model.coordinates, "q0")
    return q, read_state(v0, model.coordinates, "v0")


def _steps(duration: float, step: float) -> int:
    if not 0 < step < math.inf:
        raise ValueError(f"step is {step!r}; expected a positive number of seconds")
    if not 0 <= duration < math.inf:
        raise ValueError(f"duration is {duration!r}; expected seconds, not negative")
    return round(duration / step)


def _choices(model, step, formulation, dynamics, level, integrator, restitution, impact_speed, g_eps, loop_correction,
             eps, friction_scaling) -> Choices:
    check_formulation(formulation)
    tree = model.tree
    for name, value, known in (("level", level, LEVELS), ("integrator", integrator, INTEGRATORS)):
        if value not in known:
            raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
    if dynamics is None:
        dynamics = "aba" if formulation == "os" else "dense"
    elif dynamics not in DYNAMICS:
        raise ValueError(f"dynamics is {dynamics!r}; expected one of {', '.join(DYNAMICS)}")
    elif formulation != "os":
        raise ValueError(f"dynamics={dynamics!r} belongs to formulation 'os'; formulation {formulation!r} has its own way")
    if dynamics == "dca" and np.any(tree.nodes_f[:, 9:11] > 0):
        raise ValueError("dynamics='dca' has no implicit joint springs and dampers; use 'aba' or 'dense'")
    bounce = _restitution(model, restitution)
    for refused, why in (("position", level == "position"), ("rk4", integrator == "rk4")):
        if why and bounce.any():
            name = model.contacts[int(np.argmax(bounce))]
            raise ValueError(f"contact {name!r} has restitution {bounce.max():g}, but {refused!r} has no collisions: use "
                             "level='velocity' with integrator='euler', or restitution=0")
    if integrator == "rk4" and tree.friction.any():
        name = model.contacts[int(np.argmax(tree.friction))]
        raise ValueError(f"contact {name!r} has friction {tree.friction.max():g}: Runge-Kutta holds contact forces over the "
                         "step, and held friction forces need not dissipate; use integrator='euler', or set mu to zero")
    if integrator == "rk4" and np.isfinite(tree.stiffness).any():
        raise ValueError("the model has compliant contacts, which the explicit integrator='rk4' cannot follow; use 'euler'")
    if impact_speed is None:
        impact_speed = max(2.0 * float(np.hypot(*tree.gravity)) * step, tolerances.TOUCH)
    if g_eps is None:
        g_eps = 0.0 if integrator == "rk4" and level == "velocity" else -0.01 * step
    for name, value, good, expected in (
            ("impact_speed", impact_speed, impact_speed >= 0, "m/s, not negative"),
            ("g_eps", g_eps, g_eps <= 0, "metres, not positive (0 recovers no penetration, -inf all)"),
            ("loop_correction", loop_correction, 0 <= loop_correction <= 1, "a part between 0 and 1"),
            ("eps", eps, 0 <= eps < math.inf, "a number, not negative")):
        if not good:
            raise ValueError(f"{name} is {value!r}; expected {expected}")
    if eps > 0 and formulation in ("mc", "nmc"):
        raise ValueError(f"eps changes the diagonal of a condensed problem; formulation {formulation!r} has none: "
                         "use 'os', 'rmc' or 'nmc/os'")
    return Choices(float(step), formulation, dynamics, level, integrator, bounce, float(impact_speed), float(g_eps),
                   float(loop_correction), float(eps), bool(friction_scaling))


def _restitution(model: Model, given: Any) -> np.ndarray:
    values = np.array(model.tree.restitution)
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name not in model.contacts:
                raise ValueError(f"restitution names the unknown contact {name!r}{did_you_mean(name, model.contacts)} "
                                 f"(contacts: {', '.join(model.contacts) or 'none'})")
            values[model.contacts.index(name)] = value
    elif given is not None:
        try:
            values[:] = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(f"restitution is {given!r}; expected one number, {len(values)} numbers or a dict by contact "
                             "name") from None
    bad = ~((values >= 0) & (values <= 1))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"restitution of contact {model.contacts[i]!r} is {values[i]}; expected 0 to 1")
    return values


def _check_start(model: Model, q: np.ndarray) -> None:
    gap = model.contact_points(q).gap
    deep = np.isinf(model.tree.stiffness) & (gap < -tolerances.PENETRATION)
    if deep.any():
        i = int(np.argmin(np.where(deep, gap, 0.0)))
        raise ValueError(f"contact {model.contacts[i]!r} starts {-gap[i]:.6g} m inside what it touches; move q0 until its "
                         "gap is not negative (model.contact_points(q0).gap), or give the contact a finite stiffness")
    opening = np.hypot(*model.loop_residual(q).reshape(-1, 2).T)
    if np.any(opening > tolerances.PENETRATION):
        i = int(np.argmax(opening))
        raise ValueError(f"pin {model.names.pins[i]!r} is open by {opening[i]:.6g} m at the start; choose q0 on the closed "
                         "loop (model.loop_residual(q0) = 0)")
