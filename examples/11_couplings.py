"""
Springs, gears, drives and events
=================================

A crank that is driven at constant speed turns a wheel through gears; a spring ties the wheel to a hammer, which
falls on an anvil. When does it strike, how hard, and what torque does the drive need?
"""

import math

import numpy as np

import modecontrol as mc

hammer = (
    mc.Builder("hammer")
    .body("crank", parent="world", joint=mc.revolute("crank"), mass=0.5, inertia=0.01)
    .body("wheel", parent="world", joint=mc.revolute("wheel", at=(0.3, 0.0)), mass=1.0, inertia=0.02)
    .body(
        "hammer",
        parent="world",
        joint=mc.revolute("arm", at=(0.9, 0.2)),
        mass=0.8,
        inertia=0.02,
        com=(0.4, 0.0),
    )
    .closure("gear", "gear", coordinate="wheel", other_coordinate="crank", ratio=-0.5)
    .spring(
        "tie",
        "wheel",
        other="hammer",
        point=(0.15, 0),
        other_point=(-0.1, 0),
        stiffness=400.0,
        damping=4.0,
        length=0.35,
    )
    .contact("anvil", "hammer", point=(0.8, 0.0), wall={"origin": (0.0, 0.1)}, mu=0.3, restitution=0.3)
    .start({"crank": 4 * math.pi, "wheel": -2 * math.pi}, arm=0.2)
    .build()
)
print(f"{hammer.name}: rows of the loops {', '.join(hammer.names.loop_rows)}")

# %%
# The drive holds the speed of the crank, whatever that takes. Every blow and every turn of the wheel comes with
# its time, located within the step.
run = mc.simulate(
    hammer,
    duration=2.0,
    integrator="theta",
    drives={"crank": 4.0 * math.pi},
    events={"turn": lambda t, q, v: math.sin(0.5 * q[1])},
)
blows = [blow for blow in run.collisions if blow.impulse > 0.1]
print(f"{run.status}; {len(run.collisions)} collisions, {len(blows)} of them above 0.1 N s")
for blow in blows[:3]:
    print(f"  {blow.contact} at {blow.time:.6f} s with {blow.impulse:.3f} N s")
print("the wheel has turned at", ", ".join(f"{event.time:.6f}" for event in run.events), "s")
torque = run.loop_impulse[:, -1] / run.step
print(f"torque of the drive: mean {np.mean(torque):.3f} N m, largest {np.abs(torque).max():.3f} N m")
