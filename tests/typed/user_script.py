# pyright: strict
"""A user's script as type checkers see it: `mypy --strict` and pyright must know every public name and the types of the answers.

Checked by `make lint` and `make pyright`; `tests/test_public_face.py` sees to it that every public name stands here.
"""

from typing import assert_type

import numpy as np

import modecontrol as mc

model = mc.load("rhex", mu_toe=0.6)
assert_type(model, mc.Model)
names: list[str] = mc.models()
snapshot = model.snapshot(model.start)
assert_type(snapshot, mc.Snapshot)
laws: mc.ContactLaws | None = snapshot.laws
modes: list[str] = mc.kinematic_modes(snapshot)
response = mc.dynamic_response(snapshot, task="body.normal >= 10")
assert_type(response, mc.DynamicResponse)
mode = response["RFLL"]
assert_type(mode, mc.ModeResponse)
assert_type(mode.torques, mc.Polytope)
alone: mc.Region = response.unambiguous("RFLL")
nowhere: mc.Region = response.inconsistent()
at: list[str] = response.modes_at([-1.0, -1.0, -1.0])
best = mc.maximize(response, "alpha", margin=1e-3)
assert_type(best, mc.Thrust)
if best.torque is not None:
    value: float = best.value
controller = mc.MaximalThrust(model, "alpha", task="body.normal >= 10")
torque: np.ndarray = controller(0.0, model.start, model.start_velocity)
run = mc.simulate(mc.load("block", slope=0.3, mu=0.2), duration=0.1)
assert_type(run, mc.Trajectory)
solution = mc.solve_lcp(np.eye(2), np.array([-1.0, 1.0]))
assert_type(solution, mc.LCPSolution)
square = mc.Polytope(np.vstack([np.eye(2), -np.eye(2)]), np.ones(4))
inside: bool = [0.0, 0.0] in square
both: mc.Region = square | square.translate([1.0, 0.0])
stepper = mc.Stepper(mc.load("block"))
readings: mc.Readings = stepper.step([0.0])
sure: mc.Thrust = mc.maximize(response, "alpha", guarantee="outcome")
off = mc.Disturbance(torque_error=0.2, forces={"y": (-1.0, 1.0)})
disturbed: mc.Thrust = mc.maximize(response, "alpha", disturbance=off)
study: mc.Study = mc.study(model, {"mu_toe": [0.4, 0.6]}, ["modes"])

version: str = mc.__version__
builder = (
    mc.Builder("arm")
    .body("base", joint=mc.weld())
    .body("upper", joint=mc.revolute("q1"), mass=1.0, inertia=0.1)
)
builder = builder.body("lower", joint=mc.prismatic("q2", at=(1.0, 0.0)), mass=1.0, inertia=0.1)
arm: mc.PlanarModel = builder.build()
free = mc.planar("x", "y", "turn")
named: mc.Names = arm.names
rule = mc.quantity("rear.normal") >= 10.0
constraint = mc.Constraint(rule, name="push")
clashes: list[mc.Clash] = response.clashes()
many: list[mc.DynamicResponse] = list(mc.dynamic_responses([snapshot, snapshot], threads=2))
designed: mc.Thrust = mc.design(response, "margin")
robust = mc.price_of_robustness(response, "alpha", widths=[0.1])
promised: float = mc.promised_value(response, "alpha", [-1.0, -1.0, -1.0])
worst: mc.Thrust = mc.maximize_over_scenarios([response, response], "alpha")
blind: mc.Controller = mc.BlindThrust(model, "alpha", modes=("RRLL", "RFLL"))
runs: list[mc.Trajectory] = mc.simulate_many([{"model": mc.load("block"), "duration": 0.1}], threads=2)
watched = mc.ModeObserver(model, "alpha", 0.1)
surface = mc.FrictionObserver(model.uncertain(mu_toe=(0.4, 0.8)), "alpha", 0.1)
by_hand: type[mc.LagrangianModel] = mc.LagrangianModel
kinds: tuple[type[mc.ModeControlError], ...] = (
    mc.ImpactError,
    mc.ImpossibleStateError,
    mc.ModelFileError,
    mc.SingularMassError,
    mc.UncheckedError,
)

# What the answers hold: every attribute and method that a user meets
coordinates: tuple[str, ...] = model.coordinates + model.inputs + model.contacts
latex: str = model.equations.latex()
mass: np.ndarray = snapshot.mass
uncertain: mc.Model = model.uncertain(mu_toe=(0.45, 0.75), mu_body=(0.1, 0.3))
found: list[str] = response.modes
domain: mc.Polytope = mode.domain
sure_torques: mc.Polytope = mode.sure_torques
pitch: np.ndarray = mode.acceleration["alpha"].value([-1.0, -1.0, -1.0])
forces: np.ndarray = mode.force.value([-1.0, -1.0, -1.0])
open_quantities: bool = bool(mode.ambiguity.accelerations or mode.ambiguity.forces)
several: mc.Region = response.ambiguous()
why: str = response.explain("FFFF").text
margin: float = response.friction_margin([-1.0, -1.0, -1.0])
interval: tuple[float, float] | None = response.friction_interval([-1.0, -1.0, -1.0], "RFLL", "rear")
critical = response.critical_friction()

flat: bool = square.is_empty or not square.is_bounded or square.dimension < 2
smaller: mc.Polytope = square.minimal().project([0]).intersect(square.project([0]))
rest: mc.Region = square.subtract(square.translate([1.0, 0.0]))
corners: np.ndarray = np.vstack([square.vertices, square.rays])
greatest: float = square.maximize([1.0, 0.0]).value + square.volume
holds = square.contains([0.0, 0.0])
pieces: tuple[mc.Polytope, ...] = rest.pieces
size: float = rest.maximize([1.0, 0.0]).value + rest.volume
nothing: bool = rest.is_empty
somewhere: bool = [0.5, 0.5] in rest

chosen: str | None = best.mode
if best.acceleration is not None and best.force is not None:
    answer: np.ndarray = np.concatenate([best.acceleration, best.force])
because: str = f"{best.status}: {best.reason}"
decided: list[str | None] = [decision.mode for decision in controller.decisions]
for guarantee in ("mode", "outcome", "none"):
    each: mc.Thrust = mc.maximize(response, "alpha", guarantee=guarantee)

motion: np.ndarray = np.hstack([run.q[1:], run.v[1:], run.torque, run.impulse])
clock: np.ndarray = run.time
letters: list[str] = run.modes
joules: np.ndarray = run.energy
again: mc.Trajectory = mc.Trajectory.load(run.save("run.npz"))
z, w = solution.z, solution.w
verdict: str = solution.status
error: float = solution.residual
stepper.place({"y": 1.0})

axes = [response.plot(), response.plot_ambiguity(), rest.plot(), run.plot()]
film = run.animate("run.gif")
model.explore()
response.explore()
