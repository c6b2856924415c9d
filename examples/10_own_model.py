"""
Your own mechanism
==================

A crate with a swinging arm inside stands on two feet. How hard may the arm's motor pull before a foot slips
or lifts, and what turns the crate fastest without losing the grip of its left foot?
"""

import numpy as np

import modecontrol as mc

crate = (
    mc.Builder("crate")
    .body("box", joint=mc.planar("x", "y", "turn"), mass=4.0, inertia=0.2)
    .body(
        "arm",
        parent="box",
        joint=mc.revolute("swing", at=(0.0, 0.3)),
        mass=1.0,
        inertia=0.02,
        com=(0.25, 0.0),
    )
    .input("motor", "swing", lower=-40.0, upper=40.0)
    .contact("left", body="box", point=(-0.3, -0.4), mu=0.6)
    .contact("right", body="box", point=(0.3, -0.4), mu=0.6)
    .start(y=0.4)
    .build()
)
snapshot = crate.snapshot(crate.start)

# %%
# Which contact modes can the feet take, and which motor torques produce each?

response = mc.dynamic_response(snapshot)
print(response.summary())
for mode in response:
    low, high = response[mode].torques.bounding_box
    print(f"{mode}: motor from {low[0]:8.3f} to {high[0]:8.3f} N m")

# %% What bounds the torques of the mode in which both feet stand still? And why can the right foot not slide
# alone?

print(response.explain("FF"))
print(response.explain("FR"))

# %%
# The fastest turn that surely keeps the left foot where it is.

held = mc.dynamic_response(snapshot, task=["left.normal_acceleration == 0", "left.tangent_acceleration == 0"])
best = mc.maximize(held, "turn", margin=1e-3)
print(best.mode, best.torque, best.value, best.active)

# %%
# Watch it for a tenth of a second.

motion = mc.simulate(crate, crate.start, controller=best.torque, duration=0.1)
print(
    motion.modes[0],
    "first;",
    motion.modes[-1],
    "last;",
    f"turned by {np.degrees(motion.q[-1, 2]):.2f} degrees",
)
