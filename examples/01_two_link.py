"""
Two links between two walls
===========================

Two rods, joined by a motor at the elbow, brace themselves between two vertical walls. The ends touch the
right wall (p1 above, p3 below), the elbow touches the left one (p2). How much torque holds them there, and is
that the only thing that the torque can do?

This is the running example of Greenfield, Saranli and Rizzi (2005), Fig. 1.
"""

import matplotlib.pyplot as plt

import modecontrol as mc

model = mc.load("two_link", mu=0.2)
snapshot = model.snapshot(model.start)

# %% Each contact can separate (S), slide left (L), slide right (R) or stay fixed (F). Of the 64 combinations
# the geometry allows 24. That one contact slides while the other two are fixed is not among them, and the
# library says why.

modes = mc.kinematic_modes(snapshot)
print(len(modes), "kinematically feasible modes:", *modes)
response = mc.dynamic_response(snapshot)
print(response.explain("LFF"))

# %% With the forces and the dynamics three modes are left, one after the other along the torque axis: braced,
# sliding down, and falling away from the walls.

print(response.summary())
for mode in response:
    print(response.explain(mode))

# %% With all contacts fixed there are ten equations of rank eight: two forces stay open. Squeezing
# harder or softer, the rods stand still all the same, so the accelerations are unique.

fixed = response["FFF"]
system, w = fixed.system, fixed.ambiguity_variables
print(f"{system.A.shape} of rank {system.rank} with {w} ambiguity variables")
print("not unique:", *fixed.ambiguity)

# %% The holding torque falls with friction. Above mu = 0.6 the rods jam: any torque at all can hold them. But
# then torques above -4.905 N m can also do other things, and only those below are certain to hold.

for mu in (0.1, 0.2, 0.4, 0.7):
    jammed = mc.dynamic_response(mc.load("two_link", mu=mu).snapshot(model.start))
    torques, sure = jammed["FFF"].torques, jammed.unambiguous("FFF")
    print(
        f"mu {mu}: can hold up to {torques.support([1.0]):8.4f} N m, surely holds up to {sure.support([1.0]):8.4f} N m"
    )

for clash in jammed.clashes():
    low, high = clash.torques.bounding_box
    print(
        *clash.modes,
        f"share the torques from {low[0]:.3f} to {high[0]:.3f} N m and differ in",
        clash.difference,
    )

# %% The torque sets of the jammed rods, drawn as bars: where they overlap, the rigid model alone cannot tell
# what happens.

figure, axes = plt.subplots(figsize=(6.4, 3.0))
jammed.plot(ax=axes, window=(-15, 15))
figure.tight_layout()
