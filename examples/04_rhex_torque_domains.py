"""
All torque domains of RHex at rest
==================================

A hexapod lies on the ground with its rear corner and three pairs of toes touching it. Three hip torques, four
contacts, 256 combinations of letters: which of them can happen, and which torques produce which? The legs are
massless.

Mode letters read body, rear, middle, front.
"""

import matplotlib.pyplot as plt

import modecontrol as mc

model = mc.load("rhex", mu_toe=0.39)
response = mc.dynamic_response(model.snapshot(model.start))

# %% 53 modes have a domain; 13 of them have an inside in the space of the three torques. The others are
# slices: a massless leg in the air cannot carry a torque, so that S goes with a zero.

wide = [mode for mode in response if response[mode].torques.dimension == 3]
print(len(response), "modes,", len(wide), "with interior:", *wide)
print(response.explain("RRLS"))

# %% They tile the torques that push (all negative) and leave the rest without an answer: a leg that pulls
# would lift its own massless toe, which then could not pull.

coverage = response.coverage()
for part, volume in coverage.items():
    print(f"{part:13} {volume:10.3f} (N m)^3, {volume / coverage['whole']:7.3%}")

# %% What happens at a given torque, and what bounds the mode in which the body slides forward on its corner
# while the rear toes hold.

tau = [-2.0, -5.0, -6.0]
print(tau, "->", response.modes_at(tau))
(mode,) = response.modes_at(tau)
for name, (least, greatest) in (response.accelerations_at(tau)[mode] | response.forces_at(tau)[mode]).items():
    print(f"  {name:15} {least:9.3f} {greatest:9.3f}")
print(response.explain("RFLL"))

# %%
# The cells of the octant, pulled apart.

figure = plt.figure(figsize=(6.4, 5.6))
response.plot(ax=figure.add_subplot(projection="3d"), explode=0.4)
