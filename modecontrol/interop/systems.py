"""`control_system`: a model as a `control.NonlinearIOSystem`, stepped through contacts or smooth in one mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol.dynamics.library import load
from modecontrol.dynamics.model import Model
from modecontrol.interop.extras import needs
from modecontrol.modes.held_mode import HeldMode
from modecontrol.modes.linear import Linear
from modecontrol.timestepping.readings import Readings
from modecontrol.timestepping.stepper import Stepper
from modecontrol.validation import check_texts, shown

with needs("control", "control"):
    import control

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Accelerations (n,), contact forces (2k,) and inputs (t,)."""


def control_system(
    model: Model | str,
    *,
    mode: str | None = None,
    outputs: Sequence[str] | None = None,
    step: float = 1e-3,
    clip: bool = False,
    name: str | None = None,
    **settings: Any,
) -> Any:
    """A model as a nonlinear input/output system: states `(q, v)`, inputs the model's inputs.

    Without `mode` the system has discrete time: one update is one step of the complementarity stepper of
    `modecontrol.simulate`, so contacts open, close, stick and slide as they must. With `mode` it is the
    continuous system `(q, v)' = (v, qdd)` in which the contacts stay in that mode; its right-hand side is
    smooth, so that `control.linearize` and `control.find_operating_point` make sense of it. The inequalities
    of the mode are not enforced: ask for contact forces as outputs and look when they leave the friction
    cone.

    Parameters
    ----------
    model
        A `Model`, or what `modecontrol.load` reads: a name or a path. Its parameters are the `params` of the
        system.
    mode
        A letter S, L, R or F per contact (`""` for a mechanism without contacts) for continuous time; None
        for discrete time.
    outputs
        Names of states (`"alpha"`, `"alpha_d"`), or linear quantities as in `modecontrol.Constraint`:
        `"alpha_dd"`, `"toe.normal"`, `"2*toe.normal - tau1"`. None means all states. In discrete time
        accelerations and forces are means over the step that begins.
    step
        Step of the discrete system (s).
    clip
        Whether inputs are cut at the torque limits.
    name
        Of the system; None means the model's.
    **settings
        How to step in discrete time, as in `modecontrol.simulate`: `formulation`, `restitution`, `level`, ...

    Returns
    -------
    control.NonlinearIOSystem
        States are named after the coordinates, `alpha` and `alpha_d`.

    Raises
    ------
    ValueError
        Not a mode of the model; an output that the model does not have; settings in continuous time.

    Examples
    --------
    >>> system = control_system("pendulum", mode="SSSS")                    # doctest: +SKIP
    >>> control.linearize(system, x0, u0).A                                 # doctest: +SKIP
    """
    model = model if isinstance(model, Model) else load(model)
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        raise ValueError(f"name is {shown(name)}; expected a word, or None")
    if mode is not None and settings:
        raise ValueError(
            f"found mode={mode!r} and {next(iter(settings))}; stepping has no part in a system that is "
            "smooth in one mode: leave one of them out"
        )
    make = (
        (lambda m: _Smooth(m, mode, clip))
        if mode is not None
        else (lambda m: _Stepped(m, step, clip, settings))
    )
    variants = _Variants(model, make)
    states = (*model.coordinates, *(f"{c}_d" for c in model.coordinates))
    names, reader = _reader(model, states, outputs)

    def update(t: float, x: np.ndarray, u: np.ndarray, params: Mapping[str, float]) -> np.ndarray:
        return variants.of(params).update(np.asarray(x, float), np.asarray(u, float))

    def output(t: float, x: np.ndarray, u: np.ndarray, params: Mapping[str, float]) -> np.ndarray:
        variant = variants.of(params)
        return reader(
            variant.model,
            np.asarray(x, float),
            lambda: variant.motion(np.asarray(x, float), np.asarray(u, float)),
        )

    return control.NonlinearIOSystem(
        update,
        output,
        inputs=list(model.inputs),
        outputs=names,
        states=list(states),
        name=name or model.name,
        dt=0 if mode is not None else float(step),
        params=dict(model.parameters),
    )


class _Smooth:
    """Continuous time in one mode."""

    def __init__(self, model: Model, mode: str, clip: bool) -> None:
        self.model, self.held, self.clip = model, HeldMode(model, mode), clip

    def motion(self, x: np.ndarray, u: np.ndarray) -> Motion:
        n = len(self.model.coordinates)
        tau = _cut(self.model, x[n:], u) if self.clip else u
        return (*self.held.motion(x[:n], x[n:], tau), tau)

    def update(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.concatenate([x[len(x) // 2 :], self.motion(x, u)[0]])


class _Stepped:
    """Discrete time through contacts; every update starts afresh, so it depends on its arguments alone."""

    def __init__(self, model: Model, step: float, clip: bool, settings: dict[str, Any]) -> None:
        self.model = model
        self.stepper = Stepper(model, step=step, clip=clip, check_state=False, **settings)

    def _advance(self, x: np.ndarray, u: np.ndarray) -> Readings:
        n = len(self.model.coordinates)
        self.stepper.place(x[:n], x[n:])
        made = self.stepper.step(u)
        if not made:
            raise RuntimeError(
                f"the step from x = {x.tolist()} with u = {u.tolist()} has no end: {made.status}"
            )
        return made

    def motion(self, x: np.ndarray, u: np.ndarray) -> Motion:
        made = self._advance(x, u)
        return made.acceleration, made.force, made.torque

    def update(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        made = self._advance(x, u)
        return np.concatenate([made.q, made.v])


class _Variants:
    """The model with the parameters that a call asks for; the last few are kept."""

    def __init__(self, model: Model, make: Callable[[Model], Any]) -> None:
        self.model, self.make, self.plain = model, make, make(model)
        self.given = dict(model.parameters)
        self.kept: dict[tuple[tuple[str, float], ...], Any] = {}

    def of(self, params: Mapping[str, float]) -> Any:
        changed = tuple((key, float(value)) for key, value in params.items() if self.given.get(key) != value)
        if not changed:
            return self.plain
        if changed not in self.kept:
            if len(self.kept) >= 8:
                self.kept.pop(next(iter(self.kept)))
            other = self.model.with_parameters(**dict(changed))
            if other.names != self.model.names:
                raise ValueError(
                    f"params {dict(changed)} change the coordinates, inputs or contacts of {self.model.name!r}; "
                    "make another system of the changed model"
                )
            self.kept[changed] = self.make(other)
        return self.kept[changed]


def _cut(model: Model, v: np.ndarray, u: np.ndarray) -> np.ndarray:
    box = model.torque_limits(v)
    return np.clip(u, box[:, 0], box[:, 1])


def _reader(
    model: Model, states: tuple[str, ...], outputs: Sequence[str] | None
) -> tuple[list[str], Callable]:
    """Names of the outputs, and `reader(model, x, motion)` that returns their values."""
    if isinstance(outputs, str):
        raise ValueError(
            f"outputs is the text {outputs!r}; expected a sequence of names, such as [{outputs!r}]"
        )
    names = list(states if outputs is None else check_texts(outputs, "outputs"))
    snap = model.snapshot(model.start, model.start_velocity)
    lines = {i: Linear.of(text) for i, text in enumerate(names) if text not in states}
    for line in lines.values():
        line.row(snap)  # complains about unknown names now

    def read(model: Model, x: np.ndarray, motion: Callable[[], Motion]) -> np.ndarray:
        n = len(model.coordinates)
        qdd, f, tau = motion() if lines else (np.zeros(0),) * 3
        at = model.snapshot(x[:n], x[n:]) if lines else None
        found = np.empty(len(names))
        for i, text in enumerate(names):
            if i in lines:
                P_q, P_f, P_tau, constant = lines[i].row(at)  # type: ignore[arg-type]
                found[i] = P_q @ qdd + P_f @ f + P_tau @ tau + constant
            else:
                found[i] = x[states.index(text)]
        return found

    # names with dots would be read as "system.signal" by python-control
    return [text.replace(".", "_") for text in names], read
