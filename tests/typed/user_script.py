"""A user's script as type checkers see it: `mypy --strict` must know every public name and the types of the answers.

Checked by `make lint`; `tests/test_public_face.py` keeps the list of names whole.
"""

from typing import assert_type

import numpy as np

import modecontrol as mc

model = mc.load("rhex", mu_toe=0.6)
assert_type(model, mc.Model)
names: list[str] = mc.models()
snapshot = model.snapshot(model.start)
assert_type(snapshot, mc.Snapshot)
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
study: mc.Study = mc.study(model, {"mu_toe": [0.4, 0.6]}, ["modes"])
