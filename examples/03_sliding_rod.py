"""
The sliding rod: none, one or several answers
=============================================

A rod slides with its lower tip on a rough floor. Painlevé found in 1895 that rigid bodies with friction can
have no motion at all, or two, at the same instant. Here the inputs are a force and a torque at the rod's
centre, and the question is which of them lead where.
"""

import matplotlib.pyplot as plt
import numpy as np

import modecontrol as mc

limits = [(-20.0, 20.0), (-20.0, 20.0), (-5.0, 5.0)]

# %%
# With ordinary friction every input has exactly one answer, whether the rod rests or slides.

smooth = mc.load("rod", mu=0.5)
for name, speed in (("at rest", 0.0), ("sliding left", -1.0), ("sliding right", 1.0)):
    response = mc.dynamic_response(smooth.snapshot(smooth.start, [speed, 0, 0]), torque_limits=limits)
    print(f"mu 0.5, {name:13}:", {key: round(value) for key, value in response.coverage().items()})

# %% With high friction the sliding rod digs itself in. Sliding to the left, an input either has two answers
# (it goes on sliding, or it lifts off) or none at all: the floor would have to pull.

rough = mc.load("rod", mu=3.0)
sliding = mc.dynamic_response(rough.snapshot(rough.start, [-1.0, 0, 0]), torque_limits=limits)
print("mu 3.0, sliding left :", {key: round(value) for key, value in sliding.coverage().items()})
for tau in ([0, 0, 0], [0, 15, 0]):
    print(
        f"  input {tau}: modes {sliding.modes_at(tau)}, "
        f"none {sliding.inconsistent().contains(tau)}, several {sliding.ambiguous().contains(tau)}"
    )
for clash in sliding.clashes():
    print(" ", *clash.modes, "differ in", *clash.accelerations, *clash.forces)

# %%
# At rest there is always an answer, sometimes three.

resting = mc.dynamic_response(rough.snapshot(rough.start), torque_limits=limits)
counts = [
    len(resting.modes_at(tau)) for tau in np.random.default_rng(0).uniform(-1, 1, (2000, 3)) * [20, 20, 5]
]
for number in sorted(set(counts)):
    print(f"mu 3.0, at rest, answers {number}: {counts.count(number)} of {len(counts)} random inputs")

# %%
# A cut through the inputs without torque: the sets of the modes at rest.

figure, axes = plt.subplots(figsize=(5.0, 4.4))
resting.plot(ax=axes, slice={"tau": 0.0})
figure.tight_layout()
